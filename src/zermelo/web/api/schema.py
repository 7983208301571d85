"""The types of requests and answers, by msgspec: requests are structs, answers typed dictionaries.

The same types make the OpenAPI document, so what the document promises is what is checked.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from zermelo.errors import InvalidOptionError
from zermelo.plots.text import shortened
from zermelo.web.api.strict_json import parse

T = TypeVar("T")

LARGEST_INTEGER = 2**53
"""Integers beyond this one are not exact in a browser."""

MAX_MESSAGE = 200
"""Characters of a message about a request."""

MAX_VALUE = 60
"""Characters of a value or a name in such a message."""

MAX_SHOWN = 10**20
"""Numbers from here on are not shown in such a message."""

MAX_TRIED_KEYS = 100
"""Members of an object that are tried one by one to find the wrong one."""

Text = Annotated[str, Meta(max_length=10_000)]
Integer = Annotated[int, Meta(ge=-LARGEST_INTEGER, le=LARGEST_INTEGER)]
Natural = Annotated[int, Meta(ge=0, le=LARGEST_INTEGER)]
LeftOut = Annotated[Natural, Meta(description="How many are left out")]
Positive = Annotated[int, Meta(ge=1, le=LARGEST_INTEGER)]

NOUNS = {
    "str": "a text", "int": "an integer", "float": "a number", "bool": "true or false",
    "array": "a list", "object": "an object",
}  # fmt: skip
"""What messages call the types of msgspec."""

UNITS = {"str": "characters", "array": "elements", "object": "members"}
"""What the length of such a type counts."""

PLACE = re.compile(r"(?s)(.*) - at (`key` in )?`\$([^`]*)`")
STEP = re.compile(r"\.[^.\[\]]+|\[[^\[\]]*\]")
"""The end of a message of msgspec, and the steps of its place: ``.name``, ``[0]``, ``[...]``."""


class Request(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The members of a request; one with other members is refused."""


class Nothing(Request):
    """A request without members."""


def check(given: Any, kind: type[T]) -> T:
    """Data as a type; the first difference is an error that names its place.

    >>> class Wish(Request):
    ...     n: Natural
    >>> check({"n": 3}, Wish)
    Wish(n=3)
    >>> check({"n": -1}, Wish)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: n: expected an integer of at least 0, got -1
    >>> check({}, Wish)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: the request: expected the member 'n'
    """
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise InvalidOptionError(_sentence(str(error), given, kind)) from None
    except UnicodeEncodeError as error:
        came = ascii(shortened(error.object[error.start :], MAX_VALUE))
        message = f"the request: expected characters of Unicode, got half of a pair in {came}"
        raise InvalidOptionError(message) from None


def _sentence(message: str, given: Any, kind: Any) -> str:
    """An error of msgspec in our words, with what came.

    >>> _sentence("Expected `str` of length <= 3 - at `$[0]`", ["four"], list[str])
    '[0]: expected a text of at most 3 characters, got 4'
    """
    found = PLACE.fullmatch(message)
    reason, of_key, place = (message, None, "") if found is None else found.groups()
    steps, value, types = _followed(message, place, given, kind)
    where = _shown(place, steps) or "the request"
    if of_key:
        where, value = f"a name in {where}", None
    if reason.startswith("Invalid enum value"):
        literals = (x for x in types if isinstance(x, msgspec.inspect.LiteralType))
        allowed = ", ".join(repr(x) for node in literals for x in node.values) or "other values"
        came = shortened(reason.removeprefix("Invalid enum value "), MAX_VALUE)
        return f"{where}: expected one of {allowed}, got {came}"
    for pattern, words in (
        (r"Object missing required field `(.*)`", r"expected the member '\1'"),
        (r"(?s)Object contains unknown field `(.*)`", r"there is no member '\1'"),
    ):
        reason = re.sub(pattern, words, reason)
    bound = re.fullmatch(r"Expected `([a-z]+)` (of length )?([<>])= (-?[0-9.e+]+)", reason)
    if bound is not None:
        reason = _bound(bound, value)
    reason = re.sub(r"`([a-z |]+)`", _nouns, reason)
    return f"{where}: {shortened(reason[:1].lower() + reason[1:], MAX_MESSAGE)}"


def _nouns(types: re.Match[str]) -> str:
    return " or ".join(NOUNS.get(name, name) for name in types[1].split(" | "))


def _bound(bound: re.Match[str], value: Any) -> str:
    """What a bound expects, with its unit, and what came."""
    name, of_length, sign, limit = bound.groups()
    unit = f" {UNITS.get(name, 'elements')}" if of_length else ""
    if limit == "1":
        unit = unit.removesuffix("s")
    came = ""
    if of_length and isinstance(value, str | list | dict):
        came = f", got {len(value):,}"
    elif not of_length and isinstance(value, int | float) and abs(value) < MAX_SHOWN:
        came = f", got {value:,}"
    expected = f"at {'most' if sign == '<' else 'least'} {float(limit):,.15g}"
    return f"expected `{name}` of {expected}{unit}{came}"


def _followed(message: str, place: str, given: Any, kind: Any) -> tuple[list[Any], Any, list[Any]]:
    """The steps to a place of msgspec with the keys that it leaves out, the value, its types."""
    steps: list[Any] = []
    value, types = given, _parts(msgspec.inspect.type_info(kind))
    for step in STEP.findall(place):
        name: Any = step[1:]
        if step == "[...]":
            name = _wrong_key(message, given, kind, steps, value)
        elif step[0] == "[":
            name = int(step[1:-1])
        types = [part for x in types for part in _inside(x, name)]
        steps.append(name)
        try:
            value = value[name]
        except (LookupError, TypeError):
            value = None
    return steps, value, types


def _shown(place: str, steps: list[Any]) -> str:
    """A place of msgspec in which keys are named."""
    shown = ""
    for step, name in zip(STEP.findall(place), steps, strict=True):
        named = step == "[...]" and name is not None
        shown += f"[{shortened(repr(name), MAX_VALUE)}]" if named else step
    return shown.removeprefix(".")


def _wrong_key(message: str, given: Any, kind: Any, steps: list[Any], value: Any) -> Any:
    """The first key of an object that alone gives the same message; None if it is not found."""
    if not isinstance(value, dict) or len(value) > MAX_TRIED_KEYS:
        return None
    for key in value:
        try:
            msgspec.convert(_narrowed(given, steps, key), kind)
        except (msgspec.ValidationError, UnicodeEncodeError) as error:
            if str(error) == message:
                return key
    return None


def _narrowed(given: Any, steps: list[Any], key: Any) -> Any:
    """The data, where the object at a place has one key only."""
    if not steps:
        return {key: given[key]}
    copy = given.copy()
    copy[steps[0]] = _narrowed(given[steps[0]], steps[1:], key)
    return copy


def _inside(node: Any, name: Any) -> list[Any]:
    """The types of a member or an element of a type."""
    if isinstance(node, msgspec.inspect.StructType | msgspec.inspect.TypedDictType):
        return [part for x in node.fields if x.encode_name == name for part in _parts(x.type)]
    if isinstance(node, msgspec.inspect.DictType):
        return _parts(node.value_type)
    if isinstance(node, msgspec.inspect.CollectionType):
        return _parts(node.item_type)
    if isinstance(node, msgspec.inspect.TupleType) and isinstance(name, int):
        return [part for x in node.item_types[name : name + 1] for part in _parts(x)]
    return []


def _parts(node: Any) -> list[Any]:
    """The types that a type of msgspec consists of, without what is said about them."""
    if isinstance(node, msgspec.inspect.Metadata):
        return _parts(node.type)
    if isinstance(node, msgspec.inspect.UnionType):
        return [part for x in node.types for part in _parts(x)]
    return [node]


def from_query(values: Mapping[str, str], kind: type[T]) -> T:
    """The parameters of an address as a request: texts as they are, other types as JSON.

    >>> class Wish(Request):
    ...     n: int
    ...     name: str
    >>> from_query({"n": "3", "name": "4"}, Wish)
    Wish(n=3, name='4')
    """
    members = msgspec.structs.fields(kind)  # type: ignore[arg-type]
    texts = {x.name for x in members if isinstance(_info(x.type), msgspec.inspect.StrType)}
    return check({k: x if k in texts else _value(x) for k, x in values.items()}, kind)


def _info(kind: Any) -> Any:
    found = msgspec.inspect.type_info(kind)
    return found.type if isinstance(found, msgspec.inspect.Metadata) else found


def _value(text: str) -> Any:
    """The data that a text writes in JSON, else the text."""
    try:
        return parse(text.encode()) if text == text.strip() else text
    except ValueError:
        return text
