"""Loopy values from text: the parser of :mod:`~zermelo.partizan.text.parser`, with names and loops.

    operand  =  … | [number] ( "on" | "off" | "over" | "under" | "dud" )
             |  [number] ( "^[on]" | "^<on>" | "v[on]" | "v<on>" ) [star]
             |  name "{" options "|" options "}"      a position with a name: a{0|a}
             |  name                                  that position, within its braces
             |  "pass"                                the position that has this option: {0|pass}
    value    =  sum [ "&" sum ]                       onside & offside, also in parentheses

The notation is that of [CGSuite]; :mod:`zermelo.partizan.loopy.spelling` describes how values are
written.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from zermelo.partizan.analysis import uptimal
from zermelo.partizan.loopy.forms import Node, Option, intern, is_stopper, off, on, over, zero
from zermelo.partizan.loopy.sidling import make, mirror, offsides, onsides
from zermelo.partizan.loopy.value import AnyValue, LoopyValue, le, nodes_of, value_of_sides
from zermelo.partizan.store import STORE
from zermelo.partizan.text.parser import Frame, Parser
from zermelo.partizan.value import Value

_UPON = re.compile(
    r"(?P<number>[0-9]+(?:/[0-9]+)?)?(?P<arrow>[\^v])(?P<kind>\[on\]|<on>)"
    r"(?P<star>\*(?P<size>[0-9]*))?"
)
_NAME = re.compile(r"[A-Za-z_]\w*|&")
_BRACE = re.compile(r"\s*\{")
_CONSTANTS = ("on", "off", "over", "under", "dud", "upon")
_MIRROR = {"v[on]": "^[on]", "v<on>": "^<on>", "under": "over"}


def parse_loopy(text: str) -> AnyValue:
    """The value of a text, loopy or not.

    >>> print(parse_loopy("a{0|a} - over"), parse_loopy("a{{|a}|}"), parse_loopy("{pass|pass}"))
    over & under 1 & 0 dud
    >>> parse_loopy("{0|b}")
    Traceback (most recent call last):
    zermelo.errors.NotationError: column 4: expected a value, got the unknown name 'b'
      {0|b}
         ^
    """
    draft = _Draft()
    return draft.evaluate(_LoopyParser(text, draft).run())


@dataclass(frozen=True)
class _Place:
    """A position under construction, by its number; −1 is a pass."""

    number: int


_PASS = _Place(-1)

Term: TypeAlias = Value | LoopyValue | _Place


class _OpenError(Exception):
    """A position was used in a sum before it was complete."""


class _Draft:
    """The graph that a text describes: the algebra of the parser.

    Braces make positions. A value that is added or negated is evaluated first.
    """

    def __init__(self) -> None:
        self.left: list[Sequence[Term]] = []
        self.right: list[Sequence[Term]] = []
        self.named: dict[int, Term] = {}

    def new(self) -> _Place:
        """A new position, without options yet."""
        self.left.append(())
        self.right.append(())
        return _Place(len(self.left) - 1)

    def make(self, left: Sequence[Term], right: Sequence[Term]) -> Term:
        """The position {left | right}; a pass among the options leads to this position."""
        if all(isinstance(x, Value) for x in (*left, *right)):
            return Value.from_options(left, right)
        here = self.new()
        self.left[here.number], self.right[here.number] = (
            [here if x == _PASS else x for x in row] for row in (left, right)
        )
        return here

    def evaluate(self, term: Term) -> AnyValue:
        """The value of a position; all of its names must be known."""
        if not isinstance(term, _Place):
            return term
        place: dict[int, int] = {}
        order: list[int] = []
        start = self._visit(term, place, order)
        if not isinstance(start, _Place):
            return start
        rows: list[tuple[list[list[Option]], list[list[Option]]]] = [([], []), ([], [])]
        for v in order:
            for side, options in enumerate((self.left[v], self.right[v])):
                terms = [self._visit(x, place, order) for x in options]
                for side_of_value in (0, 1):
                    rows[side_of_value][side].append([
                        place[x.number] if isinstance(x, _Place) else nodes_of(x)[side_of_value]
                        for x in terms
                    ])  # fmt: skip
        return value_of_sides(onsides(*rows[0])[0], offsides(*rows[1])[0])

    def _visit(self, term: Term, place: dict[int, int], order: list[int]) -> Term:
        """The position or value of a name; new positions are added to the list."""
        while isinstance(term, _Place) and term.number in self.named:
            term = self.named[term.number]
        if isinstance(term, _Place):
            if term == _PASS or not (self.left[term.number] or self.right[term.number]):
                raise _OpenError
            if term.number not in place:
                place[term.number] = len(order)
                order.append(term.number)
        return term

    def add(self, a: Term, b: Term) -> Term:
        """The sum."""
        return self.evaluate(a) + self.evaluate(b)

    def negate(self, a: Term) -> Term:
        """The negative."""
        return -self.evaluate(a)

    def product(self, a: Term, b: Term) -> Term:
        """An integer times a value."""
        return self.evaluate(a) * self.evaluate(b)

    def number_up_star(self, numerator: int, exponent: int, up: int, star: int) -> Term:
        """numerator/2^exponent + up·↑ + ∗star."""
        return Value(STORE.number_up_star(numerator, exponent, up, star))

    def power(self, n: int) -> Term:
        """↑ⁿ."""
        return Value(uptimal.power(n))

    def power_sum(self, n: int) -> Term:
        """↑ + ↑² + … + ↑ⁿ."""
        return Value(uptimal.power_sum(n))


class _LoopyParser(Parser[Any]):
    """The parser of finite values, extended by names."""

    algebra: _Draft

    def __init__(self, text: str, draft: _Draft) -> None:
        super().__init__(text, draft)
        self.draft = draft

    def run(self) -> Any:
        try:
            return super().run()
        except _OpenError:
            raise self.error(
                "expected a complete position in the sum, got one within its own braces", self.at
            ) from None

    def literal(self, start: int) -> bool:
        match = _UPON.match(self.text, self.at)
        if match is None:
            return super().literal(start)
        number = self.number_before(match, start)
        short = self.draft.number_up_star(*number, 0, self.star(match))
        self.at = match.end()
        self.operand(constant(match["arrow"] + match["kind"]) + short)
        return True

    def identifier(self, start: int) -> bool:
        match = _NAME.match(self.text, self.at)
        if match is None or match[0] in ("Tiny", "tiny", "Miny", "miny"):
            return super().identifier(start)
        name, frame = match[0], self.frames[-1]
        if name == "&":
            self.separate(frame)
            self.at = match.end()
            return True
        self.glue(start)
        brace = _BRACE.match(self.text, match.end())
        if brace is not None and name not in _CONSTANTS and name != "pass":
            self.frames.append(Frame("{", brace.end() - 1, name=name, place=self.draft.new()))
            self.at = brace.end()
            return True
        self.operand(self.known(name))
        self.at = match.end()
        return True

    def known(self, name: str) -> Any:
        """The value or position of a name."""
        if name == "pass" and self.frames[-1].bracket == "{":
            return _PASS
        if name in _CONSTANTS:
            return constant(name)
        for frame in reversed(self.frames):
            if frame.name == name:
                return frame.place
        raise self.error(f"expected a value, got the unknown name {name!r}", self.at)

    def separate(self, frame: Frame[Any]) -> None:
        """Read the sign between two sides."""
        if frame.bracket == "{" or frame.sided:
            raise self.error("expected one & in parentheses", self.at)
        self.close_option(frame, needed=True)
        frame.sided = frame.open = True

    def together(self, frame: Frame[Any]) -> None:
        """Make one value of both sides."""
        if not frame.sided:
            return
        self.close_option(frame, needed=True)
        frame.sided = False
        if len(frame.segments[0]) != 2:
            raise self.error("expected one value on each side of the &", self.at)
        first, second = map(self.draft.evaluate, frame.segments[0])
        upper, lower = nodes_of(first)[0], nodes_of(second)[1]
        if is_stopper(upper) and is_stopper(lower) and not le(lower, upper):
            raise self.error("expected an onside that is at least the offside", self.at)
        value = value_of_sides(upper, lower)
        frame.segments[0], frame.total, frame.term = [], None, value

    def close_bracket(self, sign: str, frame: Frame[Any]) -> None:
        if sign == ")":
            self.together(frame)
        super().close_bracket(sign, frame)

    def tree(self, frame: Frame[Any]) -> Any:
        value = super().tree(frame)
        if frame.place is not None:
            self.draft.named[frame.place.number] = value
        return value

    def finish(self) -> Any:
        if not self.frames[-1].bracket:
            self.together(self.frames[-1])
        return super().finish()


def constant(name: str) -> AnyValue:
    """The value of a name."""
    if name == "dud":
        return value_of_sides(on(), off())
    node: Node
    if name in ("v[on]", "v<on>", "under"):
        node = mirror(nodes_of(constant(_MIRROR[name]))[0])
    elif name == "^<on>":
        (reply,) = intern([[zero(), 0]], [[zero()]])
        node = make([zero()], [mirror(reply)])
    elif name in ("^[on]", "upon"):
        star = Value.from_options([0], [0])
        (node,) = intern([[0]], [[star]])
    else:
        node = {"on": on, "off": off, "over": over}[name]()
    return value_of_sides(node, node)
