"""Formulas of the modal μ-calculus and of CTL: parsing, printing, positive normal form.

    formula  =  ("mu" | "nu") X "." formula  |  formula "->" formula  |  formula "|" formula
             |  formula "&" formula  |  "!" formula  |  "<>" formula  |  "[]" formula
             |  "<0>" formula  |  "<1>" formula  |  "true"  |  "false"  |  name  |  "(" formula ")"
             |  ("AX" | "EX" | "AF" | "EF" | "AG" | "EG") formula
             |  ("A" | "E") "[" formula ("U" | "W" | "R") formula "]"

Operators further down bind more tightly; a fixpoint extends as far to the right as possible. ``<>``
means "some move leads to" and ``[]`` means "all moves lead to". On a graph with owners, ``<0>`` and
``<1>`` mean "player 0 (or 1) can make sure that the next position satisfies". The keywords
``and or not`` and the signs ``μ ν ∧ ∨ ¬ ◇ □`` are accepted as well. The operators of CTL are
translated when they are read, see :mod:`zermelo.mu_calculus.ctl`. A proposition may have the name
of one of them: they are operators only where an operand follows.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from zermelo._inputs.values import shown
from zermelo.errors import FormatError
from zermelo.mu_calculus import ctl

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_]\w*)|(?P<sign><>|\[\]|<[01]>|->|[][()|&!~.μνµ∧∨¬◇□⊤⊥→])|(?P<end>$)|(?P<bad>.))"
)
_SAME = {
    "μ": "mu", "µ": "mu", "ν": "nu", "∧": "&", "and": "&", "∨": "|", "or": "|", "¬": "!", "~": "!",
    "not": "!", "◇": "<>", "□": "[]", "⊤": "true", "⊥": "false", "→": "->",
}  # fmt: skip
_DUAL = {"|": "&", "<>": "[]", "<0>": "<1>", "mu": "nu", "true": "false"}
_DUAL |= {b: a for a, b in _DUAL.items()}
MODAL = ("<>", "[]", "<0>", "<1>")
MAX_DEPTH = 100
MAX_LENGTH = 1 << 20
RESERVED = {"mu", "nu", "true", "false", "and", "or", "not"}


@dataclass(frozen=True)
class Formula:
    """A node: ``kind`` is an operator, ``name``, ``variable``, ``true`` or ``false``.

    ``name`` is the name of a proposition or of a variable (bound by ``mu`` and ``nu``).
    ``column`` is the place in the text; it is ignored when formulas are compared.
    """

    kind: str
    parts: tuple["Formula", ...] = ()
    name: str = ""
    column: int = 0

    def __post_init__(self) -> None:
        known = isinstance(self.kind, str) and self.kind in (*_DUAL, "!", "->", "name", "variable")
        named = isinstance(self.name, str) and isinstance(self.column, int)
        parts = isinstance(self.parts, tuple) and all(isinstance(x, Formula) for x in self.parts)
        if not isinstance(self.kind, str) or not (known and named and parts):
            raise FormatError(f"expected a part of a formula, got {shown(self.kind)}")
        count = len(self.parts)
        alone = self.kind in ("name", "variable", "true", "false")
        fits = count == 0 if alone else count > 1 if self.kind in ("|", "&") else count >= 1
        if not fits:
            raise FormatError(f"{self.kind}: expected a different number of operands, got {count}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Formula) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.kind, self.name, self.parts

    def __str__(self) -> str:
        if self.kind in ("name", "variable"):
            return self.name
        if self.kind in ("true", "false"):
            return self.kind
        if self.kind in ("mu", "nu"):
            return f"({self.kind} {self.name}. {self.parts[0]})"
        if self.kind == "!" or self.kind in MODAL:
            return f"{self.kind}{self.parts[0]}"
        return "(" + f" {self.kind} ".join(map(str, self.parts)) + ")"

    def free(self) -> frozenset[str]:
        """The variables that no fixpoint of this formula binds."""
        if self.kind == "variable":
            return frozenset([self.name])
        inside = frozenset().union(*(part.free() for part in self.parts))
        return inside - {self.name} if self.kind in ("mu", "nu") else inside

    def negated(self) -> "Formula":
        """The negation in positive normal form; bound variables become their complements."""
        if self.kind == "!":
            return self.parts[0]
        if self.kind == "name":
            return Formula("!", (self,), column=self.column)
        parts = tuple(part.negated() for part in self.parts)
        return Formula(_DUAL.get(self.kind, self.kind), parts, self.name, self.column)


def parse(text: str) -> Formula:
    """A formula in positive normal form, in which every variable is bound by one fixpoint.

    >>> str(parse("!(mu X. goal | <>X)"))
    '(nu X. (!goal & []X))'
    >>> parse("mu X. <>X |")
    Traceback (most recent call last):
    zermelo.errors.FormatError: formula:1:12: expected a formula, got the end
    """
    if not isinstance(text, str):
        raise _error(f"expected a formula, got {shown(text)}", 1)
    if len(text) > MAX_LENGTH:
        raise _error(f"expected at most {MAX_LENGTH:,} characters, got {len(text):,}", 1)
    return _normal(_Parser(text).whole(), True, {}, set())


def _error(message: str, column: int) -> FormatError:
    return FormatError(message, path="formula", line=1, column=column)


def _normal(
    f: Formula, positive: bool, scope: dict[str, tuple[str, bool]], used: set[str]
) -> Formula:
    """The formula (or its negation) with negations only at propositions.

    ``scope`` has, for each variable, its new name and the sign of its fixpoint: a negation in front
    of a fixpoint dualises it, and then its variable means the complement.
    """
    if f.kind == "!":
        return _normal(f.parts[0], not positive, scope, used)
    if f.kind == "name":
        if f.name not in scope:
            return f if positive else f.negated()
        name, sign = scope[f.name]
        if sign != positive:
            raise _error(f"variable {f.name!r} must not be negated", f.column)
        return Formula("variable", name=name, column=f.column)
    if f.kind == "->":
        left = _normal(f.parts[0], not positive, scope, used)
        right = _normal(f.parts[1], positive, scope, used)
        return Formula("|" if positive else "&", (left, right), column=f.column)
    kind = f.kind if positive else _DUAL[f.kind]
    if kind in ("mu", "nu"):
        own = f.name
        while own in used:
            own += "_"
        used.add(own)
        scope = {**scope, f.name: (own, positive)}
        return Formula(kind, (_normal(f.parts[0], positive, scope, used),), own, f.column)
    parts = tuple(_normal(part, positive, scope, used) for part in f.parts)
    return Formula(kind, parts, f.name, f.column)


class _Parser:
    """Recursive descent over tokens ``(text, column)``; the last token is empty."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, int]] = []
        self.at = self.depth = 0
        self.bound: str | None = None
        place = 0
        while True:
            match = _TOKEN.match(text, place)
            assert match is not None
            assert match.lastgroup is not None
            token, column = match[match.lastgroup], match.start(match.lastgroup) + 1
            if match.lastgroup == "bad":
                raise _error(f"unexpected {token!r}", column)
            self.tokens.append((_SAME.get(token, token), column))
            if match.lastgroup == "end":
                break
            place = match.end()

    def expected(self, wanted: str) -> FormatError:
        """The error at the next token."""
        token, column = self.tokens[self.at]
        return _error(f"expected {wanted}, got {repr(token) if token else 'the end'}", column)

    def take(self, *wanted: str) -> bool:
        """Skip the next token if it is one of these."""
        matches = bool(self.tokens[self.at][0]) and self.tokens[self.at][0] in wanted
        self.at += matches
        return matches

    def whole(self) -> Formula:
        formula = self.implication()
        if self.tokens[self.at][0]:
            raise self.expected("an operator or the end")
        return formula

    def implication(self) -> Formula:
        left = self.chain("|")
        column = self.tokens[self.at][1]
        if self.take("->"):
            return Formula("->", (left, self.deeper(self.implication)), column=column)
        return left

    def chain(self, sign: str) -> Formula:
        column = self.tokens[self.at][1]
        parts: list[Formula] = []
        while not parts or self.take(sign):
            parts.append(self.chain("&") if sign == "|" else self.deeper(self.unary))
        return parts[0] if len(parts) == 1 else Formula(sign, tuple(parts), column=column)

    def deeper(self, read: Callable[[], Formula]) -> Formula:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _error(f"the formula is nested deeper than {MAX_DEPTH}", self.tokens[self.at][1])
        formula = read()
        self.depth -= 1
        return formula

    def unary(self) -> Formula:
        token, column = self.tokens[self.at]
        if self.take("!", *MODAL):
            return Formula(token, (self.deeper(self.unary),), column=column)
        if self.take("true", "false"):
            return Formula(token, column=column)
        if self.take("mu", "nu"):
            name = self.identifier("a variable")
            if not self.take("."):
                raise self.expected("'.'")
            return Formula(token, (self.deeper(self.implication),), name, column)
        if token in ctl.STEPS and self._operand_follows():
            self.at += 1
            return self._translated(token, (self.deeper(self.unary),), column)
        if token in ("A", "E") and self.tokens[self.at + 1][0] == "[":
            self.at += 2
            return self._until(token, column)
        if self.take("("):
            inside = self.deeper(self.implication)
            if not self.take(")"):
                raise self.expected("')'")
            return inside
        return Formula("name", name=self.identifier("a formula"), column=column)

    def _operand_follows(self) -> bool:
        """Whether a formula begins after the next token; after a proposition none can."""
        following = self.tokens[self.at + 1][0]
        opening = following in ("!", "(", "mu", "nu", "true", "false", *MODAL)
        return opening or bool(re.fullmatch(r"[A-Za-z_]\w*", following))

    def _until(self, quantifier: str, column: int) -> Formula:
        """The rest of ``A[p U q]`` after its bracket; also W (weak until) and R (release)."""
        left = self.deeper(self.implication)
        sign = self.tokens[self.at][0]
        if not self.take("U", "W", "R"):
            raise self.expected("'U', 'W' or 'R'")
        right = self.deeper(self.implication)
        if not self.take("]"):
            raise self.expected("']'")
        return self._translated(quantifier + sign, (left, right), column)

    def _translated(self, operator: str, parts: tuple[Formula, ...], column: int) -> Formula:
        """An operator of CTL in the μ-calculus, with a variable that the text does not have."""
        if self.bound is None:
            taken = {token for token, _ in self.tokens}
            self.bound = next(x for x in map("Z{}".format, range(len(taken) + 1)) if x not in taken)
        return ctl.translate(operator, parts, self.bound, column)

    def identifier(self, expected: str) -> str:
        token = self.tokens[self.at][0]
        if token in RESERVED or not re.fullmatch(r"[A-Za-z_]\w*", token):
            raise self.expected(expected)
        self.at += 1
        return token
