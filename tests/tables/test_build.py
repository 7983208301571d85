"""Tables of whole games: built, opened, asked, checked, by name and from files of one's own."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.tables.forged import forged

import zermelo as zm
from zermelo.errors import (
    CertificateError,
    InvalidOptionError,
    InvalidRulesError,
    UnknownPositionError,
)
from zermelo.rules.compiled import OPEN, CompiledRules
from zermelo.tables.solving.solve import solve_rules
from zermelo.tables.storage.codes import KIND_ABSENT

COUNTS = ["positions", "win", "lose", "tie", "draw", "longest_win", "longest_lose"]


class Walk(CompiledRules):
    """On a ring of n places go 1 or 2 on; at ``end`` play is over, at 3 it is a tie.

    Made to have wins, losses, ties and draws, with or without an index and a symmetry.
    """

    most_moves = 2

    def __init__(self, n, end, pays=-1):
        self.n, self.end, self.pays = n, end, pays

    def start(self):
        return 0

    def moves(self, position, out):
        if position % 5 == 4:
            out[0] = (position + 3) % self.n
            return 1
        out[0] = (position + 1) % self.n
        out[1] = (position + 2 + position % 3) % self.n
        return 2

    def outcome(self, position):
        if position == self.end:
            return self.pays
        if position == 3:
            return 0
        return OPEN


class Indexed(Walk):
    """The same by index; the odd indices are no positions."""

    def __init__(self, n, end, pays=-1):
        super().__init__(n, end, pays)
        self.size = 2 * n

    def rank(self, position):
        return 2 * position

    def unrank(self, index):
        return index // 2 if index % 2 == 0 else -1


class Sparse(Indexed):
    """One index in twenty is a position."""

    def __init__(self, n, end, pays=-1):
        super().__init__(n, end, pays)
        self.size = 20 * n

    def rank(self, position):
        return 20 * position

    def unrank(self, index):
        return index // 20 if index % 20 == 0 else -1


class Backed(Indexed):
    """By index, with unmoves, which tell of many positions that play does not reach them."""

    most_unmoves = 4

    def unmoves(self, position, out):
        return self.origins(position, out)

    def origins(self, position, out):
        count = 0
        for back in range(1, 5):
            place = (position - back) % self.n
            step = 3 if place % 5 == 4 else 2 + place % 3
            if (back == step or (back == 1 and place % 5 != 4)) and self.outcome(place) == OPEN:
                out[count] = place
                count += 1
        return count


class Tiered(Backed):
    """The end is a tier of its own, and unmoves leave out what leads there."""

    def tier(self, position):
        return 0 if position == self.end else 1

    def unmoves(self, position, out):
        return 0 if position == self.end else self.origins(position, out)


class Owned(Walk):
    """The player who is to move is the place's, so that one may move twice running."""

    def player(self, position):
        return position // 2 % 2


class Plain(zm.Rules):
    """The same with tuples for positions, which cannot be read from text."""

    def __init__(self, n, end, pays=-1):
        self.walk = n, end, pays

    def start(self):
        return (0,)

    def moves(self, position):
        return [(x,) for x in Walk(*self.walk).options(position[0])]

    def outcome(self, position):
        found = Walk(*self.walk).outcome(position[0])
        return None if found == OPEN else found


N = 60

KINDS = [Walk, Indexed, Sparse, Backed, Tiered, Owned, Plain]


def number(position):
    return position[0] if isinstance(position, tuple) else position


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.__name__)
def rules(request):
    return request.param(N, 17)


@pytest.fixture(scope="module")
def table(rules, tmp_path_factory):
    with zm.build(rules, tmp_path_factory.mktemp("tables") / "t.zt") as made:
        yield made


def answers(rules):
    """Label, distance and best moves of every position, by the solver of graphs."""
    walk = rules if isinstance(rules, CompiledRules) else Walk(*rules.walk)
    names = [0]
    for x in names:
        names += [y for y in walk.options(x) if y not in names]
    edges = [(x, y) for x in names for y in walk.options(x)]
    owner = {x: walk.player(x) for x in names} if walk.has("player") else None
    graph = zm.Graph.from_edges(edges, names=names, owner=owner)
    ends = [x for x in names if not walk.options(x)]
    pays = {x: -1 if walk.outcome(x) == OPEN else walk.outcome(x) for x in ends}
    solution = zm.solve(graph, zm.TerminalPayoff(pays, view="mover"))
    return {x: solution[x] for x in names}


@pytest.mark.slow("Plain")
def test_it_agrees_with_the_solver_of_graphs(rules, table):
    expected = answers(rules)
    assert {x.label.name for x in expected.values()} == {"WIN", "LOSE", "DRAW"}
    found = {number(x.position): x for x in table}
    assert list(found) == sorted(found, key=str if isinstance(rules, Plain) else int)
    assert found.keys() == expected.keys()
    assert len(table) == len(found)
    for x, answer in expected.items():
        entry = table.probe((x,) if isinstance(rules, Plain) else x)
        assert entry == found[x]
        assert (entry.label, entry.distance) == (answer.label, answer.distance)
        assert sorted(map(number, entry.best_moves)) == sorted(answer.best_moves)
        assert entry.outcome == (
            {1: "win", -1: "lose"}.get(answer.label) or ("draw" if answer.distance < 0 else "tie")
        )


def test_what_play_does_not_reach_is_not_there(rules, table):
    expected = answers(rules)
    for x in set(range(N)) - expected.keys():
        with pytest.raises(UnknownPositionError, match="has no position"):
            table.probe((x,) if isinstance(rules, Plain) else x)


def test_a_list_is_no_position_even_if_it_has_the_text_of_one(tmp_path):
    table = zm.build(zm.game("nim:1,2"), tmp_path / "nim.zt")
    assert table.at((1, 2)).outcome == "win"
    for ask in (table.at, table.line):
        with pytest.raises(UnknownPositionError, match=r"has no position \[1, 2\]"):
            ask([1, 2])


def test_unmoves_free_entries(tmp_path):
    rules = Backed(N, 17)
    absent = N - len(answers(rules))
    assert absent
    kinds = {}
    for kind in (Backed, Indexed):
        with zm.build(kind(N, 17), tmp_path / "t.zt") as table:
            assert table.header["descent"] == (kind is Backed)
            kinds[kind] = table._file.block(0).kind
    marked = {kind: int((found == KIND_ABSENT).sum()) for kind, found in kinds.items()}
    assert marked[Indexed] == absent > marked[Backed]


def test_counts_are_those_of_all_positions(rules, table):
    found = list(table)
    counts = table.counts()
    assert sorted(counts) == sorted(COUNTS)
    for value in ("win", "lose", "tie", "draw"):
        assert counts[value] == sum(x.outcome == value for x in found)
    for value in ("win", "lose"):
        assert counts[f"longest_{value}"] == max(x.distance for x in found if x.outcome == value)
    assert counts["positions"] == len(found)


def test_a_line_ends_or_repeats(rules, table):
    for entry in table:
        line = table.line(entry.position)
        assert line[0] == entry.position
        if entry.distance >= 0:
            assert line.cycle is None
            assert len(line) == entry.distance + 1
        else:
            assert line.cycle is not None
            assert line[line.cycle] == line[-1]
    assert len(table.line(table.rules.start(), limit=1)) <= 2


def test_it_proves_itself(table):
    assert table.verify() is table
    assert table.verified == len(table)
    assert table.verify(50).verified == 50


@pytest.mark.parametrize("keys", ["index", "indices", "positions", "texts"])
def test_all_ways_to_find_an_entry_are_used(keys, tmp_path):
    rules = {"index": Indexed, "indices": Sparse, "positions": Walk, "texts": Plain}[keys]
    with zm.build(rules(N, 17), tmp_path / "t.zt") as table:
        assert table.header["keys"] == keys


@pytest.mark.parametrize("strange", [-1, N, 2**63, 2**70, 1.5, None, "x", (1, 2), [], True, b"0"])
def test_what_is_no_position(table, strange):
    with pytest.raises((UnknownPositionError, InvalidRulesError)):
        table.probe(strange)


def test_text_is_answered_in_text(tmp_path):
    with zm.build(Walk(N, 17), tmp_path / "t.zt") as table:
        entry = table.probe("6")
        assert entry.position == "6"
        assert entry.best_moves == tuple(map(str, table.probe(6).best_moves))
        assert all(isinstance(x, str) for x in table.line("6"))
        assert str(entry) == str(table.probe(6)) == str(table["6"])


@pytest.mark.slow
def test_plain_positions_are_found_by_their_text(tmp_path):
    with zm.build(Plain(N, 17), tmp_path / "t.zt") as table:
        assert table.probe("(6,)").distance == table.probe((6,)).distance
        assert table.probe("(6,)").best_moves == tuple(map(str, table.probe((6,)).best_moves))


def test_misere_turns_the_end_around(tmp_path):
    one = zm.build(Walk(N, 17), tmp_path / "one.zt", zm.Misere())
    two = zm.build(Walk(N, 17, pays=1), tmp_path / "two.zt")
    with one, two:
        for entry in two:
            found = one.probe(entry.position)
            assert (found.label, found.distance) == (entry.label, entry.distance)
        assert one.verify().verified == two.verify().verified


@pytest.mark.parametrize("objective", [zm.Asymmetric(), zm.G0(), zm.G1(), zm.H1()])
def test_infinite_play_may_be_worth_something(tmp_path, objective):
    rules = Stuck(120)
    graph, _ = zm.explore(rules)
    names = graph.names or range(graph.n)
    owner = {x: rules.player(x) for x in names}
    owned = zm.Graph.from_csr(graph.indptr, graph.indices, owner=owner, names=names)
    solution = zm.solve(owned, objective)
    with zm.build(rules, tmp_path / "t.zt", objective) as table:
        for x in names:
            entry = table.probe(x)
            assert (entry.label, entry.distance) == (solution[x].label, solution[x].distance)
            assert sorted(entry.best_moves) == sorted(solution[x].best_moves)
        assert table.verify().verified == len(names)


class Stuck(CompiledRules):
    """A ring with two dead ends, and players who own places."""

    most_moves = 2

    def __init__(self, n):
        self.n = n

    def start(self):
        return 0

    def moves(self, position, out):
        if position in (40, 77):
            return 0
        out[0] = (position + 1) % self.n
        out[1] = (position * 3 + 1) % self.n
        return 2

    def player(self, position):
        return position * 7 // 3 % 2


# -------------------------------------------------------------------- rules and files


def test_a_game_is_found_by_its_name(tmp_path):
    path = tmp_path / "t.zt"
    zm.build("cram:2x3", path).close()
    with zm.Table(path) as table:
        assert table.rules.columns == 3
        assert table.probe(".../...").outcome == "win"
        assert repr(table).startswith("Table(cram:2x3: ")
    zm.build(zm.game("nim:3,4"), path).close()
    with zm.Table(path) as table:
        assert table.probe((3, 4)).best_moves == ((3, 3),)


def test_rules_without_a_name_must_be_given(tmp_path):
    zm.build(Walk(50, 17), tmp_path / "t.zt").close()
    with pytest.raises(InvalidRulesError, match=r"of the class 'Walk', .* --rules FILE\.py"):
        zm.Table(tmp_path / "t.zt")
    with zm.Table(tmp_path / "t.zt", rules=Walk(50, 17)) as table:
        assert table.probe(0)


@pytest.mark.parametrize("other", [Walk(50, 18), Walk(51, 17), Indexed(50, 17), Plain(50, 17)])
def test_other_rules_are_refused(tmp_path, other):
    zm.build(Walk(50, 17), tmp_path / "t.zt").close()
    name = type(other).__name__
    message = (
        "built with other rules" if name == "Walk" else f"it is a table of Walk, not of {name}"
    )
    with pytest.raises(InvalidRulesError, match=message):
        zm.Table(tmp_path / "t.zt", rules=other)


def test_other_plain_rules_are_refused(tmp_path):
    zm.build("nim:3,4", tmp_path / "t.zt").close()
    for other in ("nim:3,5", "wythoff:3,4"):
        with pytest.raises(InvalidRulesError, match=f"it is a table of nim:3,4, not of {other}"):
            zm.Table(tmp_path / "t.zt", rules=other)


def test_partizan_games_take_turns(tmp_path):
    rules = zm.game("domineering:3x3")
    with zm.build(rules, tmp_path / "one.zt") as one, zm.Table(tmp_path / "one.zt") as two:
        assert one.probe(one.rules.start()) == two.probe(two.rules.start())
        assert one.verify().verified == len(two)


def test_an_edited_file_of_rules_is_refused(tmp_path):
    source = (
        "from zermelo.rules.compiled import CompiledRules\n"
        "class Down(CompiledRules):\n"
        "    most_moves = 2\n"
        "    def start(self):\n"
        "        return 30\n"
        "    def moves(self, position, out):\n"
        "        '''Take one or two.'''\n"
        "        for k in range(min(2, position)):\n"
        "            out[k] = position - 1 - k\n"
        "        return min(2, position)\n"
    )
    for name, text in (
        ("one", source),
        ("same", source.replace("Take one or two", "Take 1 or 2")),
        ("edited/one", source.replace("- 1 - k", "- 1 - 0 * k")),
        ("other", source.replace("- 1 - k", "- 1 - 0 * k")),
    ):
        (tmp_path / "edited").mkdir(exist_ok=True)
        (tmp_path / f"{name}.py").write_text(text)
    zm.build(f"{tmp_path}/one.py", tmp_path / "t.zt").close()
    with zm.Table(tmp_path / "t.zt", f"{tmp_path}/one.py") as table:
        assert (table.probe(30).outcome, table.probe(31 - 2).outcome) == ("lose", "win")
    zm.Table(tmp_path / "t.zt", rules=f"{tmp_path}/same.py").close()
    with pytest.raises(InvalidRulesError, match="built with other rules"):
        zm.Table(tmp_path / "t.zt", rules=f"{tmp_path}/edited/one.py")
    with pytest.raises(InvalidRulesError, match=r"it is a table of .*one.py, not of .*other.py"):
        zm.Table(tmp_path / "t.zt", rules=f"{tmp_path}/other.py")


@pytest.mark.slow("Plain")
def test_building_again_gives_the_same_bytes(rules, tmp_path):
    for name in ("one.zt", "two.zt"):
        zm.build(rules, tmp_path / name).close()
    assert (tmp_path / "one.zt").read_bytes() == (tmp_path / "two.zt").read_bytes()
    zm.build(rules, tmp_path / "one.zt").close()  # what is there is replaced
    assert (tmp_path / "one.zt").read_bytes() == (tmp_path / "two.zt").read_bytes()
    assert sorted(x.name for x in tmp_path.iterdir()) == ["one.zt", "two.zt"]


def test_a_build_that_fails_leaves_nothing(tmp_path):
    with pytest.raises(zm.errors.MemoryLimitError if hasattr(zm, "errors") else MemoryError):
        zm.build(Indexed(10**9, 17), tmp_path / "t.zt", memory=1 << 20)
    assert list(tmp_path.iterdir()) == []


FULL_DISK = """
import resource, sys
import zermelo as zm
from tests.tables.test_build import Indexed
from zermelo.errors import ZermeloError
from zermelo.tables.solving import job as _job

_job.CHECKPOINT_SECONDS = float(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
try:
    zm.build(Indexed(40_000, 17), "t.zt")
except ZermeloError as error:
    print(type(error).__name__, isinstance(error, OSError), error)
"""


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of files there")
@pytest.mark.parametrize(
    ("saving", "what"), [("-1", "the state of the build"), ("1e9", "the table")]
)
def test_a_full_disk(saving, what, tmp_path):
    """Files may have so many bytes and not more, as on a disk that is full."""
    command = [sys.executable, "-B", "-c", FULL_DISK, "1500", saving]  # no bytecode is cut short
    root = str(Path(__file__).parents[2])
    paths = os.pathsep.join([root, f"{root}/src"])
    environment = os.environ | {"PYTHONPATH": paths}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    kind, system, message = done.stdout.split(" ", 2)
    assert (kind, system) == ("DiskError", "True")
    assert f"t.zt: {what} could not be written: file too large (" in message
    assert "are needed, " in message
    assert "make room or choose another place" in message
    assert not (tmp_path / "t.zt").exists()


def test_a_disk_without_room_for_rows(tmp_path, monkeypatch):
    from zermelo.errors import DiskError
    from zermelo.tables.storage import export as module

    def write(path, chunks):
        path.write_text("half a row")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setitem(module._WRITERS, ".csv", write)
    with (
        zm.build("nim:1,2", tmp_path / "t.zt") as table,
        pytest.raises(DiskError, match=r"t\.csv: the rows could not be written: no space left"),
    ):
        module.export(table, tmp_path / "t.csv")
    assert [x.name for x in tmp_path.iterdir()] == ["t.zt"]


def test_there_must_be_a_directory(tmp_path):
    with pytest.raises(FileNotFoundError):
        zm.build("nim:1,2", tmp_path / "none" / "t.zt")


def test_texts_must_differ(tmp_path):
    class Same(Plain):
        def show(self, position):
            return "here"

    with pytest.raises(InvalidRulesError, match=r"Same.show: positions .* both show as 'here'"):
        zm.build(Same(20, 17), tmp_path / "t.zt")
    with pytest.raises(InvalidRulesError, match="two positions the same text 'here'"):
        zm.build(Same(20, 17), tmp_path / "t.zt", check=False)


def test_a_closed_table_is_closed(tmp_path):
    table = zm.build("nim:1,2", tmp_path / "t.zt")
    table.close()
    with pytest.raises(ValueError):
        table.probe((1, 2))


# -------------------------------------------------------------------- the checker


@pytest.mark.slow("Plain")
@pytest.mark.parametrize("kind", KINDS)
def test_a_wrong_entry_anywhere_is_found(kind, tmp_path):
    """Change one label or distance of one position at a time; every change must be seen."""
    from zermelo.tables.probing.access import rules_digest
    from zermelo.tables.storage.codes import distances, labels, pack
    from zermelo.tables.storage.save import write_solved

    rules = kind(40, 17)
    solved = solve_rules(rules)
    named = {"game": None, "class": kind.__name__, "digest": rules_digest(rules)}
    header = {"rules": named, "objective": None}
    label, distance = labels(solved.entry), distances(solved.entry)
    seen = 0
    for i in np.flatnonzero(solved.entry)[::3].tolist():
        for change_label, change in ((0, 2), (0, -2), (1, 0)):
            new_label, new_distance = label.copy(), distance.copy()
            if change_label:
                new_label[i] = -1 if label[i] >= 0 else 0
            elif distance[i] < 0 or (label[i] > 0 and kind is not Owned):
                continue  # a win's distance is not in the file
            else:
                new_distance[i] = max(0, distance[i] + change)
            if (new_label[i], new_distance[i]) == (label[i], distance[i]):
                continue
            entry = np.where(solved.entry == 0, 0, pack(new_label, new_distance))
            wrong = forged(solved, entry=entry.astype(solved.entry.dtype))
            write_solved(tmp_path / "t.zt", header, wrong)
            table = zm.Table(tmp_path / "t.zt", rules)
            with table, pytest.raises(CertificateError, match="distance"):
                table.verify()
            seen += 1
    assert seen > 15


def test_only_known_objectives_are_checked(tmp_path):
    zm.build("nim:1,2", tmp_path / "t.zt").close()
    with zm.Table(tmp_path / "t.zt") as table:
        table.header["objective"] = "parity"
        with pytest.raises(InvalidOptionError, match="'parity' cannot be checked"):
            table.verify()
