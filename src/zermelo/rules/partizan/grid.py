"""What partizan games on a grid share: positions as bits, symmetry, parts, text and pictures.

A position is an integer. A square has two bits, one in each plane (one bit in a game of one plane).
The code 0 means that there is nothing, so a part of a board is a board again, and may be shifted
into the corner. Methods on bits are written for the compiler as well as for Python: boards of up to
62 bits are explored as machine code, larger ones by the same code on Python's long integers.

====================== ======== =======================================================
member of a game                 meaning
====================== ======== =======================================================
``LETTERS``            REQUIRED the text of a square by its bits
``fill``               REQUIRED the moves of a side, into an array
``most_moves_of_side`` OPTIONAL the most moves of a side in a position; default: one a square
``setup``              OPTIONAL the squares in which play starts; default: the last letter
``grow``               OPTIONAL squares tied to those of a region; default: neighbours
``alive``              OPTIONAL whether a part can have a value other than 0; default: always
====================== ======== =======================================================

A board that is turned by a right angle needs as much room for its rows as for its columns.
Therefore boards are kept in a square if that fits, and are only mirrored otherwise.
"""

import re
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Self

from zermelo.errors import InvalidOptionError
from zermelo.objectives import NormalPlay, Objective
from zermelo.rules.base import Rules, integers
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.partizan.base import LEFT, RIGHT, SIDES, PartizanRules, split_turn
from zermelo.rules.partizan.board import draw_rows
from zermelo.rules.picture import square_name
from zermelo.rules.views import take_state

WORD = 62
"""Bits of a position that compiled code handles."""

MOST_SQUARES = 1024

PLAIN, TURNED, ALL = 0, 1, 2
"""Which images of a board to look at: as it is, turned by a right angle, both; all mirrored."""


class GridRules(PartizanRules[int]):
    """A partizan game on a board of ``rows`` times ``columns``, or on the squares of a text."""

    LETTERS: ClassVar[str]
    tinted: ClassVar[bool] = False
    """Whether l and r are squares that one player may paint, not men."""
    TURNS: ClassVar[bool] = True
    """Whether a board may be turned by a right angle."""
    most_options: int

    def __init__(self, rows: int, columns: int, squares: str | None = None) -> None:
        if min(rows, columns) < 1 or rows * columns > MOST_SQUARES:
            raise InvalidOptionError(
                f"expected a board of 1 to {MOST_SQUARES} squares, got {rows}x{columns}"
            )
        planes = (len(self.LETTERS) - 1).bit_length()
        side = max(rows, columns)
        self.turns = self.TURNS and planes * side * side <= WORD
        self.rows, self.columns = rows, columns
        self.stride, self.height = (side, side) if self.turns else (columns, rows)
        self.area = self.stride * self.height
        self.compiles = planes * self.area <= WORD
        self.all = (1 << self.area) - 1
        self.first_column = sum(1 << k for k in range(0, self.area, self.stride))
        self.not_first = self.all ^ self.first_column
        self.not_last = self.all ^ (self.first_column << (self.stride - 1))
        self.most_parts = self.area
        self.most_options = self.most_moves_of_side(rows * columns)
        self._start = 0
        self._start = self.parse(squares or self.setup())

    @classmethod
    def from_text(cls, text: str) -> Self:
        """A board by its size, ``4x5``, or square by square, with / between the rows."""
        if re.fullmatch("[0-9]{1,9}x[0-9]{1,9}", text):
            rows, columns = integers(text)
            return cls(rows, columns)
        lines = text.split("/")
        return cls(len(lines), max(map(len, lines)), text)

    def start(self) -> int:
        """The board in which play starts."""
        return self._start

    def setup(self) -> str:
        """The squares of the board in which play starts, row by row."""
        return "/".join([self.LETTERS[-1] * self.columns] * self.rows)

    def most_moves_of_side(self, squares: int) -> int:
        """The most moves of one side in a position of so many squares."""
        return squares

    # ---------------------------------------------------------------- play

    @abstractmethod
    def fill(self, position: int, side: int, out: Any) -> int:
        """Put the positions that a move of a side leads to into out, and return how many."""

    def fill_left(self, position: int, out: Any) -> int:
        """Put the positions that a move of Left leads to into out, and return how many."""
        return self.fill(position, 0, out)

    def fill_right(self, position: int, out: Any) -> int:
        """Put the positions that a move of Right leads to into out, and return how many."""
        return self.fill(position, 1, out)

    def left(self, position: int) -> list[int]:
        """The positions that a move of Left leads to."""
        return self._filled(position, LEFT)

    def right(self, position: int) -> list[int]:
        """The positions that a move of Right leads to."""
        return self._filled(position, RIGHT)

    def _filled(self, position: int, side: int) -> list[int]:
        out = [0] * self.most_options
        return out[: self.fill(position, side, out)]

    # ---------------------------------------------------------------- bits

    def low(self, position: int) -> int:
        """The squares whose first bit is set."""
        return position & self.all

    def high(self, position: int) -> int:
        """The squares whose second bit is set."""
        return position >> self.area

    def join(self, side: int, mine: int, others: int) -> int:
        """A position from the planes of the side to move and of the other."""
        if side == 0:
            return mine | others << self.area
        return others | mine << self.area

    def step(self, squares: int, direction: int) -> int:
        """Squares moved by one: 0 to 3 are right, left, down, up, and 4 to 7 the diagonals.

        Opposite directions differ in the last bit. Squares that leave the board disappear.
        """
        if direction >= 4:
            squares = self.step_straight(squares, direction & 1)
            direction = 2 + ((direction >> 1 ^ direction) & 1)
        return self.step_straight(squares, direction)

    def step_straight(self, squares: int, direction: int) -> int:
        """Squares moved to the right, left, down or up."""
        if direction == 0:
            return (squares & self.not_last) << 1
        if direction == 1:
            return (squares & self.not_first) >> 1
        if direction == 2:
            return squares << self.stride & self.all
        return squares >> self.stride

    def near(self, squares: int) -> int:
        """The squares with a side in common with some of these."""
        across = (squares & self.not_last) << 1 | (squares & self.not_first) >> 1
        return across | squares << self.stride & self.all | squares >> self.stride

    # ---------------------------------------------------------------- parts and symmetry

    def grow(self, region: int, low: int, high: int) -> int:
        """Squares that depend on those of a region, in one step."""
        return self.near(region) & (low | high)

    def alive(self, part: int) -> int:
        """Whether a part can have a value other than 0."""
        return 1

    def fill_components(self, position: int, out: Any) -> int:
        """Put the independent parts of a position into out, and return how many."""
        low, high, count = self.low(position), self.high(position), 0
        rest = low | high
        # Invariant: squares that depend on a square outside rest are outside rest, in the same part
        # of out or in a part of value 0.
        while rest != 0:
            region = 0
            wider = rest & -rest
            while wider != region:
                region = wider
                wider = region | self.grow(region, low, high)
            rest ^= region
            part = low & region | (high & region) << self.area
            if self.alive(part) != 0:
                out[count] = part
                count += 1
        return count

    def components(self, position: int) -> list[int]:
        """The independent parts of a position."""
        out = [0] * self.most_parts
        return out[: self.fill_components(position, out)]

    def image(self, position: int) -> int:
        """One position, in the corner of the board, for all that play the same as this one."""
        return self.least_image(position, ALL)

    def opposite_image(self, position: int) -> int:
        """The image of this position with the players swapped; −1 where none is known."""
        return self.least_image(self.high(position) | self.low(position) << self.area, ALL)

    def canonical(self, position: int) -> int:
        """One position for all that play the same as this one."""
        return self.image(position)

    def opposite(self, position: int) -> int | None:
        """A position that plays the same with the players swapped."""
        found = self.opposite_image(position)
        return None if found < 0 else found

    def least_image(self, position: int, which: int) -> int:
        """The least of the mirror images, of those turned by a right angle, or of all."""
        low, high = self.low(position), self.high(position)
        squares = low | high
        if squares == 0:
            return 0
        top, row = 0, (1 << self.stride) - 1
        while squares & row << top * self.stride == 0:
            top += 1
        bottom = top
        while squares >> (bottom + 1) * self.stride != 0:
            bottom += 1
        first = 0
        while squares & self.first_column << first == 0:
            first += 1
        last = self.stride - 1
        while squares & self.first_column << last == 0:
            last -= 1
        tall, wide, s = bottom - top, last - first, self.stride
        a, b, c, d, e, f, g, h = 0, 0, 0, 0, 0, 0, 0, 0
        for i in range(tall + 1):
            for j in range(wide + 1):
                k = (top + i) * s + first + j
                bits = low >> k & 1 | (high >> k & 1) << self.area
                if bits != 0:
                    a |= bits << i * s + j
                    b |= bits << i * s + wide - j
                    c |= bits << (tall - i) * s + j
                    d |= bits << (tall - i) * s + wide - j
                    if self.turns:
                        e |= bits << j * s + i
                        f |= bits << j * s + tall - i
                        g |= bits << (wide - j) * s + i
                        h |= bits << (wide - j) * s + tall - i
        plain, turned = min(min(a, b), min(c, d)), min(min(e, f), min(g, h))
        if not self.turns or which == PLAIN:
            return plain
        return turned if which == TURNED else min(plain, turned)

    # ---------------------------------------------------------------- turns

    def as_rules(self) -> Any:
        """The same game with the player to move as a part of the position, compiled if it fits."""
        return grid_turns(self) if self.compiles else super().as_rules()

    # ---------------------------------------------------------------- text and pictures

    def lines(self, position: int) -> list[str]:
        """The rows of a board as text, at least as many and as long as those of the game."""
        low, high = self.low(position), self.high(position)
        codes = [
            [
                (low >> k & 1) | (high >> k & 1) << 1
                for k in range(i * self.stride, (i + 1) * self.stride)
            ]
            for i in range(self.height)
        ]
        tall = max([self.rows, *(i + 1 for i, row in enumerate(codes) if any(row))])
        wide = max([self.columns, *(j + 1 for row in codes for j, x in enumerate(row) if x)])
        return ["".join(self.LETTERS[x] for x in row[:wide]) for row in codes[:tall]]

    def show(self, position: int) -> str:
        """Rows with / between."""
        return "/".join(self.lines(position))

    def parse(self, text: str) -> int:
        """Rows of squares with / between."""
        rows = text.strip().lower().split("/")
        wide = len(rows[0])
        if (
            not 1 <= wide <= self.stride
            or len(rows) > self.height
            or any(len(row) != wide or {*row} - {*self.LETTERS} for row in rows)
        ):
            raise InvalidOptionError(
                f"expected {self.rows} rows of {self.columns} squares, each one of "
                f"{' '.join(self.LETTERS)}, with / between, got {text!r}"
            )
        position = 0
        for i, row in enumerate(rows):
            for j, letter in enumerate(row):
                code, k = self.LETTERS.index(letter), i * self.stride + j
                position |= (code & 1) << k | (code >> 1) << (k + self.area)
        return position

    def draw(self, position: int) -> str:
        """The board, with men in the colours of their side."""
        return draw_rows(self.lines(position), tinted=self.tinted)

    def move_cells(
        self, position: int, option: int, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The squares that a man leaves and reaches, then those that are blocked, or painted."""
        before, after = self.lines(position), self.lines(option)
        pairs = [
            (square_name(len(before) - 1 - i, j), *letters)
            for i, rows in enumerate(zip(before, after, strict=True))
            for j, letters in enumerate(zip(*rows, strict=True))
        ]
        if self.tinted:
            mine = "lr"[second] + "."
            painted = (name for name, a, _ in pairs if a in mine)
            options = self._filled(position, int(second))
            return tuple((x,) for x, y in zip(painted, options, strict=True) if y == option)
        me = "lr"[second]
        gone = [name for name, a, b in pairs if a == me != b]
        come = [name for name, a, b in pairs if b == me != a]
        blocked = [name for name, a, b in pairs if b == "#" != a]
        return ((*gone, *come, *blocked),)


def checkered(rows: int, columns: int, letters: Sequence[str]) -> str:
    """A board of squares in two kinds, the first of them in the corner.

    >>> checkered(2, 3, "lr")
    'lrl/rlr'
    """
    return "/".join("".join(letters[(i + j) % 2] for j in range(columns)) for i in range(rows))


class GridTurns(CompiledRules):
    """What makes a game on a grid one of numbers 2·position + side, for :func:`grid_turns`."""

    impartial = False
    sides = SIDES
    canonical, components = Rules.canonical, Rules.components
    """Those of the game on a grid are of positions without a side."""

    def turn(self, position: int) -> int:
        """The side that is to move."""
        return position & 1

    def start(self: Any) -> int:
        """Left starts."""
        return 2 * int(self._start)

    def moves(self: Any, position: int, out: Any) -> int:
        """The moves of the side that is to move."""
        side = position & 1
        count = self.fill(position >> 1, side, out)
        for k in range(count):
            out[k] = 2 * out[k] + 1 - side
        return int(count)

    def player(self, position: int) -> int:
        """The side that is to move."""
        return position & 1

    def show(self: Any, position: int) -> str:
        """The board, and L or R for the side that is to move."""
        return f"{'/'.join(self.lines(position >> 1))} {SIDES[position & 1]}"

    def parse(self: Any, text: str) -> int:
        """A board, and L or R; Left's turn if neither is there."""
        board, side = split_turn(text)
        return 2 * int(GridRules.parse(self, board)) + side

    def draw(self: Any, position: int) -> str:
        """The board."""
        return GridRules.draw(self, position >> 1)

    def move_cells(
        self: Any, position: int, option: int, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The squares of a move of the side that is to move."""
        return GridRules.move_cells(self, position >> 1, option >> 1, bool(position & 1))

    def objective(self) -> Objective:
        """The player who cannot move loses."""
        return NormalPlay()

    def as_rules(self) -> Self:
        """These rules."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """What copies and pickles are made of: the game on a grid, for which the class is made."""
        kind: Any = type(self).__bases__[1]
        board = kind.__new__(kind)
        take_state(board, self)
        return grid_turns, (board,)


def grid_turns(rules: GridRules) -> Any:
    """A game on a grid as compiled rules, in which a position includes the side that is to move.

    >>> from zermelo.rules.partizan.domineering import Domineering
    >>> turns = grid_turns(Domineering(2, 2))
    >>> [turns.show(x) for x in turns.options(turns.start())]
    ['#./#. R', '.#/.# R']
    """
    kind: Any = type(f"{type(rules).__name__}Turns", (GridTurns, type(rules)), {})
    turns = kind.__new__(kind)
    take_state(turns, rules)
    turns.most_moves = rules.most_options
    return turns
