"""The attractor of a set of positions, and the most permissive controller: data and certificates.

Module :mod:`zermelo.solvers.attractor` says what they are, and finds them.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Self

import numpy as np

from zermelo._inputs.values import Checked, claim_array, claim_graph, one_of, sealed, whole_number
from zermelo.errors import CertificateError
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, BoolArray, Int32Array
from zermelo.registry.checkers import CHECKERS

NO_RANK = -1
"""In a ``rank`` array: the position is outside the attractor."""


@dataclass(frozen=True, eq=False, repr=False)
class Attractor(Checked):
    """The attractor of a set: its region, the layer of each position, and a move into it.

    Arrays have an entry for each position, or the shape (n, 2), ``[v, player to move]``, if the
    players alternate.
    """

    graph: Graph
    player: int
    """The player who forces the token into the targets."""
    targets: BoolArray
    region: BoolArray
    rank: Int32Array
    """The layer: 0 in the targets, −1 outside the attractor."""
    move: Int32Array
    """The player's move into the layer below; ``NO_MOVE`` in targets, outside, and where she is not
    to move."""

    def __post_init__(self) -> None:
        claim_graph(self, Graph)
        one_of(self.player, "player", (0, 1), CertificateError)
        n = self.graph.n
        shape = (n, 2) if self.graph.owner is None else (n,)
        claim_array(self, "targets", shape, np.bool_, 0, 1)
        claim_array(self, "region", shape, np.bool_, 0, 1)
        claim_array(self, "rank", shape, np.int32, NO_RANK, 2**31 - 1, self.graph)
        claim_array(self, "move", shape, np.int32, NO_MOVE, n - 1, self.graph)

    @property
    def positions(self) -> tuple[Hashable, ...]:
        """The region by name; if the players alternate, as pairs (name, player to move)."""
        inside = np.flatnonzero(self.region.reshape(-1)).tolist()
        if self.graph.owner is None:
            return tuple((self.graph.name(s >> 1), s & 1) for s in inside)
        return tuple(self.graph.name(v) for v in inside)

    def layer(self, rank: int) -> tuple[Hashable, ...]:
        """The positions of one layer; if the players alternate, as pairs (name, player to move).

        >>> import zermelo as zm
        >>> a = zm.attractor(Graph.from_edges([("a", "b"), ("b", "c")], owner=[0, 1, 0]), ["c"], 0)
        >>> a.layer(1), a.layer(2)
        (('b',), ('a',))
        """
        rank = whole_number(rank, "rank")
        inside = np.flatnonzero(self.region.reshape(-1)).tolist()
        ranks = self.rank.reshape(-1)[inside].tolist()
        pairs = zip(self.positions, ranks, strict=True)
        return tuple(name for name, r in pairs if r == rank)

    def verify(self) -> Self:
        """Check region, ranks and moves; see :mod:`zermelo.verify.infinite.attractor`."""
        CHECKERS["attractor"].load()(self)
        return self

    def __repr__(self) -> str:
        size, noun = self.region.size, "position" if self.graph.owner is not None else "situation"
        inside = int(self.region.sum())
        plural = "" if size == 1 else "s"
        return f"Attractor(player {int(self.player)}: {inside:,} of {size:,} {noun}{plural})"


@dataclass(frozen=True, eq=False, repr=False)
class Controller(Checked):
    """The most permissive controller of a safety game: all moves that are safe for ever.

    Every strategy that makes only allowed moves wins from everywhere in the region, and every
    strategy that wins from a position makes only allowed moves in play from there.
    """

    danger: Attractor
    """The opponent's attractor to the unsafe positions: the proof that nothing else is safe."""
    allowed: BoolArray
    """Whether each move, along ``graph.indices``, is a safe move of the player."""

    def __post_init__(self) -> None:
        if not isinstance(self.danger, Attractor):
            raise CertificateError(f"danger: expected an Attractor, got {self.danger!r}")
        claim_array(self, "allowed", (self.danger.graph.m,), np.bool_, 0, 1)

    @property
    def graph(self) -> Graph:
        """The graph of the game."""
        return self.danger.graph

    @property
    def player(self) -> int:
        """The player who controls."""
        return 1 - int(self.danger.player)

    @property
    def region(self) -> BoolArray:
        """Where the player can stay safe for ever; the shape is that of an attractor's region."""
        return sealed(~self.danger.region)

    def moves(self, position: Hashable) -> tuple[Hashable, ...]:
        """The safe moves of the player at a position; none where she is not to move or loses."""
        v = self.graph.index(position)
        row = slice(self.graph.indptr[v], self.graph.indptr[v + 1])
        return tuple(
            self.graph.name(w) for w in self.graph.indices[row][self.allowed[row]].tolist()
        )

    def verify(self) -> Self:
        """Check the region and the moves; see :mod:`zermelo.verify.infinite.attractor`."""
        CHECKERS["controller"].load()(self)
        return self

    def __repr__(self) -> str:
        moves = int(self.allowed.sum())
        noun = "move" if moves == 1 else "moves"
        return f"Controller(player {self.player}: {moves:,} safe {noun})"
