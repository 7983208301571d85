"""Reverse moves, by every path, against a stable sort."""

import numpy as np
import pytest

from zermelo._kernels.graphs import reverse as module
from zermelo._kernels.graphs.reverse import reverse
from zermelo._runtime.threads import Team, thread_count

MODES = ("interpret", "compile")


def random_csr(n, m, seed, skew=1.0):
    """A read-only CSR graph as in a Graph; ``skew`` above 1 prefers small targets."""
    rng = np.random.default_rng(seed)
    source = rng.integers(0, max(n, 1), m)
    target = (n * rng.random(m) ** skew).astype(np.int64)
    key = np.unique(source << 32 | target)
    indptr = np.searchsorted(key, np.arange(n + 1) << 32).astype(np.int64)
    indices = (key & 0xFFFFFFFF).astype(np.int32)
    indptr.flags.writeable = indices.flags.writeable = False
    return indptr, indices


def by_sorting(indptr, indices):
    n = len(indptr) - 1
    source = np.repeat(np.arange(n, dtype=np.int32), np.diff(indptr))
    rev_indptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(indices, minlength=n), out=rev_indptr[1:])
    return rev_indptr, source[np.argsort(indices, kind="stable")]


def check(found, indptr, indices):
    for got, expected in zip(found, by_sorting(indptr, indices), strict=True):
        assert got.dtype == expected.dtype
        assert np.array_equal(got, expected)


GRAPHS = [
    random_csr(*row)
    for row in [
        (0, 0, 0),
        (1, 0, 0),
        (1, 1, 0),
        (5, 8, 1),
        (64, 200, 2),
        (65, 300, 3),
        (200, 0, 4),
        (300, 1000, 5),
        (1000, 3500, 6, 8.0),
        (257, 3000, 7, 1e9),  # all moves lead to position 0
    ]
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("graph", GRAPHS, ids=lambda g: f"{len(g[0]) - 1}-{len(g[1])}")
class TestEveryPath:
    def test_all_moves_at_once(self, graph, mode, monkeypatch):
        monkeypatch.setenv("ZERMELO_KERNELS", mode)
        indptr, indices = graph
        found = np.zeros(len(indptr), np.int64), np.empty(len(indices), np.int32)
        reverse(indptr, indices, *found)
        check(found, indptr, indices)

    @pytest.mark.parametrize("threads", [1, 2, 4])
    def test_blocks(self, graph, mode, threads, monkeypatch):
        monkeypatch.setenv("ZERMELO_KERNELS", mode)
        for bits in (0, 3, 6, 14):
            with Team(threads) as team:
                check(module.reverse_by_blocks(*graph, bits, team), *graph)


@pytest.mark.parametrize("threads", [1, 2])
def test_build_reverse_takes_every_path(threads, monkeypatch):
    monkeypatch.setattr(module, "Team", lambda: Team(threads))
    taken = []
    by_blocks = module.reverse_by_blocks

    def spy(*args):
        taken.append(args)
        return by_blocks(*args)

    monkeypatch.setattr(module, "reverse_by_blocks", spy)
    far = random_csr(4000, 14000, 8)
    near = random_csr(4000, 14000, 9, 1e9)
    for graph in (far, near):
        check(module.build_reverse(*graph), *graph)
    assert not taken
    monkeypatch.setattr(module, "CACHED", 1000)
    monkeypatch.setattr(module, "CACHED_ALONE", 1000)
    monkeypatch.setattr(module, "CLOSE", 50)
    assert module.has_locality(near[1])
    assert not module.has_locality(far[1])
    monkeypatch.setattr(module, "BLOCK_BITS", 4)
    monkeypatch.setattr(module, "MAX_BLOCKS", 100)
    for graph in (far, near):
        check(module.build_reverse(*graph), *graph)
    assert len(taken) == 1
    assert -(-4000 >> taken[0][2]) <= 100


def test_input_is_left_alone():
    indptr, indices = (a.copy() for a in GRAPHS[5])
    before = indptr.copy(), indices.copy()
    module.build_reverse(indptr, indices)
    assert np.array_equal(indptr, before[0])
    assert np.array_equal(indices, before[1])


def test_thread_count(monkeypatch):
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    for given, expected in [("1", 1), ("2", 2), ("3", 2), ("7", 4), ("100", 8), ("0", 1)]:
        monkeypatch.setenv("ZERMELO_THREADS", given)
        assert thread_count() == expected
    monkeypatch.setenv("ZERMELO_KERNELS", "interpret")
    assert thread_count() == 1
    monkeypatch.delenv("ZERMELO_THREADS")
    assert thread_count() == 1
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    assert thread_count() in (1, 2, 4, 8)


def test_a_team_passes_errors_on():
    with Team(2) as team, pytest.raises(TypeError):
        team.run(reverse, [(1,), (2,), (3,)])
