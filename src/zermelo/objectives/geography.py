"""Games that end when a position, or a move, occurs for the second time.

Two players move a token in turn, and the history matters: the player who repeats a position
(*return*) or a move (*repetition*) loses, or wins. A move is *fresh* if it repeats nothing. A
player without a move counts as a player who must repeat, as with the loops that the paper adds to
terminals, if positions are counted; if moves are counted, these loops change the winner.

Reference: [EdmondsGurvich2010]. ``NoReturn`` and ``NoRepetition`` are also known as vertex and
edge geography. What the paper calls the *misère* version is ``Return`` and ``Repetition``: a player
may return to a position, and then wins at once. This is *not* misère geography: in
``NoReturn(misere=True)`` a return is forbidden, and the player who has no fresh move wins.

Solvers and checkers read four attributes: ``terminal``, the label of a position without moves;
``stuck``, the label of a position that has moves but no fresh one; ``returns``, whether a player
may return; and ``arcs``, whether moves instead of positions are counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph, as_graph
from zermelo.objectives.base import Objective, check_example, spec_of

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True, eq=False)
class Geography(Objective):
    """The base class of the games of return and of repetition."""

    family = "geography"
    levels: ClassVar[tuple[int | None, ...]] = (-1, 1, None)
    """Nothing is drawn, and a search may be given up."""
    returns: ClassVar[bool] = False
    """Whether the player who returns to a position wins."""
    arcs: ClassVar[bool] = False
    """Whether moves are counted instead of positions."""

    @property
    def terminal(self) -> int:
        """The label of a position without moves."""
        return 1

    @property
    def stuck(self) -> int:
        """The label of a position that has moves, but no fresh one and none that returns."""
        return -1

    def check(self, graph: Graph) -> None:
        """Refuse a graph on which the players do not take turns."""
        if as_graph(graph).owner is not None:
            raise InvalidObjectiveError(
                f"{type(self).__name__}: expected a graph without owners, because the players move "
                "in turn; graph.with_owner(None) removes them"
            )


@dataclass(frozen=True, eq=False)
class _Fresh(Geography):
    """The games in which nothing may be repeated, with their misère forms."""

    misere: bool = False

    def describe(self, graph: Graph) -> str:
        """The keyword, what must not happen twice, and who wins at the end."""
        twice = "no move is made twice" if self.arcs else "no position occurs twice"
        end = "wins" if self.misere else "loses"
        return f"{self.keyword}: {twice}, and a player without a fresh move {end}"

    def __post_init__(self) -> None:
        if not isinstance(self.misere, bool):
            raise InvalidObjectiveError(f"misere: expected True or False, got {self.misere!r}")

    @property
    def terminal(self) -> int:
        """The label of a position without moves."""
        return 1 if self.misere else -1

    @property
    def stuck(self) -> int:
        """The label of a position without a fresh move; it is that of a position without moves."""
        return self.terminal

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The keyword, and whether it is the misère form."""
        return {"objective": self.keyword} | ({"misere": True} if self.misere else {})

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "_Fresh":
        """The inverse of :meth:`spec`."""
        return cls(spec_of(data).get("misere", False))

    @classmethod
    def from_text(cls, text: str, graph: Graph) -> "_Fresh":
        """The misère form, from ``no-return:misere``."""
        if text != "misere":
            raise InvalidObjectiveError(
                f"{cls.keyword}: expected nothing or misere after the colon, got {text!r}"
            )
        return cls(misere=True)

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "_Fresh":
        """The game or its misère form."""
        check_example(graph, rng)
        return cls(rng.random() < 0.5)


@dataclass(frozen=True, eq=False)
class NoReturn(_Fresh):
    """No position occurs twice: a player without a fresh move loses; in misère play she wins.

    The *misère* version of [EdmondsGurvich2010] is not ``misere=True`` but :class:`Return`.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")])
    >>> [zm.solve(g, zm.NoReturn(misere)).label.tolist() for misere in (False, True)]
    [[-1, -1, -1], [1, 1, 1]]
    """

    keyword = "no-return"


@dataclass(frozen=True, eq=False)
class Return(Geography):
    """The player who first returns to a position wins; so does a player who is stuck.

    [EdmondsGurvich2010] calls it the *misère* version of the game of no return. The game
    ``NoReturn(misere=True)`` is another one: nobody may return there.

    >>> import zermelo as zm
    >>> zm.solve(zm.Graph.from_edges([(0, 1), (1, 2), (2, 0)]), zm.Return()).label.tolist()
    [1, 1, 1]
    """

    keyword = "return"
    returns = True


@dataclass(frozen=True, eq=False)
class NoRepetition(_Fresh):
    """No move is made twice: a player without a fresh move loses; in misère play she wins.

    The *misère* version of [EdmondsGurvich2010] is not ``misere=True`` but :class:`Repetition`.

    A player at a terminal has no move, so she loses at once: s wins on s→t. The paper adds a loop
    to every terminal instead, which gives another game. She uses the loop, then her opponent must
    repeat it, so s loses. :func:`~zermelo.transform.loops_at_terminals` adds these loops.

    >>> import zermelo as zm
    >>> zm.solve(zm.Graph.from_edges([(0, 1), (1, 0), (1, 1)]), zm.NoRepetition()).label.tolist()
    [-1, 1]
    """

    keyword = "no-repetition"
    arcs = True


@dataclass(frozen=True, eq=False)
class Repetition(Geography):
    """The player who first repeats a move wins; so does a player who is stuck.

    [EdmondsGurvich2010] calls it the *misère* version of the game of no repetition.
    The game depends only on positions: a player who enters a position that was left before lets the
    opponent repeat a move. So the players avoid positions that occurred before, and terminals.

    >>> import zermelo as zm
    >>> zm.solve(zm.Graph.from_edges([(0, 1), (1, 2), (2, 0)]), zm.Repetition()).label.tolist()
    [-1, -1, -1]
    """

    keyword = "repetition"
