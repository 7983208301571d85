"""Names of positions as plain data and as text, and positions from names; used by all formats.

A name is *plain* if JSON can represent it: text, a number, true, false, null, or a tuple of those.
Text formats store each name as a text. If all these texts are integers, they are numbers: if they
are exactly 0 … n-1, they are the positions themselves, otherwise they are names that are integers.
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
"""An integer in canonical form, with at most 18 digits so that it fits into 64 bits."""

_MIN_CHECKED = 1_000_000
"""Memory is estimated for graphs with more positions than this."""

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
    """Whether UTF-8 can encode a text; it cannot encode half of a surrogate pair."""
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
    """Compact JSON in ASCII, for data of names and objectives."""
    try:
        return json.dumps(value, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidGraphError(f"this cannot be written as JSON: {error}") from None


def one_line(error: Exception, limit: int = 200) -> str:
    """The message of another library, shortened and on one line."""
    return " ".join(str(error).split())[:limit]


def shorten(value: Any, limit: int = 40) -> str:
    """A value for a message, shortened if it is long."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def bare(text: str) -> str:
    """A text for a message, without quotes."""
    return shorten(text, 80)[1:-1]


# -------------------------------------------------------------------- words


def place_numbers(flat: Int64Array) -> tuple[Int64Array, int, Names | None]:
    """Positions, their number and their names, from integers in order of appearance.

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


def place_texts(texts: Sequence[str]) -> tuple[Names | None, list[int] | None]:
    """Names from distinct texts; if they number the positions, None and each text's position.

    >>> place_texts(["b", "a"]), place_texts(["1", "0"]), place_texts(["1", "2"])
    ((('b', 'a'), None), (None, [1, 0]), ((1, 2), None))
    """
    if not all(map(WHOLE.fullmatch, texts)):
        return tuple(texts), None
    numbers = [int(x) for x in texts]
    if not numbers or (min(numbers) == 0 and max(numbers) == len(numbers) - 1):
        return None, numbers
    return tuple(numbers), None


def texts_of(graph: Graph, writable: Callable[[str], bool]) -> tuple[list[str], bool]:
    """A text for each position, and whether the texts are the names as JSON.

    The texts are the names themselves if the reader gets the names back from them.
    """
    if graph.names is None:
        return [str(v) for v in range(graph.n)], False
    plain = [to_plain(x) for x in graph.names]
    if all(isinstance(x, str) for x in plain):
        texts = list(plain)
    elif all(isinstance(x, int) and not isinstance(x, bool) for x in plain):
        texts = [str(x) for x in plain]
    else:
        texts = []
    if texts and all(map(writable, texts)) and place_texts(texts)[0] == tuple(plain):
        return texts, False
    return [_calm(to_json(x)) for x in plain], True


def _calm(text: str) -> str:
    """JSON text in which no backslash stands before a quote or another backslash."""
    return re.sub(r'\\(["\\])', lambda m: f"\\u{ord(m[1]):04x}", text)


def names_from_json(texts: Sequence[str], error_of: Callable[[int], FormatError]) -> Names:
    """The inverse of :func:`texts_of` for JSON; ``error_of`` makes the error for a text."""
    names: list[Hashable] = []
    for k, text in enumerate(texts):
        try:
            names.append(from_plain(json.loads(text)))
        except (ValueError, RecursionError):
            raise error_of(k) from None
    return tuple(names)


def build(
    sources: Any, targets: Any, n: int, owner: Any = None, names: Names | None = None
) -> Graph:
    """A graph from arrays of moves, after a check that it fits into memory."""
    if n > _MIN_CHECKED:
        memory.require(9 * n, f"a graph of {n:,} positions", "read it on a larger machine")
    return Graph.from_arrays(sources, targets, n, owner, names)
