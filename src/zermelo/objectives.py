"""What winning means: one small frozen record each.

Every objective here belongs to the family of *terminal-payoff games*: a payoff for each terminal
situation and one for all infinite plays, as player 0 sees them. :meth:`Objective.terminal_form`
says which member of the family it is on a given graph; solvers and checkers read only that.

| game          | player 0 stuck | player 1 stuck | infinite play |
|---------------|----------------|----------------|---------------|
| `NormalPlay`  | −1             | +1             | 0             |
| `Misere`      | +1             | −1             | 0             |
| `Asymmetric`  | 0              | +1             | −1            |
| `G0`          | −1             | +1             | −1            |
| `G1`          | −1             | +1             | +1            |
| `H1`          | +1             | +1             | −1            |
"""

import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int32Array, Player

Number = int | float | Fraction


class Layout(Enum):
    """How situations (who moves where) are numbered."""

    SYMMETRIC = "symmetric"
    """Situation = position; values are as the mover sees them."""
    OWNED = "owned"
    """Situation = position, its owner moves; values are as player 0 sees them."""
    ALTERNATING = "alternating"
    """Situation 2 v + e = token on v, player e to move; values are as player 0 sees them."""


@dataclass(frozen=True, eq=False)
class TerminalForm:
    """A game of the terminal-payoff family, spelled out for one graph.

    ``levels`` are the distinct payoffs, increasing. ``absorbing`` lists the situations where play
    ends (terminals, and for ``Reach`` and ``Safety`` the targets and the unsafe positions) and
    ``absorbing_level`` the index into ``levels`` that each pays; ``infinite`` is the index of what
    infinite play pays. Under ``agreed_ends``, an end that pays just what infinite play pays gives
    distances (the shortest way, which both sides may agree on).
    """

    layout: Layout
    levels: tuple[Number, ...]
    infinite: int
    absorbing: Int32Array
    absorbing_level: Int32Array
    agreed_ends: bool = True

    @property
    def doubled(self) -> bool:
        """Whether there are two situations for each position."""
        return self.layout is Layout.ALTERNATING


@dataclass(frozen=True, eq=False)
class Objective:
    """The root of all objectives."""

    family: ClassVar[str] = "terminal"
    """The family of solvers that it belongs to."""
    keyword: ClassVar[str] = ""
    """The objective's name on the command line and in files."""

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The payoffs that this objective puts on a graph's terminals and infinite plays."""
        raise InvalidObjectiveError(f"{type(self).__name__} is no terminal-payoff game")

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The objective as plain data (JSON types; positions by number), for files."""
        return {"objective": self.keyword}

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "Objective":
        """The inverse of :meth:`spec`."""
        return cls()


@dataclass(frozen=True, eq=False)
class StuckPayoff(Objective):
    """Games whose payoff depends only on who is stuck."""

    stuck: ClassVar[tuple[int, int]] = (-1, 1)
    infinite: ClassVar[int] = 0

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The row of the table above that has this objective's name."""
        levels = (-1, 0, 1)
        pays = np.array(self.stuck, np.int32) + 1
        stuck = graph.terminals
        if graph.owner is not None:
            return TerminalForm(
                Layout.OWNED, levels, self.infinite + 1, stuck, pays[graph.owner[stuck]]
            )
        if self.infinite == 0 and self.stuck[0] == -self.stuck[1]:
            codes = np.full(stuck.size, pays[0], np.int32)
            return TerminalForm(Layout.SYMMETRIC, levels, 1, stuck, codes)
        both = _doubled(stuck)
        return TerminalForm(
            Layout.ALTERNATING, levels, self.infinite + 1, both, pays[both & 1].astype(np.int32)
        )


@dataclass(frozen=True, eq=False)
class NormalPlay(StuckPayoff):
    """Normal play, Löwe's symmetric game S: who cannot move loses, infinite play is a draw."""

    keyword = "normal"


@dataclass(frozen=True, eq=False)
class Misere(StuckPayoff):
    """Misère play: who cannot move wins, infinite play is a draw."""

    keyword = "misere"
    stuck = (1, -1)


@dataclass(frozen=True, eq=False)
class Asymmetric(StuckPayoff):
    """Löwe's asymmetric game A: player 1 wins infinite play, and stalemating player 0 draws.

    [Loewe2004] §3. The labels of a solution are the *bilabelling*: ``label[v, e]`` is what player
    ``e`` gets who starts at ``v``; ``e = 1`` is the inverted game Ā.
    """

    keyword = "asymmetric"
    stuck = (0, 1)
    infinite = -1


@dataclass(frozen=True, eq=False)
class G0(StuckPayoff):
    """The Gale–Stewart game G₀: normal play in which player 1 wins infinite play.

    [Loewe2004] §3.2.
    """

    keyword = "g0"
    infinite = -1


@dataclass(frozen=True, eq=False)
class G1(StuckPayoff):
    """The Gale–Stewart game G₁: normal play in which player 0 wins infinite play.

    [Loewe2004] §3.2.
    """

    keyword = "g1"
    infinite = 1


@dataclass(frozen=True, eq=False)
class H1(StuckPayoff):
    """The Gale–Stewart game H₁: player 0 wins when play ends, player 1 when it does not.

    [Loewe2004] §3.2.
    """

    keyword = "h1"
    stuck = (1, 1)
    infinite = -1


@dataclass(frozen=True, eq=False)
class TerminalPayoff(Objective):
    """Any payoffs: a *deterministic graphical game*, on alternating or owned graphs.

    ``payoffs`` maps each terminal to what player 0 gets when play ends there: a mapping, a
    function of the position's name, or a sequence by position number whose entries at other
    positions are ignored. Where the players alternate, a payoff may be a pair (player 0 stuck,
    player 1 stuck), the sequence an array of shape (n, 2).

    With ``view="mover"`` payoffs are what the *stuck player* gets: explicit labels, say. Then
    ``infinite`` must be 0, and values and labels have one entry a position.

    Values are exact: integers, fractions and floats are compared, never computed with.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "x"), ("a", "b"), ("b", "y"), ("b", "a")],
    ...                         owner={"a": 0, "b": 1, "x": 0, "y": 0})
    >>> s = zm.solve(g, zm.TerminalPayoff({"x": 3, "y": 5}, infinite=4))
    >>> s["a"].value, s["b"].value
    (4, 4)
    """

    payoffs: Mapping[Any, Any] | Callable[[Hashable], Any] | npt.ArrayLike
    infinite: Number = 0
    view: str = "player0"
    keyword = "terminal-payoff"

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """Sort the payoffs into levels."""
        if self.view not in ("player0", "mover"):
            raise InvalidObjectiveError(f"view: expected 'player0' or 'mover', got {self.view!r}")
        stuck = graph.terminals
        pays = self._table(graph)
        if self.view == "mover":
            if self.infinite != 0:
                raise InvalidObjectiveError(
                    f"view='mover': expected infinite=0 (both see the same), got {self.infinite!r}"
                )
            if graph.owner is None:
                if any(a != b for a, b in pays):
                    raise InvalidObjectiveError("view='mover': expected one payoff a terminal")
                values: list[Number] = [a for a, _ in pays]
                levels = _levels([*values, *(-x for x in values), 0])
                return _form(Layout.SYMMETRIC, levels, 0, stuck, values)
            pays = [(a, -b) for a, b in pays]
        if graph.owner is not None:
            chosen = [pay[o] for pay, o in zip(pays, graph.owner[stuck].tolist(), strict=True)]
            levels = _levels([*chosen, self.infinite])
            return _form(Layout.OWNED, levels, self.infinite, stuck, chosen)
        flat = [x for pay in pays for x in pay]
        levels = _levels([*flat, self.infinite])
        return _form(Layout.ALTERNATING, levels, self.infinite, _doubled(stuck), flat)

    def _table(self, graph: Graph) -> list[tuple[Number, Number]]:
        """What each terminal pays when player 0 and when player 1 is stuck there."""
        stuck = graph.terminals.tolist()
        given = self.payoffs
        if isinstance(given, Mapping):
            payoff_of = {graph.index(x): y for x, y in given.items()}
            for v in payoff_of:
                if graph.out_degree[v]:
                    raise InvalidObjectiveError(
                        f"payoff of {graph.name(v)!r}: expected a terminal, it has moves"
                    )
            for v in stuck:
                if v not in payoff_of:
                    raise InvalidObjectiveError(f"terminal {graph.name(v)!r} has no payoff")
            listed = [payoff_of[v] for v in stuck]
        elif callable(given):
            listed = [given(graph.name(v)) for v in stuck]
        else:
            if isinstance(given, np.ndarray):
                array: AnyArray = given
            else:
                rows = list(given) if isinstance(given, Iterable) else [given]
                array = np.empty(len(rows), object)
                array[:] = rows
            if array.shape not in ((graph.n,), (graph.n, 2)):
                raise InvalidObjectiveError(
                    f"payoffs: expected {graph.n} entries, one a position, got {array.shape}"
                )
            listed = array[stuck].tolist()
        return [_payoffs(graph.name(v), x) for v, x in zip(stuck, listed, strict=True)]

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The payoffs by terminal; a fraction becomes a string."""
        table = self._table(graph)
        pays = {
            str(v): plain(a) if a == b else [plain(a), plain(b)]
            for v, (a, b) in zip(graph.terminals.tolist(), table, strict=True)
        }
        return {
            "objective": self.keyword,
            "payoffs": pays,
            "infinite": plain(self.infinite),
            "view": self.view,
        }

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "TerminalPayoff":
        """Read the payoffs back."""
        pays = data.get("payoffs")
        if not isinstance(pays, Mapping):
            raise InvalidObjectiveError(f"payoffs: expected an object, got {pays!r}")
        places = [_place(v, graph) for v in pays]
        values = [
            tuple(number(y) for y in x) if isinstance(x, list) else number(x) for x in pays.values()
        ]
        return cls(
            {graph.name(v): x for v, x in zip(places, values, strict=True)},
            number(data.get("infinite", 0)),
            data.get("view", "player0"),
        )


@dataclass(frozen=True, eq=False)
class PlainSet(Objective):
    """Objectives given by one set of positions and the player who wants them."""

    positions: Iterable[Hashable] | npt.ArrayLike
    player: int = field(default=Player.ZERO, kw_only=True)

    def __post_init__(self) -> None:
        if self.player not in (0, 1):
            raise InvalidObjectiveError(f"player: expected 0 or 1, got {self.player!r}")
        if not isinstance(self.positions, np.ndarray | frozenset | set | str):
            given = self.positions
            kept = list(given) if isinstance(given, Iterable) else given
            object.__setattr__(self, "positions", kept)

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The set as a list of position numbers."""
        chosen = np.flatnonzero(graph.mask(self.positions)).tolist()
        return {"objective": self.keyword, "positions": chosen, "player": int(self.player)}

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "PlainSet":
        """Read the set back."""
        chosen = data.get("positions")
        if not isinstance(chosen, list):
            raise InvalidObjectiveError(f"positions: expected a list, got {chosen!r}")
        mask = np.zeros(graph.n, bool)
        mask[[_place(v, graph) for v in chosen]] = True
        return cls(mask, player=data.get("player", 0))

    def _form(self, graph: Graph, ends: Any, pays: int, infinite: int) -> TerminalForm:
        """Positions of the mask ``ends`` pay ``pays``; elsewhere, who is stuck loses."""
        stuck = np.zeros(graph.n, bool)
        stuck[graph.terminals] = True
        where = np.flatnonzero(ends | stuck).astype(np.int32)
        layout = Layout.OWNED
        if graph.owner is None:
            layout, where = Layout.ALTERNATING, _doubled(where)
            at, mover = where >> 1, where & 1
        else:
            at, mover = where, graph.owner[where]
        sign = 1 if self.player == 0 else -1
        codes = np.where(ends[at], sign * pays > 0, mover == 1).astype(np.int32)
        return TerminalForm(
            layout, (-1, 1), int(sign * infinite > 0), where, codes, agreed_ends=False
        )


@dataclass(frozen=True, eq=False)
class Reach(PlainSet):
    """Player 0 (or ``player``) wins iff the token ever reaches one of the positions.

    A dead end outside them is lost for the one who is stuck there. Distances are attractor ranks.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
    >>> zm.solve(g, zm.Reach([2])).winner.tolist()
    [1, 1, 0]
    """

    keyword = "reach"

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The targets end play and are won; infinite play is lost."""
        return self._form(graph, graph.mask(self.positions), 1, -1)


@dataclass(frozen=True, eq=False)
class Safety(PlainSet):
    """Player 0 (or ``player``) wins iff the token never leaves the positions.

    A dead end inside them is lost for the one who is stuck there. Distances are the ranks of the
    other player's attractor to the outside.
    """

    keyword = "safety"

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The unsafe positions end play and are lost; infinite play is won."""
        return self._form(graph, ~graph.mask(self.positions), -1, 1)


OBJECTIVES: dict[str, type[Objective]] = {
    cls.keyword: cls
    for cls in (NormalPlay, Misere, Asymmetric, G0, G1, H1, TerminalPayoff, Reach, Safety)
}
"""Every objective by its name on the command line and in files."""


# -------------------------------------------------------------------- numbers


def number(x: Any) -> Number:
    """A payoff from plain data: a number, or a fraction in a string.

    >>> number("1/3")
    Fraction(1, 3)
    """
    if isinstance(x, str):
        try:
            return Fraction(x)
        except (ValueError, ZeroDivisionError):
            raise InvalidObjectiveError(f"expected a number, got {x!r}") from None
    if isinstance(x, np.generic):
        x = x.item()
    if isinstance(x, bool) or not isinstance(x, Real) or (isinstance(x, float) and math.isnan(x)):
        raise InvalidObjectiveError(f"expected a number, got {x!r}")
    return x if isinstance(x, int | float | Fraction) else Fraction(x)


def plain(x: Number) -> int | float | str:
    """The inverse of :func:`number`."""
    return str(x) if isinstance(x, Fraction) else x


def _payoffs(name: Hashable, given: Any) -> tuple[Number, Number]:
    pair = given if isinstance(given, tuple | list | np.ndarray) else (given, given)
    if len(pair) != 2:
        raise InvalidObjectiveError(
            f"payoff of {name!r}: expected one or two numbers, got {given!r}"
        )
    try:
        return number(pair[0]), number(pair[1])
    except InvalidObjectiveError as error:
        raise InvalidObjectiveError(f"payoff of {name!r}: {error}") from None


def _place(v: Any, graph: Graph) -> int:
    try:
        place = int(v)
    except (TypeError, ValueError):
        place = -1
    if not 0 <= place < graph.n:
        raise InvalidObjectiveError(f"expected a position number 0 … {graph.n - 1}, got {v!r}")
    return place


def _levels(values: list[Number]) -> tuple[Number, ...]:
    return tuple(sorted(set(values)))


def _form(
    layout: Layout,
    levels: tuple[Number, ...],
    infinite: Number,
    absorbing: Int32Array,
    values: list[Number],
) -> TerminalForm:
    code = {x: c for c, x in enumerate(levels)}
    codes = np.fromiter((code[x] for x in values), np.int32, len(values))
    return TerminalForm(layout, levels, code[number(infinite)], absorbing, codes)


def _doubled(positions: Int32Array) -> Int32Array:
    """Both situations of each position, in order."""
    both = np.repeat(positions.astype(np.int32) * np.int32(2), 2)
    both[1::2] += np.int32(1)
    return both
