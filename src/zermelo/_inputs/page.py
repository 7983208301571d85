"""Pieces of HTML for notebooks: small, self-contained, and legible on a light and a dark page.

No piece sets a colour or a background: the notebook's theme does. Pictures have a background of
their own. Every text is escaped here and cut to a size that a page can hold.
"""

import html
from collections.abc import Iterable, Sequence

MAX_TEXT = 200
"""The most letters of a text that is shown."""
LEFT = "text-align:left;vertical-align:top"


def text(given: object, most: int = MAX_TEXT) -> str:
    """A text for a page: cut, and escaped; characters that cannot be printed are replaced.

    >>> text("<b>" + chr(0))
    '&lt;b&gt;\\ufffd'
    >>> text("x" * 9, 5)
    'xxxx…'
    """
    found = str(given)
    if len(found) > most:
        found = found[: most - 1] + "…"
    printable = "".join(
        x if x.isprintable() or x == "\n" else "\N{REPLACEMENT CHARACTER}" for x in found
    )
    return html.escape(printable)


def caption(given: object, most: int = MAX_TEXT) -> str:
    """A line above other pieces.

    >>> caption("a < b")
    '<p>a &lt; b</p>'
    """
    return f"<p>{text(given, most)}</p>"


def block(*parts: str) -> str:
    """Pieces one below the other; empty ones are left out.

    >>> block(caption("a"), "")
    '<div><p>a</p></div>'
    """
    return f"<div>{''.join(parts)}</div>"


def table(head: Sequence[str], rows: Iterable[Sequence[object]], more: str = "") -> str:
    """A table; ``more`` is a last row that says what is left out.

    >>> table(["a"], [["<x>"]], "and 2 more").count("<tr>")
    3
    """
    cells = [f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows]
    if more:
        cells.append(f'<tr><td colspan="{len(head)}" style="{LEFT}">… {text(more)}</td></tr>')
    names = "".join(f'<th style="{LEFT}">{text(name)}</th>' for name in head)
    return f"<table><thead><tr>{names}</tr></thead><tbody>{''.join(cells)}</tbody></table>"


def facts(pairs: Iterable[tuple[str, object]]) -> str:
    """A table of names and what they are.

    >>> facts([("mean", 1)]).count("<td")
    1
    """
    rows = "".join(
        f'<tr><th scope="row" style="{LEFT}">{text(name)}</th>{_cell(x)}</tr>' for name, x in pairs
    )
    return f"<table><tbody>{rows}</tbody></table>"


def _cell(given: object) -> str:
    """A cell; a text of several lines, such as a board, keeps its lines."""
    shown = text(given)
    board = ";white-space:pre;font-family:monospace" if "\n" in shown else ""
    return f'<td style="{LEFT}{board}">{shown}</td>'


def joined(parts: Iterable[str], most: int = 8) -> str:
    """Some texts with commas between; those after the first ``most`` are counted.

    >>> joined("abcd", 2)
    'a, b and 2 more'
    """
    found = list(parts)
    more = f" and {len(found) - most:,} more" if len(found) > most else ""
    return ", ".join(found[:most]) + more
