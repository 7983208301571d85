"""Colours that colour-blind eyes keep apart, and letters for eyes without any.

Blue wins, orange loses, grey draws, pale yellow ties; the hues are those of Okabe and Ito, and the
lightness differs as well. No picture relies on colour alone: every result is also written.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Colours:
    """The inside and the outline of one kind of position."""

    fill: str
    stroke: str


PALETTE: Final = {
    "win": Colours("#b5dcf5", "#0068a8"),
    "lose": Colours("#fbbd91", "#b84a00"),
    "tie": Colours("#fdf3b4", "#7d6a00"),
    "draw": Colours("#e3e3e3", "#666666"),
    "unknown": Colours("#f4f4f4", "#8c8c8c"),
    "none": Colours("#ffffff", "#4d4d4d"),
}
"""By kind of result; ``none`` is a position that nobody has solved."""

LETTERS: Final = {"win": "W", "lose": "L", "tie": "T", "draw": "D", "unknown": "?"}
MEANINGS: Final = {
    "win": "win",
    "lose": "loss",
    "tie": "tie",
    "draw": "draw",
    "unknown": "unknown",
}

TEXT: Final = "#1a1a1a"
FAINT: Final = "#a6a6a6"
"""Moves that are not best."""
STRONG: Final = "#333333"
"""Best moves that no single result colours, and moves of graphs that nobody has solved."""
PAPER: Final = "#ffffff"

FONT: Final = "Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"
MONO: Final = "DejaVu Sans Mono, Liberation Mono, Menlo, Consolas, monospace"
