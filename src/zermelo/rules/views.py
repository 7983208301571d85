"""Compiled rules in the form that a kernel needs: with additional members, or with other ones.

A template calls the same names for all games: the ``key`` of a position, its ``slot`` in the
arrays, whether the player ``turns`` after a move. A *view* is the rules object with such members,
added by classes that come first in the order of inheritance; :func:`~zermelo._runtime.bind.bind`
then finds them like any other method.
"""

import functools
from typing import Any, TypeVar
from weakref import ref

from zermelo._kernels.positions import EMPTY, find, home
from zermelo._runtime.jit import prefetch
from zermelo.rules.compiled import CompiledRules

R = TypeVar("R", bound=CompiledRules)


class Unreduced:
    """No symmetry."""

    def canonical(self, position: int) -> int:
        """The position itself."""
        return position

    def orbit(self, position: int) -> int:
        """Every position stands for itself alone."""
        return 1


class Indexed:
    """Arrays with one element for each index; ``keys`` is empty."""

    def key(self, position: int) -> int:
        """The key of a position is its index."""
        return self.rank(position)  # type: ignore[attr-defined,no-any-return]

    def ask(self, keys: Any, entry: Any, key: int) -> None:
        """Prefetch the memory that the next step needs."""
        prefetch(entry, key)

    def slot(self, keys: Any, key: int) -> int:
        """The element of the arrays that belongs to a key."""
        return key

    def slots(self, keys: Any, entry: Any, near: Any, filled: int) -> None:
        """Replace keys by their slots, keeping ``~``: here they are the same."""

    def position_at(self, keys: Any, slot: int) -> int:
        """The position at a slot, negative if there is none."""
        return self.unrank(slot)  # type: ignore[attr-defined,no-any-return]


class Hashed:
    """Arrays with one element for each slot of the hash table ``keys``."""

    def key(self, position: int) -> int:
        """The key of a position is its canonical form."""
        return self.canonical(position)  # type: ignore[attr-defined,no-any-return]

    def ask(self, keys: Any, entry: Any, key: int) -> None:
        """Prefetch the memory that the next step needs."""
        prefetch(keys, home(keys, key))

    def slot(self, keys: Any, key: int) -> int:
        """The element of the arrays that belongs to a key, −1 if there is none."""
        return find(keys, key)

    def slots(self, keys: Any, entry: Any, near: Any, filled: int) -> None:
        """Replace keys by their slots, keeping ``~``; EMPTY where there is none."""
        for x in range(filled):
            q = near[x]
            j = find(keys, q if q >= 0 else ~q)
            if j < 0:
                near[x] = EMPTY
            else:
                prefetch(entry, j)
                near[x] = j if q >= 0 else ~j

    def position_at(self, keys: Any, slot: int) -> int:
        """The position at a slot, negative if there is none."""
        return keys[slot]  # type: ignore[no-any-return]


class Alternating:
    """The players move in turn."""

    def turns(self, before: int, after: int) -> bool:
        """Whether the other player is to move after a move."""
        return True


class ByPlayer:
    """The rules say which player is to move."""

    def turns(self, before: int, after: int) -> bool:
        """Whether the other player is to move after a move."""
        return self.player(before) != self.player(after)  # type: ignore[attr-defined,no-any-return]


_views: dict[int, tuple[Any, dict[tuple[type, ...], Any]]] = {}
"""By the identity of the object: rules that are equal may still do different things."""


def view(rules: R, *classes: type) -> R:
    """The same rules with the members of ``classes`` before their own.

    >>> from zermelo.rules.boards.tictactoe import TicTacToe
    >>> rules = TicTacToe()
    >>> corner = rules.options(rules.start())[0]
    >>> rules.orbit(corner), view(rules, Unreduced).orbit(corner)
    (4, 1)
    """
    key = id(rules)
    if (found := _views.get(key)) is None or found[0]() is not rules:
        forget = _views.pop  # while Python ends, the global name may be gone
        found = _views[key] = ref(rules, lambda _: forget(key, None)), {}
    known = found[1]
    if classes not in known or not _same(vars(known[classes]), vars(rules)):
        made = object.__new__(_class(type(rules), classes))
        made.__dict__.update(rules.__dict__)
        known[classes] = made
    return known[classes]  # type: ignore[no-any-return]


def _same(held: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether the rules have the parameters that a view has."""
    return all(name in held and held[name] is x for name, x in now.items())


@functools.cache
def _class(base: type, classes: tuple[type, ...]) -> Any:
    return type(base.__name__, (*classes, base), {"__module__": base.__module__})
