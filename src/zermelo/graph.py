"""The graph a game is played on: immutable, canonical, in compressed sparse rows.

Positions are ``0 … n-1`` and moves are arcs. Moves are sorted, parallel moves are merged and loops
are kept, so that equal games have equal bytes and the same digest.
"""

import functools
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
import numpy.typing as npt

from zermelo._inputs.graphs import (
    OwnerLike,
    canonical_rows,
    check_names,
    check_size,
    csr_arrays,
    cut_mask,
    distinct_names,
    edge_ends,
    networkx_graph,
    networkx_parts,
    owner_array,
    plain_names,
    position_numbers,
    refuse_cut,
    rows_increase,
    same_arrays,
)
from zermelo._inputs.values import optional_module, plain_array, sealed, shown, whole_number
from zermelo._runtime.services import service
from zermelo.errors import InvalidGraphError, UnknownPositionError
from zermelo.labels import AnyArray, BoolArray, Int8Array, Int32Array, Int64Array

if TYPE_CHECKING:
    import networkx
    import scipy.sparse


class Graph:
    """A finite digraph; every position may have an owner and a name.

    Build one with :meth:`from_edges`, :meth:`from_arrays`, :meth:`from_csr`,
    :meth:`from_networkx` or :meth:`from_scipy`. A graph never changes afterwards.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])
    >>> g
    Graph(3 positions, 3 moves, 1 terminal)
    >>> g.names, g.successors(0).tolist()
    (('a', 'b', 't'), [1, 2])
    """

    indptr: Int64Array
    """Offsets of the moves: those of v are ``indices[indptr[v]:indptr[v + 1]]``."""
    indices: Int32Array
    """The targets of all moves, in increasing order for each position."""
    owner: Int8Array | None
    """The player who moves at each position, or None if the players alternate."""
    names: tuple[Hashable, ...] | None
    """A name for each position, or None if positions have numbers only."""
    cut: BoolArray | None
    """The positions whose moves were cut off, or None. They are no ends, so solvers refuse them."""
    n: int
    """The number of positions."""
    m: int
    """The number of moves."""

    def __init__(
        self,
        indptr: Int64Array,
        indices: Int32Array,
        owner: Int8Array | None = None,
        names: tuple[Hashable, ...] | None = None,
        cut: npt.ArrayLike | None = None,
    ) -> None:
        """Take arrays that are canonical already; other callers use a ``from_…`` method."""
        rows, targets = csr_arrays(indptr, indices)
        if not rows_increase(rows, targets):
            raise InvalidGraphError(
                "expected the moves of each position in order; Graph.from_csr sorts them"
            )
        n = rows.size - 1
        distinct = None if names is None else check_names(distinct_names(names), n)
        self._fill(rows, targets, owner_array(owner, n, distinct), distinct, cut_mask(cut, rows))

    def _fill(
        self,
        indptr: AnyArray,
        indices: AnyArray,
        owner: AnyArray | None,
        names: tuple[Hashable, ...] | None,
        cut: BoolArray | None,
    ) -> None:
        fields = self.__dict__
        fields["indptr"] = sealed(np.asarray(indptr, np.int64))
        fields["indices"] = sealed(np.asarray(indices, np.int32))
        fields["owner"] = None if owner is None else sealed(np.asarray(owner, np.int8))
        fields["names"] = names
        fields["cut"] = sealed(cut) if cut is not None and cut.any() else None
        fields["n"], fields["m"] = len(indptr) - 1, len(indices)

    @classmethod
    def _of(
        cls,
        indptr: AnyArray,
        indices: AnyArray,
        owner: AnyArray | None = None,
        names: tuple[Hashable, ...] | None = None,
        cut: BoolArray | None = None,
    ) -> "Graph":
        """A graph made of canonical arrays that no other code keeps; nothing is checked."""
        graph = cls.__new__(cls)
        graph._fill(indptr, indices, owner, names, cut)
        return graph

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Graph never changes; cannot set {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Graph never changes; cannot delete {name!r}")

    # ---------------------------------------------------------------- building

    @classmethod
    def from_edges(
        cls,
        edges: Iterable[Sequence[Any]] | AnyArray,
        n: int | None = None,
        owner: OwnerLike = None,
        names: Sequence[Hashable] | None = None,
    ) -> "Graph":
        """Build from pairs ``(from, to)``.

        If all endpoints are integers, they are position numbers, and there are ``n`` positions (by
        default one more than the largest number). Any other hashable endpoint is a name; names are
        numbered by first appearance, or by their place in ``names`` if that is given. ``owner`` is
        a sequence by position or a mapping by name.

        >>> Graph.from_edges([(0, 1), (1, 0)], n=3, owner=[0, 1, 1])
        Graph(3 positions, 2 moves, 1 terminal, owned)
        """
        ends, distinct = edge_ends(edges, None if names is None else distinct_names(names))
        if n is not None and distinct is not None:
            wanted = whole_number(n, "n", error=InvalidGraphError)
            if wanted != len(distinct):
                raise InvalidGraphError(f"expected {wanted} positions, got {len(distinct)} names")
        return cls.from_arrays(ends[:, 0], ends[:, 1], n, owner, distinct)

    @classmethod
    def from_arrays(
        cls,
        sources: npt.ArrayLike,
        targets: npt.ArrayLike,
        n: int | None = None,
        owner: OwnerLike = None,
        names: Sequence[Hashable] | None = None,
    ) -> "Graph":
        """Build from two arrays of position numbers; move ``k`` is ``sources[k] → targets[k]``.

        >>> Graph.from_arrays([1, 0, 1], [0, 1, 0]).to_edges().tolist()
        [[0, 1], [1, 0]]
        """
        u, v = position_numbers(sources, "source"), position_numbers(targets, "target")
        if u.shape != v.shape:
            raise InvalidGraphError(
                f"expected as many targets as sources, got {v.size} and {u.size}"
            )
        distinct = None if names is None else distinct_names(names)
        largest = int(max(u.max(), v.max())) if u.size else -1
        if n is None:
            n = largest + 1 if distinct is None else len(distinct)
        n = check_size(n, u.size)
        check_names(distinct, n)
        if largest >= n:
            raise InvalidGraphError(f"expected positions 0 … {n - 1}, got {largest}")
        key = u.astype(np.int64)
        key <<= 32
        key |= v.astype(np.int64, copy=False)
        indptr, indices = canonical_rows(key, n)
        return cls._of(indptr, indices, owner_array(owner, n, distinct), distinct)

    @classmethod
    def from_csr(
        cls,
        indptr: npt.ArrayLike,
        indices: npt.ArrayLike,
        owner: OwnerLike = None,
        names: Sequence[Hashable] | None = None,
    ) -> "Graph":
        """Build from compressed sparse rows; moves are sorted, and repeated moves are merged.

        >>> Graph.from_csr([0, 2, 2], [1, 0])
        Graph(2 positions, 2 moves, 1 terminal)
        """
        start, target = csr_arrays(indptr, indices)
        n = start.size - 1
        if not rows_increase(start, target):
            key = np.repeat(np.arange(n, dtype=np.int64), np.diff(start))
            key <<= 32
            key |= target
            start, target = canonical_rows(key, n)
        distinct = None if names is None else check_names(distinct_names(names), n)
        return cls._of(start, target, owner_array(owner, n, distinct), distinct)

    @classmethod
    def from_networkx(cls, graph: "networkx.Graph", owner: str | None = "owner") -> "Graph":
        """Build from a networkx graph; an undirected edge becomes two moves, one in each direction.

        If every node has the attribute ``owner``, it says who moves. Nodes ``0 … n-1`` keep their
        numbers; other nodes become names.

        >>> import networkx as nx
        >>> Graph.from_networkx(nx.path_graph(3))
        Graph(3 positions, 4 moves, 0 terminals)
        """
        ends, owners, names = networkx_parts(graph, owner)
        return cls.from_arrays(ends[:, 0], ends[:, 1], len(names), owners, plain_names(names))

    @classmethod
    def from_scipy(cls, matrix: Any, owner: OwnerLike = None) -> "Graph":
        """Build from a square sparse matrix: each entry that is not zero is a move.

        >>> import scipy.sparse
        >>> Graph.from_scipy(scipy.sparse.csr_array([[0, 1], [0, 0]]))
        Graph(2 positions, 1 move, 1 terminal)
        """
        if not hasattr(matrix, "tocsr"):
            raise InvalidGraphError(f"expected a sparse matrix of SciPy, got {shown(matrix)}")
        if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
            raise InvalidGraphError(f"expected a square matrix, got shape {matrix.shape}")
        check_size(matrix.shape[0], matrix.nnz)
        rows = matrix.tocsr(copy=True)
        rows.sum_duplicates()
        rows.eliminate_zeros()
        return cls.from_csr(rows.indptr, rows.indices, owner)

    # ---------------------------------------------------------------- reading

    @functools.cached_property
    def out_degree(self) -> Int32Array:
        """The number of moves from each position."""
        return sealed(np.diff(self.indptr).astype(np.int32))

    @functools.cached_property
    def terminals(self) -> Int32Array:
        """The positions without a move at which play ends, not those whose moves were cut off."""
        stuck = self.indptr[1:] == self.indptr[:-1]
        ends = np.flatnonzero(stuck if self.cut is None else stuck & ~self.cut)
        return sealed(ends.astype(np.int32))

    @functools.cached_property
    def reverse(self) -> tuple[Int64Array, Int32Array]:
        """The reverse moves ``(rev_indptr, rev_indices)``, built once, at the first use."""
        from zermelo._kernels.graphs.reverse import build_reverse

        rev_indptr, rev_indices = build_reverse(self.indptr, self.indices)
        return sealed(rev_indptr), sealed(rev_indices)

    @functools.cached_property
    def digest(self) -> str:
        """A fingerprint of positions, moves and owners; names do not enter it.

        >>> Graph.from_edges([(0, 1)]).digest == Graph.from_edges([("a", "b")]).digest
        True
        """
        from hashlib import blake2b

        h = blake2b(digest_size=16)
        h.update(f"zermelo graph 1 {self.n} {self.m} {self.owner is not None}\n".encode())
        h.update(np.ascontiguousarray(self.indptr, "<i8").data)
        h.update(np.ascontiguousarray(self.indices, "<i4").data)
        if self.owner is not None:
            h.update(self.owner.data)
        if self.cut is not None:
            h.update(b"cut" + np.packbits(self.cut).tobytes())
        return h.hexdigest()

    @property
    def nbytes(self) -> int:
        """The memory that the forward moves and owners take, in bytes."""
        owner = 0 if self.owner is None else self.owner.nbytes
        return self.indptr.nbytes + self.indices.nbytes + owner

    def successors(self, v: int) -> Int32Array:
        """The positions that one move from position number ``v`` leads to."""
        v = self._number(v)
        return self.indices[self.indptr[v] : self.indptr[v + 1]]

    def predecessors(self, v: int) -> Int32Array:
        """The positions from which one move leads to position number ``v``."""
        v = self._number(v)
        rev_indptr, rev_indices = self.reverse
        return rev_indices[rev_indptr[v] : rev_indptr[v + 1]]

    def name(self, v: int) -> Hashable:
        """The name of position number ``v``, or its number if the graph has no names."""
        v = self._number(v)
        return v if self.names is None else self.names[v]

    def _number(self, v: int) -> int:
        """A position number, checked."""
        if type(v) is int and 0 <= v < self.indptr.size - 1:
            return v
        return whole_number(v, "position", 0, self.n - 1, UnknownPositionError)

    def index(self, position: Hashable) -> int:
        """The number of a position given by its name, or by its number if no name is a number.

        >>> Graph.from_edges([("a", "b")]).index("b")
        1
        """
        try:
            place = self._places.get(position) if self.names is not None else None
        except TypeError:  # the position cannot be hashed
            place = None
        if place is not None:
            return place
        number = isinstance(position, int | np.integer) and not isinstance(position, bool)
        if number and not self._numeric_names:
            assert isinstance(position, int | np.integer)
            if 0 <= position < self.n:
                return int(position)
            got = shown(int(position))
            raise UnknownPositionError(f"expected a position 0 … {self.n - 1}, got {got}")
        raise UnknownPositionError(f"no position is called {shown(position)}{self._hint()}")

    def _hint(self) -> str:
        if self.names is None:
            return f"; the {self.n} positions have numbers only"
        some = ", ".join(repr(x) for x in self.names[:5])
        return f"; the graph has {some}{', …' if self.n > 5 else ''}"

    @functools.cached_property
    def _places(self) -> dict[Hashable, int]:
        return {} if self.names is None else {x: v for v, x in enumerate(self.names)}

    @functools.cached_property
    def _numeric_names(self) -> bool:
        return self.names is not None and any(isinstance(x, int) for x in self.names)

    def mask(self, positions: Iterable[Hashable] | AnyArray) -> BoolArray:
        """A set of positions as a Boolean array; given as names, as numbers or as such an array.

        >>> Graph.from_edges([("a", "b")]).mask(["b"]).tolist()
        [False, True]
        """
        chosen = np.zeros(self.n, bool)
        if isinstance(positions, np.ndarray):
            positions = plain_array(positions, "positions", InvalidGraphError)
            is_mask = positions.dtype == bool
            if positions.ndim != 1 or (is_mask and positions.size != self.n):
                raise InvalidGraphError(
                    f"expected a mask of {self.n} positions, got shape {positions.shape}"
                )
            if is_mask:
                return positions.copy()
            if positions.dtype.kind in "iu" and not self._numeric_names:
                if positions.size and not 0 <= positions.min() <= positions.max() < self.n:
                    bad = positions[(positions < 0) | (positions >= self.n)].flat[0]
                    raise UnknownPositionError(f"expected a position 0 … {self.n - 1}, got {bad}")
                chosen[positions] = True
                return chosen
        if isinstance(positions, str) or not isinstance(positions, Iterable):
            raise InvalidGraphError(f"expected a collection of positions, got {shown(positions)}")
        for position in positions:
            chosen[self.index(position)] = True
        return chosen

    # ---------------------------------------------------------------- deriving

    def with_owner(self, owner: OwnerLike) -> "Graph":
        """The same moves with other owners; None means that the players alternate."""
        owners = owner_array(owner, self.n, self.names)
        return Graph._of(self.indptr, self.indices, owners, self.names, self.cut)

    def with_names(self, names: Sequence[Hashable] | None) -> "Graph":
        """The same moves and owners with other names."""
        distinct = None if names is None else distinct_names(names)
        kept = check_names(distinct, self.n)
        return Graph._of(self.indptr, self.indices, self.owner, kept, self.cut)

    def to_edges(self) -> Int32Array:
        """All moves as an array of shape (m, 2), sorted."""
        ends = np.empty((self.m, 2), np.int32)
        ends[:, 0] = np.repeat(np.arange(self.n, dtype=np.int32), self.out_degree)
        ends[:, 1] = self.indices
        return ends

    def to_networkx(self) -> "networkx.DiGraph":
        """The graph as a ``networkx.DiGraph``; owners become the node attribute ``owner``."""
        as_graph(self)  # a networkx graph could not say where it was cut
        return networkx_graph(tuple(self), self.owner, self.to_edges())

    def to_scipy(self) -> "scipy.sparse.csr_array":
        """The adjacency matrix as a ``scipy.sparse.csr_array`` with entries 1."""
        as_graph(self)
        sparse = optional_module("scipy.sparse", "scipy")
        ones = np.ones(self.m, np.int8)
        return sparse.csr_array((ones, self.indices, self.indptr), shape=(self.n, self.n))

    # ---------------------------------------------------------------- Python's own

    def __iter__(self) -> Iterator[Hashable]:
        """Iterate over all positions by name."""
        return iter(range(self.n) if self.names is None else self.names)

    def __len__(self) -> int:
        return self.n

    def __contains__(self, position: Hashable) -> bool:
        try:
            self.index(position)
        except UnknownPositionError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        """Whether positions, moves, owners and names are the same."""
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            self.names == other.names
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.indices, other.indices)
            and same_arrays(self.owner, other.owner)
            and same_arrays(self.cut, other.cut)
        )

    def __hash__(self) -> int:
        return hash(self.digest)

    def __reduce__(self) -> tuple[type["Graph"], tuple[Any, ...]]:
        return Graph, (self.indptr, self.indices, self.owner, self.names, self.cut)

    def __repr__(self) -> str:
        sizes = {"position": self.n, "move": self.m, "terminal": self.terminals.size}
        parts = [f"{k:,} {noun}{'' if k == 1 else 's'}" for noun, k in sizes.items()]
        parts += [] if self.owner is None else ["owned"]
        parts += [] if self.cut is None else [f"{np.count_nonzero(self.cut):,} cut off"]
        return f"Graph({', '.join(parts)})"

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows, or None if the graph is too large to draw."""
        picture: str | None = service("graph-picture")(self)
        return picture

    def _repr_html_(self) -> str:
        """What a notebook shows: the size and a picture, or the first positions."""
        return str(service("graph-page")(self))


class OnGraph:
    """The base of records that contain a graph and may be given instead of it, such as a game."""

    graph: Graph


def as_graph(given: Any, *, cut: bool = False) -> Graph:
    """The graph that a function needs, from a graph or a game; with ``cut`` it may be cut off.

    >>> as_graph([(0, 1)])
    Traceback (most recent call last):
    zermelo.errors.InvalidGraphError: expected a Graph or a Game, got list
    """
    graph = given.graph if isinstance(given, OnGraph) else given
    if not isinstance(graph, Graph):
        raise InvalidGraphError(f"expected a Graph or a Game, got {type(given).__name__}")
    if graph.cut is not None and not cut:
        refuse_cut(graph.cut, graph.name(int(np.argmax(graph.cut))))
    return graph
