"""How people write a game: names of moves, diagrams, results in words.

All these members of :class:`~zermelo.rules.base.Rules` are OPTIONAL. Nothing that is solved depends
on them; ``zermelo probe``, ``zermelo play`` and the answers of tables use them. A move is the pair
of a position and the position that it leads to. ``second`` says that the second player is to move;
it matters only in games whose positions are what the player to move sees.

====================== =====================================================================
member                 default
====================== =====================================================================
``describe``           the text of the position that the move leads to
``move_names``         ``describe`` alone
``parse_move``         the move that has this name, or that leads to the position with this text
``write_line``         the names of the moves of a play, with commas
``diagram``            the text of the position
``draw_for``           the picture that ``draw`` makes
``move_cells``         the places of the picture that the move changes
``verdict``            ``wins in 5``, ``draws``
``remarks``            nothing to add
``conversion_verdict`` ``wins, conversion in 5``
``conversion_remarks`` nothing to add
``side_names``         ``first`` and ``second``
``left_out``           nothing of the usual rules is left out
====================== =====================================================================
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from zermelo.errors import InvalidOptionError

MOST_LISTED = 8
"""The number of moves that a message lists."""


class NoSuchMoveError(InvalidOptionError):
    """The error for a text that names no move of a position."""


class Notation:
    """The members of rules for people, with their defaults."""

    side_names: tuple[str, str] = ("first", "second")
    """OPTIONAL. The names of the two players."""

    left_out: str = ""
    """OPTIONAL. A sentence about the usual rules of the game that are left out here."""

    def describe(self, position: Any, option: Any, second: bool = False) -> str:
        """OPTIONAL. The name of the move from a position to another. Default: the latter's text."""
        return str(self.show(option))  # type: ignore[attr-defined]

    def move_names(self, position: Any, option: Any, second: bool = False) -> tuple[str, ...]:
        """OPTIONAL. The move in every notation of the game, the usual one first.

        >>> from zermelo.rules.loading.games import game
        >>> rules = game("chess:KRvK")
        >>> before, after = "k7/8/1K6/8/8/8/8/7R w", "k6R/8/1K6/8/8/8/8/8 b"
        >>> rules.move_names(rules.parse(before), rules.parse(after))
        ('Rh8#', 'h1h8')
        """
        return (self.describe(position, option, second),)

    def parse_move(self, position: Any, text: str, second: bool = False) -> Any:
        """OPTIONAL. The position after the move with this name, in any of the notations.

        >>> from zermelo.rules.loading.games import game
        >>> rules = game("tictactoe")
        >>> rules.show(rules.parse_move(rules.start(), "B2"))
        '.../.x./...'
        """
        wanted = text.strip()
        options: list[Any] = self.options(position)  # type: ignore[attr-defined]
        named = [(x, {*self.move_names(position, x, second), self._text(x)}) for x in options]
        matches = [x for x, names in named if wanted in names]
        if not matches:
            small = wanted.casefold()
            matches = [x for x, names in named if small in {name.casefold() for name in names}]
        if len(matches) == 1:
            return matches[0]
        raise no_such_move(text, (self.move_names(position, x, second)[0] for x in options))

    def write_line(self, positions: Sequence[Any], second: bool = False) -> str:
        """OPTIONAL. The moves of a play, given by its positions.

        >>> from zermelo.rules.loading.games import game
        >>> rules = game("tictactoe")
        >>> rules.write_line([rules.parse(x) for x in (".../.../...", ".../.x./...")])
        'b2'
        """
        steps = enumerate(pairwise(positions))
        turns = (self.describe(x, y, second_moves(self, x, ply, second)) for ply, (x, y) in steps)
        return ", ".join(turns)

    def diagram(self, position: Any, second: bool = False) -> str:
        """OPTIONAL. A position on lines of text. Default: its text."""
        return self._text(position)

    def draw_for(self, position: Any, second: bool = False) -> str:
        """OPTIONAL. The picture of a position, in which each player keeps colour and side.

        It matters only where positions are what the player to move sees. Default: ``draw``.

        >>> from zermelo.rules.loading.games import game
        >>> rules = game("teeko")
        >>> stone = rules.options(rules.start())[0]  # the first player's, now the opponent's
        >>> rules.draw(stone) == rules.draw_for(stone, second=True)
        False
        """
        return self.draw(position)  # type: ignore[attr-defined,no-any-return]

    def move_cells(
        self, position: Any, option: Any, second: bool = False
    ) -> tuple[tuple[str, ...], ...]:
        """OPTIONAL. The places that a player clicks for a move: every way to do so, each in order.

        Places are those that the picture of the position names, see :mod:`zermelo.rules.cells`.
        A move without a way is chosen from a list. Default: one way, the places whose pictures
        differ.

        >>> from zermelo.rules.loading.games import game
        >>> rules = game("hexapawn:3x3")
        >>> rules.move_cells(rules.start(), rules.options(rules.start())[0])
        (('a1', 'a2'),)
        """
        from zermelo.rules.cells import changed_cells

        before = self.draw_for(position, second)
        cells = changed_cells(before, self.draw_for(option, second_moves(self, option, 1, second)))
        return (cells,) if cells else ()

    def verdict(self, position: Any, label: int, distance: int) -> str:
        """OPTIONAL. The result of best play in words, as the player to move sees it.

        ``distance`` is the number of plies to the end, negative where nobody forces an end: so
        it is in a draw, unless play is over.

        >>> from zermelo.rules.loading.games import game
        >>> nim, rook = game("nim:3,4,5"), game("chess:KRvK")
        >>> nim.verdict(nim.start(), 1, 11), rook.verdict(rook.start(), 1, 27)
        ('wins in 11', 'White mates in 14 (27 plies)')
        """
        return worth(label, distance)

    def remarks(self, text: str, distance: int) -> tuple[str, ...]:
        """OPTIONAL. Sentences on what the answer to a position, given as text, leaves out."""
        return ()

    def conversion_verdict(self, position: Any, label: int, distance: int) -> str:
        """OPTIONAL. The same as ``verdict``, if ``distance`` is that to the next conversion.

        It is positive for a position that is won or lost and where play is not over; for others,
        ``verdict`` is asked.

        >>> from zermelo.rules.loading.games import game
        >>> rules = game("connect4:4x4")
        >>> rules.conversion_verdict(rules.start(), -1, 3)
        'loses, conversion in 3'
        """
        return f"{worth(label, -1)}, conversion in {distance}"

    def conversion_remarks(
        self, text: str, label: int, distance: int, plies: int = 0
    ) -> tuple[str, ...]:
        """OPTIONAL. The same as ``remarks``, if ``distance`` is that to the next conversion.

        So many ``plies`` were played since the position that is given as text, and none of them
        was a conversion.
        """
        return ()

    def _text(self, position: Any) -> str:
        return str(self.show(position))  # type: ignore[attr-defined]


def worth(label: int, distance: int) -> str:
    """A value in words.

    >>> worth(1, 5), worth(-1, -1), worth(0, 0)
    ('wins in 5', 'loses', 'draws')
    """
    verb = {1: "wins", -1: "loses", 0: "draws"}[int(label)]
    return verb if distance < 0 or not label else f"{verb} in {distance}"


def in_words(
    rules: Any, position: Any, label: int, distance: int, *, conversion: bool = False
) -> str:
    """The value of a position in words; ``conversion`` if that is what the distance leads to.

    Nobody forces the end of a draw, so that the distance of one is not told unless play is over.

    >>> from zermelo.rules.loading.games import game
    >>> rules = game("chess:KRvK")
    >>> in_words(rules, rules.start(), 1, 27), in_words(rules, rules.start(), 0, 8)
    ('White mates in 14 (27 plies)', 'draw')
    """
    if label == 0 and distance > 0:
        distance = -1
    if conversion and label and distance > 0:
        return str(rules.conversion_verdict(position, int(label), int(distance)))
    return str(rules.verdict(position, int(label), int(distance)))


def no_such_move(text: str, names: Iterable[str]) -> NoSuchMoveError:
    """The error for a text that names no move.

    >>> print(no_such_move("e9", ["a1", "b2"]))
    there is no move 'e9' here; the moves are a1, b2
    """
    listed = list(names)
    some = ", ".join(listed[:MOST_LISTED]) + (", …" if len(listed) > MOST_LISTED else "")
    return NoSuchMoveError(
        f"there is no move {text.strip()!r} here; "
        + (f"the moves are {some}" if some else "play is over")
    )


def second_moves(rules: Any, position: Any, ply: int = 0, second: bool = False) -> bool:
    """Whether the second player is to move, ``ply`` moves after a position where ``second`` was.

    >>> from zermelo.rules.loading.games import game
    >>> rook, nim = game("chess:KRvK"), game("nim:1")
    >>> second_moves(rook, rook.parse("8/8/8/8/8/2k5/8/K6R b")), second_moves(nim, (), 1)
    (True, True)
    """
    from zermelo.rules.compiled import CompiledRules

    if isinstance(rules, CompiledRules) and rules.has("player"):
        return bool(rules.player(position))
    if callable(getattr(rules, "turn", None)) and not getattr(rules, "relative", False):
        return bool(rules.turn(position))
    return (ply % 2 == 1) != second
