"""The built-in circular layout, for small graphs in which most positions lie on cycles."""

import math

from zermelo.draw.layouts.geometry import Layout, bend, between, connect, fit, loop, reach
from zermelo.draw.picture import Picture

MAX_CIRCLE = 14


def circular_layout(picture: Picture) -> Layout:
    """Place a picture on a circle, clockwise from the top in the order of a walk."""
    nodes = picture.nodes
    if not nodes:
        return Layout(0.0, 0.0, (), ())
    order = _walk(picture)
    place = {v: k for k, v in enumerate(order)}
    across = sum(2 * max(reach(node)) for node in nodes) + 34.0 * len(nodes)
    radius = max(across / (2 * math.pi), 62.0) if len(nodes) > 1 else 0.0
    angle = {v: -math.pi / 2 + 2 * math.pi * k / len(nodes) for k, v in enumerate(order)}
    centres = [
        (radius * math.cos(angle[v]), radius * math.sin(angle[v])) for v in range(len(nodes))
    ]
    middle = (0.0, 0.0)
    moves = {(e.source, e.target) for e in picture.edges}
    routes = []
    for e in picture.edges:
        u, v = e.source, e.target
        if u == v:
            routes.append(loop(nodes[u], centres[u], angle[u]))
            continue
        apart = abs(place[u] - place[v])
        if min(apart, len(nodes) - apart) == 1:
            curve = bend(centres[u], centres[v], 0.12 if (v, u) in moves else 0.0)
        else:  # far enough inside to pass the positions between
            aside = 0.08 if (v, u) in moves else 0.0
            curve = bend(centres[u], centres[v], aside)
            curve[1:3] = [between(p, middle, 0.3 if aside else 0.5) for p in curve[1:3]]
        routes.append(connect(curve, (nodes[u], centres[u]), (nodes[v], centres[v])))
    return fit(nodes, centres, routes)


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
    seen: dict[int, None] = {}
    roots = sorted(range(len(out)), key=lambda v: not picture.nodes[v].start)
    for root in roots:
        stack = [root]
        while stack:
            v = stack.pop()
            if v not in seen:
                seen[v] = None
                stack.extend(reversed(out[v]))
    return list(seen)
