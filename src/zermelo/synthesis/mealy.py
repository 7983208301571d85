"""Mealy machines: what the winner of a game of synthesis does, step by step."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from zermelo._diagrams import Diagrams
from zermelo._inputs.values import listed, one_of, shown, whole_number
from zermelo._runtime.files import PathLike
from zermelo.errors import InvalidOptionError
from zermelo.registry.machines import MACHINES

Cube = tuple[tuple[int, bool], ...]
"""A conjunction of propositions, each of them true or false."""


@dataclass(frozen=True)
class MealyMachine:
    """A machine that answers the inputs of each step with outputs, and changes its state.

    Play starts in state 0. ``roots`` has a reference for each state: to a node, or to a step. A
    node (k, low, high) tests input k and leads on to ``low`` if it is false and to ``high`` if it
    is true. A reference r ≥ 0 means ``nodes[r]``; a reference r < 0 means ``steps[-1 - r]``. A step
    has the outputs that are true, by their numbers, and the next state.

    >>> import zermelo as zm
    >>> copy = zm.MealyMachine(("in",), ("out",), ((0, -1, -2),), (((), 0), ((0,), 0)), (0,))
    >>> copy
    MealyMachine(1 state, 1 input, 1 output)
    >>> copy.step(0, ["in"])
    (frozenset({'out'}), 0)
    """

    inputs: tuple[str, ...]
    """The names of the propositions that the machine reads."""
    outputs: tuple[str, ...]
    """The names of the propositions that the machine sets."""
    nodes: tuple[tuple[int, int, int], ...]
    """Tests of inputs; a node leads only to nodes that stand before it and test later inputs."""
    steps: tuple[tuple[tuple[int, ...], int], ...]
    """Outputs that are true, and the next state."""
    roots: tuple[int, ...]
    """What each state does first."""
    player: int = field(default=1, kw_only=True)
    """1 for a machine of the system, 0 for one of the environment."""

    def __post_init__(self) -> None:
        for name in ("inputs", "outputs"):
            names = tuple(listed(getattr(self, name), f"names of {name}"))
            if not all(isinstance(x, str) for x in names) or len(set(names)) < len(names):
                raise InvalidOptionError(f"{name}: expected distinct names, got {shown(names)}")
            object.__setattr__(self, name, names)
        one_of(self.player, "player", (0, 1), InvalidOptionError)
        object.__setattr__(self, "player", int(self.player))
        steps = tuple(self._checked_step(x) for x in listed(self.steps, "steps"))
        object.__setattr__(self, "steps", steps)
        nodes: list[tuple[int, int, int]] = []
        for row in listed(self.nodes, "nodes"):
            test, *ways = self._row(row, 3, "a node")
            variable = whole_number(test, "the input of a node", 0, len(self.inputs) - 1)
            low, high = (self._reference(x, nodes, variable) for x in ways)
            nodes.append((variable, low, high))
        object.__setattr__(self, "nodes", tuple(nodes))
        roots = tuple(self._reference(x, nodes, -1) for x in listed(self.roots, "roots"))
        object.__setattr__(self, "roots", roots)
        if not roots:
            raise InvalidOptionError("roots: expected at least one state, got none")
        for _, target in steps:
            whole_number(target, "the next state of a step", 0, len(roots) - 1)

    @staticmethod
    def _row(row: Any, size: int, name: str) -> list[Any]:
        entries = listed(row, name)
        if len(entries) != size:
            raise InvalidOptionError(f"{name}: expected {size} entries, got {shown(row)}")
        return entries

    def _checked_step(self, row: Any) -> tuple[tuple[int, ...], int]:
        true, target = self._row(row, 2, "a step")
        top = len(self.outputs) - 1
        numbers = {whole_number(x, "an output", 0, top) for x in listed(true, "outputs")}
        return tuple(sorted(numbers)), whole_number(target, "the next state of a step")

    def _reference(self, x: Any, nodes: list[tuple[int, int, int]], variable: int) -> int:
        number = whole_number(x, "a reference", -len(self.steps), len(nodes) - 1)
        if number >= 0 and nodes[number][0] <= variable:
            raise InvalidOptionError("nodes: expected tests of the inputs in their order")
        return number

    @classmethod
    def _of_diagrams(
        cls,
        inputs: tuple[str, ...],
        outputs: tuple[str, ...],
        diagrams: Diagrams,
        roots: Iterable[int],
        *,
        player: int,
    ) -> "MealyMachine":
        """The machine whose states are diagrams over the inputs; their values are steps."""
        roots = list(roots)
        number: dict[int, int] = {}
        nodes: list[tuple[int, int, int]] = []
        steps: list[tuple[tuple[int, ...], int]] = []
        order = sorted(diagrams.below(*roots), key=lambda f: -diagrams.variable(f))
        for f in order:
            variable = diagrams.variable(f)
            low, high = diagrams.halves(f, variable)
            if low == high:  # a constant
                steps.append(diagrams.value(f))
                number[f] = -len(steps)
            else:
                number[f] = len(nodes)
                nodes.append((variable, number[low], number[high]))
        found = tuple(number[f] for f in roots)
        return cls(inputs, outputs, tuple(nodes), tuple(steps), found, player=player)

    def __len__(self) -> int:
        """The number of states."""
        return len(self.roots)

    def __repr__(self) -> str:
        sizes = ((len(self), "state"), (len(self.inputs), "input"), (len(self.outputs), "output"))
        shown_sizes = (f"{k:,} {noun}{'' if k == 1 else 's'}" for k, noun in sizes)
        return f"MealyMachine({', '.join(shown_sizes)})"

    # ---------------------------------------------------------------- running

    def step(
        self, state: int, inputs: Iterable[str] | Mapping[str, bool]
    ) -> tuple[frozenset[str], int]:
        """The outputs that are true, and the next state.

        ``inputs`` are the names of those that are true, or a mapping from names to truth values.
        """
        at = self._root(state)
        true = self._true(inputs)
        while at >= 0:
            variable, low, high = self.nodes[at]
            at = high if variable in true else low
        outputs, target = self.steps[-1 - at]
        return frozenset(self.outputs[x] for x in outputs), target

    def _root(self, state: int) -> int:
        return self.roots[whole_number(state, "state", 0, len(self) - 1)]

    def _true(self, inputs: Iterable[str] | Mapping[str, bool]) -> set[int]:
        names = listed(inputs, "the names of inputs")
        number = {name: k for k, name in enumerate(self.inputs)}
        for name in names:
            if not isinstance(name, str) or name not in number:
                known = ", ".join(self.inputs) or "none"
                raise InvalidOptionError(
                    f"there is no input {shown(name)}; the inputs are: {known}"
                )
        return {number[x] for x in names if not isinstance(inputs, Mapping) or inputs[x]}

    def run(self, inputs: Iterable[Iterable[str] | Mapping[str, bool]]) -> list[frozenset[str]]:
        """The outputs that are true in each step, from state 0.

        >>> import zermelo as zm
        >>> copy = zm.MealyMachine(("in",), ("out",), ((0, -1, -2),), (((), 0), ((0,), 0)), (0,))
        >>> [sorted(x) for x in copy.run([["in"], [], ["in"]])]
        [['out'], [], ['out']]
        """
        state, found = 0, []
        for some in listed(inputs, "the inputs of each step"):
            outputs, state = self.step(state, some)
            found.append(outputs)
        return found

    @property
    def moore(self) -> bool:
        """Whether the outputs of a step do not depend on its inputs."""
        return all(len({self.steps[x][0] for x in self.ends(k)}) == 1 for k in range(len(self)))

    # ---------------------------------------------------------------- reading

    def ends(self, state: int) -> list[int]:
        """The numbers of the steps that are possible in a state, in the order of the tests."""
        found: dict[int, None] = {}
        seen, waiting = set(), [self._root(state)]
        while waiting:
            at = waiting.pop()
            if at < 0:
                found[-1 - at] = None
            elif at not in seen:
                seen.add(at)
                waiting += [self.nodes[at][2], self.nodes[at][1]]
        return list(found)

    def cubes(self, state: int, limit: int) -> Iterator[tuple[Cube, int]]:
        """The cases of a state, each with the number of its step; more than ``limit`` end early."""
        limit = whole_number(limit, "limit")
        waiting: list[tuple[Cube, int]] = [((), self._root(state))]
        while waiting and limit:
            cube, at = waiting.pop()
            if at < 0:
                limit -= 1
                yield cube, -1 - at
            else:
                variable, low, high = self.nodes[at]
                waiting.append(((*cube, (variable, True)), high))
                waiting.append(((*cube, (variable, False)), low))

    # ---------------------------------------------------------------- writing

    def to(self, format: str) -> bytes:
        """The machine in a format: ``aag``, ``aig``, ``hoa``, ``dot``, ``json``, ``python``, ``c``.

        >>> import zermelo as zm
        >>> copy = zm.MealyMachine(("in",), ("out",), ((0, -1, -2),), (((), 0), ((0,), 0)), (0,))
        >>> print(copy.to("aag").decode())
        aag 1 1 0 1 0
        2
        2
        i0 in
        o0 out
        <BLANKLINE>
        """
        data: bytes = MACHINES[format].load()(self)
        return data

    def write(self, path: PathLike, format: str | None = None) -> None:
        """Write the machine; the suffix of the file determines the format if none is given."""
        from zermelo._runtime import files
        from zermelo.formats.common import compression
        from zermelo.registry.machines import machine_row

        name, named = files.name_of(path, "standard output")
        stem, packing = compression.split_suffix(name) if named else (name, "")
        row = machine_row(stem if named else None, format)
        files.write_bytes(compression.compress(row.load()(self), packing), path)
