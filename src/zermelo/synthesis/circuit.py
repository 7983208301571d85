"""Machines as circuits of AND gates, inverters and latches, in the AIGER format.

The number of the state is stored in latches, in binary; all latches are 0 at first. A test of an
input becomes a multiplexer. Equal gates are built once, and gates that nothing needs are left out.
The format is that of [BiereHeljankoWieringa2011]: literal 2k is variable k, 2k + 1 its negation, 0
is false and 1 is true.
"""

from collections.abc import Callable
from dataclasses import dataclass

from zermelo.errors import InvalidOptionError
from zermelo.synthesis.mealy import MealyMachine


@dataclass(frozen=True)
class Circuit:
    """A circuit: variables 1 … are first the inputs, then the latches, then the gates."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    latches: tuple[int, ...]
    """The next value of each latch, as a literal."""
    values: tuple[int, ...]
    """The literal of each output."""
    gates: tuple[tuple[int, int], ...]
    """The two literals of each AND gate, the greater first."""

    @property
    def header(self) -> str:
        """The numbers of variables, inputs, latches, outputs and gates."""
        sizes = len(self.inputs), len(self.latches), len(self.outputs), len(self.gates)
        return " ".join(map(str, (sizes[0] + sizes[1] + sizes[3], *sizes)))

    def symbols(self) -> list[str]:
        """The lines that name inputs, latches and outputs."""
        found = []
        states = [f"state_{k}" for k in range(len(self.latches))]
        for letter, names in (("i", self.inputs), ("l", states), ("o", self.outputs)):
            for k, name in enumerate(names):
                if not name or "\n" in name or "\r" in name:
                    raise InvalidOptionError(
                        f"AIGER stores names of one line, got {name!r}; json stores it"
                    )
                found.append(f"{letter}{k} {name}")
        return found


class _Gates:
    """AND gates by their operands, each built once."""

    def __init__(self, count: int) -> None:
        self.first = count + 1
        self.pairs: list[tuple[int, int]] = []
        self._known: dict[tuple[int, int], int] = {}

    def both(self, a: int, b: int) -> int:
        """The literal of a conjunction."""
        if a < b:
            a, b = b, a
        if b == 0 or a == b ^ 1:
            return 0
        if b == 1 or a == b:
            return a
        key = a, b
        if key not in self._known:
            self._known[key] = 2 * (self.first + len(self.pairs))
            self.pairs.append(key)
        return self._known[key]

    def choose(self, test: int, high: int, low: int) -> int:
        """The literal of "if test then high else low"."""
        if high == low:
            return high
        if low == high ^ 1:
            if high in (0, 1):
                return test ^ 1 ^ high
            return self.both(self.both(test, low) ^ 1, self.both(test ^ 1, high) ^ 1)
        return self.both(self.both(test, high ^ 1) ^ 1, self.both(test ^ 1, low ^ 1) ^ 1)


def circuit_of(machine: MealyMachine) -> Circuit:
    """The circuit of a machine.

    >>> import zermelo as zm
    >>> toggle = zm.MealyMachine((), ("out",), (), (((), 1), ((0,), 0)), (-1, -2))
    >>> circuit_of(toggle)
    Circuit(inputs=(), outputs=('out',), latches=(3,), values=(2,), gates=())
    """
    inputs, count = len(machine.inputs), len(machine)
    bits = (count - 1).bit_length()
    gates = _Gates(inputs + bits)

    def literal(holds: Callable[[tuple[int, ...], int], bool]) -> int:
        """The literal of a property of the step that is taken."""
        ends = [int(holds(*step)) for step in machine.steps]
        found: list[int] = []
        for variable, low, high in machine.nodes:
            ways = (found[x] if x >= 0 else ends[-1 - x] for x in (high, low))
            found.append(gates.choose(2 + 2 * variable, *ways))

        def select(bit: int, code: int) -> int:
            """The property in the states whose number begins with these bits."""
            if bit == 0:
                root = machine.roots[code]
                return found[root] if root >= 0 else ends[-1 - root]
            low = select(bit - 1, 2 * code)
            if (2 * code + 1) << (bit - 1) >= count:  # no state has such a number
                return low
            return gates.choose(2 + 2 * (inputs + bit - 1), select(bit - 1, 2 * code + 1), low)

        return select(bits, 0)

    latches = [literal(lambda _, target, k=k: bool(target >> k & 1)) for k in range(bits)]  # type: ignore[misc]
    values = [literal(lambda true, _, k=k: k in true) for k in range(len(machine.outputs))]  # type: ignore[misc]
    return _trimmed(machine, gates, latches, values)


def _trimmed(
    machine: MealyMachine, gates: _Gates, latches: list[int], values: list[int]
) -> Circuit:
    """The circuit without gates that nothing needs."""
    needed = [False] * len(gates.pairs)
    for literal in latches + values:
        if literal // 2 >= gates.first:
            needed[literal // 2 - gates.first] = True
    for k in range(len(gates.pairs) - 1, -1, -1):
        if needed[k]:
            for literal in gates.pairs[k]:
                if literal // 2 >= gates.first:
                    needed[literal // 2 - gates.first] = True
    number: dict[int, int] = {}
    kept: list[tuple[int, int]] = []

    def renamed(literal: int) -> int:
        place = literal // 2 - gates.first
        return literal if place < 0 else 2 * (gates.first + number[place]) + literal % 2

    for k, pair in enumerate(gates.pairs):
        if needed[k]:
            number[k] = len(kept)
            one, other = sorted(map(renamed, pair), reverse=True)
            kept.append((one, other))
    return Circuit(
        machine.inputs,
        machine.outputs,
        tuple(map(renamed, latches)),
        tuple(map(renamed, values)),
        tuple(kept),
    )


def write_aag(machine: MealyMachine) -> bytes:
    """A machine as AIGER text, with the names of inputs and outputs."""
    circuit = circuit_of(machine)
    first = len(circuit.inputs) + 1
    lines = [f"aag {circuit.header}", *(str(2 * k) for k in range(1, first))]
    lines += [f"{2 * (first + k)} {after}" for k, after in enumerate(circuit.latches)]
    lines += map(str, circuit.values)
    first += len(circuit.latches)
    lines += [f"{2 * (first + k)} {a} {b}" for k, (a, b) in enumerate(circuit.gates)]
    return "\n".join([*lines, *circuit.symbols(), ""]).encode()


def write_aig(machine: MealyMachine) -> bytes:
    """A machine in AIGER's binary form, in which gates are stored as differences.

    >>> import zermelo as zm
    >>> toggle = zm.MealyMachine((), ("out",), (), (((), 1), ((0,), 0)), (-1, -2))
    >>> write_aig(toggle)
    b'aig 1 0 1 1 0\\n3\\n2\\nl0 state_0\\no0 out\\n'
    """
    circuit = circuit_of(machine)
    lines = [f"aig {circuit.header}", *map(str, (*circuit.latches, *circuit.values)), ""]
    data = bytearray("\n".join(lines).encode())
    first = len(circuit.inputs) + len(circuit.latches) + 1
    for k, (a, b) in enumerate(circuit.gates):
        for delta in (2 * (first + k) - a, a - b):
            while delta >= 128:
                data.append(delta & 127 | 128)
                delta >>= 7
            data.append(delta)
    return bytes(data) + "\n".join([*circuit.symbols(), ""]).encode()
