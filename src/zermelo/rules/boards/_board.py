"""What board games have in common: text, pictures, symmetry and numbers of positions.

A :class:`Board` has places with names. It writes a position as its rows from the top, with ``/``
between them, and then the player to move: ``x.o/.../..x o``. In a :class:`Stones` board a position
is two sets of places, bits 0 … n − 1 for the first player's pieces and n … 2n − 1 for the
second's; bit 2n is 1 where the second player is to move.
"""

from abc import abstractmethod
from math import comb
from typing import Any, ClassVar

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.labels import Int64Array
from zermelo.rules.boards.board_picture import Place, svg, text_grid, text_network
from zermelo.rules.compiled import NO_POSITION, CompiledRules

EMPTY = "."


class Board(CompiledRules):
    """Rules of a game on places, which ``grid`` or ``network`` sets up."""

    impartial = False

    sides = "xo"
    """The letters of the first player's pieces, and of the second's."""
    others = ""
    """The letters of pieces that belong to neither player."""
    relative = False
    """Whether a position is what the player to move sees, with ``sides[0]`` as own pieces."""
    turn_shown = True
    """Whether text names the player to move; it need not where the number of pieces tells."""
    names: tuple[str, ...]
    places: tuple[Place, ...]
    rows: tuple[tuple[int, ...], ...]
    roads: tuple[tuple[int, int], ...] = ()
    chequered = False
    crosses: ClassVar[bool] = False
    """Whether pictures show x and o as a cross and a ring, not as discs."""

    def grid(self, width: int, height: int, *, chequered: bool = False) -> None:
        """A board of squares; place x + width·y is column x of row y, counted from the bottom."""
        if not (1 <= width <= 26 and 1 <= height <= 26):
            raise InvalidOptionError(
                f"expected a board of 1 to 26 squares each way, got {width}x{height}"
            )
        self.names = tuple(f"{chr(97 + x)}{y + 1}" for y in range(height) for x in range(width))
        self.places = tuple((x, height - 1 - y) for y in range(height) for x in range(width))
        self.rows = tuple(tuple(range(y * width, (y + 1) * width)) for y in reversed(range(height)))
        self.chequered = chequered

    def network(self, picture: str, roads: str) -> None:
        """A board of points and roads: their picture, a character each, and pairs such as ``ab``.

        Points are numbered in the order of their names.
        """
        lines = picture.strip("\n").splitlines()
        found = {c: (x, y) for y, line in enumerate(lines) for x, c in enumerate(line) if c != " "}
        self.names = tuple(sorted(found))
        self.places = tuple(found[c] for c in self.names)
        number = {c: k for k, c in enumerate(self.names)}
        rows = (tuple(number[c] for c in line if c != " ") for line in lines)
        self.rows = tuple(row for row in rows if row)
        self.roads = tuple((number[road[0]], number[road[1]]) for road in roads.split())

    def neighbours(self) -> Int64Array:
        """The set of places next to each place, by roads."""
        near = np.zeros(len(self.names), np.int64)
        for a, b in self.roads:
            near[a] |= 1 << b
            near[b] |= 1 << a
        return near

    # Members of subclasses

    @abstractmethod
    def pieces(self, position: int) -> str:
        """The character on each place."""

    @abstractmethod
    def turn(self, position: int) -> int:
        """Whether the second player is to move."""

    @abstractmethod
    def position_of(self, pieces: str, turn: int) -> int:
        """The position with these pieces."""

    def fault(self, position: int) -> str:
        """What was expected, if this is not a position of the game; empty if it is one."""
        return ""

    # Members that follow from them

    def show(self, position: int) -> str:
        """The rows from the top, / between, then the player to move."""
        pieces = self.pieces(position)
        text = "/".join("".join(pieces[k] for k in row) for row in self.rows)
        return f"{text} {self.sides[self.turn(position)]}" if self._shows_turn else text

    @property
    def _shows_turn(self) -> bool:
        return self.turn_shown and not self.relative

    def parse(self, text: str) -> int:
        """The position that ``show`` shows as ``text``."""
        board, _, side = text.strip().partition(" ")
        rows = board.split("/")
        alphabet = EMPTY + self.sides + self.others
        fits = [len(row) for row in rows] == [len(row) for row in self.rows]
        if not fits or {*board} - {*alphabet, "/"}:
            raise InvalidOptionError(f"expected a position such as {self._example}, got {text!r}")
        if side not in (tuple(self.sides) if self._shows_turn else ("",)):
            players = f"{self.sides[0]} or {self.sides[1]}, the player to move,"
            ending = players if self._shows_turn else "nothing"
            raise InvalidOptionError(f"expected {ending} after the board, got {side!r} in {text!r}")
        found = [EMPTY] * len(self.names)
        for numbers, row in zip(self.rows, rows, strict=True):
            for k, c in zip(numbers, row, strict=True):
                found[k] = c
        position = self.position_of("".join(found), self.sides.find(side) if side else 0)
        if fault := self.fault(position):
            raise InvalidOptionError(f"expected {fault}, got {text!r}")
        return position

    @property
    def _example(self) -> str:
        return repr(self.show(self.start()))

    def coloured(self, position: int, second: bool = False) -> str:
        """The character on each place, as the first player's and the second's."""
        pieces = self.pieces(position)
        return pieces.translate(_swap(self.sides)) if self.relative and second else pieces

    def diagram(self, position: int, second: bool = False) -> str:
        """A position on lines of text; ``second`` where the second player is to move.

        >>> from zermelo.rules.loading.games import game
        >>> print(game("tictactoe").diagram(game("tictactoe").parse("x.o/.../..x")))
        3  x . o
        2  . . .
        1  . . x
        <BLANKLINE>
           a b c
        """
        pieces = self.coloured(position, second)
        if self.roads:
            return text_network(self.places, self.roads, pieces, self.names)
        return text_grid(self.places, pieces)

    def describe(self, position: int, option: int, second: bool = False) -> str:
        """A move in words: ``b2``, ``a1-b2``, ``a1xb2``.

        >>> from zermelo.rules.loading.games import game
        >>> rules = game("hexapawn:3x3")
        >>> [rules.describe(rules.start(), x) for x in rules.options(rules.start())]
        ['a1-a2', 'b1-b2', 'c1-c2']
        """
        before = self.pieces(position)
        gone, come = self._moved(position, option)
        put = [k for k in come if before[k] == EMPTY]
        if gone and come:
            sign = "-" if before[come[0]] == EMPTY else "x"
            return self.names[gone[0]] + sign + self.names[come[0]]
        if come:
            turned = f" turns {len(come) - len(put)}" if len(come) > len(put) else ""
            return "".join(self.names[k] for k in put) + turned
        return f"{self.names[gone[0]]} off" if gone else "pass"

    def move_cells(
        self, position: int, option: int, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The place that a piece leaves, and the one that it reaches or is put on."""
        before = self.pieces(position)
        gone, come = self._moved(position, option)
        reached = come if gone else [k for k in come if before[k] == EMPTY]
        cells = tuple(self.names[k] for k in [*gone, *reached])
        return (cells,) if cells else ()

    def _moved(self, position: int, option: int) -> tuple[list[int], list[int]]:
        """The places that pieces of the player to move leave, and those that they come to."""
        before = self.pieces(position)
        after = self.pieces(option)
        if self.relative:
            after = after.translate(_swap(self.sides))
            me = self.sides[0]
        else:
            me = self.sides[self.turn(position)]
        gone = [k for k, (a, b) in enumerate(zip(before, after, strict=True)) if a == me != b]
        come = [k for k, (a, b) in enumerate(zip(before, after, strict=True)) if b == me != a]
        return gone, come

    def draw(self, position: int) -> str:
        """The board in SVG."""
        return self._drawn(self.pieces(position))

    def draw_for(self, position: int, second: bool = False) -> str:
        """The board with the pieces of both players in their colours."""
        return self._drawn(self.coloured(position, second))

    def _drawn(self, pieces: str) -> str:
        return svg(
            self.places, self.roads, pieces, self.sides, chequered=self.chequered,
            crosses=self.crosses, names=self.names,
        )  # fmt: skip


def _swap(sides: str) -> dict[int, str]:
    return {ord(sides[0]): sides[1], ord(sides[1]): sides[0]}


class Stones(Board):
    """A position is two sets of places and the player to move (see the module)."""

    cells: int
    symmetries = 1
    _images: Int64Array
    _bytes = 0

    def pieces(self, position: int) -> str:
        """The character on each place."""
        n = len(self.names)
        codes = (position >> k & 1 | (position >> n + k & 1) << 1 for k in range(n))
        return "".join((EMPTY + self.sides)[code] for code in codes)

    def turn(self, position: int) -> int:
        """The bit above the two sets."""
        return position >> 2 * len(self.names) & 1

    def position_of(self, pieces: str, turn: int) -> int:
        """The two sets and the bit, which may follow from the numbers of pieces."""
        n = len(self.names)
        sets = (sum(1 << k for k in range(n) if pieces[k] == side) for side in self.sides)
        first, second = sets
        if not self.turn_shown:
            turn = int(first.bit_count() > second.bit_count())
        return first | second << n | turn << 2 * n

    # Symmetry

    def symmetric_under(self, *permutations: Any) -> None:
        """Take these permutations of the places, with the identity, for the symmetries.

        They must form a group that keeps the start; then the positions that play can reach are a
        union of orbits. A set is mapped byte by byte, with a table for each byte.
        """
        n = len(self.names)
        group = [tuple(range(n)), *(tuple(p) for p in permutations)]
        self._bytes = (n + 7) // 8
        table = np.zeros((len(group), self._bytes, 256), np.int64)
        for k, permutation in enumerate(group):
            for place, image in enumerate(permutation):
                j, bit = divmod(place, 8)
                table[k, j, [b for b in range(256) if b >> bit & 1]] |= 1 << image
        self._images = table.reshape(-1)
        self.symmetries = len(group)

    def image(self, places: int, k: int) -> int:
        """The image of a set of places under symmetry k."""
        found = 0
        for j in range(self._bytes):
            found |= self._images[(k * self._bytes + j) << 8 | (places >> 8 * j & 255)]
        return found

    def turned(self, position: int, k: int) -> int:
        """The image of a position under symmetry k."""
        n = self.cells
        every = (1 << n) - 1
        return (
            self.image(position & every, k)
            | self.image(position >> n & every, k) << n
            | position >> 2 * n << 2 * n
        )

    # Numbers of positions

    def layered(self, *layers: tuple[int, int, int]) -> None:
        """Number positions by layers: (pieces of the first, pieces of the second, player to move).

        In a layer, sets are numbered as combinations are: {c₁ < c₂ < …} is Σ C(cᵢ, i), the second
        player's among the places that the first one leaves.
        """
        n = len(self.names)
        self._choose = np.array([comb(c, i) for c in range(n + 1) for i in range(n + 1)], np.int64)
        sizes = [comb(n, a) * comb(n - a, b) for a, b, _ in layers]
        ends = np.cumsum([0, *sizes])
        self._layer_of = np.full(2 * (n + 1) ** 2, -1, np.int64)
        for k, (a, b, turn) in enumerate(layers):
            self._layer_of[(a * (n + 1) + b) * 2 + turn] = k
        self._layer_start = ends.astype(np.int64)
        self._layers = np.array(layers, np.int64).reshape(-1)
        self.size = int(ends[-1])

    def fault(self, position: int) -> str:
        """The numbers of pieces must be those of a layer."""
        if self.size and self.number(position) < 0:
            return "as many pieces as the game allows, and the right side to move"
        return ""

    def number(self, position: int) -> int:
        """The number of a position; −1 where no layer has it."""
        n = self.cells
        first, second, free = 0, 0, 0
        a, b = 0, 0
        for c in range(n):
            if position >> c & 1:
                a += 1
                first += self._choose[c * (n + 1) + a]
            else:
                if position >> n + c & 1:
                    b += 1
                    second += self._choose[free * (n + 1) + b]
                free += 1
        layer = self._layer_of[(a * (n + 1) + b) * 2 + (position >> 2 * n & 1)]
        if layer < 0:
            return -1
        ways: int = self._choose[free * (n + 1) + b]
        before: int = self._layer_start[layer]
        return before + first * ways + second

    def position_numbered(self, index: int) -> int:
        """The position of a number."""
        n = self.cells
        layer = 0
        while self._layer_start[layer + 1] <= index:
            layer += 1
        a, b = self._layers[3 * layer], self._layers[3 * layer + 1]
        free = n - a
        rest = index - self._layer_start[layer]
        ways = self._choose[free * (n + 1) + b]
        first, second = rest // ways, rest % ways
        position: int = self._layers[3 * layer + 2] << 2 * n
        # From the highest place down, take the greatest combination that fits.
        for k in range(n):
            c = n - 1 - k
            if a > 0 and self._choose[c * (n + 1) + a] <= first:
                first -= self._choose[c * (n + 1) + a]
                a -= 1
                position |= 1 << c
            else:
                free -= 1
                if b > 0 and self._choose[free * (n + 1) + b] <= second:
                    second -= self._choose[free * (n + 1) + b]
                    b -= 1
                    position |= 1 << n + c
        return position


OF_SYMMETRY = ("_bytes", "_images", "symmetries")
OF_NUMBERS = ("_choose", "_layer_of", "_layer_start", "_layers", "size")
"""The parameters that ``symmetric_under`` and ``layered`` make; some rules have them as data."""


class Symmetric(Stones):
    """Stones with symmetries: ``symmetric_under`` says which."""

    def canonical(self, position: int) -> int:
        """The least of the images."""
        least = position
        for k in range(1, self.symmetries):
            least = min(least, self.turned(position, k))
        return least

    def orbit(self, position: int) -> int:
        """The order of the group, divided by that of the stabiliser."""
        same = 0
        for k in range(self.symmetries):
            if self.turned(position, k) == position:
                same += 1
        return self.symmetries // same


class Numbered(Stones):
    """Stones with an index, by ``layered``."""

    def rank(self, position: int) -> int:
        """Its number among the combinations."""
        return self.number(position)

    def unrank(self, index: int) -> int:
        """The position of a number."""
        return self.position_numbered(index)


class NumberedSymmetric(Symmetric):
    """Stones with symmetries and an index, which only canonical positions have."""

    def rank(self, position: int) -> int:
        """The number of the canonical position."""
        return self.number(self.canonical(position))

    def unrank(self, index: int) -> int:
        """The position of a number, if it is canonical."""
        position = self.position_numbered(index)
        return position if self.canonical(position) == position else NO_POSITION
