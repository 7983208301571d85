"""The checkers of values and kernels, attacked: one wrong entry anywhere is refused."""

import dataclasses
import random

import numpy as np
import pytest
from tests.sums.loopy import random_game

import zermelo as zm
from zermelo.errors import CertificateError
from zermelo.sums.grundy import _by_rounds


def refused(solved, **changed):
    fields = {k: v.astype(getattr(solved, k).dtype) for k, v in changed.items()}
    with pytest.raises(CertificateError):
        dataclasses.replace(solved, **fields).verify()


def changes(array, most):
    """The array with one entry changed, in every way."""
    for k, x in enumerate(array.tolist()):
        for y in range(-2, most + 1):
            if y != x:
                other = array.copy()
                other[k] = y
                yield other


@pytest.mark.parametrize("seed", range(25))
def test_one_wrong_entry_of_values(seed):
    graph = random_game(random.Random(seed), 7)
    for solved in {id(s): s for s in (zm.grundy(graph), _by_rounds(graph, None))}.values():
        solved.verify()
        for name in ("value", "counter", "options", "options_indptr"):
            for other in changes(getattr(solved, name), graph.n + 1):
                refused(solved, **{name: other})


@pytest.mark.parametrize("seed", range(10))
def test_one_value_with_its_set_and_counter(seed):
    """A value that turns infinite, with the K and counter that fit it, is refused, too."""
    graph = random_game(random.Random(seed), 8)
    solved = _by_rounds(graph, None)
    sets = [set(solved[v].options) if solved.value[v] < 0 else set() for v in range(graph.n)]
    for v in np.flatnonzero(solved.value >= 0).tolist():
        value, counter, other = solved.value.copy(), solved.counter.copy(), list(sets)
        value[v] = counter[v] = -1
        for u in [*graph.predecessors(v).tolist(), v]:
            if value[u] < 0:
                other[u] = {int(value[w]) for w in graph.successors(u).tolist()} - {-1}
        indptr = np.cumsum([0, *map(len, other)])
        options = np.array([k for x in other for k in sorted(x)])
        refused(solved, value=value, counter=counter, options_indptr=indptr, options=options)


def test_all_infinite_is_no_maximal_labelling():
    path = zm.Graph.from_edges([(0, 1), (1, 0), (2, 0)])
    solved = zm.grundy(path)
    assert solved.value.tolist() == [-1, -1, -1]
    graph = zm.Graph.from_edges([(0, 1), (1, 2), (3, 3)])
    none = np.full(4, -1)
    refused(
        zm.grundy(graph), value=none, counter=none, options_indptr=np.zeros(5), options=np.empty(0)
    )


def test_mex_alone_is_no_proof():
    """On a ⇄ b the values 0 and 1 satisfy every mex, yet neither player can end play."""
    solved = zm.grundy(zm.Graph.from_edges([("a", "b"), ("b", "a")]))
    for counter in ([0, 0], [1, 0], [0, 1], [1, 1]):
        refused(solved, value=np.array([0, 1]), counter=np.array(counter))


@pytest.mark.parametrize("name", ["value", "counter", "options", "options_indptr"])
def test_shapes_and_types(name):
    solved = zm.grundy(zm.Graph.from_edges([(0, 0), (0, 1)]))
    array = getattr(solved, name)
    for bad in (array[:-1], array.astype(np.float64), np.append(array, array[-1:])):
        with pytest.raises(CertificateError, match=name):
            dataclasses.replace(solved, **{name: bad}).verify()


def test_acyclic_is_a_claim():
    loop = zm.grundy(zm.Graph.from_edges([(0, 0), (0, 1)]))
    with pytest.raises(CertificateError, match="acyclic"):
        dataclasses.replace(loop, acyclic=True).verify()
    owned = dataclasses.replace(loop, graph=loop.graph.with_owner([0, 1]))
    with pytest.raises(CertificateError, match="owners"):
        owned.verify()


@pytest.mark.parametrize("seed", range(10))
def test_one_wrong_entry_of_a_kernel(seed):
    rng = random.Random(seed)
    n = 8
    edges = [(u, v) for u in range(n) for v in range(u) if rng.random() < 0.4]
    k = zm.kernel(zm.Graph.from_edges(edges, n=n)).verify()
    for depth in changes(k.depth, n + 1):
        refused(k, depth=depth)
    for v in range(n):
        mask = k.mask.copy()
        mask[v] = ~mask[v]
        refused(k, mask=mask)
    with pytest.raises(CertificateError, match="mask"):
        dataclasses.replace(k, mask=k.mask[1:]).verify()
