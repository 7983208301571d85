"""What the distances of a table measure: plies to the end of play, plies to conversion, or nothing.

Each has a version of the format of its own, so that an old reader refuses a table whose distances
it would misunderstand.
"""

from collections.abc import Mapping
from typing import Any

from zermelo.rules.conversion import CONVERSION as CONVERSION
from zermelo.tables.storage.codes import ALONE, KIND_FREE, TO_CONVERSION

VERSION, VERSION_ALONE, VERSION_CONVERSION, VERSION_TIER, VERSION_PACKED = VERSIONS = 1, 2, 4, 5, 6
"""The version of the format, and the least ones of labels alone, of distances to conversion, of one
tier of a game, and of packed blocks."""

VERSION_BEFORE = 3
"""The version of blocks that were packed in another way, which is no longer read."""

PACKED = "packed"
"""The field of a header that has the shape of keys if blocks are packed; else it is missing."""

LABELS_ONLY = "labels_only"
"""The field of a header that is true for a table of labels alone."""

DISTANCES_TO = "distances_to"
"""The field of a header that is ``conversion`` if distances lead there; else it is missing."""


def measured(header: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether a table has labels alone, and whether it has distances to conversion.

    >>> measured({"distances_to": "conversion"})
    (False, True)
    """
    alone, to = bool(header.get(LABELS_ONLY)), header.get(DISTANCES_TO)
    if to not in (None, CONVERSION) or (alone and to):
        raise ValueError(f"distances to {to!r} are not known")
    return alone, to == CONVERSION


def possible_kinds(alone: bool, conversion: bool) -> set[int]:
    """The kinds of entries that a table may have."""
    return set(ALONE if alone else TO_CONVERSION if conversion else range(KIND_FREE))


def version_of(alone: bool, conversion: bool, tier: bool = False, packed: bool = False) -> int:
    """The version of the format of a table: the least one that has all that the table has.

    >>> version_of(False, False), version_of(True, False), version_of(False, True)
    (1, 2, 4)
    >>> version_of(True, False, tier=True), version_of(True, False, packed=True)
    (5, 6)
    """
    needs = {
        VERSION_ALONE: alone,
        VERSION_CONVERSION: conversion,
        VERSION_TIER: tier,
        VERSION_PACKED: packed,
    }
    return max([VERSION, *(version for version, needed in needs.items() if needed)])
