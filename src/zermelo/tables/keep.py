"""Write a solved game as a table: the keys beside its entries, and the fields of its header."""

import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._version import __version__
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.rules.compiled import NO_POSITION
from zermelo.rules.faults import wrong
from zermelo.tables._disk import writing
from zermelo.tables.access import (
    ByText,
    has_descent,
    only_descendants,
    positions_between,
    rules_class,
    rules_digest,
)
from zermelo.tables.codes import KIND_ABSENT, KIND_FREE, Chunk
from zermelo.tables.entry import distances, labels
from zermelo.tables.solved import SolvedGame
from zermelo.tables.write import Source, write_table

Progress = Callable[[int, int, str], object]

SPARSE = 8
"""Entries are found by index where at least one in this many indices is a position."""


def header_of(rules: Any, objective: Objective | None, symmetry: bool) -> dict[str, Any]:
    """The fields of a header about the rules and the objective that was asked for."""
    return {
        "rules": {
            "game": getattr(rules, "known_as", None),
            "class": rules_class(rules),
            "digest": rules_digest(rules),
        },
        "objective": None if objective is None else objective.keyword,
        "symmetry": symmetry,
        "zermelo": __version__,
    }


def keep(solved: SolvedGame, path: str | os.PathLike[str]) -> None:
    """Write a solved game to a file, which appears when it is whole."""
    target = Path(os.path.realpath(path))
    fresh = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    header = header_of(solved.rules, solved.asked, solved.symmetry)
    try:
        with writing(fresh, target, "the table"):
            write_solved(fresh, header, solved)
            fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def write_solved(
    path: Path, header: dict[str, Any], solved: SolvedGame, progress: Progress | None = None
) -> None:
    """Write a solved game as a table; ``header`` is what :func:`header_of` gives."""
    entry = solved.entry
    keys: Int64Array | list[str] | None = None
    stored, key_kind, descent = int(np.count_nonzero(entry)), solved.kind, False
    if solved.kind == "names":
        by_text = ByText(solved.rules, solved.symmetry)
        named = sorted((by_text.text(x), v) for v, x in enumerate(solved.names or ()))
        key_kind, keys = "texts", [text for text, _ in named]
        _distinct(solved.rules, keys)
        source = _plain(entry[[v for _, v in named]], solved.turns)
    elif solved.kind == "positions":
        keys, source = solved.positions, _plain(entry, solved.turns)
    elif stored * SPARSE >= solved.n:
        descent = has_descent(solved.rules)
        source = _indexed(solved, descent)
    else:
        key_kind, keys = "indices", np.flatnonzero(entry).astype(np.int64)
        source = _plain(entry[keys], solved.turns)
    whole = {
        **header,
        "symmetry": solved.symmetry,
        "descent": descent,
        "stored": stored,
        "counts": {name: max(0, count) for name, count in solved.counts().items()},
    }
    count = solved.n if keys is None else len(keys)
    write_table(path, whole, source, count, key_kind, keys, progress)


def _plain(entry: AnyArray, turns: bool) -> Source:
    def source(start: int, stop: int, rough: bool) -> Chunk:
        own = entry[start:stop]
        return Chunk.of(labels(own), distances(own), turns)

    return source


def _indexed(solved: SolvedGame, descent: bool) -> Source:
    """Entries by index; for an index without entry the rules tell whether it is a position."""
    plain = _plain(solved.entry, solved.turns)

    def source(start: int, stop: int, rough: bool) -> Chunk:
        chunk, none = plain(start, stop, rough), solved.entry[start:stop] == 0
        if none.any():
            chunk.kind[none] = KIND_FREE
            if not rough and solved.rules.reachable:
                positions = positions_between(solved.rules, start, stop, descent=False)
                positions[~none] = NO_POSITION
                if descent:
                    only_descendants(solved.rules, positions)
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
