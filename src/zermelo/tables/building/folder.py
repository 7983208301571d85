"""A directory of tables: one file for each game, which larger games share."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.errors import FormatError, InvalidOptionError, ZermeloError
from zermelo.tables.building.tiers import file_of, has_tier_games
from zermelo.tables.probing.access import access, recorded_rules, rules_name, rules_of
from zermelo.tables.storage.file import TableFile
from zermelo.tables.storage.header import SUFFIX
from zermelo.tables.storage.tier_file import records_of

MAX_NAMED_GAMES = 6
"""Messages name at most so many games."""


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a path means a directory: it is one, or it ends with a slash.

    >>> is_folder("no-such-place/"), is_folder("no-such-place")
    (True, False)
    """
    return os.path.isdir(path) or os.fspath(path).endswith(("/", os.sep))


def listing(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """The games of a directory of tables, small ones first: file, game, bytes, counts and tiers."""
    found = []
    for file in _files(path):
        records = records_of(file)
        found.append(
            {
                "file": os.path.basename(file.path),
                "game": records[-1]["game"],
                "counts": {name: records[-1]["counts"][name] for name in file.count_names},
                "bytes": file.size,
                "tiers": [record["game"] for record in records],
                "entries": sum(record["entries"] for record in records),
            }
        )
    if not found:
        message = "the directory has no table; zermelo build GAME -o DIRECTORY makes some"
        raise FileNotFoundError(errno.ENOENT, message, os.fspath(path))
    sizes = {game["game"]: game["entries"] for game in found}
    for game in found:
        for tier in game["tiers"][:-1]:
            if sizes.get(tier, 0) >= game["entries"]:
                raise FormatError(
                    f"the header is damaged: expected {tier} to have fewer than the "
                    f"{game['entries']:,} entries of {game['game']}, because it is a tier of it",
                    path=os.path.join(path, game["file"]),
                )
    return sorted(found, key=lambda x: (x["entries"], x["game"]))


def largest(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those games of a directory that are no tier of another one."""
    lower = {name for game in games for name in game["tiers"][:-1]}
    return [game for game in games if game["game"] not in lower]


def located(path: str | os.PathLike[str], rules: Any = None) -> str | os.PathLike[str]:
    """The file of a game in a directory; any other path is given back.

    Without rules, the directory must have files of one game and its tiers only.
    """
    if not os.path.isdir(path):
        return path
    if rules is None:
        games = largest(listing(path))
        if len(games) > 1:
            names = [game["game"] for game in games]
            more = ", …" if len(names) > MAX_NAMED_GAMES else ""
            raise InvalidOptionError(
                f"{os.fspath(path)}: the directory has several games: "
                f"{', '.join(names[:MAX_NAMED_GAMES])}{more}; say which one (--rules, or rules= in "
                "Python)"
            )
        return os.path.join(path, games[0]["file"])
    rules = rules_of(rules)
    if not has_tier_games(rules):
        raise InvalidOptionError(
            f"{os.fspath(path)}: expected a file, this is a directory; a table of "
            f"{rules_name(rules)} is one file"
        )
    place = os.path.join(path, file_of(rules))
    if not os.path.lexists(place):
        name = rules_name(rules)
        message = f"there is no table of {name}; zermelo build {name} -o DIRECTORY makes it"
        raise FileNotFoundError(errno.ENOENT, message, place)
    return place


def located_by(path: str | os.PathLike[str], position: str) -> str | os.PathLike[str]:
    """The file of the smallest game in a directory that has a position, given as text.

    If rules read the text, but no game has the position, it is the largest game of these rules, so
    that its table tells what is wrong. Rules that are no game of zermelo are not looked for, and an
    error says so if no other game has the position. Any other path is given back.
    """
    if not os.path.isdir(path):
        return path
    games = listing(path)
    fault: ZermeloError | None = None
    unknown: ZermeloError | None = None
    read = ""
    for game in games:
        try:
            rules = recorded_rules(game["game"], "", os.path.join(path, game["file"]))
        except ZermeloError as error:
            unknown = error
            continue
        try:
            here = rules.parse(position)
        except ZermeloError as error:
            fault = error
            continue
        read = os.path.join(path, game["file"])
        if access(rules, "index", symmetry=True, descent=False).key(here) is not None:
            return read
    if read:
        return read
    if unknown is not None:
        raise unknown
    assert fault is not None
    if len(games) == 1:
        raise fault
    raise InvalidOptionError(
        f"{os.fspath(path)}: none of the {len(games)} games there has the position {position!r}; "
        f"{games[-1]['game']}: {fault}"
    )


def _files(path: str | os.PathLike[str]) -> Iterator[TableFile]:
    """The files of a directory that have one tier; tables in one file are left out."""
    for place in sorted(Path(path).iterdir()):
        if place.suffix == SUFFIX and not place.name.startswith(".") and place.is_file():
            with TableFile(place, 0) as file:
                if file.layout.tier:
                    yield file
