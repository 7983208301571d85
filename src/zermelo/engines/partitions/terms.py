"""The payoffs of a terminal-payoff game without its graph, and the phases that they give."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from zermelo._kernels.terminal.partitioned import Wave
from zermelo.labels import AnyArray
from zermelo.objectives.terminal_form import Layout, Number, TerminalForm, number, plain
from zermelo.solvers.terminal.retrograde import phase_levels, phase_of


@dataclass(frozen=True)
class Terms:
    """The payoffs of a game; a :class:`TerminalForm` without its list of ends.

    >>> Terms(Layout.SYMMETRIC, (-1, 0, 1), 1, True).phases
    [(0, 2)]
    """

    layout: Layout
    levels: tuple[Number, ...]
    infinite: int
    agreed_ends: bool

    @classmethod
    def of(cls, form: TerminalForm) -> "Terms":
        """The payoffs of a form."""
        return cls(form.layout, form.levels, form.infinite, form.agreed_ends)

    @property
    def shift(self) -> int:
        """1 if each position has two situations, else 0."""
        return int(self.layout is Layout.ALTERNATING)

    @property
    def code_type(self) -> "np.dtype[Any]":
        """The type of the array of values."""
        return np.dtype(np.int8 if len(self.levels) <= 127 else np.int32)

    @cached_property
    def phases(self) -> list[tuple[int, int]]:
        """The levels that each phase settles for f = 0 and for f = 1."""
        return phase_levels(self.layout, len(self.levels) - 1, self.infinite)

    def phase_of(self, codes: AnyArray) -> AnyArray:
        """The phase of ends with these levels; ``len(phases)`` for ties."""
        return phase_of(codes, self.layout, len(self.levels) - 1, self.infinite)

    def wave(self, phase: int) -> Wave:
        """The parameters of a phase; the last one is that of ties."""
        if phase == len(self.phases):
            return Wave(self.shift, 0, 1, self.infinite, self.infinite)
        return Wave(self.shift, int(self.layout is Layout.SYMMETRIC), 0, *self.phases[phase])

    def spec(self) -> dict[str, Any]:
        """The payoffs as plain data."""
        return {
            "layout": self.layout.value,
            "levels": [plain(x) for x in self.levels],
            "infinite": self.infinite,
            "agreed_ends": self.agreed_ends,
        }

    @classmethod
    def from_spec(cls, data: dict[str, Any]) -> "Terms":
        """The inverse of :meth:`spec`.

        >>> terms = Terms(Layout.OWNED, (-1, 1), 0, False)
        >>> Terms.from_spec(terms.spec()) == terms
        True
        """
        levels = tuple(number(x) for x in data["levels"])
        return cls(Layout(data["layout"]), levels, int(data["infinite"]), bool(data["agreed_ends"]))
