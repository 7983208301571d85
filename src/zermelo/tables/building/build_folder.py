"""Build a game into a directory: one file for each tier, and only those that are missing."""

import contextlib
import errno
import os
from functools import partial
from pathlib import Path
from typing import Any

from zermelo._inputs.values import optional_module
from zermelo.errors import BuildError, InvalidOptionError, MemoryLimitError
from zermelo.tables.building.build import Asked, Place, engine_digest, untrustworthy
from zermelo.tables.building.checkpoint import Checkpoint
from zermelo.tables.building.disk_errors import writing
from zermelo.tables.building.tier_files import TierFiles
from zermelo.tables.building.tiers import has_tier_games, tiers_of
from zermelo.tables.probing.access import rules_name
from zermelo.tables.solving.solve import asked_objective, solve_rules
from zermelo.tables.table import Table


def build_in_folder(asked: Asked, path: Any, progress: Any, place: Place, replace: bool) -> Table:
    """Build what a game needs into a directory, and find what is there; return its table."""
    rules, objective, symmetry, with_distances, _ = asked
    if not has_tier_games(rules):
        raise InvalidOptionError(
            f"{path}: expected a file, this is a directory; {rules_name(rules)} has one file, "
            "because its tiers are not games of their own"
        )
    if place.row.tables:
        raise InvalidOptionError(
            f"{path}: the engine {place.row.name!r} writes one file, not a directory; give the "
            "path of a file, or take the engine 'memory'"
        )
    optional_module("zstandard", "zstd")  # fail now, not after solving
    objective = asked_objective(rules, objective)
    tiers = tiers_of(rules, objective, symmetry)
    folder = _made(path)
    tier_files = TierFiles(folder, tiers, objective, (symmetry, with_distances), replace=replace)
    tier_files.fields = partial(asked.fields, memory=place.memory)
    top = tier_files.path(tiers[-1])
    checkpoint = Checkpoint(top, {**tier_files.headers[-1], "engine": engine_digest()})
    if not tier_files.whole:
        _complete(tier_files, checkpoint, asked, progress, place)
    elif checkpoint.directory.exists():  # of a build that was ended when all files were there
        with contextlib.suppress(BuildError), checkpoint:
            checkpoint.clear()
    return Table(top, rules)


def _made(path: Any) -> Path:
    """The directory, which is made if there is none."""
    folder = Path(path)
    if not Path(os.path.abspath(folder)).parent.is_dir():
        missing = f"there is no directory {str(folder.parent)!r}"
        raise FileNotFoundError(errno.ENOENT, missing, str(path))
    if folder.exists() and not folder.is_dir():
        raise InvalidOptionError(f"{path}: expected a directory, because of the slash; got a file")
    with writing(folder, folder, "the table"):
        folder.mkdir(exist_ok=True)
    return folder


def _complete(
    tier_files: TierFiles, checkpoint: Checkpoint, asked: Asked, progress: Any, place: Place
) -> None:
    """Solve the tiers that have no file, and write each of them as soon as it is solved."""
    top = tier_files.tiers[-1]
    with checkpoint:
        tier_files.checkpoint, tier_files.progress = checkpoint, progress
        state = checkpoint.load()
        if state is not None and not tier_files.usable(state):
            checkpoint.forget()
        del state
        try:
            solve_rules(
                top.rules,
                asked.objective,
                symmetry=asked.symmetry,
                distances=asked.distances,
                memory=place.memory,
                progress=progress,
                checkpoint=checkpoint,
                tier_files=tier_files,
            )
        except MemoryLimitError as error:
            raise MemoryLimitError(
                f"{error}, or write one file, which can be built from disk"
            ) from None
        finished = checkpoint.directory / top.file
        if not finished.exists():  # lower tiers were missing, this one was not
            checkpoint.clear()
            return
        if (fault := tier_files.test(finished, top)) is not None:
            checkpoint.clear()
            raise untrustworthy(asked.rules, fault)
        checkpoint.publish(finished)
