"""Messages from finished lower tiers to the positions of the tier at work.

The moves of a tier that lead to lower tiers are never stored. They are generated, the entry of each
target is read from the results of its tier, and each position gets at most three messages of them
(:mod:`zermelo._kernels.tables.below`). These are in files of the partition by the distance at which
they arrive. The results of lower tiers are read in windows, as many as fit into the budget. If some
do not fit, the moves are generated once more for those.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from zermelo._kernels.tables.below import Told, tell
from zermelo._kernels.terminal.partitioned import count_rows, fill_rows
from zermelo.engines.jobs.job import Job
from zermelo.engines.jobs.records import Malformed, Seal, check_range
from zermelo.engines.moves.source import Rows
from zermelo.engines.partitions.division import Division
from zermelo.engines.partitions.estimate import ENTRY_BYTES, KEY_BYTES
from zermelo.engines.partitions.keyed import Stored, append
from zermelo.engines.partitions.messages import Batch
from zermelo.engines.partitions.terms import Terms
from zermelo.labels import AnyArray
from zermelo.objectives.terminal_form import Layout

KINDS = (1, 2, 3)
"""The kinds of entries: they have the values −1, 0 and 1."""

MIN_WINDOW_POSITIONS = 1 << 10
"""The fewest positions of a window."""

READ_MESSAGES = 1 << 20
"""Messages that are read at a time."""

FILES = ("number", "counts", "layers", "bounds")


def front(terms: Terms, kind: int) -> tuple[int, int]:
    """The phase in which an entry of this kind is expanded, and the side of its messages.

    >>> front(Terms(Layout.SYMMETRIC, (-1, 0, 1), 1, True), 1)
    (0, 0)
    """
    code = kind - 1
    phase = int(terms.phase_of(np.array([code]))[0])
    if code == terms.infinite:
        return phase, 0
    return phase, int((code > terms.infinite) == (terms.layout is Layout.SYMMETRIC))


class Finished:
    """The entries of tiers that are solved, in the order of keys.

    Without ``keys`` the place of a key is the key − ``low``.
    """

    def __init__(self, entries: Stored, low: int, keys: Stored | None) -> None:
        self.entries, self.low, self.keys = entries, low, keys
        self._heads = lru_cache(maxsize=1)(lambda size: () if keys is None else keys[::size])

    def windows(self, keys: AnyArray, size: int) -> AnyArray:
        """The window of so many positions that each key belongs to."""
        if self.keys is None:
            return (keys - self.low) // size
        return np.maximum(np.searchsorted(self._heads(size), keys, side="right") - 1, 0)

    def load(self, window: int, size: int) -> Callable[[AnyArray], AnyArray]:
        """A function from keys of a window to their entries; 0 for one that is unknown."""
        start = window * size
        entries = self.entries[start : start + size]
        if self.keys is None:
            return lambda keys: _at(entries, keys - (self.low + start))
        own = self.keys[start : start + size]

        def search(keys: AnyArray) -> AnyArray:
            place = np.searchsorted(own, keys)
            known = own[np.minimum(place, own.size - 1)] == keys
            return np.where(known, _at(entries, place), np.uint32(0))

        return search


def _at(entries: AnyArray, place: AnyArray) -> AnyArray:
    """Elements of an array; 0 for places that are not in it."""
    inside = (place >= 0) & (place < entries.size)
    if inside.all():
        return entries[place]
    return np.where(inside, entries[np.where(inside, place, 0)], np.uint32(0))


class Lookup:
    """The entries that moves to lower tiers lead to, within ``room`` bytes of memory."""

    def __init__(
        self,
        finished: Sequence[Finished],
        group_of: Callable[[AnyArray], AnyArray],
        missing: Callable[[int], Exception],
        room: int,
    ) -> None:
        """``group_of`` tells which of the finished results have the entries of some keys."""
        self.finished, self.group_of, self.missing = finished, group_of, missing
        self.size = max(MIN_WINDOW_POSITIONS, room // (4 * (ENTRY_BYTES + KEY_BYTES)))
        self.passes = 0
        self._room = max(1, room // (self.size * (ENTRY_BYTES + KEY_BYTES)))
        self._loaded: dict[tuple[int, int], Callable[[AnyArray], AnyArray]] = {}
        self._done: set[tuple[int, int]] = set()
        self._left: set[tuple[int, int]] = set()

    def turn(self) -> bool:
        """End a pass through all moves; whether another one is necessary."""
        self._done |= set(self._loaded)
        self._loaded.clear()
        more = bool(self._left)
        self._left.clear()
        self.passes += 1
        return more

    def entries(self, keys: AnyArray) -> AnyArray:
        """The entry of each key; 0 if another pass gives it."""
        found = np.zeros(keys.size, np.uint32)
        groups = self.group_of(keys)
        for group in np.unique(groups).tolist():
            if group < 0:
                raise self.missing(int(keys[groups == group][0]))
            chosen = np.flatnonzero(groups == group)
            windows = self.finished[group].windows(keys[chosen], self.size)
            for window in np.unique(windows).tolist():
                read = self._window(group, window)
                if read is not None:
                    own = chosen[windows == window]
                    found[own] = read(keys[own])
                    if not found[own].all():
                        raise self.missing(int(keys[own][found[own] == 0][0]))
        return found

    def _window(self, group: int, window: int) -> Callable[[AnyArray], AnyArray] | None:
        """A window that belongs to this pass, else None."""
        name = group, window
        if name in self._done or name in self._left:
            return None
        if name not in self._loaded:
            if len(self._loaded) >= self._room:
                self._left.add(name)
                return None
            self._loaded[name] = self.finished[group].load(window, self.size)
        return self._loaded[name]


class Gathering:
    """The files of messages from lower tiers, while the moves are read."""

    def __init__(self, job: Job, terms: Terms, division: Division, lookup: Lookup) -> None:
        self.job, self.division, self.lookup = job, division, lookup
        self.sides = np.array([-1, *(front(terms, kind)[1] for kind in KINDS)], np.int64)
        for path in job.directory.glob("below-*"):
            path.unlink()

    def add(self, rows: Rows) -> None:
        """Look up where the moves of some positions to lower tiers lead."""
        assert rows.below is not None
        indptr, keys = rows.below
        if not keys.size:
            return
        entry = self.lookup.entries(keys)
        most = 3 * (len(indptr) - 1) + keys.size // 255
        out = Told(np.empty(most, np.int32), np.empty(most, np.uint32), np.empty(most, np.uint8))
        filled = tell(indptr, entry, rows.first, rows.owner, self.sides, out)
        first = self.division.starts
        cuts = np.searchsorted(out.number[:filled], first)
        for q in np.flatnonzero(np.diff(cuts)).tolist():
            part = slice(int(cuts[q]), int(cuts[q + 1]))
            append(self.job, f"below-{q}.told", out.number[part] - np.int32(first[q]))
            append(self.job, f"below-{q}.at", out.layer[part])
            append(self.job, f"below-{q}.times", out.counts[part])

    def close(self, q: int, most: int) -> dict[str, Seal]:
        """Sort the messages to a partition by the distance at which they arrive."""
        told = (f"below-{q}.told", np.int32), (f"below-{q}.at", np.uint32)
        names = (*told, (f"below-{q}.times", np.uint8))
        if not self.job.path(names[0][0]).exists():
            return {}
        number, layer, times = (Stored(self.job.path(name), kind) for name, kind in names)
        pieces = [slice(at, at + most) for at in range(0, len(number), most)]
        layers = np.empty(0, np.uint32)
        for piece in pieces:
            layers = np.union1d(layers, layer[piece])
        bounds = np.zeros(layers.size + 1, np.int64)
        for piece in pieces:
            count_rows(np.searchsorted(layers, layer[piece]).astype(np.int32), bounds)
        np.cumsum(bounds, out=bounds)
        numbers, counts = np.empty(len(number), np.int32), np.empty(len(number), np.int32)
        for array, values in ((numbers, number), (counts, times)):
            place = bounds.copy()
            for piece in pieces:
                rows = np.searchsorted(layers, layer[piece]).astype(np.int32)
                fill_rows(rows, values[piece].astype(np.int32), place, array)
        for name, _ in names:
            self.job.path(name).unlink()
        arrays = numbers, counts.astype(np.uint8), layers, bounds
        return {
            f"below.{key}": self.job.write(f"below-{q}.{key}", [array])
            for key, array in zip(FILES, arrays, strict=True)
        }


def _check_layers(layers: list[int], bounds: list[int], messages: int) -> None:
    """Refuse layers of no kind of entries, and bounds that do not divide the messages."""
    if any(layer & 3 not in KINDS for layer in layers):
        raise Malformed("layers: expected wins, ties and losses")
    if bounds[0] != 0 or bounds[-1] != messages or bounds != sorted(bounds):
        raise Malformed(f"bounds: expected numbers that rise from 0 to {messages:,}")


class Below:
    """The messages from lower tiers to all partitions, in files."""

    def __init__(self, job: Job, terms: Terms, parts: Sequence[dict[str, Seal]]) -> None:
        self.job, self._parts = job, parts
        self._layers: dict[tuple[int, int], dict[int, list[tuple[int, int, int]]]] = {}
        fronts = {kind: front(terms, kind) for kind in KINDS}
        for q, files in enumerate(parts):
            if "below.number" not in files:
                continue
            layers, bounds = (
                np.frombuffer(b"".join(job.pieces(files[f"below.{key}"])), dtype).tolist()
                for key, dtype in (("layers", np.uint32), ("bounds", np.int64))
            )
            with job.reading(files["below.layers"][0]):
                _check_layers(layers, bounds, files["below.number"][1] // 4)
            for k, layer in enumerate(layers):
                phase, side = fronts[layer & 3]
                here = self._layers.setdefault((phase, layer >> 2), {}).setdefault(q, [])
                here.append((side, bounds[k], bounds[k + 1]))
        self._order = sorted(self._layers)

    def check(self, q: int) -> None:
        """Refuse the messages to a partition if their files were lost or changed."""
        for key in ("below.number", "below.counts"):
            if key in self._parts[q]:
                self.job.check(self._parts[q][key])
        if "below.number" in self._parts[q]:
            name = self._parts[q]["below.number"][0]
            with self.job.reading(name):
                most = self._parts[q]["status"][1] // 4
                check_range(Stored(self.job.path(name), np.int32), 0, most, "messages")

    def phases(self) -> set[int]:
        """The phases that have messages."""
        return {phase for phase, _ in self._order}

    def next(self, phase: int, depth: int) -> tuple[int, set[int]] | None:
        """The first distance from ``depth`` on that has messages, and their receivers."""
        place = bisect_left(self._order, (phase, depth))
        if place == len(self._order) or self._order[place][0] != phase:
            return None
        return self._order[place][1], set(self._layers[self._order[place]])

    def batches(self, q: int, phase: int, depth: int) -> Iterator[Batch]:
        """The messages to a partition that arrive at a distance."""
        for side, start, stop in self._layers.get((phase, depth), {}).get(q, ()):
            for at in range(start, stop, READ_MESSAGES):
                size = min(READ_MESSAGES, stop - at)
                yield Batch(q, side, self._read(q, "number", np.int32, at, size),
                            self._read(q, "counts", np.uint8, at, size))  # fmt: skip

    def _read(self, q: int, key: str, dtype: Any, start: int, size: int) -> AnyArray:
        offset = start * np.dtype(dtype).itemsize
        path = self.job.path(self._parts[q][f"below.{key}"][0])
        return np.fromfile(path, dtype, size, offset=offset)
