"""Large graphs in a few groups: strong components and layers, or the results with their counts.

A picture of more than some thousand positions cannot be read. A *summary* divides the positions
into groups and counts the moves between them; each group can then be drawn on its own.

By ``components``, every large strong component is a group. The other positions are grouped by
their layer, which is the length of the longest way from their component to one that no move leaves.
By ``results``, a group has the positions with the same result, such as the wins in 3 moves; near
distances are put together if there are too many. Where the result depends on the player to move,
they agree for both players; counts are then of *situations*, a position and a player to move.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from zermelo._inputs.values import one_of
from zermelo._kernels.graphs.components import strong_components
from zermelo.draw.picture import shows_winners
from zermelo.errors import DrawError
from zermelo.graph import Graph
from zermelo.labels import NO_DISTANCE, AnyArray, Int32Array, Int64Array, Label
from zermelo.plots.palette import LETTERS, MEANINGS

Way = Literal["components", "results"]
WAYS = get_args(Way)
MAX_GROUPS = 40
"""The number of groups of each sort; with more of them a summary is no summary."""
SMALL = 8
"""A strong component with fewer positions than this belongs to its layer."""
KINDS = tuple(LETTERS)
"""The kinds of results, by number."""
BOX = 180.0, 104.0
"""The distance of two groups in a picture, to the right and down."""
COLUMNS = 6


@dataclass(frozen=True, eq=False)
class Group:
    """Some positions of a graph, in the order of their numbers."""

    name: str
    positions: Int32Array
    band: str
    """The sort of the group: ``component``, ``layer``, or the kinds of its results."""
    counts: dict[str, int]
    """How many situations have each kind of result; empty for a graph without a solution."""


@dataclass(frozen=True, eq=False)
class Summary:
    """The groups of a graph, and the number of moves from group to group."""

    groups: tuple[Group, ...]
    links: tuple[tuple[int, int, int], ...]
    """Triples of two groups and the number of moves between them; also within a group."""


def summarise(subject: Any, by: str = "components", most: int = MAX_GROUPS) -> Summary:
    """The summary of a graph or of a solution.

    >>> import zermelo as zm
    >>> s = zm.solve(zm.Graph.from_edges([(k, k + 1) for k in range(9)]))
    >>> [(x.name, x.counts) for x in summarise(s, "results", 2).groups]
    [('win in 1 to 9', {'win': 5}), ('loss in 0 to 8', {'lose': 5})]
    >>> [x.name for x in summarise(s.graph, "components", 3).groups]
    ['layers 7 to 9', 'layers 4 to 6', 'layers 0 to 3']
    """
    one_of(by, "by", WAYS, DrawError)
    graph: Graph = subject if isinstance(subject, Graph) else subject.graph
    kind = np.zeros((graph.n, 0), np.int8) if subject is graph else result_kinds(subject)
    if by == "results" and subject is not graph:
        names, bands, group = _by_results(subject, kind, most)
    else:
        names, bands, group = _by_components(graph, most)
    order = np.argsort(group, kind="stable").astype(np.int32)
    cuts = np.searchsorted(group[order], np.arange(len(names) + 1))
    groups = tuple(
        Group(name, order[a:b], band, _counts(kind[order[a:b]]))
        for name, band, a, b in zip(names, bands, cuts[:-1], cuts[1:], strict=True)
    )
    moves = graph.to_edges()
    pairs, counts = np.unique(
        group[moves[:, 0]] * len(names) + group[moves[:, 1]], return_counts=True
    )
    links = (
        (*divmod(int(pair), len(names)), int(count))
        for pair, count in zip(pairs, counts, strict=True)
    )
    return Summary(groups, tuple(links))


def result_kinds(solution: Any) -> AnyArray:
    """The kind of the result of each situation, as its number in :data:`KINDS`.

    The shape is that of the labels: (n, 2) if the result depends on the player to move.

    >>> import zermelo as zm
    >>> [KINDS[k] for k in result_kinds(zm.solve(zm.Graph.from_edges([(0, 1)])))]
    ['win', 'lose']
    """
    label, ended = solution.label, solution.distance != NO_DISTANCE
    kinds = {"win": label == Label.WIN, "lose": label == Label.LOSE}
    if shows_winners(solution.graph, solution.objective):
        kinds = {f"player{e}": solution.winner == e for e in (0, 1)}
    kinds |= {"tie": (label == Label.DRAW) & ended, "draw": label == Label.DRAW}
    numbers = [KINDS.index(kind) for kind in kinds]
    return np.select(list(kinds.values()), numbers, KINDS.index("undecided")).astype(np.int8)


def counted_results(solution: Any) -> str:
    """How many situations each player wins, or what the players to move get, in words.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a")], owner=[0, 1])
    >>> counted_results(zm.solve(g, zm.Buchi(["a"])))
    'Player 0 wins 2 positions, player 1 wins 0'
    >>> counted_results(zm.solve(g.with_owner(None), zm.Energy({("a", "b"): -1, ("b", "a"): 0})))
    'Player 0 wins 0 situations, player 1 wins 4 (position and player to move)'
    """
    doubled, counts = solution.label.ndim == 2, solution.counts()
    total = counts.pop("positions")
    if shows_winners(solution.graph, solution.objective):
        zero, one = (int((solution.winner == e).sum()) for e in (0, 1))
        noun = ("situation" if doubled else "position") + ("" if zero == 1 else "s")
        parts = [f"Player 0 wins {zero:,} {noun}", f"player 1 wins {one:,}"] if total else []
        parts += [f"{counts[x]:,} {x}" for x in ("tie", "draw") if counts[x]]
    else:
        parts = [f"{k:,} {x}" for x, k in counts.items() if k > 0 and "_" not in x]
        longest = [x for x in counts if "_" in x and counts[x] > 0]
        parts += [f"{x.replace('_', ' ')} in {counts[x]:,}" for x in longest]
    note = " (position and player to move)" if doubled and parts else ""
    return (", ".join(parts) or "There are no positions") + note


def _counts(kind: AnyArray) -> dict[str, int]:
    kinds, counts = np.unique(kind, return_counts=True)
    return {KINDS[int(k)]: int(count) for k, count in zip(kinds, counts, strict=True)}


Divided = tuple[list[str], list[str], Int64Array]
"""The names of groups, their bands, and the group of each position."""


def _by_results(solution: Any, kind: AnyArray, most: int) -> Divided:
    """A group for each kind and each distance, or each interval of distances.

    If the result depends on the player to move, a kind is one for either; the distance is that of
    player 0.
    """
    of_each = kind if kind.ndim == 2 else kind[:, None]
    distance = solution.distance.reshape(of_each.shape)[:, 0].astype(np.int64)
    names: list[str] = []
    bands: list[str] = []
    group = np.zeros(len(kind), np.int64)
    kinds = np.unique(of_each, axis=0).tolist()
    for pair in kinds:
        chosen = np.flatnonzero((of_each == pair).all(axis=1))
        for low, high, inside in _intervals(distance[chosen], max(1, most // len(kinds))):
            name = _result_name(KINDS[pair[0]], low, high)
            for k in pair[1:]:
                other = _result_name(KINDS[k], NO_DISTANCE, NO_DISTANCE)
                name = f"{name} if player 0 moves, {other} if player 1 does"
            names.append(name)
            bands.append(" ".join(KINDS[k] for k in pair))
            group[chosen[inside]] = len(names) - 1
    return names, bands, group


def _intervals(numbers: Int64Array, most: int) -> list[tuple[int, int, AnyArray]]:
    """Numbers in at most so many intervals: the ends of each, and where its numbers stand."""
    values, rank = np.unique(numbers, return_inverse=True)
    bucket = rank * min(most, values.size) // values.size
    found = []
    for b in range(int(bucket.max()) + 1):
        inside = values[rank[bucket == b]]
        found.append((int(inside.min()), int(inside.max()), bucket == b))
    return found


def _result_name(kind: str, low: int, high: int) -> str:
    name = f"player {kind[-1]} wins" if kind.startswith("player") else MEANINGS[kind]
    if high == NO_DISTANCE or kind in ("draw", "undecided"):
        return name
    if low == NO_DISTANCE:
        return f"{name}, in up to {high:,} or without end"
    return f"{name} in {low:,}" if low == high else f"{name} in {low:,} to {high:,}"


def _by_components(graph: Graph, most: int) -> Divided:
    """A group for each large strong component, and for each layer, or each interval of layers."""
    number, layer = _layers(graph)
    size = np.bincount(number, minlength=layer.size)
    large = [c for c in np.argsort(-size, kind="stable")[:most].tolist() if size[c] >= SMALL]
    named = np.full(layer.size, -1, np.int64)
    names = []
    for place, c in enumerate(sorted(large, key=lambda c: -int(layer[c]))):
        named[c] = place
        names.append(f"component in layer {int(layer[c]):,}")
    rest = np.setdiff1d(np.unique(number), np.array(large, np.int64))
    if rest.size:
        for low, high, inside in reversed(_intervals(layer[rest], most)):
            named[rest[inside]] = len(names)
            names.append(f"layer {low:,}" if low == high else f"layers {low:,} to {high:,}")
    bands = ["component"] * len(large) + ["layer"] * (len(names) - len(large))
    return names, bands, named[number]


def _layers(graph: Graph) -> tuple[Int64Array, Int64Array]:
    """The component of each position, and the layer of each component.

    Components are numbered so that moves lead to the same one or to one with a smaller number.
    """
    n = graph.n
    mark, order = np.zeros(n, np.int32), np.zeros(n, np.int32)
    path, at = np.zeros(2 * n, np.int32), np.zeros(n, np.int64)
    strong_components(graph.indptr, graph.indices, mark, order, path, at, 0, n)
    number = (n - mark).astype(np.int64)
    moves = number[graph.to_edges()]
    leaving = np.unique(moves[moves[:, 0] != moves[:, 1]], axis=0)
    layer = [0] * (int(number.max(initial=-1)) + 1)
    for c, d in leaving.tolist():  # by c: the layer of d is known, as d < c
        layer[c] = max(layer[c], layer[d] + 1)
    return number, np.array(layer, np.int64)


def grid_places(summary: Summary) -> list[tuple[float, float]]:
    """Places for the groups: rows in their order; each sort of group begins a new row.

    >>> grid_places(summarise(Graph.from_edges([(0, 1)])))
    [(0.0, 0.0), (180.0, 0.0)]
    """
    found: list[tuple[float, float]] = []
    row, column, last = 0, -1, ""
    for group in summary.groups:
        column += 1
        if found and (group.band != last or column == COLUMNS):
            row, column = row + 1, 0
        last = group.band
        found.append((column * BOX[0], row * BOX[1]))
    return found
