"""Input checks of :class:`~zermelo.graph.Graph`: arrays, edges and owners are checked and sorted.

All other code trusts its arrays; so every message about a bad graph is in this file.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from zermelo._inputs.values import (
    is_sealed,
    optional_module,
    owned,
    plain_array,
    shown,
    whole_number,
)
from zermelo._runtime import memory
from zermelo.errors import InvalidGraphError
from zermelo.labels import AnyArray, BoolArray, Int8Array, Int32Array, Int64Array

MAX_POSITIONS = 2**31 - 2

OwnerLike = npt.ArrayLike | Mapping[Any, int] | None


def check_size(n: Any, m: int = 0) -> int:
    """The number of positions, checked: 32 bits must suffice for it, and memory must hold it."""
    size = whole_number(n, "n", None, None, InvalidGraphError)
    if not 0 <= size <= MAX_POSITIONS:
        got = f"{size:,}" if abs(size) < 1 << 64 else shown(size)
        raise InvalidGraphError(f"expected 0 to {MAX_POSITIONS:,} positions, got {got}")
    if (needed := 24 * size + 24 * m) > memory.NEGLIGIBLE:
        memory.require(
            needed,
            f"a graph of {size:,} positions and {m:,} moves",
            "use fewer positions, or set ZERMELO_MEMORY to allow more",
        )
    return size


def edge_pair(k: int, edge: Any) -> tuple[Any, Any]:
    """The two ends of edge number ``k``."""
    if isinstance(edge, np.ndarray) and edge.ndim == 1:
        edge = edge.tolist()
    if isinstance(edge, str | bytes) or not isinstance(edge, Sequence) or len(edge) != 2:
        raise InvalidGraphError(f"edge {k}: expected a pair (from, to), got {shown(edge)}")
    return edge[0], edge[1]


def edge_ends(
    edges: Any, names: tuple[Hashable, ...] | None
) -> tuple[AnyArray, tuple[Hashable, ...] | None]:
    """The ends of all edges as numbers in two columns, and the names if there are any."""
    if isinstance(edges, np.ndarray):
        edges = plain_array(edges, "edges", InvalidGraphError)
        if edges.ndim != 2 or edges.shape[1] != 2:
            raise InvalidGraphError(
                f"expected an array of edges of shape (m, 2), got shape {edges.shape}"
            )
        return edges, names
    if isinstance(edges, str | bytes | Mapping) or not isinstance(edges, Iterable):
        raise InvalidGraphError(f"expected pairs (from, to), got {shown(edges)}")
    flat = [x for k, edge in enumerate(edges) for x in edge_pair(k, edge)]
    ends = np.empty(len(flat), object)
    numbers = all(isinstance(x, int | np.integer) and x is not True and x is not False
                  for x in flat)  # fmt: skip
    if numbers and (names is None or not any(isinstance(x, int) for x in names)):
        ends[:] = flat
        return ends.reshape(-1, 2), names
    place = {} if names is None else {x: v for v, x in enumerate(names)}
    for k, x in enumerate(flat):
        try:
            known = x in place
        except TypeError:
            raise InvalidGraphError(
                f"edge {k // 2}: a position's name must be hashable, got {shown(x)}"
            ) from None
        if not known and names is not None:
            raise InvalidGraphError(f"edge {k // 2}: names= does not list {shown(x)}")
        ends[k] = place.setdefault(x, len(place))
    return ends.reshape(-1, 2), tuple(place)


def networkx_parts(graph: Any, owner: str | None) -> tuple[AnyArray, Any, list[Hashable]]:
    """The ends of the edges of a networkx graph, its owners or None, and its nodes."""
    if not hasattr(graph, "nodes") or not hasattr(graph, "is_directed"):
        raise InvalidGraphError(f"expected a networkx graph, got {shown(graph)}")
    nodes = list(graph.nodes)
    place = {x: v for v, x in enumerate(nodes)}
    ends = np.array([(place[e[0]], place[e[1]]) for e in graph.edges()], np.int64)
    ends = ends.reshape(-1, 2)
    if not graph.is_directed():
        ends = np.concatenate([ends, ends[:, ::-1]])
    if owner is None or not nodes:
        return ends, None, nodes
    listed = [data.get(owner) for _, data in graph.nodes(data=True)]
    missing = [v for v, x in enumerate(listed) if x is None]
    if len(missing) == len(nodes):
        return ends, None, nodes
    if missing:
        first = nodes[missing[0]]
        raise InvalidGraphError(f"node {first!r} has no attribute {owner!r}, but others do")
    return ends, listed, nodes


def networkx_graph(names: tuple[Hashable, ...], owner: Int8Array | None, ends: AnyArray) -> Any:
    """A ``networkx.DiGraph`` with these nodes, owners as attributes, and edges by number."""
    nx = optional_module("networkx", "networkx")
    if None in names:
        raise InvalidGraphError("networkx allows no node None, but a position has that name")
    graph = nx.DiGraph()
    if owner is None:
        graph.add_nodes_from(names)
    else:
        graph.add_nodes_from((x, {"owner": o}) for x, o in zip(names, owner.tolist(), strict=True))
    graph.add_edges_from((names[u], names[v]) for u, v in ends.tolist())
    return graph


def plain_names(nodes: list[Hashable]) -> tuple[Hashable, ...] | None:
    """The nodes as names, or None if they are the numbers 0, 1, 2, … themselves."""
    return None if nodes == list(range(len(nodes))) else tuple(nodes)


def integer_array(values: Any, name: str) -> AnyArray:
    """A one-dimensional array of integers."""
    array = plain_array(values, name, InvalidGraphError)
    if array.ndim != 1:
        raise InvalidGraphError(f"{name}: expected one dimension, got {array.ndim}")
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.dtype == object and all(
        isinstance(x, int | np.integer) and not isinstance(x, bool) for x in array
    ):
        try:
            array = array.astype(np.int64)
        except OverflowError:
            raise InvalidGraphError(f"{name}: a number is out of range") from None
    if array.dtype.kind not in "iu":
        raise InvalidGraphError(f"{name}: expected integers, got {array.dtype}")
    return array


def position_numbers(values: Any, name: str) -> AnyArray:
    """An array of position numbers, checked to be neither negative nor too large."""
    array = integer_array(values, name)
    if array.size and array.min() < 0:
        k = int(np.argmax(array < 0))
        raise InvalidGraphError(f"{name} {k}: positions are numbered from 0, got {array[k]}")
    if array.size and array.max() > MAX_POSITIONS:
        raise InvalidGraphError(f"{name}: expected at most {MAX_POSITIONS:,}, got {array.max()}")
    return array


def csr_arrays(indptr: Any, indices: Any) -> tuple[Int64Array, Int32Array]:
    """Checked compressed sparse rows, sorted or not; the result is a copy or a sealed array."""
    start, target = integer_array(indptr, "indptr"), position_numbers(indices, "target")
    n = start.size - 1
    if n < 0 or start[0] != 0:
        raise InvalidGraphError("expected indptr to begin with 0")
    if start[-1] != target.size:
        raise InvalidGraphError(
            f"expected indptr to end with the number of moves {target.size}, got {start[-1]}"
        )
    check_size(n, target.size)
    falls = start[1:] < start[:-1]
    if falls.any():
        v = int(np.argmax(falls))
        raise InvalidGraphError(f"expected indptr to increase, but it decreases after position {v}")
    if target.size and int(target.max()) >= n:
        raise InvalidGraphError(f"expected positions 0 … {n - 1}, got {int(target.max())}")
    given = indptr if is_sealed(indptr) else start
    return owned(given, np.int64), owned(indices if is_sealed(indices) else target, np.int32)


def distinct_names(names: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Names as a tuple, hashable and all different."""
    if isinstance(names, str | bytes) or not isinstance(names, Iterable):
        kind = "the string " if isinstance(names, str) else ""
        raise InvalidGraphError(f"expected a sequence of names, got {kind}{shown(names)}")
    if isinstance(names, np.ndarray):
        names = plain_array(names, "names", InvalidGraphError).reshape(-1).tolist()
    names = tuple(names)
    try:
        distinct = len(set(names))
    except TypeError as error:
        raise InvalidGraphError(f"a position's name must be hashable: {error}") from None
    if distinct < len(names):
        seen: set[Hashable] = set()
        double = next(x for x in names if x in seen or seen.add(x))  # type: ignore[func-returns-value]
        raise InvalidGraphError(f"expected distinct names, got {shown(double)} twice")
    return names


def check_names(names: tuple[Hashable, ...] | None, n: int) -> tuple[Hashable, ...] | None:
    """The same names, if their number is the number of positions."""
    if names is not None and len(names) != n:
        raise InvalidGraphError(f"expected {n} names, got {len(names)}")
    return names


def owner_array(owner: OwnerLike, n: int, names: tuple[Hashable, ...] | None) -> Int8Array | None:
    """Owners as an array, from a sequence by position or a mapping by name."""
    if owner is None:
        return None
    if isinstance(owner, Mapping):
        keys: Iterable[Hashable] = range(n) if names is None else names
        mapping = owner
        missing = [x for x in keys if x not in mapping]
        if missing:
            raise InvalidGraphError(f"owner: position {missing[0]!r} has none")
        owner = [mapping[x] for x in (range(n) if names is None else names)]
    array = plain_array(owner, "owner", InvalidGraphError)
    if array.shape != (n,):
        raise InvalidGraphError(f"owner: expected {n} entries, got shape {array.shape}")
    if array.size == 0:
        return np.zeros(0, np.int8)
    if array.dtype.kind in "iub":
        wrong = (array != 0) & (array != 1)
    else:
        listed = array.tolist() if array.dtype == object else [None] * n
        wrong = np.array([not isinstance(x, int | np.integer) or x not in (0, 1) for x in listed])
    if wrong.any():
        v = int(np.argmax(wrong))
        culprit = array[v : v + 1].tolist()[0]
        raise InvalidGraphError(f"owner of position {v}: expected 0 or 1, got {shown(culprit)}")
    return array.astype(np.int8)


def cut_mask(cut: Any, indptr: Int64Array) -> BoolArray | None:
    """The positions whose moves were cut off, as an array of Booleans; they have no move."""
    if cut is None:
        return None
    array = plain_array(cut, "cut", InvalidGraphError)
    if array.shape != (indptr.size - 1,) or array.dtype != bool:
        raise InvalidGraphError(f"cut: expected {indptr.size - 1} Booleans, got {shown(cut)}")
    wrong = array & (indptr[1:] > indptr[:-1])
    if wrong.any():
        raise InvalidGraphError(f"cut: position {int(np.argmax(wrong))} has moves in the graph")
    return array.copy()


def refuse_cut(cut: BoolArray, first: Hashable) -> NoReturn:
    """The error of a function that needs all moves, for a graph without some of them."""
    count = int(np.count_nonzero(cut))
    many = "one position, " if count == 1 else f"{count:,} positions, such as "
    raise InvalidGraphError(
        f"the moves of {many}{shown(first)}, were cut off, so it is unknown how play goes on there;"
        " take a greater depth, or the graph that the tree was made of"
    )


def same_arrays(one: AnyArray | None, other: AnyArray | None) -> bool:
    """Whether two arrays are equal, or both are missing."""
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


def rows_increase(indptr: Int64Array, indices: AnyArray) -> bool:
    """Whether the moves of every position are strictly increasing."""
    if indices.size < 2:
        return True
    rising = indices[1:] > indices[:-1]
    starts = indptr[1:-1]
    starts = starts[(starts > 0) & (starts < indices.size)]
    rising[starts - 1] = True
    return bool(rising.all())


def canonical_rows(key: Int64Array, n: int) -> tuple[Int64Array, Int32Array]:
    """Sorted, merged rows from keys ``source · 2³² + target``; the array of keys is destroyed."""
    if key.size > 1:
        step = key[1:] > key[:-1]
        if not step.all():
            key.sort()
            np.not_equal(key[1:], key[:-1], out=step)
            if not step.all():
                key = key[np.concatenate([[True], step])]
    indices = (key & 0xFFFFFFFF).astype(np.int32)
    key >>= 32
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(key, minlength=n), out=indptr[1:])
    return indptr, indices
