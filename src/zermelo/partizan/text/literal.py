"""Literal forms: games as they are written, before anything is simplified.

A value is a game up to equality; a literal form is the game itself. ``{*|*}`` and ``{|}`` are
different forms, though both have the value 0. A form is a set of Left options and a set of
Right options. Sums, negatives and differences are those of the definitions [Sleator2001]:

    G + H = {Gᴸ + H, G + Hᴸ | Gᴿ + H, G + Hᴿ},    −G = {−Gᴿ | −Gᴸ},    G − H = G + (−H)

A name in a text (``3``, ``1/2``, ``*2``, ``^``) stands for its canonical form. Forms that occur
several times are stored once, so a sum of forms with m and n positions has at most m·n positions.
This is known before it is computed, and too large a sum is refused. No recursion.
"""

import hashlib
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, NoReturn, TypeVar

from zermelo._inputs.values import shown
from zermelo.errors import InvalidOptionError, LimitError, UndefinedError
from zermelo.partizan.analysis import uptimal
from zermelo.partizan.dyadic import as_integer
from zermelo.partizan.store import STORE
from zermelo.partizan.text.notation import read
from zermelo.partizan.text.parser import UnknownName
from zermelo.partizan.value import Value, short, value

LIMIT = 100_000
"""The largest number of positions and options of a form."""
COPIES = 1_000
"""The most copies of a form that are added."""

P = TypeVar("P", bound=Hashable)

_IDS: dict[bytes, int] = STORE.memo()
_CANONICAL: dict[bytes, bool] = STORE.memo()


class Literal:
    """A game as it is written: its Left options and its Right options, which are forms, too.

    Equal forms (``==``) have the same options; forms of equal value may differ.

    >>> form = literal("{0|1} + {0|1}")
    >>> print(form, form.value, form == literal("1"))
    {1/2|{1/2,1|2}} 1 False
    >>> print(*form.right[0].summands, form.positions)
    1 1/2 6
    """

    __slots__ = ("digest", "left", "right", "summands")

    left: tuple["Literal", ...]
    right: tuple["Literal", ...]
    digest: bytes
    summands: tuple["Literal", ...]

    def __init__(
        self,
        left: Iterable["Literal"] = (),
        right: Iterable["Literal"] = (),
        summands: tuple["Literal", ...] = (),
    ) -> None:
        """The form {left | right}; ``summands`` says of which forms it is the sum."""
        sides = [_options(side) for side in (left, right)]
        parts = (b"".join(sorted(x.digest for x in side)) for side in sides)
        key = b"".join(hashlib.blake2b(part, digest_size=16).digest() for part in parts)
        object.__setattr__(self, "left", sides[0])
        object.__setattr__(self, "right", sides[1])
        object.__setattr__(self, "digest", hashlib.blake2b(key, digest_size=16).digest())
        object.__setattr__(self, "summands", summands or (self,))

    def __setattr__(self, name: str, _: object) -> NoReturn:
        raise AttributeError(f"a Literal is immutable: {name!r} cannot be set")

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Literal) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    # Arithmetic

    def __add__(self, other: object) -> "Literal":
        if not isinstance(other, Literal | Value | int | str):
            return NotImplemented
        return add(self, literal(other))

    def __radd__(self, other: object) -> "Literal":
        return NotImplemented if not isinstance(other, Value | int | str) else literal(other) + self

    def __neg__(self) -> "Literal":
        return negate(self)

    def __sub__(self, other: object) -> "Literal":
        if not isinstance(other, Literal | Value | int | str):
            return NotImplemented
        return self + -literal(other)

    def __rsub__(self, other: object) -> "Literal":
        return NotImplemented if not isinstance(other, Value | int | str) else literal(other) - self

    # What it is

    @property
    def value(self) -> Value:
        """The value of the form."""
        return Value(identify(self))

    @property
    def is_canonical(self) -> bool:
        """Whether no option of any position is dominated or reversible.

        >>> literal("{0|1}").is_canonical, literal("{0,-1|1}").is_canonical
        (True, False)
        """
        identify(self)
        return _CANONICAL[self.digest]

    @property
    def positions(self) -> int:
        """The number of different positions of the form, itself included."""
        return len(subforms(self))

    # Text

    @property
    def text(self) -> str:
        """The form on one line; ``literal`` reads it back."""
        from zermelo.partizan.text.literal_text import flat_text

        return flat_text(self)

    def definitions(self, most: int | None = None) -> list[str]:
        """The form as lines ``G = {A|B}``, ``A = {…}``; a form that occurs often has a letter."""
        from zermelo.partizan.text.literal_text import definitions

        return definitions(self, most)

    def __str__(self) -> str:
        from zermelo.partizan.text.literal_text import readable

        return readable(self)

    def __repr__(self) -> str:
        from zermelo.partizan.text.literal_text import flat_length

        if flat_length(self) <= 80:
            return f"Literal({self.text!r})"
        return f"Literal({self.positions:,} positions)"

    def __reduce__(self) -> tuple[Any, ...]:
        return literal, (self.text,)


def _options(side: Iterable[Literal]) -> tuple[Literal, ...]:
    """Options without repetitions."""
    if isinstance(side, str) or not isinstance(side, Iterable):
        raise InvalidOptionError(f"expected the options of a player, got {shown(side)}")
    options = tuple(side)
    for x in options:
        if not isinstance(x, Literal):
            raise InvalidOptionError(f"expected options that are forms, got {shown(x)}")
    return tuple(dict.fromkeys(options))


def literal(x: Any) -> Literal:
    """The literal form of a text, of a number, or of a value (its canonical form).

    >>> print(literal("{*|*}"), literal("{*|*}").value, literal("- {0,1|}"))
    {*|*} 0 {|0,-1}
    >>> literal("1000000000")
    Traceback (most recent call last):
    zermelo.errors.LimitError: written out, this form has more than 100,000 positions and options
    """
    if isinstance(x, Literal):
        return x
    if not isinstance(x, str):
        v = value(x)
        return of_value(_loopfree(v).id)
    with STORE.bounded():
        try:
            return read(x, _Forms())
        except UnknownName:
            return of_value(_loopfree(value(x)).id)  # a loopy value, or an error in the text


def _loopfree(v: Any) -> Value:
    if not isinstance(v, Value):
        raise UndefinedError(
            f"{v} is a loopy value: play may be infinite, so no finite form can be written; "
            "zm.value says who wins"
        )
    return short(v)


def literal_sum(*summands: Any) -> Literal:
    """The sum of forms, texts, values and numbers by the definition, before it is simplified.

    >>> g = literal_sum("{0|1}", "{0|1}", -1)
    >>> [" + ".join(map(str, x.summands)) for x in g.left]
    ['1/2 + -1']
    >>> print(g.value)
    0
    """
    total = literal(0)
    for x in summands:
        total = add(total, literal(x))
    return total


def summands_of(text: str) -> tuple[Literal, ...]:
    """The summands of a text, each as a literal form; their sum is not computed.

    >>> print(*summands_of("{0|1} + 2.{1|0} - 1"))
    1/2 {1|0} {1|0} -1
    """
    with STORE.bounded():
        return read(text, _Summands())


def subforms(form: Literal) -> dict[Literal, int]:
    """All positions of a form, options first, numbered.

    >>> [str(x) for x in subforms(literal("{0|1}"))]
    ['0', '1', '1/2']
    """
    place: dict[Literal, int] = {}
    stack = [form]
    # Invariant: a form on the stack is an option of a form below it; it stays until all its options
    # have their places.
    while stack:
        x = stack[-1]
        if x in place:
            stack.pop()
            continue
        missing = [y for y in (*x.left, *x.right) if y not in place]
        if missing:
            stack += reversed(missing)
            continue
        place[x] = len(place)
        stack.pop()
    return place


def _size(forms: Iterable[Literal]) -> tuple[int, int]:
    """The number of forms, and of all their options."""
    forms = list(forms)
    return len(forms), sum(len(x.left) + len(x.right) for x in forms)


def identify(form: Literal) -> int:
    """The id of the value of a form; also finds whether its positions are canonical forms."""
    if form.digest in _IDS:
        return _IDS[form.digest]
    with STORE.bounded():
        for x in subforms(form):
            if x.digest in _IDS:
                continue
            left, right = ([_IDS[y.digest] for y in side] for side in (x.left, x.right))
            v = STORE.make(left, right)
            canonical = all(_CANONICAL[y.digest] for y in (*x.left, *x.right))
            if canonical:
                same = set(left) == set(STORE.left(v)), set(right) == set(STORE.right(v))
                canonical = all(same)
            _IDS[x.digest], _CANONICAL[x.digest] = v, canonical
    return _IDS[form.digest]


# -------------------------------------------------------------------- the operations


def add(a: Literal, b: Literal) -> Literal:
    """The sum by the definition; its size is estimated first."""
    first, second = subforms(a), subforms(b)
    (m, k), (n, j) = _size(first), _size(second)
    if m * n + k * n + m * j > LIMIT:
        raise LimitError(
            f"the literal sum has up to {m * n:,} positions with {k * n + m * j:,} options; "
            f"at most {LIMIT:,} of both are written out; zm.value gives its value"
        )
    sums: dict[tuple[Literal, Literal], Literal] = {}
    for x in first:
        for y in second:
            sums[x, y] = _sum(x, y, sums)
    return sums[a, b]


def _sum(x: Literal, y: Literal, sums: dict[tuple[Literal, Literal], Literal]) -> Literal:
    """The sum of two positions; the sums of their options are known. G + {|} is G itself."""
    if not (y.left or y.right):
        return x
    if not (x.left or x.right):
        return y
    return Literal(
        [*(sums[z, y] for z in x.left), *(sums[x, z] for z in y.left)],
        [*(sums[z, y] for z in x.right), *(sums[x, z] for z in y.right)],
        (*x.summands, *y.summands),
    )


def negate(form: Literal) -> Literal:
    """The negative: Left and Right are exchanged in every position."""
    return _negative(form, {})


def _negative(form: Literal, minus: dict[Literal, Literal]) -> Literal:
    """The negative of a form; ``minus`` has the negatives that are known."""
    for x in subforms(form):
        if x in minus:
            continue
        summands: tuple[Literal, ...] = ()
        if len(x.summands) > 1:  # a summand is not a sum, so the recursion ends at once
            summands = tuple(_negative(y, minus) for y in x.summands)
        minus[x] = Literal([minus[y] for y in x.right], [minus[y] for y in x.left], summands)
    return minus[form]


def write_form(
    root: P, left: Callable[[P], Iterable[P]], right: Callable[[P], Iterable[P]]
) -> Literal:
    """The form of a position of any game without cycles, from its options.

    >>> print(write_form(2, lambda n: [n - 1] if n else [], lambda n: []))
    2
    """
    made: dict[P, Literal] = {}
    open_: dict[P, tuple[list[P], list[P]]] = {}
    stack, size = [root], 0
    # Invariant: the open positions are on the stack; each one is an option of the open position
    # before it, or waits beside such an option.
    while stack:
        p = stack[-1]
        if p in made:
            stack.pop()
            continue
        if p not in open_:
            open_[p] = list(left(p)), list(right(p))
            missing = [q for side in open_[p] for q in side if q not in made]
            if any(q in open_ for q in missing):
                raise UndefinedError(
                    "play can return to a position, so no finite form can be written"
                )
            size += 1 + len(open_[p][0]) + len(open_[p][1])
            if size > LIMIT:
                raise too_large()
            if missing:
                stack += reversed(missing)
                continue
        sides = open_.pop(p)
        made[p] = Literal([made[q] for q in sides[0]], [made[q] for q in sides[1]])
        stack.pop()
    return made[root]


def of_value(v: int) -> Literal:
    """The canonical form of a value.

    >>> print(of_value(STORE.number(3, 1)))
    3/2
    """
    if STORE.birthday(v) > LIMIT:
        raise too_large()
    return write_form(v, STORE.left, STORE.right)


def too_large() -> LimitError:
    """The error for a form that is too large to write out."""
    return LimitError(f"written out, this form has more than {LIMIT:,} positions and options")


class _Forms:
    """Literal forms as an algebra for the parser of notation."""

    def number_up_star(self, numerator: int, exponent: int, up: int, star: int) -> Literal:
        return of_value(STORE.number_up_star(numerator, exponent, up, star))

    def power(self, n: int) -> Literal:
        return of_value(uptimal.power(n))

    def power_sum(self, n: int) -> Literal:
        return of_value(uptimal.power_sum(n))

    def make(self, left: Sequence[Literal], right: Sequence[Literal]) -> Literal:
        return Literal(left, right)

    def add(self, a: Literal, b: Literal) -> Literal:
        return add(a, b)

    def negate(self, a: Literal) -> Literal:
        return negate(a)

    def product(self, a: Literal, b: Literal) -> Literal:
        """The sum of n copies, for an integer n."""
        for factor, form in ((a, b), (b, a)):
            n = integer(factor)
            if n is not None:
                return literal_sum(*[form if n > 0 else negate(form)] * abs(n))
        raise not_an_integer()


def integer(form: Literal) -> int | None:
    """The integer n of a form that is the canonical form of n, for n copies; else None."""
    n = as_integer(identify(form)) if form.is_canonical else None
    if n is not None and abs(n) > COPIES:
        raise LimitError(f"expected at most {COPIES:,} copies of a form, got {n:,}")
    return n


def not_an_integer() -> UndefinedError:
    """The error for a product that is not a sum of copies."""
    return UndefinedError("expected an integer factor, because other products have no options")


class _Summands:
    """Sums of literal forms as an algebra for the parser; a sum is computed only in braces."""

    def __init__(self) -> None:
        self.forms = _Forms()

    def number_up_star(
        self, numerator: int, exponent: int, up: int, star: int
    ) -> tuple[Literal, ...]:
        return (self.forms.number_up_star(numerator, exponent, up, star),)

    def power(self, n: int) -> tuple[Literal, ...]:
        return (self.forms.power(n),)

    def power_sum(self, n: int) -> tuple[Literal, ...]:
        return (self.forms.power_sum(n),)

    def make(
        self, left: Sequence[tuple[Literal, ...]], right: Sequence[tuple[Literal, ...]]
    ) -> tuple[Literal, ...]:
        return (Literal([literal_sum(*x) for x in left], [literal_sum(*x) for x in right]),)

    def add(self, a: tuple[Literal, ...], b: tuple[Literal, ...]) -> tuple[Literal, ...]:
        return a + b

    def negate(self, a: tuple[Literal, ...]) -> tuple[Literal, ...]:
        return tuple(map(negate, a))

    def product(self, a: tuple[Literal, ...], b: tuple[Literal, ...]) -> tuple[Literal, ...]:
        """The summands of n copies, for an integer n."""
        for factor, terms in ((a, b), (b, a)):
            n = integer(literal_sum(*factor))
            if n is not None:
                return (terms if n > 0 else self.negate(terms)) * abs(n)
        raise not_an_integer()
