"""The keys of positions and of the positions after one move.

A *key* is what an entry is found by: an index, a canonical position, or the text of one.
"""

import hashlib
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from zermelo._kernels.tables_probe import (
    descends,
    keep_descendants,
    options_by_form,
    options_by_rank,
    positions_at,
)
from zermelo._runtime.bind import bind, flat, identity
from zermelo.labels import LARGEST_POSITION, Int64Array, Player
from zermelo.rules.base import Borrowed, Rules, as_rules
from zermelo.rules.compiled import MEMBERS, NO_POSITION, CompiledRules, room_for
from zermelo.rules.faults import integer_of, options_of, text_of, unwrapped
from zermelo.rules.identity import plain_signature
from zermelo.rules.load import load_rules
from zermelo.rules.views import Doubtful, view


class Access(Protocol):
    """What the lookup of positions needs of rules."""

    def key(self, position: Any) -> Any:
        """The key of a position that a user gave; None for what is no position."""

    def options(self, position: Any) -> list[tuple[Any, Any, int]]:
        """The positions after one move, without repetitions; none where play is over.

        Each position comes with its key and a sign: −1 if the other player moves there, else 1.
        """


class ByNumber:
    """Compiled rules; keys are indices, or positions in canonical form."""

    def __init__(self, rules: CompiledRules, keys: str, symmetry: bool, descent: bool) -> None:
        self.rules, self.indexed, self.symmetry = rules, keys.startswith("ind"), symmetry
        self.descent = descent
        look = options_by_rank if self.indexed else options_by_form
        self._look = bind(look, view(rules, Doubtful))
        self._room = room_for(rules, "moves")
        self._turns = not rules.has("player")
        self._canonical = self._plain("canonical")
        if self.indexed:
            self._rank, self._unrank = self._plain("rank"), self._plain("unrank")

    def key(self, position: Any) -> int | None:
        """The key of a number; interpreted, so that a number that is no position is harmless."""
        if isinstance(position, bool) or not isinstance(position, int | np.integer):
            return None
        given = int(position)
        if not 0 <= given <= LARGEST_POSITION:
            return None
        try:
            form = self._canonical(given) if self.symmetry else given
            if not self.indexed:
                return form
            index = self._rank(given)
            own = self._unrank(index) if 0 <= index < self.rules.size else NO_POSITION
            known = own >= 0 and self._canonical(own) == form and self._descends(own)
            return index if known else None
        except (ArithmeticError, LookupError, ValueError, TypeError):
            return None

    def _descends(self, position: int) -> bool:
        """Whether play may reach a position, as far as unmoves tell; see the kernel."""
        if not self.descent:
            return True
        room = [[0] * room_for(self.rules, "unmoves") for _ in range(2)]
        start = self._canonical(int(self.rules.start()))
        return bool(bind(descends, self.rules).interpreted(position, start, *room))

    def _plain(self, member: str) -> Callable[[int], int]:
        """A member as a function; without ``self``, Python runs it faster."""
        function: Callable[[int], int] = flat(self.rules, member).interpreted
        return function

    def options(self, position: int) -> list[tuple[int, int, int]]:
        """The positions after one move, by a kernel that is compiled when it is called often."""
        out, keys = np.zeros(self._room, np.int64), np.zeros(self._room, np.int64)
        count = self._look(position, out, keys)
        positions = out[:count].tolist()
        own = keys[:count].tolist() if self.indexed or self.symmetry else positions
        pairs = dict(zip(positions, own, strict=True)).items()
        if self._turns:
            return [(x, key, -1) for x, key in pairs]
        player = self.rules.player
        mover = player(position)
        return [(x, key, 1 if player(x) == mover else -1) for x, key in pairs]


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

    def options(self, position: Any) -> list[tuple[Any, Any, int]]:
        """The positions after one move."""
        player = self.rules.player(position)
        return [
            (x, self.text(x), 1 if player is not None and self.rules.player(x) == player else -1)
            for x in options_of(self.rules, position)
        ]


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


def positions_between(rules: CompiledRules, first: int, last: int, descent: bool) -> Int64Array:
    """The positions of indices ``first … last − 1``; NO_POSITION where there is none.

    With ``descent`` also where unmoves tell that play does not reach it.
    """
    positions = np.zeros(last - first, np.int64)
    bind(positions_at, view(rules, Doubtful))(first, positions)
    if descent:
        only_descendants(rules, positions)
    return positions


def only_descendants(rules: CompiledRules, positions: Int64Array) -> None:
    """Replace positions that play does not reach, as far as unmoves tell, by NO_POSITION."""
    first, second = (np.zeros(room_for(rules, "unmoves"), np.int64) for _ in range(2))
    start = integer_of(rules, "canonical", integer_of(rules, "start"))
    bind(keep_descendants, view(rules, Doubtful))(positions, start, first, second)


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


def access(rules: Any, keys: str, symmetry: bool, descent: bool) -> Access:
    """The access to a table of these rules; ``descent`` where entries rely on unmoves."""
    if isinstance(rules, CompiledRules):
        return ByNumber(rules, keys, symmetry, descent)
    return ByText(as_rules(rules), symmetry)


# -------------------------------------------------------------------- which rules


def rules_of(given: Any) -> Any:
    """Compiled or plain rules, from rules or from the text that a user types for them."""
    rules = load_rules(given) if isinstance(given, str) else given
    return as_rules(rules)


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


def rules_digest(rules: Any) -> str:
    """A digest of what the rules are: their source and parameters, comments and docstrings aside.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> rules_digest(Nim(1, 2)) == rules_digest(Nim(1, 2)) != rules_digest(Nim(1, 3))
    True
    """
    if isinstance(rules, CompiledRules):
        members = [x for x in MEMBERS if x in ("moves", "outcome") or rules.has(x)]
        parts = [identity(rules, *members), str(rules.size), str(integer_of(rules, "start"))]
        parts.append(f"reachable {bool(rules.reachable)}")
    else:
        parts = [plain_signature(rules.given if isinstance(rules, Borrowed) else rules)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
