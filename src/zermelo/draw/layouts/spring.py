"""The built-in spring layout: distances in the picture are those in the graph, as far as possible.

It is for graphs that layers would draw as a strip. Positions are placed so that the *stress*, the
sum of ((distance in the picture) / (moves between) − 1)², is small; majorisation lowers it in every
round. Distances are measured from some *pivots*, which stand for the positions near them, so large
graphs take linear time. Then positions that overlap are pushed apart, components are packed side by
side, and a component that is still a strip is folded like a ribbon.

Reference: [GansnerKorenNorth2004], [OrtmannKlimentaBrandes2017].
"""

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing

from zermelo.draw.layouts.geometry import Layout, Point, bend, join, reach
from zermelo.draw.picture import Picture
from zermelo.labels import Int64Array

Float64Array: TypeAlias = np.typing.NDArray[np.float64]

PIVOTS = 100
"""Distances are measured from at most this many positions."""
ROUNDS = 80
GAP = 16.0
"""The least gap between two positions."""
SPARE = 1.35
"""The length of a move, as a multiple of the size of a position."""
CROWDED = 0.5
"""A picture is crowded if more than this share of its positions overlaps others."""
STRIP = 3.0
"""A component that is longer than this, as a multiple of its height, is not spread but folded."""
FILL = 0.4
"""The share of a crowded picture that its positions cover once they have room."""


def spring_layout(picture: Picture) -> Layout:
    """The spring layout of a picture, about as wide as high."""
    return straight_layout(picture, spring_places(picture))


def straight_layout(picture: Picture, centres: Sequence[Point]) -> Layout:
    """The layout with given centres, in which moves are straight; opposite ones bend a little."""

    def curve(u: int, v: int, opposite: bool) -> list[Point]:
        return bend(centres[u], centres[v], 0.12 * opposite)

    return join(picture, centres, lambda _: 0.0, curve)


def spring_places(picture: Picture) -> list[Point]:
    """The centres of the positions in the spring layout."""
    nodes = picture.nodes
    if not nodes:
        return []
    half = np.array([reach(node) for node in nodes])
    for e in picture.edges:
        if e.source == e.target:  # room for the loop
            half[e.source] = np.maximum(half[e.source], [reach(nodes[e.source])[0] + 18.0, 0.0])
    ends = np.array([(e.source, e.target) for e in picture.edges if e.source != e.target])
    ends = np.unique(ends.reshape(-1, 2).astype(np.int64), axis=0)
    places = np.zeros((len(nodes), 2))
    boxes = []
    for members in _components(len(nodes), ends):
        number = np.full(len(nodes), -1, np.int64)
        number[members] = np.arange(members.size)
        inner = number[ends[number[ends[:, 0]] >= 0]] if ends.size else ends
        places[members] = _component(members.size, inner, half[members])
        boxes.append(members)
    _pack(places, half, boxes)
    return [(float(x), float(y)) for x, y in places]


def _component(n: int, ends: Int64Array, half: Float64Array) -> Float64Array:
    """The places of one connected component."""
    if n == 1:
        return np.zeros((1, 2))
    indptr, indices = _neighbours(n, ends)
    if n > 12 and np.diff(indptr).max() <= 2:
        return _ribbon(n, indptr, indices, half)
    unit = SPARE * (2 * math.sqrt(float(half[:, 0].mean() * half[:, 1].mean())) + GAP)
    places = _turned(_least_stress(n, indptr, indices)) * unit
    wide, tall = _extent(places, half)
    if wide <= STRIP * tall:
        places = _spread(places, half)
    places = _folded(_apart(places, half), half)
    return _upright(_apart(places, half), ends)


# -------------------------------------------------------------------- components


def _components(n: int, ends: Int64Array) -> list[Int64Array]:
    """The positions of each connected component, the largest component first."""
    name = np.arange(n)
    while ends.size:
        least = np.minimum(name[ends[:, 0]], name[ends[:, 1]])
        before = name.copy()
        np.minimum.at(name, ends[:, 0], least)
        np.minimum.at(name, ends[:, 1], least)
        name = name[name]
        if np.array_equal(before, name):
            break
    order = np.argsort(name, kind="stable")
    cuts = np.flatnonzero(np.diff(name[order])) + 1
    return sorted(np.split(order, cuts), key=lambda part: (-part.size, int(part[0])))


def _pack(places: Float64Array, half: Float64Array, parts: Sequence[Int64Array]) -> None:
    """Put the components into rows, so that the whole is about as wide as high."""
    low = [(places[v] - half[v]).min(axis=0) for v in parts]
    high = [(places[v] + half[v]).max(axis=0) for v in parts]
    size = [(b - a + 2 * GAP).tolist() for a, b in zip(low, high, strict=True)]
    widest = max(w for w, _ in size)
    area = sum(w * h for w, h in size)
    widths = [max(widest, k * math.sqrt(area)) for k in (0.6, 0.8, 1.0, 1.1, 1.2, 1.4, 1.7, 2.0)]
    corners, _ = min(
        (_rows(size, wide) for wide in widths), key=lambda packed: _slimness(*packed[1])
    )
    for v, a, corner in zip(parts, low, corners, strict=True):
        places[v] += np.array(corner) - a


def _rows(size: Sequence[Sequence[float]], width: float) -> tuple[list[Point], Point]:
    """Corners of boxes in rows that are at most ``width`` wide, and the size of the whole."""
    corners: list[Point] = [(0.0, 0.0)] * len(size)
    x = y = tall = wide = 0.0
    for k in sorted(range(len(size)), key=lambda k: (-size[k][1], k)):
        if x and x + size[k][0] > width:
            x, y, tall = 0.0, y + tall, 0.0
        corners[k] = (x, y)
        x, tall = x + size[k][0], max(tall, size[k][1])
        wide = max(wide, x)
    return corners, (wide, y + tall)


def _slimness(wide: float, tall: float) -> float:
    """How far a rectangle is from a square: 0 for a square, the same for 1 : k and k : 1."""
    return abs(math.log(wide / tall))


# -------------------------------------------------------------------- stress


def _least_stress(n: int, indptr: Int64Array, indices: Int64Array) -> Float64Array:
    """Places of small stress; the length of a move is about 1."""
    pivots, far = _pivots(n, indptr, indices)
    places = _projected(far)
    near = np.argmin(far, axis=0)
    crowd = np.bincount(near, minlength=pivots.size).astype(np.float64)
    # A pivot stands for the positions that are nearest to it.
    weight = np.where(far > 0, crowd[:, None] / np.maximum(far, 1.0) ** 2, 0.0)
    row = np.repeat(np.arange(n), np.diff(indptr))
    total = weight.sum(axis=0) + np.bincount(row, minlength=n)
    for _ in range(ROUNDS):
        moved = _pull(places, places[pivots][:, None], far, weight).sum(axis=0)
        step = _pull(places[row], places[indices], np.ones(row.size), np.ones(row.size))
        for axis in (0, 1):
            moved[:, axis] += np.bincount(row, step[:, axis], minlength=n)
        moved /= total[:, None]
        change = float(np.abs(moved - places).max())
        places = moved
        if change < 0.01:
            break
    return places


def _pull(
    place: Float64Array, others: Float64Array, wish: Float64Array, weight: Float64Array
) -> Float64Array:
    """Where each of the others wants a place to be, times its weight."""
    apart = place - others
    length = np.hypot(apart[..., 0], apart[..., 1])
    share = np.where(length > 1e-9, wish / np.maximum(length, 1e-9), 0.0)
    pulled: Float64Array = (others + apart * share[..., None]) * weight[..., None]
    return pulled


def _neighbours(n: int, ends: Int64Array) -> tuple[Int64Array, Int64Array]:
    """The neighbours of each position, moves in either direction, in rows."""
    both = np.unique(np.concatenate((ends, ends[:, ::-1])), axis=0)
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(both[:, 0], minlength=n), out=indptr[1:])
    return indptr, both[:, 1]


def _pivots(n: int, indptr: Int64Array, indices: Int64Array) -> tuple[Int64Array, Float64Array]:
    """Positions far from each other, and the numbers of moves from them to all positions."""
    count = min(n, PIVOTS)
    pivots = np.zeros(count, np.int64)
    far = np.zeros((count, n))
    nearest = np.full(n, np.inf)
    v = int(np.argmax(np.diff(indptr)))
    for k in range(count):
        pivots[k] = v
        far[k] = _distances(v, indptr, indices)
        nearest = np.minimum(nearest, far[k])
        v = int(np.argmax(nearest))
    return pivots, far


def _distances(start: int, indptr: Int64Array, indices: Int64Array) -> Float64Array:
    """The number of moves from a position to each other one, in either direction."""
    found = np.full(indptr.size - 1, -1.0)
    front = np.array([start])
    found[start] = steps = 0.0
    while front.size:
        steps += 1
        sizes = indptr[front + 1] - indptr[front]
        first = np.repeat(indptr[front] - (np.cumsum(sizes) - sizes), sizes)
        reached = indices[first + np.arange(first.size)]
        front = np.unique(reached[found[reached] < 0])
        found[front] = steps
    return found


def _projected(far: Float64Array) -> Float64Array:
    """The two main directions of the distances from the pivots: classical scaling."""
    n = far.shape[1]
    square = far**2
    centred = square - square.mean(axis=0) - square.mean(axis=1)[:, None] + square.mean()
    _, vectors = np.linalg.eigh(centred @ centred.T)
    axes = vectors[:, -2:] if vectors.shape[1] > 1 else np.hstack((vectors, np.zeros((1, 1))))
    axes = axes * np.where(axes.sum(axis=0) < 0, -1.0, 1.0)  # an eigenvector has no sign
    places = centred.T @ axes
    size = np.sqrt((places**2).mean(axis=0))
    wide = float(np.sqrt(square.mean())) or 1.0
    places = places / np.maximum(size.max(), 1e-9) * wide
    # Positions that look alike from all pivots stand on one place; a small spiral parts them.
    angle = np.arange(n) * 2.399963
    radius = 0.3 * np.sqrt((np.arange(n) + 1.0) / n)
    spiral = np.stack((np.cos(angle), np.sin(angle)), axis=1) * radius[:, None]
    return np.asarray(places + spiral)


# -------------------------------------------------------------------- shape


def _turned(places: Float64Array) -> Float64Array:
    """The places turned into the smallest rectangle, which is at least as wide as high."""
    angle = np.arange(90) * math.pi / 180
    across = np.stack((np.cos(angle), np.sin(angle)))
    down = np.stack((-np.sin(angle), np.cos(angle)))
    size = np.ptp(places @ across, axis=0), np.ptp(places @ down, axis=0)
    k = int(np.argmin(np.round(size[0] * size[1], 6) + 1e-3 * (size[0] + size[1])))
    axes = [across[:, k], down[:, k]] if size[0][k] >= size[1][k] else [down[:, k], across[:, k]]
    return np.asarray(places @ np.stack(axes, axis=1))


def _extent(places: Float64Array, half: Float64Array) -> tuple[float, float]:
    """Width and height of the picture."""
    size = (places + half).max(axis=0) - (places - half).min(axis=0)
    return float(size[0]), float(size[1])


def _upright(places: Float64Array, ends: Int64Array) -> Float64Array:
    """The places mirrored so that most moves go down, and to the right."""
    flow = (places[ends[:, 1]] - places[ends[:, 0]]).sum(axis=0)
    return np.asarray(places * np.where(flow < 0, -1.0, 1.0))


def _folded(places: Float64Array, half: Float64Array) -> Float64Array:
    """A strip folded like a ribbon into rows, left to right and right to left in turns."""
    low = (places - half).min(axis=0)
    wide, tall = _extent(places, half)
    row_height = tall + 2 * GAP
    best = math.sqrt(wide / row_height)
    choices = {1, max(1, int(best)), int(best) + 1}
    rows = min(sorted(choices), key=lambda r: _slimness(wide, r * r * row_height))
    if rows < 2:
        return places
    length = wide / rows
    x = places[:, 0] - low[0]
    row = np.minimum((x / length).astype(np.int64), rows - 1)
    x = x - row * length
    x = np.where(row % 2 == 0, x, length - x)
    y = places[:, 1] - low[1]
    y = np.where(row % 2 == 0, y, tall - y)
    return np.stack((x, y + row * row_height), axis=1)


def _ribbon(n: int, indptr: Int64Array, indices: Int64Array, half: Float64Array) -> Float64Array:
    """A path folded into rows; a cycle is two paths side by side, joined at both ends."""
    ends = np.flatnonzero(np.diff(indptr) == 1)
    order = [int(ends[0]) if ends.size else 0]
    seen = set(order)
    while fresh := [w for w in indices[indptr[order[-1]] : indptr[order[-1] + 1]].tolist()
                    if w not in seen]:  # fmt: skip
        order.append(fresh[0])
        seen.add(fresh[0])
    wide, tall = (2 * half.max(axis=0) + [2 * GAP, 2 * GAP]).tolist()
    strands = 1 if ends.size else 2
    length = -(-n // strands)
    across = max(2, round(math.sqrt(length * strands * tall / wide)))
    k = np.arange(n)
    along = np.where(k < length, k, n - 1 - k)
    strand = (k >= length).astype(np.int64)
    row, column = np.divmod(along, across)
    back = row % 2 == 1
    x = np.where(back, across - 1 - column, column) * wide
    y = (row * strands + np.where(back, strands - 1 - strand, strand)) * tall
    if strands == 2:  # at a turn, one strand goes around the other
        for place, turn in ((across - 1, row), (0, row - 1)):
            turns = (column == place) & (turn >= 0) & (turn < row.max())
            outwards = np.where(turn % 2 == 0, 1.0, -1.0)
            aside = np.where(strand == turn % 2, 0.5, -0.18) * outwards
            x = x + np.where(turns, aside * wide, 0.0)
    places = np.zeros((n, 2))
    places[order] = np.stack((x, y), axis=1)
    return places


def _spread(places: Float64Array, half: Float64Array) -> Float64Array:
    """Give crowded positions room: move all towards cells of equal size, as little as needed."""
    n = places.shape[0]
    room = 2 * half + GAP
    if _crowded(places, half) <= CROWDED * n:
        return places
    unit = room.mean(axis=0)
    side = math.sqrt(n / FILL * float(unit.prod()))
    cells = np.zeros_like(places)
    _deal(places / unit, np.arange(n), np.array([0.0, 0.0]), side / unit, cells)
    cells = cells * unit
    extent = places.max(axis=0) - places.min(axis=0)
    scale = max(1.0, float((side / np.maximum(extent, 1e-9)).min()))
    places = (places - places.min(axis=0)) * scale
    for share in (0.25, 0.5, 0.75):
        mixed = (1 - share) * places + share * cells
        if _crowded(mixed, half) <= CROWDED * n:
            return np.asarray(mixed)
    return np.asarray(cells)


def _deal(
    places: Float64Array, some: Int64Array, low: Float64Array, size: Float64Array,
    cells: Float64Array,
) -> None:  # fmt: skip
    """Cut a rectangle into equal cells, one for each position, in the order of their places."""
    if some.size == 1:
        cells[some[0]] = low + size / 2
        return
    axis = int(size[1] > size[0])
    order = some[np.argsort(places[some, axis], kind="stable")]
    left = some.size // 2
    share = np.array([1.0, 1.0])
    share[axis] = left / some.size
    _deal(places, order[:left], low, size * share, cells)
    step = np.zeros(2)
    step[axis] = size[axis] * share[axis]
    share[axis] = 1 - share[axis]
    _deal(places, order[left:], low + step, size * share, cells)


def _crowded(places: Float64Array, half: Float64Array) -> float:
    """How many positions overlap others."""
    return float((_pushes(places, half + GAP / 2)[1] > 0).sum())


def _apart(places: Float64Array, half: Float64Array) -> Float64Array:
    """Push positions apart until no two of them overlap; grow the picture if that takes long."""
    places = places.copy()
    room = half + GAP / 2
    for turn in range(600):
        shift, hits = _pushes(places, room)
        if not hits.any():
            break
        places += shift / np.maximum(1.0, np.sqrt(hits))[:, None]
        if turn % 25 == 24:
            places *= 1.06
    return places


def _pushes(places: Float64Array, room: Float64Array) -> tuple[Float64Array, Float64Array]:
    """How far the positions that overlap push each other, and how many each of them overlaps."""
    n = places.shape[0]
    order = np.argsort(places[:, 0], kind="stable")
    reach_left = float(2 * room[:, 0].max())
    shift, hits = np.zeros_like(places), np.zeros(n)
    # Invariant: two positions that overlap are at most k places apart in the order of abscissae,
    # for some k at which one pair is near enough.
    for k in range(1, n):
        a, b = order[:-k], order[k:]
        gap = places[b] - places[a]
        near = gap[:, 0] < reach_left
        if not near.any():
            break
        a, b, gap = a[near], b[near], gap[near]
        need = room[a] + room[b] - np.abs(gap)
        over = (need > 1e-6).all(axis=1)
        if not over.any():
            continue
        a, b, gap, need = a[over], b[over], gap[over], need[over]
        axis = np.argmin(need, axis=1)
        some = np.arange(a.size)
        way = np.where(gap[some, axis] < 0, -1.0, 1.0) * (need[some, axis] / 2 + 0.01)
        np.subtract.at(shift, (a, axis), way)
        np.add.at(shift, (b, axis), way)
        np.add.at(hits, a, 1)
        np.add.at(hits, b, 1)
    return shift, hits
