r"""Partizan graphs in files: JSON, or one move on each line with its player.

JSON lists for each position the options of Left and those of Right; names are optional::

    {"left": [[1], []], "right": [[], [0]], "names": ["a", "b"]}

In an edge list a third field names the player of the move: ``L``, ``R``, or ``B`` for both. A
single name is a position; ``#`` begins a comment; a name with blanks is a JSON string, in quotes::

    a b L
    b a R    # a = {b|}, b = {|a}

If the names are exactly the integers 0 … n−1, they are the positions' numbers. Files may be
compressed (``.gz``, ``.bz2``, ``.xz``, ``.zst``).
"""

import json
import re
from collections.abc import Hashable

from zermelo._runtime import files
from zermelo.errors import FormatError, InvalidGraphError
from zermelo.formats.common.compression import decompress
from zermelo.formats.common.names import WHOLE, decode, from_plain, shorten
from zermelo.partizan.loopy.graph import PartizanGraph

_FIELD = re.compile(r'\s*(?:(#.*)|("(?:[^"\\]|\\.)*")(?=\s|$)|([^\s"#]\S*))')
_PLAYERS = {"l": "L", "left": "L", "r": "R", "right": "R", "b": "LR", "both": "LR"}


def read_partizan(path: files.PathLike) -> PartizanGraph:
    """Read a partizan graph from a file, standard input (``"-"``) or a binary file object.

    >>> import io
    >>> graph = read_partizan(io.BytesIO(b"a b L\\nb a R\\n"))
    >>> graph.positions, *(str(graph.value(x)) for x in graph.positions)
    (('a', 'b'), '1 & 0', '0 & -1')
    >>> read_partizan(io.BytesIO(b"a b L\\nb a\\n"))
    Traceback (most recent call last):
    zermelo.errors.FormatError: standard input:2: expected a move and its player L, R or B, got ...
    """
    name, _ = files.name_of(path, "standard input")
    try:
        text = decode(decompress(files.read_bytes(path)))
        return _from_json(text) if text.lstrip().startswith("{") else _from_lines(text)
    except FormatError as error:
        raise error.at(name) from None
    except InvalidGraphError as error:
        raise FormatError(str(error), path=name) from None


def _from_json(text: str) -> PartizanGraph:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"expected JSON: {error.msg}", line=error.lineno, column=error.colno
        ) from None
    except RecursionError:
        raise FormatError("expected JSON, but it is nested too deeply") from None
    if isinstance(data, dict) and isinstance(data.get("names"), list):
        data["names"] = [from_plain(x) for x in data["names"]]
    return PartizanGraph.from_json(data)


def _from_lines(text: str) -> PartizanGraph:
    place: dict[Hashable, int] = {}
    moves: dict[str, list[tuple[str, str]]] = {"L": [], "R": []}
    quoted = False
    for k, line in enumerate(text.split("\n"), 1):
        fields, has_quotes = _fields(line, k)
        quoted |= has_quotes
        if len(fields) in (0, 1):
            players = ""
        elif len(fields) == 3 and fields[2].lower() in _PLAYERS:
            players = _PLAYERS[fields.pop().lower()]
        else:
            raise FormatError(
                f"expected a move and its player L, R or B, got {shorten(line.strip())}", line=k
            )
        for name in fields:
            place.setdefault(name, len(place))
        for player in players:
            moves[player].append((fields[0], fields[1]))
    numbers = not quoted and all(WHOLE.fullmatch(str(x)) for x in place)
    if numbers and {int(str(x)) for x in place} == set(range(len(place))):
        left, right = ([(int(u), int(v)) for u, v in moves[player]] for player in "LR")
        return PartizanGraph.from_edges(left, right, n=len(place))
    return PartizanGraph.from_edges(moves["L"], moves["R"], names=list(place))


def _fields(line: str, k: int) -> tuple[list[str], bool]:
    """The fields of a line, and whether one is in quotes."""
    fields: list[str] = []
    quoted, at, line = False, 0, line.rstrip()
    while at < len(line):
        match = _FIELD.match(line, at)
        if match is None:
            raise FormatError('expected a name in quotes to end with "', line=k, column=at + 1)
        comment, quote, plain = match.groups()
        at = match.end()
        if comment is not None:
            break
        if quote is not None:
            quoted = True
            try:
                fields.append(json.loads(quote))
            except json.JSONDecodeError:
                raise FormatError(f"expected a JSON string, got {shorten(quote)}", line=k) from None
        else:
            fields.append(plain)
    return fields, quoted
