"""The rules of heap games: octal and hexadecimal codes, sets to subtract, names.

A code d₀.d₁d₂… tells what a player may leave of a heap from which i tokens are taken: digit dᵢ is
the sum of 1 (nothing), 2 (one heap), 4 (two heaps), 8 (three heaps), never an empty heap among
several. ``...`` after the last digit repeats it for ever, so 0.333... is Nim.

Reference: [GuySmith1956], [BerlekampConwayGuy2001] ch. 4.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zermelo._inputs.values import listed, shown, whole_number
from zermelo.errors import InvalidOptionError
from zermelo.registry import unknown

NAMES = {
    "dawsons-chess": "0.137",
    "dawsons-kayles": "0.07",
    "grundy": "4. into unequal heaps",
    "guiles": "0.15",
    "kayles": "0.77",
    "kenyons": "0.3f",
    "lasker-nim": "4.333...",
    "nim": "0.333...",
    "officers": "0.6",
    "treblecross": "0.007",
}
"""Games that have a name, and their codes."""

MAX_TAKEN = (1 << 24) - 1
"""The greatest number of tokens that a move takes, where sets are subtracted."""

MAX_TEXT = 1 << 20
"""The greatest length of a code in characters."""

_CODE = re.compile(r"([0-9a-f]?)(?:\.([0-9a-f]*))?(\.\.\.|…)?", re.IGNORECASE)
_SET = re.compile(r"(all-but:)?(?:\{(\d+(?:,\d+)*)?\}|(\d+(?:,\d+)*)?)")


@dataclass(frozen=True)
class Code:
    """What may be left of a heap: digits d₀, d₁, …, and ``tail`` for all that follow them."""

    digits: tuple[int, ...]
    tail: int = 0
    unequal: bool = False
    """Whether two heaps that are left must differ in size, as in Grundy's game."""

    def __post_init__(self) -> None:
        digits = self.digits
        if not isinstance(digits, tuple) or not 0 < len(digits) <= MAX_TAKEN + 1:
            raise InvalidOptionError(f"digits: expected a tuple of digits, got {shown(digits)}")
        for d in (*digits, self.tail):
            if type(d) is not int or not 0 <= d < 16:
                raise InvalidOptionError(f"digits: expected numbers 0 … 15, got {shown(d)}")
        if digits[0] & 3:
            raise InvalidOptionError(
                f"digits: the first one takes no token, so it must split: got {digits[0]}"
            )
        if not isinstance(self.unequal, bool):
            raise InvalidOptionError(f"unequal: expected True or False, got {self.unequal!r}")

    def __str__(self) -> str:
        """The code as it is read; a long one as the set that it subtracts."""
        if self.tail == 0 and set(self.digits) == {0, 3} and len(self.digits) > 4:
            taken = ",".join(str(i) for i, d in enumerate(self.digits) if d)
            return f"{{{taken}}}"
        after = "".join(f"{d:x}" for d in self.digits[1:]) + (f"{self.tail:x}..." * (self.tail > 0))
        return f"{self.digits[0]:x}.{after}" + " into unequal heaps" * self.unequal

    @property
    def most(self) -> int:
        """The greatest number of heaps that a move leaves."""
        return max((d.bit_length() - 1 for d in (*self.digits, self.tail) if d), default=0)

    def digit(self, i: int) -> int:
        """The digit dᵢ."""
        i = whole_number(i, "digit")
        return self.digits[i] if i < len(self.digits) else self.tail

    def options(self, n: int) -> Iterator[tuple[int, ...]]:
        """What a move from a heap of n leaves: heaps in falling order, each way once."""
        n = whole_number(n, "heap", 0, (1 << 31) - 1)
        for i in range(n + 1 if self.tail else min(n + 1, len(self.digits))):
            d, rest = self.digits[i] if i < len(self.digits) else self.tail, n - i
            if d & 1 and rest == 0:
                yield ()
            if d & 2 and rest:
                yield (rest,)
            if d & 4:
                for a in range(1, rest // 2 + 1):
                    if not (self.unequal and 2 * a == rest):
                        yield (rest - a, a)
            if d & 8:
                for a in range(1, rest // 3 + 1):
                    for b in range(a, (rest - a) // 2 + 1):
                        yield (rest - a - b, b, a)


def parse(text: str) -> Code:
    """Read a code such as 0.77, a set to subtract such as 1,2,3 or ``all-but:2``, or a name.

    >>> parse("0.77").digits, parse("kayles") == parse(".77"), str(parse("1,2,5"))
    ((0, 7, 7), True, '{1,2,5}')
    >>> str(parse("nim")), parse("4.7").digit(0), parse("all-but:2").digits
    ('0.3...', 4, (0, 3, 0))
    """
    if not isinstance(text, str) or len(text) > MAX_TEXT:
        raise InvalidOptionError(
            f"expected a code such as 0.77, a set such as 1,2,3 or a name, got {shown(text)}"
        )
    name = text.strip()
    if name in NAMES:
        code, _, unequal = NAMES[name].partition(" ")
        return _read(code, bool(unequal))
    if match := _SET.fullmatch(name):
        taken = [int(x[:20]) for x in (match[2] or match[3] or "").split(",") if x]
        if match[1]:
            return all_but(taken)
        if "{" in name or "," in name:
            return subtract(taken)
    if re.fullmatch(r"[a-z]+(-[a-z]+)+|[g-z][a-z]*|[a-z]{2,}", name):
        raise unknown("heap game", name, sorted(NAMES))
    return _read(name, unequal=False)


def _read(text: str, unequal: bool) -> Code:
    match = _CODE.fullmatch(text)
    if not match or not text.strip(".…"):
        raise InvalidOptionError(
            f"expected a code such as 0.77, a set such as 1,2,3 or a name, got {text!r}"
        )
    digits = [int(x, 16) for x in (match[1] or "0") + (match[2] or "")]
    if digits[0] & 3:
        raise InvalidOptionError(
            f"{text}: the digit before the point takes no token, so it must split the heap: "
            f"expected 0, 4, 8 or c, got {match[1]}"
        )
    tail = 0
    if match[3]:
        if len(digits) == 1:
            raise InvalidOptionError(f"{text}: expected a digit behind the point to repeat")
        tail = digits[-1]
    while len(digits) > 1 and digits[-1] == tail:
        digits.pop()
    return Code(tuple(digits), tail, unequal)


def subtract(taken: Iterable[int]) -> Code:
    """The game of taking one of some numbers of tokens.

    >>> str(subtract([1, 2]))
    '0.33'
    """
    numbers = _numbers(taken)
    return Code(tuple(3 if i in numbers else 0 for i in range(max(numbers, default=0) + 1)))


def all_but(kept: Iterable[int]) -> Code:
    """The game of taking any number of tokens but some.

    >>> str(all_but([2, 3]))
    '0.3003...'
    """
    numbers = _numbers(kept)
    last = max(numbers, default=0)
    return Code((0, *(0 if i in numbers else 3 for i in range(1, last + 1))), 3)


def _numbers(given: Iterable[int]) -> set[int]:
    numbers = listed(given, "numbers of tokens")
    return {whole_number(x, "expected a number of tokens", 1, MAX_TAKEN) for x in numbers}
