"""Build a table: solve, write, publish; after an interruption, the same call continues it."""

import errno
import hashlib
import os
import warnings
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from zermelo._inputs.values import flag, optional_module, shown
from zermelo._runtime.memory import (
    NEGLIGIBLE,
    available,
    byte_count,
    limit,
    own_share,
    show_size,
)
from zermelo._runtime.progress import Progress, reporting
from zermelo.errors import (
    EngineWarning,
    InvalidOptionError,
    InvalidRulesError,
    MemoryLimitError,
)
from zermelo.objectives import Objective
from zermelo.registry.engines import ENGINES, EngineRow, engine_row
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.conversion import CONVERSION, require_conversions
from zermelo.rules.faults import admit, blaming, own
from zermelo.tables.building.checkpoint import Checkpoint
from zermelo.tables.building.disk_errors import writing
from zermelo.tables.building.folder import is_folder
from zermelo.tables.probing.access import rules_of
from zermelo.tables.solved import SolvedGame
from zermelo.tables.solving.solve import asked_objective, solve_rules
from zermelo.tables.storage.layout import VERIFIED
from zermelo.tables.storage.save import header_of, write_solved
from zermelo.tables.table import Table
from zermelo.verify.rules.check import require_sound
from zermelo.verify.tables.compiled import examination_bytes
from zermelo.verify.tables.table import suspicion

SUSPECTS = ("unmoves", "rank", "unrank", "canonical", "orbit", "tier", "player")
"""Members that can make a table wrong without an error."""

MIN_DISK_MEMORY = 1 << 26
"""With less memory than 64 MiB, the disk is not chosen without being asked for."""


def build(
    rules: Any,
    path: str | os.PathLike[str],
    objective: Objective | None = None,
    *,
    symmetry: bool = True,
    distances: bool | str = True,
    progress: Progress = None,
    memory: int | str | None = None,
    check: bool = True,
    verify: bool = True,
    engine: str | None = None,
    partitions: int | None = None,
    scheduler: str | None = None,
    workdir: str | os.PathLike[str] | None = None,
    replace: bool = False,
) -> Table:
    """Solve a game given by rules and write its table to ``path``; return the table.

    ``rules`` are plain, compiled or partizan, or the name of a game. The file appears when it is
    whole. Until then, the unfinished table is in a directory beside it, and the same call continues
    where an earlier one was ended. ``progress`` is True for a line on stderr, or a function of
    (done, total, what).

    Wrong ``unmoves`` or a wrong ``rank`` make a wrong table. So rules that are not the package's
    own are checked first, unless ``check`` is False (``zermelo.verify.rules.check.check_rules``
    says at how many positions), and before the file appears, all of its entries are checked by the
    rules, as :meth:`Table.verify` does. That takes about as long as building. If ``verify`` is
    False, or if the memory does not suffice for it (a warning says so), some positions are compared
    with their moves instead, as for the package's own rules, and the table says that it was not
    verified. Rules whose members do not agree are an
    :class:`~zermelo.errors.InvalidRulesError`.

    If ``distances`` is False, the table has labels alone: who wins, and whether a draw is a tie at
    an end of play or a draw by infinite play. Such a table is smaller, and in memory it is built
    with half the memory. It knows moves that keep the value, but not how far the end is.
    If ``distances`` is ``"conversion"``, distances are plies to the next conversion or to the end
    of play: in chess, to a capture, a move of a pawn or mate. Compiled rules tell conversions by
    ``converts`` or ``tier``, and such a table is built in memory.

    ``engine`` says where the game is solved. ``"memory"`` is the default. ``"disk"`` keeps to the
    budget ``memory``, such as ``"2GB"``, for the whole process; positions and moves are divided
    into ``partitions``, in files in the directory ``workdir``, by default beside the table. Both
    write the same bytes. If no engine is named and memory does not suffice, the disk is used, with
    a warning. ``scheduler`` is for engines that run on several machines.

    If ``path`` is a directory, or ends with a slash, each tier of the game has its own file there,
    such as ``KQvK.zt`` for the endgame KQvK. Files that are there are used; the others are built,
    in memory. That is for games whose tiers are games of their own, such as chess. A file there
    that does not fit is refused, or with ``replace`` it is built again.

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
        settings = {"partitions": partitions, "scheduler": scheduler, "workdir": workdir}
        settings = {name: value for name, value in settings.items() if value is not None}
        place = Place(engine, None if memory is None else byte_count(memory), settings)
        whole = flag(verify, "verify") and own(rules)
        asked = Asked(rules, objective, symmetry, measure_of(distances), whole)
        if is_folder(path):
            if asked.distances == CONVERSION:
                raise InvalidOptionError(
                    "distances to conversion are written to one file, not to a directory; give the "
                    "name of a file, or ask for distances to the end"
                )
            from zermelo.tables.building.build_folder import (
                build_in_folder,  # which uses this module
            )

            return build_in_folder(asked, path, report, place, flag(replace, "replace"))
        return _build(asked, path, report, place)


class Place(NamedTuple):
    """Where a table is built."""

    engine: str | None
    memory: int | None
    settings: dict[str, Any]
    """The other options of the engine."""

    @property
    def row(self) -> EngineRow:
        """The row of the engine, which takes all options."""
        return engine_row(self.engine, self.settings)

    def may_leave_memory(self, rules: Any) -> bool:
        """Whether the disk is used if memory does not suffice."""
        free = available() if self.memory is None else self.memory
        return self.engine is None and isinstance(rules, CompiledRules) and free >= MIN_DISK_MEMORY


def measure_of(distances: Any) -> bool | str:
    """What distances are to measure: True, False, or ``"conversion"``.

    >>> measure_of("conversion")
    'conversion'
    >>> measure_of("mate")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: distances: expected True, False or 'conversion', got 'mate'
    """
    if isinstance(distances, str):
        if distances != CONVERSION:
            wanted = f"True, False or {CONVERSION!r}"
            raise InvalidOptionError(f"distances: expected {wanted}, got {shown(distances)}")
        return distances
    return flag(distances, "distances")


class Asked(NamedTuple):
    """What was asked for."""

    rules: Any
    objective: Objective | None
    symmetry: bool
    """Whether one entry stands for all positions of a canonical form."""
    distances: bool | str
    """Whether the table has distances, or labels alone; ``"conversion"`` for those distances."""
    whole: bool
    """Whether all entries are to be checked before the table appears."""

    def fields(self, entries: int, memory: int | None) -> dict[str, bool]:
        """The field of the header of a user's rules if not all entries are checked.

        A warning says if the memory does not suffice for it.
        """
        if not own(self.rules):
            return {}
        if not isinstance(self.rules, CompiledRules):
            return {} if self.whole else {VERIFIED: False}
        needed = examination_bytes(self.rules, entries, alone=self.distances is not True)
        free = available() if memory is None else memory
        fits = needed <= max(free, NEGLIGIBLE)
        if self.whole and not fits:
            warnings.warn(
                f"checking all entries needs about {show_size(needed)}, {show_size(free)} are "
                "available, so the table is not verified",
                EngineWarning,
                stacklevel=5,
            )
        return {} if self.whole and fits else {VERIFIED: False}


def _build(asked: Asked, path: Any, progress: Any, place: Place) -> Table:
    rules, objective, symmetry, distances, _ = asked
    row = place.row
    optional_module("zstandard", "zstd")  # fail now, not after solving
    symmetry &= isinstance(rules, CompiledRules)  # plain rules have no ``orbit``
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():  # a device would be replaced, too
        raise InvalidOptionError(f"{path}: expected a place for a file, got something else")
    if not target.parent.is_dir():
        missing = f"there is no directory {str(target.parent)!r}"
        raise FileNotFoundError(errno.ENOENT, missing, str(path))
    asked = asked._replace(symmetry=symmetry)
    played = asked_objective(rules, objective)
    if distances == CONVERSION:
        require_conversions(rules, played)
        if row.tables:
            raise InvalidOptionError(
                f"distances to conversion are found in memory, not by the engine {row.name!r}; use "
                "engine='memory', or ask for distances to the end"
            )
    header = header_of(rules, played, symmetry, distances)
    with Checkpoint(target, {**header, "engine": engine_digest()}) as checkpoint:
        if not row.tables:
            try:
                _in_memory(asked, checkpoint, header, progress, place)
            except MemoryLimitError as error:
                if distances == CONVERSION or not place.may_leave_memory(rules):
                    raise
                row = ENGINES["disk"]
                checkpoint.forget()
                reason = str(error).partition(";")[0]
                warnings.warn(
                    f"{reason}, so the table is built from disk (engine='disk')",
                    EngineWarning,
                    stacklevel=4,
                )
        if row.tables:
            _elsewhere(row, asked, checkpoint, header, progress, place)
    return Table(path, rules)


def _in_memory(
    asked: Asked, checkpoint: Checkpoint, header: dict[str, Any], progress: Any, place: Place
) -> None:
    """Solve in memory, and publish the table."""
    memory = limit() if place.memory is None else place.memory
    solved = solve_rules(
        asked.rules,
        asked.objective,
        symmetry=asked.symmetry,
        distances=asked.distances,
        memory=memory,
        held=0 if memory is None else own_share(memory),
        progress=progress,
        checkpoint=checkpoint,
    )
    header = header | asked.fields(solved.entries, place.memory)
    finished = checkpoint.directory / "table.zt"
    with writing(finished, checkpoint.target, "the table"):
        write_solved(finished, header, solved, progress)
    del solved
    _publish(finished, checkpoint, asked.rules, progress)


def _elsewhere(
    row: EngineRow,
    asked: Asked,
    checkpoint: Checkpoint,
    header: dict[str, Any],
    progress: Any,
    place: Place,
) -> None:
    """Solve on another engine, and publish the table."""
    settings = {"memory": place.memory, **place.settings}
    make = row.load_tables()
    finished = checkpoint.directory / "table.zt"
    with make(*asked[:3], header, checkpoint.target, progress, **settings) as job:
        with writing(finished, checkpoint.target, "the table"):
            job.write(finished, header, partial(asked.fields, memory=place.memory))
        _publish(finished, checkpoint, asked.rules, progress)


def _publish(finished: Path, checkpoint: Checkpoint, rules: Any, progress: Any) -> None:
    """Compare positions of a table with their moves, all of a user's rules, and name it."""
    with Table(finished, rules) as table:
        fault = suspicion(table, whole=own(rules) and not table.unverified, progress=progress)
    if fault is not None:
        checkpoint.clear()
        raise untrustworthy(rules, fault)
    checkpoint.publish(finished)


def require_true(solved: SolvedGame, progress: Any = None) -> None:
    """Check all entries if a user's rules have members that can make them wrong without an error.

    >>> import zermelo as zm
    >>> require_true(solve_rules(zm.game("tictactoe")))
    """
    if own(solved.rules) and _suspected(solved.rules):
        fault = suspicion(solved, whole=True, progress=progress)
        if fault is not None:
            raise untrustworthy(solved.rules, fault)


def untrustworthy(rules: Any, fault: str) -> InvalidRulesError:
    """The error for rules that made a wrong table."""
    return InvalidRulesError(f"{_name(rules)}: {fault}; {_suspects(rules)}")


def _name(rules: Any) -> str:
    return getattr(rules, "known_as", None) or type(getattr(rules, "given", rules)).__name__


def _suspected(rules: Any) -> list[str]:
    """The members of rules that can make a table wrong without an error."""
    given = SUSPECTS if isinstance(rules, CompiledRules) else ()
    return [name for name in given if rules.has(name)]


def _suspects(rules: Any) -> str:
    """Which members may have finished a table wrong, as a sentence."""
    members_given = _suspected(rules)
    if not members_given:
        return "moves and outcome must always give the same for the same position"
    members = " or ".join(filter(None, (", ".join(members_given[:-1]), members_given[-1])))
    return f"{members} must be wrong: zermelo check-rules tells more"


def engine_digest() -> str:
    """A digest of the code that solves: states that another version saved may differ in meaning."""
    package = Path(__file__).parents[2]
    code = hashlib.sha256()
    for room in ("tables", "_kernels", "_runtime"):
        for path in sorted((package / room).rglob("*.py")):
            code.update(path.read_bytes())
    return code.hexdigest()
