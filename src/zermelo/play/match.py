"""A game in progress: its positions, the names and values of moves, and the player to move."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.play.output import prints_to_stderr
from zermelo.play.positions import followers

if TYPE_CHECKING:
    from zermelo.tables.solved import SolvedGame

TIMES = 3
"""A position that occurs so often ends a play: it is a draw."""


@dataclass(frozen=True)
class Option:
    """A move: the position it leads to, its names, its value to the player who makes it."""

    position: Any
    names: tuple[str, ...]
    label: int
    distance: int
    worth: str

    @property
    def name(self) -> str:
        """The usual name."""
        return self.names[0]

    @property
    def spelled(self) -> str:
        """All names."""
        from zermelo.tables.probing.notated import spelled

        return spelled(self.names)


class Match:
    """A play that starts at a position; ``path`` holds the positions so far.

    Without ``known``, the solved game, one can play all the same, but no move has a value. A
    position with more than ``most`` moves is an error.

    >>> from zermelo.play.known import solve_to_play
    >>> from zermelo.rules.loading.games import game
    >>> rules = game("nim:1,2")
    >>> match = Match(rules, solve_to_play(rules, lambda *_: None), rules.start())
    >>> [(x.name, x.worth) for x in match.best(match.options())]
    [('1+1', 'wins in 3')]
    """

    def __init__(
        self, rules: Any, known: "SolvedGame | None", start: Any, most: int | None = None
    ) -> None:
        self.rules, self.most = rules, most
        self._known = known
        self.path = [start]

    @property
    def known(self) -> "SolvedGame":
        """The solved game."""
        assert self._known is not None
        return self._known

    @property
    def here(self) -> Any:
        """The current position."""
        return self.path[-1]

    def second(self, position: Any, ply: int) -> bool:
        """Whether the second player is to move."""
        from zermelo.rules.notation import second_moves  # it imports NumPy

        return second_moves(self.rules, position, ply)

    @property
    def second_moves(self) -> bool:
        """Whether the second player is to move now."""
        return self.second(self.here, len(self.path) - 1)

    def side(self, second: bool) -> str:
        """The name of a player."""
        letters, name = getattr(self.rules, "sides", None), self.rules.side_names[second]
        return f"{letters[second]} ({name})" if isinstance(letters, str) else name

    @prints_to_stderr
    def followers(self) -> list[Any]:
        """The positions after one move."""
        return followers(self.rules, self.here, self.most)

    @prints_to_stderr
    def names(self, option: Any) -> tuple[str, ...]:
        """The names of a move from the current position."""
        found: tuple[str, ...] = self.rules.move_names(self.here, option, self.second_moves)
        return found

    @prints_to_stderr
    def options(self) -> list[Option]:
        """The moves from the current position, with their values."""
        here, second = self.here, self.second_moves
        found = []
        for x in followers(self.rules, here, self.most):
            label, distance = self.value_of_move(x)
            names = self.rules.move_names(here, x, second)
            worth = self.in_words(here, label, distance)
            found.append(Option(x, names, label, distance, worth))
        return found

    def value_of(self, position: Any) -> tuple[int, int]:
        """Label and distance of a position, as the player to move there sees them."""
        return self.known.look_up(position)[:2]

    @property
    def to_conversion(self) -> bool:
        """Whether distances are those to conversion."""
        return self.known.distances == "conversion"

    def value_of_move(self, option: Any) -> tuple[int, int]:
        """Label and distance of a move, as the player who makes it sees them."""
        label, distance = self.value_of(option)
        if self.known.converts(self.here, option):
            distance = min(distance, 0)
        sign = 1 if self.second(option, len(self.path)) == self.second_moves else -1
        return sign * label, distance if distance < 0 else distance + 1

    @prints_to_stderr
    def read(self, text: str) -> Any:
        """The position after the move with this name; an error says why there is none."""
        return self.rules.parse_move(self.here, text, self.second_moves)

    @prints_to_stderr
    def value_in_words(self) -> str:
        """The value of the current position."""
        label, distance = self.value_of(self.here)
        return self.in_words(self.here, label, distance)

    def in_words(self, position: Any, label: int, distance: int) -> str:
        """A value at a position in words."""
        from zermelo.rules.notation import in_words

        return in_words(self.rules, position, label, distance, conversion=self.to_conversion)

    @prints_to_stderr
    def best(self, options: list[Option]) -> list[Option]:
        """The moves that keep the value and, if there is a distance, reduce it by one.

        In a draw whose end nobody forces, the others that keep the draw follow.
        """
        value = self.value_of(self.here)
        along = [x for x in options if (x.label, x.distance) == value]
        others = [x for x in options if x not in along and self.keeps(x.label, x.distance, value)]
        return along + others or options

    def keeps(self, label: int, distance: int, value: tuple[int, int]) -> bool:
        """Whether a move of this value is best in the current position, whose value is given."""
        drawn = label == value[0] == 0 and self.known.is_agreed(self.here, 0)
        return drawn or (label, distance) == value

    @prints_to_stderr
    def line(self) -> str:
        """The moves so far, as the rules write a line of play."""
        return str(self.rules.write_line(self.path))

    def times_here(self) -> int:
        """How often the current position has occurred."""
        return self.path.count(self.here)

    def is_repeated(self) -> bool:
        """Whether the current position has occurred so often that the play is a draw."""
        return self.times_here() >= TIMES

    @prints_to_stderr
    def follow(self, numbers: Sequence[int]) -> None:
        """Play moves given by their numbers in :func:`in_order`; an error says which is none.

        >>> from zermelo.rules.loading.games import game
        >>> match = Match(game("nim:3"), None, (3,))
        >>> match.follow([1, 0])
        >>> match.path
        [(3,), (1,), ()]
        """
        from zermelo.errors import InvalidOptionError

        for ply, number in enumerate(numbers, 1):
            options = in_order(self.rules, followers(self.rules, self.here, self.most))
            if self.is_repeated():
                options = []
            if not 0 <= number < len(options):
                moves = f"a number below {len(options)}" if options else "no move, play is over"
                raise InvalidOptionError(f"move {ply}: expected {moves}, got {number}")
            self.path.append(options[number])


def in_order(rules: Any, options: list[Any]) -> list[Any]:
    """Moves in the order of their texts, which does not depend on how rules list them.

    >>> from zermelo.rules.loading.games import game
    >>> in_order(game("nim:3"), [(2,), (), (1,)])
    [(), (1,), (2,)]
    """
    return sorted(options, key=lambda x: str(rules.show(x)))


def best_line(match: Match, most: int) -> tuple[list[Any], int | None]:
    """Best play from the current position: its positions, and the ply that it comes back to.

    It has at most ``most`` moves.

    >>> from zermelo.play.known import solve_to_play
    >>> from zermelo.rules.loading.games import game
    >>> rules = game("nim:1,2")
    >>> best_line(Match(rules, solve_to_play(rules, lambda *_: None), (1, 2)), 10)
    ([(1, 2), (1, 1), (1,), ()], None)
    """
    way = Match(match.rules, match.known, match.here, match.most)
    while len(way.path) <= most:
        options = way.followers()
        if not options:
            break
        value = way.value_of(way.here)
        valued = [(way.value_of_move(x), x) for x in options]
        following = next((x for found, x in valued if found == value), options[0])
        if following in way.path:
            return [*way.path, following], way.path.index(following)
        way.path.append(following)
    return way.path, None
