"""The two forms in which ``moves`` may be written; callers use both in the same way.

The *plain form* ``moves(position)`` gives the positions that one move leads to. The *fill form*
``moves(position, out)`` puts them into an array and returns how many they are; that is what
machine code can do, so rules with it are compiled rules. When a class is defined,
:func:`complete` finds out which form it has. A class with the fill form gets both: a call with one
argument gives the positions. The compiler takes the function that was written
(:func:`zermelo._runtime.compiled.source.written`), so the second form costs compiled code nothing.
"""

import functools
import inspect
from typing import Any

import numpy as np

from zermelo._inputs.values import shown
from zermelo._runtime.compiled.source import WRITTEN, written
from zermelo.rules.faults import LACKS_MOST_MOVES, integer, wrong


def is_fill_form(member: Any, *, of_class: bool = True) -> bool:
    """Whether a ``moves`` must be called with a position and an array to fill.

    ``of_class`` where it was taken from a class, and its first argument is ``self``.

    >>> is_fill_form(lambda self, position: []), is_fill_form(lambda self, position, out: 0)
    (False, True)
    """
    member = written(member)
    alone = isinstance(member, staticmethod) or not of_class
    member = getattr(member, "__func__", member) if isinstance(member, staticmethod) else member
    if not callable(member):
        return False
    try:
        parameters = inspect.signature(member).parameters.values()
    except (TypeError, ValueError):  # something that is not written in Python
        return False
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [x for x in parameters if x.kind in positional and x.default is x.empty]
    return len(needed) == (2 if alone else 3)


def complete(kind: Any, compiled: Any) -> None:
    """Make a class whose ``moves`` has the fill form one of compiled rules, with both forms.

    ``compiled`` is the class of compiled rules. A class that derives from it already keeps its
    bases; any other gets it as one more base, behind its own.
    """
    member = inspect.getattr_static(kind, "moves", None)
    if not is_fill_form(member):
        return
    from zermelo._runtime.compiled.source import (
        remember,  # when needed, since starting is to be fast
    )

    remember(kind)  # the text of the file, as long as it is what was imported
    if not hasattr(member, WRITTEN):
        kind.moves = _in_both_forms(member)
    if compiled not in kind.__mro__:  # issubclass() would remember its answer of today
        root = compiled.__bases__[0]
        behind = 1 + max(k for k, base in enumerate(kind.__bases__) if root in base.__mro__)
        bases = (*kind.__bases__[:behind], compiled, *kind.__bases__[behind:])
        kind.__bases__ = tuple(base for base in bases if base is not root)


def _in_both_forms(member: Any) -> Any:
    """A ``moves`` that fills an array, extended by calls with a position alone."""
    alone = isinstance(member, staticmethod)
    fill = member.__func__ if alone else member

    def moves(self: Any, *given: Any, **named: Any) -> Any:
        call = fill if alone else functools.partial(fill, self)
        if len(given) + len(named) == 1:
            return positions_filled(self, call, *given, *named.values())
        return call(*given, **named)

    functools.update_wrapper(moves, fill)
    if alone:
        del moves.__wrapped__  # type: ignore[attr-defined]  # it has no self
    setattr(moves, WRITTEN, member)
    return moves


def positions_filled(rules: Any, fill: Any, position: Any) -> list[int]:
    """The positions that a ``moves`` in the fill form gives for one, in its order, with repeats.

    >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
    >>> rules = TicTacToe()
    >>> len(positions_filled(rules, rules.moves, rules.start()))
    9
    """
    most: Any = getattr(rules, "most_moves", None)
    if not integer(most):
        found = f"most_moves: expected an integer, got {shown(most)}"
        raise wrong(rules, "", LACKS_MOST_MOVES if most is None else found)
    out = np.zeros(max(1, most), np.int64)
    count = fill(position, out)
    if not integer(count):
        message = f"expected the number of positions that out was filled with, got {shown(count)}"
        raise wrong(rules, "moves", message, position)
    if not 0 <= count <= out.size:
        message = f"expected at most {out.size} moves (most_moves), got {count}"
        raise wrong(rules, "moves", message, position)
    return out[:count].tolist()  # type: ignore[no-any-return]
