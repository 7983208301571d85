"""What all explanations have in common: sentences, plain data, and a page for notebooks."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any

from zermelo._inputs import page
from zermelo.solutions.answers import Line
from zermelo.trace.steps.base import plain_record

MOST_NAMES = 12
"""The number of positions of a set that a sentence names."""
MOST_OF_LINE = 24
"""The number of positions of a play that a sentence shows."""


class Explanation(ABC):
    """Why a position has its answer; made by :func:`zermelo.explain`.

    ``str()`` gives the sentences, of which the first is the answer and the others are the reasons.
    """

    position: Hashable

    @abstractmethod
    def sentences(self) -> tuple[str, ...]:
        """The answer, and the reasons for it."""

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data (JSON types)."""
        return plain_record(self, sentences=list(self.sentences()))

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def _repr_html_(self) -> str:
        """What a notebook shows: a line for each sentence."""
        return page.block(*(page.caption(x, 2_000) for x in self.sentences()))


def play_text(line: Line) -> str:
    """A play as text: the positions that it repeats for ever are in parentheses.

    >>> line = Line("vabcb")
    >>> line.cycle = 2
    >>> play_text(line), play_text(Line("ab"))
    ('v → a → (b → c)', 'a → b')
    """
    names = [str(x) for x in line]
    if line.cycle is None:
        return _cut(names)
    before, cycle = names[: line.cycle], names[line.cycle : -1]
    return " → ".join([*([_cut(before)] if before else []), f"({_cut(cycle)})"])


def rolled(line: Line) -> Line:
    """The same infinite play, written so that its cycle begins as early as possible.

    >>> line = Line("abcb")
    >>> line.cycle = 1
    >>> line = rolled(line)
    >>> list(line), line.cycle
    (['a', 'b', 'c', 'b'], 1)
    >>> line = Line("abcbcb")
    >>> line.cycle = 3
    >>> rolled(line).cycle
    1
    """
    if line.cycle is None:
        return line
    before, cycle = list(line[: line.cycle]), list(line[line.cycle : -1])
    while before and before[-1] == cycle[-1]:
        cycle = [before.pop(), *cycle[:-1]]
    found = Line([*before, *cycle, cycle[0]])
    found.cycle = len(before)
    return found


def _cut(names: list[str]) -> str:
    """The first and the last names of a long play."""
    half = MOST_OF_LINE // 2
    if len(names) > MOST_OF_LINE:
        names = [*names[:half], f"… ({len(names) - 2 * half:,} more) …", *names[-half:]]
    return " → ".join(names)


def some(names: Sequence[object], last: str = "and") -> str:
    """Names in a sentence; those after the first few are counted.

    >>> some("a"), some("abc")
    ('a', 'a, b and c')
    >>> some(range(20))
    '0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 8 more'
    """
    shown = [str(x) for x in names[:MOST_NAMES]]
    if len(names) > MOST_NAMES:
        return f"{', '.join(shown)} and {len(names) - MOST_NAMES:,} more"
    return f" {last} ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


def count(k: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "time"), count(1200, "position")
    ('1 time', '1,200 positions')
    """
    return f"{k:,} {noun}{'' if k == 1 else 's'}"
