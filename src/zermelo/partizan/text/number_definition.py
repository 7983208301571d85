"""Is a form a number? The definition of [Sleator2001] as it stands, position by position.

A form G = {Gᴸ | Gᴿ} is a number if all its options are numbers and max Gᴸ < min Gᴿ, where a maximum
or minimum of nothing is −∞ or ∞. Its number is then the simplest one between the two. The condition
is about the form as it is written: {∗|∗} is not a number, because its option ∗ is not, though its
*value* is the number 0. Time O(positions + options) and a comparison of fractions for each.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from zermelo._inputs import page
from zermelo.partizan.numbers import simplest_number
from zermelo.partizan.text.literal import Literal, literal, subforms
from zermelo.partizan.text.literal_text import FLAT, braced, flat_length
from zermelo.partizan.value import Value

WIDE = 80
"""A longer form is called "this form" in a sentence."""


@dataclass(frozen=True)
class NumberTest:
    """Whether a form is a number by the definition; true (``bool``) if it is.

    If it is not, ``position`` is the place where the definition fails: all its options are numbers,
    but its option ``left``, whose number is ``left_number``, is not less than its option ``right``.
    ``moves`` leads there from the form: pairs of a player and the form after the move.
    """

    form: Literal
    number: Fraction | None
    moves: tuple[tuple[str, Literal], ...] = ()
    position: Literal | None = None
    left: Literal | None = None
    right: Literal | None = None
    left_number: Fraction | None = None
    right_number: Fraction | None = None

    def __bool__(self) -> bool:
        return self.number is not None

    @property
    def value(self) -> Value:
        """The value of the form; it may be a number even if the form is not."""
        return self.form.value

    def __str__(self) -> str:
        form = form_text(self.form, "this form")
        if self.number is not None:
            return (
                f"Yes: {form} is the number {self.number}, because in each of its positions every "
                "Left option is less than every Right option."
            )
        assert self.left is not None
        assert self.right is not None
        path = "".join(
            f"{', and then' if k else 'after'} {player} moves to {form_text(x, 'a longer form')}"
            for k, (player, x) in enumerate(self.moves)
        )
        pair = [
            text if text == str(x) else f"{text} = {x}"
            for text, x in (
                (form_text(self.left, "a form", top=False), self.left_number),
                (form_text(self.right, "a form", top=False), self.right_number),
            )
        ]
        return (
            f"No: {form} is not a number, because {path}{', ' if path else ''}Left's option "
            f"{pair[0]} is not less than Right's option {pair[1]}. {self._value_sentence()}"
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the answer in a sentence."""
        return page.block(page.caption(self, 1_000))

    def _value_sentence(self) -> str:
        value = self.value
        if value.is_number:
            form = form_text(literal(value), "the canonical form")
            return (
                f"Its value is the number {value} all the same: it equals {form}, which is a "
                "number by the definition."
            )
        return f"Its value is not a number either: it is {value}."

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain data (JSON types).

        >>> is_number("{0|1}").to_dict()["number"]
        '1/2'
        """
        return {
            "form": braced_text(self.form),
            "is_number": bool(self),
            "number": None if self.number is None else str(self.number),
            "value": str(self.value),
            "value_is_number": self.value.is_number,
            "moves": [{"player": player, "to": _text(x)} for player, x in self.moves],
            "position": None if self.position is None else braced_text(self.position),
            "left": _text(self.left),
            "right": _text(self.right),
            "left_number": None if self.left_number is None else str(self.left_number),
            "right_number": None if self.right_number is None else str(self.right_number),
        }


def form_text(form: Literal, otherwise: str, *, top: bool = True) -> str:
    """The text of a form for a sentence, with braces at its top; a long form is only mentioned.

    >>> form_text(literal("1/2"), "a form"), form_text(literal("1/2"), "a form", top=False)
    ('{0|1}', '1/2')
    """
    if flat_length(form) > WIDE:
        return otherwise
    return braced(form) if top else form.text


def braced_text(form: Literal) -> str:
    """The text of a form with braces at its top, or the definitions of a long form.

    >>> braced_text(literal("*"))
    '{0|0}'
    """
    return braced(form) if flat_length(form) <= FLAT else str(form)


def _text(form: Literal | None) -> str | None:
    return None if form is None else str(form)


def is_number(form: Any) -> NumberTest:
    """Whether a form is a number by the definition, and if not, where it fails.

    ``form`` is a literal form, or a text that is read as one; of a value the canonical form is
    meant.

    >>> print(is_number("{0|1}"))
    Yes: {0|1} is the number 1/2, because in each of its positions every Left option is less than \
every Right option.
    >>> print(is_number("{1|{0|0}}"))
    No: {1|*} is not a number, because after Right moves to {0|0}, Left's option 0 is not less \
than Right's option 0. Its value is not a number either: it is {1|*}.
    >>> print(is_number("{*|*}"))
    No: {*|*} is not a number, because after Left moves to {0|0}, Left's option 0 is not less \
than Right's option 0. Its value is the number 0 all the same: it equals {|}, which is a number \
by the definition.
    """
    form = literal(form)
    numbers: dict[Literal, Fraction | None] = {}
    for x in subforms(form):
        numbers[x] = _number(x, numbers)
    if (number := numbers[form]) is not None:
        return NumberTest(form, number)
    came_from: dict[Literal, tuple[str, Literal] | None] = {form: None}
    for x in (queue := [form]):
        failing = [
            (player, y)
            for player, side in (("Left", x.left), ("Right", x.right))
            for y in side
            if numbers[y] is None
        ]
        if not failing:
            break
        for player, y in failing:
            if y not in came_from:
                came_from[y] = player, x
                queue.append(y)
    # The loop ends at a break: a form that is not a number has a position that fails by itself.
    left = max(x.left, key=lambda y: numbers[y] or 0)
    right = min(x.right, key=lambda y: numbers[y] or 0)
    moves, at = [], x
    while (step := came_from[at]) is not None:
        moves.append((step[0], at))
        at = step[1]
    return NumberTest(
        form, None, tuple(reversed(moves)), x, left, right, numbers[left], numbers[right]
    )


def _number(x: Literal, numbers: dict[Literal, Fraction | None]) -> Fraction | None:
    """The number of a form whose options have been looked at; None if it is not a number."""
    left, right = ([numbers[y] for y in side] for side in (x.left, x.right))
    if None in left or None in right:
        return None
    low = max((y for y in left if y is not None), default=None)
    high = min((y for y in right if y is not None), default=None)
    if low is not None and high is not None and low >= high:
        return None
    return simplest_number(low, high)
