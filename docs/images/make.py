"""Draw the pictures of the documentation: ``python docs/images/make.py``; needs Graphviz."""

from pathlib import Path

import zermelo as zm

HERE = Path(__file__).parent

# A game with cycles: from e the winner must leave the cycle d ⇄ e, from c he must not be lured
# into f ⇄ g, and a can only draw, by going there at once.
HERO = {
    "a": "cfk", "b": "cj", "c": "df", "d": "e", "e": "dh", "f": "g", "g": "f",
    "h": "j", "i": "h", "j": "kl", "k": "h", "l": "",
}  # fmt: skip


def hero() -> None:
    """The picture of the README."""
    moves = [(u, v) for u, targets in HERO.items() for v in targets]
    solution = zm.solve(zm.Graph.from_edges(moves, names=list(HERO))).verify()
    zm.draw(solution, HERE / "hero.svg", direction="right", engine="dot")


if __name__ == "__main__":
    hero()
