"""Text in pictures: its width, its cutting and its escaping."""

import html
import re
import unicodedata

FONT_SIZE = 12.0
LINE_HEIGHT = 14.5

_HELVETICA = {
    letter: thousandths
    for thousandths, letters in (
        (191, "'"),
        (222, "ijl"),
        (260, "|"),
        (278, " !,./:;I[]\\ft"),
        (333, "()-`r{}"),
        (355, '"'),
        (389, "*"),
        (469, "^"),
        (500, "Jcksvxyz"),
        (556, "#$0123456789?L_abdeghnopqu"),
        (584, "+<=>~"),
        (611, "FTZ"),
        (667, "&ABEKPSVXY"),
        (722, "CDHNRUw"),
        (778, "GOQ"),
        (833, "Mm"),
        (889, "%"),
        (944, "W"),
        (1015, "@"),
    )
    for letter in letters
}
"""Adobe's widths of the printable ASCII characters, in thousandths of the font size."""
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff\u202a-\u202e\u2066-\u2069]"
)


def width(line: str, size: float = FONT_SIZE, *, mono: bool = False) -> float:
    """The approximate width of a line; the estimate is never much too small.

    >>> width("mm") > width("ii")
    True
    """
    ems = 0.0
    for letter in line:
        if unicodedata.combining(letter):
            continue
        if unicodedata.east_asian_width(letter) in "WF":
            ems += 1.1
        elif mono:
            ems += 0.61
        else:
            ems += _HELVETICA.get(letter, 700) / 1000
    return ems * size * 1.04


def lines_of(name: object, most_letters: int = 24, most_lines: int = 9) -> tuple[str, ...]:
    """A name as the lines that a picture shows: cut to a limited size, never empty.

    >>> lines_of("x" * 30)
    ('xxxxxxxxxxxxxxxxxxxxxxx…',)
    >>> lines_of("ab\\ncd")
    ('ab', 'cd')
    """
    lines = harmless(str(name)).expandtabs(4).splitlines() or [""]
    if len(lines) > most_lines:
        lines = [*lines[: most_lines - 1], "…"]
    return tuple(x if len(x) <= most_letters else x[: most_letters - 1] + "…" for x in lines)


def shortened(text: str, most: int) -> str:
    """The text, or its first letters and a sign that more follow.

    >>> shortened("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def harmless(text: str) -> str:
    """The text with a replacement character for each that XML forbids or that turns text around.

    >>> harmless("a" + chr(0))
    'a\\ufffd'
    """
    return _FORBIDDEN.sub("\ufffd", text)


def xml(text: str) -> str:
    """The text escaped for XML, HTML and Graphviz's HTML-like labels, in elements and attributes.

    >>> xml('<b> & "c"')
    '&lt;b&gt; &amp; &quot;c&quot;'
    """
    return html.escape(harmless(text), quote=True)


def dot_string(text: str) -> str:
    r"""The text as a quoted string of Graphviz that shows every character as it is.

    >>> print(dot_string('say "\\N"'))
    "say \"\\N\""
    """
    body = harmless(text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "\\n".join(body.splitlines()) + '"'
