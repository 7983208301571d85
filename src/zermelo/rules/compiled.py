"""Rules on integers, which are compiled into the library's own loops.

Positions are integers from 0 to 2⁶³ − 2; which player is to move is part of the position. The
members are ordinary methods. Those marked *compiled* read ``self`` for parameters (integers, tuples
of integers, one-dimensional arrays of integers) and call other such methods as ``self.helper(…)``,
nothing else: they run in Python as they are, and as machine code with the parameters as constants.

Rules whose ``moves`` has the fill form, ``moves(position, out)``, are compiled rules, whether they
derive from :class:`CompiledRules` or from :class:`~zermelo.rules.base.Rules` only. These are the
members beyond those of all rules, and those of all rules that are compiled:

==================== ======== ======== ==========================================================
member                                 default
==================== ======== ======== ==========================================================
``most_moves``       REQUIRED
``moves``            REQUIRED compiled ``moves(position, out)`` fills ``out`` with the positions
                                       that one move leads to, and returns how many; repeats
                                       do no harm
``outcome``          OPTIONAL compiled always OPEN: the player who cannot move loses
``canonical``        OPTIONAL compiled no symmetry is known
``player``           OPTIONAL compiled the rules do not say which player is to move
``unmoves``          OPTIONAL compiled moves are stored, or generated again
``most_unmoves``     OPTIONAL          ``most_moves``
``size``             OPTIONAL          positions are numbered in the order in which they are found
``rank``             OPTIONAL compiled (with ``size``)
``unrank``           OPTIONAL compiled (with ``size``)
``orbit``            OPTIONAL compiled every position stands for itself alone
``unmoves_by_index`` OPTIONAL compiled positions before one are made and ranked
``tier``             OPTIONAL compiled all positions are solved together
``moves_differ``     OPTIONAL compiled two moves may lead to the same canonical form
``tier_games``       OPTIONAL          tiers are not games of their own
``converts``         OPTIONAL compiled moves into a lower tier are conversions
``reachable``        OPTIONAL          with ``size``: positions that play cannot reach are left out
``as_data``          OPTIONAL          parameters are constants in machine code
``parse``            OPTIONAL          the decimal number
==================== ======== ======== ==========================================================
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from zermelo.errors import InvalidRulesError
from zermelo.labels import LARGEST_POSITION, OPEN
from zermelo.rules.base import Rules, defines

__all__ = [
    "MEMBERS",
    "MOST_ROOM",
    "NO_POSITION",
    "OPEN",
    "CompiledRules",
    "first_position",
    "room_for",
]

MOST_ROOM = 1 << 24
"""The most moves that one position may have."""

NO_POSITION = -1
"""The result of ``unrank`` for an index that belongs to no position."""

MEMBERS = (
    "moves",
    "outcome",
    "unmoves",
    "unmoves_by_index",
    "rank",
    "unrank",
    "canonical",
    "orbit",
    "tier",
    "player",
    "moves_differ",
)
"""The members that are compiled."""


class CompiledRules(Rules[int]):
    """The rules of a game whose positions are integers, for the compiler.

    >>> class Countdown(CompiledRules):
    ...     most_moves = 2
    ...     def start(self):
    ...         return 10
    ...     def moves(self, position, out):
    ...         count = min(2, position)
    ...         for k in range(count):
    ...             out[k] = position - 1 - k
    ...         return count
    >>> Countdown().moves(10)
    [9, 8]
    """

    is_root: ClassVar[bool] = True

    most_moves: int
    """REQUIRED. The most moves that one position has: the room that ``moves`` may fill."""

    size: int = 0
    """OPTIONAL. With ``rank`` and ``unrank``: positions have indices 0 … size − 1."""

    reachable: bool = True
    """OPTIONAL. Whether a table has the positions that play can reach from the start; False: it
    has every position with an index."""

    as_data: ClassVar[tuple[str, ...]] = ()
    """OPTIONAL. Parameters (integers, one-dimensional arrays of integers) that machine code reads
    from memory and not as constants: games that differ in them alone share it."""

    @property
    def most_unmoves(self) -> int:
        """OPTIONAL. The most positions that ``unmoves`` gives."""
        return self.most_moves

    def unmoves(self, position: int, out: Any) -> int:
        """OPTIONAL, compiled. Fill ``out`` with the positions that have a move to this one.

        Positions where play is over have no moves. Where ``tier`` separates positions, those in
        higher tiers may be left out.
        """
        raise InvalidRulesError("these rules have no unmoves")

    def unmoves_by_index(self, index: int, out: Any) -> int:
        """OPTIONAL, compiled. Fill ``out`` with the indices of the positions before an index.

        These are the positions of the same tier that have a move to the one at ``index``, each
        once, and the players move in turn. Nothing but speed depends on this member, where a
        move changes an index in a simple way; without it, positions are made and ranked.
        """
        raise InvalidRulesError("these rules have no unmoves_by_index")

    def rank(self, position: int) -> int:
        """OPTIONAL, compiled. The index of a position, the same for all of a canonical form."""
        raise InvalidRulesError("these rules have no rank")

    def unrank(self, index: int) -> int:
        """OPTIONAL, compiled. The (canonical) position of an index, or NO_POSITION."""
        raise InvalidRulesError("these rules have no unrank")

    def orbit(self, position: int) -> int:
        """OPTIONAL, compiled. The number of positions with the canonical form of this one."""
        return 1

    def tier(self, position: int) -> int:
        """OPTIONAL, compiled. No move leads to a higher tier; low tiers are solved first."""
        return 0

    def tier_games(self) -> Sequence[tuple[str, int]]:
        """OPTIONAL. For each tier, the parameters of the game whose table it is, and its size.

        Then a directory has one file for each of these games (see
        :mod:`zermelo.tables.building.folder`). The parameters are as ``from_text`` reads them; the
        last game is this one. The size of a tier is the number of its indices, which follow those
        of the tier before. The first index of a tier aside, a position has the same index in its
        own game. ``reachable`` is False.
        """
        return ()

    def moves_differ(self, position: int) -> bool:
        """OPTIONAL, compiled. Whether all moves of a canonical position lead to different ones.

        Two moves lead to the same position if the canonical forms are the same. Nothing but speed
        depends on this member: where it is True, solving does not compare the moves.
        """
        return False

    def converts(self, position: int, option: int) -> bool:
        """OPTIONAL, compiled. Whether the move from a position to an option is a conversion.

        That is a move which no play takes back, such as a capture; in images by a symmetry it is
        the same. Only distances to conversion depend on this member (see
        :mod:`zermelo.rules.conversion`). Default: a move into a lower tier is a conversion.
        """
        return self.tier(position) != self.tier(option)

    def parse(self, text: str) -> int:
        """OPTIONAL. The position that ``show`` shows as ``text``. Default: the decimal number."""
        try:
            return int(text)
        except ValueError:
            raise InvalidRulesError(f"expected a position's number, got {text!r}") from None

    @classmethod
    def has(cls, member: str) -> bool:
        """Whether an optional member was given.

        >>> from zermelo.rules.compiled import CompiledRules
        >>> CompiledRules.has("unmoves")
        False
        """
        return defines(cls, member)


def first_position(rules: CompiledRules, given: Any = None) -> int:
    """The position in which play starts, or the one given for it.

    >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
    >>> first_position(TicTacToe(), 2**63 - 1)
    Traceback (most recent call last):
    zermelo.errors.InvalidRulesError: expected a position from 0 to 2⁶³ − 2, got 9223372036854775807
    """
    where, found = ("", given) if given is not None else ("start(): ", rules.start())
    if isinstance(found, bool) or not isinstance(found, int | np.integer):
        raise InvalidRulesError(f"{where}expected a position, an integer from 0 on, got {found!r}")
    if not 0 <= found <= LARGEST_POSITION:
        raise InvalidRulesError(f"{where}expected a position from 0 to 2⁶³ − 2, got {found}")
    return int(found)


def room_for(rules: CompiledRules, member: str) -> int:
    """The number of elements of an array that ``moves`` or ``unmoves`` fills: one at least.

    >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
    >>> room_for(TicTacToe(), "moves")
    9
    """
    most: Any = getattr(rules, f"most_{member}")
    if isinstance(most, bool) or not isinstance(most, int | np.integer):
        raise InvalidRulesError(f"most_{member}: expected a number of {member}, got {most!r}")
    if not 0 <= most <= MOST_ROOM:
        raise InvalidRulesError(
            f"most_{member}: expected a number from 0 to {MOST_ROOM:,}, got {most:,}"
        )
    return max(1, int(most))
