"""Attacks on the checker of Muller games."""

import dataclasses
import itertools

import numpy as np
import pytest

import zermelo as zm
from tests import muller_oracle as oracle
from zermelo.errors import CertificateError
from zermelo.labels import NO_MOVE
from zermelo.verify.infinite.muller import check_muller

PATH = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")], owner=[1, 0, 1])
BOTH = zm.Muller({"a": 0, "c": 1}, "Inf(0) & Inf(1)")


def refused(solution):
    try:
        check_muller(solution)
    except CertificateError:
        return True
    return False


def with_machine(solution, player, /, **changes):
    machines = list(solution.machines)
    machines[player] = dataclasses.replace(machines[player], **changes)
    return dataclasses.replace(solution, machines=tuple(machines))


def flipped(solution, v, *, machines):
    """The other winner at v, consistently in the arrays and optionally in the machines."""
    level, label = solution.level.copy(), solution.label.copy()
    level[v], label[v] = 1 - level[v], -label[v]
    changed = dataclasses.replace(solution, level=level, label=label)
    if machines:
        for player in (0, 1):
            winning = changed.machines[player].winning.copy()
            winning[v] = not winning[v]
            changed = with_machine(changed, player, winning=winning)
    return changed


@pytest.mark.parametrize("block", range(5))
def test_every_wrong_winner_is_refused(block):
    for seed in range(30 * block, 30 * block + 30):
        g, objective = oracle.random_game(seed)
        s = zm.solve(g, objective).verify()
        for v, machines in itertools.product(range(g.n), (False, True)):
            assert refused(flipped(s, v, machines=machines)), (seed, v)


def loses(solution, player):
    """Whether the opponent can win somewhere against the machine, by solving the remaining game."""
    machine, g = solution.machines[player], solution.graph
    colours = solution.objective.colours(g)
    pairs = list(itertools.product(range(len(machine)), range(g.n)))
    place = {pair: k for k, pair in enumerate(pairs)}
    edges = []
    for m, v in pairs:
        after = int(machine.after[m, machine.letter[v]])
        targets = g.successors(v).tolist()
        if g.owner[v] == player:
            targets = [w for w in targets if w == machine.moves[m, v]]
        edges += [(place[m, v], place[after, w]) for w in targets]
    product = zm.Graph.from_edges(edges, n=len(pairs), owner=[int(g.owner[v]) for _, v in pairs])
    objective = zm.Muller([colours[v] for _, v in pairs], solution.objective.acceptance)
    won = oracle.solve(product, objective)
    return any(won[place[0, v]] != player for v in range(g.n) if machine.winning[v])


@pytest.mark.parametrize("block", range(5))
def test_a_changed_machine_is_refused_iff_it_loses(block):
    """Every single move and update, changed to every other value."""
    kept = broken = 0
    for seed in range(12 * block, 12 * block + 12):
        g, objective = oracle.random_game(500 + seed, most=4, colours=3)
        s = zm.solve(g, objective)
        for player in (0, 1):
            machine = s.machines[player]
            for name, values in (
                ("moves", range(NO_MOVE, g.n)),
                ("after", range(len(machine))),
            ):
                table = getattr(machine, name)
                for place in np.ndindex(table.shape):
                    for value in values:
                        if value == table[place]:
                            continue
                        other = table.copy()
                        other[place] = value
                        changed = with_machine(s, player, **{name: other})
                        wrong = refused(changed)
                        assert wrong == loses(changed, player), (seed, player, name, place, value)
                        kept, broken = kept + (not wrong), broken + wrong
    assert kept > 20
    assert broken > 20


def test_one_memory_state_is_not_enough():
    s = zm.solve(PATH, BOTH).verify()
    machine = s.machines[0]
    for m in range(2):
        small = with_machine(
            s, 0, after=np.zeros((1, machine.after.shape[1]), np.int32),
            moves=machine.moves[m : m + 1].copy(),
        )  # fmt: skip
        with pytest.raises(CertificateError, match="expected no cycle that player 1 wins"):
            check_muller(small)


def test_a_bad_cycle_inside_a_good_component():
    """The whole graph has the colours 0, 1, 2, which win; the loop at 0 alone does not."""
    g = zm.Graph.from_edges([(0, 0), (0, 1), (1, 2), (2, 0)], owner=[1, 0, 0])
    s = zm.solve(g, zm.Muller([0, 1, 2], [{0, 1, 2}])).verify()
    assert s.winner.tolist() == [1, 1, 1]
    lie = s
    for v in range(3):
        lie = flipped(lie, v, machines=True)
    moves = np.array([[NO_MOVE, 2, 0]], np.int32)
    letter, after = np.zeros(3, np.int32), np.zeros((1, 1), np.int32)
    lie = with_machine(lie, 0, moves=moves, letter=letter, after=after)
    with pytest.raises(CertificateError, match=r"with the colours \{0\}"):
        check_muller(lie)


@pytest.mark.parametrize(
    "changes",
    [
        {"level": np.zeros(3, np.float64)},
        {"level": np.full(3, 2, np.int8)},
        {"level": np.zeros(2, np.int8)},
        {"label": np.ones(3, np.int32)},
        {"label": np.zeros(3, np.int8)},
        {"distance": np.zeros(3, np.int32)},
        {"start": 3},
        {"machines": ()},
        {"machines": (None, None)},
        {"objective": zm.Parity([0, 0, 0])},
    ],
)
def test_bad_entries(changes):
    with pytest.raises(CertificateError):
        check_muller(dataclasses.replace(zm.solve(PATH, BOTH), **changes))


@pytest.mark.parametrize(
    "changes",
    [
        {"player": 1},
        {"graph": zm.Graph.from_edges([(0, 0)], owner=[0])},
        {"graph": PATH.with_owner([0, 0, 0])},
        {"winning": np.zeros(3, bool)},
        {"winning": np.ones(3, np.int8)},
        {"letter": np.full(3, 9, np.int32)},
        {"letter": np.zeros(3, np.int64)},
        {"after": np.full((2, 3), 2, np.int32)},
        {"after": np.zeros((0, 3), np.int32)},
        {"after": np.zeros(3, np.int32)},
        {"moves": np.full((2, 3), 3, np.int32)},
        {"moves": np.full((2, 3), NO_MOVE, np.int32)},
        {"moves": np.ones((2, 3), np.int32)},
        {"moves": np.zeros((1, 3), np.int32)},
        {"initial": 2},
    ],
)
def test_bad_machines(changes):
    with pytest.raises(CertificateError):
        check_muller(with_machine(zm.solve(PATH, BOTH), 0, **changes))


def test_starts_and_labels():
    right = zm.solve(PATH, BOTH).verify()
    for start in (0, 2, None):
        dataclasses.replace(right, start=start).verify()
    for start in (-1, 3):
        with pytest.raises(CertificateError, match="start: expected a position number 0 … 2"):
            dataclasses.replace(right, start=start).verify()
    wide = right.label.astype(np.int64)
    for label in (wide, right.label[:2].copy(), right.label[None].copy()):
        with pytest.raises(CertificateError, match="label: expected"):
            dataclasses.replace(right, label=label).verify()
