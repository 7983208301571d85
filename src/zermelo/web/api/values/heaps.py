"""Heap games: nim-values, periods, and winning moves in a position."""

from typing import Annotated, Any, TypedDict

from msgspec import Meta

import zermelo as zm
from zermelo.sums.heaps.code import NAMES
from zermelo.web.api.call import Call
from zermelo.web.api.deadline import with_deadline
from zermelo.web.api.schema import Integer, LeftOut, Natural, Nothing, Positive, Request, Text

SEARCHED, SEARCHED_IN_THREE = 2_000, 500
"""A period is sought up to this heap at least; the second for moves that leave three heaps."""
MAX_ROW = 1_000
MAX_MOVES = 200


Heap = Annotated[int, Meta(ge=0, le=20_000)]


class HeapGame(Request):
    """A heap game: a code such as 0.77, a set such as 1,2,5, or a name; perhaps a position."""

    game: Annotated[str, Meta(max_length=400)]
    to: Annotated[int, Meta(ge=1, le=5_000, description="The largest heap to value")] = 100
    heaps: Annotated[tuple[Heap, ...], Meta(max_length=30)] = ()


class HeapName(TypedDict):
    """The name of a heap game, and its code."""

    name: Text
    code: Text


class HeapNames(TypedDict):
    """The heap games that have a name."""

    games: list[HeapName]


class HeapValue(TypedDict):
    """A heap and its value."""

    heap: Natural
    value: Natural


class PeriodRecord(TypedDict):
    """A period; ``saltus`` is the growth in each, ``row`` the values of one."""

    period: Positive
    preperiod: Natural
    saltus: Natural
    row: list[Integer]
    exceptions: list[HeapValue]


HeapMove = TypedDict("HeapMove", {"heap": Natural, "from": Natural, "to": list[Natural]})


class HeapPosition(TypedDict):
    """Heaps, their values and nim-sum, and the winning moves; ``more`` moves are left out."""

    heaps: list[Natural]
    values: list[Natural]
    value: Natural
    moves: list[HeapMove]
    more: LeftOut


class HeapAnswer(TypedDict):
    """The values of a heap game, and its period if there is one up to ``searched``."""

    game: Text
    code: Text
    values: list[Natural]
    searched: Natural
    period: PeriodRecord | None
    position: HeapPosition | None


def names(call: Call[Nothing]) -> HeapNames:
    """The heap games that have a name, and their codes."""
    return {"games": [{"name": x, "code": y} for x, y in NAMES.items()]}


def heap(call: Call[HeapGame]) -> HeapAnswer:
    """The nim-values of a heap game, its period, and the winning moves in a position."""
    request = call.request
    game = zm.heap(request.game)
    progress = with_deadline(call, _too_many)
    values = game.nim_sequence(request.to, progress=progress)
    assert game.code is not None
    searched = max(request.to, SEARCHED if game.code.most < 3 else SEARCHED_IN_THREE)
    period = game.period(searched, progress=progress)
    return {
        "game": request.game.strip(),
        "code": str(game.code),
        "values": values.tolist(),
        "searched": searched,
        "period": None if period is None else _period(period),
        "position": _position(game, list(request.heaps)),
    }


def _period(period: Any) -> PeriodRecord:
    exceptions = list(period.exceptions.items())[:MAX_ROW]
    return {
        "period": int(period.period),
        "preperiod": int(period.preperiod),
        "saltus": int(period.saltus),
        "row": period.row.tolist()[:MAX_ROW],
        "exceptions": [{"heap": int(k), "value": int(x)} for k, x in exceptions],
    }


def _position(game: Any, heaps: list[int]) -> HeapPosition | None:
    """The value of several heaps, and the moves that win."""
    if not heaps:
        return None
    moves = zm.Sum([(game, n) for n in heaps]).winning_moves
    return {
        "heaps": heaps,
        "values": [int(game.grundy(n)) for n in heaps],
        "value": int(game.grundy(heaps)),
        "moves": [
            {
                "heap": move.component,
                "from": heaps[move.component],
                "to": [int(x) for x in _heaps(move.to)],
            }
            for move in moves[:MAX_MOVES]
        ],
        "more": max(0, len(moves) - MAX_MOVES),
    }


def _heaps(left: Any) -> tuple[int, ...]:
    return left if isinstance(left, tuple) else (left,)


def _too_many(seconds: float, done: int, total: int) -> str:
    return (
        f"the values of the heaps are not known after {seconds:g} seconds: {done:,} of "
        f"{total:,} are; expected a smaller heap"
    )
