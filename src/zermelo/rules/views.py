"""Compiled rules in the form that a kernel needs: with additional members, or with other ones.

A template calls the same names for all games: the ``key`` of a position, its ``slot`` in the
arrays, whether the player ``turns`` after a move. A *view* is the rules object with such members,
added by classes that come first in the order of inheritance;
:func:`~zermelo._runtime.compiled.bind.bind` then finds them like any other method.
"""

import contextlib
import functools
from types import MemberDescriptorType
from typing import Any, TypeVar
from weakref import ref

from zermelo._kernels.positions.hash_table import EMPTY, find, home, is_among, mark_of
from zermelo._runtime.compiled.instructions import prefetch
from zermelo.errors import InvalidRulesError
from zermelo.rules.compiled import MEMBERS, CompiledRules

R = TypeVar("R", bound=CompiledRules)

CALLS_GUARDED_MEMBERS = True
"""The results of members of rules that the methods here call are checked."""

CHUNK = 512
"""Keys handled at a time."""


class Unreduced:
    """No symmetry."""

    def canonical(self, position: int) -> int:
        """The position itself."""
        return position

    def orbit(self, position: int) -> int:
        """Every position stands for itself alone."""
        return 1


class Doubtful:
    """Positions come from a user or from a file and may be invalid, so every index is checked."""

    doubtful = True


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

    def position_of_key(self, key: int) -> int:
        """The position of a key, negative if there is none."""
        return self.unrank(key)  # type: ignore[attr-defined,no-any-return]


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

    def position_of_key(self, key: int) -> int:
        """The position of a key: the key itself."""
        return key


class EveryMove:
    """No move is left out when a wave goes back."""

    def skipped_by_wave(self, before: int, after: int) -> bool:
        """Whether a wave does not go back over this move."""
        return False

    def parts_before(self, table: Any, slot: int) -> int:
        """Into how many pieces the list of positions before a slot is divided."""
        return 1

    def enough(self) -> int:
        """The number of keys handled at a time: enough for prefetched memory to arrive."""
        return CHUNK


class PositionsBefore(EveryMove):
    """Predecessors are generated as positions; each of them has its key."""

    def list_before(
        self, table: Any, slot: int, piece: int, scratch: Any, filled: int, plan: Any
    ) -> int:
        """Add the keys of positions with a move to that of a slot to ``scratch.near``, each once.

        Returns the number of keys there. ``plan`` is ``(tier, mixed, turned)``: the position must
        be of the tier, and ``turned`` is 1 for moves that pass the turn, 0 for those that do not,
        −1 for all.
        """
        tier, _, turned = plan
        out, near = scratch.out, scratch.near
        p = self.position_at(table.keys, slot)  # type: ignore[attr-defined]
        if self.tier(p) != tier:  # type: ignore[attr-defined]
            return filled
        seen, first = 0, filled
        for k in range(self.unmoves(p, out)):  # type: ignore[attr-defined]
            b = out[k]
            if self.skipped_by_wave(b, p):
                continue
            if turned < 0 or self.turns(b, p) == (turned > 0):  # type: ignore[attr-defined]
                q = self.key(b)  # type: ignore[attr-defined]
                bit = mark_of(q)
                if not (seen & bit and is_among(near, first, filled, q)):
                    seen |= bit
                    self.ask(table.keys, table.entry, q)  # type: ignore[attr-defined]
                    near[filled] = q
                    filled += 1
        return filled


class IndicesBefore(EveryMove):
    """The rules give the indices of predecessors."""

    def list_before(
        self, table: Any, slot: int, piece: int, scratch: Any, filled: int, plan: Any
    ) -> int:
        """Add the indices of positions with a move to that of a slot to ``scratch.near``.

        ``plan`` is ``(tier, mixed, turned)``; where tiers are not ``mixed``, a slot among those of
        a tier belongs to it.
        """
        tier, mixed, turned = plan
        if turned == 0:
            return filled
        if mixed and self.tier(self.position_at(table.keys, slot)) != tier:  # type: ignore[attr-defined]
            return filled
        out, near = scratch.out, scratch.near
        count = self.unmoves_by_index(slot, out)  # type: ignore[attr-defined]
        for k in range(count):
            prefetch(table.entry, out[k])
            near[filled + k] = out[k]
        return filled + count  # type: ignore[no-any-return]


class StoredBefore(EveryMove):
    """The slots of the positions before one are stored in the table, at most CHUNK a piece."""

    def parts_before(self, table: Any, slot: int) -> int:
        """Into how many pieces the list of positions before a slot is divided."""
        return (table.ends[slot + 1] - table.ends[slot] + CHUNK - 1) // CHUNK  # type: ignore[no-any-return]

    def list_before(
        self, table: Any, slot: int, piece: int, scratch: Any, filled: int, plan: Any
    ) -> int:
        """Add the slots of positions with a move to that of a slot to ``scratch.near``."""
        near, turned = scratch.near, plan[2]
        start = table.ends[slot] + piece * CHUNK
        for x in range(start, min(start + CHUNK, table.ends[slot + 1])):
            b = table.back[x]
            if turned < 0 or (b >= 0) == (turned > 0):
                j = b if b >= 0 else ~b
                prefetch(table.entry, j)
                near[filled] = j
                filled += 1
        return filled

    def slots(self, keys: Any, entry: Any, near: Any, filled: int) -> None:
        """Replace keys by their slots: the list has slots already."""


class KeptMoves:
    """Moves that are conversions are left out when a wave goes back."""

    def skipped_by_wave(self, before: int, after: int) -> bool:
        """Whether a wave does not go back over this move."""
        return self.is_conversion(before, after)  # type: ignore[attr-defined,no-any-return]


class Alternating:
    """The players move in turn."""

    def turns(self, before: int, after: int) -> bool:
        """Whether the other player is to move after a move."""
        return True

    def mover_at(self, position: int) -> int:
        """The player to move, which these rules do not give."""
        return 0


class ByPlayer:
    """The rules say which player is to move."""

    def turns(self, before: int, after: int) -> bool:
        """Whether the other player is to move after a move."""
        return self.player(before) != self.player(after)  # type: ignore[attr-defined,no-any-return]

    def mover_at(self, position: int) -> int:
        """The player to move."""
        return self.player(position)  # type: ignore[attr-defined,no-any-return]


class ConvertsByMember:
    """The rules tell which moves are conversions."""

    def is_conversion(self, before: int, after: int) -> bool:
        """Whether the move from one position to another is a conversion."""
        return self.converts(before, after) != 0  # type: ignore[attr-defined,no-any-return]


class ConvertsByTier:
    """Moves into a lower tier are conversions."""

    def is_conversion(self, before: int, after: int) -> bool:
        """Whether the move from one position to another is a conversion."""
        return self.tier(before) != self.tier(after)  # type: ignore[attr-defined,no-any-return]


LIMITING = ("size", "most_moves", "most_unmoves")
"""Parameters that arrays are made by. A view keeps those that it was made with, whatever a property
or a class says later: what members give is held against them."""

_views: dict[int, tuple[Any, dict[tuple[type, ...], Any]]] = {}
"""By the identity of the object: rules that are equal may still do different things."""


def view(rules: R, *classes: type) -> R:
    """The same rules with the members of ``classes`` before their own.

    >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
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
    limits = tuple(getattr(rules, name) for name in LIMITING)
    if (
        classes not in known
        or not _same(known[classes], rules)
        or limits != tuple(getattr(known[classes], name) for name in LIMITING)
    ):
        _refuse_own_names(rules, classes)
        made = object.__new__(_class(type(rules), classes, limits))
        take_state(made, rules)
        known[classes] = made
    return known[classes]  # type: ignore[no-any-return]


_added: set[type] = set()
"""The classes for which there are views."""


def _refuse_own_names(rules: Any, classes: tuple[type, ...]) -> None:
    """Refuse rules whose class has a name that a view adds: their members would get the view's.

    Attributes of the object itself come before those of any class.
    """
    _added.update(x for kind in classes for x in kind.__mro__ if x is not object)
    added = {x for kind in classes for part in kind.__mro__[:-1] for x in vars(part)}
    added = {x for x in added if x not in MEMBERS and not x.startswith("__")}
    own = set().union(*(vars(x) for x in type(rules).__mro__ if x not in _added))
    if clash := sorted(added & own):
        name = type(rules).__name__
        raise InvalidRulesError(
            f"{name}.{clash[0]}: compiled rules get something of this name from zermelo; "
            "give it another name"
        )


def take_state(new: Any, rules: Any) -> None:
    """Give a new object the attributes of rules, those in slots, too."""
    new.__dict__.update(rules.__dict__)
    for slot, value in _in_slots(rules).items():
        slot.__set__(new, value)


def _same(held: Any, now: Any) -> bool:
    """Whether the rules have the parameters that a view has."""
    pairs = (vars(held), vars(now)), (_in_slots(held), _in_slots(now))
    return all(name in old and old[name] is x for old, new in pairs for name, x in new.items())


def _in_slots(rules: Any) -> dict[Any, Any]:
    """The values in the slots of rules."""
    found = {}
    kind: Any = type(rules)
    for slot in _slots(kind):
        with contextlib.suppress(AttributeError):  # an empty one
            found[slot] = slot.__get__(rules)
    return found


@functools.cache
def _slots(kind: Any) -> tuple[Any, ...]:
    """The slots of a class and of those that it is derived from."""
    found = (x for base in kind.__mro__ for x in vars(base).values())
    return tuple(x for x in found if isinstance(x, MemberDescriptorType))


@functools.cache
def _class(base: type, classes: tuple[type, ...], limits: tuple[Any, ...]) -> Any:
    own = {"__module__": base.__module__, **dict(zip(LIMITING, limits, strict=True))}
    return type(base.__name__, (*classes, base), own)
