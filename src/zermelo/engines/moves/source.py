"""Where the moves of a game come from: a graph in memory, or pieces of one that is not."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from zermelo._kernels.graphs.records import Moves
from zermelo.engines.partitions.terms import Terms
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array
from zermelo.objectives.terminal_form import TerminalForm

if TYPE_CHECKING:
    from zermelo.engines.moves.unmoves import Unmoves
    from zermelo.engines.partitions.keyed import Keys
    from zermelo.engines.tiers.below import Lookup


class Rows(NamedTuple):
    """The moves of consecutive positions, and where play ends among them."""

    first: int
    """The number of the first position."""
    moves: Moves
    """``indptr`` begins with 0; ``indices`` are numbers of positions of the whole graph, or keys
    of 64 bits."""
    owner: Int8Array
    """Empty if the players alternate."""
    ends: Int32Array
    """The situations where play ends, increasing; they are numbered from those of ``first`` on."""
    codes: Int32Array
    """The value of each, as an index of the payoffs."""
    degrees: Int64Array | None = None
    """Like ``indptr``, for all moves, if ``moves`` has only some of them."""
    below: Moves | None = None
    """The moves to lower tiers; these are keys of 64 bits."""
    absent: AnyArray | None = None
    """Which of the numbers belong to no position; None if all do."""


class Source:
    """A game whose moves are read in pieces, as often as necessary."""

    n: int
    """The number of positions."""
    terms: Terms
    """The payoffs."""
    keys: "Keys | None" = None
    """The keys of the positions if moves lead to keys of positions, not to their numbers."""
    lookup: "Lookup | None" = None
    """The results of lower tiers, if moves lead there."""
    unmoves: "Unmoves | None" = None
    """What generates moves backwards, if it does; then ``rows`` has no moves."""

    def rows(self, most: int) -> Iterator[Rows]:
        """All positions in order, with at most about ``most`` moves and positions at a time."""
        raise NotImplementedError

    def name(self) -> str:
        """A fingerprint of the graph and of all payoffs."""
        raise NotImplementedError


class GraphSource(Source):
    """A graph in memory."""

    def __init__(self, graph: Graph, form: TerminalForm) -> None:
        self.graph, self.form, self.n = graph, form, graph.n
        order = np.argsort(form.absorbing, kind="stable")
        self._ends, self._codes = form.absorbing[order], form.absorbing_level[order]
        self.terms = Terms.of(form)

    def rows(self, most: int) -> Iterator[Rows]:
        """Slices of the arrays of the graph."""
        owner = np.empty(0, np.int8) if self.graph.owner is None else self.graph.owner
        yield from cut_rows(0, self.graph.indptr, self.graph.indices, owner, self._ends,
                            self._codes, self.terms.shift, most)  # fmt: skip

    def name(self) -> str:
        """The digest of the graph and of the ends."""
        from hashlib import blake2b

        h = blake2b(self.graph.digest.encode(), digest_size=16)
        h.update(repr(self.terms.spec()).encode())
        h.update(np.ascontiguousarray(self._ends, "<i4").data)
        h.update(np.ascontiguousarray(self._codes, "<i4").data)
        return h.hexdigest()


def cut_rows(
    first: int,
    indptr: Int64Array,
    indices: Int32Array,
    owner: Int8Array,
    ends: Int32Array,
    codes: Int32Array,
    shift: int,
    most: int,
) -> Iterator[Rows]:
    """Cut arrays into pieces; ``indptr`` begins with 0, ``ends`` count from the first position."""
    n, at = len(indptr) - 1, 0
    while at < n:
        stop = int(np.searchsorted(indptr, indptr[at] + most, side="right")) - 1
        stop = min(max(stop, at + 1), at + most, n)
        low, high = np.searchsorted(ends, (at << shift, stop << shift))
        yield Rows(
            first + at,
            Moves(indptr[at : stop + 1] - indptr[at], indices[int(indptr[at]) : int(indptr[stop])]),
            owner[at:stop] if len(owner) else owner,
            ends[low:high] - (at << shift),
            codes[low:high],
        )
        at = stop
