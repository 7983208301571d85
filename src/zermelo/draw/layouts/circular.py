"""The built-in circular layout, for small graphs in which most positions lie on cycles."""

import math

from zermelo.draw.layouts.geometry import Layout, Point, bend, between, depth_first, join, reach
from zermelo.draw.picture import Picture

MAX_CIRCLE = 14


def circular_layout(picture: Picture) -> Layout:
    """Place a picture on a circle, clockwise from the top in the order of a walk."""
    nodes = picture.nodes
    order = _walk(picture)
    place = {v: k for k, v in enumerate(order)}
    across = sum(2 * max(reach(node)) for node in nodes) + 34.0 * len(nodes)
    radius = max(across / (2 * math.pi), 62.0) if len(nodes) > 1 else 0.0
    angle = {v: -math.pi / 2 + 2 * math.pi * k / len(nodes) for k, v in enumerate(order)}
    centres = [
        (radius * math.cos(angle[v]), radius * math.sin(angle[v])) for v in range(len(nodes))
    ]

    def curve(u: int, v: int, opposite: bool) -> list[Point]:
        apart = abs(place[u] - place[v])
        if min(apart, len(nodes) - apart) == 1:
            return bend(centres[u], centres[v], 0.12 * opposite)
        points = bend(centres[u], centres[v], 0.08 * opposite)
        # Far enough inside to pass the positions between.
        points[1:3] = [between(p, (0.0, 0.0), 0.3 if opposite else 0.5) for p in points[1:3]]
        return points

    return join(picture, centres, angle.__getitem__, curve)


def suits_circle(picture: Picture) -> bool:
    """Whether a picture is small and most of its positions lie on cycles."""
    n = len(picture.nodes)
    if not 1 <= n <= MAX_CIRCLE:
        return False
    reaches = [1 << v for v in range(n)]
    for _ in range(n):
        for e in picture.edges:
            reaches[e.source] |= reaches[e.target]
    mutual = [sum(reaches[v] >> w & reaches[w] >> v & 1 for w in range(n)) for v in range(n)]
    return max(mutual) > max(2, 0.6 * n)


def _walk(picture: Picture) -> list[int]:
    """Positions in the order in which a walk along best moves first visits them."""
    out: list[list[int]] = [[] for _ in picture.nodes]
    for e in sorted(picture.edges, key=lambda e: not e.best):
        out[e.source].append(e.target)
    roots = sorted(range(len(out)), key=lambda v: not picture.nodes[v].start)
    return depth_first(roots, out)
