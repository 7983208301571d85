"""The simplification of a form as a film: each option that is removed or replaced, and why.

The positions of the form come one after the other, options first. The options of a position are
in canonical form when its turn comes. Then three rules apply ([Siegel2013] §II.2):

- *equal*: options of the same value are one option;
- *dominated*: a Left option X is removed if another Left option is at least X; a Right option X if
  another Right option is at most X;
- *reversible*: a Left option X is replaced by the Left options of an answer Xᴿ ≤ G; a Right option
  X by the Right options of an answer Xᴸ ≥ G.

When no rule applies, the position is in canonical form. Positions whose options have the same
values are simplified once.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from zermelo._inputs.values import shown as quoted
from zermelo.errors import UndefinedError
from zermelo.partizan.loopy.value import LoopyValue
from zermelo.partizan.store import STORE
from zermelo.partizan.text.literal import Literal, identify, literal, subforms
from zermelo.partizan.text.number_definition import form_text
from zermelo.partizan.text.spelling import in_order, spell
from zermelo.partizan.value import Value

Ids = tuple[int, ...]


@dataclass(frozen=True)
class FormStep:
    """One step: in ``position`` the ``player``'s ``option`` is changed by a rule.

    ``rule`` is "equal", "dominated" or "reversible". ``by`` is the option that dominates it, or the
    answer by which it is reversible. ``gained`` are the options that replace a reversible one.
    ``before`` and ``after`` are the position as text.
    """

    position: Literal
    player: str
    rule: str
    option: Value
    by: Value | None
    gained: tuple[Value, ...]
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.before}: {self.reason}. This leaves {self.after}."

    @property
    def reason(self) -> str:
        """What happens to the option, and why."""
        left = self.player == "Left"
        who, option = f"{self.player}'s", self.option
        if self.rule == "equal":
            return f"several of {who} options are equal to {option}, and one of them is kept"
        if self.rule == "dominated":
            return (
                f"{who} option {option} is dominated by {self.by}, which is at least as good for "
                f"{self.player}, so it is removed"
            )
        other, relation = ("Right", "at most") if left else ("Left", "at least")
        new = ", ".join(map(str, self.gained)) or "there are none"
        return (
            f"{who} option {option} is reversible, because {other} can answer with {self.by}, "
            f"which is {relation} the position itself; it is replaced by {who} options of "
            f"{self.by}: {new}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The step as plain data (JSON types)."""
        return {
            "before": self.before,
            "player": self.player,
            "rule": self.rule,
            "option": str(self.option),
            "by": None if self.by is None else str(self.by),
            "gained": list(map(str, self.gained)),
            "after": self.after,
        }


@dataclass(frozen=True)
class FormTrace:
    """The steps from a literal form to its canonical form, in order.

    >>> print(simplification("{0,-1|1}"))
    {0,-1|1}: Left's option -1 is dominated by 0, which is at least as good for Left, so it is \
removed. This leaves {0|1}.
    The canonical form is 1/2.
    """

    form: Literal
    steps: tuple[FormStep, ...]

    @property
    def value(self) -> Value:
        """The value of the form."""
        return self.form.value

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[FormStep]:
        return iter(self.steps)

    def __getitem__(self, k: int) -> FormStep:
        return self.steps[k]

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        if not self.steps:
            return f"{form_text(self.form, 'The form')} is in canonical form: {self.value}."
        return "\n".join([*map(str, self.steps), f"The canonical form is {self.value}."])

    def __repr__(self) -> str:
        return f"FormTrace({len(self):,} step{'' if len(self) == 1 else 's'} to {self.value})"

    def _repr_html_(self) -> str:
        """What a notebook shows: a table of the steps."""
        from zermelo.partizan.page import form_trace_page

        return form_trace_page(self)


def simplification(form: Any) -> FormTrace:
    """The steps that bring a form into canonical form; a text is read as a literal form.

    >>> for step in simplification("{*|*}"):
    ...     print(step.player, step.rule, step.option, step.by, step.after)
    Left reversible * 0 {|*}
    Right reversible * 0 {|}
    """
    form = literal(form)
    identify(form)
    steps: list[FormStep] = []
    seen = set()
    for x in subforms(form):
        options = tuple(tuple(map(identify, side)) for side in (x.left, x.right))
        if options not in seen:  # else the steps are the same as for an earlier position
            steps += _steps(x)
        seen.add(options)
    return FormTrace(form, tuple(steps))


def is_partizan(x: object) -> bool:
    """Whether something is a value or a literal form.

    >>> is_partizan(literal("{0|1}")), is_partizan("{0|1}")
    (True, False)
    """
    return isinstance(x, Literal | Value | LoopyValue)


def trace_of(x: Literal | Value | LoopyValue) -> FormTrace:
    """The simplification of a form; a loopy value is refused.

    >>> print(trace_of(Value.from_number(2)))
    {1|} is in canonical form: 2.
    """
    if isinstance(x, LoopyValue):
        raise UndefinedError(
            f"the loopy value {quoted(str(x))} has no trace, because its simplest form is not "
            "found by removing options one by one; explain() says who wins"
        )
    return simplification(x)


def _steps(x: Literal) -> Iterator[FormStep]:
    """The steps in one position, whose options are taken in canonical form."""
    g = identify(x)
    given = [[identify(y) for y in side] for side in (x.left, x.right)]
    sides = [list(dict.fromkeys(side)) for side in given]

    def step(
        side: int, rule: str, option: int, by: int | None, gained: Ids, before: str
    ) -> FormStep:
        return FormStep(
            x, ("Left", "Right")[side], rule, Value(option), None if by is None else Value(by),
            tuple(map(Value, gained)), before, _text(sides),
        )  # fmt: skip

    for k in (0, 1):
        for option in dict.fromkeys(y for y in given[k] if given[k].count(y) > 1):
            before = _text([given[0] if k == 0 else sides[0], given[1]])
            yield step(k, "equal", option, None, (), before)
    while (change := _change(g, sides)) is not None:
        k, rule, option, by = change
        before = _text(sides)
        gained: Ids = ()
        place = sides[k].index(option)
        if rule == "reversible":
            gained = tuple(in_order((STORE.left, STORE.right)[k](by)))
        sides[k] = list(dict.fromkeys([*sides[k][:place], *gained, *sides[k][place + 1 :]]))
        yield step(k, rule, option, by, gained, before)


def _change(g: int, sides: list[list[int]]) -> tuple[int, str, int, int] | None:
    """The next option that is dominated or else reversible: side, rule, option, and by what."""
    orders: tuple[Callable[[int, int], bool], ...] = (STORE.le, lambda a, b: STORE.le(b, a))
    for k, worse in enumerate(orders):
        for x in sides[k]:
            for y in sides[k]:
                if x != y and worse(x, y):
                    return k, "dominated", x, y
    for k, worse in enumerate(orders):
        for x in sides[k]:
            for y in in_order((STORE.right, STORE.left)[k](x)):
                if worse(y, g):
                    return k, "reversible", x, y
    return None


def _text(sides: list[list[int]]) -> str:
    """A position with options in canonical form, as text."""
    left, right = (",".join(map(spell, side)) for side in sides)
    return f"{{{left}|{right}}}"
