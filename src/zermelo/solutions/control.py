"""Controllers of plants, stated in actions: data and certificates.

Module :mod:`zermelo.solvers.control` says what they are, and finds them.
"""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from zermelo._inputs.values import Checked, claim_array, one_of
from zermelo.errors import CertificateError, UnknownPositionError
from zermelo.labels import BoolArray, Int32Array
from zermelo.plant import Plant, Transition
from zermelo.registry.checkers import CHECKERS

AIMS = ("safety", "reach", "nonblocking")
"""To avoid bad states for ever; to reach a goal and avoid them until then; to avoid them for ever
and keep a way to the marked states."""

NO_RANK = -1


@dataclass(frozen=True, eq=False, repr=False)
class PlantController(Checked):
    """What a controller enables in each state from which she can make sure of her aim.

    ``controller[state]`` is the set of controllable actions to enable; uncontrollable ones are
    always enabled. An empty set means to wait, or that the goal is reached. A state from which the
    aim cannot be ensured is not in the controller, as a key that a mapping does not have.
    """

    plant: Plant
    aim: str
    """``safety``, ``reach`` or ``nonblocking``."""
    goal: BoolArray
    """The states to reach, or the marked ones; none for safety."""
    avoid: BoolArray
    may_stop: bool
    """Whether nothing may happen in a state without uncontrollable actions."""
    rank: Int32Array
    """For each state −1 if it is not won. Otherwise, for ``reach``, the number of actions after
    which the goal is reached at the latest; for ``nonblocking``, the number of actions after which
    a marked state can be reached at the earliest; for ``safety``, 0."""
    danger: Int32Array
    """For ``safety`` and ``nonblocking``, why a state is lost: 0 for states to avoid, and a greater
    number if this follows from states with smaller ones; −1 for states that are won."""
    allowed: BoolArray
    """Whether each pair of ``plant.pairs`` is a controllable action that is enabled."""

    def __post_init__(self) -> None:
        if not isinstance(self.plant, Plant):
            raise CertificateError(f"plant: expected a Plant, got {type(self.plant).__name__}")
        one_of(self.aim, "aim", AIMS, CertificateError)
        if not isinstance(self.may_stop, bool):
            raise CertificateError(f"may_stop: expected True or False, got {self.may_stop!r}")
        n = len(self.plant.states)
        for name in ("goal", "avoid"):
            claim_array(self, name, (n,), np.bool_, 0, 1)
        for name in ("rank", "danger"):
            claim_array(self, name, (n,), np.int32, NO_RANK, 2**31 - 1)
        claim_array(self, "allowed", self.plant.pairs.state.shape, np.bool_, 0, 1)

    @property
    def region(self) -> BoolArray:
        """The states from which the aim is ensured."""
        won: BoolArray = self.rank >= 0
        return won

    @property
    def wins(self) -> bool:
        """Whether the aim is ensured from the initial state."""
        return bool(self.rank.size) and bool(self.rank[self.plant.start] >= 0)

    def __contains__(self, state: object) -> bool:
        try:
            return bool(self.rank[self.plant.state(state)] >= 0)
        except LookupError:
            return False

    def __iter__(self) -> Iterator[Hashable]:
        """The states from which the aim is ensured."""
        return (self.plant.states[v] for v in np.flatnonzero(self.region).tolist())

    def __len__(self) -> int:
        """The number of states from which the aim is ensured."""
        return int(self.region.sum())

    def __getitem__(self, state: Hashable) -> frozenset[Hashable]:
        """The controllable actions to enable in a state."""
        if state not in self:
            self.plant.state(state)
            raise UnknownPositionError(
                f"there is no control in {state!r}: the aim cannot be ensured from there"
            )
        return frozenset(self.actions(state))

    def actions(self, state: Hashable) -> tuple[Hashable, ...]:
        """The controllable actions to enable, in the order of the plant; none in a lost state."""
        plant = self.plant
        chosen = [p for p in plant.pairs_of(state) if self.allowed[p]]
        return tuple(plant.actions[plant.pairs.action[p]] for p in chosen)

    def closed_loop(self) -> Plant | None:
        """The plant under control, as far as play from the initial state can get.

        For ``reach`` play ends at the goal. None if the initial state is not won.

        >>> import zermelo as zm
        >>> plant = zm.Plant.from_transitions([("a", "go", "b"), ("a", "risk", "c"),
        ...     ("b", "back", "a"), ("c", "back", "a")])
        >>> list(zm.control(plant, avoid=["c"]).closed_loop())
        [('a', 'go', 'b'), ('b', 'back', 'a')]
        """
        plant, pairs = self.plant, self.plant.pairs
        if not self.wins:
            return None
        enabled = (self.allowed | ~pairs.controllable) & self.region[pairs.state]
        if self.aim == "reach":
            enabled &= ~self.goal[pairs.state]
        sizes = np.diff(pairs.first)
        kept = np.repeat(enabled, sizes)
        reached = np.zeros(len(plant.states), bool)
        reached[plant.start] = True
        begin = np.searchsorted(plant.source, np.arange(len(plant.states) + 1))
        todo = [plant.start]
        while todo:
            v = todo.pop()
            ends = slice(begin[v], begin[v + 1])
            for w in plant.target[ends][kept[ends]].tolist():
                if not reached[w]:
                    reached[w] = True
                    todo.append(w)
        kept &= reached[plant.source]
        return Plant(
            plant.states, plant.actions, plant.source[kept], plant.action[kept],
            plant.target[kept], plant.uncontrollable, plant.start,
        )  # fmt: skip

    def transitions(self) -> Iterator[Transition]:
        """The transitions that remain under control from the initial state."""
        loop = self.closed_loop()
        return iter(()) if loop is None else iter(loop)

    def rows(self) -> Iterator[tuple[Hashable, bool, int | None, list[Hashable]]]:
        """For each state: its name, whether it is won, its rank, and the actions to enable."""
        for v, state in enumerate(self.plant.states):
            won = bool(self.rank[v] >= 0)
            ranked = won and self.aim != "safety"
            yield state, won, int(self.rank[v]) if ranked else None, list(self.actions(state))

    def to_dict(self) -> dict[str, Any]:
        """The controller as plain data, for JSON; names that are no text are spelled as such."""
        table = {
            _text(state): {"actions": [_text(x) for x in actions]}
            | ({} if rank is None else {"rank": rank})
            for state, won, rank, actions in self.rows()
            if won
        }
        names = self.plant.states
        return {
            "format": "zermelo-controller",
            "aim": self.aim,
            "goal": [_text(names[v]) for v in np.flatnonzero(self.goal).tolist()],
            "avoid": [_text(names[v]) for v in np.flatnonzero(self.avoid).tolist()],
            "may_stop": self.may_stop,
            "start": _text(names[self.plant.start]) if names else None,
            "wins": self.wins,
            "states": table,
        }

    def to_dot(self) -> str:
        """The plant under control in Graphviz' language; dashed arrows are uncontrollable.

        >>> import zermelo as zm
        >>> plant = zm.Plant.from_transitions([("a", "go", "b"), ("b", "back", "a")], ["back"])
        >>> print(zm.control(plant).to_dot())
        digraph controller {
          rankdir=LR;
          start [shape=point, label=""];
          0 [shape=ellipse, label="a"];
          1 [shape=ellipse, label="b"];
          start -> 0;
          0 -> 1 [label="go"];
          1 -> 0 [label="back", style=dashed];
        }
        <BLANKLINE>
        """
        lines = ["digraph controller {", "  rankdir=LR;", '  start [shape=point, label=""];']
        loop = self.closed_loop()
        if loop is not None:
            used = {loop.start, *loop.source.tolist(), *loop.target.tolist()}
            for v in sorted(used):
                shape = "doubleoctagon" if self.goal[v] else "ellipse"
                lines.append(f"  {v} [shape={shape}, label={_quoted(loop.states[v])}];")
            lines.append(f"  start -> {loop.start};")
            rows = zip(
                loop.source.tolist(), loop.action.tolist(), loop.target.tolist(), strict=True
            )
            for u, a, v in rows:
                dashed = ", style=dashed" if loop.uncontrollable[a] else ""
                lines.append(f"  {u} -> {v} [label={_quoted(loop.actions[a])}{dashed}];")
        return "\n".join([*lines, "}", ""])

    def verify(self) -> Self:
        """Check everything from the transitions; see :mod:`zermelo.verify.infinite.control`."""
        CHECKERS["plant-controller"].load()(self)
        return self

    def __repr__(self) -> str:
        from_start = "" if self.wins else ", not from the start"
        size = len(self.plant.states)
        noun = "state" if size == 1 else "states"
        return f"PlantController({self.aim} from {len(self):,} of {size:,} {noun}{from_start})"


def _text(name: Hashable) -> str:
    return name if isinstance(name, str) else str(name)


def _quoted(name: Hashable) -> str:
    text = str(name).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{text}"'
