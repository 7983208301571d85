"""Positions of partizan games that one draws: their values, their parts and their moves."""

from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypedDict

from msgspec import Meta

import zermelo as zm
from zermelo.errors import InvalidOptionError, LimitError
from zermelo.registry import GAMES
from zermelo.rules.faults import text_of
from zermelo.web.api.call import Call
from zermelo.web.api.deadline import with_deadline
from zermelo.web.api.schema import LeftOut, Nothing, Positive, Request, Text
from zermelo.web.api.values.records import (
    RESULTS,
    Component,
    Notation,
    ResultWord,
    ValueRecord,
    components_record,
    cut,
    tidy,
    value_record,
)

EMPTY, NONE = {".": "an empty square"}, {"#": "no square"}
PAINT = {".": "free for both", "l": "for Left only", "r": "for Right only", **NONE}
MEN = {"l": "a man of Left", "r": "a man of Right", **EMPTY}
QUEENS = {"l": "a queen of Left", "r": "a queen of Right", **EMPTY, "#": "burnt"}
GEESE = {"l": "a goose of Left", "r": "the fox of Right", **EMPTY, **NONE}
FROGS = {"t": "a toad of Left", "f": "a frog of Right", **EMPTY}
DOMINOES = {"l": "a domino of Left", "r": "a domino of Right", "e": "for both", "+": "a gap"}
EDGES = {"l": "blue, cut by Left", "r": "red, cut by Right", "g": "green, cut by both"}

LETTERS: dict[str, tuple[Literal["grid", "strip", "graph"], dict[str, str], str]] = {
    "domineering": ("grid", {".": "a free square", **NONE}, "..../..../..../...."),
    "col": ("grid", PAINT, ".../..."),
    "snort": ("grid", PAINT, ".../..."),
    "clobber": ("grid", MEN, "lrlr/rlrl"),
    "amazons": ("grid", QUEENS, "l../..r"),
    "konane": ("grid", {**MEN, **NONE}, "lrl/r.r/lrl"),
    "nogo": ("grid", {**MEN, **NONE}, ".../..."),
    "fox-and-geese": ("grid", GEESE, "#r#./.#.#/#.#./l#l#"),
    "toads-and-frogs": ("strip", FROGS, "tt.ff"),
    "backsliding-toads-and-frogs": ("strip", FROGS, "t..f"),
    "toppling-dominoes": ("strip", DOMINOES, "lre+rl"),
    "hackenbush": ("graph", EDGES, "lrg+rl"),
}
"""How a position is drawn: the kind of its editor, what the letters mean, and an example."""

MAX_SQUARES = 100
"""The most squares or edges of a position."""
MAX_MOVES = 300
"""The most moves of one player that are listed."""


class DrawnPosition(Request):
    """A game, and one of its positions."""

    game: Annotated[str, Meta(min_length=1, max_length=60, examples=["domineering"])]
    position: Annotated[str, Meta(min_length=1, max_length=4_000, examples=["../.#"])]


class Letter(TypedDict):
    """A letter of a position."""

    letter: Text
    meaning: Text


class DrawnGame(TypedDict):
    """How positions of a game are drawn; ``squares`` is the most squares or edges."""

    name: Text
    summary: Text
    kind: Literal["grid", "strip", "graph"]
    letters: list[Letter]
    example: Text
    squares: Positive


class DrawnGames(TypedDict):
    """The games that can be drawn."""

    games: list[DrawnGame]


class PositionMove(TypedDict):
    """The position after a move, its value, and what the player gets who makes the move."""

    text: Notation
    value: Notation
    result: ResultWord


class PositionAnswer(TypedDict):
    """The value of a position, of its parts, and of all moves; ``more`` moves are left out."""

    game: Text
    position: Notation
    value: ValueRecord
    components: list[Component]
    left: list[PositionMove]
    right: list[PositionMove]
    more: LeftOut


def games(call: Call[Nothing]) -> DrawnGames:
    """The games whose positions have partizan values, and how one draws them."""
    return {
        "games": [
            {
                "name": name,
                "summary": GAMES[name].summary,
                "kind": kind,
                "letters": [{"letter": x, "meaning": y} for x, y in letters.items()],
                "example": example,
                "squares": MAX_SQUARES,
            }
            for name, (kind, letters, example) in LETTERS.items()
        ]
    }


def position(call: Call[DrawnPosition]) -> PositionAnswer:
    """The value of a position of a game, of its parts, and of all moves."""
    name, given = call.request.game, call.request.position.strip()
    rules = _rules(name, given)
    tidy(call)
    values = zm.game_values(rules, progress=with_deadline(call, _too_large(name)))
    start = rules.start()
    whole = values[start]
    parts: Counter[Any] = Counter()
    texts: dict[Any, str] = {}
    for part in rules.components(start):
        value = values[part]
        parts[value] += 1
        texts.setdefault(value, text_of(rules, part))
    left, right = (list(dict.fromkeys(side(start))) for side in (rules.left, rules.right))
    return {
        "game": name,
        "position": cut(text_of(rules, start)),
        "value": value_record(whole),
        "components": components_record(parts, texts),
        "left": [_move("left", text_of(rules, x), values[x]) for x in left[:MAX_MOVES]],
        "right": [_move("right", text_of(rules, x), values[x]) for x in right[:MAX_MOVES]],
        "more": sum(max(0, len(options) - MAX_MOVES) for options in (left, right)),
    }


def _move(side: str, after: str, value: Any) -> PositionMove:
    outcome = value.outcome
    result = outcome.right_first if side == "left" else -outcome.left_first
    return {"text": cut(after), "value": cut(value), "result": RESULTS[result]}


def _rules(name: str, given: str) -> Any:
    """The rules of a game that starts at a position; sizes are checked before any work."""
    if name not in LETTERS:
        raise InvalidOptionError(f"expected a game, one of {', '.join(LETTERS)}, got {name!r}")
    kind, letters, example = LETTERS[name]
    if kind == "graph":
        size, noun = given.count(",") + 1 if ":" in given else len(given), "edges"
    else:
        size, noun = sum(x != "/" for x in given), "squares"
        wrong = next((x for x in given.lower() if x not in letters and x != "/"), None)
        if wrong is not None:
            raise InvalidOptionError(
                f"expected squares of {' '.join(letters)}, such as {example}, got {wrong!r}"
            )
    if size > MAX_SQUARES:
        raise LimitError(f"the position has {size:,} {noun}; at most {MAX_SQUARES} are valued here")
    return zm.game(f"{name}:{given}")


def _too_large(name: str) -> Callable[[float, int, int], str]:
    return lambda seconds, done, total: (
        f"this position of {name} is too large to be valued in {seconds:g} seconds: {done:,} of "
        f"the {total:,} parts that were found so far are explored; expected a smaller position, "
        "or one that falls into more parts"
    )
