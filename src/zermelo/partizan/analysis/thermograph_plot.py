"""Pictures of thermographs: SVG, and characters for the terminal.

By tradition, temperature grows upwards and values grow to the left, so that Left's wall is on the
left. Left's wall is blue, Right's wall is orange and the mast is dark.
"""

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from zermelo.plots.canvas import Canvas, can_show, framed, placed
from zermelo.plots.palette import FAINT, PALETTE, STRONG, TEXT
from zermelo.plots.svg import first_lines
from zermelo.plots.text import shortened, xml

if TYPE_CHECKING:
    from zermelo.partizan.analysis.thermograph import Thermograph, Wall

LOWEST = Fraction(-1)
WIDE, TALL = 420.0, 300.0
"""The size of the picture without its margins."""
MARGIN_LEFT, MARGIN_RIGHT, MARGIN_TOP, MARGIN_BOTTOM = 56.0, 30.0, 34.0, 40.0
TICKS = 8


class _Frame:
    """Coordinates for temperatures and values in a picture; both have the same scale."""

    def __init__(self, picture: "Thermograph") -> None:
        values = [x for wall in (picture.left_wall, picture.right_wall) for _, x in wall]
        self.bottom = LOWEST
        self.top = picture.temperature + max(
            Fraction(1, 2), (picture.temperature - self.bottom) / 5
        )
        pad = max(Fraction(1, 4), (max(values) - min(values)) / 20)
        self.high, self.low = max(values) + pad, min(values) - pad
        self.unit = min(WIDE / float(self.high - self.low), TALL / float(self.top - self.bottom))
        self.width = float(self.high - self.low) * self.unit
        self.height = float(self.top - self.bottom) * self.unit

    def x(self, value: Fraction) -> float:
        return MARGIN_LEFT + float(self.high - value) * self.unit

    def y(self, t: Fraction) -> float:
        return MARGIN_TOP + float(self.top - t) * self.unit


def draw_svg(picture: "Thermograph", title: str | None = None) -> str:
    """A thermograph as SVG text.

    >>> import zermelo as zm
    >>> draw_svg(zm.value("{2|-1}").thermograph).count("<polyline")
    3
    """
    frame = _Frame(picture)
    heading = title or f"mean {picture.mean}, temperature {picture.temperature}"
    room = max(frame.width, 7.2 * len(heading[:60]))
    wide = MARGIN_LEFT + room + MARGIN_RIGHT
    tall = MARGIN_TOP + frame.height + MARGIN_BOTTOM
    out = [
        *first_lines(f"{wide:.1f}", f"{tall:.1f}", "11", heading),
        f'<text class="heading" x="{MARGIN_LEFT:.1f}" y="18" font-size="13" font-weight="bold" '
        f'fill="{TEXT}">{xml(shortened(heading, 60))}</text>',
        *_axes(picture, frame),
        _line("left", picture.left_wall, frame, PALETTE["win"].stroke),
        _line("right", picture.right_wall, frame, PALETTE["lose"].stroke),
    ]
    mast = (picture.left_wall[-1], (frame.top, picture.mean))
    out.append(_line("mast", mast, frame, STRONG))
    for name, wall in (("left", picture.left_wall), ("right", picture.right_wall)):
        colour = PALETTE["win" if name == "left" else "lose"].stroke
        for t, x in wall[:-1]:
            out.append(_dot(name, t, x, frame, colour))
    out.append(_dot("mast", *picture.left_wall[-1], frame, STRONG))
    out.append("</svg>")
    return "\n".join(out) + "\n"


def _line(name: str, wall: "Wall", frame: _Frame, colour: str) -> str:
    points = " ".join(f"{frame.x(x):.1f},{frame.y(t):.1f}" for t, x in wall)
    return (
        f'<polyline class="{name}" points="{points}" fill="none" stroke="{colour}" '
        'stroke-width="2.4" stroke-linejoin="round" stroke-linecap="round"/>'
    )


def _dot(name: str, t: Fraction, x: Fraction, frame: _Frame, colour: str) -> str:
    return (
        f'<circle class="{name}" cx="{frame.x(x):.1f}" cy="{frame.y(t):.1f}" r="3" '
        f'fill="{colour}"><title>value {x} at temperature {t}</title></circle>'
    )


def _axes(picture: "Thermograph", frame: _Frame) -> list[str]:
    """Faint lines at round temperatures and values, with their numbers."""
    out = []
    ends = (MARGIN_LEFT, MARGIN_LEFT + frame.width)
    bottom = MARGIN_TOP + frame.height
    for t in _ticks(frame.bottom, frame.top):
        y, look = frame.y(t), 1.2 if t == 0 else 0.5
        out.append(
            f'<path d="M{ends[0]:.1f} {y:.1f}H{ends[1]:.1f}" stroke="{FAINT}" '
            f'stroke-width="{look}"/><text x="{ends[0] - 6:.1f}" y="{y + 4:.1f}" '
            f'text-anchor="end" fill="{TEXT}">{t}</text>'
        )
    for x in _ticks(frame.low, frame.high):
        at, look = frame.x(x), 1.2 if x == 0 else 0.5
        out.append(
            f'<path d="M{at:.1f} {MARGIN_TOP:.1f}V{bottom:.1f}" stroke="{FAINT}" '
            f'stroke-width="{look}"/><text x="{at:.1f}" y="{bottom + 16:.1f}" '
            f'text-anchor="middle" fill="{TEXT}">{x}</text>'
        )
    middle = (ends[0] + ends[1]) / 2
    out.append(
        f'<text x="{middle:.1f}" y="{bottom + 32:.1f}" text-anchor="middle" fill="{TEXT}">value'
        f'</text><text transform="translate(14 {(MARGIN_TOP + bottom) / 2:.1f}) rotate(-90)" '
        f'text-anchor="middle" fill="{TEXT}">temperature</text>'
    )
    return out


def _step(length: Fraction, most: int) -> Fraction:
    """The least power of two that fits into a length at most ``most`` times.

    >>> _step(Fraction(3), 8), _step(Fraction(100), 8)
    (Fraction(1, 2), Fraction(16, 1))
    """
    step = Fraction(1)
    while length / step > most:
        step *= 2
    while length / (step / 2) <= most:
        step /= 2
    return step


def _ticks(low: Fraction, high: Fraction) -> list[Fraction]:
    step = _step(high - low, TICKS)
    first = -(-low // step)
    return [k * step for k in range(int(first), int(high // step) + 1)]


def draw_text(
    picture: "Thermograph", *, height: int = 12, width: int = 60, ascii: bool | None = None
) -> str:
    r"""A thermograph in characters: Braille patterns, or ASCII where stdout cannot show these.

    In ASCII there is one row per step of temperature, and two columns per step of value.

    >>> import zermelo as zm
    >>> print(draw_text(zm.value("{2|-1}").thermograph, height=8, ascii=True))
       2            |
     3/2            |
       1          /   \
     1/2        /       \
       0      /           \
    -1/2    /               \
      -1  /                   \
          3   2     1/2   -1  -2
    >>> print(draw_text(zm.value("{2|-1}").thermograph, height=5, ascii=False))
    3/2 │        ⡇
        │      ⡠⠊⠈⠢⡀
        │    ⡠⠊    ⠈⠢⡀
      0 │  ⡠⠊        ⠈⠢⡀
     -1 │⡠⠊            ⠈⠢
        └────────────────
         3  2    1/2 -1  -2
    """
    if ascii is None:
        ascii = not can_show("⣿│└─")
    return _in_ascii(picture, height, width) if ascii else _in_braille(picture, height, width)


def _in_braille(picture: "Thermograph", height: int, width: int) -> str:
    values = [x for wall in (picture.left_wall, picture.right_wall) for _, x in wall]
    high, low = max(values), min(values)
    top = picture.temperature + max(Fraction(1, 2), (picture.temperature - LOWEST) / 5)
    across, up = float(high - low), float(top - LOWEST)
    unit = (
        (4 * height - 1) / up
        if not across
        else min((2 * width - 1) / across, (4 * height - 1) / up)
    )
    canvas = Canvas(int(across * unit) // 2 + 1, height)

    def dot(t: Fraction, x: Fraction) -> tuple[float, float]:
        return float(high - x) * unit, (4 * height - 1) - float(t - LOWEST) * unit

    for wall in (picture.left_wall, picture.right_wall):
        for (t0, x0), (t1, x1) in pairwise(wall):
            canvas.line(dot(t0, x0), dot(t1, x1))
    canvas.line(dot(*picture.left_wall[-1]), dot(top, picture.mean))
    rows = {round(dot(t, high)[1]) // 4: str(t) for t in (Fraction(0), picture.temperature, LOWEST)}
    shown = [low, high, picture.right(0), picture.left(0), picture.mean]
    columns = {round(dot(LOWEST, x)[0]) // 2: str(x) for x in shown}
    return framed(canvas, rows, columns)


def _in_ascii(picture: "Thermograph", height: int, width: int) -> str:
    values = [x for wall in (picture.left_wall, picture.right_wall) for _, x in wall]
    high, low = max(values), min(values)
    step = max(
        _step(picture.temperature + 2, height),
        _step(max(high - low, Fraction(1, 4)), max(width // 2, 1)),
    )
    rows = int(-((LOWEST - picture.temperature) // step)) + 1

    def column(x: Fraction) -> int:
        return int((high - x) / step * 2)

    names = [str(LOWEST + k * step) for k in range(rows + 1)]
    label = max(map(len, names))
    lines = []
    for k in reversed(range(rows + 1)):
        t = LOWEST + k * step
        marks = [" "] * (column(low) + 1)
        if t >= picture.temperature:
            marks[column(picture.mean)] = "|"
        else:
            marks[column(picture.left(t))] = "/" if _leans(picture.left_wall, t) else "|"
            marks[column(picture.right(t))] = "\\" if _leans(picture.right_wall, t) else "|"
        lines.append(f"{names[k]:>{label}}  {''.join(marks)}".rstrip())
    shown = [picture.mean, picture.left(0), picture.right(0), high, low]
    lines.append(" " * (label + 2) + placed({column(x): str(x) for x in reversed(shown)}))
    return "\n".join(lines)


def _leans(wall: "Wall", t: Fraction) -> bool:
    """Whether a wall is not vertical just above a temperature."""
    for (t0, x0), (t1, x1) in pairwise(wall):
        if t0 <= t < t1:
            return x0 != x1
    return False
