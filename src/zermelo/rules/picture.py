"""Pictures of positions in SVG: what all of them share, and the picture of a text."""

from collections.abc import Sequence

LETTER, LINE, MARGIN = 9, 20, 8
"""How wide a letter is, how high a line, and the room around the text, in pixels."""

PAPER, INK, SHADE = "#f7f3e8", "#1a1a1a", "#8a8574"
"""The colours of the ground, of text, and of thin lines."""


class Picture(str):
    """A picture in SVG, as text; a notebook shows the picture.

    >>> from zermelo.rules.loading.games import game
    >>> rules = game("nim:3,4,5")
    >>> picture = rules.draw(rules.start())
    >>> isinstance(picture, Picture), picture[:4]
    (True, '<svg')
    """

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        return str(self)


def picture(
    wide: float, tall: float, parts: Sequence[str], *, title: str = "", style: str = ""
) -> Picture:
    """A picture of this size in pixels, made of its parts; ``style`` are attributes of the whole.

    >>> picture(10, 20, ["<g/>"], title="a < b")[-33:]
    '<title>a &lt; b</title><g/></svg>'
    """
    name = f"<title>{escaped(title)}</title>" if title else ""
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{tall:g}" '
        f'viewBox="0 0 {wide:g} {tall:g}" font-family="Helvetica, Arial, sans-serif" role="img"'
        f"{' ' + style if style else ''}>{name}{''.join(parts)}</svg>"
    )


def cell(name: object, content: str, inside: object = "") -> str:
    """A place of a picture, which has a name; ``inside`` says in words what is there.

    Pages in which one plays let a user click such places, see :mod:`zermelo.rules.cells`.

    >>> cell("b2", "<g/>", "white rook")
    '<g data-cell="b2" aria-label="b2, white rook"><g/></g>'
    """
    place = escaped(str(name)).replace('"', "&quot;")
    words = escaped(str(inside)).replace('"', "&quot;")
    return (
        f'<g data-cell="{place}" aria-label="{place}{", " + words if words else ""}">{content}</g>'
    )


def square_name(row: int, column: int) -> str:
    """The name of a square, ``a1`` in the lower left corner.

    >>> square_name(0, 0), square_name(2, 1), square_name(0, 26)
    ('a1', 'b3', 'aa1')
    """
    letters = ""
    column += 1
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(97 + digit) + letters
    return f"{letters}{row + 1}"


def ground(wide: float, tall: float) -> str:
    """A rectangle in the colour of paper under a whole picture."""
    return f'<rect width="{wide:g}" height="{tall:g}" fill="{PAPER}"/>'


def label(x: float, y: float, text: object, *, size: int = 12, fill: str = INK) -> str:
    """A text whose middle is at x, and whose base line is at y."""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-size="{size}" fill="{fill}">'
        f"{escaped(str(text))}</text>"
    )


def draw_text(text: str) -> Picture:
    """A picture of lines of text.

    >>> draw_text("3 < 4").count("3 &lt; 4")
    1
    """
    lines = text.splitlines() or [""]
    wide = max(map(len, lines)) * LETTER + 2 * MARGIN
    tall = len(lines) * LINE + 2 * MARGIN
    rows = "".join(
        f'<text x="{MARGIN}" y="{MARGIN + k * LINE + 15}" xml:space="preserve">'
        f"{escaped(line)}</text>"
        for k, line in enumerate(lines)
    )
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}" '
        f'viewBox="0 0 {wide} {tall}" font-family="monospace" font-size="15" fill="{INK}" '
        f'role="img">{ground(wide, tall)}{rows}</svg>'
    )


def escaped(line: str) -> str:
    """A line as XML writes it; a character that is not printable is replaced.

    >>> escaped("a & b")
    'a &amp; b'
    """
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(x if x.isprintable() else "\N{REPLACEMENT CHARACTER}" for x in line)
