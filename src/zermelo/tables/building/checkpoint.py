"""What a build keeps on disk until it is finished, so that it can be interrupted at any moment.

Beside the target ``krk.zt`` there is a directory ``.krk.zt.partial``: a lock, the last state that
the solver saved, and at the end the table before it takes its name. A state is a dictionary of
integers and arrays; each array is a file, and a list of them with checksums, written last and
renamed into place, makes a state valid. So there is always the last whole state or none. The
files of arrays are plain bytes: their types and shapes are in the list, and are compared with the
sizes of the files before memory is taken.
"""

import contextlib
import hashlib
import json
import math
import os
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from zermelo._kernels.positions.hash_table import EMPTY, PARTS
from zermelo._runtime.locks import lock_directory, remove_locked, sync_directory
from zermelo.errors import BuildError
from zermelo.labels import AnyArray
from zermelo.tables.building.disk_errors import writing

MANIFEST = "state.json"

ARRAY = ".array"
"""The suffix of the file of an array."""

DTYPES = {np.dtype(code).str for code in "?bBhHiIqQ"}
"""The types that arrays of a state may have."""

BYTES_PER_WRITE = 1 << 24

STAGES = 4
"""The number of the last stage of a tier (:mod:`zermelo.tables.solving.waves`)."""


class Checkpoint:
    """The directory of a build; in a ``with`` statement, only this process may use it.

    ``what`` describes what is being built: a saved state of something else is refused.
    """

    def __init__(self, target: Path, what: dict[str, Any]) -> None:
        self.directory = target.with_name(f".{target.name}.partial")
        self.target, self.what = target, what
        self._lock: int | None = None
        self._serial = 0
        self._cleared = False

    # ---------------------------------------------------------------- the lock

    def __enter__(self) -> Self:
        self._lock = self._locked()
        return self

    def _locked(self) -> int:
        """Take the lock; the operating system releases it when this process ends in any way."""
        with writing(self.directory, self.target, "the table"):
            lock = lock_directory(self.directory)
        if lock is None:
            raise BuildError(f"{self.target}: another build of this file is under way")
        return lock

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        # A directory that was removed may be there again, for the build of another process.
        if not self._cleared and not (self.directory / MANIFEST).exists():
            self.clear()
        if self._lock is not None:
            os.close(self._lock)

    def clear(self) -> None:
        """Remove the directory; the list first, so that no state is left without its arrays."""
        self._cleared = True
        with contextlib.suppress(FileNotFoundError):
            (self.directory / MANIFEST).unlink()
        remove_locked(self.directory)

    def forget(self) -> None:
        """Remove the state that was saved; the lock stays."""
        (self.directory / MANIFEST).unlink(missing_ok=True)
        for path in self.directory.glob(f"*{ARRAY}"):
            path.unlink()

    # ---------------------------------------------------------------- states

    def load(self) -> dict[str, Any] | None:
        """The state saved last, or None where there is none."""
        try:
            content = (self.directory / MANIFEST).read_bytes()
        except FileNotFoundError:
            return None
        try:
            record = json.loads(content)
            if record["what"] != self.what:
                raise self.refused("was begun with other rules, options or another version")
            serial, numbers, arrays = (record[key] for key in ("serial", "numbers", "arrays"))
            if type(serial) is not int or not all(isinstance(x, dict) for x in (numbers, arrays)):
                raise ValueError("expected a number, numbers and arrays")
            self._serial = serial
            return {**numbers, **{k: self._array(x) for k, x in arrays.items()}}
        except (ValueError, KeyError, TypeError, OSError, RecursionError) as error:
            raise self.refused(f"is damaged ({error})") from None

    def refused(self, reason: str) -> BuildError:
        """The error of a state that is not used."""
        return BuildError(
            f"{self.target}: the unfinished table in {self.directory.name} {reason}; "
            "remove that directory to begin again"
        )

    def _array(self, stored: list[Any]) -> AnyArray:
        """The array of a file; its size is compared before it is read."""
        name, dtype, shape, checksum = stored
        if not isinstance(name, str) or Path(name).name != name:
            raise ValueError("expected the name of a file of the build")
        sized = all(type(x) is int and 0 <= x < 1 << 62 for x in shape)
        if not isinstance(dtype, str) or dtype not in DTYPES or not sized:
            raise ValueError(f"{name}: expected the type and the shape of an array of integers")
        path, size = self.directory / name, np.dtype(dtype).itemsize * math.prod(shape)
        if (found := path.stat().st_size) != size:
            raise ValueError(f"{name}: expected {size:,} bytes, got {found:,}")
        array: AnyArray = np.fromfile(path, dtype).reshape(shape)
        if _checksum(array) != checksum:
            raise ValueError(f"{name}: its checksum is wrong")
        return array

    def save(self, state: dict[str, Any]) -> None:
        """Save a state; until it is whole, the state before it is kept."""
        self._serial += 1
        numbers, arrays = {}, {}
        for key, value in state.items():
            if isinstance(value, np.ndarray):
                name = f"{key}.{self._serial}{ARRAY}"
                self._write(self.directory / name, value)
                arrays[key] = [name, value.dtype.str, value.shape, _checksum(value)]
            else:
                numbers[key] = value
        record = {"what": self.what, "serial": self._serial, "numbers": numbers, "arrays": arrays}
        fresh = self.directory / f"{MANIFEST}.new"
        self._write(fresh, np.frombuffer(json.dumps(record, default=int).encode(), np.uint8))
        fresh.replace(self.directory / MANIFEST)
        sync_directory(self.directory)
        kept = {name for name, *_ in arrays.values()}
        for path in self.directory.glob(f"*{ARRAY}"):
            if path.name not in kept:
                path.unlink()

    def _write(self, path: Path, array: AnyArray) -> None:
        """Write an array, or bytes, and wait until it is on the disk."""
        flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        content = "the state of the build"
        with writing(path, self.target, content, flat.size), path.open("wb", buffering=0) as file:
            at = 0
            while at < flat.size:
                at += file.write(flat[at : at + BYTES_PER_WRITE].data) or 0
            os.fsync(file.fileno())

    # ---------------------------------------------------------------- the end

    def publish(self, finished: Path) -> None:
        """Give the finished file the name of the target, and remove the directory."""
        with writing(finished, self.target, "the table"):
            finished.replace(self.target)
        sync_directory(self.target.parent)
        self.clear()


def state_fault(
    state: dict[str, Any], size: int | None, shapes: dict[str, tuple[int, ...]], phases: int = 1
) -> str:
    """Why no kernel may see a state, or an empty text.

    ``size`` is the number of slots if the positions have an index. ``shapes`` are those of the
    arrays and, as empty tuples, the names of the numbers of a solver, which has so many phases.

    >>> state_fault({"step": "solve", "tier": -1}, 3, {"tier": ()})
    'tier: expected an integer from 0 on'
    >>> state_fault({"step": "explore", "entry": np.zeros(2, np.uint16)}, 3, {})
    'entry: expected 3 entries'
    """
    step, keys, entry = state.get("step"), state.get("keys"), state.get("entry")
    if step not in ("explore", "solve"):
        return "step: expected explore or solve"
    for name, shape in shapes.items() if step == "solve" else ():
        given = state.get(name)
        if not shape and (type(given) is not int or not 0 <= given < 1 << 62):
            return f"{name}: expected an integer from 0 on"
        array = given if isinstance(given, np.ndarray) and given.dtype == np.int64 else None
        if shape and (array is None or array.shape != shape):
            return f"{name}: expected integers of shape {shape}"
    if size is None:
        table = keys if isinstance(keys, np.ndarray) and keys.dtype == np.int64 else None
        if table is None or table.ndim != 1 or not table.size or table.size % PARTS:
            return "keys: expected a table of keys"
        free: AnyArray = table == EMPTY
        if not free.reshape(PARTS, -1).any(1).all():
            return "keys: expected a table with free slots"
        size = table.size
        if step == "explore" and entry is None:
            return ""
    right = isinstance(entry, np.ndarray) and entry.dtype.kind == "u" and entry.shape == (size,)
    if not right:
        return f"entry: expected {size:,} entries"
    if step == "solve":
        spans = state["spans"]
        tier, stage, phase = state["tier"], state["stage"], state["phase"]
        if tier > len(spans) or stage > STAGES or phase >= phases:
            return "phase, tier, stage: expected a place of this game"
        if not ((spans >= 0) & (spans <= size)).all() or (spans[:, :2] >= max(size, 1)).any():
            return f"spans: expected slots below {size:,}"
    return ""


def _checksum(array: AnyArray) -> str:
    digest = hashlib.blake2b(f"{array.dtype.str}{array.shape}".encode(), digest_size=8)
    flat = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    for k in range(0, flat.size, BYTES_PER_WRITE):
        digest.update(flat[k : k + BYTES_PER_WRITE].data)
    return digest.hexdigest()
