"""What a page shows of a match: its picture, its moves and their cells and values, its history."""

import re
from itertools import pairwise
from typing import Any

from zermelo.errors import LimitError
from zermelo.play.match import Match, best_line, in_order
from zermelo.play.output import prints_to_stderr

MAX_MOVES = 4_000
"""The moves of a position that a page can show."""

MAX_TEXT = 100_000
"""The characters of a text that a page can show."""

MAX_PICTURE = 2_000_000
"""The characters of a picture that a page can show."""

SQUARE = re.compile("[a-z]{1,2}[0-9]{1,2}")

RESULTS = {1: "win", -1: "lose"}


def value_record(
    rules: Any, position: Any, label: int, distance: int, *, conversion: bool = False
) -> dict[str, Any]:
    """A value as the player to move sees it: the result, the plies to the end, and both in words.

    With ``conversion``, the plies are those to the next conversion. Nobody forces the end of a
    draw; the length of the shortest way to an end on which both would agree has its own name.

    >>> from zermelo.rules.loading.games import game
    >>> value_record(game("nim:3"), (3,), 1, 1)
    {'result': 'win', 'distance': 1, 'words': 'wins in 1'}
    """
    from zermelo.rules.notation import in_words

    result = RESULTS.get(int(label), "draw" if distance < 0 else "tie")
    words = text_within(in_words(rules, position, label, distance, conversion=conversion))
    far = None if distance < 0 else int(distance)
    if label == 0 and distance > 0:
        return {"result": result, "distance": None, "agreed_distance": far, "words": words}
    return {"result": result, "distance": far, "words": words}


def _recorded(match: Match, position: Any, label: int, distance: int) -> dict[str, Any]:
    """A value of a match at a position."""
    conversion = match.to_conversion
    return value_record(match.rules, position, label, distance, conversion=conversion)


def _value_at(match: Match, position: Any) -> dict[str, Any]:
    """The value of a position of a match."""
    return _recorded(match, position, *match.value_of(position))


def text_within(text: str, most: int = MAX_TEXT) -> str:
    """A text, or an error if a page cannot show it.

    >>> text_within("3+4")
    '3+4'
    """
    if len(text) > most:
        raise LimitError(f"a text of the rules has {len(text):,} characters, more than {most:,}")
    return text


@prints_to_stderr
def scene(match: Match, *, values: bool) -> dict[str, Any]:
    """Everything that a page shows of the current position of a match.

    Moves have numbers, by which :meth:`~zermelo.play.match.Match.follow` plays them, and ways, the
    cells of the picture to click. With ``values`` they have values.

    >>> from zermelo.rules.loading.games import game
    >>> found = scene(Match(game("nim:2"), None, (2,)), values=False)
    >>> [(x["name"], x["ways"]) for x in found["moves"]]
    [('0', [['1.1']]), ('1', [['1.2']])]
    """
    from zermelo.rules.faults import text_of

    rules, here, second = match.rules, match.here, match.second_moves
    picture = scene_picture(rules, here, second)
    moves = _moves(match, picture, values=values)
    over = None
    if not moves:
        over = {"reason": "end", "words": _end(match, values=values)}
    elif match.is_repeated():
        moves, over = [], {"reason": "repetition", "words": REPETITION}
    return {
        "position": text_within(text_of(rules, here)),
        "picture": picture,
        "second": second,
        "sides": [str(match.side(x)) for x in (False, True)],
        "left_out": str(rules.left_out),
        "moves": moves,
        "over": over,
        "value": _value_at(match, here) if values else None,
        "history": history(match, values=values),
    }


REPETITION = "This position occurs for the third time: a draw."


def scene_picture(rules: Any, position: Any, second: bool) -> str:
    """The picture of a position; its text where the rules draw nothing that a page can show.

    >>> from zermelo.rules.loading.games import game
    >>> scene_picture(game("nim:1"), (1,), False)[:4]
    '<svg'
    """
    from zermelo.rules.cells import is_drawing, picture_of
    from zermelo.rules.picture import draw_text

    picture = picture_of(rules, position, second)
    if len(picture) <= MAX_PICTURE and is_drawing(picture):
        return str(picture)
    return str(draw_text(text_within(str(rules.show(position)), 2_000)))


def _moves(match: Match, picture: str, *, values: bool) -> list[dict[str, Any]]:
    from zermelo.rules.cells import cell_names, ways_of
    from zermelo.tables.probing.notated import names_moves

    rules, here, second = match.rules, match.here, match.second_moves
    options = match.followers()
    numbers = {x: k for k, x in enumerate(in_order(rules, options))}
    cells = set(cell_names(picture))
    value = match.value_of(here) if values else None
    named = names_moves(rules)
    found = []
    for option in options:
        names = [text_within(str(x)) for x in rules.move_names(here, option, second)]
        ways = ways_of(rules, here, option, second, cells)
        worth = match.value_of_move(option) if values else None
        found.append(
            {
                "number": numbers[option],
                "name": names[0] if named else _by_squares(ways) or names[0],
                "other": ", ".join(names[1:]),
                "ways": ways,
                "value": None if worth is None else _recorded(match, here, *worth),
                "best": worth is not None and value is not None and match.keeps(*worth, value),
            }
        )
    if values and not any(x["best"] for x in found):
        found = [{**x, "best": True} for x in found]
    return found


def _by_squares(ways: list[list[str]]) -> str:
    """The name of a move by its squares, if its cells are squares; for rules without names."""
    squares = ways[0] if ways else []
    return "–".join(squares) if all(SQUARE.fullmatch(x) for x in squares) else ""


def _end(match: Match, *, values: bool) -> str:
    """The end of a play in words."""
    from zermelo.labels import OPEN, Label
    from zermelo.objectives import NormalPlay, TerminalPayoff
    from zermelo.rules.base import defines
    from zermelo.rules.faults import outcome_of

    rules, here = match.rules, match.here
    if values:
        label, distance = match.value_of(here)
    elif isinstance(rules.objective(), NormalPlay | TerminalPayoff):
        found, distance = outcome_of(rules, here), 0
        label = int(Label.LOSE) if found == OPEN else found
    else:
        return "Play is over."
    if defines(rules, "verdict"):
        text = str(rules.verdict(here, label, distance))
        return text_within(f"{text[:1].upper()}{text[1:]}.")
    if label == 0:
        return "The end: a tie."
    winner = match.side(match.second_moves if label > 0 else not match.second_moves)
    return f"The end: {winner} wins."


def history(match: Match, *, values: bool) -> list[dict[str, Any]]:
    """The positions of a match: the move that led to each, and its value for the first player.

    >>> from zermelo.rules.loading.games import game
    >>> match = Match(game("nim:2"), None, (2,))
    >>> match.follow([0])
    >>> [x["move"] for x in history(match, values=False)]
    [None, '0']
    """
    names: list[str | None] = [None]
    for ply, (x, y) in enumerate(pairwise(match.path)):
        found = match.rules.move_names(x, y, match.second(x, ply))
        names.append(text_within(str(found[0])))
    return [
        {
            "move": name,
            "second": match.second(position, ply),
            "value": _for_first(match, position, ply) if values else None,
        }
        for ply, (position, name) in enumerate(zip(match.path, names, strict=True))
    ]


def _for_first(match: Match, position: Any, ply: int) -> dict[str, Any]:
    label, distance = match.value_of(position)
    words = _recorded(match, position, label, distance)
    result = RESULTS.get(-label if match.second(position, ply) else label, words["result"])
    return {**words, "result": result}


@prints_to_stderr
def line_scenes(match: Match, most: int) -> dict[str, Any]:
    """Best play from the current position, as pictures; at most ``most`` moves.

    >>> from zermelo.play.known import solve_to_play
    >>> from zermelo.rules.loading.games import game
    >>> rules = game("nim:1,2")
    >>> line = line_scenes(Match(rules, solve_to_play(rules, lambda *_: None), (1, 2)), 10)
    >>> [step["move"] for step in line["steps"]]
    [None, '1+1', '1', '0']
    """
    from zermelo.rules.cells import changed_cells

    path, back = best_line(match, most)
    rules, first = match.rules, len(match.path) - 1
    steps: list[dict[str, Any]] = []
    before = ""
    for k, position in enumerate(path):
        second = match.second(position, first + k)
        picture = scene_picture(rules, position, second)
        move = None
        if k:
            names = rules.move_names(
                path[k - 1], position, match.second(path[k - 1], first + k - 1)
            )
            move = text_within(str(names[0]))
        steps.append(
            {
                "position": text_within(str(rules.show(position))),
                "picture": picture,
                "second": second,
                "move": move,
                "changed": list(changed_cells(picture, before)) if before else [],
                "value": _value_at(match, position),
            }
        )
        before = picture
    return {
        "steps": steps,
        "comes_back_to": back,
        "whole": back is not None or _is_end(match, path),
    }


def _is_end(match: Match, path: list[Any]) -> bool:
    return not Match(match.rules, None, path[-1], match.most).followers()
