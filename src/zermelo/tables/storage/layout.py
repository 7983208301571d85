"""What the entries of a ``.zt`` file are made of, as its header says it.

Distances are plies to the end of play, plies to conversion, or missing. Each of these has a version
of the format of its own, so that an old reader refuses a table whose distances it would
misunderstand.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zermelo._kernels.tables.pack import Shape
from zermelo.rules.conversion import CONVERSION as CONVERSION
from zermelo.tables.probing.block_cache import BLOCK
from zermelo.tables.storage.codes import ALONE, KIND_FREE, KINDS, STORED, TO_CONVERSION, Scale
from zermelo.tables.storage.key_shape import possible

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


VERIFIED = "verified"
"""The field of the header of a user's rules that is false if not all entries were checked before
the file got its name; else it is missing."""

TIERS = "tiers"
"""The field of a header that lists the tiers of a game, if the file has the last of them only."""

KEYS = ("index", "indices", "positions", "texts")
"""The ways in which an entry is found."""

NUMBERED = ("indices", "positions")
"""Keys that are numbers beside the entries."""

_BITS = (0, 0, 1, 2, 2, 4, 4, 4, 4)
"""The number of bits that distinguish this many kinds."""


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


def directory_size(layout: "Layout") -> int:
    """Bytes of the directory: for each block lengths of planes, a checksum, the first key."""
    each = 4 * len(layout.planes) + 8 + 8 * (layout.keys in NUMBERED)
    return layout.blocks * each


@dataclass(frozen=True)
class Layout:
    """What the entries of a file are made of; ``keys`` tells how an entry is found.

    ``keys`` is ``index`` (entry i belongs to the position of index i), or there are sorted keys
    beside the entries: ``indices``, ``positions`` or ``texts``.
    """

    entries: int
    keys: str
    kinds: tuple[int, ...]
    scales: dict[int, Scale]
    alone: bool = False
    """Whether the entries are labels alone, without distances."""
    conversion: bool = False
    """Whether distances are those to conversion."""
    tier: bool = False
    """Whether the entries are those of one tier; lower tiers are in other files."""
    shape: Shape | None = None
    """The shape of keys if they and the entries are packed, see :mod:`.packing`."""

    @property
    def packed(self) -> bool:
        """Whether keys and entries are packed."""
        return self.shape is not None

    @property
    def version(self) -> int:
        """The version of the format; readers of version 1 refuse other kinds of distances."""
        return version_of(self.alone, self.conversion, self.tier, self.packed)

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return -(-self.entries // BLOCK)

    @property
    def bits(self) -> int:
        """Bits of a kind."""
        return _BITS[len(self.kinds)]

    @property
    def planes(self) -> list[str]:
        """Names of the planes of a block, in order."""
        if self.packed:
            return ["entries", self.keys]
        stored = [KINDS[kind] for kind in self.scales]
        return ["kind", *stored, *([] if self.keys == "index" else [self.keys])]

    def to_json(self) -> dict[str, Any]:
        """The fields of the header for it."""
        return {
            **({} if self.shape is None else {PACKED: self.shape._asdict()}),
            "entries": self.entries,
            "block": BLOCK,
            "keys": self.keys,
            "kinds": [KINDS[kind] for kind in self.kinds],
            "distances": {KINDS[k]: [s.base, s.step, s.most] for k, s in self.scales.items()},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Layout":
        """Read it back from a header that was checked; an impossible layout is a ValueError."""
        kinds = tuple(KINDS.index(name) for name in data["kinds"])
        scales = {KINDS.index(name): Scale(*x) for name, x in data["distances"].items()}
        shape = data.get(PACKED) and Shape(**data[PACKED])
        facts = *measured(data), bool(data.get(TIERS)), shape
        layout = cls(data["entries"], data["keys"], kinds, scales, *facts)
        sound = (
            data["block"] == BLOCK
            and layout.keys in (KEYS if layout.shape is None else NUMBERED)
            and (layout.shape is None or possible(layout.shape))
            and (not layout.tier or (layout.keys == "index" and not layout.conversion))
            and 0 < len(set(kinds)) == len(kinds)
            and set(kinds) <= possible_kinds(layout.alone, layout.conversion)
            and list(scales) == [kind for kind in STORED if kind in kinds]
        )
        if not sound:
            raise ValueError("the layout is impossible")
        return layout
