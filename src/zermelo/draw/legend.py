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
    entries: list[Entry] = []
    cells = [cell for node in picture.nodes for cell in node.cells]
    kinds = {cell.kind for cell in cells}
    entries += [Entry("cell", MEANINGS[k], k) for k in LETTERS if k in kinds]
    if picture.values_mean:
        entries.append(Entry("note", picture.values_mean))
    elif any(cell.text[-1].isdigit() for cell in cells if cell.kind != "none"):
        entries.append(Entry("note", "number: moves to the end"))
    if any(edge.label for edge in picture.edges):
        entries.append(Entry("note", "number at a move: weight"))
    if not picture.values_mean and any(cell.text.endswith("∞") for cell in cells):
        entries.append(Entry("note", f"∞: {picture.endless_mean}"))
    if picture.from_start:
        entries.append(Entry("note", "results are for play that starts there"))
    if picture.marks_mean:
        entries.append(Entry("note", picture.marks_mean))
    doubled = any(len(node.cells) == 2 for node in picture.nodes)
    if doubled:
        entries.append(Entry("note", "0, 1: player to move"))
    if picture.owned:
        entries.append(Entry("shape", "player 0 moves", "ellipse"))
        entries.append(Entry("shape", "player 1 moves", "box"))
    if picture.solved:
        entries += _moves(picture, doubled)
    if any(node.ends for node in picture.nodes):
        entries.append(Entry("shape", "play ends", "ends"))
    if any(node.cut for node in picture.nodes):
        entries.append(Entry("shape", "more moves, not drawn", "cut"))
    if any(node.start for node in picture.nodes):
        entries.append(Entry("shape", "start", "start"))
    # A legend is not needed if its only entry explains nothing new.
    return tuple(entries) if picture.solved or len(entries) > 1 else ()


def _moves(picture: Picture, doubled: bool) -> list[Entry]:
    best = {edge.best for edge in picture.edges}
    entries = []
    if doubled:
        if (0, 1) in best:
            entries.append(Entry("move", "best for both", stroke=BOTH))
        if (0,) in best:
            entries.append(Entry("move", "best for player 0", stroke=ONLY[0]))
        if (1,) in best:
            entries.append(Entry("move", "best for player 1", stroke=ONLY[1]))
    elif (0,) in best:
        entries.append(Entry("move", "best move", stroke=BOTH))
    if () in best:
        entries.append(Entry("move", "other move", stroke=OTHER))
    return entries
