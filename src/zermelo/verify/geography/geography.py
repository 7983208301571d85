"""The checker of games of return and repetition: NumPy and plain Python, no code of the solvers.

The plain game is the game without memory. This is checked:

1. *The game.* It is played on the graph, or on its line digraph if moves are counted. Labels,
   levels and first moves are those of its starts; there are no distances.
2. *The plain game* is solved correctly (:mod:`zermelo.verify.terminal`), and every position that it
   decides has the same label here. The winner's distances decrease, so play repeats nothing.
3. *Order.* The pieces are a partition of the other positions. From a piece that is not an exit,
   moves stay inside or lead to earlier pieces, and there only to starts that are won for the next
   player. From an exit, the claimed move leads to an earlier lost start, or it is a loop and
   returning wins. So a player who follows the labels never returns to a piece, and play inside a
   piece is a game of its own, in which a player without a move inside is stuck.
4. *Inside.* At a single position the player is stuck. In a symmetric piece the player to move loses
   exactly if some maximum matching leaves the position exposed ([EdmondsGurvich2010] Theorem 2;
   :mod:`zermelo.verify.matching` checks the decomposition); if taking back a move is possible and
   wins, she always loses. In a searched piece the table is followed: a won situation must have a
   move to a lost one, and all moves of a lost one must lead to won ones. The plain game on the
   open positions, or a matching of them, may decide a situation. Entries that the table lost are
   searched again, in plain Python.

A label 2 (undecided) claims nothing. After a history, winners are decided on the remaining graph,
and its pieces are checked in the same way (:func:`check_rest`).
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._inputs.belonging import check_belongs
from zermelo.errors import CertificateError
from zermelo.graph import Graph
from zermelo.labels import UNDECIDED
from zermelo.objectives import Misere, NormalPlay
from zermelo.verify.common.entries import check_array, check_start, refuse
from zermelo.verify.geography.situations import Situations
from zermelo.verify.matching import check_matching
from zermelo.verify.terminal import check_terminal

if TYPE_CHECKING:
    from zermelo.labels import AnyArray
    from zermelo.objectives.geography import Geography
    from zermelo.solutions.base import Solution
    from zermelo.solutions.geography import GeographySolution, Piece, Play

KNOWN = (-1, 1, UNDECIDED)
"""The labels that there are."""


def check_geography(solution: "GeographySolution") -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless every label is right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")]), zm.NoReturn())
    >>> check_geography(s)
    >>> play = dataclasses.replace(s.play, label=np.array([1, -1, -1], np.int8))
    >>> check_geography(dataclasses.replace(s, label=play.label, play=play))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'a': expected level 1 with label 1, ...
    """
    graph, play = solution.graph, solution.play
    check_entries(solution)
    _check_board(solution, play)
    own = play.label[play.graph.n - graph.n :]
    refuse(graph, own != solution.label, None, "the label of the game's own node", "another")
    check_pieces(play)
    check_array("move", solution.move, (graph.n,), np.int32)
    first = play.first[play.graph.n - graph.n :]
    move = graph.indices[first] if solution.objective.arcs and graph.m else first
    other = solution.move != np.where(first < 0, -1, move)
    refuse(graph, other, None, "the first move of the game's own node", "another")


def check_rest(play: "Play", graph: Graph, objective: "Geography", node: int) -> None:
    """Raise an error unless all moves of a node are decided correctly in a game on this graph."""
    check_belongs("the pieces", play, graph=graph, objective=objective)
    _check_arrays(play)
    check_pieces(play)
    after = graph.successors(node)
    missing = (play.label[after] == UNDECIDED) & (after != node)
    refuse(graph, missing, after, "a label, because a move leads there", "none")


def check_entries(solution: "Solution") -> None:
    """Raise an error unless labels and levels fit together; there must be no distances."""
    graph, label, level = solution.graph, solution.label, solution.level
    check_start(graph, solution.start)
    check_array("label", label, (graph.n,), np.int8)
    check_array("level", level, (graph.n,), np.int8)
    check_array("distance", solution.distance, (graph.n,), np.int32)
    _check_labels(graph, label)
    expected = np.where(label == UNDECIDED, UNDECIDED, label == 1)
    refuse(graph, level != expected, None, "level 1 with label 1, 0 with −1, 2 with 2", "another")
    refuse(graph, solution.distance != -1, None, "no distance, because history matters", "one")


def check_pieces(play: "Play") -> None:
    """Raise an error unless conditions 2, 3 and 4 hold."""
    _check_plain(play)
    _check_first(play)
    size = sum(np.size(piece.positions) for piece in play.pieces)
    if size != int((play.order != 0).sum()):
        raise CertificateError("expected each position in at most one piece")
    for k, piece in enumerate(play.pieces):
        _Checked(play, piece, k + 1).check()


def _check_board(solution: "GeographySolution", play: "Play") -> None:
    """Condition 1."""
    graph, objective = solution.graph, solution.objective
    check_belongs("the pieces", play, objective=objective)
    indptr, indices = graph.indptr, graph.indices
    if objective.arcs:
        ends = np.concatenate([indices, np.arange(graph.n)])
        degree = graph.out_degree[ends]
        indptr = np.concatenate([[0], np.cumsum(degree, dtype=np.int64)])
        indices = np.arange(indptr[-1]) - np.repeat(indptr[:-1] - graph.indptr[ends], degree)
    same = np.array_equal(play.graph.indptr, indptr) and np.array_equal(play.graph.indices, indices)
    if not same:
        raise CertificateError("expected the pieces to have the graph or its line digraph")
    _check_arrays(play)


def _check_arrays(play: "Play") -> None:
    for name in ("label", "order", "first"):
        dtype = np.int8 if name == "label" else np.int32
        check_array(name, getattr(play, name), (play.graph.n,), dtype)
    _check_labels(play.graph, play.label)


def _check_labels(graph: Graph, label: "AnyArray") -> None:
    refuse(
        graph,
        ~np.isin(label, KNOWN),
        None,
        "a label −1, 1 or 2 (undecided), as nothing is drawn",
        "another",
    )


def _check_plain(play: "Play") -> None:
    """Condition 2."""
    plain, wanted = play.plain, NormalPlay() if play.objective.terminal < 0 else Misere()
    check_belongs("the plain game", plain, graph=play.graph, objective=wanted)
    check_terminal(plain)
    outside = play.order == 0
    known = np.where(plain.label == 0, UNDECIDED, plain.label)  # a draw there decides nothing here
    wrong = outside & (play.label != known)
    refuse(play.graph, wrong, None, "the label of the plain game", "another")
    wrong = ~outside & (plain.label != 0)
    refuse(play.graph, wrong, None, "no piece, because the plain game decides", "one")


def _check_first(play: "Play") -> None:
    """Only won starts have first moves; in the plain game they are the plain game's."""
    graph, first, label = play.graph, play.first, play.label
    wrong = (first < -1) | (first >= graph.n) | ((label != 1) & (first != -1))
    refuse(graph, wrong, None, "no first move, because the start is not won", "one")
    expected = np.where(label == 1, play.plain.move, -1)
    wrong = (play.order == 0) & (first != expected)
    refuse(graph, wrong, None, "the first move of the plain game", "another")


class _Checked:
    """One piece and its moves; ``source`` and ``inside`` are indices into it, −1 is outside."""

    def __init__(self, play: "Play", piece: "Piece", number: int) -> None:
        self.play, self.piece, self.number = play, piece, number
        graph, part = play.graph, piece.positions
        check_array(f"piece {number}", part, (np.size(part),), np.int32)
        if part.size == 0 or part[0] < 0 or part[-1] >= graph.n or (np.diff(part) <= 0).any():
            raise CertificateError(f"piece {number}: expected increasing positions")
        refuse(graph, play.order[part] != number, part, f"order {number}", "another")
        degree = graph.out_degree[part]
        self.source = np.repeat(np.arange(part.size), degree)
        start = np.repeat(graph.indptr[part] - np.cumsum(degree) + degree, degree)
        self.target = graph.indices[start + np.arange(self.source.size)]
        place = np.searchsorted(part, self.target)
        in_part = part[np.minimum(place, part.size - 1)] == self.target
        self.inside = np.where(in_part, place, -1)
        self.label, self.first = play.label[part], play.first[part]

    def refuse(self, bad: "AnyArray", expected: str, claimed: str) -> None:
        """Raise an error that names the first bad position of the piece, if there is one."""
        refuse(self.play.graph, bad, self.piece.positions, expected, claimed)

    def check(self) -> None:
        """Conditions 3 and 4."""
        kind, play = self.piece.kind, self.play
        if kind == "exit":
            self._exit()
            return
        if kind == "open":
            self.refuse(self.label != UNDECIDED, "no label, because the piece is open", "one")
            return
        leaves = self.inside < 0
        later = play.order[self.target] >= self.number
        self._rows(leaves & later, "moves to earlier pieces", "a move to a later one")
        bad = leaves & (play.label[self.target] != 1)
        self._rows(bad, "that only exits have moves to lost starts", "another kind of piece")
        checks = {
            "single": self._single,
            "matching": self._matching,
            "reversible": self._reversible,
            "search": self._search,
        }
        if kind not in checks:
            raise CertificateError(f"piece {self.number}: expected a known kind, got {kind!r}")
        checks[kind]()

    def _rows(self, bad: "AnyArray", expected: str, claimed: str) -> None:
        bad_positions = np.zeros(self.piece.positions.size, bool)
        bad_positions[self.source[bad]] = True
        self.refuse(bad_positions, expected, claimed)

    def _exit(self) -> None:
        play = self.play
        good = (self.target == self.first[self.source]) & (play.label[self.target] == -1)
        good &= play.order[self.target] < self.number
        if play.objective.returns:
            loops = self.inside == self.source
            good |= loops & (self.target == self.first[self.source])
        won = np.zeros(self.piece.positions.size, bool)
        won[self.source[good]] = True
        self.refuse(~won, "a move to an earlier lost start", "that it is an exit")
        self.refuse(self.label != 1, "label 1, because there is an exit", "another")

    def _stuck(self) -> "AnyArray":
        """The label of each position when no move inside is left."""
        stuck = np.full(self.piece.positions.size, self.play.objective.stuck, np.int8)
        stuck[self.source[self.inside < 0]] = -1
        return stuck

    def _single(self) -> None:
        play = self.play
        if self.piece.positions.size != 1:
            raise CertificateError(f"piece {self.number}: expected a single position")
        if play.objective.returns and (self.inside >= 0).any():
            raise CertificateError(f"piece {self.number}: has a loop, so it must be an exit")
        self.refuse(self.label != self._stuck(), "the label of a stuck player", "another")
        self.refuse(self.first != -1, "no move that wins", "one")

    def _induced(self) -> Graph:
        """The piece as a graph without loops."""
        kept = (self.inside >= 0) & (self.inside != self.source)
        return Graph.from_arrays(
            self.source[kept], self.inside[kept], int(self.piece.positions.size)
        )

    def _symmetric(self) -> Graph:
        graph = self._induced()
        source, target = graph.to_edges().astype(np.int64).T
        lonely = ~np.isin(source * graph.n + target, target * graph.n + source)
        bad_positions = np.zeros(graph.n, bool)
        bad_positions[source[lonely]] = True
        self.refuse(bad_positions, "moves that have their reverse", "one that has none")
        return graph

    def _reversible(self) -> None:
        self._symmetric()
        if not self.play.objective.returns or (self.inside == self.source).any():
            raise CertificateError(f"piece {self.number}: taking a move back does not win here")
        self.refuse(self.label != -1, "label −1, because every move can be taken back", "another")

    def _matching(self) -> None:
        graph, objective = self._symmetric(), self.play.objective
        matching = getattr(self.piece.proof, "matching", None)
        if objective.returns or objective.stuck > 0:
            raise CertificateError(f"piece {self.number}: no matching decides this game")
        if matching is None:
            raise CertificateError(f"piece {self.number}: expected a matching, got none")
        check_belongs(f"the matching of piece {self.number}", matching, graph=graph)
        check_matching(matching)
        lost = matching.part == 0
        self.refuse(self.label != np.where(lost, -1, 1), "−1 exactly in part D", "another label")
        mates = self.piece.positions[matching.mate]
        self.refuse(~lost & (self.first != mates), "its mate as first move", "another")

    def _search(self) -> None:
        objective, proof = self.play.objective, self.piece.proof
        if objective.returns and (self.inside == self.source).any():
            raise CertificateError(f"piece {self.number}: has a loop, so it must be an exit")
        graph = self._induced()
        moves = [graph.successors(v).tolist() for v in range(graph.n)]
        table: Any = proof.entries() if hasattr(proof, "entries") else ()
        checked = Situations(moves, self._stuck().tolist(), objective.returns, table)
        part = self.piece.positions.tolist()
        place = {v: k for k, v in enumerate(part)}
        for k, label in enumerate(self.label.tolist()):
            if label == UNDECIDED:
                continue
            first = int(self.first[k])
            if (label == 1) != (first in place):
                name = self.play.graph.name(part[k])
                raise CertificateError(f"position {name!r}: expected a first move inside its piece")
            try:
                checked.prove(k, label, place.get(first, -1))
            except CertificateError as error:
                name = self.play.graph.name(part[k])
                raise CertificateError(f"position {name!r}: {error}") from None
