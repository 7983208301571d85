"""EGGS values: the Sprague–Grundy value of the start of a game of no return, and sums of them.

A game of no return is an acyclic game whose positions are *debuts*: the paths of the token so far,
on which no position occurs twice. The value of a debut that ends at v depends only on v and on the
open positions (those not on the path) that v can still reach; values are remembered by this pair.
Computing the value is PSPACE-hard in general, even on symmetric graphs of degree 4
([BurkeEtAl2021]), and takes O(V + E) where no cycle can be reached.

Reference: [EdmondsGurvich2010] §2.4. Differs from the paper: debuts that end at the same position
and leave the same open positions in reach count as one; and play in a sum goes on until no
component has a fresh move.
"""

from collections.abc import Hashable, Iterator

from zermelo._door.inputs import shown, whole_number
from zermelo.errors import InvalidOptionError, LimitError
from zermelo.game import Game, impartial_graph
from zermelo.graph import Graph
from zermelo.objectives import NoReturn


class NoReturnGame:
    """A game of no return as a component of a sum; its positions are debuts, tuples of names.

    >>> import zermelo as zm
    >>> game = NoReturnGame(zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")]))
    >>> game.grundy(("c",)), list(game.options(("c",)))
    (2, [('c', 'a'), ('c', 'b')])
    >>> [str(move) for move in zm.Sum([(game, ("c",)), 1]).winning_moves]
    ["0: ('c',) → ('c', 'a') (WIN)"]

    ``nodes`` bounds the number of situations that are examined, over all questions.
    """

    def __init__(self, game: Game | Graph, *, nodes: int | None = None) -> None:
        self._bound = None if nodes is None else whole_number(nodes, "nodes", 0, 2**62)
        self.graph = graph = impartial_graph(game, "EGGS values", NoReturn)
        rows = (graph.successors(v).tolist() for v in range(graph.n))
        self._moves = [sum(1 << w for w in row if w != v) for v, row in enumerate(rows)]
        self._values: dict[tuple[int, int], int] = {}

    def options(self, position: tuple[Hashable, ...]) -> Iterator[tuple[Hashable, ...]]:
        """The debuts that are one move longer."""
        v, free = self._situation(position)
        return ((*position, self.graph.name(w)) for w in _bits(self._moves[v] & free))

    def grundy(self, position: tuple[Hashable, ...]) -> int:
        """The value of a debut."""
        return self._value(*self._situation(position))

    def _situation(self, position: tuple[Hashable, ...]) -> tuple[int, int]:
        if not isinstance(position, tuple) or not position:
            raise InvalidOptionError(
                f"expected a debut, a tuple of positions, got {shown(position)}"
            )
        free: int = (1 << self.graph.n) - 1
        last = -1
        for x in position:
            v = self.graph.index(x)
            if not free >> v & 1 or (last >= 0 and not self._moves[last] >> v & 1):
                raise InvalidOptionError(f"{position!r} is no debut: no fresh move to {x!r}")
            free &= ~(1 << v)
            last = v
        return last, free

    def _within(self, v: int, free: int) -> int:
        """The open positions that v reaches, as bits; ``free`` are all open positions."""
        reached: int = self._moves[v] & free
        layer = reached
        while layer:
            successors = 0
            for w in _bits(layer):
                successors |= self._moves[w]
            layer = successors & free & ~reached
            reached |= layer
        return reached

    def _value(self, start: int, free: int) -> int:
        values = self._values
        root = (start, self._within(start, free))
        stack = [(root, 0, self._moves[start] & root[1])]
        # Invariant: a stack entry has a situation (a position and the open positions that it
        # reaches), the values of the options examined so far, and the moves that are left to
        # examine; the last two are sets of bits.
        while stack:
            situation, option_values, left = stack.pop()
            if situation in values:
                continue
            while left:
                w = left.bit_length() - 1
                option = (w, self._within(w, situation[1] & ~(1 << w)))
                if option not in values:
                    stack.append((situation, option_values, left))
                    stack.append((option, 0, self._moves[w] & option[1]))
                    break
                option_values |= 1 << values[option]
                left ^= 1 << w
            else:
                if self._bound is not None and len(values) >= self._bound:
                    raise LimitError(
                        f"the search for EGGS values has examined {self._bound:,} situations "
                        "without an end; they are PSPACE-hard to find, and a larger bound nodes "
                        "allows more"
                    )
                values[situation] = (~option_values & (option_values + 1)).bit_length() - 1
        return values[root]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def eggs(game: Game | Graph, start: Hashable, *, nodes: int | None = None) -> int:
    """The EGGS value of a start: its Sprague–Grundy value in the game of no return.

    It is 0 exactly if the player to move loses. The value of a sum is the nim-sum of the values. If
    more than ``nodes`` situations would have to be examined, a :class:`LimitError` is raised.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")])
    >>> [eggs(g, x) for x in "abc"]
    [0, 0, 2]
    """
    no_return = NoReturnGame(game, nodes=nodes)
    return no_return.grundy((no_return.graph.name(no_return.graph.index(start)),))
