"""The legend of a picture: which signs it explains, and how each move is drawn."""

from dataclasses import dataclass

from zermelo.draw.picture import Edge, Picture
from zermelo.plots.palette import FAINT, LETTERS, MEANINGS, PALETTE, STRONG


@dataclass(frozen=True)
class Stroke:
    """The style of a move's line; ``dash`` is ``solid``, ``dashed`` or ``dotted``."""

    colour: str
    width: float
    dash: str = "solid"


@dataclass(frozen=True)
class Entry:
    """One line of the legend: a sign and its meaning.

    ``sign`` is ``cell`` (a result, of some ``kind``), ``move`` (a line, as ``stroke``), ``shape``
    (a position whose ``kind`` is ellipse, box, ends, cut or start) or ``note`` (text only).
    """

    sign: str
    text: str
    kind: str = ""
    stroke: Stroke | None = None


PLAIN = Stroke(STRONG, 1.3)
OTHER = Stroke(FAINT, 1.0)
BOTH = Stroke(STRONG, 2.4)
ONLY = (Stroke(STRONG, 2.4, "dashed"), Stroke(STRONG, 2.4, "dotted"))


def stroke(picture: Picture, edge: Edge) -> Stroke:
    """The style of a move; the lines of best moves are bold."""
    if not picture.solved:
        return PLAIN
    if not edge.best:
        return OTHER
    if len(picture.nodes[edge.source].cells) == 2:
        return BOTH if len(edge.best) == 2 else ONLY[edge.best[0]]
    return Stroke(PALETTE[edge.kind].stroke, 2.6)


def legend(picture: Picture) -> tuple[Entry, ...]:
    """The signs that occur in a picture, with their meanings."""
    nodes, edges = picture.nodes, picture.edges
    cells = [cell for node in nodes for cell in node.cells]
    kinds = {cell.kind for cell in cells}
    numbered = any(cell.text[-1].isdigit() for cell in cells if cell.kind != "none")
    endless = not picture.values_mean and any(cell.text.endswith("∞") for cell in cells)
    doubled = any(len(node.cells) == 2 for node in nodes)
    best = {edge.best for edge in edges} if picture.solved else set()
    found = [
        *((k in kinds, Entry("cell", MEANINGS[k], k)) for k in LETTERS),
        (picture.values_mean, Entry("note", picture.values_mean)),
        (numbered and not picture.values_mean, Entry("note", "number: moves to the end")),
        (any(edge.label for edge in edges), Entry("note", "number at a move: weight")),
        (endless, Entry("note", f"∞: {picture.endless_mean}")),
        (picture.from_start, Entry("note", "results are for play that starts there")),
        (picture.marks_mean, Entry("note", picture.marks_mean)),
        (doubled, Entry("note", "0, 1: player to move")),
        (picture.owned, Entry("shape", "player 0 moves", "ellipse")),
        (picture.owned, Entry("shape", "player 1 moves", "box")),
        (doubled and (0, 1) in best, Entry("move", "best for both", stroke=BOTH)),
        (doubled and (0,) in best, Entry("move", "best for player 0", stroke=ONLY[0])),
        (doubled and (1,) in best, Entry("move", "best for player 1", stroke=ONLY[1])),
        (not doubled and (0,) in best, Entry("move", "best move", stroke=BOTH)),
        (() in best, Entry("move", "other move", stroke=OTHER)),
        (any(node.ends for node in nodes), Entry("shape", "play ends", "ends")),
        (any(node.cut for node in nodes), Entry("shape", "more moves, not drawn", "cut")),
        (any(node.start for node in nodes), Entry("shape", "start", "start")),
    ]
    entries = tuple(entry for occurs, entry in found if occurs)
    # A legend is not needed if its only entry explains nothing new.
    return entries if picture.solved or len(entries) > 1 else ()
