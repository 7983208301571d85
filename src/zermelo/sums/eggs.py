"""EGGS values: the Sprague–Grundy value of the start of a game of no return, and sums of them.

A game of no return is an acyclic game whose positions are *debuts*, the ways that the token has
gone without coming back. Its value at v depends on what is still open and can be reached from v,
and that pair is what is remembered here. PSPACE-hard in general, even on symmetric graphs of degree
4 ([BurkeEtAl2021]); O(V + E) where no cycle can be reached.

Reference: [EdmondsGurvich2010] §2.4. Differs from the paper: debuts that leave the same open
positions within reach are one; and a sum goes on until no component has a fresh move.
"""

from collections.abc import Hashable, Iterator

from zermelo._door.inputs import shown
from zermelo.errors import InvalidOptionError
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
    """

    def __init__(self, game: Game | Graph) -> None:
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
        """The open positions that v reaches."""
        seen: int = self._moves[v] & free
        wave = seen
        while wave:
            after = 0
            for w in _bits(wave):
                after |= self._moves[w]
            wave = after & free & ~seen
            seen |= wave
        return seen

    def _value(self, start: int, free: int) -> int:
        values = self._values
        root = (start, self._within(start, free))
        stack = [(root, 0, self._moves[start] & root[1])]
        # Invariant: a stack entry has the situation, the set of its options' values as bits, and
        # the moves not yet looked at.
        while stack:
            key, found, left = stack.pop()
            if key in values:
                continue
            while left:
                w = left.bit_length() - 1
                after = (w, self._within(w, key[1] & ~(1 << w)))
                if after not in values:
                    stack.append((key, found, left))
                    stack.append((after, 0, self._moves[w] & after[1]))
                    break
                found |= 1 << values[after]
                left ^= 1 << w
            else:
                values[key] = (~found & (found + 1)).bit_length() - 1
        return values[root]


def _bits(mask: int) -> Iterator[int]:
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def eggs(game: Game | Graph, start: Hashable) -> int:
    """The EGGS value of a start: that of Sprague and Grundy, in the game of no return.

    It is 0 exactly where the player to move loses, and values of a sum are added without carry.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")])
    >>> [eggs(g, x) for x in "abc"]
    [0, 0, 2]
    """
    found = NoReturnGame(game)
    return found.grundy((found.graph.name(found.graph.index(start)),))
