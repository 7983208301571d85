"""A board of chess in SVG, with men drawn as simple shapes."""

from collections.abc import Sequence

from zermelo.rules.picture import Picture, cell, escaped, label, picture

UNIT, LABELS = 45, 18
"""The width of a square, and the room for letters and numbers beside the board."""

LIGHT, DARK = "#f0d9b5", "#b58863"
WHITE, BLACK, OUTLINE = "#ffffff", "#33302c", "#1a1a1a"

NAMES = dict(zip("PNBRQK", ("pawn", "knight", "bishop", "rook", "queen", "king"), strict=True))

FOOT = "M11.5 39v-4.5h22v4.5z"

SHAPES = {
    "P": (FOOT, "M16 34.5c0-6 4-8 4-14h5c0 6 4 8 4 14z", "M22.5 21a6 6 0 1 1 .01 0z"),
    "R": (FOOT, "M15 34.5l1.5-13h12l1.5 13z", "M13 21.5v-12h5v4h2.5v-4h4v4h2.5v-4h5v12z"),
    "N": (
        FOOT,
        "M14 34.5c0-7 7-9 7-14l-6 3.5c-4 2-6.5-1-4.5-4l6-9.5l-.5-4.5l5 3c8 1 12 8 12 17"
        "c0 4-.5 6-1 8.5z",
    ),
    "B": (
        FOOT, "M16 34.5c1.5-2 2.5-3 2.5-5h8c0 2 1 3 2.5 5z",
        "M16.5 29.5c-4-6-2-13 6-18.5c8 5.5 10 12.5 6 18.5z",
        "M22.5 11a2.8 2.8 0 1 1 .01 0z",
    ),
    "Q": (
        FOOT, "M13.5 34.5l-5-20l7.5 9l2-13l4.5 12l4.5-12l2 13l7.5-9l-5 20z",
        "M8.5 14.5a2.3 2.3 0 1 1 .01 0z", "M18 10.5a2.3 2.3 0 1 1 .01 0z",
        "M27 10.5a2.3 2.3 0 1 1 .01 0z", "M36.5 14.5a2.3 2.3 0 1 1 .01 0z",
    ),
    "K": (
        FOOT, "M13.5 34.5c0-3-5-5-5-10.5c0-7 10-8 14-1c4-7 14-6 14 1c0 5.5-5 7.5-5 10.5z",
        "M18 21.5c-1-5 1-8 4.5-8s5.5 3 4.5 8l-4.5 3.5z",
        "M21 13v-3h-3v-3h3v-3h3v3h3v3h-3v3z",
    ),
}  # fmt: skip
"""The outlines of men on a square of 45 units, by their letters."""

DETAILS = {
    "P": "", "R": "M14 21.5h17",
    "N": "M18.5 14.5a1 1 0 1 1 .01 0z", "B": "M22.5 16v8m-3-5h6", "Q": "M14 30.5h17",
    "K": "M13.5 31h18",
}  # fmt: skip
"""Lines inside the shapes, light on Black's men."""


def draw_board(rows: Sequence[str], title: str, caption: str) -> Picture:
    """The board with White below, from ranks of letters; ``.`` is an empty square.

    >>> board = draw_board(["k......."] + ["........"] * 6 + ["R......K"], "a FEN", "White to move")
    >>> board.count("<rect"), board.count('aria-label="white rook"')
    (64, 1)
    """
    wide, tall = LABELS + 8 * UNIT, 8 * UNIT + 2 * LABELS
    parts = []
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            fill = DARK if (x + y) % 2 else LIGHT
            left, top = LABELS + UNIT * x, UNIT * y
            drawn = f'<rect x="{left}" y="{top}" width="{UNIT}" height="{UNIT}" fill="{fill}"/>'
            inside = "empty"
            if letter != ".":
                drawn, inside = drawn + _man(letter, left, top), _name(letter)
            parts.append(cell(f"{'abcdefgh'[x]}{8 - y}", drawn, inside))
    for k in range(8):
        parts.append(label(LABELS / 2, UNIT * k + 27, 8 - k, fill="#6b6456"))
        parts.append(label(LABELS + UNIT * (k + 0.5), 8 * UNIT + 13, "abcdefgh"[k], fill="#6b6456"))
    parts.append(label(LABELS + 4 * UNIT, tall - 5, caption, fill="#6b6456"))
    return picture(wide, tall, parts, title=title, style='data-flips="true"')


def _name(letter: str) -> str:
    return f"{'white' if letter.isupper() else 'black'} {NAMES[letter.upper()]}"


def _man(letter: str, left: int, top: int) -> str:
    """A man on the square with this upper left corner."""
    kind, white = letter.upper(), letter.isupper()
    fill, line = (WHITE, OUTLINE) if white else (BLACK, "#f0d9b5")
    outlines = "".join(f'<path d="{path}"/>' for path in SHAPES[kind])
    inside = f'<path d="{DETAILS[kind]}" fill="none" stroke="{line}"/>' if DETAILS[kind] else ""
    name = escaped(_name(letter))
    return (
        f'<g transform="translate({left} {top})" fill="{fill}" stroke="{OUTLINE}" '
        f'stroke-width="1.5" stroke-linejoin="round" aria-label="{name}">{outlines}{inside}</g>'
    )
