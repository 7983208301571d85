"""Heap games: nim-values, periods, and winning moves in a position."""

from typing import Any

from zermelo.web.api.patience import patient
from zermelo.web.endpoints import Call

TO = 100
SEARCHED, SEARCHED_IN_THREE = 2_000, 500
"""A period is sought up to this heap at least; the second for moves that leave three heaps."""
MOST_ROW = 1_000
MOST_MOVES = 200


def names(call: Call) -> dict[str, Any]:
    """The games that have a name."""
    from zermelo.sums.heaps.code import NAMES

    return {"games": [{"name": x, "code": y} for x, y in NAMES.items()]}


def heap(call: Call) -> dict[str, Any]:
    """The values of the heaps 0, 1, …, the period that is proved, and the winning moves."""
    import zermelo as zm

    request = call.request
    game = zm.heap(request["game"])
    last = request.get("to", TO)
    progress = patient(call, _too_many)
    values = game.nim_sequence(last, progress=progress)
    assert game.code is not None
    searched = max(last, SEARCHED if game.code.most < 3 else SEARCHED_IN_THREE)
    period = game.period(searched, progress=progress)
    return {
        "game": request["game"].strip(),
        "code": str(game.code),
        "values": values.tolist(),
        "searched": searched,
        "period": None
        if period is None
        else {
            "period": int(period.period),
            "preperiod": int(period.preperiod),
            "saltus": int(period.saltus),
            "row": period.row.tolist()[:MOST_ROW],
            "exceptions": [
                {"heap": int(k), "value": int(x)}
                for k, x in list(period.exceptions.items())[:MOST_ROW]
            ],
        },
        "position": _position(game, request.get("heaps")),
    }


def _position(game: Any, heaps: list[int] | None) -> dict[str, Any] | None:
    """The value of several heaps, and the moves that win."""
    import zermelo as zm

    if not heaps:
        return None
    whole = zm.Sum([(game, int(n)) for n in heaps])
    moves = whole.winning_moves
    return {
        "heaps": [int(n) for n in heaps],
        "values": [int(game.grundy(int(n))) for n in heaps],
        "value": int(game.grundy([int(n) for n in heaps])),
        "moves": [
            {
                "heap": move.component,
                "from": int(heaps[move.component]),
                "to": [int(x) for x in _heaps(move.to)],
            }
            for move in moves[:MOST_MOVES]
        ],
        "more": max(0, len(moves) - MOST_MOVES),
    }


def _heaps(left: Any) -> tuple[int, ...]:
    return left if isinstance(left, tuple) else (left,)


def _too_many(seconds: float, done: int, total: int) -> str:
    return (
        f"the values of the heaps are not known after {seconds:g} seconds: {done:,} of "
        f"{total:,} are; expected a smaller heap"
    )
