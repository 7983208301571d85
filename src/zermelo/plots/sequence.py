"""Pictures of sequences, such as the nim-values of heaps: SVG, and characters for the terminal."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.labels import AnyArray, BoolArray
from zermelo.plots.canvas import Canvas, can_show, framed
from zermelo.plots.palette import FAINT, PALETTE, TEXT
from zermelo.plots.svg import first_lines, save_svg
from zermelo.plots.text import width, xml

WIDE, TALL = 820.0, 320.0
"""The size of the picture without its margins."""
LEFT, RIGHT, TOP, BOTTOM = 52.0, 20.0, 44.0, 44.0
FINE = 2.0
"""Of the points that share a square of this size one is drawn, so that no picture is huge."""


@dataclass(frozen=True, eq=False)
class SequencePlot:
    """The points (n, values[n]) of a sequence; some may be marked.

    >>> plot = SequencePlot("squares", np.array([0, 1, 4, 9]))
    >>> plot.svg().count("<path class")
    1
    """

    title: str
    values: AnyArray
    marked: BoolArray | None = None
    """Which points are shown as squares, in another colour."""
    mark_name: str = "marked"
    x_name: str = "heap"
    y_name: str = "nim-value"

    def __len__(self) -> int:
        return int(self.values.size)

    @property
    def _high(self) -> int:
        return max(1, int(self.values.max(initial=0)))

    @property
    def _last(self) -> int:
        return max(1, self.values.size - 1)

    def _parts(self) -> list[tuple[str, BoolArray]]:
        """The points by kind: those without a mark, and the marked ones if there are any."""
        marked = np.zeros(len(self), bool) if self.marked is None else self.marked
        parts = [("plain", ~marked), ("marked", marked)]
        return [(kind, chosen) for kind, chosen in parts if chosen.any()]

    # ---------------------------------------------------------------- SVG

    def svg(self) -> str:
        """The plot as SVG text."""
        size = float(np.clip(900 / max(1, len(self)), 2.2, 6.0))
        wide, tall = LEFT + WIDE + RIGHT, TOP + TALL + BOTTOM
        out = [
            *first_lines(f"{wide:.0f}", f"{tall:.0f}", "11", self.title),
            f'<text x="{LEFT:.0f}" y="24" font-size="14" font-weight="bold" fill="{TEXT}">'
            f"{xml(self.title)}</text>",
            *self._axes(),
        ]
        for kind, chosen in self._parts():
            colour = PALETTE["lose" if kind == "marked" else "win"].stroke
            cap = "square" if kind == "marked" else "round"
            out.append(
                f'<path class="{kind}" d="{self._dots(np.flatnonzero(chosen))}" fill="none" '
                f'stroke="{colour}" stroke-width="{size:.1f}" stroke-linecap="{cap}"/>'
            )
        return "\n".join([*out, *self._legend(), "</svg>"]) + "\n"

    def _repr_svg_(self) -> str:
        return self.svg()

    def _x(self, n: Any) -> Any:
        """The abscissa of one or more heaps."""
        return LEFT + WIDE * n / self._last

    def _y(self, value: Any) -> Any:
        """The ordinate of one or more values."""
        return TOP + TALL * (1 - value / self._high)

    def _dots(self, heaps: AnyArray) -> str:
        x = np.rint(self._x(heaps) / FINE).astype(np.int64)
        y = np.rint(self._y(self.values[heaps]) / FINE).astype(np.int64)
        places = np.unique(np.stack((x, y), axis=1), axis=0) if heaps.size > 2_000 else None
        if places is None:  # few points stand exactly where they belong
            exact = zip(self._x(heaps), self._y(self.values[heaps]), strict=True)
            return "".join(f"M{a:.1f} {b:.1f}h0" for a, b in exact)
        return "".join(f"M{a * FINE:.0f} {b * FINE:.0f}h0" for a, b in places.tolist())

    def _axes(self) -> list[str]:
        out = []
        bottom = TOP + TALL
        for value in ticks(self._high, 6):
            y = self._y(value)
            out.append(
                f'<path d="M{LEFT:.0f} {y:.1f}h{WIDE:.0f}" stroke="{FAINT}" stroke-width="0.5"/>'
                f'<text x="{LEFT - 8:.0f}" y="{y + 4:.1f}" text-anchor="end" fill="{TEXT}">'
                f"{value:,}</text>"
            )
        for n in ticks(self._last, 10):
            x = self._x(n)
            out.append(
                f'<path d="M{x:.1f} {bottom + 4:.0f}v4" stroke="{FAINT}"/>'
                f'<text x="{x:.1f}" y="{bottom + 20:.0f}" text-anchor="middle" fill="{TEXT}">'
                f"{n:,}</text>"
            )
        out.append(
            f'<text x="{LEFT + WIDE / 2:.0f}" y="{bottom + 37:.0f}" text-anchor="middle" '
            f'fill="{TEXT}">{xml(self.x_name)}</text>'
            f'<text transform="translate(14 {TOP + TALL / 2:.0f}) rotate(-90)" '
            f'text-anchor="middle" fill="{TEXT}">{xml(self.y_name)}</text>'
        )
        return out

    def _legend(self) -> list[str]:
        """The meaning of the colours, if there are two."""
        parts = self._parts()
        if len(parts) < 2:
            return []
        out, x = [], LEFT + WIDE
        for name, kind, cap in (
            (self.mark_name, "lose", "square"), (self.y_name, "win", "round"),
        ):  # fmt: skip
            x -= width(name, 11.0) + 4.0
            out.append(
                f'<path d="M{x - 10:.1f} 20h0" stroke="{PALETTE[kind].stroke}" stroke-width="6" '
                f'stroke-linecap="{cap}"/><text x="{x:.1f}" y="24" fill="{TEXT}">{xml(name)}</text>'
            )
            x -= 26.0
        return out

    # ---------------------------------------------------------------- characters

    def draw(self, *, width: int = 72, height: int = 16, ascii: bool | None = None) -> str:
        """The plot in characters: Braille patterns, or ASCII where stdout cannot show these.

        In ASCII, marked points are ``#`` and the others ``*``.

        >>> print(SequencePlot("n", np.arange(5)).draw(width=9, height=5, ascii=True))
        n
        4 |        *
          |      *
          |    *
          |  *
        0 |*
          +---------
           0       4
        """
        ascii = not can_show("⣿│└─") if ascii is None else ascii
        canvas = Canvas(width, height, ascii=ascii)
        across, up = canvas.dots_wide - 1, canvas.dots_high - 1
        for kind, chosen in self._parts():
            heaps = np.flatnonzero(chosen)
            x = np.rint(heaps * across / self._last).astype(np.int64)
            y = np.rint(up - self.values[heaps] * up / self._high).astype(np.int64)
            mark = "#" if kind == "marked" else "*"
            for a, b in dict.fromkeys(zip(x.tolist(), y.tolist(), strict=True)):
                canvas.dot(a, b, mark)
        last = f"{self._last:,}"
        below = {0: "0", max(0, width - len(last)): last}
        plot = framed(canvas, {0: f"{self._high:,}", height - 1: "0"}, below)
        return f"{self.title}\n{plot}"

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the plot to a file that ends with .svg, and return its path."""
        return save_svg(self.svg(), path)


def ticks(last: int, most: int) -> list[int]:
    """Round numbers from 0 to ``last``: at most ``most`` steps of 1, 2 or 5 times a power of ten.

    >>> ticks(9, 5), ticks(1_000, 4)
    ([0, 2, 4, 6, 8], [0, 500, 1000])
    """
    step = next(k * 10**e for e in range(20) for k in (1, 2, 5) if last <= k * 10**e * most)
    return list(range(0, last + 1, step))
