"""SVG documents: their first lines, and how they are saved."""

import os
from pathlib import Path

from zermelo._runtime.files import write_bytes
from zermelo.errors import DrawError
from zermelo.plots.palette import FONT, PAPER
from zermelo.plots.text import xml


def first_lines(wide: str, tall: str, font_size: str, title: str, look: str = "") -> list[str]:
    """The beginning of a picture of this size: its title for readers, and its paper.

    >>> first_lines("8", "4", "11", "A & B")[1]
    '<title>A &amp; B</title>'
    """
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}" '
        f'viewBox="0 0 {wide} {tall}" font-family="{FONT}" font-size="{font_size}" '
        f'{look}role="img">',
        f"<title>{xml(title)}</title>",
        f'<rect class="paper" width="100%" height="100%" rx="6" fill="{PAPER}"/>',
    ]


def save_svg(text: str, path: str | os.PathLike[str]) -> Path:
    """Write a picture to a file that ends with .svg, and return its path."""
    target = Path(path)
    if target.suffix.lower() != ".svg":
        raise DrawError(f"{path}: expected a name that ends with .svg")
    write_bytes(text.encode(), target)
    return target
