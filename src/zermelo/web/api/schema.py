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
    zermelo.errors.InvalidOptionError: n: expected an integer of at least 0
    >>> check({}, Wish)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: the request: expected the member 'n'
    """
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise InvalidOptionError(_sentence(str(error))) from None


def _sentence(message: str) -> str:
    """An error of msgspec in our words.

    >>> _sentence("Expected `str` of length <= 2000 - at `$.name`")
    'name: expected a text of at most 2,000'
    """
    reason, _, place = message.rpartition(" - at `$")
    reason = reason or place
    where = place.rstrip("`").lstrip(".") if reason != place else ""
    for pattern, words in (
        (r"Object missing required field `(.*)`", r"expected the member '\1'"),
        (r"(?s)Object contains unknown field `(.*)`", r"there is no member '\1'"),
        (r"(?s)Invalid enum value (.*)", r"expected one of the values of the document, got \1"),
    ):
        reason = re.sub(pattern, words, reason)
    reason = re.sub(r"`([a-z |]+)`", _nouns, reason)
    reason = re.sub(r" (?:of length )?([<>])= (-?[0-9.e+]+)", _bound, reason)
    return f"{where or 'the request'}: {shortened(reason[:1].lower() + reason[1:], MAX_MESSAGE)}"


def _nouns(types: re.Match[str]) -> str:
    return " or ".join(NOUNS.get(name, name) for name in types[1].split(" | "))


def _bound(bound: re.Match[str]) -> str:
    return f" of at {'most' if bound[1] == '<' else 'least'} {float(bound[2]):,.15g}"


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
