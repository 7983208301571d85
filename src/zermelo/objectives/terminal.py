"""Terminal-payoff games: each objective is a small frozen record.

Every objective here belongs to the family of *terminal-payoff games*: a payoff for each terminal
situation and one for all infinite plays, for player 0. :meth:`Objective.terminal_form` gives these
payoffs for a graph; solvers and checkers read only them.

| game          | player 0 stuck | player 1 stuck | infinite play |
|---------------|----------------|----------------|---------------|
| `NormalPlay`  | −1             | +1             | 0             |
| `Misere`      | +1             | −1             | 0             |
| `Asymmetric`  | 0              | +1             | −1            |
| `G0`          | −1             | +1             | −1            |
| `G1`          | −1             | +1             | +1            |
| `H1`          | +1             | +1             | −1            |
"""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo._inputs.values import one_of, plain_array
from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, BoolArray
from zermelo.objectives.base import Objective, PlainSet, check_example, spec_of
from zermelo.objectives.terminal_form import (
    Layout,
    Number,
    TerminalForm,
    coded_form,
    doubled,
    entries,
    exact_array,
    number,
    payoff_pair,
    place_number,
    plain,
)

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True, eq=False)
class Terminal(Objective):
    """The base class of the terminal-payoff games."""

    def check_data(self, graph: Graph) -> None:
        """Refuse payoffs that do not fit the terminals of a graph, or too many situations."""
        self.terminal_form(graph)

    def doubled(self, graph: Graph) -> bool:
        """Whether each position has two situations, one for either player to move."""
        return self.terminal_form(graph).doubled


@dataclass(frozen=True, eq=False)
class StuckPayoff(Terminal):
    """Games in which the payoff of an end depends only on the player who is stuck."""

    stuck: ClassVar[tuple[int, int]] = (-1, 1)
    infinite: ClassVar[int] = 0

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The payoffs of the row of this objective in the table above."""
        graph = as_graph(graph)
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
        both = doubled(stuck, graph.n)
        return TerminalForm(
            Layout.ALTERNATING, levels, self.infinite + 1, both, pays[both & 1].astype(np.int32)
        )


@dataclass(frozen=True, eq=False)
class NormalPlay(StuckPayoff):
    """Löwe's symmetric game S: a player who cannot move loses, and infinite play is a draw."""

    keyword = "normal"


@dataclass(frozen=True, eq=False)
class Misere(StuckPayoff):
    """Misère play: a player who cannot move wins, and infinite play is a draw.

    For games that end when a position is repeated, [EdmondsGurvich2010] uses the word misère for
    :class:`~zermelo.objectives.geography.Return`: the player who returns wins.
    """

    keyword = "misere"
    stuck = (1, -1)


@dataclass(frozen=True, eq=False)
class Asymmetric(StuckPayoff):
    """Löwe's game A: player 1 wins infinite play; when stuck, player 0 draws and player 1 loses.

    [Loewe2004] §3 calls it the asymmetric game. The labels of a solution are the *bilabelling*:
    ``label[v, e]`` is the label for player ``e`` if she starts at ``v``. The game in which player 1
    starts is the inverted game Ā.
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
class TerminalPayoff(Terminal):
    """Any payoffs: a *deterministic graphical game*, on alternating or owned graphs.

    ``payoffs`` maps each terminal to the payoff of player 0 if play ends there: a mapping, a
    function of the position's name, or a sequence by position number whose entries at other
    positions are ignored. If the players alternate, a payoff may be a pair (player 0 stuck,
    player 1 stuck), and the sequence may be an array of shape (n, 2).

    With ``view="mover"`` payoffs are those of the *stuck player*; explicit labels are an example.
    Then ``infinite`` must be 0, and values and labels have one entry for each position.

    Values are exact: integers, fractions and floats are only compared.

    A *label* is the sign of the value for the player to move. It is no comparison with
    ``infinite``: in the example player 0 gets 4, the payoff of infinite play, and that is a WIN of
    player 0. Subtract ``infinite`` from all payoffs to have it as a DRAW.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "x"), ("a", "b"), ("b", "y"), ("b", "a")],
    ...                         owner={"a": 0, "b": 1, "x": 0, "y": 0})
    >>> s = zm.solve(g, zm.TerminalPayoff({"x": 3, "y": 5}, infinite=4))
    >>> s["a"].value, s["b"].value
    (4, 4)
    >>> s["a"].label.name, s["b"].label.name
    ('WIN', 'LOSE')
    >>> zm.solve(g, zm.TerminalPayoff({"x": -1, "y": 1}))["a"].label.name
    'DRAW'
    """

    payoffs: Mapping[Any, Any] | Callable[[Hashable], Any] | npt.ArrayLike
    infinite: Number = 0
    view: str = "player0"
    keyword = "terminal-payoff"

    def __post_init__(self) -> None:
        if isinstance(self.payoffs, np.ndarray):
            kept = plain_array(self.payoffs, "payoffs", InvalidObjectiveError).copy()
            object.__setattr__(self, "payoffs", kept)

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """Sort the payoffs into levels."""
        graph = as_graph(graph)
        one_of(self.view, "view", ("player0", "mover"), InvalidObjectiveError)
        infinite = number(self.infinite)
        stuck = graph.terminals
        pays = self._table(graph)
        if self.view == "mover":
            if infinite != 0:
                raise InvalidObjectiveError(
                    f"view='mover': expected infinite=0 (for both players), got {infinite!r}"
                )
            if graph.owner is None:
                if (pays[:, 0] != pays[:, 1]).any():
                    raise InvalidObjectiveError(
                        "view='mover': expected one payoff for each terminal"
                    )
                return coded_form(Layout.SYMMETRIC, stuck, pays[:, 0], [0], mirrored=True)
            pays = exact_array([x for a, b in pays.tolist() for x in (a, -b)]).reshape(-1, 2)
        if graph.owner is not None:
            chosen = np.take_along_axis(pays, graph.owner[stuck, None].astype(np.intp), 1)
            return coded_form(Layout.OWNED, stuck, chosen[:, 0], [infinite])
        return coded_form(Layout.ALTERNATING, doubled(stuck, graph.n), pays.reshape(-1), [infinite])

    def describe(self, graph: Graph) -> str:
        """The keyword, and the payoff of infinite play."""
        return f"{self.keyword}, {self.infinite} for infinite play"

    def _table(self, graph: Graph) -> AnyArray:
        """The payoffs of each terminal if player 0, or player 1, is stuck there: shape (t, 2)."""
        graph = as_graph(graph)
        stuck = graph.terminals
        given = self.payoffs
        if isinstance(given, Mapping):
            payoff_of = {graph.index(x): y for x, y in given.items()}
            for v in payoff_of:
                if graph.out_degree[v]:
                    raise InvalidObjectiveError(
                        f"payoff of {graph.name(v)!r}: expected a terminal, but it has moves"
                    )
            for v in stuck.tolist():
                if v not in payoff_of:
                    raise InvalidObjectiveError(f"terminal {graph.name(v)!r} has no payoff")
            listed = [payoff_of[v] for v in stuck.tolist()]
        elif callable(given):
            listed = [given(graph.name(v)) for v in stuck.tolist()]
        else:
            array = given if isinstance(given, np.ndarray) else entries(given)
            if array.shape not in ((graph.n,), (graph.n, 2)):
                raise InvalidObjectiveError(
                    f"payoffs: expected {graph.n} entries, one for each position, got {array.shape}"
                )
            exact = array.dtype.kind in "iuf" and array.dtype != np.longdouble
            if exact and np.isfinite(array[stuck]).all():
                chosen = array[stuck]
                return np.stack([chosen, chosen], 1) if chosen.ndim == 1 else chosen
            listed = list(array[stuck])
        pairs = [payoff_pair(graph.name(v), x) for v, x in zip(stuck.tolist(), listed, strict=True)]
        return exact_array([x for pair in pairs for x in pair]).reshape(-1, 2)

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The payoffs by terminal; a fraction becomes a string."""
        self.terminal_form(graph)  # checks the payoffs
        table = self._table(graph)
        pays = {
            str(v): plain(a) if a == b else [plain(a), plain(b)]
            for v, (a, b) in zip(graph.terminals.tolist(), table.tolist(), strict=True)
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
        pays = spec_of(data).get("payoffs")
        if not isinstance(pays, Mapping):
            raise InvalidObjectiveError(f"payoffs: expected an object, got {pays!r}")
        places = [place_number(v, graph) for v in pays]
        values = [
            tuple(number(y) for y in x) if isinstance(x, list) else number(x) for x in pays.values()
        ]
        return cls(
            {graph.name(v): x for v, x in zip(places, values, strict=True)},
            number(data.get("infinite", 0)),
            data.get("view", "player0"),
        )

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "TerminalPayoff":
        """Exact numbers of all kinds, of few or many levels, as either side sees them."""
        check_example(graph, rng)
        pool = rng.choice(_POOLS)
        stuck = [graph.name(v) for v in graph.terminals.tolist()]
        if rng.random() < 0.4:
            return cls({x: rng.choice(pool) for x in stuck}, view="mover")
        infinite = rng.choice(pool)
        if graph.owner is None and rng.random() < 0.6:
            return cls({x: (rng.choice(pool), rng.choice(pool)) for x in stuck}, infinite)
        return cls({x: rng.choice(pool) for x in stuck}, infinite)


_POOLS: tuple[tuple[Number, ...], ...] = (
    (-1, 0, 1),
    (-2, -1, 0, 1, 2),
    (0, 1, 2, 3),
    (-3, -2, -1),
    (Fraction(1, 3), Fraction(-1, 2), 0, 1),
    (-1.5, 0.0, 2.25),
    (2**70, -1, Fraction(1, 7), 0.25),
)
"""The numbers from which an example draws its payoffs."""


def ending_form(
    graph: Graph, player: int, won: BoolArray, lost: BoolArray, infinite: int
) -> TerminalForm:
    """Play ends at two sets of positions, which a player wins and loses; he gets ``infinite``, +1
    or −1, for infinite play. At other ends the stuck player loses."""
    stuck = np.zeros(graph.n, bool)
    stuck[graph.terminals] = True
    where = np.flatnonzero(won | lost | stuck).astype(np.int32)
    layout = Layout.OWNED
    if graph.owner is None:
        layout, where = Layout.ALTERNATING, doubled(where, graph.n)
        at, mover = where >> 1, where & 1
    else:
        at, mover = where, graph.owner[where]
    codes = np.where(mover == 1, 1, 0)
    codes[won[at]], codes[lost[at]] = 1 - player, player
    return TerminalForm(
        layout,
        (-1, 1),
        int((infinite > 0) == (player == 0)),
        where,
        codes.astype(np.int32),
        agreed_ends=False,
    )


@dataclass(frozen=True, eq=False)
class EndingSet(Terminal, PlainSet):
    """Sets of positions at which play ends."""


@dataclass(frozen=True, eq=False)
class Reach(EndingSet):
    """Player 0 (or ``player``) wins iff the token ever reaches one of the positions.

    A dead end outside them is lost for the player who is stuck there. Distances are the ranks of
    the attractor.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
    >>> zm.solve(g, zm.Reach([2])).winner.tolist()
    [1, 1, 0]
    """

    keyword = "reach"
    endless_mean = "no target is reached"

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The targets end play and are won; infinite play is lost."""
        targets = as_graph(graph).mask(self.positions)
        return ending_form(graph, int(self.player), targets, np.zeros_like(targets), -1)


@dataclass(frozen=True, eq=False)
class Safety(EndingSet):
    """Player 0 (or ``player``) wins iff the token never leaves the positions.

    A dead end inside them is lost for the player who is stuck there. Distances are the ranks of the
    other player's attractor to the outside.
    """

    keyword = "safety"
    endless_mean = "the safe positions are never left"

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The unsafe positions end play and are lost; infinite play is won."""
        safe = as_graph(graph).mask(self.positions)
        return ending_form(graph, int(self.player), np.zeros_like(safe), ~safe, 1)
