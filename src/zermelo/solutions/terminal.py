"""A solved terminal-payoff game: values, distances and best moves."""

import functools
from dataclasses import dataclass

import numpy as np

from zermelo._inputs.values import sealed, shown
from zermelo.errors import CertificateError
from zermelo.labels import NO_DISTANCE, Int32Array
from zermelo.objectives.terminal_form import Layout, Number, TerminalForm
from zermelo.solutions.base import Solution


@dataclass(frozen=True, eq=False, repr=False)
class TerminalSolution(Solution):
    """A solved terminal-payoff game; ``form`` has its payoffs."""

    form: TerminalForm
    family = "terminal"

    def __post_init__(self) -> None:
        if not isinstance(self.form, TerminalForm):
            raise CertificateError(f"form: expected a TerminalForm, got {shown(self.form)}")
        super().__post_init__()
        self.form.check_fit(self.graph, CertificateError)

    @property
    def levels(self) -> tuple[Number, ...]:
        """The payoffs that there are, increasing."""
        return self.form.levels

    @property
    def doubled(self) -> bool:
        """Whether each position has two situations, one for either player to move."""
        return self.form.doubled

    @property
    def mirrored(self) -> bool:
        """Whether values are the mover's own, so that they change sign along a move."""
        return self.form.layout is Layout.SYMMETRIC

    @functools.cached_property
    def move(self) -> Int32Array:
        """An optimal move (a position number) of each situation, ``NO_MOVE`` where play ends."""
        from zermelo._kernels.graphs.records import Moves
        from zermelo._kernels.terminal.retrograde import best_moves

        size = self.level.size
        absorbing = np.zeros(size, np.int8)
        absorbing[self.form.absorbing] = 1
        move = np.empty(size, np.int32)
        mirror = len(self.levels) - 1 if self.mirrored else 0
        best_moves(
            Moves(self.graph.indptr, self.graph.indices),
            self.level.reshape(-1),
            self.distance.reshape(-1),
            absorbing,
            int(self.doubled),
            mirror,
            move,
        )
        return sealed(move.reshape(self.level.shape))

    def _agreed(self, s: int) -> bool:
        """Whether play goes on and nobody forces an end: the value is that of infinite play."""
        ended = self.distance.reshape(-1)[s] == 0
        return bool(self.level.reshape(-1)[s] == self.form.infinite) and not ended

    def _best(self, s: int) -> list[int]:
        """All moves that keep the value and, where there is a distance, decrease it by 1.

        In a draw whose end nobody forces, all moves that keep the draw are best; those along a
        shortest way to an end come first.
        """
        if s in self._ends:
            return []
        v, after = (s >> 1, 1 - (s & 1)) if self.doubled else (s, 0)
        successors = self.graph.successors(v)
        t = successors * 2 + after if self.doubled else successors
        level, distance = self.level.reshape(-1), self.distance.reshape(-1)
        wanted = len(self.levels) - 1 - int(level[s]) if self.mirrored else int(level[s])
        d = int(distance[s])
        keeps, along = level[t] == wanted, distance[t] == (d - 1 if d != NO_DISTANCE else d)
        best: list[int] = successors[keeps & along].tolist()
        if self._agreed(s) and self.levels[self.form.infinite] == 0:
            best += successors[keeps & ~along].tolist()
        return best

    @functools.cached_property
    def _ends(self) -> frozenset[int]:
        return frozenset(self.form.absorbing.tolist())
