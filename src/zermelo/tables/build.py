"""Build a table: solve, write, publish; after an interruption, the same call continues it."""

import errno
import hashlib
import os
from pathlib import Path
from typing import Any

from zermelo._door.graphs import optional_module
from zermelo._runtime.progress import Progress, reporting
from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.objectives import Objective
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.faults import admit, blaming
from zermelo.tables._disk import writing
from zermelo.tables.access import rules_of
from zermelo.tables.checkpoint import Workshop
from zermelo.tables.keep import header_of, write_solved
from zermelo.tables.solve import asked_objective, solve_rules
from zermelo.tables.table import Table
from zermelo.verify.rules.check import require_sound
from zermelo.verify.table import suspicion

SUSPECTS = ("unmoves", "rank", "unrank", "canonical", "orbit", "tier", "player")
"""Members that can make a table wrong without an error."""


def build(
    rules: Any,
    path: str | os.PathLike[str],
    objective: Objective | None = None,
    *,
    symmetry: bool = True,
    progress: Progress = None,
    memory: int | None = None,
    check: bool = True,
) -> Table:
    """Solve a game given by rules and write its table to ``path``; return the table.

    ``rules`` are plain, compiled or partizan, or the name of a game. The file appears when it is
    whole. Until then, the unfinished table is in a directory beside it, and the same call continues
    where an earlier one was ended. Rules that are not the package's own are checked first on
    samples, for a second at most, unless ``check`` is False, because wrong ``unmoves`` or a wrong
    ``rank`` make a wrong table. Before the file appears, some positions are compared with their
    moves: rules whose members do not agree are an :class:`~zermelo.errors.InvalidRulesError`.
    ``progress`` is True for a line on stderr, or a function of (done, total, what).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = build("nim:3,4,5", f"{folder}/nim.zt")
    ...     print(table.probe((3, 4, 5)))
    ...     table.close()
    3+4+5: WIN in 11 by 1+4+5
    """
    with reporting(progress, "build") as report, blaming(rules):
        rules = rules_of(rules)
        admit(rules)
        if check:
            require_sound(rules)
        return _build(rules, path, objective, symmetry, report, memory)


def _build(
    rules: Any, path: Any, objective: Objective | None, symmetry: bool, progress: Any, memory: Any
) -> Table:
    optional_module("zstandard", "zstd")  # fail now, not after solving
    symmetry &= isinstance(rules, CompiledRules)  # plain rules have no ``orbit``
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():  # a device would be replaced, too
        raise InvalidOptionError(f"{path}: expected a place for a file, got something else")
    if not target.parent.is_dir():
        missing = f"there is no directory {str(target.parent)!r}"
        raise FileNotFoundError(errno.ENOENT, missing, str(path))
    header = header_of(rules, asked_objective(rules, objective), symmetry)
    with Workshop(target, {**header, "engine": engine_digest()}) as workshop:
        solved = solve_rules(
            rules,
            objective,
            symmetry=symmetry,
            memory=memory,
            progress=progress,
            checkpoint=workshop,
        )
        finished = workshop.directory / "table.zt"
        with writing(finished, target, "the table"):
            write_solved(finished, header, solved, progress)
        del solved
        with Table(finished, rules) as table:
            fault = suspicion(table)
        if fault is not None:
            workshop.clear()
            raise InvalidRulesError(f"{_name(rules)}: {fault}; {_suspects(rules)}")
        workshop.publish(finished)
    return Table(path, rules)


def _name(rules: Any) -> str:
    return getattr(rules, "known_as", None) or type(getattr(rules, "given", rules)).__name__


def _suspects(rules: Any) -> str:
    """Which members may have finished a table wrong."""
    given = SUSPECTS if isinstance(rules, CompiledRules) else ()
    members_given = [name for name in given if rules.has(name)]
    if not members_given:
        return "moves and outcome must always give the same for the same position"
    members = " or ".join(filter(None, (", ".join(members_given[:-1]), members_given[-1])))
    return f"{members} must be wrong: zermelo check-rules tells more"


def engine_digest() -> str:
    """A digest of the code that solves: states that another version saved may differ in meaning."""
    package = Path(__file__).parents[1]
    code = hashlib.sha256()
    for room in ("tables", "_kernels", "_runtime"):
        for path in sorted((package / room).glob("*.py")):
            code.update(path.read_bytes())
    return code.hexdigest()
