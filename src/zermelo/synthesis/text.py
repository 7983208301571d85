"""Machines in HOA, in Graphviz' language, and in JSON."""

import json

from zermelo.errors import InvalidOptionError
from zermelo.synthesis.mealy import Cube, MealyMachine

MAX_CASES = 1 << 18
"""The most cases of one state of an automaton."""

MAX_DRAWN_CASES = 12
"""The most cases of an arrow in a picture."""


def write_hoa(machine: MealyMachine) -> bytes:
    """A machine as a deterministic automaton in which every run is accepted.

    The propositions are first what the machine reads, then what it sets.
    """
    return to_hoa(machine, (*machine.inputs, *machine.outputs)).encode()


def to_hoa(machine: MealyMachine, names: tuple[str, ...]) -> str:
    """A machine in HOA; ``names`` are all propositions, in the order in which they are listed.

    >>> import zermelo as zm
    >>> copy = zm.MealyMachine(("in",), ("out",), ((0, -1, -2),), (((), 0), ((0,), 0)), (0,))
    >>> print(to_hoa(copy, ("out", "in")).partition("--BODY--")[2])
    <BLANKLINE>
    State: 0
    [!0&!1] 0
    [0&1] 0
    --END--
    <BLANKLINE>
    """
    quoted = [name.replace("\\", "\\\\").replace('"', '\\"') for name in names]
    reads = [names.index(x) for x in machine.inputs]
    writes = [names.index(x) for x in machine.outputs]
    controllable = sorted(writes if machine.player == 1 else reads)
    out = [
        "HOA: v1",
        f"States: {len(machine)}",
        "Start: 0",
        " ".join([f"AP: {len(quoted)}", *(f'"{name}"' for name in quoted)]),
        " ".join(["controllable-AP:", *map(str, controllable)]),
        "acc-name: all",
        "Acceptance: 0 t",
        "properties: trans-labels explicit-labels deterministic",
        "--BODY--",
    ]
    for state in range(len(machine)):
        out.append(f"State: {state}")
        for end, cubes in _cases(machine, state).items():
            true, target = machine.steps[end]
            answer: Cube = tuple((x, k in true) for k, x in enumerate(writes))
            named = [tuple((reads[x], value) for x, value in cube) for cube in cubes]
            out.append(f"[{_label(named, answer)}] {target}")
    return "\n".join([*out, "--END--", ""])


def _cases(machine: MealyMachine, state: int) -> dict[int, list[Cube]]:
    """The steps of a state, each with its cases."""
    found: dict[int, list[Cube]] = {}
    count = 0
    for cube, end in machine.cubes(state, MAX_CASES + 1):
        found.setdefault(end, []).append(cube)
        count += 1
    if count > MAX_CASES:
        raise InvalidOptionError(
            f"a state of the machine has more than {MAX_CASES:,} different inputs, which HOA would "
            "list one by one; the formats aag, aig, json, python and c share what they have in "
            "common"
        )
    return found


def _label(cubes: list[Cube], answer: Cube) -> str:
    """The condition on the inputs, and the outputs."""
    if cubes == [()]:
        return _conjunction(answer)
    if len(cubes) == 1:
        return _conjunction((*cubes[0], *answer))
    question = " | ".join(map(_conjunction, cubes))
    return f"({question}) & {_conjunction(answer)}" if answer else question


def _conjunction(cube: Cube) -> str:
    """A conjunction as text, with its propositions in order."""
    return "&".join(f"{'' if value else '!'}{x}" for x, value in sorted(cube)) or "t"


def write_dot(machine: MealyMachine) -> bytes:
    """A machine as a picture: states, and arrows "inputs / outputs".

    >>> import zermelo as zm
    >>> copy = zm.MealyMachine(("in",), ("out",), ((0, -1, -2),), (((), 0), ((0,), 0)), (0,))
    >>> print(write_dot(copy).decode().splitlines()[5])
      0 -> 0 [label="!in / -\\nin / out"];
    """
    lines = ["digraph machine {", "  rankdir=LR;", '  start [shape=point, label=""];']
    lines += [f'  {k} [shape=circle, label="{k}"];' for k in range(len(machine))]
    lines.append("  start -> 0;")
    for state in range(len(machine)):
        arrows: dict[int, list[str]] = {machine.steps[x][1]: [] for x in machine.ends(state)}
        for cube, end in machine.cubes(state, MAX_CASES):
            true, target = machine.steps[end]
            if len(arrows[target]) <= MAX_DRAWN_CASES:
                question = [("" if value else "!") + machine.inputs[x] for x, value in cube]
                answer = [machine.outputs[x] for x in true]
                text = f"{' & '.join(question) or 'any'} / {' '.join(answer) or '-'}"
                arrows[target].append(text)
        for target, texts in arrows.items():
            shown = [x.replace("\\", "\\\\").replace('"', '\\"') for x in texts[:MAX_DRAWN_CASES]]
            label = "\\n".join(shown + ["…"] * (len(texts) > MAX_DRAWN_CASES))
            lines.append(f'  {state} -> {target} [label="{label}"];')
    return "\n".join([*lines, "}", ""]).encode()


def write_json(machine: MealyMachine) -> bytes:
    """A machine as JSON, in the terms of :class:`MealyMachine`."""
    head = {
        "format": "zermelo-machine",
        "version": 1,
        "player": machine.player,
        "inputs": machine.inputs,
        "outputs": machine.outputs,
        "nodes": machine.nodes,
        "steps": machine.steps,
        "states": machine.roots,
    }
    return (json.dumps(head, ensure_ascii=False) + "\n").encode()
