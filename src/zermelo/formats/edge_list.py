r"""Edge lists: a move on each line, as the names of two positions.

::

    # the whole line is a comment
    a b          # so is the rest of this one
    b a
    c            a single name is a position, with or without moves elsewhere
    d [1]        a position and its owner; then every position needs a line like this
    d [start]    the position in which play starts
    a b -3       a move and its weight, an integer; then every move needs one
    [energy]     what the weights are for; also [mean-payoff:threshold=1/3], [discounted:9/10], …
    "two words"  a quoted name is a JSON string: \" \\ \n \u00e9

(A file does not contain these explanations.) Names are separated by blanks. A name must be quoted
if it contains blanks or commas, begins with ``"``, ``#`` or ``[``, or is empty. Positions are
numbered as they appear.

If every name of the file is an unquoted integer (0, 17, -3), names are numbers. If these are
exactly 0 … n-1 in any order, they are the positions' own numbers, and the graph has no names. A
quoted number is always text. A file with weights that does not say what they are for is a game of
normal play; it keeps its weights, and the command line can name the objective.
"""

import json
import re
from functools import partial
from typing import Any, NoReturn

import numpy as np

from zermelo.errors import FormatError
from zermelo.formats._edge_list_writer import quote, write_graph
from zermelo.formats.common.draft import Draft
from zermelo.formats.common.lines import read_digit_lines, read_token_lines
from zermelo.formats.common.names import (
    WHOLE,
    Names,
    build,
    decode,
    place_numbers,
    place_texts,
    shorten,
)
from zermelo.formats.common.weights import (
    INTEGER,
    along_graph,
    weighted_game,
    whole_weight,
)
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array

_TOKEN = re.compile(r'[ \t\r\f\v]*(#.*|"(?:[^"\\]|\\.)*"|[^ \t\r\f\v"][^ \t\r\f\v]*|")', re.DOTALL)
_LAST_START = re.compile(rb"(?:\A|(?<=\n))([A-Za-z0-9_.-]+) \[start\]\s*\Z")
_OBJECTIVE = re.compile(r"[ \t]*\[([a-z][a-z-]*(?::.*)?)\][ \t]*(?:#.*)?\r?")
_FIRST_OBJECTIVE = re.compile(rb"\[([a-z][a-z-]*(?::[^\n]*)?)\]\r?\n")
_PLAIN = re.compile(r"[^ \t\r\f\v]+")
_BLANKS = " \t\r\f\v"
_START = 2
_MARKS = {"[0]": 0, "[1]": 1, "[start]": _START}

Quick = tuple[Graph, Int64Array | None]
"""What the fast readers return: a graph, and the weights of its moves."""


def read_graph(data: bytes) -> Graph | Game:
    """Read an edge list: a graph, or a game if the file has weights or says where play starts.

    >>> g = read_graph(b"a b  # a move\\nb a\\na t\\n")
    >>> g.names, g.m
    (('a', 'b', 't'), 3)
    >>> read_graph(b"0 [1]\\n1 [0]\\n1 0\\n").owner.tolist()
    [1, 0]
    >>> read_graph(b"a b\\nb a\\nb [start]\\n").start
    'b'
    >>> read_graph(b"[energy]\\na b 3\\nb a -2\\n").objective.weight.tolist()
    [3, -2]
    """
    body, start = _split_start(data)
    objective = _FIRST_OBJECTIVE.match(body)
    if objective is not None:
        body = body[objective.end() :]
    found = _read_quickly(body) if b"[start" not in body else None
    if found is None:
        return _read_slowly(decode(data))
    graph, weight = found
    if start is None and objective is None and weight is None:
        return graph
    wanted: Any = start
    if start is not None:
        names = range(graph.n) if graph.names is None else graph.names
        numeric = len(names) > 0 and isinstance(names[0], int) and WHOLE.fullmatch(start)
        wanted = int(start) if numeric else start
        if wanted not in names:
            return _read_slowly(decode(data))
    try:
        text = None if objective is None else objective[1].decode()
        return weighted_game(graph, weight, text, wanted)
    except (FormatError, UnicodeDecodeError):
        return _read_slowly(decode(data))  # its errors name the line


def _split_start(data: bytes) -> tuple[bytes, str | None]:
    """The data without a last line ``name [start]``, and the name, if it is a simple one."""
    found = _LAST_START.search(data)
    if found is None:
        return data, None
    return data[: found.start(1)], found[1].decode()


def _read_quickly(data: bytes) -> Quick | None:
    """The graph and weights of a simple edge list; None if the slow reader must be used."""
    place = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    while data.startswith(b"#", place):
        place = data.find(b"\n", place) + 1 or len(data)
    body = data[place:] if place else data
    graph = _read_digits(body)
    return _read_plain(body) if graph is None else (graph, None)


def _read_digits(data: bytes) -> Graph | None:
    """The fastest reader, for integers; None if the slow reader must be used."""
    found = read_digit_lines(data, owners=True)
    if found is None or found.counts.max(initial=0) > 2:
        return None
    first = np.cumsum(found.counts) - found.counts
    named = np.ones(found.numbers.size, bool)
    declared = first[found.owned]
    named[declared + 1] = False
    place, n, names = place_numbers(found.numbers[named])
    ends = np.full(named.size, -1, np.int64)
    ends[named] = place
    moves = first[(found.counts == 2) & ~found.owned]
    return _assemble(ends, moves, declared, found.numbers, n, names)


def _read_plain(data: bytes) -> Quick | None:
    """A fast reader, for names without quotes and comments; None if the slow one must be used."""
    tokens, counts = read_token_lines(data)
    if counts.max(initial=0) > 3:
        return None
    weights: list[int] | None = None
    if counts.max(initial=0) == 3:
        third = (np.cumsum(counts) - 1)[counts == 3].tolist()
        texts = [tokens[k].decode("ascii", "replace") for k in third]
        if not all(map(INTEGER.fullmatch, texts)):
            return None
        weights = [int(x) for x in texts]
        taken = set(third)
        tokens = [x for k, x in enumerate(tokens) if k not in taken]
        weighted, counts = counts == 3, np.minimum(counts, 2)
    code = {token: k for k, token in enumerate(dict.fromkeys(tokens))}
    codes = np.fromiter(map(code.__getitem__, tokens), np.int64, len(tokens))
    marks = [code.pop(mark, -1) for mark in (b"[0]", b"[1]")]
    if any(token[:1] in b'"#[' or b"," in token for token in code):
        return None
    try:
        names, numbers = place_texts([token.decode() for token in code])
    except UnicodeDecodeError:
        return None
    first = np.cumsum(counts) - counts
    second = first[counts == 2] + 1
    is_mark = (codes == marks[0]) | (codes == marks[1])
    if is_mark.sum() != is_mark[second].sum():
        return None
    place = np.full(max(len(code) + 2, 1), -1, np.int64)
    place[list(code.values())] = range(len(code)) if numbers is None else numbers
    declared = second[is_mark[second]] - 1
    moves = second[~is_mark[second]] - 1
    ends = place[codes]
    graph = _assemble(ends, moves, declared, codes == marks[1], len(code), names)
    if graph is None or weights is None:
        return None if graph is None else (graph, None)
    if not np.array_equal(first[weighted], moves):
        return None  # the slow reader finds the place
    try:
        return graph, along_graph(graph, ends[moves], ends[moves + 1], weights)
    except FormatError:
        return None


def _assemble(
    ends: Int64Array,
    moves: Int64Array,
    declared: Int64Array,
    marks: AnyArray,
    n: int,
    names: Names | None,
) -> Graph | None:
    """A graph from the position of each name, the starts of moves and declarations, and owners."""
    owner = None
    if declared.size:
        owner = np.full(n, -1, np.int8)
        owner[ends[declared]] = marks[declared + 1]
        twice = np.bincount(ends[declared], minlength=n).max() > 1
        if twice or (owner < 0).any():
            return None  # the slow reader finds the place
    return build(ends[moves], ends[moves + 1], n, owner, names or None)


def _read_slowly(text: str) -> Graph | Game:
    """The slow reader, which accepts every edge list; its errors name the place."""
    draft = Draft(lambda message, line: FormatError(message, line=line), "position")
    numbers = True
    for k, line in enumerate(text.split("\n"), 1):
        owner = weight = None
        if "[" in line and (stated := _OBJECTIVE.fullmatch(line)):
            if draft.objective is not None:
                raise FormatError(f"expected one objective, got a second, [{stated[1]}]", line=k)
            draft.objective = stated[1], k
            continue
        if '"' in line or "#" in line or "[" in line:
            names, quoted, owner, weight = _split(line, k)
            numbers = numbers and not quoted
        else:
            names = _PLAIN.findall(line)
            if "," in line:
                _refuse_comma(line, k, line.index(","))
            if len(names) > 2:
                weight = _weight(names, line, k)
        for name in names:
            if name not in draft.number:
                draft.position(name, k)
                numbers = numbers and WHOLE.fullmatch(name) is not None
        ends = [draft.number[name] for name in names]
        if len(ends) == 2:
            draft.move(ends[0], ends[1], k, None if weight is None else (weight, k))
        elif owner == _START:
            draft.begin(ends[0], k)
        elif owner is not None:
            draft.own(ends[0], owner, k)

    def hint(name: str) -> str:
        return f": expected a line '{quote(name)} [0]' or '{quote(name)} [1]'"

    return draft.game(numbers=numbers, hint=hint)


def _weight(names: list[str], line: str, k: int) -> int:
    """The third entry of a line, which is taken away from its names."""
    if len(names) > 3:
        raise _too_many(line, k, len(names))
    column = line.rindex(names[2]) + 1
    return _whole(names.pop(), k, column)


def _whole(text: str, k: int, column: int) -> int:
    if INTEGER.fullmatch(text) is None:
        raise FormatError(
            f"expected one or two names, or two and an integer weight, got {shorten(text)}",
            line=k,
            column=column,
        )
    return whole_weight(text, partial(FormatError, line=k, column=column))


def _split(line: str, k: int) -> tuple[list[str], bool, int | None, int | None]:
    """The names on a line, whether one is quoted, the owner or ``_START``, and the weight."""
    names: list[str] = []
    weight = None
    quoted, owner, at = False, None, 0
    while match := _TOKEN.match(line, at):
        token, column, at = match[1], match.start(1) + 1, match.end()
        if token.startswith("#"):
            break
        if token.startswith("[") and names:
            if token not in _MARKS or len(names) > 1 or owner is not None:
                raise FormatError(
                    "expected a name and its owner [0] or [1], or [start], "
                    f"got {shorten(line.strip())}",
                    line=k,
                    column=column,
                )
            owner = _MARKS[token]
            continue
        if len(names) == 2 and not token.startswith(('"', "[")):
            if weight is not None:
                raise _too_many(line, k, 4)
            weight = _whole(token, k, column)
            continue
        if token.startswith("["):
            raise FormatError(
                f"expected a name, got {shorten(token)}; a name that begins with [ must be quoted",
                line=k,
                column=column,
            )
        if token.startswith('"'):
            quoted = True
            token = _unquote(token, line, k, column, at)
        elif "," in token:
            _refuse_comma(line, k, column - 1 + token.index(","))
        names.append(token)
    if len(names) > 2 or (owner is not None and len(names) != 1):
        raise _too_many(line, k, len(names))
    return names, quoted, owner, weight


def _refuse_comma(line: str, k: int, at: int) -> NoReturn:
    raise FormatError(
        f"expected names separated by blanks, got a comma in {shorten(line.strip())}; a name "
        "with a comma must be quoted",
        line=k,
        column=at + 1,
    )


def _unquote(token: str, line: str, k: int, column: int, at: int) -> str:
    if token == '"':
        raise FormatError("this quoted name does not end on its line", line=k, column=column)
    if at < len(line) and line[at] not in _BLANKS:
        raise FormatError(
            f"expected a blank after a quoted name, got {line[at]!r}", line=k, column=at + 1
        )
    try:
        text: str = json.loads(token, strict=False)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"expected a name quoted as in JSON, got {shorten(token)}: {error.msg}",
            line=k,
            column=column + error.pos,
        ) from None
    return text


def _too_many(line: str, k: int, count: int) -> FormatError:
    column, at = 1, 0
    for _ in range(min(count, 4)):
        if match := _TOKEN.match(line, at):
            column, at = match.start(1) + 1, match.end()
    return FormatError(
        f"expected one or two names, or two and an integer weight, got {count} entries",
        line=k,
        column=column,
    )


__all__ = ["read_graph", "write_graph"]
