"""JSON as the interface takes and gives it: UTF-8, finite numbers, and no name twice.

What is not exact JSON is refused here once, so that no function of the interface meets it: infinite
numbers (``1e999`` too), halves of surrogate pairs, an object that has a name twice.
"""

import json
import math
from typing import Any

MAX_EXACT = 2**53
"""Up to this size a number such as ``3.0`` is read as an integer."""


def parse(body: bytes | bytearray) -> Any:
    """The data of a text; a text that is no exact JSON is a :class:`ValueError`.

    >>> parse(b'{"n": 3.0, "x": 0.5}')
    {'n': 3, 'x': 0.5}
    >>> parse(b'{"n": 1, "n": 2}')
    Traceback (most recent call last):
    ValueError: the name 'n' stands twice in an object
    """
    text = body.decode("utf-8")
    try:
        found = json.loads(
            text, parse_constant=_constant, parse_float=_number, object_pairs_hook=_distinct
        )
    except RecursionError:
        raise ValueError("the nesting is too deep") from None
    if "\\ud" in text or "\\uD" in text:
        _refuse_halves(found)
    return found


def encode(message: Any) -> bytes:
    """The text of some data, as short as it can be.

    >>> encode({"n": [1, 2]})
    b'{"n":[1,2]}'
    """
    text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _number(text: str) -> int | float:
    found = float(text)
    if not math.isfinite(found):
        raise ValueError(f"the number {text[:40]} is too large")
    return int(found) if found.is_integer() and abs(found) <= MAX_EXACT else found


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice[:60]!r} stands twice in an object")
    return found


def _refuse_halves(found: Any) -> None:
    """Refuse halves of surrogate pairs, which are no characters."""
    try:
        json.dumps(found, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError("a text has half of a surrogate pair, which is no character") from None
