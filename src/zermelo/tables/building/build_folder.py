"""Build a game into a directory: one file for each tier, and only those that are missing."""

import contextlib
import errno
import os
from functools import partial
from pathlib import Path
from typing import Any

from zermelo._inputs.graphs import optional_module
from zermelo.errors import BuildError, InvalidOptionError, MemoryLimitError
from zermelo.tables.building.build import Asked, Place, engine_digest, untrustworthy
from zermelo.tables.building.checkpoint import Workshop
from zermelo.tables.building.disk_errors import writing
from zermelo.tables.building.tier_files import Shelf
from zermelo.tables.building.tiers import tier_files, tiers_of
from zermelo.tables.probing.access import rules_name
from zermelo.tables.solving.solve import asked_objective, solve_rules
from zermelo.tables.table import Table


def build_in_folder(asked: Asked, path: Any, progress: Any, place: Place, replace: bool) -> Table:
    """Build what a game needs into a directory, and find what is there; return its table."""
    rules, objective, symmetry, with_distances, _ = asked
    if not tier_files(rules):
        raise InvalidOptionError(
            f"{path}: expected a file, this is a directory; {rules_name(rules)} has one file, "
            "because its tiers are not games of their own"
        )
    if place.row.tables:
        raise InvalidOptionError(
            f"{path}: the engine {place.row.name!r} writes one file, not a directory; give the "
            "path of a file, or take the engine 'memory'"
        )
    if with_distances not in (True, False):
        raise InvalidOptionError(
            f"{path}: tables in a directory have distances to the end of play, or labels alone; "
            "give the path of a file"
        )
    optional_module("zstandard", "zstd")  # fail now, not after solving
    objective = asked_objective(rules, objective)
    tiers = tiers_of(rules, objective, symmetry)
    folder = _made(path)
    shelf = Shelf(folder, tiers, objective, (symmetry, with_distances), replace=replace)
    shelf.fields = partial(asked.fields, memory=place.memory)
    top = shelf.path(tiers[-1])
    workshop = Workshop(top, {**shelf.headers[-1], "engine": engine_digest()})
    if not shelf.whole:
        _complete(shelf, workshop, asked, progress, place)
    elif workshop.directory.exists():  # of a build that was ended when all files were there
        with contextlib.suppress(BuildError), workshop:
            workshop.clear()
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


def _complete(shelf: Shelf, workshop: Workshop, asked: Asked, progress: Any, place: Place) -> None:
    """Solve the tiers that have no file, and write each of them as soon as it is solved."""
    top = shelf.tiers[-1]
    with workshop:
        shelf.workshop, shelf.progress = workshop, progress
        state = workshop.load()
        if state is not None and not shelf.usable(state):
            workshop.forget()
        del state
        try:
            solve_rules(
                top.rules,
                asked.objective,
                symmetry=asked.symmetry,
                distances=asked.distances,
                memory=place.memory,
                progress=progress,
                checkpoint=workshop,
                shelf=shelf,
            )
        except MemoryLimitError as error:
            raise MemoryLimitError(
                f"{error}, or write one file, which can be built from disk"
            ) from None
        finished = workshop.directory / top.file
        if not finished.exists():  # lower tiers were missing, this one was not
            workshop.clear()
            return
        if (fault := shelf.test(finished, top)) is not None:
            workshop.clear()
            raise untrustworthy(asked.rules, fault)
        workshop.publish(finished)
