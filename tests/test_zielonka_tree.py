"""The Zielonka tree and its automaton."""

import itertools
import math
import random

import numpy as np
import pytest

from tests import muller_oracle as oracle
from zermelo.errors import InvalidObjectiveError, InvalidOptionError, MemoryLimitError
from zermelo.objectives.acceptance import Formula
from zermelo.solvers.muller.zielonka_tree import MAX_COLOURS, zielonka_tree


def accepted(acceptance, seen):
    if isinstance(acceptance, str):
        return Formula(acceptance).holds(set(seen))
    return set(seen) in [set(x) for x in acceptance]


def conditions(count, k=4):
    for seed in range(count):
        rng = random.Random(seed)
        yield oracle.random_family(rng, k) if seed % 2 else oracle.random_formula(rng, k)


def sets(label):
    return frozenset(j for j in range(8) if label >> j & 1)


def test_children_are_the_maximal_sets_of_the_other_player():
    for acceptance in conditions(100):
        tree = zielonka_tree(acceptance, range(4))
        assert tree.label[0] == 0b1111
        for x in range(len(tree)):
            own = sets(int(tree.label[x]))
            won = accepted(acceptance, own)
            assert tree.accepting[x] == won
            others = [
                frozenset(s)
                for size in range(1, len(own))
                for s in itertools.combinations(own, size)
                if accepted(acceptance, s) != won
            ]
            maximal = {s for s in others if not any(s < t for t in others)}
            below = [y for y in range(1, len(tree)) if tree.parent[y] == x]
            assert {sets(int(tree.label[y])) for y in below} == maximal
            assert len(below) == len(maximal)
            assert (x in tree.leaf) == (not below)
            sizes = [len(sets(int(tree.label[y]))) for y in below]
            assert sizes == sorted(sizes, reverse=True)
            for y, z in zip(below, below[1:] + below[:1], strict=True):
                assert tree.next_sibling[y] == z
            assert tree.priority[x] % 2 == (not won)
            assert x == 0 or tree.priority[x] == tree.priority[tree.parent[x]] - 1


def test_the_automaton_accepts_what_the_condition_does():
    """On all ways to go round sets of colours: the highest priority of the loop tells."""
    for acceptance in conditions(150):
        automaton = zielonka_tree(acceptance, range(4)).to_parity_automaton()
        assert automaton.letters.tolist() == [1, 2, 4, 8]
        rng = random.Random(str(acceptance))
        for _ in range(20):
            seen = rng.sample(range(4), rng.randint(1, 4))
            word = seen + rng.choices(seen, k=rng.randint(0, 5))
            state, visited = rng.randrange(len(automaton)), {}
            highest = []
            while state not in visited:
                visited[state] = len(highest)
                top = -1
                for c in word:
                    top = max(top, int(automaton.priority[state, c]))
                    state = int(automaton.after[state, c])
                highest.append(top)
            loop = highest[visited[state] :]
            assert (max(loop) % 2 == 0) == accepted(acceptance, seen)


@pytest.mark.parametrize("k", range(1, 7))
def test_known_trees(k):
    buchi = zielonka_tree(" & ".join(f"Inf({j})" for j in range(k)))
    assert buchi.leaf.size == k
    assert buchi.height == (k > 1)
    assert (buchi.memory(0), buchi.memory(1)) == (k, 1)
    even = [s for size in range(0, k + 1, 2) for s in itertools.combinations(range(k), size)]
    alternating = zielonka_tree(even, range(k))
    assert alternating.leaf.size == math.factorial(k)
    assert alternating.height == k - 1


def test_rabin_streett_and_parity():
    rabin = zielonka_tree("Fin(0) & Inf(1) | Fin(2) & Inf(3)")
    streett = zielonka_tree("(Inf(0) | Fin(1)) & (Inf(2) | Fin(3))")
    assert rabin.memory(0) == streett.memory(1) == 1
    assert rabin.memory(1) == streett.memory(0) == 2
    assert np.array_equal(rabin.label, streett.label)
    assert np.array_equal(rabin.accepting, ~streett.accepting)
    parity = zielonka_tree("Inf(4) | (Fin(3) & (Inf(2) | (Fin(1) & Inf(0))))")
    assert parity.leaf.size == len(parity) - parity.height == 1
    with pytest.raises(InvalidOptionError):
        parity.memory(2)


def test_a_colour_that_no_set_has():
    """The colours that no set of the family has are still there."""
    tree = zielonka_tree([{0}], [0, 7])
    assert str(tree) == "{0, 7} rejecting\n  {0} accepting"
    assert str(zielonka_tree("Inf(!0)", [0, 1])) == "{!0, 0, 1} accepting\n  {0} rejecting"


def test_constants():
    for text, status in (("t", "accepting"), ("f", "rejecting")):
        tree = zielonka_tree(text)
        assert str(tree) == f"{{}} {status}"
        assert tree.to_parity_automaton().after.shape == (1, 0)


def test_limits():
    with pytest.raises(MemoryLimitError, match="at most 20 colours, got 21"):
        zielonka_tree(" | ".join(f"Inf({j})" for j in range(MAX_COLOURS + 1)))
    even = [s for size in range(0, 10, 2) for s in itertools.combinations(range(9), size)]
    with pytest.raises(MemoryLimitError, match="at most 65,536 leaves, got 362,880"):
        zielonka_tree(even, range(9))
    with pytest.raises(InvalidObjectiveError):
        zielonka_tree("Inf(0)", [-1])
    assert zielonka_tree(" & ".join(f"Inf({j})" for j in range(16))).leaf.size == 16
