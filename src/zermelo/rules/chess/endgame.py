"""Chess endgames of up to five men: rules, positions in FEN, pictures.

There is no castling, and no draw by repetition or by counting moves: infinite play is a draw, and
stalemate is a tie. Distances are plies to checkmate.
"""

import re
from collections.abc import Sequence

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.rules.boards.board_picture import text_grid
from zermelo.rules.chess.board import BLACK, KING, LETTERS, PAWN, name, square
from zermelo.rules.chess.index import BOARD, MATERIAL, SIDE
from zermelo.rules.chess.material import MOST_MEN, SLOTS, Material, ordered
from zermelo.rules.chess.notation import (
    SIDE_NAMES,
    clock_of,
    conversion_remarks,
    conversion_verdict,
    move_between,
    read_move,
    remarks,
    verdict,
    write_line,
    written_moves,
)
from zermelo.rules.chess.pawns import WithPawns
from zermelo.rules.chess.picture import draw_board
from zermelo.rules.chess.sets import InSets

HOME = {"K": "e", "Q": "dcf", "R": "ahdg", "B": "cfdb", "N": "bgdc", "P": "edc"}
"""The files on which White's men start."""

LEFT_OUT = (
    "Castling and the fifty-move rule are left out, and so are draws by repetition: mates are "
    "counted as if no player could claim a draw. Captures en passant and promotions are in."
)
"""What differs from the rules of chess that players know."""


class Chess(InSets):
    """The endgame with these men, such as KRvK; positions are read and shown in FEN.

    >>> rook = Chess("KRvK")
    >>> mate = rook.parse("k7/8/1K6/8/8/8/8/7R w - - 0 1")
    >>> [rook.show(x) for x in rook.options(mate) if rook.outcome(x) == -1]
    ['k6R/8/1K6/8/8/8/8/8 b - - 0 1']
    >>> other = rook.parse("K7/8/1k6/8/8/8/8/7r b - - 0 1")
    >>> rook.show(rook.canonical(mate)) == rook.show(rook.canonical(other))
    True
    """

    side_names = SIDE_NAMES
    left_out = LEFT_OUT

    def __new__(cls, men: str) -> "Chess":
        """The rules, with moves of pawns if there are pawns."""
        return super().__new__(ChessWithPawns if cls is Chess and "P" in men.upper() else cls)

    def __init__(self, men: str) -> None:
        material = Material.of(men)
        super().__init__(material)
        self.material = material.main
        self.most_moves = max(x.most_moves for x in self.tables.materials)

    def __getnewargs__(self) -> tuple[str]:
        """What copies and pickles are made with; ``__new__`` asks whether there are pawns."""
        return (str(self.material),)

    @classmethod
    def from_text(cls, text: str) -> "Chess":
        """The men of White and Black with a v between."""
        return Chess(text)  # with moves of pawns only if there are pawns

    def tier_games(self) -> list[tuple[str, int]]:
        """The materials, and how many indices each of them has.

        >>> Chess("KRvK").tier_games()
        [('KvK', 462), ('KRvK', 59136)]
        """
        names = [str(self.tables.materials[number]) for number in self.main]
        return list(zip(names, np.diff(self.offset).tolist(), strict=True))

    @property
    def most_unmoves(self) -> int:
        """As many as moves, and again for each pawn that can have been capturable en passant."""
        return self.most_moves * (1 + str(self.material).count("P"))

    def start(self) -> int:
        """Men on their squares of the first and last rank, pawns before them; White to move."""
        white, black = (_home(side) for side in self.material)
        return self._placed(white + [(kind + BLACK, at ^ 56) for kind, at in black], 0)

    def _placed(self, men: list[tuple[int, int]], side: int) -> int:
        """The position with men of kinds on squares; the squares may be those of passed pawns."""
        letters = [
            ordered("".join(LETTERS[kind % BLACK] for kind, _ in men
                             if kind // BLACK == colour and kind % BLACK != KING))
            for colour in (0, 1)
        ]  # fmt: skip
        material = Material(*letters)
        number = self.tables.number.get(material)
        if number is None:
            raise InvalidOptionError(
                f"expected men of {self.material}, or what captures and promotions make of "
                f"them, got {material}"
            )
        board, left = 0, sorted(men, key=lambda man: man[1])
        for slot, kind in enumerate(material.kinds):
            man = next(x for x in left if x[0] == kind)
            left.remove(man)
            board |= man[1] << 6 * slot
        return number << MATERIAL | side << SIDE | board

    def placed_men(self, position: int) -> list[tuple[int, int]]:
        """Kinds and squares of all men."""
        board = self.standing(position)
        first = (position >> MATERIAL) * SLOTS
        return [
            (int(self.kinds[first + slot]), int(board >> 6 * slot & 63))
            for slot in range(self.men[position >> MATERIAL])
        ]

    def show(self, position: int) -> str:
        """The position in FEN."""
        rows = [re.sub(r"\.+", lambda run: str(len(run[0])), x) for x in self.rows(position)]
        side = position >> SIDE & 1
        moved = (position ^ self.standing(position)) & BOARD
        passed = "-"
        if moved:
            slot = next(k for k in range(MOST_MEN) if moved >> 6 * k & 63)
            passed = name((self.standing(position) >> 6 * slot & 63) + 8 - 16 * side)
        return f"{'/'.join(rows)} {'wb'[side]} - {passed} 0 1"

    def parse(self, text: str) -> int:
        """The position of a FEN; its counters of moves are ignored, and may be left out.

        >>> rules = Chess("KRvK")
        >>> rules.show(rules.parse("8/8/8/8/8/2k5/8/K6R w"))
        '8/8/8/8/8/2k5/8/K6R w - - 0 1'
        """
        fields = text.split()
        if len(fields) == 1 and fields[0].count("/") == 7:
            raise InvalidOptionError(
                f"expected the side to move, w or b, after the squares, as in '{text.strip()} w'"
            )
        if not 2 <= len(fields) <= 6:
            raise InvalidOptionError(
                f"expected a position in FEN such as '8/8/8/8/8/2k5/8/K6R w - - 0 1', got {text!r}"
            )
        rows, turn, castling, en_passant = [*fields, *"--"[len(fields) - 2 :]][:4]
        men = _read_rows(rows)
        if turn not in ("w", "b"):
            raise InvalidOptionError(f"expected w or b to move, got {turn!r} in {text!r}")
        if castling != "-":
            raise InvalidOptionError(
                f"expected no right to castle (-), because castling is left out of endgames, got "
                f"{castling!r} in {text!r}"
            )
        for clock in fields[4:]:
            if not (clock.isascii() and clock.isdigit()):
                raise InvalidOptionError(
                    f"expected a number of moves after the fourth field, got {clock!r} in {text!r}"
                )
        side = "wb".index(turn)
        position = self._placed(men, side)
        board = position & BOARD
        kings = board & 63, board >> 6 & 63
        if max(abs(kings[0] % 8 - kings[1] % 8), abs(kings[0] // 8 - kings[1] // 8)) < 2:
            raise InvalidOptionError(f"expected kings apart, got neighbours in {text!r}")
        mask = self.occupied(position >> MATERIAL, board)
        if self.attacked(position >> MATERIAL, board, kings[1 - side], side, mask):
            raise InvalidOptionError(
                f"expected {('Black', 'White')[side]} out of check, {('White', 'Black')[side]} "
                f"being to move, got {text!r}"
            )
        if en_passant != "-":
            return self._passing(position, en_passant, text)
        return position

    def _passing(self, position: int, target: str, text: str) -> int:
        """The position with a pawn capturable en passant on ``target``, if a pawn can capture."""
        raise InvalidOptionError(
            f"expected the square that a pawn has just passed, got {target!r} in {text!r}"
        )

    def turn(self, position: int) -> int:
        """Whether Black is to move."""
        return position >> SIDE & 1

    def diagram(self, position: int, second: bool = False) -> str:
        """The board on lines of text, White below."""
        places = [(x, y) for y in range(8) for x in range(8)]
        return text_grid(places, "".join(self.rows(position)))

    def rows(self, position: int) -> list[str]:
        """The letters of the men on each rank, the eighth first; ``.`` is an empty square."""
        letters = {at: LETTERS[kind] for kind, at in self.placed_men(position)}
        return ["".join(letters.get(8 * y + x, ".") for x in range(8)) for y in range(7, -1, -1)]

    def describe(self, position: int, option: int, second: bool = False) -> str:
        """A move in SAN.

        >>> rules = Chess("KPvK")
        >>> last = rules.parse("8/P7/8/8/8/1k6/8/K7 w - - 0 1")
        >>> [rules.describe(last, x) for x in rules.options(last)]
        ['Kb1', 'a8=Q', 'a8=R', 'a8=B', 'a8=N']
        """
        return written_moves(self, position)[option][1]

    def move_names(self, position: int, option: int, second: bool = False) -> tuple[str, ...]:
        """A move in SAN and in UCI.

        >>> rules = Chess("KPvK")
        >>> last = rules.parse("8/P7/8/8/8/1k6/8/K7 w - - 0 1")
        >>> rules.move_names(last, rules.options(last)[1])
        ('a8=Q', 'a7a8q')
        """
        move, san = written_moves(self, position)[option]
        return san, move.uci

    def move_cells(
        self, position: int, option: int, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """The square that a man leaves, and the one that it reaches."""
        uci = move_between(self, position, option).uci
        return ((uci[:2], uci[2:4]),)

    def parse_move(self, position: int, text: str, second: bool = False) -> int:
        """The position after a move in SAN or in UCI.

        >>> rules = Chess("KPvK")
        >>> last = rules.parse("8/P7/8/8/8/1k6/8/K7 w - - 0 1")
        >>> rules.parse_move(last, "a8=Q+") == rules.parse_move(last, "a7a8q")
        True
        >>> rules.parse_move(last, "O-O")
        Traceback (most recent call last):
        zermelo.errors.InvalidOptionError: castling (O-O) is left out of endgames; play another move
        """
        return read_move(self, position, text)

    def write_line(self, positions: Sequence[int], second: bool = False) -> str:
        """A play in SAN with numbers of moves."""
        return write_line(self, positions)

    def verdict(self, position: int, label: int, distance: int) -> str:
        """The result in words, such as ``White mates in 14 (27 plies)``."""
        return verdict(self.turn(position), label, distance)

    def remarks(self, text: str, distance: int) -> tuple[str, ...]:
        """A sentence on the fifty-move rule, where the clock of a FEN makes it matter."""
        return remarks(text, distance)

    def conversion_verdict(self, position: int, label: int, distance: int) -> str:
        """The result in words, with the plies to the next capture, pawn move or mate."""
        return conversion_verdict(self.turn(position), label, distance)

    def conversion_remarks(
        self, text: str, label: int, distance: int, plies: int = 0
    ) -> tuple[str, ...]:
        """A sentence on the fifty-move rule, as far as the distance to conversion tells."""
        return conversion_remarks(clock_of(text) + plies, label, distance)

    def draw(self, position: int) -> str:
        """The board in SVG, White below."""
        caption = f"{self.side_names[self.turn(position)]} to move"
        return draw_board(self.rows(position), self.show(position), caption)


class ChessWithPawns(Chess, WithPawns):
    """The endgame with these men, pawns among them."""

    def _passing(self, position: int, target: str, text: str) -> int:
        """The position with a pawn capturable en passant on ``target``, if a pawn can capture."""
        side = position >> SIDE & 1
        material, board = position >> MATERIAL, position & BOARD
        mask = self.occupied(material, board)
        pawn = PAWN + BLACK * (1 - side)
        if target in [name(x) for x in range(64)]:
            here = square(target) - 8 + 16 * side
            if (pawn, here) in self.placed_men(position) and self.open_behind(here, pawn, mask):
                if not self.beside(material, board, here, side):
                    return position
                men = [
                    (kind, at - 24 + 48 * (1 - side) if (kind, at) == (pawn, here) else at)
                    for kind, at in self.placed_men(position)
                ]
                return self._placed(men, side)
        return super()._passing(position, target, text)


def _home(letters: str) -> list[tuple[int, int]]:
    """Kinds and squares of White's king and other men at the start."""
    men: list[tuple[int, int]] = []
    for letter in "K" + letters:
        rank = "2" if letter == "P" else "1"
        taken = {at for _, at in men}
        home = next(at for f in HOME[letter] if (at := square(f + rank)) not in taken)
        men.append((LETTERS.index(letter), home))
    return men


def _read_rows(rows: str) -> list[tuple[int, int]]:
    """Kinds and squares of the men in the first field of a FEN."""
    men = []
    ranks = rows.split("/")
    for y, rank in enumerate(ranks):
        x = 0
        for letter in rank:
            if letter in "12345678":
                x += int(letter)
            elif letter in LETTERS:
                men.append((LETTERS.index(letter), x + 8 * (7 - y)))
                x += 1
            else:
                raise InvalidOptionError(f"expected a man or a number, got {letter!r} in {rows!r}")
        if x != 8 or len(ranks) != 8:
            raise InvalidOptionError(f"expected 8 ranks of 8 squares, got {rows!r}")
    kinds = [kind for kind, _ in men]
    if any(kinds.count(king) != 1 for king in (KING, KING + BLACK)):
        raise InvalidOptionError(f"expected one king of each colour, got {rows!r}")
    if any(kind % BLACK == PAWN and not 8 <= at < 56 for kind, at in men):
        raise InvalidOptionError(f"expected no pawn on the first or last rank, got {rows!r}")
    return men
