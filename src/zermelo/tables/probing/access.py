"""The keys of positions and of the positions after one move.

A *key* is what an entry is found by: an index, a canonical position, or the text of one.
"""

import contextlib
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from zermelo._kernels.tables.probe import (
    Options,
    descends,
    keep_descendants,
    keys_of,
    list_options,
    look_ahead,
    positions_at,
)
from zermelo._runtime.compiled.bind import bind, identity
from zermelo._runtime.compiled.native import KernelError
from zermelo.errors import InvalidOptionError, InvalidRulesError, ZermeloError
from zermelo.labels import LARGEST_POSITION, Int32Array, Int64Array, Player
from zermelo.registry import GAMES
from zermelo.rules.base import Borrowed, Rules, as_rules
from zermelo.rules.compiled import MEMBERS, NO_POSITION, CompiledRules, room_for
from zermelo.rules.conversion import with_conversions
from zermelo.rules.faults import integer_of, options_of, text_of, unwrapped
from zermelo.rules.identity import plain_signature
from zermelo.rules.loading.games import game
from zermelo.rules.loading.load import load_rules
from zermelo.rules.views import (
    Alternating,
    ByPlayer,
    Doubtful,
    Hashed,
    Indexed,
    Unreduced,
    view,
)

MAX_LISTED_OPTIONS = 1 << 20
"""About the number of options that are listed at a time."""

FAULTS = (ZermeloError, ArithmeticError, LookupError, ValueError, TypeError, KernelError)
"""The errors that rules may raise for a number that is no position, also in machine code."""


@dataclass(frozen=True)
class After:
    """The positions after one move of several positions, in the order of these.

    ``positions`` and ``keys`` are arrays for compiled rules, and lists for others.
    """

    positions: Any
    keys: Any
    sign: Int64Array
    """−1 if the other player moves there, else 1."""
    start: Int64Array
    """Those of position k are numbered ``start[k] … start[k + 1] − 1``."""
    converting: Any = None
    """Which moves are conversions; None where distances lead to the end of play."""

    def counted(self, distance: Int32Array) -> Int32Array:
        """Distances after the moves: 0 after a conversion."""
        if self.converting is None:
            return distance
        return np.where(self.converting & (distance > 0), np.int32(0), distance)


class Access(Protocol):
    """What the lookup of positions needs of rules."""

    def key(self, position: Any) -> Any:
        """The key of a position that a user gave; None for what is no position."""

    def keys(self, positions: Any) -> Any:
        """The keys of many positions, as an array with −1, or as a list with None."""

    def after(self, positions: Any) -> After:
        """The positions after one move; none where play is over."""

    def ahead(self, position: Any) -> tuple[Any, After | None]:
        """The key of one position, None for none, and the positions after one move if known."""


class ToTheEnd:
    """Distances lead to the end of play."""

    def distance_ends(self, before: int, after: int) -> bool:
        """Whether distances are counted to this move only."""
        return False


class ToConversion:
    """Distances lead to the next conversion."""

    def distance_ends(self, before: int, after: int) -> bool:
        """Whether distances are counted to this move only."""
        return self.is_conversion(before, after)  # type: ignore[attr-defined,no-any-return]


class ByIndex(Indexed):
    """Keys are indices."""

    def known_key(self, position: int, symmetry: bool) -> int:
        """The index of a number; −1 if the index belongs to a position of another form."""
        index = self.rank(position)  # type: ignore[attr-defined]
        if not 0 <= index < self.size:  # type: ignore[attr-defined]
            return -1
        own = self.unrank(index)  # type: ignore[attr-defined]
        form = self.canonical(position) if symmetry else position  # type: ignore[attr-defined]
        if own < 0 or self.canonical(own) != form:  # type: ignore[attr-defined]
            return -1
        return index  # type: ignore[no-any-return]


class ByForm(Hashed):
    """Keys are canonical forms."""

    def known_key(self, position: int, symmetry: bool) -> int:
        """The canonical form of a number."""
        return self.canonical(position)  # type: ignore[attr-defined,no-any-return]


class ByItself(Unreduced, ByForm):
    """Keys are positions."""


class ByNumber:
    """Compiled rules; keys are indices, or positions in canonical form."""

    def __init__(
        self, rules: CompiledRules, keys: str, symmetry: bool, descent: bool, conversion: bool
    ) -> None:
        self.rules, self.symmetry, self.descent = rules, symmetry, descent
        space = ByIndex if keys.startswith("ind") else ByForm if symmetry else ByItself
        base = with_conversions(rules) if conversion else rules
        end = ToConversion if conversion else ToTheEnd
        players = ByPlayer if rules.has("player") else Alternating
        self.seen = seen = view(base, Doubtful, space, players, end)
        self._find, self._list = bind(keys_of, seen), bind(list_options, seen)
        self._ahead = bind(look_ahead, seen)
        self._code_ahead: Callable[..., int] | None = None
        self._room = room_for(rules, "moves")

    def key(self, position: Any) -> int | None:
        """The key of a number; None where the rules fail for it."""
        found: int = self.keys(np.array([as_number(position)], np.int64)).item(0)
        return found if found >= 0 else None

    def keys(self, positions: Int64Array) -> Int64Array:
        """The keys of numbers, −1 for each that is no position."""
        sound = (positions >= 0) & (positions <= LARGEST_POSITION)
        if sound.all():
            return self._keys_of(positions)
        keys = np.full(positions.size, -1, np.int64)
        keys[sound] = self._keys_of(positions[sound])
        return keys

    def _keys_of(self, positions: Int64Array) -> Int64Array:
        """The keys of numbers that may be positions.

        If the rules fail for one of many, the two halves are tried, and so on.
        """
        keys = np.zeros(positions.size, np.int64)
        try:
            self._find(positions, keys, self.symmetry)
            if self.descent:
                known = np.flatnonzero(keys >= 0)
                keys[known[self.reached(keys[known]) < 0]] = -1
            return keys
        except FAULTS:
            if positions.size == 1:
                return np.array([self._checked_key(positions.item())], np.int64)
        half = positions.size // 2
        return np.concatenate([self._keys_of(x) for x in (positions[:half], positions[half:])])

    @cached_property
    def reached(self) -> Callable[[Int64Array], Int64Array]:
        """The function for positions of indices, NO_POSITION where play does not reach them.

        Its kernels are bound once: to find them again takes longer than one probe.
        """
        return position_finder(self.rules, descent=True)

    def _checked_key(self, given: int) -> int:
        """The key of a number, −1 for none; interpreted, so that wrong numbers are harmless."""
        keys, own = [-1], [0]
        try:
            self._find.interpreted([given], keys, self.symmetry)
            if keys[0] >= 0 and self.descent:
                bind(positions_at, self.seen).interpreted(keys, own)
                room = [[0] * room_for(self.rules, "unmoves") for _ in range(2)]
                start = integer_of(self.rules, "canonical", integer_of(self.rules, "start"))
                descended = bind(descends, self.rules).interpreted(own[0], start, *room)
                return keys[0] if descended else -1
            return keys[0]
        except FAULTS:
            return -1

    def ahead(self, position: Any) -> tuple[Any, After | None]:
        """The key of a position, and the positions after one move, by one call of a kernel."""
        if (number := as_number(position)) >= 0 and not self.descent:
            start = np.zeros(2, np.int64)
            after, keys, sign, out = (np.zeros(self._room, np.int64) for _ in range(4))
            args = number, out, Options(after, keys, sign, start[1:]), self.symmetry
            if self._code_ahead is None:
                self._code_ahead = self._ahead.code_for(*args)
            with contextlib.suppress(*FAULTS):  # then find out what is wrong
                key = (self._code_ahead or self._ahead)(*args)
                if key < 0:
                    return None, None
                stop = start.item(1)
                return key, After(after[:stop], keys[:stop], sign[:stop], start)
        return self.key(position), None

    def after(self, positions: Any) -> After:
        """The positions after one move, by a kernel that is compiled when it is called often."""
        positions = np.ascontiguousarray(positions, np.int64)
        step = max(1, MAX_LISTED_OPTIONS // self._room)
        if positions.size <= step:
            return self._after(positions)
        parts = [self.after(positions[k : k + step]) for k in range(0, positions.size, step)]
        counts = [np.diff(part.start) for part in parts]
        return After(
            np.concatenate([part.positions for part in parts]),
            np.concatenate([part.keys for part in parts]),
            np.concatenate([part.sign for part in parts]),
            np.concatenate([[0], np.cumsum(np.concatenate(counts))]),
        )

    def _after(self, positions: Int64Array) -> After:
        start = np.zeros(positions.size + 1, np.int64)
        after, keys, sign = (np.zeros(self._room * positions.size, np.int64) for _ in range(3))
        options = Options(after, keys, sign, start[1:])
        count = self._list(positions, np.zeros(self._room, np.int64), options)
        return After(after[:count], keys[:count], sign[:count], start)


def as_number(position: Any) -> int:
    """A position of compiled rules, −1 for anything else.

    >>> as_number(7), as_number(True), as_number(2**80)
    (7, -1, -1)
    """
    if isinstance(position, bool) or not isinstance(position, int | np.integer):
        return NO_POSITION
    return int(position) if 0 <= position <= LARGEST_POSITION else NO_POSITION


class ByText:
    """Plain rules; keys are texts of positions in canonical form."""

    def __init__(self, rules: Rules[Any], symmetry: bool) -> None:
        self.rules, self.symmetry = rules, symmetry

    def key(self, position: Any) -> str | None:
        """The text of a position; None for what cannot be hashed or what the rules refuse."""
        try:
            hash(position)  # a list may have the text of a tuple
            return self.text(position)
        except (ArithmeticError, LookupError, ValueError, TypeError, AttributeError):
            return None

    def text(self, position: Any) -> str:
        """The text of a position of the rules."""
        return text_of(self.rules, self.rules.canonical(position) if self.symmetry else position)

    def ahead(self, position: Any) -> tuple[Any, None]:
        """The key of a position; the positions after one move are found when they are needed."""
        return self.key(position), None

    def keys(self, positions: Any) -> list[Any]:
        """The keys of positions, None for each that is no position."""
        return [self.key(x) for x in positions]

    def after(self, positions: Any) -> After:
        """The positions after one move."""
        listed: list[Any] = []
        sign: list[int] = []
        start = [0]
        for position in positions:
            player = self.rules.player(position)
            for x in options_of(self.rules, position):
                listed.append(x)
                again = player is not None and self.rules.player(x) == player
                sign.append(1 if again else -1)
            start.append(len(listed))
        keys = [self.text(x) for x in listed]
        return After(listed, keys, np.array(sign, np.int64), np.array(start, np.int64))


class ByPosition(ByText):
    """Plain rules in memory; keys are the positions in canonical form."""

    def text(self, position: Any) -> Any:
        """The canonical form of a position of the rules."""
        form = self.rules.canonical(position) if self.symmetry else position
        hash(form)
        return form


def has_descent(rules: Any) -> bool:
    """Whether unmoves can tell that play does not reach a position."""
    return isinstance(rules, CompiledRules) and rules.reachable and rules.has("unmoves")


def positions_of(rules: CompiledRules, indices: Int64Array, descent: bool) -> Int64Array:
    """The positions of indices; NO_POSITION where there is none.

    With ``descent`` also where unmoves tell that play does not reach it.
    """
    return position_finder(rules, descent)(indices)


def position_finder(rules: CompiledRules, descent: bool) -> Callable[[Int64Array], Int64Array]:
    """The function that :func:`positions_of` calls, for many calls."""
    seen = view(rules, Doubtful)
    find = bind(positions_at, seen)
    only = descendants_only(rules) if descent else None

    def positions(indices: Int64Array) -> Int64Array:
        found = np.zeros(indices.size, np.int64)
        find(indices, found)
        if only is not None:
            only(found)
        return found

    positions.rules = seen  # type: ignore[attr-defined]  # kernels do not keep their rules alive
    return positions


def descendants_only(rules: CompiledRules) -> Callable[[Int64Array], None]:
    """The function that replaces positions that play does not reach by NO_POSITION.

    They are known as far as unmoves tell.
    """
    seen, size = view(rules, Doubtful), room_for(rules, "unmoves")
    keep = bind(keep_descendants, seen)
    start = integer_of(rules, "canonical", integer_of(rules, "start"))

    def only(positions: Int64Array) -> None:
        keep(positions, start, np.zeros(size, np.int64), np.zeros(size, np.int64))

    only.rules = seen  # type: ignore[attr-defined]
    return only


def mover(rules: Any, position: Any) -> Player | None:
    """The player who moves at a position; None where the rules do not distinguish the players.

    >>> import zermelo as zm
    >>> turns = zm.game("domineering:2x2").as_rules()
    >>> mover(turns, turns.start()), mover(zm.game("nim:1"), (1,))
    (<Player.ZERO: 0>, None)
    """
    if isinstance(rules, CompiledRules) and not rules.has("player"):
        return None
    player = rules.player(position)
    return None if player is None else Player(int(player))


def access(
    rules: Any, keys: str, symmetry: bool, descent: bool, conversion: bool = False
) -> Access:
    """The access to entries with such keys; ``descent`` where entries rely on unmoves.

    ``conversion`` is for distances to conversion.
    """
    if isinstance(rules, CompiledRules):
        return ByNumber(rules, keys, symmetry, descent, conversion)
    return (ByPosition if keys == "names" else ByText)(as_rules(rules), symmetry)


# -------------------------------------------------------------------- which rules


def rules_of(given: Any) -> Any:
    """Compiled or plain rules, from rules or from the text that a user types for them."""
    rules = load_rules(given) if isinstance(given, str) else given
    return as_rules(rules)


def recorded_rules(name: str | None, kind: str, path: str) -> Any:
    """The rules by the ``name`` of their game in a header, if that is a game of zermelo.

    What a file says runs no code, so a user's own rules of the class ``kind`` have to be given. A
    name is never a path, not even ``nim:strip.py``.

    >>> recorded_rules("nim:1,2", "Nim", "nim.zt").start()
    (1, 2)
    >>> recorded_rules("strip.py:5", "Strip", "strip.zt")
    Traceback (most recent call last):
    zermelo.errors.InvalidRulesError: strip.zt: it was built with the rules strip.py:5, and a \
table runs no code; give its rules: --rules strip.py:5 (rules= in Python)
    """
    if name is not None and name.partition(":")[0] in GAMES:
        try:
            return as_rules(game(name))
        except InvalidOptionError as error:
            raise InvalidRulesError(f"{path}: {error}") from None
    built_with = f"the rules {name}" if name else f"rules of the class {kind!r}"
    raise InvalidRulesError(
        f"{path}: it was built with {built_with}, and a table runs no code; give its rules: "
        f"--rules {name or 'FILE.py'} (rules= in Python)"
    )


def rules_class(rules: Any) -> str:
    """The name of the class of rules."""
    return type(unwrapped(rules)).__qualname__


def rules_name(rules: Any) -> str:
    """What was typed for rules, or the name of their class.

    >>> import zermelo as zm
    >>> rules_name(zm.game("nim:1,2"))
    'nim:1,2'
    """
    return getattr(rules, "known_as", None) or rules_class(rules)


def rules_digest(rules: Any, *, conversion: bool = False) -> str:
    """A digest of what the rules are: their source and parameters, comments and docstrings aside.

    What is a conversion counts only for distances to ``conversion``.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> rules_digest(Nim(1, 2)) == rules_digest(Nim(1, 2)) != rules_digest(Nim(1, 3))
    True
    """
    if isinstance(rules, CompiledRules):
        members = [x for x in MEMBERS if x in ("moves", "outcome") or rules.has(x)]
        members += ["converts"] if conversion and rules.has("converts") else []
        parts = [identity(rules, *members), str(rules.size), str(integer_of(rules, "start"))]
        parts.append(f"reachable {bool(rules.reachable)}")
    else:
        parts = [plain_signature(rules.given if isinstance(rules, Borrowed) else rules)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
