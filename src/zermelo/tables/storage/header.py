"""The header of a table is data of unknown origin: it is checked before anything relies on it."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from zermelo._inputs.values import shown
from zermelo.tables.storage.codes import COUNTS, COUNTS_ALONE
from zermelo.tables.storage.layout import DISTANCES_TO, LABELS_ONLY, PACKED, TIERS

FIRST = "first"
"""The field of a header that has the first text of every block, if keys are texts."""

SUFFIX = ".zt"
"""The suffix of the name of a table."""

MAX_COUNT = 1 << 62
"""No number of positions or entries is greater."""

MAX_DISTANCE = (1 << 30) - 1
"""No distance is longer."""

MAX_NAME = 4096
"""The longest name of a game, a class or a file."""


class Field(NamedTuple):
    """A field of a header: what it may be, in words and as a test."""

    wanted: str
    fits: Callable[[Any], bool]
    required: bool = True


def _is_count(x: Any, low: int = 0) -> bool:
    return type(x) is int and low <= x <= MAX_COUNT


def _is_name(x: Any) -> bool:
    return isinstance(x, str) and len(x) <= MAX_NAME and x.isprintable()


def _is_file_name(x: Any) -> bool:
    return _is_name(x) and x.endswith(SUFFIX) and not set(x) & set("/\\:")


def _has_counts(x: Any, low: int) -> bool:
    if not isinstance(x, dict) or set(x) not in (set(COUNTS), set(COUNTS_ALONE)):
        return False
    return all(_is_count(y, low) for y in x.values())


def _is_scale(x: Any) -> bool:
    if not isinstance(x, list) or len(x) != 3 or not all(map(_is_count, x)):
        return False
    base, step, most = x
    return bool(step > 0 and base + step * most <= MAX_DISTANCE)


def _names(x: Any) -> bool:
    return isinstance(x, list) and all(map(_is_name, x))


def _is_shape(x: Any) -> bool:
    return isinstance(x, dict) and all(map(_is_count, x.values()))


def _are_objects(x: Any) -> bool:
    return isinstance(x, list) and all(isinstance(y, dict) for y in x)


NUMBER = Field(f"a number from 0 to {MAX_COUNT:,}", _is_count)
NAME = Field(f"a printable text of at most {MAX_NAME:,} characters", _is_name)
TRUTH = Field("true or false", lambda x: isinstance(x, bool))

RULES = {
    "game": Field("the name of a game or null", lambda x: x is None or _is_name(x)),
    "class": NAME,
    "digest": NAME,
}
"""The fields of ``rules``."""

TIER = {
    "file": Field("the name of a table in the same directory", _is_file_name),
    "game": NAME,
    "rules": NAME,
    "content": NAME,
    "entries": Field(f"a number from 1 to {MAX_COUNT:,}", lambda x: _is_count(x, 1)),
    "stored": NUMBER,
    "ties": NUMBER,
    "longest": Field(
        f"a number from 0 to {MAX_DISTANCE:,}", lambda x: _is_count(x) and x <= MAX_DISTANCE
    ),
    "counts": Field("the counts of a table", lambda x: _has_counts(x, -1)),
}
"""The fields of a tier."""

HEADER = {
    "rules": Field("an object", lambda x: isinstance(x, dict)),
    "objective": Field("a keyword or null", lambda x: x is None or _is_name(x)),
    "symmetry": TRUTH,
    "descent": TRUTH,
    "stored": NUMBER,
    "counts": Field("the counts of a table", lambda x: _has_counts(x, 0)),
    "entries": Field(f"a number from 1 to {MAX_COUNT:,}", lambda x: _is_count(x, 1)),
    "block": NUMBER,
    "keys": NAME,
    "kinds": Field("a list of kinds", _names),
    "distances": Field(
        f"base, step and greatest code of distances up to {MAX_DISTANCE:,}",
        lambda x: isinstance(x, dict) and all(map(_is_scale, x.values())),
    ),
    LABELS_ONLY: TRUTH._replace(required=False),
    DISTANCES_TO: NAME._replace(required=False),
    PACKED: Field("an object of numbers", _is_shape, required=False),
    TIERS: Field("a list of objects", _are_objects, required=False),
    FIRST: Field(
        "a list of texts",
        lambda x: isinstance(x, list) and all(isinstance(y, str) for y in x),
        required=False,
    ),
}
"""The fields of a header that are read; others are allowed."""


def check_header(header: Any) -> dict[str, Any]:
    """The header, if all its fields have their types and ranges; otherwise a ValueError.

    >>> check_header({"rules": {"game": "nim:1", "class": "Nim", "digest": 7}})
    Traceback (most recent call last):
    ValueError: /rules/digest: expected a printable text of at most 4,096 characters, got 7
    """
    if not isinstance(header, dict):
        raise ValueError(f"expected an object, got {shown(header)}")
    if isinstance(rules := header.get("rules"), dict):
        _check(rules, RULES, "/rules")
    _check(header, HEADER, "")
    for number, record in enumerate(header.get(TIERS, ())):
        _check(record, TIER, f"/{TIERS}/{number}")
    if sum(record["entries"] for record in header.get(TIERS, ())) > MAX_COUNT:
        raise ValueError(f"/{TIERS}: expected at most {MAX_COUNT:,} entries")
    names = set(COUNTS_ALONE if header.get(LABELS_ONLY) else COUNTS)
    for counts in (header["counts"], *(x["counts"] for x in header.get(TIERS, ()))):
        if set(counts) != names:
            raise ValueError(f"expected the counts {', '.join(sorted(names))}, got {shown(counts)}")
    return header


def _check(record: Mapping[str, Any], fields: Mapping[str, Field], place: str) -> None:
    for name, field in fields.items():
        if name not in record:
            if field.required:
                raise ValueError(f"{place}/{name}: expected {field.wanted}, got nothing")
        elif not field.fits(record[name]):
            raise ValueError(f"{place}/{name}: expected {field.wanted}, got {shown(record[name])}")
