"""The built-in layered layout: layers by longest path, few crossings, straight long moves.

This is Sugiyama's method in its simplest form, for machines without Graphviz. A move that closes a
cycle counts as reversed while layers are made. A long move passes through a dummy in each layer.
Barycentres improve the order within layers. The coordinates are a least-squares solution with a
minimal gap, found by pooling adjacent violators.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from zermelo.draw.layouts.geometry import (
    ARROW,
    Layout,
    Point,
    Route,
    depth_first,
    fit,
    loop,
    reach,
    shorten,
)
from zermelo.draw.picture import Node, Picture

GAP = 22.0
"""The minimal gap between neighbours in a layer."""
RISE = 48.0
"""The gap between layers."""
STEEP = 0.35
"""How much a long move may slope where it passes a layer without touching its neighbours."""
MAX_DUMMIES = 6_000
SWEEPS = 12


@dataclass
class _Web:
    """Layers of real positions ``0 … n-1`` and dummies ``n …``; edges join adjacent layers."""

    rank: list[int]
    chains: list[list[int]]
    """For each move, its chain from the upper to the lower end; empty for a loop."""
    up: list[list[int]] = field(default_factory=list)
    down: list[list[int]] = field(default_factory=list)
    layers: list[list[int]] = field(default_factory=list)


def layered_layout(picture: Picture, direction: str = "down") -> Layout:
    """The layered layout of a picture, downwards or to the right."""
    if not picture.nodes:
        return fit((), (), ())
    if direction == "right":
        return _turned(layered_layout(_turned_picture(picture)))
    n = len(picture.nodes)
    web = _weave(n, [(e.source, e.target) for e in picture.edges], ranks(picture))
    _order(web)
    loops = {e.source for e in picture.edges if e.source == e.target}
    half = [
        reach(picture.nodes[v])[0] + (30.0 if v in loops else 0.0) if v < n else 5.0
        for v in range(len(web.rank))
    ]
    x = _abscissae(web, half, n)
    y = _ordinates(web, picture.nodes)
    centres = tuple((x[v], y[web.rank[v]]) for v in range(n))
    routes = _routes(picture, web, x, y, centres)
    return fit(picture.nodes, centres, routes)


def _turned_picture(picture: Picture) -> Picture:
    nodes = (replace(node, width=node.height, height=node.width) for node in picture.nodes)
    return replace(picture, nodes=tuple(nodes))


def _turned(layout: Layout) -> Layout:
    """The layout with rows and columns exchanged."""
    routes = (
        Route(tuple((y, x) for x, y in route.points), route.tip[::-1]) for route in layout.routes
    )
    centres = tuple((y, x) for x, y in layout.centres)
    return Layout(layout.height, layout.width, centres, tuple(routes))


def ranks(picture: Picture) -> list[int]:
    """The layer of each position: the longest path to it along moves that close no cycle."""
    n = len(picture.nodes)
    out: list[list[int]] = [[] for _ in range(n)]
    entered = [0] * n
    for e in picture.edges:
        if e.source != e.target:
            out[e.source].append(e.target)
            entered[e.target] += 1
    roots = sorted(range(n), key=lambda v: (not picture.nodes[v].start, entered[v] > 0, v))
    state, finished, forward = [0] * n, [], []
    for root in roots:
        if state[root]:
            continue
        state[root] = 1
        stack = [(root, iter(out[root]))]
        while stack:
            v, rest = stack[-1]
            for w in rest:
                if state[w] != 1:
                    forward.append((v, w))
                if not state[w]:
                    state[w] = 1
                    stack.append((w, iter(out[w])))
                    break
            else:
                state[v] = 2
                finished.append(v)
                stack.pop()
    below: list[list[int]] = [[] for _ in range(n)]
    for v, w in forward:
        below[v].append(w)
    rank = [0] * n
    for v in reversed(finished):
        for w in below[v]:
            rank[w] = max(rank[w], rank[v] + 1)
    inner = {w for _, w in forward}
    for v in finished:  # move a source down, next to its successors
        if v not in inner and below[v]:
            rank[v] = min(rank[w] for w in below[v]) - 1
    return rank


def _weave(n: int, moves: Sequence[tuple[int, int]], rank: list[int]) -> _Web:
    """Put dummies on long moves, unless there would be too many."""
    rank = list(rank)
    long = sum(max(0, abs(rank[u] - rank[v]) - 1) for u, v in moves)
    chains: list[list[int]] = []
    for u, v in moves:
        top, bottom = (u, v) if rank[u] < rank[v] else (v, u)
        chain = [top]
        if u != v and long <= MAX_DUMMIES:
            for k in range(rank[top] + 1, rank[bottom]):
                chain.append(len(rank))
                rank.append(k)
        chains.append([] if u == v else [*chain, bottom])
    web = _Web(rank, chains)
    web.up = [[] for _ in rank]
    web.down = [[] for _ in rank]
    for chain in chains:
        for a, b in itertools.pairwise(chain):
            web.down[a].append(b)
            web.up[b].append(a)
    web.layers = [[] for _ in range(max(rank) + 1)]
    roots = sorted(range(n), key=lambda v: (rank[v], v))
    for v in depth_first(roots, web.down):
        web.layers[rank[v]].append(v)
    return web


def _order(web: _Web) -> None:
    """Sort layers by the barycentres of their neighbours, up and down; keep the best order."""
    best, fewest = [list(layer) for layer in web.layers], _crossings(web)
    for sweep in range(SWEEPS):
        if fewest == 0:
            break
        downwards = sweep % 2 == 0
        near = web.up if downwards else web.down
        place = {v: k for layer in web.layers for k, v in enumerate(layer)}
        layers = web.layers if downwards else web.layers[::-1]
        for layer in layers:
            centre = {
                v: sum(place[w] for w in near[v]) / len(near[v]) if near[v] else place[v]
                for v in layer
            }
            layer.sort(key=centre.__getitem__)
            place.update((v, k) for k, v in enumerate(layer))
        count = _crossings(web)
        if count < fewest:
            best, fewest = [list(layer) for layer in web.layers], count
    web.layers = best


def _crossings(web: _Web) -> int:
    """The number of crossings, counted by a Fenwick tree for each two adjacent layers."""
    total = 0
    for upper, lower in itertools.pairwise(web.layers):
        place = {v: k + 1 for k, v in enumerate(lower)}
        tree = [0] * (len(lower) + 1)
        added = 0
        for v in upper:
            ends = [place[w] for w in web.down[v] if w in place]
            for k in ends:
                before, i = 0, k
                while i:
                    before += tree[i]
                    i &= i - 1
                total += added - before
            for i in ends:
                while i <= len(lower):
                    tree[i] += 1
                    i += i & -i
            added += len(ends)
    return total


def _abscissae(web: _Web, half: list[float], n: int) -> list[float]:
    """Least squares towards the neighbours, layer by layer, with the minimal gap."""
    x = [0.0] * len(web.rank)
    for layer in web.layers:
        at = 0.0
        for v in layer:
            x[v] = at + half[v]
            at = x[v] + half[v] + GAP
        for v in layer:
            x[v] -= (at - GAP) / 2
    for sweep in range(2 * SWEEPS):
        layers = web.layers if sweep % 2 == 0 else web.layers[::-1]
        for layer in layers:
            wish, weight = [], []
            for v in layer:
                near = web.up[v] + web.down[v] if sweep > 3 else (web.up, web.down)[sweep % 2][v]
                pull = [(x[w], 4.0 if v >= n and w >= n else 1.0) for w in near]
                heavy = sum(k for _, k in pull)
                wish.append(sum(a * k for a, k in pull) / heavy if pull else x[v])
                weight.append(heavy if pull else 0.1)
            for v, a in zip(layer, pool(wish, weight, [half[v] for v in layer]), strict=True):
                x[v] = a
    return x


def pool(wish: list[float], weight: list[float], half: list[float]) -> list[float]:
    """The places nearest to the wishes that keep order and gaps: pool adjacent violators.

    >>> pool([0.0, 0.0], [1.0, 1.0], [10.0, 10.0])
    [-21.0, 21.0]
    """
    offset, at = [], 0.0
    for k, h in enumerate(half):
        at += h if k == 0 else half[k - 1] + GAP + h
        offset.append(at)
    blocks: list[tuple[float, float, int]] = []
    for a, w, o in zip(wish, weight, offset, strict=True):
        block = ((a - o) * w, w, 1)
        while blocks and blocks[-1][0] / blocks[-1][1] > block[0] / block[1]:
            last = blocks.pop()
            block = (last[0] + block[0], last[1] + block[1], last[2] + block[2])
        blocks.append(block)
    shift = [total / w for total, w, count in blocks for _ in range(count)]
    return [s + o for s, o in zip(shift, offset, strict=True)]


def _ordinates(web: _Web, nodes: Sequence[Node]) -> list[float]:
    """The vertical middle of each layer."""
    tallest = [12.0] * len(web.layers)
    for v, node in enumerate(nodes):
        tallest[web.rank[v]] = max(tallest[web.rank[v]], reach(node)[1])
    y, at = [], 0.0
    for k, tall in enumerate(tallest):
        at += tall if k == 0 else tallest[k - 1] + RISE + tall
        y.append(at)
    return y


def _routes(
    picture: Picture, web: _Web, x: list[float], y: list[float], centres: tuple[Point, ...]
) -> tuple[Route, ...]:
    nodes = picture.nodes
    ports: dict[tuple[int, int], list[tuple[float, int]]] = {}
    for k, chain in enumerate(web.chains):
        if chain:
            ports.setdefault((chain[0], 1), []).append((x[chain[1]], k))
            ports.setdefault((chain[-1], -1), []).append((x[chain[-2]], k))
    port: dict[tuple[int, int], Point] = {}
    for (v, side), users in ports.items():
        a, b = reach(nodes[v])
        for i, (_, k) in enumerate(sorted(users)):
            t = 0.0 if len(users) == 1 else (2 * i / (len(users) - 1) - 1) * 0.55
            drop = (1 - t * t) ** 0.5 if nodes[v].shape == "ellipse" else 1.0
            port[k, side] = (centres[v][0] + t * a, centres[v][1] + side * b * drop)
    routes = []
    for k, (edge, chain) in enumerate(zip(picture.edges, web.chains, strict=True)):
        if not chain:
            routes.append(loop(nodes[edge.source], centres[edge.source], 0.0))
            continue
        path = [port[k, 1], *((x[d], y[web.rank[d]]) for d in chain[1:-1]), port[k, -1]]
        points = _smooth(path)
        if chain[0] != edge.source:
            points.reverse()
        last = shorten(points[-4:], ARROW)
        routes.append(Route((*points[:-4], *last.points), last.tip))
    return tuple(routes)


def _smooth(path: list[Point]) -> list[Point]:
    """Cubic curves through all points, vertical at both ends and where the direction changes."""
    slope = [0.0] * len(path)
    for k in range(1, len(path) - 1):
        (x0, y0), (x1, y1), (x2, y2) = path[k - 1 : k + 2]
        before, after = (x1 - x0) / (y1 - y0), (x2 - x1) / (y2 - y1)
        if before * after > 0:  # the harmonic mean never overshoots
            mean = 2 * before * after / (before + after)
            slope[k] = max(-STEEP, min(STEEP, mean))
    for k, near in ((0, 1), (-1, -2)):
        slope[k] = 0.5 * (path[near][0] - path[k][0]) / (path[near][1] - path[k][1])
    points = path[:1]
    for (p, q), (a, b) in zip(itertools.pairwise(path), itertools.pairwise(slope), strict=True):
        h = (q[1] - p[1]) * 0.42
        points += [(p[0] + a * h, p[1] + h), (q[0] - b * h, q[1] - h), q]
    return points
