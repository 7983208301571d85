"""Near a position of a solved game: the positions after one move, and a small graph around it."""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.labels import AnyArray, Int32Array, Int64Array, UInt8Array
from zermelo.tables.probing.access import After
from zermelo.tables.probing.many_answers import LABEL_OF, chosen, win_distances
from zermelo.tables.storage.codes import KIND_ABSENT, KIND_WIN, LABELS

if TYPE_CHECKING:
    from zermelo.tables.probing.lookups import Lookups
from zermelo.graph import Graph
from zermelo.labels import Player
from zermelo.objectives.terminal_form import Layout, TerminalForm
from zermelo.rules.faults import text_of
from zermelo.solutions.terminal import TerminalSolution
from zermelo.tables.probing.access import mover

if TYPE_CHECKING:
    from zermelo.tables.solved import SolvedGame


class ProbedPosition:
    """A position of a solved game: its entry, and the moves there, found when they are needed.

    ``kind`` is that of its entry, and ``distance`` that of the position, also where it is won.
    """

    def __init__(
        self, solved: "Lookups", own: Any, entry: tuple[int, int], after: After | None = None
    ) -> None:
        self.solved, self.own, self.known = solved, own, after
        self.kind, self._stored = entry

    @cached_property
    def after(self) -> After:
        """The positions one move later."""
        return self.solved._after([self.own], self.known)

    @cached_property
    def entries(self) -> tuple[UInt8Array, Int32Array]:
        """Kinds and distances of their entries."""
        return self.solved._entries_after(self.after)

    @cached_property
    def distance(self) -> int:
        """Plies to the end, or to conversion; NO_DISTANCE for none."""
        if self.kind != KIND_WIN:
            return self._stored
        return int(win_distances(*self.entries, self.after.start)[0])

    @property
    def drawn(self) -> bool:
        """Whether this is a draw whose end nobody forces: all moves that keep it are best."""
        return LABELS[self.kind] == 0 and self.solved.is_agreed(self.own, 0)

    def best(self) -> list[Any]:
        """All moves that keep the label and, where there is a distance, lead along it.

        In a draw whose end nobody forces, the others that keep the draw follow.
        """
        own, far = np.array([self.kind], np.uint8), np.array([self.distance], np.int32)
        which = self.solved._best_of(self.after, self.entries, own, far)
        if self.drawn:
            which = np.concatenate([which, keeping(self.after, self.entries[0], own).nonzero()[0]])
        best = chosen(self.after.positions, which)
        return list(dict.fromkeys(best.tolist() if isinstance(best, np.ndarray) else best))


def keeping(after: After, kind: UInt8Array, own: UInt8Array) -> AnyArray:
    """Whether each move keeps the label: ``kind`` is that after it, ``own`` that before it."""
    keeps: AnyArray = (after.sign * LABEL_OF[kind] == LABEL_OF[own]) & (kind != KIND_ABSENT)
    return keeps


def first_of_each(best: Int64Array, after: After, there: Int64Array, move: Any) -> None:
    """Write the first best move of each position of ``there`` to ``move``."""
    before = np.searchsorted(after.start, best, side="right") - 1
    numbers, first = np.unique(before, return_index=True)
    after_it = chosen(after.positions, best[first])
    if isinstance(move, np.ndarray):
        move[there[numbers]] = after_it
        return
    for number, position in zip(there[numbers].tolist(), after_it, strict=True):
        move[number] = position


MAX_NEAR = 1 << 15
"""At most about this many positions are looked up."""

LEVELS = (-1, 0, 1)
"""The payoffs of games in tables."""


def solution_around(solved: "SolvedGame", own: Any, depth: int) -> tuple[TerminalSolution, int]:
    """The solution on the positions within ``depth + 1`` moves of one, and the depth.

    Positions are named as the rules show them. If there are very many, the depth is less. What is
    farther away is left out, so that moves are missing at the last positions only.

    >>> import zermelo as zm
    >>> solution, depth = solution_around(zm.solve(zm.game("nim:3,4")), (3, 4), 1)
    >>> solution.graph.n, depth, solution.at("3+3").outcome
    (14, 1, 'lose')
    """
    found, moves = [own], list[tuple[int, int]]()
    place, begin, done = {own: 0}, 0, -1
    # Invariant: all moves of found[:begin] are known, and found[:begin] are the positions at most
    # ``done`` moves away; found[begin:] are one move farther.
    while done < depth and begin < len(found):
        edges, last = solved._after(found[begin:]), len(found)
        options = edges.positions
        options = options.tolist() if isinstance(options, np.ndarray) else options
        if done >= 0 and last + len(options) > MAX_NEAR:
            break
        sources = np.repeat(np.arange(begin, last), np.diff(edges.start))
        for u, x in zip(sources.tolist(), options, strict=True):
            w = place.setdefault(x, len(found))
            if w == len(found):
                found.append(x)
            moves.append((u, w))
        begin, done = last, done + 1
    answers = solved.probe_many(found)
    label, distance = answers.label, answers.distance
    owner = [mover(solved.rules, x) or Player.ZERO for x in found]
    owned = solved._tells_players_apart
    graph = Graph.from_edges(moves, n=len(found), owner=owner if owned else None)
    graph = graph.with_names([text_of(solved.rules, x) for x in found])
    level = np.where(np.array(owner) == Player.ONE, -label, label) + 1 if owned else label + 1
    ends = np.flatnonzero(distance == 0).astype(np.int32)
    form = TerminalForm(
        Layout.OWNED if owned else Layout.SYMMETRIC, LEVELS, 1 + solved._infinite_payoff,
        ends, level[ends].astype(np.int32),
    )  # fmt: skip
    solution = TerminalSolution(
        graph, solved.objective, "table", level.astype(np.int32), label, distance, form=form
    )
    return solution, min(depth, max(done, 0))
