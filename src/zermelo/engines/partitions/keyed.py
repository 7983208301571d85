"""Positions that are numbered by their sorted keys, where the keys do not fit into memory.

The moves of such a game lead to keys. Each key is written to a file of the partition that has it,
which the first keys of all blocks tell. Afterwards each partition, which has its own keys in
memory, replaces keys by numbers.
"""

import mmap
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.engines.jobs.job import Job, write_all
from zermelo.engines.moves.source import Rows
from zermelo.engines.partitions.division import Division
from zermelo.labels import AnyArray, Int32Array, Int64Array


class Stored:
    """An array in a file, which is read slice by slice."""

    def __init__(self, path: Path, dtype: Any) -> None:
        self.path, self.dtype = path, np.dtype(dtype)
        self.size: int = path.stat().st_size // self.dtype.itemsize

    def __len__(self) -> int:
        return self.size

    def __getitem__(self, part: slice) -> AnyArray:
        """The elements of a slice with a positive step."""
        start, stop, step = part.indices(self.size)
        if step > 1:
            places = range(start, stop, step)
            return np.concatenate([self[k : k + 1] for k in places] or [np.empty(0, self.dtype)])
        offset = start * self.dtype.itemsize
        return np.fromfile(self.path, self.dtype, max(0, stop - start), offset=offset)


def map_array(path: Path, dtype: Any, size: int, *, writable: bool = False) -> AnyArray:
    """The array in a file, mapped into memory; changes of a writable one go to the file."""
    if size == 0:
        return np.empty(0, dtype)
    access = mmap.ACCESS_WRITE if writable else mmap.ACCESS_READ
    with path.open("r+b" if writable else "rb") as file:
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=access), dtype, size)


class Keys:
    """The sorted keys of all positions; ``missing`` is called with a key that is none of them."""

    def __init__(self, array: Stored, missing: Callable[[int], Exception]) -> None:
        self.array, self.missing = array, missing
        self._heads = lru_cache(maxsize=1)(lambda bits: array[:: 1 << bits])

    def blocks(self, keys: AnyArray, bits: int) -> Int64Array:
        """The block of ``2**bits`` positions that each key belongs to."""
        place = np.searchsorted(self._heads(bits), keys, side="right")
        return np.maximum(place - 1, 0)

    def deal(self, job: Job, division: Division, rows: Rows) -> Int64Array:
        """Append moves to the files of the partitions of their targets; how many each got."""
        indptr, targets = rows.moves.indptr, rows.moves.indices
        home = division.home[self.blocks(targets, division.bits)].astype(np.int16)
        order = np.argsort(home, kind="stable")
        sources = np.arange(rows.first, rows.first + len(indptr) - 1, dtype=np.int32)
        sources = np.repeat(sources, np.diff(indptr))[order]
        targets = targets[order]
        count = np.bincount(home, minlength=division.size)
        stop = np.cumsum(count)
        for q in np.flatnonzero(count).tolist():
            stretch = slice(int(stop[q] - count[q]), int(stop[q]))
            append(job, f"bucket-{q}.key", targets[stretch])
            append(job, f"bucket-{q}.source", sources[stretch])
        return count

    def number(self, job: Job, division: Division, q: int, most: int) -> None:
        """Replace the keys in the file of a partition by numbers within the partition."""
        own = self.array[division.first[q] : division.first[q + 1]]
        path = job.path(f"bucket-{q}.key")
        if not path.exists():
            return
        with path.open("rb") as file:
            while (keys := np.fromfile(file, np.int64, most)).size:
                append(job, f"bucket-{q}.target", self.places(own, keys))
        path.unlink()

    def places(self, own: AnyArray, keys: AnyArray) -> Int32Array:
        """The places of keys among those of a partition, all of which it must have."""
        place = np.searchsorted(own, keys)
        wrong = own[np.minimum(place, own.size - 1)] != keys if own.size else keys == keys
        if wrong.any():
            raise self.missing(int(keys[wrong][0]))
        return place.astype(np.int32)


def append(job: Job, name: str, array: AnyArray) -> None:
    """Append an array to a scratch file of a job."""
    path = job.path(name)
    with job.writing(path), path.open("ab", buffering=0) as file:
        write_all(file, array.view(np.uint8).data)
