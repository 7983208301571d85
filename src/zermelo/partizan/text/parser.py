r"""The parser of values in any algebra: it knows the notation, and the algebra knows the values.

    sum      =  ["+" | "-"] product { ("+" | "-") product }
    product  =  factor { ("." | "·" | "×") factor }
    factor   =  { "-" | "+-" | "±" } operand
    operand  =  [number] [ups] [star]          glued together: 1, 3/4, ^, ^^*, 1/2v3*2, ^<2>, ^[2]*
             |  "+_" operand | "-_" operand    tiny and miny: +_2, -_{1|0}; also Tiny(2), Miny(2)
             |  "{" options "|" options "}"    also {2||1|0} for {2|{1|0}}: more bars bind less
             |  "(" sum ")"
    switch   =  "+-" ( "(" | "{" ) sum {"," sum} ( ")" | "}" )      {a, b | -a, -b}

- ``*`` right after a number or ups is a star: ``1*2`` is 1 + ∗2. Before a bracket, or between
  blanks, it is a product: ``3*{1|0}``, ``3 * {1|0}``.
- A minus in front of a number belongs to the number alone, as [CGSuite] prints it: ``-1^`` is
  −1 + ↑.
- ``x+-y`` is x ± y, and ``x + -y`` is x − y. An operand that touches a bracket is added:
  ``{1|0}*``.
- The signs ↑ ↓ ⇑ ⇓ ± − ∗ ⧾ ⧿ and small digits are accepted as well.
- A name (on, off, over, …) or ``&`` is refused by :class:`UnknownName`. The parser of loopy values
  (:mod:`zermelo.partizan.loopy.names`) is a subclass of this one and knows them.

The parser makes one pass over the text with a stack of open brackets, so brackets may be nested
without limit. A second stack makes a tree of the bars in a bracket, in linear time.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

from zermelo.errors import NotationError, UndefinedError

T = TypeVar("T")

_SAME = str.maketrans(
    dict(zip("₀₁₂₃₄₅₆₇₈₉", "0123456789", strict=True))
    | {"↑": "^", "↓": "v", "⇑": "^^", "⇓": "vv", "−": "-", "∗": "*", "⋆": "*", "·": ".", "×": "."}
    | {"±": "+-", "⧾": "+_", "⧿": "-_"}
)
_DIGITS = 4000
"""The most digits of a number; the store has its own bound."""

_POWER = 200
"""The highest power of ↑ that is accepted: its form is nested as deeply."""

_LITERAL = re.compile(
    r"(?P<number>[0-9]+(?:/[0-9]+)?)?"
    r"(?P<up>(?:\^+|v+)(?![A-Za-z_]|[\[<]\s*[a-z])(?P<times>[0-9]+|<[0-9]+>|\[[0-9]+\])?)?"
    r"(?P<star>\*(?!\s*[({])(?P<size>[0-9]*))?"
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*|&|\^[\[<]\s*[a-z]")
_PREFIX = {"-": "-", "+-": "+-", "+_": "tiny", "-_": "miny"}
_NAMED = {"Tiny": "tiny", "tiny": "tiny", "Miny": "miny", "miny": "miny"}
_SIGN = re.compile(r"\+_|-_|\+-|\|+|[-+.,(){}]")
_TIMES = re.compile(r"\s+\*\s|\s*\*(?=\s*[({])")
_BLANK = re.compile(r"\s*")


class Algebra(Protocol[T]):
    """The operations on values that the parser needs."""

    def number_up_star(self, numerator: int, exponent: int, up: int, star: int) -> T:
        """numerator/2^exponent + up·↑ + ∗star."""

    def power(self, n: int) -> T:
        """↑ⁿ."""

    def power_sum(self, n: int) -> T:
        """↑ + ↑² + … + ↑ⁿ."""

    def make(self, left: Sequence[T], right: Sequence[T]) -> T:
        """{left | right}."""

    def add(self, a: T, b: T) -> T:
        """The sum."""

    def negate(self, a: T) -> T:
        """The negative."""

    def product(self, a: T, b: T) -> T:
        """A·B."""


class UnknownName(NotationError):
    """A name or a sign of loopy values that this parser does not know."""


@dataclass
class Frame(Generic[T]):
    """An open bracket and its content so far.

    ``segments`` has the lists of options between bars; the last one is being read. ``prefixes`` are
    the signs before the next operand. ``factor`` is to be multiplied with the next operand.
    ``open`` says that an operand must follow. The parser of loopy values stores the ``name`` before
    a brace, the ``place`` that the name means within, and whether a ``&`` was read (``sided``).
    """

    bracket: str
    column: int
    segments: list[list[T]] = field(default_factory=lambda: [[]])
    bars: list[tuple[int, int]] = field(default_factory=list)
    total: T | None = None
    negative: bool = False
    prefixes: list[str] = field(default_factory=list)
    factor: T | None = None
    term: T | None = None
    sign_column: int = 0
    open: bool = False
    name: str = ""
    place: T | None = None
    sided: bool = False


class Parser(Generic[T]):
    """The parser of one text; :meth:`run` returns its value."""

    def __init__(self, text: str, algebra: Algebra[T]) -> None:
        self.original, self.algebra = text, algebra
        spread = [x.translate(_SAME) for x in text]
        self.text = "".join(spread)
        self.columns = [k for k, part in enumerate(spread, 1) for _ in part]
        self.at = 0
        self.frames: list[Frame[T]] = [Frame("", 0)]

    # ---------------------------------------------------------------- errors

    def column(self, at: int) -> int:
        """The column in the original text, counted from 1."""
        return self.columns[at] if at < len(self.columns) else len(self.original) + 1

    def error(self, message: str, at: int) -> NotationError:
        """The error at a place of the text."""
        return NotationError(message, self.original, self.column(at))

    def unexpected(self, wanted: str) -> NotationError:
        """The error for an unexpected character at the current place."""
        got = repr(self.original[self.column(self.at) - 1]) if self.at < len(self.text) else ""
        return self.error(f"expected {wanted}, got {got or 'the end'}", self.at)

    # ---------------------------------------------------------------- reading

    def run(self) -> T:
        """Read the whole text."""
        while True:
            start = self.at
            self.at = _BLANK.match(self.text, self.at).end()  # type: ignore[union-attr]
            frame = self.frames[-1]
            if frame.term is not None:
                times = _TIMES.match(self.text, start)
                if times is not None:
                    self.at = times.end()
                    self.multiply(start)
                    continue
            if self.at == len(self.text):
                return self.finish()
            if not (self.literal(start) or self.identifier(start) or self.sign()):
                raise self.unexpected("a value" if frame.term is None else "an operator")

    def literal(self, start: int) -> bool:
        """Read a number, ups and a star, as far as they are present."""
        match = _LITERAL.match(self.text, self.at)
        if match is None or not match[0]:
            return False
        numerator, exponent = self.number_before(match, start)
        tiny = self.frames[-1].prefixes[-1:] in (["tiny"], ["miny"])
        if tiny and match["number"] and (match["up"] or match["star"]):
            raise self.error("expected parentheses around the operand after _", self.at)
        up, power = self.ups(match)
        value = self.algebra.number_up_star(numerator, exponent, up, self.star(match))
        if power is not None:
            value = self.algebra.add(value, power)
        self.at = match.end()
        self.operand(value)
        return True

    def glue(self, start: int) -> None:
        """Begin an operand; after a value it must touch the value, and then it is added."""
        if self.frames[-1].term is not None:
            if start < self.at:
                raise self.error("expected an operator between two values", self.at)
            self.juxtapose()

    def number_before(self, match: re.Match[str], start: int) -> tuple[int, int]:
        """The number at the beginning of an operand, or 0; a minus belongs to the number alone."""
        if match["number"] is None:
            self.glue(start)
            return 0, 0
        if self.frames[-1].term is not None:
            raise self.error("expected an operator between two values", self.at)
        numerator, exponent = self.dyadic(match["number"])
        prefixes = self.frames[-1].prefixes
        if prefixes and prefixes[-1] == "-":
            prefixes.pop()
            numerator = -numerator
        return numerator, exponent

    def star(self, match: re.Match[str]) -> int:
        """The nimber at the end of an operand, or 0."""
        return 0 if match["star"] is None else self.integer(match["size"] or "1", "size")

    def integer(self, digits: str, noun: str) -> int:
        """An integer that is not too long."""
        if len(digits) > _DIGITS:
            raise self.error(f"expected a {noun} of at most {_DIGITS} digits", self.at)
        return int(digits)

    def dyadic(self, text: str) -> tuple[int, int]:
        """The numerator of a number, and the exponent of its denominator."""
        above, _, below = text.partition("/")
        numerator, denominator = self.integer(above, "number"), self.integer(below or "1", "number")
        if denominator < 1 or denominator & (denominator - 1):
            raise self.error(f"expected a power of two as denominator, got {below}", self.at)
        x = Fraction(numerator, denominator)
        return x.numerator, x.denominator.bit_length() - 1

    def ups(self, match: re.Match[str]) -> tuple[int, T | None]:
        """The number of ups, or a power of ↑."""
        if match["up"] is None:
            return 0, None
        times = match["times"] or ""
        arrows = match["up"].removesuffix(times)
        sign = 1 if arrows[0] == "^" else -1
        if not times:
            return sign * len(arrows), None
        n = self.integer(times.strip("<>[]"), "multiple")
        if len(arrows) > 1:
            raise self.error(f"expected {arrows} or {arrows[0]}{times}, got {match['up']}", self.at)
        if times.isdigit():
            return sign * n, None
        if n < 1:
            raise self.error("expected a power of at least 1", self.at)
        if n > _POWER:
            raise self.error(f"expected a power of at most {_POWER}", self.at)
        value = self.algebra.power(n) if times[0] == "<" else self.algebra.power_sum(n)
        return 0, value if sign > 0 else self.algebra.negate(value)

    def identifier(self, start: int) -> bool:
        """Read Tiny or Miny, which need parentheses."""
        match = _IDENTIFIER.match(self.text, self.at)
        if match is None:
            return False
        if match[0] not in _NAMED:
            message = f"expected a value, got the unknown name {match[0]!r}"
            raise UnknownName(message, self.original, self.column(self.at))
        self.glue(start)
        self.frames[-1].prefixes.append(_NAMED[match[0]])
        self.at = match.end()
        if not self.text.startswith("(", self.at):
            raise self.unexpected("'('")
        return True

    def sign(self) -> bool:
        """Read a bracket, or a sign before, between or after values."""
        match = _SIGN.match(self.text, self.at)
        if match is None:
            return False
        sign, frame = match[0], self.frames[-1]
        if sign in "({":
            if frame.term is not None:
                raise self.error("expected an operator between two values", self.at)
            self.frames.append(Frame(sign, self.at))
        elif frame.term is not None or sign[0] in "|)},":
            self.after_value(sign, frame)
        elif sign == ".":
            raise self.unexpected("a value")
        else:
            frame.open = True
            if sign != "+":
                frame.prefixes.append(_PREFIX[sign])
        self.at = match.end()
        return True

    # ---------------------------------------------------------------- sums

    def operand(self, value: T) -> None:
        """Finish an operand: apply the signs in front of it."""
        frame = self.frames[-1]
        while frame.prefixes:
            value = self.prefixed(frame.prefixes.pop(), [value])
        if frame.factor is not None:
            left, frame.factor = frame.factor, None
            value = self.trying(lambda: self.algebra.product(left, value), frame.sign_column)
        frame.term, frame.open = value, False

    def trying(self, compute: Callable[[], T], at: int) -> T:
        """The result of a computation; if it is undefined, the text has an error."""
        try:
            return compute()
        except UndefinedError as error:
            raise self.error(str(error), at) from None

    def prefixed(self, prefix: str, values: list[T]) -> T:
        """A value with a sign in front; ± takes all options of one side."""
        ops = self.algebra
        minus = [ops.negate(x) for x in values]
        if prefix == "+-":
            return ops.make(values, minus)
        if prefix == "-":
            return minus[0]
        zero = ops.number_up_star(0, 0, 0, 0)
        tiny = ops.make([zero], [ops.make([zero], minus)])
        return tiny if prefix == "tiny" else ops.negate(tiny)

    def multiply(self, at: int) -> None:
        """Make the value so far a factor of the next operand."""
        frame = self.frames[-1]
        frame.factor, frame.term, frame.sign_column, frame.open = frame.term, None, at, True

    def juxtapose(self) -> None:
        """Add an operand that touches a value to it, under the same sign."""
        frame = self.frames[-1]
        negative = frame.negative
        self.close_term(frame)
        frame.negative = negative

    def close_term(self, frame: Frame[T]) -> None:
        """Finish a summand."""
        assert frame.term is not None
        term = self.algebra.negate(frame.term) if frame.negative else frame.term
        frame.total = term if frame.total is None else self.algebra.add(frame.total, term)
        frame.term, frame.negative = None, False

    def after_value(self, sign: str, frame: Frame[T]) -> None:
        """Read a sign after a value, or after nothing if that is allowed."""
        if sign == ".":
            if self.text[self.at - 1].isdigit() and self.text[self.at + 1 : self.at + 2].isdigit():
                raise self.error("expected a fraction such as 7/2, got a decimal point", self.at)
            self.multiply(self.at)
        elif sign[0] in "+-":
            self.close_term(frame)
            frame.open = True
            if len(sign) == 2:
                frame.prefixes.append(_PREFIX[sign])
            else:
                frame.negative = sign == "-"
        elif sign[0] == "|":
            if frame.bracket != "{":
                raise self.error("expected bars only within braces", self.at)
            self.close_option(frame, needed=False)
            frame.bars.append((len(sign), self.at))
            frame.segments.append([])
        elif sign == ",":
            if not frame.bracket:
                raise self.error("expected a comma only within brackets", self.at)
            self.close_option(frame, needed=True)
            frame.open = True
        else:
            self.close_bracket(sign, frame)

    def close_option(self, frame: Frame[T], *, needed: bool) -> None:
        """Finish a sum; it may be empty unless it is needed."""
        if frame.term is not None:
            self.close_term(frame)
        if frame.open or (needed and frame.total is None):
            raise self.unexpected("a value")
        if frame.total is not None:
            frame.segments[-1].append(frame.total)
            frame.total = None

    # ---------------------------------------------------------------- brackets

    def close_bracket(self, sign: str, frame: Frame[T]) -> None:
        """Close a bracket: its content is an operand of the surrounding text."""
        if not frame.bracket:
            raise self.error(f"expected no {sign!r}, because no bracket is open", self.at)
        wanted = ")" if frame.bracket == "(" else "}"
        if sign != wanted:
            column = self.column(frame.column)
            raise self.unexpected(f"{wanted!r} for the {frame.bracket!r} of column {column}")
        self.close_option(frame, needed=not frame.bars)
        self.frames.pop()
        outer = self.frames[-1]
        if frame.bars:
            self.operand(self.tree(frame))
        elif outer.prefixes and outer.prefixes[-1] == "+-":
            value = self.prefixed(outer.prefixes.pop(), frame.segments[0])
            self.operand(value)
        elif frame.bracket == "{":
            raise self.error("expected a bar within the braces", self.at)
        elif len(frame.segments[0]) > 1:
            raise self.error("expected one value within parentheses", self.at)
        else:
            self.operand(frame.segments[0][0])

    def tree(self, frame: Frame[T]) -> T:
        """The game of all segments; the longest bars separate first."""
        stack: list[tuple[list[T], int]] = []
        now = frame.segments[0]
        # Invariant: the numbers of bars on the stack decrease strictly; ``now`` is right of them.
        for (bars, at), segment in zip(frame.bars, frame.segments[1:], strict=True):
            while stack and stack[-1][1] < bars:
                now = [self.algebra.make(stack.pop()[0], now)]
            if stack and stack[-1][1] == bars:
                raise self.error(f"expected one '{'|' * bars}' here; use braces", at)
            stack.append((now, bars))
            now = segment
        while stack:
            now = [self.algebra.make(stack.pop()[0], now)]
        return now[0]

    def finish(self) -> T:
        """Finish the text."""
        frame = self.frames[-1]
        if frame.bracket:
            wanted = ")" if frame.bracket == "(" else "}"
            column = self.column(frame.column)
            raise self.unexpected(f"{wanted!r} for the {frame.bracket!r} of column {column}")
        self.close_option(frame, needed=True)
        return frame.segments[0][0]
