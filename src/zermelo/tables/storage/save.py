"""Write a solved game as a table: the keys beside its entries, and the fields of its header."""

import os
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo._kernels.tables.write import split_entries
from zermelo._runtime.progress import Report
from zermelo._version import __version__
from zermelo.labels import NO_DISTANCE, Int64Array
from zermelo.objectives import Objective
from zermelo.rules.compiled import NO_POSITION
from zermelo.rules.faults import own, wrong
from zermelo.tables.building.disk_errors import appearing
from zermelo.tables.probing.access import (
    ByText,
    descendants_only,
    has_descent,
    positions_of,
    rules_class,
    rules_digest,
)
from zermelo.tables.solved import SolvedGame
from zermelo.tables.storage.codes import (
    COUNTS,
    COUNTS_ALONE,
    KIND_ABSENT,
    KIND_FREE,
    KINDS_ALONE,
    Chunk,
    bits_of,
    kinds_of,
)
from zermelo.tables.storage.entries import MemoryEntries
from zermelo.tables.storage.file import MAX_TEXT_BYTES
from zermelo.tables.storage.layout import CONVERSION, DISTANCES_TO, LABELS_ONLY
from zermelo.tables.storage.write import Source, write_table
from zermelo.verify.tables.table import check_table

SPARSE = 8
"""Entries are found by index where at least one in this many indices is a position."""


def header_of(
    rules: Any, objective: Objective | None, symmetry: bool, distances: bool | str = True
) -> dict[str, Any]:
    """The fields of a header about the rules and about what was asked for."""
    conversion = distances == CONVERSION
    header = {
        "rules": {
            "game": getattr(rules, "known_as", None),
            "class": rules_class(rules),
            "digest": rules_digest(rules, conversion=conversion),
        },
        "objective": None if objective is None else objective.keyword,
        "symmetry": symmetry,
        "zermelo": __version__,
    }
    if conversion:
        return {**header, DISTANCES_TO: CONVERSION}
    return header if distances else {**header, LABELS_ONLY: True}


def save_table(solved: SolvedGame, path: str | os.PathLike[str]) -> None:
    """Write a solved game to a file, which appears when it is whole.

    If the rules are a user's own, all entries are checked first.
    """
    header = header_of(solved.rules, solved.asked, solved.symmetry)
    if own(solved.rules):
        check_table(solved)
    with appearing(path, "the table") as fresh:
        write_solved(fresh, header, solved)


class Content(NamedTuple):
    """The entries of a table in order, in arrays or in files that are read slice by slice."""

    rules: Any
    symmetry: bool
    turns: bool
    kind: str
    """The kind of the keys: ``index`` (there are none), ``indices``, ``positions``, ``texts``."""
    entry: Any
    keys: Any
    stored: int
    """How many entries belong to positions."""
    counts: dict[str, int]


def write_solved(
    path: Path, header: dict[str, Any], solved: SolvedGame, progress: Report | None = None
) -> None:
    """Write a solved game as a table; ``header`` is what :func:`header_of` gives."""
    storage = solved.storage
    assert isinstance(storage, MemoryEntries)
    entry, key_kind, stored = storage.entry, storage.layout.keys, storage.stored
    keys: Int64Array | list[str] | None = storage.positions
    if storage.names is not None:
        by_text = ByText(solved.rules, solved.symmetry)
        named = sorted((by_text.text(x), v) for v, x in enumerate(storage.names))
        key_kind, keys = "texts", [text for text, _ in named]
        _distinct(solved.rules, keys)
        entry = entry[[v for _, v in named]]
    elif keys is None and stored * SPARSE < entry.size:
        key_kind, keys = "indices", np.flatnonzero(entry).astype(np.int64)
        entry = entry[keys]
    content = Content(
        solved.rules, solved.symmetry, solved.turns, key_kind, entry, keys, stored, solved.counts()
    )
    write_content(path, header, content, progress)


def write_content(
    path: Path, header: dict[str, Any], content: Content, progress: Report | None = None
) -> None:
    """Write entries as a table; ``header`` is what :func:`header_of` gives."""
    descent = content.kind == "index" and has_descent(content.rules)
    alone = bool(header.get(LABELS_ONLY))
    names = COUNTS_ALONE if alone else COUNTS
    whole = {
        **header,
        "symmetry": content.symmetry,
        "descent": descent,
        "stored": content.stored,
        "counts": {name: max(0, content.counts[name]) for name in names},
    }
    source = _plain(content.entry, content.turns, alone, DISTANCES_TO in header)
    if content.kind == "index":
        source = _indexed(content, source, descent)
    write_table(path, whole, source, len(content.entry), content.kind, content.keys, progress)


def _plain(entry: Any, turns: bool, alone: bool, conversion: bool) -> Source:
    """Entries as kinds and distances; those of no position are free."""
    kinds = np.full((4, 2), KIND_FREE, np.uint8)
    kinds[1:] = kinds_of(turns).T
    if alone:
        kinds = KINDS_ALONE[kinds]
    flat = kinds.reshape(-1)

    def source(start: int, stop: int, rough: bool) -> Chunk:
        own = entry[start:stop]
        kind, distance = np.empty(own.size, np.uint8), np.empty(own.size, np.int32)
        split_entries(own, flat, kind, distance, bits_of(own))
        chunk = Chunk(kind, np.full_like(distance, NO_DISTANCE) if alone else distance)
        return chunk.to_conversion if conversion else chunk

    return source


def _indexed(content: Content, plain: Source, descent: bool) -> Source:
    """Entries by index; for an index without entry the rules tell whether it is a position."""
    rules = content.rules

    def source(start: int, stop: int, rough: bool) -> Chunk:
        chunk = plain(start, stop, rough)
        if not rough and rules.reachable and (none := chunk.kind == KIND_FREE).any():
            positions = positions_of(rules, np.arange(start, stop), descent=False)
            positions[~none] = NO_POSITION
            if descent:
                descendants_only(rules)(positions)
            chunk.kind[positions >= 0] = KIND_ABSENT
        return chunk

    return source


def _distinct(rules: Any, texts: list[str]) -> None:
    for one, other in pairwise(texts):
        if one == other:
            raise wrong(rules, "show", f"it gives two positions the same text {one!r}")
    for text in texts:
        if "\0" in text:
            raise wrong(rules, "show", f"it gives a text with a null character, {text!r}")
        if (size := len(text.encode())) >= MAX_TEXT_BYTES:
            message = f"expected texts of fewer than {MAX_TEXT_BYTES:,} bytes, got one of {size:,}"
            raise wrong(rules, "show", message)
