"""Rules on integers, which compile into the library's own loops.

Positions are integers from 0 to 2⁶³ − 2; whose turn it is belongs to the position. The members are
ordinary methods. Those marked *compiled* read ``self`` for parameters (integers, tuples of
integers, one-dimensional arrays of integers) and call other such methods as ``self.helper(…)``,
nothing else: they run as they are, and compiled with the parameters as constants.

================ ======== ======== ===========================================================
member                             default
================ ======== ======== ===========================================================
``most_moves``   REQUIRED
``start``        REQUIRED
``moves``        REQUIRED compiled
``outcome``      OPTIONAL compiled play ends where there is no move; who cannot move loses
``unmoves``      OPTIONAL compiled moves are stored, or generated again
``most_unmoves`` OPTIONAL          ``most_moves``
``size``         OPTIONAL          positions are numbered as they are found
``rank``         OPTIONAL compiled (with ``size``)
``unrank``       OPTIONAL compiled (with ``size``)
``canonical``    OPTIONAL compiled no symmetry is known
``orbit``        OPTIONAL compiled every position stands for itself alone
``tier``         OPTIONAL compiled all positions are solved together
``player``       OPTIONAL compiled the players are not told apart
``impartial``    OPTIONAL          True: a position has the same moves for both players
``reachable``    OPTIONAL          with ``size``: positions that play cannot reach are left out
``show``         OPTIONAL          ``str(position)``
``parse``        OPTIONAL          the decimal number
``draw``         OPTIONAL          no picture
``from_text``    OPTIONAL          parameters are integers, written ``3,4`` or ``3x4``
================ ======== ======== ===========================================================
"""

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np

from zermelo.errors import InvalidRulesError
from zermelo.labels import LARGEST_POSITION
from zermelo.objectives import NormalPlay, Objective, TerminalPayoff
from zermelo.rules.base import integers
from zermelo.rules.faults import integer_of, wrong

MOST_ROOM = 1 << 24
"""The most moves that one position may have."""

OPEN = 2
"""The outcome of a position in which play goes on."""

NO_POSITION = -1
"""What ``unrank`` gives for an index that is no position."""

MEMBERS = (
    "moves",
    "outcome",
    "unmoves",
    "rank",
    "unrank",
    "canonical",
    "orbit",
    "tier",
    "player",
)
"""The members that are compiled."""


class CompiledRules(ABC):
    """The rules of a game whose positions are integers: derive from this.

    >>> class Countdown(CompiledRules):
    ...     most_moves = 2
    ...     def start(self):
    ...         return 10
    ...     def moves(self, position, out):
    ...         count = min(2, position)
    ...         for k in range(count):
    ...             out[k] = position - 1 - k
    ...         return count
    >>> Countdown().options(10)
    [9, 8]
    """

    most_moves: int
    """REQUIRED. The most moves that one position has: the room that ``moves`` may fill."""

    size: int = 0
    """OPTIONAL. With ``rank`` and ``unrank``: positions have indices 0 … size − 1."""

    reachable: bool = True
    """OPTIONAL. Whether a table is of what play can reach from the start; False: of the index."""

    impartial: bool = True
    """OPTIONAL. Whether a position has the same moves for both players, so that it has a Grundy
    value; not so where each has pieces of their own."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        from zermelo._runtime.source import remember  # when needed: starting is to be fast

        remember(cls)  # the text of the file, as long as it is what was imported

    @property
    def most_unmoves(self) -> int:
        """OPTIONAL. The most positions that ``unmoves`` gives."""
        return self.most_moves

    @abstractmethod
    def start(self) -> int:
        """REQUIRED. The position in which play starts."""

    @abstractmethod
    def moves(self, position: int, out: Any) -> int:
        """REQUIRED, compiled. Fill ``out`` with what one move leads to; return how many.

        Repeats do no harm.
        """

    def outcome(self, position: int) -> int:
        """OPTIONAL, compiled. −1, 0, +1 for the player to move where play is over, else OPEN."""
        return OPEN

    def unmoves(self, position: int, out: Any) -> int:
        """OPTIONAL, compiled. Fill ``out`` with the positions that have a move to this one.

        Positions where play is over have none. Where ``tier`` tells positions apart, moves from
        higher tiers may be left out.
        """
        raise InvalidRulesError("these rules have no unmoves")

    def rank(self, position: int) -> int:
        """OPTIONAL, compiled. The index of a position, the same for all of a canonical form."""
        raise InvalidRulesError("these rules have no rank")

    def unrank(self, index: int) -> int:
        """OPTIONAL, compiled. The (canonical) position of an index, or NO_POSITION."""
        raise InvalidRulesError("these rules have no unrank")

    def canonical(self, position: int) -> int:
        """OPTIONAL, compiled. One position for all that symmetries make of this one."""
        return position

    def orbit(self, position: int) -> int:
        """OPTIONAL, compiled. How many positions have the canonical form of this one."""
        return 1

    def tier(self, position: int) -> int:
        """OPTIONAL, compiled. No move leads to a higher tier; low ones are solved first."""
        return 0

    def player(self, position: int) -> int:
        """OPTIONAL, compiled. Who is to move, 0 or 1, where the players' aims differ."""
        raise InvalidRulesError("these rules do not say whose turn it is: no player()")

    def show(self, position: int) -> str:
        """OPTIONAL. A position as text, different for different ones."""
        return str(position)

    def parse(self, text: str) -> int:
        """OPTIONAL. The position that ``show`` shows as ``text``."""
        try:
            return int(text)
        except ValueError:
            raise InvalidRulesError(f"expected a position's number, got {text!r}") from None

    def draw(self, position: int) -> str:
        """OPTIONAL. A picture of a position, in SVG."""
        raise InvalidRulesError(f"{type(self).__name__} draws no pictures: no draw()")

    @classmethod
    def from_text(cls, text: str) -> Self:
        """OPTIONAL. The game with the parameters ``text``: integers between , or x."""
        return cls(*integers(text, cls))

    def options(self, position: int) -> list[int]:
        """What one move leads to, without repeats, in the order of ``moves``."""
        if integer_of(self, "outcome", position) != OPEN:
            return []
        out = np.zeros(max(1, self.most_moves), np.int64)
        count = integer_of(self, "moves", position, out)
        return list(dict.fromkeys(out[:count].tolist()))

    def objective(self) -> Objective:
        """What winning means in these rules, for the graph that exploring gives.

        >>> from zermelo.rules.boards.tictactoe import TicTacToe
        >>> TicTacToe().objective().keyword
        'terminal-payoff'
        """
        if not self.has("outcome"):
            return NormalPlay()
        return TerminalPayoff(self._at_the_end, view="mover")

    def _at_the_end(self, position: Any) -> int:
        found = integer_of(self, "outcome", position)
        if found not in (-1, 0, 1, OPEN):
            message = f"expected −1, 0, 1 or OPEN ({OPEN}), got {found}"
            raise wrong(self, "outcome", message, position)
        return -1 if found == OPEN else found

    @classmethod
    def has(cls, member: str) -> bool:
        """Whether an optional member was given.

        >>> from zermelo.rules.compiled import CompiledRules
        >>> CompiledRules.has("unmoves")
        False
        """
        return getattr(cls, member) is not getattr(CompiledRules, member)


def first_position(rules: CompiledRules, given: Any = None) -> int:
    """The position in which play starts, or the one given for it.

    >>> from zermelo.rules.boards.tictactoe import TicTacToe
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
    """How many elements an array has that ``moves`` or ``unmoves`` fills: one at least.

    >>> from zermelo.rules.boards.tictactoe import TicTacToe
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
