"""Moves and results of chess as players write them: SAN, UCI, mates in full moves.

SAN is the notation of books (``Kd6``, ``Rxa8+``, ``e8=Q#``), UCI that of programs (``d5d6``,
``e7e8q``).
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from zermelo.errors import InvalidOptionError
from zermelo.rules.chess.board import BLACK, LETTERS, PAWN, name
from zermelo.rules.chess.index import BOARD, MATERIAL, SIDE
from zermelo.rules.notation import no_such_move

if TYPE_CHECKING:
    from zermelo.rules.chess.endgame import Chess

SIDE_NAMES = ("White", "Black")

FIFTY_MOVES = 100
"""The number of plies without a capture or a move of a pawn after which a player may claim a draw
by the fifty-move rule of chess."""

CASTLING = re.compile(r"[O0]-[O0](-[O0])?[+#]?", re.IGNORECASE)
WRITTEN = re.compile(
    r"(?P<man>[KQRBNP])?(?P<file>[a-h])?(?P<rank>[1-8])?(?P<sign>[x:-])?(?P<to>[a-h][1-8])"
    r"(?:=?\(?(?P<new>[QRBNqrbn])\)?)?"
)
"""A move in SAN, in UCI, or with both squares (``Ra1-a8``)."""


class Move(NamedTuple):
    """A move: the kind of the man, its squares, whether it captures, the kind that it becomes."""

    kind: int
    start: int
    to: int
    captures: bool
    new: int

    @property
    def uci(self) -> str:
        """The move in UCI."""
        promoted = LETTERS[self.new % BLACK].lower() if self.new != self.kind else ""
        return name(self.start) + name(self.to) + promoted

    @property
    def is_pawn(self) -> bool:
        """Whether a pawn moves."""
        return self.kind % BLACK == PAWN

    @property
    def letter(self) -> str:
        """The letter of the man; a pawn has none."""
        return "" if self.is_pawn else LETTERS[self.kind % BLACK]

    def san(self, others: "Sequence[Move]", sign: str) -> str:
        """The move in SAN; ``others`` are all moves of the position."""
        origin = name(self.start)
        if self.is_pawn:
            part = origin[0] if self.captures else ""
        else:
            rivals = [
                name(x.start)
                for x in others
                if (x.kind, x.to) == (self.kind, self.to) and x.start != self.start
            ]
            if not rivals:
                part = ""
            elif all(x[0] != origin[0] for x in rivals):
                part = origin[0]
            elif all(x[1] != origin[1] for x in rivals):
                part = origin[1]
            else:
                part = origin
        cross = "x" if self.captures else ""
        promoted = "=" + LETTERS[self.new % BLACK] if self.new != self.kind else ""
        return f"{self.letter}{part}{cross}{name(self.to)}{promoted}{sign}"


def move_between(rules: "Chess", position: int, option: int) -> Move:
    """The move that leads from a position to another."""
    before, after = rules.placed_men(position), rules.placed_men(option)
    own = [{x for x in men if x[0] // BLACK == rules.turn(position)} for men in (before, after)]
    (kind, start), (new, to) = *(own[0] - own[1]), *(own[1] - own[0])
    return Move(kind, start, to, len(after) < len(before), new)


def is_check(rules: "Chess", position: int) -> bool:
    """Whether the king of the side to move is attacked."""
    material, side = position >> MATERIAL, position >> SIDE & 1
    board = rules.standing(position) & BOARD
    king = board >> 6 * side & 63
    return bool(rules.attacked(material, board, king, 1 - side, rules.occupied(material, board)))


@lru_cache(maxsize=32)
def written_moves(rules: "Chess", position: int) -> dict[int, tuple[Move, str]]:
    """All moves from a position and their SAN, by the positions that they lead to.

    >>> from zermelo.rules.chess.endgame import Chess
    >>> rules = Chess("KRRvK")
    >>> found = written_moves(rules, rules.parse("7k/8/8/8/8/8/1K6/R5R1 w"))
    >>> sorted(san for move, san in found.values() if san.endswith("d1"))
    ['Rad1', 'Rgd1']
    """
    moves = {x: move_between(rules, position, x) for x in rules.options(position)}
    everyone = list(moves.values())
    found = {}
    for x, move in moves.items():
        sign = "" if not is_check(rules, x) else "+" if rules.options(x) else "#"
        found[x] = move, move.san(everyone, sign)
    return found


def read_move(rules: "Chess", position: int, text: str) -> int:
    """The position after a move in SAN or UCI; signs of check and capture may be left out.

    >>> from zermelo.rules.chess.endgame import Chess
    >>> rules = Chess("KRvK")
    >>> here = rules.parse("k7/8/1K6/8/8/8/8/7R w")
    >>> {rules.show(read_move(rules, here, x)) for x in ("Rh8#", "Rh8", "h1h8", "Rh1-h8", "rh8")}
    {'k6R/8/1K6/8/8/8/8/8 b - - 0 1'}
    """
    wanted = text.strip()
    if CASTLING.fullmatch(wanted):
        raise InvalidOptionError(f"castling ({wanted}) is left out of endgames; play another move")
    moves = written_moves(rules, position)
    core = wanted.removesuffix("e.p.").strip().rstrip("+#!?")
    matches = _matching(moves, core)
    if not matches and core[:1] in "kqrbn":
        matches = _matching(moves, core[:1].upper() + core[1:])
    if not matches:
        matches = _matching(moves, core[:-1].lower() + core[-1:])
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = " or ".join(moves[x][1] for x in matches)
        raise InvalidOptionError(f"{wanted} can be more than one move here: write {names}")
    raise no_such_move(wanted, (san for _, san in moves.values()))


def _matching(moves: dict[int, tuple[Move, str]], core: str) -> list[int]:
    """The moves that a text without signs of check can mean."""
    parts = WRITTEN.fullmatch(core)
    if parts is None:
        return []
    both = parts["file"] and parts["rank"]
    letter = (parts["man"] or "").replace("P", "")
    new = (parts["new"] or "").upper()
    found = []
    for x, (move, _) in moves.items():
        origin = name(move.start)
        promoted = LETTERS[move.new % BLACK] if move.new != move.kind else ""
        if (
            name(move.to) == parts["to"]
            and parts["file"] in (None, origin[0])
            and parts["rank"] in (None, origin[1])
            and (move.letter == letter or (both and not parts["man"]))
            and (not new or new == promoted)
            and (parts["sign"] not in ("x", ":") or move.captures)
            and (letter or both or not move.captures or parts["file"])
        ):
            found.append(x)
    return found


def write_line(rules: "Chess", positions: Sequence[int]) -> str:
    """A play in SAN with numbers of moves.

    >>> from zermelo.rules.chess.endgame import Chess
    >>> rules = Chess("KRvK")
    >>> line = ["1k6/8/1K6/8/8/8/8/7R b", "k7/8/1K6/8/8/8/8/7R w", "k6R/8/1K6/8/8/8/8/8 b"]
    >>> write_line(rules, [rules.parse(x) for x in line])
    '1... Ka8 2. Rh8#'
    """
    parts, number = [], 1
    for k, (x, y) in enumerate(pairwise(positions)):
        black = rules.turn(x)
        if not black:
            parts.append(f"{number}.")
        elif k == 0:
            parts.append("1...")
        parts.append(written_moves(rules, x)[y][1])
        number += black
    return " ".join(parts)


def verdict(side: int, label: int, distance: int) -> str:
    """The result in words: full moves to mate, and plies.

    >>> verdict(0, 1, 27), verdict(1, -1, 6)
    ('White mates in 14 (27 plies)', 'Black is mated in 3 (6 plies)')
    >>> verdict(1, -1, 0), verdict(0, 0, -1), verdict(0, 0, 0)
    ('Black is checkmated', 'draw', 'draw: White is stalemated')
    """
    mover = SIDE_NAMES[side]
    plies = f"({distance} {'ply' if distance == 1 else 'plies'})"
    if label > 0:
        return f"{mover} mates in {(distance + 1) // 2} {plies}"
    if label < 0:
        return (
            f"{mover} is mated in {distance // 2} {plies}"
            if distance
            else (f"{mover} is checkmated")
        )
    return f"draw: {mover} is stalemated" if distance == 0 else "draw"


def remarks(text: str, distance: int) -> tuple[str, ...]:
    """A sentence on the fifty-move rule, where the clock of a FEN makes it matter.

    >>> remarks("8/8/8/8/8/2k5/8/K6R w - - 0 1", 27)
    ()
    >>> print(*remarks("8/8/8/8/8/2k5/8/K6R w - - 90 80", 27))
    the clock of the fifty-move rule (90 plies) is ignored; with it, the game may be a draw...
    """
    clock = clock_of(text)
    if clock == 0:
        return ()
    ignored = f"the clock of the fifty-move rule ({clock} plies) is ignored"
    if distance > 0 and clock + distance > FIFTY_MOVES:
        ignored += "; with it, the game may be a draw before the end that is shown"
    return (ignored,)


def clock_of(text: str) -> int:
    """The plies since the last capture or move of a pawn, by a FEN; 0 if it does not tell.

    >>> clock_of("8/8/8/8/8/2k5/8/K6R w - - 90 80"), clock_of("8/8/8/8/8/2k5/8/K6R w")
    (90, 0)
    """
    fields = text.split()
    return int(fields[4]) if len(fields) > 4 and fields[4].isdigit() else 0


def conversion_verdict(side: int, label: int, distance: int) -> str:
    """The result in words, with the plies to the next capture, move of a pawn, or mate.

    >>> conversion_verdict(0, 1, 27)
    'White wins; the next capture, pawn move or mate comes in 27 plies'
    """
    result = "wins" if label > 0 else "loses"
    plies = f"{distance} {'ply' if distance == 1 else 'plies'}"
    return f"{SIDE_NAMES[side]} {result}; the next capture, pawn move or mate comes in {plies}"


def conversion_remarks(clock: int, label: int, distance: int) -> tuple[str, ...]:
    """A sentence on the fifty-move rule, as far as the distance to conversion tells.

    ``clock`` is the number of plies since the last capture or move of a pawn. A win is lost by the
    rule if the clock and the distance exceed 100 plies, because the other
    player can then prevent a capture, a move of a pawn and mate until a draw can be claimed.
    Otherwise the winner can force one of them in time and still be winning if the rule is left
    out; whether the rule spoils a later part of the win is not told.

    >>> conversion_remarks(0, 1, 27)
    ()
    >>> print(*conversion_remarks(73, 1, 27))
    fifty-move rule: 73 plies on the clock and 27 to come are not more than 100, so the next ...
    >>> print(*conversion_remarks(74, 1, 27))
    fifty-move rule: 74 plies on the clock and 27 to come are more than 100, so the loser can ...
    >>> print(*conversion_remarks(0, -1, 102))
    fifty-move rule: a blessed loss, because 102 plies to the next capture, pawn move or mate ...
    """
    if label == 0 or distance <= 0 or (clock == 0 and distance <= FIFTY_MOVES):
        return ()
    draw = "the loser can reach a draw by the rule"
    if distance > FIFTY_MOVES:
        name = "cursed win" if label > 0 else "blessed loss"
        reason = f"{distance} plies to the next capture, pawn move or mate are more than 100"
        return (f"fifty-move rule: a {name}, because {reason}, so {draw}",)
    sum_of_both = f"{clock} plies on the clock and {distance} to come are"
    if clock + distance > FIFTY_MOVES:
        return (f"fifty-move rule: {sum_of_both} more than 100, so {draw}",)
    return (
        f"fifty-move rule: {sum_of_both} not more than 100, so the next capture, pawn move or mate "
        "can be forced in time; what follows it is not told",
    )
