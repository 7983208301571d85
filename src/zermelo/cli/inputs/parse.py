"""Reading arguments of the command line: positions, lists with commas, numbers, JSON files."""

import csv
import re
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import zermelo as zm
from zermelo.errors import FormatError, InvalidObjectiveError, UnknownPositionError

if TYPE_CHECKING:
    from zermelo.objectives.terminal_form import Number

MAX_SHOWN_LENGTH = 60
"""The number of characters of a text that a message shows."""

MAX_DIGITS = 1000
MAX_EXPONENT = 300
"""Numbers with more digits, or with a larger exponent, are refused."""


def shortened(text: str) -> str:
    """A text for a message, cut if it is long.

    >>> shortened("abc"), len(shortened("x" * 1000))
    ('abc', 60)
    """
    return text if len(text) <= MAX_SHOWN_LENGTH else text[: MAX_SHOWN_LENGTH - 1] + "…"


def small_number(text: str, hint: str, most: int = 2**31 - 1) -> int:
    """A number 0, 1, 2, … that is not too large.

    >>> small_number("12", "--colour")
    12
    """
    digits = text.strip()
    if not (digits.isdecimal() and digits.isascii() and len(digits) <= 18 and int(digits) <= most):
        raise click.BadParameter(
            f"expected a number 0 … {most:,}, got {shortened(text)!r}", param_hint=hint
        )
    return int(digits)


def exact(text: str) -> "Number":
    """The payoff that a text denotes, an integer or a fraction; far too large numbers are refused.

    >>> exact("1/3"), exact("2.5e1")
    (Fraction(1, 3), 25)
    >>> exact("1e999999999")
    Traceback (most recent call last):
    zermelo.errors.InvalidObjectiveError: expected a number of at most 1,000 digits and an \
exponent from -300 to 300, got '1e999999999'
    """
    from fractions import Fraction

    from zermelo.objectives.terminal_form import number

    power = re.search(r"e([+-]?[0-9_]+)\s*$", text, re.IGNORECASE)
    far = power and (len(power[1]) > 8 or abs(int(power[1].strip("_") or 0)) > MAX_EXPONENT)
    if far or len(text) > MAX_DIGITS:
        raise InvalidObjectiveError(
            f"expected a number of at most {MAX_DIGITS:,} digits and an exponent from "
            f"-{MAX_EXPONENT} to {MAX_EXPONENT}, got {shortened(text)!r}"
        )
    found = number(text.strip())
    whole = isinstance(found, Fraction) and found.denominator == 1
    return int(found) if whole else found


def exact_option(text: str, hint: str) -> "Number":
    """The payoff that is given by an option."""
    try:
        return exact(text)
    except InvalidObjectiveError as error:
        raise click.BadParameter(str(error), param_hint=hint) from None


def split(text: str | None, hint: str) -> list[str]:
    """Names from a list with commas; a name that contains commas stands in double quotes.

    >>> split('a,"b,c"', "--targets")
    ['a', 'b,c']
    """
    try:
        rows = list(csv.reader([text or ""], strict=True, skipinitialspace=True))
    except csv.Error as error:
        raise click.BadParameter(f"{error} in {text!r}", param_hint=hint) from None
    names = rows[0] if rows else []
    if "" in names:
        raise click.BadParameter(f"expected names between commas, got {text!r}", param_hint=hint)
    return names


def read_json(path: str) -> Any:
    """The content of a JSON file, with exact numbers."""
    import json

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            double = next(name for name in names if names.count(name) > 1)
            raise FormatError(f"{double!r} appears twice", path=path)
        return found

    try:
        text = Path(path).read_text(encoding="utf-8")
        return json.loads(
            text,
            parse_float=exact,
            parse_int=exact,
            parse_constant=str,  # it is refused later, with the name of its position
            object_pairs_hook=once,
        )
    except UnicodeDecodeError:
        raise FormatError("expected UTF-8 text", path=path) from None
    except InvalidObjectiveError as error:
        raise FormatError(str(error), path=path) from None
    except RecursionError:
        raise FormatError("expected JSON that is not nested so deeply", path=path) from None
    except json.JSONDecodeError as error:
        raise FormatError(error.msg, path=path, line=error.lineno, column=error.colno) from None


def find(graph: "zm.Graph", text: str, hint: str) -> Hashable:
    """The name of the position that an argument of the command line denotes."""
    candidates: list[Hashable] = [text]
    if text.isdecimal() and text.isascii() and len(text) <= 18:
        candidates.append(int(text))
    for name in candidates:
        if name in graph:
            return graph.name(graph.index(name))
    try:
        graph.index(candidates[-1] if graph.names is None else text)
    except UnknownPositionError as error:
        raise UnknownPositionError(f"{hint}: {error}") from None
    raise AssertionError("unreachable: the text is no position")


def read_by_position(
    graph: "zm.Graph", path: str, kind: str, entries: str
) -> Iterable[tuple[Hashable, Any]]:
    """Pairs of a position and its entry, from a JSON file with an object by name or a list."""
    found = read_json(path)
    if isinstance(found, dict):
        return ((find(graph, name, path), x) for name, x in found.items())
    if not isinstance(found, list):
        raise FormatError(f"expected {kind}, an object by name or a list", path=path)
    if len(found) != graph.n:
        raise FormatError(
            f"expected {graph.n} {entries}, one for each position, got {len(found)}", path=path
        )
    return zip(graph, found, strict=True)
