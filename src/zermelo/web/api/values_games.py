"""Positions of partizan games that one draws: their values, their parts and their moves."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from zermelo.errors import InvalidOptionError, LimitError
from zermelo.web.api.patience import patient
from zermelo.web.api.values_record import RESULTS, components_record, cut, tidy, value_record
from zermelo.web.endpoints import Call

ANY = {"l": "a man of Left", "r": "a man of Right", ".": "an empty square", "#": "no square"}
PAINT = {".": "free for both", "l": "for Left only", "r": "for Right only", "#": "no square"}

LETTERS: dict[str, tuple[str, dict[str, str], str]] = {
    "domineering": ("grid", {".": "a free square", "#": "no square"}, "..../..../..../...."),
    "col": ("grid", PAINT, ".../..."),
    "snort": ("grid", PAINT, ".../..."),
    "clobber": (
        "grid",
        {"l": "a man of Left", "r": "a man of Right", ".": "an empty square"},
        "lrlr/rlrl",
    ),
    "amazons": (
        "grid",
        {"l": "a queen of Left", "r": "a queen of Right", ".": "an empty square", "#": "burnt"},
        "l../..r",
    ),
    "konane": ("grid", ANY, "lrl/r.r/lrl"),
    "nogo": ("grid", ANY, ".../..."),
    "fox-and-geese": (
        "grid",
        {"l": "a goose of Left", "r": "the fox of Right", ".": "an empty square", "#": "no square"},
        "#r#./.#.#/#.#./l#l#",
    ),
    "toads-and-frogs": (
        "strip",
        {"t": "a toad of Left", "f": "a frog of Right", ".": "an empty square"},
        "tt.ff",
    ),
    "backsliding-toads-and-frogs": (
        "strip",
        {"t": "a toad of Left", "f": "a frog of Right", ".": "an empty square"},
        "t..f",
    ),
    "toppling-dominoes": (
        "strip",
        {"l": "a domino of Left", "r": "a domino of Right", "e": "for both", "+": "a gap"},
        "lre+rl",
    ),
    "hackenbush": (
        "graph",
        {"l": "blue, cut by Left", "r": "red, cut by Right", "g": "green, cut by both"},
        "lrg+rl",
    ),
}
"""How a position is drawn: the kind of its editor, what the letters mean, and an example."""

MOST_SQUARES = 100
"""The most squares or edges of a position."""
MOST_MOVES = 300
"""The most moves of one player that are listed."""


def games(call: Call) -> dict[str, Any]:
    """The games that can be drawn."""
    from zermelo.registry import GAMES

    return {
        "games": [
            {
                "name": name,
                "summary": GAMES[name].summary,
                "kind": kind,
                "letters": [{"letter": x, "meaning": y} for x, y in letters.items()],
                "example": example,
                "squares": MOST_SQUARES,
            }
            for name, (kind, letters, example) in LETTERS.items()
        ]
    }


def position(call: Call) -> dict[str, Any]:
    """The value of a position, of its parts and of what each move leads to."""
    import zermelo as zm
    from zermelo.rules.faults import text_of

    name, given = call.request["game"], call.request["position"].strip()
    rules = _rules(name, given)
    tidy(call)
    values = zm.game_values(rules, progress=patient(call, _too_large(name)))
    start = rules.start()
    whole = values[start]
    parts: Counter[Any] = Counter()
    texts: dict[Any, str] = {}
    for part in rules.components(start):
        value = values[part]
        parts[value] += 1
        texts.setdefault(value, text_of(rules, part))
    sides, more = {}, 0
    for side in ("left", "right"):
        options = list(dict.fromkeys(getattr(rules, side)(start)))
        more += max(0, len(options) - MOST_MOVES)
        sides[side] = [_move(side, text_of(rules, x), values[x]) for x in options[:MOST_MOVES]]
    return {
        "game": name,
        "position": cut(text_of(rules, start)),
        "value": value_record(whole),
        "components": components_record(parts, texts),
        **sides,
        "more": more,
    }


def _move(side: str, after: str, value: Any) -> dict[str, Any]:
    outcome = value.outcome
    result = outcome.right_first if side == "left" else -outcome.left_first
    return {"text": cut(after), "value": cut(value), "result": RESULTS[result]}


def _rules(name: str, given: str) -> Any:
    """The rules of a game that starts at a position; sizes are checked before any work."""
    import zermelo as zm

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
    if size > MOST_SQUARES:
        raise LimitError(
            f"the position has {size:,} {noun}; at most {MOST_SQUARES} are valued here"
        )
    return zm.game(f"{name}:{given}")


def _too_large(name: str) -> Callable[[float, int, int], str]:
    return lambda seconds, done, total: (
        f"this position of {name} is too large to be valued in {seconds:g} seconds: {done:,} of "
        f"the {total:,} parts that were found so far are explored; expected a smaller position, "
        "or one that falls into more parts"
    )
