"""Colours that colour-blind readers can tell apart, and letters for each result.

A win is blue, a loss orange, a draw grey and a tie pale yellow. Positions that player 0 wins are
green, those that player 1 wins purple. The hues are those of Okabe and Ito, and the lightness
differs as well. Every result is also written, so colour is never needed.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Colours:
    """The fill and the outline of one kind of position."""

    fill: str
    stroke: str


PALETTE: Final = {
    "win": Colours("#b5dcf5", "#0068a8"),
    "lose": Colours("#fbbd91", "#b84a00"),
    "tie": Colours("#fdf3b4", "#7d6a00"),
    "draw": Colours("#e3e3e3", "#666666"),
    "player0": Colours("#bfe8da", "#00674b"),
    "player1": Colours("#e8b9d3", "#8b2d63"),
    "undecided": Colours("#f4f4f4", "#8c8c8c"),
    "none": Colours("#ffffff", "#4d4d4d"),
}
"""The colours by kind of result; ``none`` is for a position without a result."""

LETTERS: Final = {
    "win": "W",
    "lose": "L",
    "player0": "0",
    "player1": "1",
    "tie": "T",
    "draw": "D",
    "undecided": "?",
}
MEANINGS: Final = {
    "win": "win",
    "lose": "loss",
    "player0": "won by player 0",
    "player1": "won by player 1",
    "tie": "tie",
    "draw": "draw",
    "undecided": "undecided",
}

TEXT: Final = "#1a1a1a"
FAINT: Final = "#a6a6a6"
"""The colour of moves that are not best."""
STRONG: Final = "#333333"
"""The colour of moves of unsolved graphs, and of best moves that belong to several results."""
PAPER: Final = "#ffffff"

FONT: Final = "Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"
MONO: Final = "DejaVu Sans Mono, Liberation Mono, Menlo, Consolas, monospace"
