"""The winner of a sum of values, and the moves that win, without computing the value of the sum.

This is a search over sums. A state has the components that are left, where pairs of a component and
its negative are removed and all numbers, ups and nimbers are added up to one value, and the player
to move. Moves in the hottest component are tried first. A move changes the sum by its incentive,
Gᴸ − G for Left and G − Gᴿ for Right, so a move whose incentive is at most that of another need not
be tried; number avoidance is a special case. Stops decide many states at once:

    Σ Rₛ ≤ Rₛ(Σ) ≤ Lₛ(Σ) ≤ Σ Lₛ,    and Lₛ(Σ) ≥ Lₛ(Gᵢ) + Σ_{j≠i} Rₛ(Gⱼ)

So Left, moving first, wins if the last bound is positive for some i; the same holds for Right with
the signs exchanged. If only numbers, ups and nimbers are left, their sum decides. The search is
exact. Its time is exponential in the number of components at worst; hence the limit.

Reference: [BerlekampConwayGuy2001] ch. 6, [Siegel2013] §II.3.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from zermelo._inputs.values import listed
from zermelo.errors import InvalidOptionError, LimitError
from zermelo.partizan.analysis.thermograph import thermograph
from zermelo.partizan.dyadic import left_stop, right_stop
from zermelo.partizan.store import STORE
from zermelo.partizan.text.spelling import options_in_order

if TYPE_CHECKING:
    from zermelo.partizan.outcome import Outcome
    from zermelo.partizan.value import Value

LIMIT = 1_000_000
"""The number of states that a search may look at, unless another limit is given."""

LEFT, RIGHT = 0, 1
PLAYERS = {"left": LEFT, "right": RIGHT, "l": LEFT, "r": RIGHT}


class State(NamedTuple):
    """The ids of the hot components, sorted; the sum of all compact components; who moves."""

    hot: tuple[int, ...]
    rest: int
    player: int


@dataclass(frozen=True)
class SumMove:
    """A move in a sum: the number of the component (from 0), its value before and after."""

    component: int
    before: "Value"
    after: "Value"

    def __str__(self) -> str:
        return f"{self.component}: {self.before} → {self.after}"


def best_moves(
    values: "Iterable[Value | str | int | Fraction]", player: str, *, limit: int = LIMIT
) -> tuple[SumMove, ...]:
    """All moves by which ``player`` ("left" or "right") wins the sum, moving now.

    There are none if that player loses.

    >>> [str(move) for move in best_moves(["{3|-3}", "{1|-1}", "*"], "left")]
    ['0: +-3 → 3']
    >>> best_moves(["{1|-1}", "{1|-1}"], "right")
    ()
    """
    parts = _values(values)
    side, ids = _side(player), [x.id for x in parts]
    search = Search(limit)
    moves = []
    for k, (v, part) in enumerate(zip(ids, parts, strict=True)):
        for x in options_in_order(v)[side]:
            rest = [*ids[:k], x, *ids[k + 1 :]]
            if not search.wins(state(rest, 1 - side)):
                moves.append(SumMove(k, part, type(part)(x)))
    return tuple(moves)


def sum_outcome(
    values: "Iterable[Value | str | int | Fraction]", *, limit: int = LIMIT
) -> "Outcome":
    """The outcome of the sum: L or R (this player wins), N or P (the first or second player wins).

    >>> sum_outcome(["{1|-1}", "{1|-1}"]).name, sum_outcome(["{3|-3}", "{1|-1}", "*"]).name
    ('P', 'N')
    """
    from zermelo.partizan.outcome import Outcome

    ids = [x.id for x in _values(values)]
    search = Search(limit)
    first = search.wins(state(ids, LEFT)), search.wins(state(ids, RIGHT))
    name = {(True, True): "N", (True, False): "L", (False, True): "R", (False, False): "P"}[first]
    return Outcome[name]


def _values(values: "Iterable[Value | str | int | Fraction]") -> "list[Value]":
    from zermelo.partizan.value import short

    if isinstance(values, str):
        raise InvalidOptionError(f"expected a list of values, got the text {values!r}")
    return [short(x) for x in listed(values, "values")]


def _side(player: str) -> int:
    try:
        return PLAYERS[str(player).lower()]
    except KeyError:
        raise InvalidOptionError(f"expected the player left or right, got {player!r}") from None


def state(values: Iterable[int], player: int) -> State:
    """A sum as the search sees it.

    >>> one = STORE.number(1, 0)
    >>> switch = STORE.make([one], [STORE.negate(one)])
    >>> state([switch, one, switch], LEFT) == State((), one, LEFT)
    True
    """
    hot: dict[int, int] = {}
    rest = STORE.number(0, 0)
    for v in values:
        minus = STORE.negate(v)
        if STORE.parts(v) is not None:
            rest = STORE.add(rest, v)
        elif hot.get(minus):
            hot[minus] -= 1
        else:
            hot[v] = hot.get(v, 0) + 1
    return State(tuple(sorted(v for v, n in hot.items() for _ in range(n))), rest, player)


class Search:
    """The states that were searched, and whether the player to move wins them."""

    def __init__(self, limit: int = LIMIT) -> None:
        self.limit = limit
        self.known: dict[State, bool] = {}

    def wins(self, root: State) -> bool:
        """Whether the player to move wins.

        >>> one = STORE.number(1, 0)
        >>> switch = STORE.make([one], [STORE.negate(one)])
        >>> Search().wins(state([switch, switch, one], RIGHT))
        False
        """
        stack: list[tuple[State, Iterator[State]]] = []
        asked: State | None = root
        answer = False
        # Invariant: ``asked`` is a state whose answer the top of the stack waits for, or None, and
        # then ``answer`` is the answer to what it asked last. Each state has been asked for by the
        # one below it, and no sum is reached again from itself, as play ends.
        while True:
            if asked is not None:
                known = self._look_up(asked)
                if known is None:
                    stack.append((asked, self._moves(asked)))
                    answer = True
                else:
                    answer = known
            if not stack:
                return answer
            now, moves = stack[-1]
            asked = next(moves, None) if answer else None
            if asked is None:
                self.known[now] = not answer
                if len(self.known) > self.limit:
                    raise LimitError(
                        f"more than {self.limit:,} sums to look at; raise the limit, or add the "
                        "values up and ask for the outcome"
                    )
                stack.pop()
                answer = self.known[now]
                if not stack:
                    return answer

    def _look_up(self, s: State) -> bool | None:
        known = self.known.get(s)
        return _decided(s) if known is None else known

    def _moves(self, s: State) -> Iterator[State]:
        """The states after the moves that no other move dominates, the hottest first."""
        side, other = (STORE.left, RIGHT) if s.player == LEFT else (STORE.right, LEFT)
        parts = sorted({*s.hot, s.rest}, key=lambda v: -thermograph(v).temperature)
        moves: dict[int, tuple[int, int]] = {}
        for v in parts:
            minus = STORE.negate(v)
            for x in side(v):
                gain = STORE.add(x, minus)
                moves.setdefault(gain if s.player == LEFT else STORE.negate(gain), (v, x))
        for gain, (v, x) in moves.items():
            if any(gain != y and STORE.le(gain, y) for y in moves):
                continue
            others = [*s.hot, s.rest]
            others.remove(v)
            yield state([*others, x], other)


def _decided(s: State) -> bool | None:
    """Whether the player to move wins, if this is known without a search; else None."""
    if not s.hot:
        zero = STORE.number(0, 0)
        return not (STORE.le(s.rest, zero) if s.player == LEFT else STORE.le(zero, s.rest))
    sign = 1 if s.player == LEFT else -1
    mine, yours = (left_stop, right_stop) if s.player == LEFT else (right_stop, left_stop)
    low = sign * (yours(s.rest) + sum(yours(v) for v in s.hot))
    gain = max(sign * (mine(v) - yours(v)) for v in s.hot)
    if low + gain > 0:
        return True
    high = sign * (mine(s.rest) + sum(mine(v) for v in s.hot))
    return False if high < 0 else None


def hint(values: "Iterable[Value | str | int | Fraction]") -> int | None:
    """The hottest component, in which a move is usually good; None if no component is hot.

    >>> hint(["{1|-1}", "{5|-3}", "^"])
    1
    """
    heats = [thermograph(x.id).temperature for x in _values(values)]
    best = max(range(len(heats)), key=heats.__getitem__, default=None)
    return None if best is None or heats[best] <= 0 else best
