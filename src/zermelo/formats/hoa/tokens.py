"""Tokens and Boolean expressions of the Hanoi Omega-Automata format."""

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from zermelo.errors import FormatError
from zermelo.formats.common.names import shorten

_TOKEN = re.compile(
    r"""(?P<blank>[ \t\r\n]+)
    |(?P<mark>--[A-Z]+--)
    |(?P<string>"(?:[^"\\]|\\.)*")
    |(?P<header>[A-Za-z_][A-Za-z0-9_.-]*:)
    |(?P<int>[0-9]+)
    |(?P<label>\[[ ]?!?[0-9]+(?:[ ]?[&|][ ]?!?[0-9]+)*[ ]?\])
    |(?P<alias>@[A-Za-z0-9_-]+)
    |(?P<identifier>[A-Za-z_][A-Za-z0-9_.-]*)
    |(?P<sign>[][{}()!&|])
    |(?P<comment>/\*)""",
    re.VERBOSE | re.DOTALL,
)
_COMMENT = re.compile(r"/\*|\*/")
_MAX_INT = 2**31 - 3

Atom = TypeVar("Atom")


class Token(NamedTuple):
    """A kind (``int``, ``string``, ``header``, ``identifier``, …, ``end``), its text and place.

    A ``label`` is a whole label in disjunctive form, such as ``[0&!1 | 2]``: large files consist of
    them. Any other label is several tokens.
    """

    kind: str
    text: str
    offset: int


class Tokens:
    """The tokens of a text, taken one by one; comments, which may nest, are skipped."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = list(self._split())
        self._next = 0

    def _split(self) -> list[Token]:
        found: list[Token] = []
        at, text = 0, self.text
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                if text[at] == '"':
                    raise self.error("this text in quotes does not end", at)
                raise self.error(f"expected a token of HOA, got {text[at]!r}", at)
            kind = match.lastgroup or ""
            at = match.end()
            if kind == "comment":
                at = self._comment_end(match.start())
            elif kind != "blank":
                found.append(Token(kind, match[0], match.start()))
        found.append(Token("end", "", len(text)))
        return found

    def _comment_end(self, start: int) -> int:
        depth = 0
        for match in _COMMENT.finditer(self.text, start):
            depth += 1 if match[0] == "/*" else -1
            if depth == 0:
                return match.end()
        raise self.error("this comment does not end", start)

    @property
    def ahead(self) -> Token:
        """The next token, which is not taken."""
        return self._tokens[self._next]

    def take(self) -> Token:
        """Take the next token; after the last one there is always the end token."""
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def accept(self, text: str) -> bool:
        """Take the next token if it has this text."""
        if self.ahead.text != text or self.ahead.kind == "string":
            return False
        self.take()
        return True

    def expect(self, text: str) -> None:
        """Take a token that must have this text."""
        if not self.accept(text):
            raise self.unexpected(f"{text!r}")

    def integer(self, expected: str, top: int = _MAX_INT) -> int:
        """Take an integer from 0 to ``top``."""
        token = self.ahead
        if token.kind != "int" or len(token.text) > 10 or int(token.text) > top:
            raise self.unexpected(expected)
        return int(self.take().text)

    def string(self, expected: str) -> str:
        """Take a text in quotes."""
        if self.ahead.kind != "string":
            raise self.unexpected(expected)
        return re.sub(r"\\(.)", r"\1", self.take().text[1:-1], flags=re.DOTALL)

    def unexpected(self, expected: str) -> FormatError:
        """The error for the next token."""
        token = self.ahead
        got = "the end of the file" if token.kind == "end" else shorten(token.text)
        return self.error(f"expected {expected}, got {got}", token.offset)

    def error(self, message: str, offset: int) -> FormatError:
        """An error at a place of the text."""
        line = self.text.count("\n", 0, offset) + 1
        column = offset - self.text.rfind("\n", 0, offset)
        return FormatError(message, line=line, column=column)


def read_expression(
    tokens: Tokens, atom: Callable[[Tokens], list[Atom | str]], expected: str
) -> list[Atom | str]:
    """A Boolean expression with ``! & | t f``, in postfix order.

    ``atom`` takes an operand or raises an error; it never gets ``t``, ``f``, ``!`` or a bracket.
    """
    done: list[Atom | str] = []
    waiting: list[str] = []
    binding = {"!": 3, "&": 2, "|": 1, "(": 0}
    while True:
        # Here an operand must follow.
        if tokens.ahead.kind == "sign" and tokens.ahead.text in ("!", "("):
            waiting.append(tokens.take().text)
            continue
        if tokens.ahead.text in ("t", "f"):
            done.append(tokens.take().text)
        elif tokens.ahead.kind in ("sign", "end", "mark", "string", "header"):
            raise tokens.unexpected(expected)
        else:
            done += atom(tokens)
        # Here an operator or a closing bracket must follow, or the expression ends.
        while tokens.ahead.kind == "sign" and tokens.ahead.text == ")" and "(" in waiting:
            while (operator := waiting.pop()) != "(":
                done.append(operator)
            tokens.take()
        if tokens.ahead.kind == "sign" and tokens.ahead.text in ("&", "|"):
            operator = tokens.take().text
            while waiting and binding[waiting[-1]] >= binding[operator]:
                done.append(waiting.pop())
            waiting.append(operator)
            continue
        if "(" in waiting:
            raise tokens.unexpected("'&', '|' or ')'")
        return done + waiting[::-1]
