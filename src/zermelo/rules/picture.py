"""The picture of a position that every game has: its text, in SVG."""

LETTER, LINE, MARGIN = 9, 20, 8
"""How wide a letter is, how high a line, and the room around the text, in pixels."""


def draw_text(text: str) -> str:
    """A picture of lines of text.

    >>> draw_text("3 < 4").count("3 &lt; 4")
    1
    """
    lines = text.splitlines() or [""]
    wide = max(map(len, lines)) * LETTER + 2 * MARGIN
    tall = len(lines) * LINE + 2 * MARGIN
    rows = "".join(
        f'<text x="{MARGIN}" y="{MARGIN + k * LINE + 15}" xml:space="preserve">'
        f"{_escaped(line)}</text>"
        for k, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}" '
        f'viewBox="0 0 {wide} {tall}" font-family="monospace" font-size="15" fill="#1a1a1a" '
        f'role="img"><rect width="{wide}" height="{tall}" fill="#f7f3e8"/>{rows}</svg>'
    )


def _escaped(line: str) -> str:
    """A line as XML writes it; a character that is not printable is replaced."""
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join(x if x.isprintable() else "\N{REPLACEMENT CHARACTER}" for x in line)
