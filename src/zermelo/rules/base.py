"""What the rules of a game are: positions, where play starts, and how it goes on.

Positions are any hashable Python objects. Two members are needed; the others have defaults:

============== ======== ===========================================================
member                  default
============== ======== ===========================================================
``start``      REQUIRED
``moves``      REQUIRED
``outcome``    OPTIONAL play ends where there is no move, and who cannot move loses
``show``       OPTIONAL ``str(position)``
``parse``      OPTIONAL positions cannot be read
``canonical``  OPTIONAL no symmetry is known
``components`` OPTIONAL a position is one game, not a sum
``player``     OPTIONAL the players are not told apart
``impartial``  OPTIONAL True: a position has the same moves for both players
``from_text``  OPTIONAL parameters are integers, written ``3,4`` or ``3x4``
============== ======== ===========================================================
"""

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, Self, TypeVar

from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.labels import Label
from zermelo.objectives import NormalPlay, Objective, TerminalPayoff
from zermelo.rules.faults import ended

P = TypeVar("P", bound=Hashable)
"""The type of a position."""


class Rules(ABC, Generic[P]):
    """The rules of a game: derive from this, or write any object with the same members.

    >>> class Countdown(Rules[int]):
    ...     def start(self):
    ...         return 10
    ...     def moves(self, n):
    ...         return [n - k for k in (1, 2) if k <= n]
    >>> sorted(Countdown().moves(10))
    [8, 9]
    """

    impartial: bool = True
    """OPTIONAL. Whether a position has the same moves for both players, so that it has a Grundy
    value; not so where each has pieces of their own."""

    @abstractmethod
    def start(self) -> P:
        """REQUIRED. The position in which play starts."""

    @abstractmethod
    def moves(self, position: P) -> Iterable[P]:
        """REQUIRED. The positions that one move leads to, in any order; repeats do no harm."""

    def outcome(self, position: P) -> int | None:
        """OPTIONAL. What the player to move gets where play is over; None where it goes on.

        A :class:`~zermelo.labels.Label`, or −1, 0, +1. A position with an outcome has no moves,
        whatever ``moves`` says. Default: None; then who cannot move loses.
        """
        return None

    def show(self, position: P) -> str:
        """OPTIONAL. A position as text, different for different ones. Default: ``str``."""
        return str(position)

    def parse(self, text: str) -> P:
        """OPTIONAL. The position that ``show`` shows as ``text``. Default: refuses."""
        raise InvalidRulesError(f"{type(self).__name__} cannot read positions: no parse()")

    def canonical(self, position: P) -> P:
        """OPTIONAL. One position for all that symmetries make of this one. Default: itself."""
        return position

    def components(self, position: P) -> Sequence[P]:
        """OPTIONAL. Positions whose sum this one is, as small as may be. Default: itself.

        A part without a move may be left out.
        """
        return (position,)

    def player(self, position: P) -> int | None:
        """OPTIONAL. Who is to move, 0 or 1, where the players' moves or aims differ.

        Default: None; then the players are not told apart.
        """
        return None

    @classmethod
    def from_text(cls, text: str) -> Self:
        """OPTIONAL. The game with the parameters ``text``. Default: integers between , or x.

        What makes no sense raises an :class:`~zermelo.errors.InvalidOptionError`.
        """
        return cls(*integers(text, cls))

    def objective(self) -> Objective:
        """What winning means in these rules, for the graph that exploring gives.

        >>> from zermelo.rules.impartial.nim import Nim
        >>> Nim(3, 4, 5).objective()
        NormalPlay()
        """
        if getattr(self.outcome, "__func__", None) is Rules.outcome:
            return NormalPlay()
        return TerminalPayoff(self._at_the_end, view="mover")

    def _at_the_end(self, position: Any) -> int:
        found = ended(self, position)
        return Label.LOSE if found is None else found


def integers(text: str, make: Any = None) -> list[int]:
    """Parameters that are integers, as many as ``make`` takes.

    >>> integers("3,4,5"), integers("5x4"), integers("")
    ([3, 4, 5], [5, 4], [])
    >>> integers("3;4")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: expected integers with commas between, got '3;4'
    """
    words = re.split("[,x]", text) if text else []
    if not all(re.fullmatch(r"\s*-?[0-9]{1,18}\s*", word) for word in words):
        raise InvalidOptionError(f"expected integers with commas between, got {text!r}")
    numbers = [int(word) for word in words]
    if make is not None:
        try:
            inspect.signature(make).bind(*numbers)
        except TypeError as error:
            raise InvalidOptionError(f"{error}, got {text!r}") from None
    return numbers


class Borrowed(Rules[Any]):
    """An object that has the members of :class:`Rules`, with the defaults of those it lacks."""

    _wraps = "given"

    def __init__(self, given: Any) -> None:
        self.given = given
        self.known_as = getattr(given, "known_as", None)
        for name in ("outcome", "show", "parse", "canonical", "components", "player"):
            if callable(member := getattr(given, name, None)):
                setattr(self, name, member)
        self.impartial = bool(getattr(given, "impartial", True))

    def start(self) -> Any:
        """The start of the object given."""
        return self.given.start()

    def moves(self, position: Any) -> Iterable[Any]:
        """The moves of the object given."""
        found: Iterable[Any] = self.given.moves(position)
        return found


def is_rules(given: Any) -> bool:
    """Whether an object is meant as rules: it has moves, or something to make rules of it.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> is_rules(Nim(1, 2)), is_rules(3)
    (True, False)
    """
    return any(callable(getattr(given, name, None)) for name in ("moves", "as_rules"))


def as_rules(given: Any) -> Rules[Any]:
    """Rules, from such or from any object (a module, say) with ``start`` and ``moves``.

    An object may have other members and an ``as_rules()`` that makes rules of it.

    >>> as_rules(3)
    Traceback (most recent call last):
    zermelo.errors.InvalidRulesError: expected rules, with start() and moves(position), got 3
    """
    if isinstance(given, Rules):
        return given
    if not isinstance(given, type) and callable(make := getattr(given, "as_rules", None)):
        made: Rules[Any] = make()
        return made
    members = (getattr(given, name, None) for name in ("start", "moves"))
    if isinstance(given, type) or not all(map(callable, members)):
        kind = f"; call {given.__name__} to make some" if isinstance(given, type) else ""
        raise InvalidRulesError(
            f"expected rules, with start() and moves(position), got {given!r}{kind}"
        )
    return Borrowed(given)
