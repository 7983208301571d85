"""The part of JSON Schema that the interface uses: making schemas, and checking data by them.

The same schemas are in the OpenAPI document, so what the document promises is what is checked.
Only the keywords that :func:`check` knows may be used; a test holds this.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from zermelo.errors import InvalidOptionError

Schema: TypeAlias = dict[str, Any]

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}

_INTEGER = re.compile(r"-?[0-9]{1,19}", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,19}(\.[0-9]{1,40})?(e[+-]?[0-9]{1,2})?", re.ASCII | re.IGNORECASE)

KEYWORDS = frozenset(
    ("type", "enum", "minimum", "maximum", "minLength", "maxLength", "items", "minItems",
     "maxItems", "properties", "required", "additionalProperties", "anyOf", "description",
     "default", "examples")
)  # fmt: skip
"""Every keyword that a schema of the interface may have."""

LARGEST_INTEGER = 2**53
"""Integers beyond this one are not exact in a browser."""

MOST_TEXT = 2_000_000
"""Characters of a text whose schema says nothing else."""


def text(description: str = "", *, most: int = 10_000, least: int = 0, **more: Any) -> Schema:
    """A string of at most ``most`` characters."""
    return _described(
        {"type": "string", "minLength": least, "maxLength": most, **more}, description
    )


def integer(
    description: str = "", least: int = -LARGEST_INTEGER, most: int = LARGEST_INTEGER, **more: Any
) -> Schema:
    """An integer of an interval."""
    return _described({"type": "integer", "minimum": least, "maximum": most, **more}, description)


def number(description: str = "", **more: Any) -> Schema:
    """A number."""
    return _described({"type": "number", **more}, description)


def boolean(description: str = "", **more: Any) -> Schema:
    """True or false."""
    return _described({"type": "boolean", **more}, description)


def one_of(values: Sequence[Any], description: str = "", **more: Any) -> Schema:
    """One of these strings."""
    return _described({"type": "string", "enum": list(values), **more}, description)


def array(items: Schema, description: str = "", *, most: int = 1_000_000, least: int = 0) -> Schema:
    """A list."""
    return _described(
        {"type": "array", "items": items, "minItems": least, "maxItems": most}, description
    )


def record(
    properties: Mapping[str, Schema], optional: Sequence[str] = (), description: str = ""
) -> Schema:
    """An object with these members and no others; those in ``optional`` may be left out."""
    required = [name for name in properties if name not in optional]
    return _described(
        {
            "type": "object",
            "properties": dict(properties),
            "required": required,
            "additionalProperties": False,
        },
        description,
    )


def mapping(values: Schema, description: str = "") -> Schema:
    """An object with any names, whose values have one schema."""
    return _described({"type": "object", "additionalProperties": values}, description)


def nullable(schema: Schema) -> Schema:
    """The schema, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def anything(description: str = "") -> Schema:
    """Any JSON."""
    return _described({}, description)


def _described(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description} if description else schema


def check(given: Any, schema: Schema, where: str = "the request") -> None:
    """Compare data with a schema; the first difference is an error that names its place.

    >>> check({"n": 3}, record({"n": integer(least=0)}))
    >>> check({"n": -1}, record({"n": integer(least=0)}))
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: n: expected an integer of at least 0, got -1
    >>> check({"m": 1}, record({"n": integer()}))
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: the request: expected the member 'n'
    """
    if "anyOf" in schema:
        _check_any(given, schema["anyOf"], where)
        return
    kind = schema.get("type")
    if kind is not None and not _has_type(given, kind):
        raise InvalidOptionError(f"{where}: expected {_a(kind)}, got {_short(given)}")
    if "enum" in schema and given not in schema["enum"]:
        raise InvalidOptionError(
            f"{where}: expected one of {', '.join(map(repr, schema['enum']))}, got {_short(given)}"
        )
    if kind in ("integer", "number"):
        _check_size(given, schema, where, _a(kind), ("minimum", "maximum"), "")
    elif kind == "string":
        _check_size(len(given), schema, where, "a text", ("minLength", "maxLength"), " characters")
    elif kind == "array":
        _check_size(len(given), schema, where, "a list", ("minItems", "maxItems"), " elements")
        items = schema.get("items")
        if items:
            for k, x in enumerate(given):
                check(x, items, f"{where}[{k}]")
    elif kind == "object":
        _check_object(given, schema, where)


def _check_object(given: dict[str, Any], schema: Schema, where: str) -> None:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in given:
            raise InvalidOptionError(f"{where}: expected the member {name!r}")
    rest = schema.get("additionalProperties", True)
    inside = "" if where == "the request" else f"{where}."
    for name, value in given.items():
        if name in known:
            check(value, known[name], f"{inside}{name}")
        elif rest is False:
            names = ", ".join(map(repr, known)) or "none"
            raise InvalidOptionError(
                f"{where}: there is no member {_short(name)}; the members are {names}"
            )
        elif isinstance(rest, dict):
            check(value, rest, f"{inside}{name[:60]}")


def _check_any(given: Any, schemas: Sequence[Schema], where: str) -> None:
    errors = []
    for schema in schemas:
        try:
            check(given, schema, where)
            return
        except InvalidOptionError as error:
            errors.append(error)
    raise errors[0]


def _check_size(
    size: float, schema: Schema, where: str, noun: str, names: tuple[str, str], unit: str
) -> None:
    least, most = (schema.get(name) for name in names)
    if least is not None and size < least:
        raise InvalidOptionError(
            f"{where}: expected {noun} of at least {least:,}{unit}, got {_amount(size)}"
        )
    if most is not None and size > most:
        raise InvalidOptionError(
            f"{where}: expected {noun} of at most {most:,}{unit}, got {_amount(size)}"
        )


def _amount(size: float) -> str:
    return f"{size:,}" if abs(size) < 10**30 else _short(size)


def _has_type(given: Any, kind: str) -> bool:
    if isinstance(given, bool):
        return kind == "boolean"
    if isinstance(given, float) and kind == "integer":
        return given.is_integer()
    return isinstance(given, TYPES[kind])


def _a(kind: str) -> str:
    return "null" if kind == "null" else f"{'an' if kind[0] in 'aio' else 'a'} {kind}"


def _short(given: Any) -> str:
    """The value as a message shows it; large ones are not written out."""
    if given is None:
        return "null"
    if isinstance(given, dict | list):
        count = f"{len(given):,} {'members' if isinstance(given, dict) else 'elements'}"
        return f"{_a('object' if isinstance(given, dict) else 'array')} of {count}"
    if isinstance(given, int) and abs(given) > 10**30:
        return "a number of more than 30 digits"
    shown = repr(given[:60] if isinstance(given, str) else given)
    return shown if len(shown) <= 60 else shown[:59] + "…"


def from_query(values: Mapping[str, str], schema: Schema) -> dict[str, Any]:
    """The parameters of an address, with the types of a schema.

    >>> from_query({"n": "3", "name": "a"}, record({"n": integer(), "name": text()}))
    {'n': 3, 'name': 'a'}
    """
    known = schema.get("properties", {})
    return {name: _converted(value, known.get(name, {})) for name, value in values.items()}


def _converted(value: str, schema: Schema) -> Any:
    """The value with the type of the schema if it can be read so, else the text."""
    kinds = [part.get("type") for part in schema.get("anyOf", [schema])]
    if "boolean" in kinds and value in ("true", "false"):
        return value == "true"
    if "null" in kinds and value == "null":
        return None
    if "integer" in kinds and _INTEGER.fullmatch(value):
        return int(value)
    if "number" in kinds and _NUMBER.fullmatch(value):
        number = float(value)
        return int(number) if number.is_integer() and abs(number) <= LARGEST_INTEGER else number
    return value
