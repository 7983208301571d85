"""Names of positions as plain data and as text, and positions from names; shared by all formats.

A name is *plain* if JSON can say it: text, a number, true, false, null, or a tuple of those.
Formats of text store names as words. There a graph whose words are all whole numbers is numbered:
if they are just 0 … n-1 they are the positions themselves, else they are names that are integers.
"""

import json
import math
import re
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from zermelo._runtime import memory
from zermelo.errors import FormatError, InvalidGraphError
from zermelo.graph import Graph
from zermelo.labels import Int64Array

WHOLE = re.compile(r"0|-?[1-9][0-9]{0,17}")
"""A whole number in its one spelling, of at most 18 digits so that 64 bits hold it."""

_MANY = 1_000_000

Names = tuple[Hashable, ...]


def decode(data: bytes) -> str:
    """UTF-8 text, without its byte order mark.

    >>> decode("a → b".encode())
    'a → b'
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        before = data[data.rfind(b"\n", 0, error.start) + 1 : error.start]
        raise FormatError(
            f"expected UTF-8 text, got byte 0x{error.object[error.start]:02x}",
            line=line,
            column=len(before.decode("utf-8-sig", "replace")) + 1,
        ) from None


def encodable(text: str) -> bool:
    """Whether UTF-8 can say a text: half of a surrogate pair it cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


# -------------------------------------------------------------------- plain data


def to_plain(name: Hashable) -> Any:
    """A name as JSON data.

    >>> to_plain(("a", 1))
    ['a', 1]
    """
    if isinstance(name, np.generic):
        name = name.item()
    if isinstance(name, tuple):
        return [to_plain(x) for x in name]
    if name is None or isinstance(name, str | bool | int):
        return name
    if isinstance(name, float) and math.isfinite(name):
        return name
    raise InvalidGraphError(
        f"files store names that are text, numbers or tuples of those, got {name!r}"
    )


def from_plain(value: Any) -> Hashable:
    """A name from JSON data; a list becomes a tuple.

    >>> from_plain(["a", 1])
    ('a', 1)
    """
    if isinstance(value, list):
        return tuple(from_plain(x) for x in value)
    if isinstance(value, dict):
        raise FormatError(f"expected a name, got an object {shorten(value)}")
    if isinstance(value, float) and not math.isfinite(value):
        raise FormatError(f"expected a name, got {value}")
    return value  # type: ignore[no-any-return]


def to_json(value: Any) -> str:
    """Compact JSON in ASCII; data that came from names or objectives."""
    try:
        return json.dumps(value, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidGraphError(f"this cannot be written as JSON: {error}") from None


def one_line(error: Exception, limit: int = 200) -> str:
    """Another library's message, on one line and not for ever."""
    return " ".join(str(error).split())[:limit]


def shorten(value: Any, limit: int = 40) -> str:
    """A value for a message, cut where it is long."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def bare(text: str) -> str:
    """A text for a message, without quotes."""
    return shorten(text, 80)[1:-1]


# -------------------------------------------------------------------- words


def place_numbers(flat: Int64Array) -> tuple[Int64Array, int, Names | None]:
    """Positions, their count and their names, from whole numbers in order of appearance.

    >>> place_numbers(np.array([7, 5, 7]))
    (array([0, 1, 0]), 2, (7, 5))
    """
    if flat.size == 0:
        return flat, 0, None
    top = int(flat.max())
    if flat.min() == 0 and top < flat.size:
        seen = np.zeros(top + 1, bool)
        seen[flat] = True
        if seen.all():
            return flat, top + 1, None
    unique, first, inverse = np.unique(flat, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return place[inverse], unique.size, tuple(unique[order].tolist())


def place_words(words: Sequence[str]) -> tuple[Names | None, list[int] | None]:
    """Names from distinct words; if they number the positions, None and each word's position.

    >>> place_words(["b", "a"]), place_words(["1", "0"]), place_words(["1", "2"])
    ((('b', 'a'), None), (None, [1, 0]), ((1, 2), None))
    """
    if not all(map(WHOLE.fullmatch, words)):
        return tuple(words), None
    numbers = [int(x) for x in words]
    if not numbers or (min(numbers) == 0 and max(numbers) == len(numbers) - 1):
        return None, numbers
    return tuple(numbers), None


def words_of(graph: Graph, writable: Callable[[str], bool]) -> tuple[list[str], bool]:
    """A word for each position, and whether the words are the names' JSON.

    Words are the names themselves where reading the words back gives the names back.
    """
    if graph.names is None:
        return [str(v) for v in range(graph.n)], False
    plain = [to_plain(x) for x in graph.names]
    if all(isinstance(x, str) for x in plain):
        words = list(plain)
    elif all(isinstance(x, int) and not isinstance(x, bool) for x in plain):
        words = [str(x) for x in plain]
    else:
        words = []
    if words and all(map(writable, words)) and place_words(words)[0] == tuple(plain):
        return words, False
    return [_calm(to_json(x)) for x in plain], True


def _calm(text: str) -> str:
    """JSON text in which no backslash stands before a quote or another backslash."""
    return re.sub(r'\\(["\\])', lambda m: f"\\u{ord(m[1]):04x}", text)


def names_from_json(words: Sequence[str], where: Callable[[int], FormatError]) -> Names:
    """The inverse of :func:`words_of` where it wrote JSON; ``where`` makes the error of a word."""
    names: list[Hashable] = []
    for k, word in enumerate(words):
        try:
            names.append(from_plain(json.loads(word)))
        except (ValueError, RecursionError):
            raise where(k) from None
    return tuple(names)


def numbered(
    words: Sequence[str],
    sources: Any,
    targets: Any,
    owner: Any,
    not_json: Callable[[int], FormatError] | None = None,
) -> Graph:
    """A graph from distinct words in order of appearance, and moves as indices of words.

    With ``not_json`` the words are the names' JSON, and it makes the error of one that is not;
    else whole numbers number the positions if they can.
    """
    u, v = np.asarray(sources, np.int64), np.asarray(targets, np.int64)
    if not_json is not None:
        return build(u, v, len(words), owner, names_from_json(words, not_json))
    names, place = place_words(words)
    if place is None:
        return build(u, v, len(words), owner, names)
    to = np.array(place, np.int64)
    if owner is not None:
        owner = np.array(owner, np.int8)[np.argsort(to)]
    return build(to[u], to[v], to.size, owner)


def build(
    sources: Any, targets: Any, n: int, owner: Any = None, names: Names | None = None
) -> Graph:
    """A graph from arrays of moves, once it is known to fit into memory."""
    if n > _MANY:
        memory.require(9 * n, f"a graph of {n:,} positions", "read it on a larger machine")
    return Graph.from_arrays(sources, targets, n, owner, names)


def owners_of(
    owners: Sequence[int | None], lacks: Callable[[int], FormatError]
) -> list[int] | None:
    """Owners if every position has one, None if none has; else ``lacks`` makes the error."""
    if all(x is None for x in owners):
        return None
    for v, x in enumerate(owners):
        if x is None:
            raise lacks(v)
    return [x for x in owners if x is not None]
