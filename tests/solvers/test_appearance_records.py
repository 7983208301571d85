"""Latest appearance records: the automaton, the games, and the sizes beside the Zielonka tree."""

import itertools
import math
import random

import numpy as np
import pytest
from tests import muller_oracle as oracle

import zermelo as zm
from zermelo.errors import MemoryLimitError, SolverError
from zermelo.objectives.acceptance import Formula
from zermelo.objectives.muller import Signals
from zermelo.solvers.muller.appearance_records import build_records
from zermelo.solvers.muller.muller import estimate_records
from zermelo.solvers.muller.zielonka_tree import zielonka_tree


def signals_of(acceptance, letters, k):
    """A condition over k colours, and the sets of colours that positions have."""
    condition = zm.Muller([], acceptance).condition
    if isinstance(condition, Formula):
        assert not any(x < 0 for x in condition.signals)
    return Signals(tuple(range(k)), np.array(letters, np.int64), condition)


def bits(mask):
    return {j for j in range(20) if mask >> j & 1}


def conditions(count, k):
    for seed in range(count):
        rng = random.Random(seed)
        yield oracle.random_family(rng, k) if seed % 2 else oracle.random_formula(rng, k)


def test_the_automaton_is_the_definition():
    """A list of colours, the last one seen in front, and the hit, in plain Python."""
    for seed, acceptance in enumerate(conditions(40, 4)):
        rng = random.Random(seed)
        letters = sorted(rng.sample(range(16), rng.randint(1, 6)))
        signals = signals_of(acceptance, letters, 4)
        records = build_records(signals)
        automaton = records.automaton
        number = {tuple(row): q for q, row in enumerate(records.record.tolist())}
        assert number[0, 1, 2, 3] == 0
        reached = {0}
        for row, q in number.items():
            for a, letter in enumerate(letters):
                inside = [c for c in row if c in bits(letter)]
                after = (*inside, *(c for c in row if c not in bits(letter)))
                hit = max((j + 1 for j, c in enumerate(row) if c in bits(letter)), default=0)
                won = bool(signals.wins(sum(1 << c for c in row[:hit])))
                assert automaton.after[q, a] == number[after]
                assert automaton.priority[q, a] == 2 * hit + (not won)
                reached.add(number[after])
        assert reached == set(range(len(records)))


def test_it_accepts_the_condition():
    """Periodic words: the greatest priority of the period is even iff their colours are won."""
    for seed, acceptance in enumerate(conditions(60, 4)):
        rng = random.Random(seed)
        letters = sorted(rng.sample(range(16), rng.randint(1, 6)))
        signals = signals_of(acceptance, letters, 4)
        automaton = build_records(signals).automaton
        for _ in range(10):
            state = 0
            for _ in range(rng.randint(0, 5)):
                state = automaton.after[state, rng.randrange(len(letters))]
            period = [rng.randrange(len(letters)) for _ in range(rng.randint(1, 4))]
            seen, highest = {}, []
            while state not in seen:  # the states at the beginnings of periods
                seen[state] = len(highest)
                top = -1
                for a in period:
                    top = max(top, int(automaton.priority[state, a]))
                    state = automaton.after[state, a]
                highest.append(top)
            colours = 0
            for a in period:
                colours |= letters[a]
            assert (max(highest[seen[state] :]) % 2 == 0) == bool(signals.wins(colours))


@pytest.mark.parametrize("k", range(1, 7))
def test_all_orders_of_single_colours(k):
    records = build_records(signals_of("Inf(0)", [1 << c for c in range(k)], k))
    assert len(records) == math.factorial(k)
    assert records.record.tolist() == [list(p) for p in itertools.permutations(range(k))]


def test_never_smaller_than_the_zielonka_tree():
    """[CasaresEtAl2021]: for single colours the tree gives the least automaton."""
    strict = 0
    for k in range(1, 6):
        letters = [1 << c for c in range(k)]
        for acceptance in conditions(30, k):
            leaves = zielonka_tree(acceptance, range(k)).leaf.size
            records = len(build_records(signals_of(acceptance, letters, k)))
            assert leaves <= records
            strict += leaves < records
    assert strict > 20


@pytest.mark.parametrize("block", range(4))
def test_random_games(block):
    for seed in range(3000 + 40 * block, 3040 + 40 * block):
        g, objective = oracle.random_game(seed)
        s = zm.solve(g, objective, solver="lar").verify()
        assert s.solver == "latest-appearance-records"
        assert s.winner.tolist() == zm.solve(g, objective).winner.tolist(), seed
        for player in (0, 1):
            assert 1 <= len(s.strategy_machine(player)) <= s.stats["records"]


def test_signals_of_absent_colours():
    """Fin(!0) speaks about positions without colour 0."""
    g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)], owner=[0, 0, 0])
    for acceptance in ("Inf(!0)", "Fin(!0)", "Inf(0) & Fin(!1)", "Inf(!0) & Inf(!1) & Inf(0)"):
        objective = zm.Muller([0, 1, [0, 1]], acceptance)
        s = zm.solve(g, objective, solver="lar").verify()
        assert s.winner.tolist() == zm.solve(g, objective).winner.tolist()


def test_other_games_and_too_many_colours_are_refused(monkeypatch):
    n = 9
    edges = [(v, w) for v in range(n) for w in range(n)]
    g = zm.Graph.from_edges(edges, owner=[0] * n)
    everything = zm.Muller(list(range(n)), " & ".join(f"Inf({c})" for c in range(n)))
    with pytest.raises(
        MemoryLimitError, match=r"at most 65,536 records, got more; 9 colours have up to 362,880"
    ):
        zm.solve(g, everything, solver="lar")
    assert zm.solve(g, everything).stats["leaves"] == n
    with pytest.raises(SolverError, match="does not solve 'parity' games"):
        zm.solve(g, zm.Parity([0] * n), solver="lar")
    wide = zm.Graph.from_edges([(v, v) for v in range(16)], owner=[0] * 16)
    many = zm.Muller(list(range(16)), " | ".join(f"Inf({c})" for c in range(16)))
    with pytest.raises(MemoryLimitError, match=r"at most 15 colours, got 16.*'zielonka-tree'"):
        zm.solve(wide, many, solver="lar")
    small = zm.Graph.from_edges([(v, w) for v in range(5) for w in range(5)], owner=[0] * 5)
    objective = zm.Muller(list(range(5)), "Inf(0) & Inf(1) & Inf(2) & Inf(3) & Inf(4)")
    needed = estimate_records(small, objective)
    assert needed == 120 * (60 * 5 + 21 * 25)
    monkeypatch.setenv("ZERMELO_MEMORY", str(needed - 1))
    with pytest.raises(MemoryLimitError, match=r"120 latest appearance records.*'zielonka-tree'"):
        zm.solve(small, objective, solver="lar")
    monkeypatch.setenv("ZERMELO_MEMORY", str(needed))
    assert zm.solve(small, objective, solver="lar").stats["records"] == 120
