"""The room "play": games by name, their positions with moves and values, lines of best play.

A request names a game, the position at which play starts, and the moves since then by their
numbers; nothing is stored between requests but solved games. Rules of a user are run only if they
were named on the command line.
"""

import functools
import os
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import CertificateError, InvalidOptionError, LimitError, ZermeloError
from zermelo.play.known import Known, Solved, Tabled
from zermelo.play.match import Match
from zermelo.play.positions import read_position
from zermelo.play.scene import (
    MOST_MOVES,
    line_scenes,
    scene,
    scene_picture,
    text_within,
    value_record,
)
from zermelo.registry import GAMES
from zermelo.rules.base import as_rules
from zermelo.rules.faults import admit, blaming
from zermelo.rules.loading.games import game
from zermelo.rules.loading.load import load_rules
from zermelo.rules.page import start_picture
from zermelo.tables.probing.hardest import hardest
from zermelo.tables.table import Table
from zermelo.verify.rules.check import require_sound
from zermelo.web.api.play_schemas import ENDPOINTS
from zermelo.web.endpoints import Call

__all__ = ["ENDPOINTS", "counts", "games", "hardest_positions", "line", "position"]

SERVED = "@"
"""The first letter of the name of what the command line named, if that is a file."""

MOST_PLIES = 2_000
MOST_STEPS = 300
MOST_HARD = 6

ROOM = 1 << 29
"""Bytes of solved games that a worker keeps."""

PER_NAME = 400
"""About the bytes of a position of plain rules."""


@dataclass
class Desk:
    """A game at which one can sit down: its rules, and the values of positions once it is solved.

    Plain rules of a partizan game are solved again for a start that the usual one does not reach.
    """

    name: str
    rules: Any
    table: Table | None = None
    known: "OrderedDict[Any, Known]" = field(default_factory=OrderedDict)

    def room(self) -> int:
        """About the bytes of what is solved."""
        total = 0
        for x in self.known.values():
            solved: Any = getattr(x, "solved", None)
            arrays = (getattr(solved, "entry", None), getattr(solved, "positions", None))
            total += sum(int(y.nbytes) for y in arrays if y is not None)
            total += PER_NAME * len(getattr(solved, "names", None) or ())
        return total

    def values(self, call: Call, start: Any) -> Known:
        """The source of values; the game is solved if it is not."""
        if self.table is not None:
            self.table.require_distances("play without mistakes")
            return Tabled(self.table)
        usual = self.known.get(None)
        if start is None or (usual is not None and _knows(usual, start)):
            start = None
        if start in self.known:
            return self.known[start]
        most = call.settings.limits.game_positions
        advice = (
            f"build a table of it (zermelo build {self.name.removeprefix(SERVED)} -o game.zt), "
            "then open the table (zermelo serve game.zt)"
        )
        found = Solved(self.rules, call.report, start, most=most, advice=advice)
        self.known[None if _knows(found, self.rules.start()) else start] = found
        while len(self.known) > 4:
            self.known.popitem(last=False)
        return found


def _knows(known: Known, position: Any) -> bool:
    solved: Any = getattr(known, "solved", None)
    return solved is not None and solved.place(position) >= 0


_desks: "OrderedDict[str, Desk]" = OrderedDict()


def _desk(call: Call, name: str) -> Desk:
    """The game of this name, from those used last or made anew."""
    if name in _desks:
        _desks.move_to_end(name)
        return _desks[name]
    desk = _opened(call, name)
    _desks[name] = desk
    while len(_desks) > 1 and sum(x.room() for x in _desks.values()) > ROOM:
        _desks.popitem(last=False)
    while len(_desks) > 16:
        _desks.popitem(last=False)
    return desk


def _opened(call: Call, name: str) -> Desk:
    served = call.settings.served
    if not name.startswith(SERVED):
        return Desk(name, as_rules(game(name)))
    if served is None or served.kind not in ("rules", "table") or name != SERVED + served.name:
        raise InvalidOptionError(
            f"{name!r}: this server was not started with such a file; zermelo serve FILE does that"
        )
    if served.kind == "table":
        table = Table(served.source, served.rules)
        return Desk(name, as_rules(table.rules), table)
    with blaming():
        rules = load_rules(served.source)
    with blaming(rules):
        admit(rules)
        require_sound(rules)
        return Desk(name, as_rules(rules))


def _without_paths(
    answer: Callable[[Call], dict[str, Any]],
) -> Callable[[Call], dict[str, Any]]:
    """The function with errors that call the file of the command line by its name, not its path."""

    @functools.wraps(answer)
    def checked(call: Call) -> dict[str, Any]:
        try:
            return answer(call)
        except ZermeloError as error:
            served, text = call.settings.served, str(error)
            if served is None or isinstance(error, CertificateError):
                raise
            for source in filter(None, (served.source, served.rules)):
                file = source.partition(".py:")[0]
                for path in (source, os.path.relpath(source), file, os.path.relpath(file)):
                    text = text.replace(path, os.path.basename(path))
            kind = LimitError if isinstance(error, LimitError) else InvalidOptionError
            raise kind(text) from error

    return checked


def _match(call: Call, *, values: bool) -> Match:
    """The match that a request describes."""
    request = call.request
    desk = _desk(call, request["game"])
    with blaming(desk.rules):
        at = request.get("at") or None
        start = None if at is None else read_position(desk.rules, at, "position")
        known = desk.values(call, start) if values else None
        match = Match(desk.rules, known, desk.rules.start() if start is None else start, MOST_MOVES)
        match.follow(_numbers(request.get("moves") or ""))
        return match


def _numbers(text: str) -> list[int]:
    """The numbers of moves, written ``4.0.3``.

    >>> _numbers("4.0.3"), _numbers("")
    ([4, 0, 3], [])
    """
    parts = text.split(".") if text else []
    if not all(part.isascii() and part.isdecimal() and len(part) < 7 for part in parts):
        raise InvalidOptionError(f"moves: expected numbers with dots between, got {text[:60]!r}")
    if len(parts) > MOST_PLIES:
        raise InvalidOptionError(f"moves: expected at most {MOST_PLIES:,}, got {len(parts):,}")
    return [int(part) for part in parts]


@_without_paths
def games(call: Call) -> dict[str, Any]:
    """The games by name, each with a picture of an example; first what the command line named."""
    served = call.settings.served
    rows = []
    for row in GAMES:
        rules = as_rules(game(row.example))
        rows.append(
            {
                "name": row.name,
                "summary": row.summary,
                "parameters": row.parameters,
                "example": row.example,
                "picture": start_picture(rules),
            }
        )
    named = None
    if served is not None and served.kind != "graph":
        file = served.kind != "game"
        named = {
            "game": SERVED + served.name if file else served.source,
            "kind": served.kind,
            "name": served.name,
        }
    return {"games": rows, "served": named}


@_without_paths
def position(call: Call) -> dict[str, Any]:
    """A position with its moves; with ``solve`` also their values."""
    solve = bool(call.request.get("solve", False))
    match = _match(call, values=solve)
    with blaming(match.rules):
        return {"game": call.request["game"], "solved": solve, **scene(match, values=solve)}


@_without_paths
def line(call: Call) -> dict[str, Any]:
    """The line of best play from a position."""
    match = _match(call, values=True)
    with blaming(match.rules):
        return line_scenes(match, MOST_STEPS)


@_without_paths
def counts(call: Call) -> dict[str, Any]:
    """How many positions of a game win, lose, tie and draw, and how long the longest play is."""
    desk = _desk(call, call.request["game"])
    with blaming(desk.rules):
        solved: Any = desk.values(call, None)
        found = solved.solved.counts()
    numbers = {
        name: None if name.startswith("longest") and found[name] < 0 else int(found[name])
        for name in ("positions", "win", "lose", "tie", "draw", "longest_win", "longest_lose")
    }
    return {**numbers, "distances": "conversion" if solved.conversion else "end"}


@_without_paths
def hardest_positions(call: Call) -> dict[str, Any]:
    """Some of the longest wins, and of the longest losses."""
    desk = _desk(call, call.request["game"])
    rules = desk.rules
    with blaming(rules):
        known: Any = desk.values(call, None)
        rows = hardest(known.solved, MOST_HARD, progress=call.report)
        return {
            "positions": [
                {
                    "position": text_within(str(rules.show(x))),
                    "picture": scene_picture(rules, x, Match(rules, None, x).second_moves),
                    "value": value_record(rules, x, label, distance, conversion=known.conversion),
                }
                for x, label, distance in rows
            ]
        }
