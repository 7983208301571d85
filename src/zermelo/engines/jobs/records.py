"""What the records of a job must be, before anything is done with a number of theirs.

A record is written by one process and read by a later one. Its checksum finds accidents, its
identity finds the record of another job, and here its *shape* is checked: which fields it has, and
of which type. What a number means, such as the size of a file, is checked where it is known.

A shape is a type, a :class:`Whole` number within bounds, ``NAME``, a list of one shape for a list
of any length, a tuple of shapes for a list of this length, a dictionary of shapes by key, where the
key ``str`` stands for any, or an :class:`Optional` shape.
"""

import json
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from zermelo._inputs.values import shown

MANIFEST, JOURNAL = "manifest.json", "journal.json"

EXPLORED = "explored.json"
"""The positions of a game given by rules, when all are found."""

EXPLORING, SEARCHING = "exploring.json", "searching.json"
"""The last snapshot while positions are found, by one machine and by a cluster."""

DEALT = "dealt.json"
"""The files of moves that workers of a cluster have written before the positions are divided."""

TIERS = "tiers.json"
"""Which tiers a game given by rules has, and the results of those that are solved."""

Seal = tuple[str, int, int]
"""The name of a file, its size, and its checksum."""

LARGEST = 1 << 48
"""No file of a job has more bytes, and no count of it is larger."""

CHECKED_ELEMENTS = 1 << 20
"""Elements of an array that are looked at together."""


class Malformed(Exception):
    """A record or a file is none that a job has written; the message says where."""


class Optional(NamedTuple):
    """A shape, or null."""

    shape: Any


class Whole(NamedTuple):
    """An integer within bounds."""

    low: int = 0
    most: int = LARGEST


NAME = object()
"""The shape of the name of a file of the job."""

COUNT, INTEGER = Whole(), Whole(-(1 << 63), (1 << 63) - 1)
SEAL = NAME, COUNT, Whole(most=(1 << 32) - 1)

SHAPES: dict[str, Any] = {
    JOURNAL: {
        "serial": COUNT,
        "phase": COUNT,
        "depth": COUNT,
        "states": {str: {"status": SEAL, "level": SEAL}},
    },
    MANIFEST: {
        "division": {"first": [INTEGER], "bits": INTEGER},
        "terms": dict,
        "parts": [{str: SEAL}],
    },
    TIERS: {
        "groups": [
            {
                "lowest": COUNT,
                "highest": COUNT,
                "count": COUNT,
                "low": INTEGER,
                "high": INTEGER,
                "keys": Optional(SEAL),
            }
        ],
        "results": [SEAL],
    },
    DEALT: {
        "size": Whole(1),
        "moves": Whole(1),
        "chunks": {str: [(COUNT, NAME, COUNT, COUNT, COUNT, COUNT, COUNT, bool)]},
        "counts": SEAL,
    },
    EXPLORED: {"found": INTEGER, "kind": str, "file": SEAL},
    EXPLORING: {"snapshot": COUNT, "ranges": [(INTEGER, INTEGER, Optional(SEAL))]},
    SEARCHING: {
        "partitions": Whole(1),
        "serial": COUNT,
        "phase": COUNT,
        "depth": COUNT,
        "states": {str: {"fresh": SEAL, "known": SEAL}},
    },
}
"""The shape of each record, without the identity of the job, which all of them have.

They are removed in this order."""


def check_shape(value: Any, shape: Any, where: str = "") -> None:
    """Refuse a value of another shape.

    >>> check_shape({"first": [0, 3]}, {"first": [COUNT]})
    >>> check_shape({"first": [0, True]}, {"first": [COUNT]})
    Traceback (most recent call last):
    zermelo.engines.jobs.records.Malformed: first, 1: expected int, got True
    """
    kind: Any = shape
    if isinstance(shape, Optional):
        return None if value is None else check_shape(value, shape.shape, where)
    if isinstance(shape, Whole):
        kind = int
    elif isinstance(shape, dict | list | tuple):
        kind = dict if isinstance(shape, dict) else list
    elif shape is NAME:
        return _demand(is_name(value), where, "the name of a file of the job", value)
    _demand(type(value) is kind, where, kind.__name__, value)
    if isinstance(shape, Whole):
        whole(value, where, *shape)
    elif isinstance(shape, dict):
        if str not in shape:
            _demand(value.keys() == shape.keys(), where, f"the fields {', '.join(shape)}", value)
        for key, inner in value.items():
            check_shape(inner, shape.get(key, shape.get(str)), _inside(where, key))
    elif isinstance(shape, list | tuple):
        if isinstance(shape, tuple):
            _demand(len(value) == len(shape), where, f"{len(shape)} entries", value)
        for k, inner in enumerate(value):
            check_shape(inner, shape[0 if isinstance(shape, list) else k], _inside(where, k))
    return None


def _demand(right: bool, where: str, expected: str, value: Any) -> None:
    if not right:
        at = f"{where}: " if where else ""
        raise Malformed(f"{at}expected {expected}, got {shown(value)}")


def _inside(where: str, key: object) -> str:
    if not where:
        return str(key)
    return f"{where}, {shown(key) if isinstance(key, str) and not key.isidentifier() else key}"


def whole(value: int, where: str, low: int = 0, most: int = LARGEST) -> int:
    """An integer within bounds.

    >>> whole(3, "depth", most=2)
    Traceback (most recent call last):
    zermelo.engines.jobs.records.Malformed: depth: expected an integer from 0 to 2, got 3
    """
    _demand(low <= value <= most, where, f"an integer from {low:,} to {most:,}", value)
    return value


def is_name(value: Any) -> bool:
    """Whether a value is the name of a file in the directory of a job, and leads nowhere else.

    >>> is_name("state-0-1.level"), is_name("../state"), is_name("")
    (True, False, False)
    """
    return isinstance(value, str) and value not in ("", ".", "..") and not set(value) & set("/\\\0")


def text_of(record: dict[str, Any]) -> str:
    """A record as text; equal records have equal texts."""
    return json.dumps(record, default=_plain, sort_keys=True)


def digest_of(record: dict[str, Any]) -> str:
    """A digest of a record; nobody can make another record with the same digest.

    >>> digest_of({"a": 1, "b": (2,)}) == digest_of({"b": [2], "a": 1})
    True
    """
    return blake2b(text_of(record).encode(), digest_size=16).hexdigest()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)


def seal_of(stored: Any) -> Seal:
    """The seal of a file from a record whose shape was checked."""
    name, size, checksum = stored
    return str(name), int(size), int(checksum)


def sized(stored: Any, where: str, size: int) -> Seal:
    """The seal of a file that must have a certain size."""
    seal = seal_of(stored)
    _demand(seal[1] == size, where, f"a file of {size:,} bytes", seal[1])
    return seal


def check_range(array: Any, low: int, high: int, where: str, *, rising: bool = False) -> None:
    """Refuse an array with an element outside ``low … high - 1``, or one that does not rise.

    >>> check_range(np.array([0, 2]), 0, 3, "ends")
    >>> check_range(np.array([0, 3]), 0, 3, "ends")
    Traceback (most recent call last):
    zermelo.engines.jobs.records.Malformed: ends: expected integers from 0 to 2, got others
    """
    for at in range(0, len(array), CHECKED_ELEMENTS):
        part = array[at : at + CHECKED_ELEMENTS + 1]
        if not low <= part.min() <= part.max() < high:
            raise Malformed(f"{where}: expected integers from {low:,} to {high - 1:,}, got others")
        if rising and (part[1:] < part[:-1]).any():
            raise Malformed(f"{where}: expected numbers that do not fall")
