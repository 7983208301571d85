"""Many positions at once: the same answers as one by one."""

import threading

import numpy as np
import pytest
from tests.tables.test_build import KINDS, N, Owned

import zermelo as zm
from zermelo.errors import InvalidOptionError, UnknownPositionError
from zermelo.tables.probing.many_answers import Probes
from zermelo.tables.solving.solve import solve_rules


def both(rules, path):
    """The game in memory, and as a table of which only one block is kept."""
    zm.build(rules, path).close()
    return solve_rules(rules), zm.Table(path, rules, cache=0)


def same(solved, positions):
    """Whether many answers at once are those one by one, with a move that is among the best."""
    found = solved.probe_many(positions, moves=True)
    assert len(found) == len(positions)
    assert found.present.all()
    for k, position in enumerate(positions):
        answer = solved.at(position)
        assert (found.label[k], found.distance[k]) == (answer.label, answer.distance)
        move = found.move[k]
        if not answer.best_moves:
            assert move in (None, -1)
        else:
            assert move in answer.best_moves
    return True


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_positions_of_all_kinds_of_tables(kind, tmp_path):
    rules = kind(N, 17)
    for solved in both(rules, tmp_path / "t.zt"):
        positions = [x.position for x in solved]
        assert same(solved, positions)
        if isinstance(positions[0], int):
            assert same(solved, np.array(positions[::-1], np.uint16))


@pytest.mark.parametrize("name", ["nim:2,3", "hexapawn:3x3", "domineering:2x3", "chomp:2x3"])
def test_texts(name, tmp_path):
    rules = zm.game(name)
    for solved in both(rules, tmp_path / "t.zt"):
        assert same(solved, [solved.rules.show(x.position) for x in list(solved)[:40]])


def test_a_record_has_arrays_of_fixed_types():
    found = solve_rules(zm.game("tictactoe")).probe_many([])
    assert isinstance(found, Probes)
    assert (found.label.dtype, found.distance.dtype) == (np.int8, np.int32)
    assert len(found) == 0
    assert found.move is None


@pytest.mark.slow("Plain")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_positions_without_entries(kind, tmp_path):
    rules = kind(N, 17)
    for solved in both(rules, tmp_path / "t.zt"):
        known = [x.position for x in solved]
        strange = [10**6, -1, 2**63, 2**80, None, 3.5, True, (1, 2, 3)]
        found = solved.probe_many([known[0], *strange, known[1]], moves=True, absent="mark")
        assert found.present.tolist() == [True] + [False] * len(strange) + [True]
        assert set(found.label[1:-1].tolist()) == {0}
        assert set(found.distance[1:-1].tolist()) == {-1}
        assert set(found.move[1:-1]) == {None}
        with pytest.raises(UnknownPositionError, match="1000000"):
            solved.probe_many([known[0], 10**6, -1])


@pytest.mark.parametrize("given", ["1+2", 3, None, np.zeros((2, 2), np.int64), np.zeros(2)])
def test_what_is_no_list_of_positions(given):
    solved = solve_rules(Owned(N, 17))
    with pytest.raises(InvalidOptionError, match="positions: expected a"):
        solved.probe_many(given)


def test_unknown_ways_to_treat_absent_positions():
    with pytest.raises(InvalidOptionError, match="absent"):
        solve_rules(zm.game("nim:2")).probe_many(["2"], absent="ignore")


def test_threads_share_a_table_of_which_one_block_is_kept(tmp_path):
    zm.build("connect4:4x3", tmp_path / "t.zt").close()
    with zm.Table(tmp_path / "t.zt", cache=0) as table:
        positions = np.array(list(table.sample(60)))
        expected = table.probe_many(positions, moves=True)
        wrong = []

        def look(order):
            found = table.probe_many(positions[order], moves=True)
            wrong.extend(
                name
                for name in ("label", "distance", "move")
                if getattr(found, name).tolist() != getattr(expected, name)[order].tolist()
            )

        choose = np.random.default_rng(0)
        orders = [choose.permutation(60) for _ in range(4)]
        threads = [threading.Thread(target=look, args=(order,)) for order in orders]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


@pytest.mark.slow
@pytest.mark.compiled
def test_numbers_that_are_no_positions_reach_machine_code(tmp_path, monkeypatch):
    wrong = [458 << 31, 1 << 40, (1 << 62) + 5, 7 << 31 | 3]
    with zm.build("chess:KvK", tmp_path / "kings.zt") as table:
        right = next(iter(table.sample(1)))
        monkeypatch.setenv("ZERMELO_KERNELS", "compile")
        assert table.probe_many(np.array([*wrong, right]), absent="mark").present.sum() == 1
        for number in wrong:
            with pytest.raises(UnknownPositionError, match="has no position"):
                table.probe(number)
        assert table.probe(right).label == 0
