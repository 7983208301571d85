"""Sums of impartial games: a move is a move in one component. The product is never built.

The value of a sum is the sum of the values (:mod:`zermelo.sums.values`), so the outcome and all
good moves follow from the values of the components. O(moves of the components) once the values are
known.

**Sums with cycles.** In a won sum, every move to value 0 keeps the win, but a player who always
picks an arbitrary one may move in a cycle for ever. Give each component a rank (``Grundy.rank``:
heights on acyclic graphs, monotone counters on cyclic ones; the rank of a nimber is its size). Let
the value of a sum be 0 and let the loser move in component i from u to v. If the value of i rises
or becomes infinite, some move from v restores it at a lower rank than that of u. If it falls, a
move that lowers the value of some other component j makes the total 0 again. A lower value has a
lower rank (and in an acyclic graph every move leads to a lower rank), so i and j both have lower
ranks than before. In both cases there is an answer that makes the sum of all ranks smaller. Best
play here is the answer that makes it smallest, so play ends.

Reference: [FraenkelYesha1986]; [Sprague1935] for sums without cycles.
"""

import functools
import itertools
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from zermelo._inputs.values import listed, shown, whole_number
from zermelo.errors import InvalidOptionError, LimitError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import Label
from zermelo.rules.base import Rules
from zermelo.rules.faults import options_of
from zermelo.rules.values import PositionValues, position_values
from zermelo.solutions.answers import Line
from zermelo.sums.grundy import Grundy, grundy
from zermelo.sums.values import Infinite, Value, nim_sum, nimber, outcome


@runtime_checkable
class KnownGame(Protocol):
    """A game without infinite play that knows the values of its positions, such as heaps."""

    def grundy(self, position: Any) -> int:
        """REQUIRED. The value of a position."""

    def options(self, position: Any) -> Iterable[Any]:
        """REQUIRED. The positions that a move leads to."""


@dataclass(frozen=True, eq=False)
class _Ruled:
    """A game given by rules, as a :class:`KnownGame`."""

    values: PositionValues

    def grundy(self, position: Any) -> int:
        return self.values[position]

    def options(self, position: Any) -> Iterable[Any]:
        return options_of(self.values.rules, position)


MOST_MOVES = 100_000
"""At most this many moves of one heap of Nim are listed."""

MOST_TURNS = 10_000
"""The greatest number of moves of a play without a limit."""

Component: TypeAlias = "int | tuple[Graph | Grundy | Rules[Any] | Game | KnownGame, Hashable]"


class _Part(Protocol):
    """A component at its present position."""

    @property
    def place(self) -> Hashable: ...
    @property
    def value(self) -> Value: ...
    @property
    def rank(self) -> int: ...
    def options(self) -> "Iterator[_Part]": ...


@dataclass(frozen=True)
class _Nimber:
    place: int

    @property
    def value(self) -> Value:
        return self.place

    @property
    def rank(self) -> int:
        return self.place

    def options(self) -> Iterator["_Nimber"]:
        return map(_Nimber, range(self.place))


@dataclass(frozen=True, eq=False)
class _Token:
    solved: Grundy
    v: int

    @property
    def place(self) -> Hashable:
        return self.solved.graph.name(self.v)

    @property
    def value(self) -> Value:
        return self.solved._value(self.v)

    @property
    def rank(self) -> int:
        return int(self.solved.rank[self.v])

    def options(self) -> Iterator["_Token"]:
        return (_Token(self.solved, w) for w in self.solved.graph.successors(self.v).tolist())


@dataclass(frozen=True, eq=False)
class _Position:
    """A position of a game that always ends; it needs no rank, as play is finite."""

    game: KnownGame
    place: Hashable

    @functools.cached_property
    def value(self) -> Value:
        return int(self.game.grundy(self.place))

    @property
    def rank(self) -> int:
        return 0

    def options(self) -> Iterator["_Position"]:
        return (_Position(self.game, x) for x in self.game.options(self.place))


@dataclass(frozen=True)
class SumMove:
    """A move in one component of a sum, and what it leads to."""

    component: int
    """The component's place in the sum, from 0."""
    start: Hashable
    to: Hashable
    value: Value
    """The value of the sum after the move."""
    label: Label
    """What the player who makes the move gets."""
    rank: int
    """The sum of all ranks after the move, for choosing among winning moves."""

    def __post_init__(self) -> None:
        if not isinstance(self.label, Label):
            raise InvalidOptionError(f"label: expected a Label, got {shown(self.label)}")

    def __str__(self) -> str:
        return f"{self.component}: {self.start} → {self.to} ({self.label.name})"


class Sum:
    """A sum of impartial games, played by moves in one component at a time.

    A component is an ``int``, a heap of Nim, or a pair of a game and a position; the game is a
    graph, its :class:`Grundy` values, rules without cycles, or any :class:`Game`, such as a heap
    game. The player who cannot move loses.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("a", "t"), ("b", "a"), ("b", "t"), ("e", "a")])
    >>> s = zm.Sum([(g, "e"), 2])
    >>> s.value, s.outcome.name, [str(move) for move in s.winning_moves]
    (2, 'WIN', ['1: 2 → 0 (WIN)'])
    >>> zm.Sum([(g, "a"), (g, "b")]).outcome.name
    'DRAW'
    """

    def __init__(self, components: Iterable[Component]) -> None:
        solved: dict[int, Any] = {}
        given = listed(components, "the components")
        self._parts: tuple[_Part, ...] = tuple(
            _part(k, component, solved) for k, component in enumerate(given)
        )

    @classmethod
    def _of(cls, parts: Iterable[_Part]) -> "Sum":
        total = cls(())
        total._parts = tuple(parts)
        return total

    @property
    def positions(self) -> tuple[Hashable, ...]:
        """The present position of each component."""
        return tuple(part.place for part in self._parts)

    @functools.cached_property
    def values(self) -> tuple[Value, ...]:
        """The value of each component."""
        return tuple(part.value for part in self._parts)

    @functools.cached_property
    def value(self) -> Value:
        """The value of the sum."""
        return nim_sum(self.values)

    @property
    def outcome(self) -> Label:
        """What the player to move gets."""
        return outcome(self.value)

    # ---------------------------------------------------------------- moves

    def moves(self) -> list[SumMove]:
        """All moves, component by component.

        >>> [str(move) for move in Sum([1, 2]).moves()]
        ['0: 1 → 0 (LOSE)', '1: 2 → 0 (LOSE)', '1: 2 → 1 (WIN)']
        """
        return [move for move, _ in self._moves()]

    def _moves(self, wanted: Label | None = None) -> Iterator[tuple[SumMove, _Part]]:
        """All moves; in heaps of Nim only those that matter, if one label is ``wanted``."""
        finite = nim_sum(x for x in self.values if not isinstance(x, Infinite))
        infinite = [k for k, x in enumerate(self.values) if isinstance(x, Infinite)]
        ranks = sum(part.rank for part in self._parts)
        for k, part in enumerate(self._parts):
            own = self.values[k]
            others: Value = nim_sum(self.values[j] for j in infinite if j != k)
            rest = nim_sum([finite, others, 0 if isinstance(own, Infinite) else own])
            before = ranks - part.rank
            options: Iterable[_Part] = part.options()
            if isinstance(part, _Nimber):
                options = _nim_options(part, rest, wanted)
            for after in options:
                value = nim_sum([rest, after.value])
                label = Label(-outcome(value))
                move = SumMove(k, part.place, after.place, value, label, before + after.rank)
                yield move, after

    def _good(self, label: Label) -> tuple[SumMove, ...]:
        return tuple(move for move, _ in self._moves(label) if move.label == label)

    @property
    def winning_moves(self) -> tuple[SumMove, ...]:
        """All moves after which the opponent loses."""
        return self._good(Label.WIN)

    @property
    def drawing_moves(self) -> tuple[SumMove, ...]:
        """All moves after which best play draws."""
        return self._good(Label.DRAW)

    @property
    def best_move(self) -> SumMove | None:
        """A move of best play, which wins in the end, or draws; None if there is no move.

        A player who loses moves to an infinite value if possible, and to the highest rank.
        """
        best = self._best()
        return None if best is None else best[0]

    def _best(self) -> tuple[SumMove, _Part] | None:
        wanted = self.outcome
        good = [pair for pair in self._moves(wanted) if pair[0].label == wanted]
        if not good or wanted == Label.DRAW:
            return good[0] if good else None
        if wanted == Label.WIN:
            return min(good, key=lambda pair: pair[0].rank)
        return max(good, key=lambda pair: (isinstance(pair[0].value, Infinite), pair[0].rank))

    def after(self, move: SumMove) -> "Sum":
        """The sum after a move.

        >>> s = Sum([1, 2])
        >>> s.after(s.best_move)
        Sum(1 + 1 = 0: LOSE)
        """
        if not isinstance(move, SumMove):
            raise InvalidOptionError(f"expected a move of a sum, got {shown(move)}")
        k = whole_number(move.component, "component", 0, len(self) - 1)
        here = self._parts[k]
        if isinstance(here, _Nimber):
            left = whole_number(move.to, "to", None)
            if 0 <= left < here.place:
                return self._with(k, _Nimber(left))
        else:
            for part in here.options():
                if part.place == move.to:
                    return self._with(k, part)
        raise InvalidOptionError(f"expected a move of {self}, got {move}")

    def _with(self, k: int, part: _Part) -> "Sum":
        return Sum._of((*self._parts[:k], part, *self._parts[k + 1 :]))

    def play(self, limit: int | None = None) -> Line:
        """Best play, as tuples of positions; at most ``limit`` moves.

        It ends unless it is a draw; then it stops where it begins to repeat.

        >>> print(Sum([1, 2]).play())
        (1, 2) → (1, 1) → (0, 1) → (0, 0)
        """
        here = self
        if limit is not None:
            limit = whole_number(limit, "limit")
        line, seen = Line([self.positions]), {self.positions: 0}
        drawn = self.outcome == Label.DRAW
        for turn in itertools.count(1):
            if limit is None and turn > MOST_TURNS:
                raise LimitError(
                    f"play goes on after {MOST_TURNS:,} moves; give a limit to see some of them"
                )
            best = None if limit is not None and turn > limit else here._best()
            if best is None:
                break
            here = here._with(best[0].component, best[1])
            line.append(here.positions)
            if drawn and here.positions in seen:
                line.cycle = seen[here.positions]
                break
            seen.setdefault(here.positions, turn)
        return line

    # ---------------------------------------------------------------- special methods

    def __add__(self, other: "Sum | int") -> "Sum":
        if isinstance(other, Sum):
            return Sum._of((*self._parts, *other._parts))
        if isinstance(other, bool) or not isinstance(other, int):
            return NotImplemented
        return Sum._of((*self._parts, _Nimber(nimber(other))))

    __radd__ = __add__

    def __len__(self) -> int:
        return len(self._parts)

    def __repr__(self) -> str:
        where = " + ".join(map(str, self.positions))
        return f"Sum({where} = {self.value}: {self.outcome.name})"


def _nim_options(heap: _Nimber, rest: Value, wanted: Label | None) -> Iterator[_Nimber]:
    """The heaps that a move leaves of a heap; only those needed, if one label is ``wanted``.

    The move that wins is the one that makes the sum 0. If all moves lose, the best move is the one
    to the greatest rank: it takes one token.
    """
    if wanted == Label.LOSE:
        return iter([_Nimber(heap.place - 1)] if heap.place else [])
    if wanted == Label.WIN:
        return iter([_Nimber(rest)] if isinstance(rest, int) and rest < heap.place else [])
    if heap.place > MOST_MOVES:
        raise LimitError(
            f"a heap of {shown(heap.place)} has as many moves, and at most {MOST_MOVES:,} are "
            "listed; winning moves are found in heaps of any size"
        )
    return heap.options()


def _part(k: int, component: Any, solved: dict[int, Any]) -> _Part:
    """One component, checked; a graph or rules that come twice are solved once."""
    if isinstance(component, tuple) and len(component) == 2:
        game, position = component
        if isinstance(game, Graph | Game) and id(game) not in solved:
            solved[id(game)] = grundy(game)
        elif isinstance(game, Rules) and id(game) not in solved:
            solved[id(game)] = _Ruled(position_values(game))
        game = solved.get(id(game), game)
        if isinstance(game, Grundy):
            return _Token(game, game.graph.index(position))
        if isinstance(game, KnownGame):
            return _Position(game, position)
    elif not isinstance(component, bool) and hasattr(component, "__index__"):
        return _Nimber(nimber(component))
    raise InvalidOptionError(
        f"component {k}: expected a pair (game, position) or the size of a heap, got "
        f"{shown(component)}"
    )
