"""Writing by several threads: the same bytes in the same order, however many threads there are."""

import threading

import numpy as np
import pytest

from zermelo._runtime import threads
from zermelo._runtime.threads import MAX_RESULTS_AHEAD, in_order
from zermelo.tables.storage.codes import (
    KIND_ABSENT,
    KIND_DRAW,
    KIND_FREE,
    KIND_LOSE_IN,
    KIND_WIN,
    Chunk,
)
from zermelo.tables.storage.file import BLOCK
from zermelo.tables.storage.write import write_table


def several(monkeypatch, count):
    monkeypatch.setattr(threads, "thread_count", lambda: count)


@pytest.mark.parametrize("keyed", [False, True])
def test_the_bytes_do_not_depend_on_the_number_of_threads(tmp_path, monkeypatch, keyed):
    monkeypatch.setattr("zermelo.tables.storage.packing.PACKED_FROM", 1 << 20)
    n, rng = 9 * BLOCK + 5, np.random.default_rng(1)
    kinds = np.array([KIND_WIN, KIND_LOSE_IN, KIND_DRAW, KIND_FREE, KIND_ABSENT], np.uint8)
    kind = kinds[rng.integers(5, size=n)]
    far = np.where(kind == KIND_LOSE_IN, 2 * rng.integers(9, size=n), -1).astype(np.int32)
    keys = np.cumsum(rng.integers(1, 300, size=n)) if keyed else None
    reports, written = [], []
    for count in (1, 2, 8):
        several(monkeypatch, count)
        path = tmp_path / f"{count}.zt"
        write_table(
            path, {}, lambda start, stop, rough: Chunk(kind[start:stop], far[start:stop]),
            n, "positions" if keyed else "index", keys, lambda *report: reports.append(report),
        )  # fmt: skip
        written.append(path.read_bytes())
    assert written[0] == written[1] == written[2]
    assert reports == [(n, n, "written")] * 3


@pytest.mark.parametrize("count", [1, 4])
def test_results_come_in_order_and_few_are_made_ahead(monkeypatch, count):
    several(monkeypatch, count)
    begun, lock = [], threading.Lock()

    def job(x):
        with lock:
            begun.append(x)
        return x * x

    taken = []
    for result in in_order(job, range(200)):
        taken.append(result)
        assert len(begun) <= len(taken) + MAX_RESULTS_AHEAD * count
    assert taken == [x * x for x in range(200)]


@pytest.mark.parametrize("count", [1, 4])
def test_an_error_of_a_thread_ends_the_job(monkeypatch, count):
    several(monkeypatch, count)
    begun = []

    def job(x):
        begun.append(x)
        return 1 // (x - 3)

    with pytest.raises(ZeroDivisionError):
        list(in_order(job, range(1000)))
    assert len(begun) <= 4 + 2 * MAX_RESULTS_AHEAD * count
