"""Kernels of acyclic graphs."""

import itertools
import random

import pytest

import zermelo as zm
from zermelo.errors import SolverError


@pytest.mark.parametrize("seed", range(20))
def test_it_is_the_only_kernel_and_the_layers_are_von_neumanns(seed):
    rng = random.Random(seed)
    n = 9
    name = rng.sample(range(n), n)
    edges = [(name[u], name[v]) for u in range(n) for v in range(u) if rng.random() < 0.3]
    graph = zm.Graph.from_edges(edges, n=n)
    k = zm.kernel(graph).verify()
    kernels = [
        set(chosen)
        for size in range(n + 1)
        for chosen in itertools.combinations(range(n), size)
        if all((v in chosen) != any(w in chosen for w in graph.successors(v)) for v in range(n))
    ]
    assert kernels == [set(k.positions)]
    rest, depth, i = set(range(n)), {}, 0
    while rest:
        ends = {v for v in rest if not rest & set(graph.successors(v).tolist())}
        before = {v for v in rest if ends & set(graph.successors(v).tolist())}
        depth |= dict.fromkeys(ends, 2 * i) | dict.fromkeys(before, 2 * i + 1)
        rest -= ends | before
        i += 1
    assert k.depth.tolist() == [depth[v] for v in range(n)]
    assert k.layer.tolist() == [depth[v] // 2 for v in range(n)]


def test_names():
    k = zm.kernel(zm.Graph.from_edges([("a", "b"), ("b", "c")]))
    assert (k.positions, "a" in k, "b" in k) == (("a", "c"), True, False)
    assert (list(k), len(k)) == (["a", "c"], 2)
    assert [x.label.name for x in k.answers()] == ["LOSE", "WIN", "LOSE"]
    assert (k.indices.tolist(), k.mask.tolist(), repr(k)) == (
        [0, 2], [True, False, True], "Kernel(2 of 3 positions)",
    )  # fmt: skip


def test_cycles_are_named():
    with pytest.raises(
        SolverError, match=r"cycle b → c → b; zm.kernels, zm.solve and zm.grundy take"
    ):
        zm.kernel(zm.Graph.from_edges([("t", "t0"), ("a", "b"), ("b", "c"), ("c", "b")]))
    with pytest.raises(SolverError, match="cycle x → x;"):
        zm.kernel(zm.Graph.from_edges([("x", "x"), ("x", "t")]))
    ring = zm.Graph.from_edges([(v, (v + 1) % 50) for v in range(50)])
    with pytest.raises(SolverError, match="cycle 0 → 1 → 2 → 3 → … → 49 → 0;"):
        zm.kernel(ring)
