"""The tokens of the DOT language."""

import bisect
import re
from collections.abc import Iterator
from typing import NamedTuple

from zermelo.errors import FormatError
from zermelo.formats.common.names import encodable, shorten

_TOKEN = re.compile(
    r"""
    (?P<blank> \s+ | //[^\n]* | /\*.*?\*/ | ^[ \t]*\#[^\n]* )
  | (?P<arrow> -> | -- )
  | (?P<name> [A-Za-z_\x80-\U0010ffff][A-Za-z_0-9\x80-\U0010ffff]* )
  | (?P<number> -? (?: \.[0-9]+ | [0-9]+ (?: \.[0-9]* )? ) (?![A-Za-z_0-9.\x80-\U0010ffff]) )
  | (?P<text> "(?: [^"\\] | \\. )*" )
  | (?P<mark> [{}\[\];,=:+] )
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE | re.ASCII,
)
KEYWORDS = frozenset(("strict", "graph", "digraph", "subgraph", "node", "edge"))
_ESCAPE = re.compile(r'\\(\\|"|\r?\n)', re.DOTALL)


class Token(NamedTuple):
    """A token: its kind (``id``, ``arrow``, ``mark``, ``end`` or a keyword), text and place."""

    kind: str
    text: str
    start: int


class Source:
    """A text that names its places by line and column."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._lines: list[int] | None = None

    def error(self, message: str, start: int) -> FormatError:
        """An error at a place of the text."""
        if self._lines is None:
            self._lines = [0, *(m.end() for m in re.finditer("\n", self.text))]
        line = bisect.bisect_right(self._lines, start)
        return FormatError(message, line=line, column=start - self._lines[line - 1] + 1)

    def tokens(self) -> Iterator[Token]:
        """All tokens, and at the end one of kind ``end``."""
        at, text = 0, self.text
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                if text[at] != "<":
                    raise self._strange(at)
                stop = self._html_end(at)
                yield Token("id", text[at:stop], at)
                at = stop
                continue
            kind, token = str(match.lastgroup), match[0]
            if kind == "name":
                low = token.lower()
                yield Token(low if low in KEYWORDS else "id", token, at)
            elif kind == "text":
                yield Token("id", _ESCAPE.sub(_unescape, token[1:-1]), at)
            elif kind == "number":
                yield Token("id", token, at)
            elif kind != "blank":
                yield Token(kind, token, at)
            at = match.end()
        yield Token("end", "the end of the file", at)

    def _html_end(self, start: int) -> int:
        depth = 0
        for match in re.compile("[<>]").finditer(self.text, start):
            depth += 1 if match[0] == "<" else -1
            if depth == 0:
                return match.end()
        raise self.error("this <…> does not end", start)

    def _strange(self, at: int) -> FormatError:
        if self.text.startswith('"', at):
            return self.error("this quoted name does not end", at)
        if self.text.startswith("/*", at):
            return self.error("this comment does not end", at)
        return self.error(f"expected a name or a sign, got {shorten(self.text[at])}", at)


def _unescape(match: re.Match[str]) -> str:
    r"""DOT has three escapes: ``\"``, ``\\`` (which stays as it is) and an escaped line end."""
    return {'"': '"', "\\": "\\\\"}.get(match[1], "")


def quotable(name: str) -> bool:
    """Whether DOT can quote a name: a backslash must not be last nor escape a character."""
    return not re.search(r'\\(?:["\\\n\r]|\Z)', name) and "\0" not in name and encodable(name)


def quote(name: str) -> str:
    """A name in DOT's notation.

    >>> quote("a"), quote("two words"), quote("node")
    ('a', '"two words"', '"node"')
    """
    match = re.fullmatch(r"[A-Za-z_][A-Za-z_0-9]*|-?(?:0|[1-9][0-9]*)", name)
    if match and name.lower() not in KEYWORDS:
        return name
    return '"' + name.replace('"', '\\"') + '"'
