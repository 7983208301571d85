"""Thermographs: the stops of a value when every move costs t.

The walls of G at temperature t ≥ −1 are

    L_t(G) = max over Left options of R_t − t,    R_t(G) = min over Right options of L_t + t

up to the first t where the two meet, the *temperature*. Above it both are the *mast*, at the
*mean*. An integer is a mast from t = −1. L_t decreases and R_t increases with slopes 0 or 1, so
they meet once. At t = 0 the walls are the stops.

Reference: [BerlekampConwayGuy2001] ch. 6, [Siegel2013] §II.5, where a number m/2ᵏ also has
temperature −1/2ᵏ. Breakpoints are exact. The time is linear in the breakpoints of the options'
thermographs, each of which is made once. The walls of x + n·↑ + ∗m are those of x + 2·↑ + ∗m for
n > 2, and those of x + n·↑ + ∗2 for m > 2; the tests compare this with the definition.
"""

import os
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import ge, le
from pathlib import Path
from typing import Any

from zermelo._runtime.services import service
from zermelo.errors import InvalidOptionError
from zermelo.partizan.store import STORE
from zermelo.partizan.walk import fold
from zermelo.plots.svg import save_svg

Point = tuple[Fraction, Fraction]
"""A temperature and the value there."""

Wall = tuple[Point, ...]
"""Breakpoints from t = −1 upwards; the wall is constant after the last one."""

START = Fraction(-1)


@dataclass(frozen=True)
class Thermograph:
    """The two walls of a value, exact.

    A wall is a tuple of points (t, value) from t = −1 upwards; the last point is the foot of the
    mast. Between two points the wall is straight.

    >>> one = STORE.number(1, 0)
    >>> t = thermograph(STORE.make([one], [STORE.negate(one)]))
    >>> t.mean, t.temperature, t.left(0), t.right(Fraction(1, 2))
    (Fraction(0, 1), Fraction(1, 1), Fraction(1, 1), Fraction(-1, 2))
    >>> print(t)
    left (-1,2) (1,0); right (-1,-2) (1,0)
    """

    left_wall: Wall
    right_wall: Wall

    @property
    def temperature(self) -> Fraction:
        """The temperature at which the mast begins."""
        return self.left_wall[-1][0]

    @property
    def mean(self) -> Fraction:
        """The value of the mast."""
        return self.left_wall[-1][1]

    def left(self, t: Fraction | int) -> Fraction:
        """The left wall at a temperature of at least −1."""
        return _at(self.left_wall, t)

    def right(self, t: Fraction | int) -> Fraction:
        """The right wall at a temperature of at least −1."""
        return _at(self.right_wall, t)

    def __str__(self) -> str:
        walls = (("left", self.left_wall), ("right", self.right_wall))
        return "; ".join(f"{side} {_spell(wall)}" for side, wall in walls)

    def draw(self, *, height: int = 12, width: int = 60, ascii: bool | None = None) -> str:
        """A picture in characters, for the terminal; Left's wall is on the left.

        It is made of Braille patterns, or of ASCII where stdout cannot show these.
        """
        from zermelo.partizan.analysis.thermograph_plot import draw_text

        return draw_text(self, height=height, width=width, ascii=ascii)

    def save(self, path: str | os.PathLike[str], title: str | None = None) -> Path:
        """Write the picture to a file that ends with .svg, and return its path."""
        return save_svg(self.svg(title), path)

    def svg(self, title: str | None = None) -> str:
        """A picture as SVG text."""
        from zermelo.partizan.analysis.thermograph_plot import draw_svg

        return draw_svg(self, title)

    def __call__(self) -> Any:
        """A widget for a notebook, in which one moves along the temperatures.

        It needs anywidget: pip install 'zermelo[notebook]'. The picture that a notebook shows by
        itself has no script.

        >>> import zermelo as zm
        >>> zm.value("{2|-1}").thermograph().parameters["data"]["temperature"]
        '3/2'
        """
        return service("explore-thermograph")(self)

    def _repr_svg_(self) -> str:
        return self.svg()


def _spell(wall: Wall) -> str:
    return " ".join(f"({t},{x})" for t, x in wall)


def _at(wall: Wall, t: Fraction | int) -> Fraction:
    if t < START:
        raise InvalidOptionError(f"expected a temperature of at least -1, got {t}")
    k = bisect_right(wall, t, key=lambda point: point[0])
    if k == len(wall):
        return wall[-1][1]
    (t0, x0), (t1, x1) = wall[k - 1], wall[k]
    return x0 + (x1 - x0) * (t - t0) / (t1 - t0)


_THERMOGRAPH: dict[int, Thermograph] = STORE.memo()


def thermograph(v: int) -> Thermograph:
    """The thermograph of a value.

    >>> print(thermograph(STORE.number(-3, 2)))
    left (-1,0) (-1/4,-3/4); right (-1,-1) (-1/2,-1) (-1/4,-3/4)
    """
    return fold(v, _THERMOGRAPH, _leaf, _join)


def _leaf(v: int) -> Thermograph | None:
    parts = STORE.parts(v)
    if parts is None:
        return None
    numerator, exponent, up, star = parts
    if not (exponent or up or star):
        wall = ((START, Fraction(numerator)),)
        return Thermograph(wall, wall)
    if abs(up) > 2 or star > 2:
        small = STORE.number_up_star(numerator, exponent, max(-2, min(2, up)), min(2, star))
        return thermograph(small)
    return None


def _join(_: int, left: list[Thermograph], right: list[Thermograph]) -> Thermograph:
    mine = reduce(_upper, (x.right_wall for x in left))
    yours = reduce(_lower, (x.left_wall for x in right))
    return meet(tilt(mine, -1), tilt(yours, 1))


def tilt(wall: Sequence[Point], slope: int) -> list[Point]:
    """The scaffold: every move costs t. After the last point the slope is ``slope``."""
    return [(t, x + slope * t) for t, x in wall]


def meet(left: Sequence[Point], right: Sequence[Point]) -> Thermograph:
    """The walls of two scaffolds whose slopes after the last points are −1 and +1."""
    top = max(left[-1][0], right[-1][0])
    gap = _beyond(left, top, -1) - _beyond(right, top, 1)
    end = top + max(gap, Fraction(0)) / 2
    mine, yours = _extend(left, end, -1), _extend(right, end, 1)
    times = sorted({t for t, _ in (*mine, *yours)})
    xs, ys = _sample(mine, times), _sample(yours, times)
    # Invariant: at times[:k] the left scaffold is strictly above the right one.
    k = next(k for k, (x, y) in enumerate(zip(xs, ys, strict=True)) if x <= y)
    meeting, mast = times[k], xs[k]
    if xs[k] < ys[k] and k:
        before, after = xs[k - 1] - ys[k - 1], xs[k] - ys[k]
        share = before / (before - after)
        meeting = times[k - 1] + (times[k] - times[k - 1]) * share
        mast = xs[k - 1] + (xs[k] - xs[k - 1]) * share
    foot = (meeting, mast)
    walls = (_straighten([*zip(times[:k], values[:k], strict=True), foot]) for values in (xs, ys))
    return Thermograph(*walls)


def _beyond(wall: Sequence[Point], t: Fraction, slope: int) -> Fraction:
    return wall[-1][1] + slope * (t - wall[-1][0])


def _extend(wall: Sequence[Point], end: Fraction, slope: int) -> list[Point]:
    last = [] if wall[-1][0] >= end else [(end, _beyond(wall, end, slope))]
    return [*wall, *last]


def _upper(a: Wall, b: Wall) -> Wall:
    return _envelope(a, b, ge)


def _lower(a: Wall, b: Wall) -> Wall:
    return _envelope(a, b, le)


def _envelope(a: Wall, b: Wall, better: Callable[[Fraction, Fraction], bool]) -> Wall:
    """The upper or lower envelope of two walls."""
    if a == b:
        return a
    times = sorted({t for t, _ in (*a, *b)})
    xs, ys = _sample(a, times), _sample(b, times)
    points: list[Point] = []
    for k, (t, x, y) in enumerate(zip(times, xs, ys, strict=True)):
        if k and (xs[k - 1] - ys[k - 1]) * (x - y) < 0:  # the walls cross in between
            share = (xs[k - 1] - ys[k - 1]) / (xs[k - 1] - ys[k - 1] - x + y)
            points.append(
                (times[k - 1] + (t - times[k - 1]) * share, xs[k - 1] + (x - xs[k - 1]) * share)
            )
        points.append((t, x if better(x, y) else y))
    return _straighten(points)


def _sample(wall: Sequence[Point], times: Sequence[Fraction]) -> list[Fraction]:
    """A wall at increasing temperatures, which include all its breakpoints except later ones."""
    values: list[Fraction] = []
    k = 0
    # Invariant: wall[k] is the last breakpoint at or before t, and wall[k + 1] the next one.
    for t in times:
        while k + 1 < len(wall) and wall[k + 1][0] <= t:
            k += 1
        t0, x0 = wall[k]
        if t == t0 or k + 1 == len(wall):
            values.append(x0)
        else:
            t1, x1 = wall[k + 1]
            values.append(x0 + (x1 - x0) * (t - t0) / (t1 - t0))
    return values


def _straighten(points: Sequence[Point]) -> Wall:
    """The wall without points at which it is straight; the first and the last point stay."""
    kept: list[Point] = []
    for point in points:
        while len(kept) > 1 and _straight(kept[-2], kept[-1], point):
            kept.pop()
        if not kept or kept[-1] != point:
            kept.append(point)
    return tuple(kept)


def _straight(a: Point, b: Point, c: Point) -> bool:
    return (b[1] - a[1]) * (c[0] - b[0]) == (c[1] - b[1]) * (b[0] - a[0])
