"""Play: games by name, their positions with moves and values, lines of best play.

A request names a game, the position at which play starts, and the moves since then by their
numbers; nothing is stored between requests but solved games. Rules of a user are run only if they
were named on the command line.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast

from msgspec import Meta

from zermelo.errors import InvalidOptionError
from zermelo.play.known import solve_to_play
from zermelo.play.match import Match
from zermelo.play.positions import read_position
from zermelo.play.scene import (
    MAX_MOVES,
    MAX_PICTURE,
    MAX_TEXT,
    line_scenes,
    scene,
    scene_picture,
    text_within,
    value_record,
)
from zermelo.registry import GAMES
from zermelo.rules.base import as_rules
from zermelo.rules.conversion import CONVERSION
from zermelo.rules.faults import admit, blaming
from zermelo.rules.loading.games import game
from zermelo.rules.loading.load import load_rules
from zermelo.rules.page import start_picture
from zermelo.tables.probing.hardest import hardest
from zermelo.tables.solved import SolvedGame
from zermelo.tables.table import Table
from zermelo.verify.rules.check import require_sound
from zermelo.web.api.call import Call
from zermelo.web.api.schema import Natural, Nothing, Positive, Request

SERVED = "@"
"""The first letter of the name of what the command line named, if that is a file."""

MAX_PLIES = 2_000
MAX_STEPS = 300
HARDEST_EACH = 6
"""The longest wins that are listed, and the longest losses."""

MAX_SOLVED_BYTES = 1 << 29
"""Bytes of solved games that a worker keeps."""

BYTES_PER_NAME = 400
"""About the bytes of a position of plain rules."""

# -------------------------------------------------------------------- requests and answers

GameName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=2_000,
        description="A game of this server, by name, with its parameters after a colon",
        examples=["tictactoe", "nim:3,4,5"],
    ),
]
RulesText = Annotated[str, Meta(max_length=MAX_TEXT)]
Picture = Annotated[str, Meta(max_length=MAX_PICTURE, description="A picture in SVG")]


class OfGame(Request):
    """A game."""

    game: GameName


class Where(OfGame):
    """A position of a game: where play starts, and the numbers of the moves since then."""

    at: Annotated[str, Meta(max_length=20_000, description="As the rules write it")] = ""
    moves: Annotated[str, Meta(max_length=14_000, description="Numbers with dots between")] = ""


class WhereToSolve(Where):
    """A position of a game, and whether to solve the game if it is not solved yet."""

    solve: bool = False


class ListedGame(TypedDict):
    """A game with its parameters and an example."""

    name: RulesText
    summary: RulesText
    parameters: RulesText
    example: RulesText
    picture: Picture


class ServedGame(TypedDict):
    """The game that the command line named."""

    game: RulesText
    kind: Literal["rules", "table", "game"]
    name: RulesText


class Games(TypedDict):
    """All games."""

    games: list[ListedGame]
    served: ServedGame | None


class PositionValue(TypedDict):
    """A value for the player to move.

    The distance is the plies to the end; ``agreed_distance`` is that to an end in a draw, on which
    both players would have to agree.
    """

    result: Literal["win", "lose", "tie", "draw"]
    distance: Natural | None
    agreed_distance: NotRequired[Positive]
    words: RulesText


class Move(TypedDict):
    """A move; ``number`` plays it, and ``ways`` are lists of cells of the picture to click."""

    number: Natural
    name: RulesText
    other: Annotated[str, Meta(max_length=2 * MAX_TEXT, description="Other names")]
    ways: list[list[RulesText]]
    value: PositionValue | None
    best: bool


class End(TypedDict):
    """Why play is over."""

    reason: Literal["end", "repetition"]
    words: RulesText


class Past(TypedDict):
    """An earlier position; the result is the first player's."""

    move: RulesText | None
    second: bool
    value: PositionValue | None


class Scene(TypedDict):
    """A position, its moves and its history; ``solved`` says whether values are given."""

    game: GameName
    solved: bool
    position: RulesText
    picture: Picture
    second: Annotated[bool, Meta(description="Whether the second player is to move")]
    sides: Annotated[list[RulesText], Meta(max_length=2, description="The names of the players")]
    left_out: Annotated[RulesText, Meta(description="What of the usual rules is left out")]
    moves: list[Move]
    over: End | None
    value: PositionValue | None
    history: list[Past]


class LineStep(TypedDict):
    """A position of a line, and the move that led to it."""

    position: RulesText
    picture: Picture
    second: bool
    move: RulesText | None
    changed: list[RulesText]
    value: PositionValue


class BestLine(TypedDict):
    """A line of best play; ``whole`` says whether it goes to the end of play."""

    steps: list[LineStep]
    comes_back_to: Annotated[Natural, Meta(description="The step that play comes back to")] | None
    whole: bool


class Counts(TypedDict):
    """How many positions win, lose, tie and draw, and what distances count."""

    positions: Natural
    win: Natural
    lose: Natural
    tie: Natural
    draw: Natural
    longest_win: Natural | None
    longest_lose: Natural | None
    distances: Literal["end", "conversion"]


class HardPosition(TypedDict):
    """A position that takes long."""

    position: RulesText
    picture: Picture
    value: PositionValue


class Hardest(TypedDict):
    """The longest wins, then the longest losses."""

    positions: list[HardPosition]


# -------------------------------------------------------------------- games that are open


@dataclass
class OpenGame:
    """A game that a worker keeps: its rules, and the values of positions once it is solved.

    Plain rules of a partizan game are solved again for a start that the usual one does not reach.
    """

    name: str
    rules: Any
    table: SolvedGame | None = None
    known: "OrderedDict[Any, SolvedGame]" = field(default_factory=OrderedDict)

    def size(self) -> int:
        """About the bytes of what is solved."""
        storages: list[Any] = [solved.storage for solved in self.known.values()]
        return sum(x.nbytes + BYTES_PER_NAME * len(x.names or ()) for x in storages)

    def values(self, call: Call[Any], start: Any) -> SolvedGame:
        """The solved game; the game is solved if it is not."""
        if self.table is not None:
            self.table.require_distances("play without mistakes")
            return self.table
        usual = self.known.get(None)
        if start is None or (usual is not None and usual.place(start) >= 0):
            start = None
        if start in self.known:
            return self.known[start]
        most = call.settings.limits.game_positions
        advice = (
            f"build a table of it (zermelo build {self.name.removeprefix(SERVED)} -o game.zt), "
            "then open the table (zermelo serve game.zt)"
        )
        found = solve_to_play(self.rules, call.report, start, most=most, advice=advice)
        self.known[None if found.place(self.rules.start()) >= 0 else start] = found
        while len(self.known) > 4:
            self.known.popitem(last=False)
        return found


def _converts(solved: SolvedGame) -> bool:
    """Whether distances are those to conversion."""
    return solved.distances == CONVERSION


_open: "OrderedDict[str, OpenGame]" = OrderedDict()


def _game(call: Call[Any]) -> OpenGame:
    """The game of a request, from those used last or made anew."""
    name, served = call.request.game, call.settings.served
    if served is not None and served.solved is not None and name == SERVED + served.name:
        return OpenGame(name, served.solved.rules, served.solved)
    if name in _open:
        _open.move_to_end(name)
        return _open[name]
    found = _opened(call, name)
    _open[name] = found
    while len(_open) > 1 and sum(x.size() for x in _open.values()) > MAX_SOLVED_BYTES:
        _open.popitem(last=False)
    while len(_open) > 16:
        _open.popitem(last=False)
    return found


def _opened(call: Call[Any], name: str) -> OpenGame:
    served = call.settings.served
    if not name.startswith(SERVED):
        return OpenGame(name, as_rules(game(name)))
    if served is None or served.kind not in ("rules", "table") or name != SERVED + served.name:
        raise InvalidOptionError(
            f"{name!r}: this server was not started with such a file; zermelo serve FILE does that"
        )
    if served.kind == "table":
        table = Table(served.source, served.rules)
        return OpenGame(name, as_rules(table.rules), table)
    with blaming():
        rules = load_rules(served.source)
    with blaming(rules):
        admit(rules)
        require_sound(rules)
        return OpenGame(name, as_rules(rules))


def _match(call: Call[Where] | Call[WhereToSolve], *, values: bool) -> Match:
    """The match that a request describes."""
    request = call.request
    found = _game(call)
    rules = found.rules
    with blaming(rules):
        start = read_position(rules, request.at, "position") if request.at else None
        known = found.values(call, start) if values else None
        match = Match(rules, known, rules.start() if start is None else start, MAX_MOVES)
        match.follow(_numbers(request.moves))
        return match


def _numbers(text: str) -> list[int]:
    """The numbers of moves, written ``4.0.3``.

    >>> _numbers("4.0.3"), _numbers("")
    ([4, 0, 3], [])
    """
    parts = text.split(".") if text else []
    if not all(part.isascii() and part.isdecimal() and len(part) < 7 for part in parts):
        raise InvalidOptionError(f"moves: expected numbers with dots between, got {text[:60]!r}")
    if len(parts) > MAX_PLIES:
        raise InvalidOptionError(f"moves: expected at most {MAX_PLIES:,}, got {len(parts):,}")
    return [int(part) for part in parts]


def games(call: Call[Nothing]) -> Games:
    """The games that can be played, each with a picture of an example.

    What the command line named is apart from them.
    """
    served = call.settings.served
    named: ServedGame | None = None
    if served is not None and served.kind != "graph":
        name = served.source if served.kind == "game" else SERVED + served.name
        named = {"game": name, "kind": served.kind, "name": served.name}
    rows: list[ListedGame] = [
        {
            "name": row.name,
            "summary": row.summary,
            "parameters": row.parameters,
            "example": row.example,
            "picture": start_picture(as_rules(game(row.example))),
        }
        for row in GAMES
    ]
    return {"games": rows, "served": named}


def position(call: Call[WhereToSolve]) -> Scene:
    """A position of a game, its moves, and their values if the game is to be solved."""
    solve = call.request.solve
    match = _match(call, values=solve)
    with blaming(match.rules):
        found = scene(match, values=solve)
        return cast(Scene, {"game": call.request.game, "solved": solve, **found})


def line(call: Call[Where]) -> BestLine:
    """Best play from a position."""
    match = _match(call, values=True)
    with blaming(match.rules):
        return cast(BestLine, line_scenes(match, MAX_STEPS))


def counts(call: Call[OfGame]) -> Counts:
    """How many positions of a game win, lose, tie and draw, and how long the longest play is."""
    found = _game(call)
    with blaming(found.rules):
        solved = found.values(call, None)
        numbers = solved.counts()
    plain = {
        name: None if name.startswith("longest") and numbers[name] < 0 else int(numbers[name])
        for name in ("positions", "win", "lose", "tie", "draw", "longest_win", "longest_lose")
    }
    return cast(Counts, {**plain, "distances": CONVERSION if _converts(solved) else "end"})


def hardest_positions(call: Call[OfGame]) -> Hardest:
    """The longest wins of a game, and its longest losses."""
    found = _game(call)
    rules = found.rules
    with blaming(rules):
        solved = found.values(call, None)
        rows: Any = [
            {
                "position": text_within(str(rules.show(x))),
                "picture": scene_picture(rules, x, Match(rules, None, x).second_moves),
                "value": value_record(rules, x, label, distance, conversion=_converts(solved)),
            }
            for x, label, distance in hardest(solved, HARDEST_EACH, progress=call.report)
        ]
        return {"positions": rows}
