"""The rules of a partizan game: the moves of Left and those of Right.

Left and Right move in turn, and the player who cannot move loses. Positions are any hashable Python
objects; nothing in them says which player is to move. Three members are needed. What such rules
have beyond those of all rules (:class:`~zermelo.rules.base.Rules`):

============== ======== ===========================================================
member                  default
============== ======== ===========================================================
``left``       REQUIRED
``right``      REQUIRED
``moves``      OPTIONAL the moves of Left and those of Right
``opposite``   OPTIONAL no symmetry that swaps the players is known
============== ======== ===========================================================

``zermelo.game_value`` finds the value of a position [BerlekampConwayGuy2001]. When such a game is
explored, its positions are pairs of a position and the player to move, see :class:`Turns`.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final

from zermelo.errors import InvalidOptionError
from zermelo.objectives import NormalPlay, Objective
from zermelo.rules.base import P, Rules, defines
from zermelo.rules.faults import listed, unwrapped

LEFT: Final = 0
RIGHT: Final = 1
SIDES: Final = "LR"
SIDE_NAMES: Final = ("left", "right")


class PartizanRules(Rules[P]):
    """The rules of a partizan game: derive from this class.

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

    is_root: ClassVar[bool] = True
    moves_may_fill: ClassVar[bool] = False
    impartial = False

    @abstractmethod
    def left(self, position: P) -> Iterable[P]:
        """REQUIRED. The positions that a move of Left leads to; repeats do no harm."""

    @abstractmethod
    def right(self, position: P) -> Iterable[P]:
        """REQUIRED. The positions that a move of Right leads to; repeats do no harm."""

    def moves(self, position: P) -> Iterable[P]:
        """OPTIONAL. The positions that a move of either player leads to. Default: those."""
        sides = (listed(self, side, position) for side in SIDE_NAMES)
        return dict.fromkeys(x for positions in sides for x in positions)

    def opposite(self, position: P) -> P | None:
        """OPTIONAL. A position that plays the same with Left and Right swapped. Default: None.

        With it, only one of G and −G is examined.
        """
        return None

    def objective(self) -> Objective:
        """The player who cannot move loses."""
        return NormalPlay()

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
        """The moves of the side that is to move."""
        board, side = position
        return ((x, 1 - side) for x in listed(self.rules, SIDE_NAMES[side], board))

    def turn(self, position: tuple[P, int]) -> int:
        """The side that is to move."""
        return position[1]

    def canonical(self, position: tuple[P, int]) -> tuple[P, int]:
        """The canonical form of the position, with the same side to move."""
        return self.rules.canonical(position[0]), position[1]

    def player(self, position: tuple[P, int]) -> int:
        """The side that is to move."""
        return position[1]

    def show(self, position: tuple[P, int]) -> str:
        """The position, and L or R for the side that is to move."""
        return f"{self.rules.show(position[0])} {SIDES[position[1]]}"

    def parse(self, text: str) -> tuple[P, int]:
        """A position, a blank, and L or R; Left's turn if neither is there."""
        board, side = split_turn(text)
        return self.rules.parse(board), side

    def draw(self, position: tuple[P, int]) -> str:
        """The picture of the position."""
        return self.rules.draw(position[0])

    def draw_for(self, position: tuple[P, int], second: bool = False) -> str:
        """The picture of the position."""
        return self.rules.draw_for(position[0], position[1] == RIGHT)

    def move_cells(
        self, position: tuple[P, int], option: tuple[P, int], second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The places that the game has for a move, else those that the move changes."""
        if defines(self.rules, "move_cells"):
            return self.rules.move_cells(position[0], option[0], position[1] == RIGHT)
        return super().move_cells(position, option, second)

    def describe(self, position: tuple[P, int], option: tuple[P, int], second: bool = False) -> str:
        """The name that the game has for a move, else the text of the position after it."""
        if defines(self.rules, "describe"):
            return self.rules.describe(position[0], option[0], position[1] == RIGHT)
        return self.show(option)

    def diagram(self, position: tuple[P, int], second: bool = False) -> str:
        """The diagram of the position, with the side that is to move."""
        if defines(self.rules, "diagram"):
            return self.rules.diagram(position[0], position[1] == RIGHT)
        return self.show(position)


def can_read(rules: Any) -> bool:
    """Whether rules have a ``parse`` of their own.

    >>> from zermelo.rules.partizan.toads_and_frogs import ToadsAndFrogs
    >>> can_read(Turns(ToadsAndFrogs("t.f")))
    True
    """
    readers = (getattr(x, "parse", Rules.parse) for x in (rules, unwrapped(rules)))
    return all(getattr(x, "__func__", x) not in (Rules.parse, PartizanRules.parse) for x in readers)


def split_turn(text: str) -> tuple[str, int]:
    """The text of a position, and the side that is to move.

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
