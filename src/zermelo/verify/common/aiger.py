"""Circuits in the AIGER format, read for checkers [BiereHeljankoWieringa2011].

Literal 2k is variable k, literal 2k + 1 its negation; 0 is false, 1 is true. Both forms are read:
text (``aag``) and binary (``aig``), with symbols for inputs and outputs and latches that begin with
0 or 1. Other sections of AIGER 1.9, such as fairness, have no meaning for a controller.
"""

from typing import NamedTuple, NoReturn

from zermelo.errors import FormatError
from zermelo.verify.common.functions import FALSE, TRUE, Functions

MAX_VARIABLES = 50_000_000
"""The most variables of a circuit."""


class Latch(NamedTuple):
    """A latch: its variable, the literal of its next value, and its first value."""

    variable: int
    after: int
    first: int


class Circuit(NamedTuple):
    """A sequential circuit."""

    inputs: dict[str, int]
    """The variables of the inputs, by their names."""
    outputs: dict[str, int]
    """The literals of the outputs, by their names."""
    latches: list[Latch]
    gates: dict[int, tuple[int, int]]
    """The two literals of each AND gate, by its variable."""


def read_circuit(data: bytes) -> Circuit:
    """Read a circuit; a malformed file raises :class:`~zermelo.errors.FormatError`.

    >>> read_circuit(b"aag 3 1 1 1 1\\n2\\n4 6\\n6\\n6 2 4\\ni0 a\\no0 b\\n")
    Circuit(inputs={'a': 1}, outputs={'b': 6}, latches=[Latch(variable=2, after=6, first=0)], \
gates={3: (2, 4)})
    """
    return _Reader(data).read()


class _Reader:
    """Reads the lines of a file, then its symbols."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at, self.line = data, 0, 0

    def fail(self, message: str) -> NoReturn:
        raise FormatError(message, line=self.line)

    def text(self) -> str:
        """The next line."""
        end = self.data.find(b"\n", self.at)
        if end < 0:
            end = len(self.data)
        piece, self.at = self.data[self.at : end], end + 1
        self.line += 1
        try:
            return piece.decode()
        except UnicodeDecodeError:
            self.fail("expected text in UTF-8")

    def numbers(self, name: str, least: int, most: int | None = None) -> list[int]:
        """The numbers of the next line."""
        parts = self.text().split()
        fits = least <= len(parts) <= (most or least)
        if not fits or not all(x.isascii() and x.isdigit() and len(x) < 11 for x in parts):
            expected = f"{least}" if most in (None, least) else f"{least} to {most}"
            numbers = "number" if expected == "1" else "numbers"
            self.fail(f"expected {name}: {expected} {numbers}, got {' '.join(parts)[:60]!r}")
        return list(map(int, parts))

    def read(self) -> Circuit:
        """The whole circuit."""
        kind, *rest = self.text().split() or [""]
        if kind not in ("aag", "aig"):
            self.fail(f"expected a circuit of AIGER, which begins with aag or aig, got {kind!r}")
        sizes = [int(x) for x in rest if x.isascii() and x.isdigit() and len(x) < 9]
        if len(sizes) != len(rest) or len(sizes) < 5 or sizes[0] > MAX_VARIABLES or any(sizes[5:]):
            self.fail("expected the numbers of variables, inputs, latches, outputs and gates")
        self.top, inputs, latches, outputs, gates = sizes[:5]
        binary = kind == "aig"
        if sum((inputs, latches, gates)) > self.top or max(sizes) > len(self.data):
            self.fail("expected the numbers of variables, inputs, latches, outputs and gates")
        self.defined: set[int] = set()
        reads = [self.define(2 * k + 2) if binary else self.define(*self.numbers("an input", 1))
                 for k in range(inputs)]  # fmt: skip
        found = [self.latch(2 * (inputs + k) + 2 if binary else None) for k in range(latches)]
        writes = [self.numbers("an output", 1)[0] for _ in range(outputs)]
        if binary:
            table = self.binary_gates(2 * (inputs + latches) + 2, gates)
        else:
            table = dict(self.gate() for _ in range(gates))
        literals = [
            *writes,
            *(x.after for x in found),
            *(x for pair in table.values() for x in pair),
        ]
        for literal in literals:
            if literal > 1 and literal // 2 not in self.defined:
                self.fail(f"literal {literal} is used, but no input, latch or gate defines it")
        self.check_order(table)
        names = self.symbols(len(reads), len(writes), len(found))
        return Circuit(self.named(names, "i", reads), self.named(names, "o", writes), found, table)

    def define(self, literal: int) -> int:
        """The variable of a literal that is defined now."""
        if literal < 2 or literal % 2 or literal // 2 > self.top or literal // 2 in self.defined:
            self.fail(f"expected a new even literal from 2 to {2 * self.top}, got {literal}")
        self.defined.add(literal // 2)
        return literal // 2

    def latch(self, literal: int | None) -> Latch:
        own = [] if literal is None else [literal]
        parts = own + self.numbers("a latch", 2 - len(own), 3 - len(own))
        variable, first = self.define(parts[0]), parts[2] if len(parts) == 3 else 0
        if first > 1:
            self.fail(f"expected a latch that begins with 0 or 1, got {first}")
        return Latch(variable, parts[1], first)

    def gate(self) -> tuple[int, tuple[int, int]]:
        literal, one, other = self.numbers("a gate", 3)
        return self.define(literal), (one, other)

    def binary_gates(self, first: int, count: int) -> dict[int, tuple[int, int]]:
        """The gates of the binary form: differences of literals, seven bits in a byte."""
        table = {}
        for k in range(count):
            literal = first + 2 * k
            one = literal - self.difference()
            other = one - self.difference()
            if not 0 <= other <= one < literal:
                self.fail(f"gate {literal}: expected operands that stand before it")
            table[self.define(literal)] = one, other
        return table

    def difference(self) -> int:
        found = shift = 0
        while True:
            if self.at >= len(self.data) or shift > 35:
                self.fail("expected the gates of the binary form, got the end of the file")
            byte = self.data[self.at]
            self.at += 1
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found

    def check_order(self, table: dict[int, tuple[int, int]]) -> None:
        """Refuse gates that depend on themselves."""
        done: set[int] = set()
        for root in table:
            path, entered = [root], set()
            while path:
                v = path[-1]
                left = [x // 2 for x in table[v] if x // 2 in table and x // 2 not in done]
                if not left or v in done:
                    done.add(v)
                    entered.discard(v)
                    path.pop()
                elif left[0] in entered or left[0] == v:
                    self.fail(f"gate {2 * left[0]} depends on itself")
                else:
                    entered.add(v)
                    path.append(left[0])

    def symbols(self, inputs: int, outputs: int, latches: int) -> dict[str, str]:
        """The names of the symbol table, which a comment ends."""
        sizes = {"i": inputs, "o": outputs, "l": latches}
        found: dict[str, str] = {}
        while self.at < len(self.data):
            line = self.text()
            if line.strip() == "c":
                break
            key, space, name = line.partition(" ")
            if not line.strip():
                continue
            number = key[1:]
            fits = number.isascii() and number.isdigit() and len(number) < 9
            if not space or not fits or int(number) >= sizes.get(key[0], 0):
                self.fail(f"expected a name such as 'i0 request', got {line[:60]!r}")
            if key in found:
                self.fail(f"{key} has two names")
            found[key] = name
        return found

    def named(self, names: dict[str, str], letter: str, things: list[int]) -> dict[str, int]:
        """Inputs or outputs by their names."""
        found: dict[str, int] = {}
        for k, thing in enumerate(things):
            name = names.get(f"{letter}{k}")
            if name is None or name in found:
                kind = "input" if letter == "i" else "output"
                problem = "has no name" if name is None else f"has the name {name!r} of another"
                self.fail(f"{kind} {k} {problem}; expected symbols that name all propositions")
            found[name] = thing
        return found


def evaluate(
    circuit: Circuit, latches: tuple[bool, ...], inputs: dict[str, int], functions: Functions
) -> tuple[dict[str, int], list[int]]:
    """Outputs and next values of latches as functions of the inputs, for these latches.

    Only the gates that matter for these latches are computed.
    """
    known: dict[int, int] = {0: FALSE}
    for latch, value in zip(circuit.latches, latches, strict=True):
        known[latch.variable] = TRUE if value else FALSE
    for name, variable in circuit.inputs.items():
        known[variable] = inputs[name]

    def of(literal: int) -> int:
        f = known[literal // 2]
        return functions.negated(f) if literal % 2 else f

    def compute(literal: int) -> int:
        waiting = [literal // 2]
        while waiting:
            v = waiting[-1]
            if v in known:
                waiting.pop()
                continue
            one, other = sorted(circuit.gates[v])
            if one // 2 not in known:
                waiting.append(one // 2)
            elif of(one) == FALSE:
                known[v] = FALSE
            elif other // 2 not in known:
                waiting.append(other // 2)
            else:
                known[v] = functions.both(of(one), of(other))
        return of(literal)

    outputs = {name: compute(literal) for name, literal in circuit.outputs.items()}
    return outputs, [compute(latch.after) for latch in circuit.latches]
