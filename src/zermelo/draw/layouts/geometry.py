"""Coordinates: points, Bézier curves, the borders of positions."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from zermelo.draw.picture import Node, Picture

Point = tuple[float, float]

ARROW = 8.5
"""The length of an arrowhead."""


@dataclass(frozen=True)
class Route:
    """The curve of a move: 3 k + 1 points of k cubic curves, then an arrowhead up to ``tip``."""

    points: tuple[Point, ...]
    tip: Point

    @property
    def middle(self) -> Point:
        """The point half way along the curve, where the weight of a move is written."""
        curves = (len(self.points) - 1) // 3
        first = 3 * (curves // 2)
        if curves % 2 == 0:
            return self.points[first]
        return split(self.points[first : first + 4], 0.5)[0][3]


@dataclass(frozen=True)
class Layout:
    """Coordinates for a picture; the origin is the upper left corner and y grows downwards."""

    width: float
    height: float
    centres: tuple[Point, ...]
    routes: tuple[Route, ...]


def reach(node: Node) -> tuple[float, float]:
    """Half the width and half the height of a position, including its second border."""
    rim = 4.0 if node.ends else 0.0
    return node.width / 2 + rim, node.height / 2 + rim


def covers(node: Node, centre: Point, point: Point) -> bool:
    """Whether a point lies inside the shape of the position."""
    a, b = reach(node)
    x, y = abs(point[0] - centre[0]) / a, abs(point[1] - centre[1]) / b
    return x * x + y * y <= 1.0 if node.shape == "ellipse" else max(x, y) <= 1.0


def between(p: Point, q: Point, t: float) -> Point:
    """The point ``p + t (q − p)``."""
    return p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t


def split(curve: Sequence[Point], t: float) -> tuple[list[Point], list[Point]]:
    """A cubic curve cut in two at ``t``, by de Casteljau's algorithm.

    >>> split([(0, 0), (1, 0), (2, 0), (3, 0)], 0.5)[0][-1]
    (1.5, 0.0)
    """
    a, b, c, d = curve
    ab, bc, cd = between(a, b, t), between(b, c, t), between(c, d, t)
    abc, bcd = between(ab, bc, t), between(bc, cd, t)
    middle = between(abc, bcd, t)
    return [a, ab, abc, middle], [middle, bcd, cd, d]


def shorten(curve: Sequence[Point], length: float) -> Route:
    """A cubic curve whose last ``length`` becomes the arrowhead."""
    tip = curve[3]
    if math.dist(curve[0], tip) <= length * 1.2:
        length = math.dist(curve[0], tip) * 0.6
    end, _ = _turn(0.0, 1.0, 24, lambda t: math.dist(split(curve, t)[0][3], tip) > length)
    return Route(tuple(split(curve, end)[0]), tip)


def _turn(
    low: float, high: float, rounds: int, before: Callable[[float], bool]
) -> tuple[float, float]:
    """Bounds of the place where ``before`` ends to hold, by halving their distance."""
    for _ in range(rounds):
        t = (low + high) / 2
        low, high = (t, high) if before(t) else (low, t)
    return low, high


def connect(
    curve: Sequence[Point], source: tuple[Node, Point], target: tuple[Node, Point]
) -> Route:
    """A cubic curve from centre to centre, cut at both borders, with an arrowhead."""
    return shorten(_leave(_leave(curve, *source)[::-1], *target)[::-1], ARROW)


def _leave(curve: Sequence[Point], node: Node, centre: Point) -> list[Point]:
    """The part of a curve after it leaves the shape of its first position."""
    low, high = 0.0, 1.0
    for step in range(1, 33):
        if not covers(node, centre, split(curve, step / 32)[0][3]):
            low, high = (step - 1) / 32, step / 32
            break
    _, high = _turn(low, high, 20, lambda t: covers(node, centre, split(curve, t)[0][3]))
    return split(curve, high)[1] if high < 1.0 else list(curve)


def bend(p: Point, q: Point, share: float) -> list[Point]:
    """A cubic curve from p to q that bends to the left by a share of their distance."""
    dx, dy = (q[0] - p[0]) * share, (q[1] - p[1]) * share
    a, b = between(p, q, 1 / 3), between(p, q, 2 / 3)
    return [p, (a[0] + dy, a[1] - dx), (b[0] + dy, b[1] - dx), q]


def loop(node: Node, centre: Point, angle: float) -> Route:
    """A move of a position to itself, on the side that ``angle`` points to."""
    a, b = reach(node)
    x, y = math.cos(angle), math.sin(angle)
    if node.shape == "ellipse":
        rim = 1.0 / math.hypot(x / a, y / b)
    else:
        rim = 1.0 / max(abs(x) / a, abs(y) / b)

    def spot(out: float, aside: float) -> Point:
        far = rim + out
        return centre[0] + x * far - y * aside, centre[1] + y * far + x * aside

    curve = [spot(-12.0, -8.0), spot(36.0, -22.0), spot(36.0, 22.0), spot(-12.0, 8.0)]
    first, second = split(curve, 0.5)
    out = _leave(first, node, centre)
    back = shorten(_leave(second[::-1], node, centre)[::-1], ARROW)
    return Route((*out, *back.points[1:]), back.tip)


def depth_first(roots: Iterable[int], out: Sequence[Sequence[int]]) -> list[int]:
    """Positions in the order in which a search that starts at the roots first visits them.

    >>> depth_first([0], [[1, 2], [], [1]])
    [0, 1, 2]
    """
    seen: dict[int, None] = {}
    for root in roots:
        stack = [root]
        while stack:
            v = stack.pop()
            if v not in seen:
                seen[v] = None
                stack.extend(reversed(out[v]))
    return list(seen)


def join(
    picture: Picture,
    centres: Sequence[Point],
    angle: Callable[[int], float],
    curve: Callable[[int, int, bool], Sequence[Point]],
) -> Layout:
    """The layout with given centres.

    A loop at ``u`` points to ``angle(u)``; another move is ``curve(u, v, opposite)``, where
    ``opposite`` says that there is a move from v to u, too.
    """
    nodes = picture.nodes
    moves = {(e.source, e.target) for e in picture.edges}
    routes = [
        loop(nodes[u], centres[u], angle(u))
        if u == v
        else connect(curve(u, v, (v, u) in moves), (nodes[u], centres[u]), (nodes[v], centres[v]))
        for u, v in ((e.source, e.target) for e in picture.edges)
    ]
    return fit(nodes, centres, routes)


def fit(nodes: Sequence[Node], centres: Sequence[Point], routes: Sequence[Route]) -> Layout:
    """The layout, shifted to the upper left corner and given the size of its content."""
    if not nodes:
        return Layout(0.0, 0.0, (), ())
    corners = [
        (c[0] + sign * reach(node)[0], c[1] + sign * reach(node)[1])
        for node, c in zip(nodes, centres, strict=True)
        for sign in (-1, 1)
    ]
    for route in routes:
        for k in range(0, len(route.points) - 3, 3):
            curve = route.points[k : k + 4]
            corners += [split(curve, t)[0][3] for t in (0.25, 0.5, 0.75)]
    left, right = min(p[0] for p in corners), max(p[0] for p in corners)
    top, low = min(p[1] for p in corners), max(p[1] for p in corners)

    def move(p: Point) -> Point:
        return p[0] - left, p[1] - top

    return Layout(
        right - left,
        low - top,
        tuple(move(p) for p in centres),
        tuple(Route(tuple(move(p) for p in r.points), move(r.tip)) for r in routes),
    )
