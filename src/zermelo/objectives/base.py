"""What every objective has."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int32Array, Player
from zermelo.terminal_form import TerminalForm, place_number


@dataclass(frozen=True, eq=False)
class Objective:
    """The root of all objectives."""

    family: ClassVar[str] = "terminal"
    """The family of solvers that it belongs to."""
    keyword: ClassVar[str] = ""
    """The objective's name on the command line and in files."""

    def terminal_form(self, graph: Graph) -> TerminalForm:
        """The payoffs that this objective puts on a graph's terminals and infinite plays."""
        raise InvalidObjectiveError(f"{type(self).__name__} is no terminal-payoff game")

    def priorities(self, graph: Graph) -> Int32Array:
        """The parity game that this objective is: player 0 wins iff the highest priority that is
        seen infinitely often is even."""
        raise InvalidObjectiveError(f"{type(self).__name__} is no parity game")

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The objective as plain data (JSON types; positions by number), for files."""
        return {"objective": self.keyword}

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "Objective":
        """The inverse of :meth:`spec`."""
        return cls()


@dataclass(frozen=True, eq=False)
class PlainSet(Objective):
    """Objectives given by one set of positions and the player who wants them."""

    positions: Iterable[Hashable] | AnyArray
    player: int = field(default=Player.ZERO, kw_only=True)

    def __post_init__(self) -> None:
        if isinstance(self.player, bool) or self.player not in (0, 1):
            raise InvalidObjectiveError(f"player: expected 0 or 1, got {self.player!r}")
        if not isinstance(self.positions, np.ndarray | frozenset | set | str):
            given = self.positions
            kept = list(given) if isinstance(given, Iterable) else given
            object.__setattr__(self, "positions", kept)

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The set as a list of position numbers."""
        chosen = np.flatnonzero(graph.mask(self.positions)).tolist()
        return {"objective": self.keyword, "positions": chosen, "player": int(self.player)}

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "PlainSet":
        """Read the set back."""
        chosen = data.get("positions")
        if not isinstance(chosen, list):
            raise InvalidObjectiveError(f"positions: expected a list, got {chosen!r}")
        mask = np.zeros(graph.n, bool)
        mask[[place_number(v, graph) for v in chosen]] = True
        return cls(mask, player=data.get("player", 0))
