"""What the rules of a partizan game are: the moves of Left and those of Right.

Left and Right move in turn, and who cannot move loses. Positions are any hashable Python objects;
nothing in them says whose turn it is. Three members are needed; the others have defaults:

============== ======== ===========================================================
member                  default
============== ======== ===========================================================
``start``      REQUIRED
``left``       REQUIRED
``right``      REQUIRED
``components`` OPTIONAL a position is one game, not a sum
``canonical``  OPTIONAL no symmetry is known
``opposite``   OPTIONAL no symmetry that swaps the players is known
``show``       OPTIONAL ``str(position)``
``parse``      OPTIONAL positions cannot be read
``draw``       OPTIONAL the text of ``show`` as a picture
``from_text``  OPTIONAL parameters are integers, written ``3,4`` or ``3x4``
============== ======== ===========================================================

``zermelo.game_value`` finds what a position is worth [BerlekampConwayGuy2001]; to explore such a
game, pairs (position, whose turn) are the positions, see :class:`Turns`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, Generic, Self

from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.rules.base import P, Rules, integers
from zermelo.rules.faults import listed, unwrapped

LEFT: Final = 0
RIGHT: Final = 1
SIDES: Final = "LR"
SIDE_NAMES: Final = ("left", "right")


class PartizanRules(ABC, Generic[P]):
    """The rules of a partizan game: derive from this.

    >>> class Pile(PartizanRules[int]):
    ...     '''Left takes one counter, Right two.'''
    ...     def start(self):
    ...         return 5
    ...     def left(self, n):
    ...         return [n - 1] if n >= 1 else []
    ...     def right(self, n):
    ...         return [n - 2] if n >= 2 else []
    >>> import zermelo as zm
    >>> print(zm.explore(Pile()).graph.names[:3])
    ((5, 0), (4, 1), (2, 0))
    """

    impartial = False

    @abstractmethod
    def start(self) -> P:
        """REQUIRED. The position in which play starts."""

    @abstractmethod
    def left(self, position: P) -> Iterable[P]:
        """REQUIRED. The positions that a move of Left leads to; repeats do no harm."""

    @abstractmethod
    def right(self, position: P) -> Iterable[P]:
        """REQUIRED. The positions that a move of Right leads to; repeats do no harm."""

    def components(self, position: P) -> Sequence[P]:
        """OPTIONAL. Positions whose sum this one is, as small as may be. Default: itself.

        A part that is worth nothing may be left out.
        """
        return (position,)

    def canonical(self, position: P) -> P:
        """OPTIONAL. One position for all that play the same as this one. Default: itself."""
        return position

    def opposite(self, position: P) -> P | None:
        """OPTIONAL. A position that plays the same with Left and Right swapped. Default: None.

        Then only one of G and −G is looked at.
        """
        return None

    def show(self, position: P) -> str:
        """OPTIONAL. A position as text, different for different ones. Default: ``str``."""
        return str(position)

    def parse(self, text: str) -> P:
        """OPTIONAL. The position that ``show`` shows as ``text``. Default: refuses."""
        raise InvalidRulesError(f"{type(self).__name__} cannot read positions: no parse()")

    def draw(self, position: P) -> str:
        """OPTIONAL. A position as an SVG picture. Default: its text."""
        from zermelo.rules.partizan.board import draw_rows

        return draw_rows([self.show(position)])

    @classmethod
    def from_text(cls, text: str) -> Self:
        """OPTIONAL. The game with the parameters ``text``. Default: integers between , or x."""
        return cls(*integers(text, cls))

    def as_rules(self) -> Rules[Any]:
        """The same game with the player to move as a part of the position."""
        return Turns(self)


class Turns(Rules[tuple[P, int]]):
    """A partizan game as one of pairs (position, side): side 0, Left, or 1, Right, is to move.

    >>> from zermelo.rules.partizan.toads_and_frogs import ToadsAndFrogs
    >>> turns = Turns(ToadsAndFrogs("t.f"))
    >>> [turns.show(x) for x in turns.moves(turns.start())]
    ['.tf R']
    >>> turns.parse(".tf R")
    ('.tf', 1)
    """

    impartial = False
    _wraps = "rules"
    sides = SIDES

    def __init__(self, rules: PartizanRules[P]) -> None:
        self.rules = rules
        self.known_as = getattr(rules, "known_as", None)

    def start(self) -> tuple[P, int]:
        """Left starts."""
        return self.rules.start(), LEFT

    def moves(self, position: tuple[P, int]) -> Iterator[tuple[P, int]]:
        """The moves of the side whose turn it is."""
        board, side = position
        return ((x, 1 - side) for x in listed(self.rules, SIDE_NAMES[side], board))

    def turn(self, position: tuple[P, int]) -> int:
        """Whose turn it is."""
        return position[1]

    def canonical(self, position: tuple[P, int]) -> tuple[P, int]:
        """That of the position, for the same side."""
        return self.rules.canonical(position[0]), position[1]

    def player(self, position: tuple[P, int]) -> int:
        """The side whose turn it is."""
        return position[1]

    def show(self, position: tuple[P, int]) -> str:
        """The position, and L or R for whose turn it is."""
        return f"{self.rules.show(position[0])} {SIDES[position[1]]}"

    def parse(self, text: str) -> tuple[P, int]:
        """A position, a blank, and L or R; Left's turn if neither is there."""
        board, side = split_turn(text)
        return self.rules.parse(board), side


def can_read(rules: Any) -> bool:
    """Whether rules have a ``parse`` of their own.

    >>> from zermelo.rules.partizan.toads_and_frogs import ToadsAndFrogs
    >>> can_read(Turns(ToadsAndFrogs("t.f")))
    True
    """
    readers = (getattr(x, "parse", Rules.parse) for x in (rules, unwrapped(rules)))
    return all(getattr(x, "__func__", x) not in (Rules.parse, PartizanRules.parse) for x in readers)


def split_turn(text: str) -> tuple[str, int]:
    """A position's text, and whose turn it is.

    >>> split_turn("t.f R"), split_turn("t.f")
    (('t.f', 1), ('t.f', 0))
    """
    board, _, side = text.strip().rpartition(" ")
    return (board.rstrip(), SIDES.index(side)) if side in ("L", "R") else (text.strip(), LEFT)


def one_of(text: str, letters: str, what: str) -> str:
    """Text of given letters only, in lower case.

    >>> one_of("T.F", "tf.", "toads and frogs")
    't.f'
    >>> one_of("T-F", "tf.", "toads and frogs")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: expected toads and frogs, of the letters tf., got 'T-F'
    """
    small = text.strip().lower()
    if not small or {*small} - {*letters}:
        raise InvalidOptionError(f"expected {what}, of the letters {letters}, got {text!r}")
    return small
