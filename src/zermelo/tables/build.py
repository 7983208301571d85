"""Build a table: solve, write, publish; killed at any moment, the same call goes on."""

import errno
import hashlib
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._door.graphs import optional_module
from zermelo._version import __version__
from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.rules.compiled import NO_POSITION, CompiledRules
from zermelo.rules.faults import admit, blaming, wrong
from zermelo.tables._disk import writing
from zermelo.tables.access import (
    ByText,
    has_descent,
    only_descendants,
    positions_between,
    rules_class,
    rules_digest,
    rules_of,
    said_turns,
)
from zermelo.tables.checkpoint import Workshop
from zermelo.tables.codes import ABSENT, FREE, Chunk
from zermelo.tables.entry import distances, labels
from zermelo.tables.solve import SolvedGame, solve_rules
from zermelo.tables.table import Table
from zermelo.tables.write import Source, write_table
from zermelo.verify.rules.check import require_sound
from zermelo.verify.table import suspicion

Progress = Callable[[int, int, str], object]

SPARSE = 8
"""Entries are found by index where at least one index in so many is a position of the game."""


SUSPECTS = ("unmoves", "rank", "unrank", "canonical", "orbit", "tier", "player")
"""Members that can make a table wrong without a sign of it."""


def build(
    rules: Any,
    path: str | os.PathLike[str],
    objective: Objective | None = None,
    *,
    symmetry: bool = True,
    progress: Progress | None = None,
    memory: int | None = None,
    check: bool = True,
) -> Table:
    """Solve a game given by rules and write its table to ``path``; return the table.

    ``rules`` are plain, compiled or partizan, or the name of a game. The file appears when it is
    whole. Until then the work stands in a directory beside it, and the same call goes on where it
    was ended. Rules that are not the package's own are checked first on samples, for a second at
    most, unless ``check`` is False: a table is only as right as ``unmoves`` and ``rank`` are.
    Before the file appears, some positions are compared with their moves: rules whose members do
    not agree are an :class:`~zermelo.errors.InvalidRulesError`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build("nim:3,4,5", f"{folder}/nim.zt")
    ...     print(table.probe((3, 4, 5)))
    ...     table.close()
    3+4+5: WIN in 11 by 1+4+5
    """
    with blaming(rules):
        rules = rules_of(rules)
        admit(rules)
        if check:
            require_sound(rules)
        return _build(rules, path, objective, symmetry, progress, memory)


def _build(
    rules: Any, path: Any, objective: Objective | None, symmetry: bool, progress: Any, memory: Any
) -> Table:
    optional_module("zstandard", "zstd")  # before there is work to lose
    symmetry &= isinstance(rules, CompiledRules)  # plain rules do not say how many look alike
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():  # a device would be replaced, too
        raise InvalidOptionError(f"{path}: expected a place for a file, got something else")
    if not target.parent.is_dir():
        missing = f"there is no directory {str(target.parent)!r}"
        raise FileNotFoundError(errno.ENOENT, missing, str(path))
    said: dict[str, Any] = {
        "rules": {
            "game": getattr(rules, "known_as", None),
            "class": rules_class(rules),
            "digest": rules_digest(rules),
        },
        "objective": None if objective is None else objective.keyword,
        "symmetry": symmetry,
        "zermelo": __version__,
    }
    with Workshop(target, {**said, "engine": engine_digest()}) as workshop:
        solved = solve_rules(
            rules,
            objective,
            symmetry=symmetry,
            memory=memory,
            progress=progress,
            checkpoint=workshop,
        )
        made = workshop.directory / "table.zt"
        with writing(made, target, "the table"):
            write_solved(made, said, solved, progress)
        del solved
        with Table(made, rules) as table:
            words = suspicion(table)
        if words is not None:
            workshop.clear()
            raise InvalidRulesError(f"{_name(rules)}: {words}; {_suspects(rules)}")
        workshop.publish(made)
    return Table(path, rules)


def _name(rules: Any) -> str:
    return getattr(rules, "known_as", None) or type(getattr(rules, "given", rules)).__name__


def _suspects(rules: Any) -> str:
    """Which members may have made a table wrong."""
    given = SUSPECTS if isinstance(rules, CompiledRules) else ()
    found = [name for name in given if rules.has(name)]
    if not found:
        return "moves and outcome must always give the same for the same position"
    words = " or ".join(filter(None, (", ".join(found[:-1]), found[-1])))
    return f"{words} must be wrong: zermelo check-rules tells more"


def engine_digest() -> str:
    """A digest of the code that solves: what another version saved may mean something else."""
    package = Path(__file__).parents[1]
    found = hashlib.sha256()
    for room in ("tables", "_kernels", "_runtime"):
        for path in sorted((package / room).glob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def write_solved(
    path: Path, said: dict[str, Any], solved: SolvedGame, progress: Progress | None = None
) -> None:
    """Write a solved game as a table; ``said`` is what its header has to say of the rules."""
    entry, turns = solved.entry, not said_turns(solved.rules)
    keys: Int64Array | list[str] | None = None
    stored, how, descent = int(np.count_nonzero(entry)), solved.kind, False
    if solved.kind == "names":
        way = ByText(solved.rules, solved.symmetry)
        named = sorted((way.text(x), v) for v, x in enumerate(solved.names or ()))
        how, keys = "texts", [text for text, _ in named]
        _distinct(solved.rules, keys)
        source = _plain(entry[[v for _, v in named]], turns)
    elif solved.kind == "positions":
        keys, source = solved.positions, _plain(entry, turns)
    elif stored * SPARSE >= solved.n:
        descent = has_descent(solved.rules)
        source = _indexed(solved, turns, descent)
    else:
        how, keys = "indices", np.flatnonzero(entry).astype(np.int64)
        source = _plain(entry[keys], turns)
    header = {
        **said,
        "symmetry": solved.symmetry,
        "descent": descent,
        "stored": stored,
        "counts": solved.counts(),
    }
    write_table(path, header, source, solved.n if keys is None else len(keys), how, keys, progress)


def _plain(entry: AnyArray, turns: bool) -> Source:
    def source(start: int, stop: int, rough: bool) -> Chunk:
        own = entry[start:stop]
        return Chunk.of(labels(own), distances(own), turns)

    return source


def _indexed(solved: SolvedGame, turns: bool, descent: bool) -> Source:
    """Entries by index; where there is none, the rules say whether there could be."""
    plain = _plain(solved.entry, turns)

    def source(start: int, stop: int, rough: bool) -> Chunk:
        chunk, none = plain(start, stop, rough), solved.entry[start:stop] == 0
        if none.any():
            chunk.kind[none] = FREE
            if not rough and solved.rules.reachable:
                found = positions_between(solved.rules, start, stop, descent=False)
                found[~none] = NO_POSITION
                if descent:
                    only_descendants(solved.rules, found)
                chunk.kind[found >= 0] = ABSENT
        return chunk

    return source


def _distinct(rules: Any, texts: list[str]) -> None:
    for one, other in pairwise(texts):
        if one == other:
            raise wrong(rules, "show", f"it gives two positions the same text {one!r}")
    for text in texts:
        if "\0" in text:
            raise wrong(rules, "show", f"it gives a text with a null character, {text!r}")
