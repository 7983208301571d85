"""The common interface of all answers, whatever solved the game and wherever it is kept.

A solution of a graph, a table on disk, Grundy values, the values of a heap game, a matching, a
quotient and the values of a partizan game are all :class:`Answers`:

=================== =====================================================================
``a[position]``     what this kind of answer knows of a position (an :class:`Answer`, a
                    Grundy value, …)
``a.at(position)``  always an :class:`Answer`: label, distance, value, best moves
``a.line(p)``       best play from a position
``a.counts()``      the numbers of wins, losses, ties and draws, and the longest ways
``a.verify()``      check everything with independent code; returns the answer itself
``a.save(path)``    write it to a file
``len(a)``          the number of positions that it knows
``iter(a)``         an :class:`Answer` for each of them
``a.to_pandas()``   the same as a table of columns; ``a.to_arrow()`` for Arrow
=================== =====================================================================
"""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo._inputs import page
from zermelo._inputs.values import flag, optional_module, shown, whole_number
from zermelo._runtime.services import service
from zermelo.errors import InvalidOptionError
from zermelo.labels import NO_DISTANCE, AnyArray, Label, Player

if TYPE_CHECKING:
    from typing import Self

Moves = tuple[Hashable, ...] | Callable[[], tuple[Hashable, ...]]

OUTCOMES = {Label.WIN: "win", Label.LOSE: "lose", Label.UNDECIDED: "undecided"}

FIRST_ROWS = 10
"""The number of positions that a notebook shows."""
FIRST_OF_LINE = 40
"""The number of positions of a line that a notebook shows."""


class Line(list[Hashable]):
    """Positions of a play, by name. An infinite play stops where it begins to repeat.

    ``cycle`` is then the index at which its last entry stood before, else None.
    """

    cycle: int | None = None
    text: str = ""
    """The moves as the rules of the game write them; empty where they have no names for moves."""
    show: Callable[[Any], str] = str
    """A position as text."""

    def __str__(self) -> str:
        if self.text:
            return self.text + (" …" if self.cycle is not None else "")
        return " → ".join(map(self.show, self)) + (" → …" if self.cycle is not None else "")

    def _repr_html_(self) -> str:
        """What a notebook shows: the first positions, with arrows between."""
        rest = f" → … ({len(self):,} positions)" if len(self) > FIRST_OF_LINE else ""
        first = Line(self[:FIRST_OF_LINE])
        first.show = self.show
        first.cycle = None if rest else self.cycle
        return page.block(page.caption(f"{first}{rest}", most=2_000))


class Notated(ABC):
    """A position as the rules of its game write and draw it."""

    @abstractmethod
    def move_names(self) -> tuple[tuple[str, ...], ...]:
        """The best moves in all notations."""

    @abstractmethod
    def verdict(self, answer: "Answer") -> str:
        """The result in words."""

    @abstractmethod
    def draw(self) -> str:
        """The picture of the position, in SVG."""

    @abstractmethod
    def text(self, answer: "Answer") -> str:
        """The whole answer in words."""

    @abstractmethod
    def html(self, answer: "Answer") -> str:
        """What a notebook shows of the answer."""


@dataclass(frozen=True)
class Answer:
    """The answer at one position, as the player to move there sees it.

    ``distance`` is the number of plies to the end under best play. Where ends pay what infinite
    play pays, as in most drawn positions, nobody forces an end: then it is the length of the
    shortest way to an end on which both would have to agree, see :attr:`agreed_distance`.

    ``value`` is what player 0 gets, or the mover where one entry serves both players; where a kind
    of answer has values of its own (Grundy values, partizan values), it is that value, and None
    where that is not known. ``moves`` are the best moves, or a function that finds them when they
    are asked for.
    """

    position: Hashable
    player: Player | None
    label: Label
    distance: int
    value: Any
    moves: Moves = field(default=(), repr=False, compare=False)
    show: Callable[[Any], str] = field(default=str, repr=False, compare=False, kw_only=True)
    """A position as text."""
    notation: Notated | None = field(default=None, repr=False, compare=False, kw_only=True)
    """The position as its rules write it; None in a game without rules."""
    tied: bool | None = field(default=None, repr=False, kw_only=True)
    """Whether a draw is a tie at an end of play; None: it is a tie if it has a distance."""
    agreed: bool = field(default=False, repr=False, kw_only=True)
    """Whether play goes on and nobody forces an end, because ends pay what infinite play pays; then
    a distance is :attr:`agreed_distance`, and in a draw all moves that keep it are best."""

    def __post_init__(self) -> None:
        if not isinstance(self.label, Label) or not (
            isinstance(self.moves, tuple) or callable(self.moves)
        ):
            raise InvalidOptionError(
                f"expected a Label and best moves, got {shown(self.label)} and {shown(self.moves)}"
            )
        if not callable(self.show):
            raise InvalidOptionError(f"show: expected a function, got {shown(self.show)}")
        if self.notation is not None and not isinstance(self.notation, Notated):
            raise InvalidOptionError(f"notation: expected a Notated, got {shown(self.notation)}")
        if self.player is not None and not isinstance(self.player, Player):
            raise InvalidOptionError(f"player: expected a Player, got {shown(self.player)}")
        if type(self.distance) is not int:
            whole_number(self.distance, "distance", None)
        if self.tied is not None:
            flag(self.tied, "tied")
        flag(self.agreed, "agreed")

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles have: the best moves themselves, not how they are found."""
        return {**self.__dict__, "moves": self.best_moves}

    @cached_property
    def best_moves(self) -> tuple[Hashable, ...]:
        """All best moves that are known, as positions; none where play has ended."""
        return self.moves if isinstance(self.moves, tuple) else tuple(self.moves())

    @property
    def move(self) -> Hashable | None:
        """An optimal move, None where play has ended."""
        return self.best_moves[0] if self.best_moves else None

    @property
    def winner(self) -> Player | None:
        """The player who wins; None for a draw, and where the winner or the mover is not known."""
        if self.player is None or self.label not in (Label.WIN, Label.LOSE):
            return None
        return self.player if self.label == Label.WIN else self.player.other

    @property
    def outcome(self) -> str:
        """``win``, ``lose``, ``tie`` (drawn at an end), ``draw`` (endless play), ``undecided``.

        >>> Answer("a", None, Label.DRAW, 3, 0).outcome
        'tie'
        """
        tied = self.distance != NO_DISTANCE if self.tied is None else self.tied
        return OUTCOMES.get(self.label, "tie" if tied else "draw")

    @property
    def forced_distance(self) -> int:
        """Plies to the end that one player forces; ``NO_DISTANCE`` where nobody forces an end.

        >>> Answer("a", None, Label.DRAW, 8, 0, agreed=True).forced_distance
        -1
        """
        return NO_DISTANCE if self.agreed else self.distance

    @property
    def agreed_distance(self) -> int:
        """Plies of the shortest way to an end on which both players would have to agree.

        ``NO_DISTANCE`` where there is no such way, and where one player forces the end.

        >>> Answer("a", None, Label.DRAW, 8, 0, agreed=True).agreed_distance
        8
        """
        return self.distance if self.agreed else NO_DISTANCE

    @property
    def move_names(self) -> tuple[tuple[str, ...], ...]:
        """The best moves in all notations of the game, the usual one first; as ``best_moves``."""
        if self.notation is not None:
            return self.notation.move_names()
        return tuple((self.show(x),) for x in self.best_moves)

    @property
    def verdict(self) -> str:
        """The result in words, such as ``WIN in 5`` or ``White mates in 14 (27 plies)``.

        >>> Answer("a", None, Label.WIN, 5, 1).verdict
        'WIN in 5'
        """
        if self.notation is not None:
            return self.notation.verdict(self)
        end = f" in {self.forced_distance}" if self.forced_distance != NO_DISTANCE else ""
        return f"{self.label.name}{end}"

    def draw(self) -> str | None:
        """The picture of the position, in SVG; None in a game without rules."""
        return None if self.notation is None else self.notation.draw()

    def __str__(self) -> str:
        if self.notation is not None:
            return self.notation.text(self)
        mover = "" if self.player is None else f", player {int(self.player)} to move"
        moves = ", ".join(map(self.show, self.best_moves))
        return f"{self.show(self.position)}{mover}: {self.verdict}" + (
            f" by {moves}" if moves else ""
        )

    def _repr_html_(self) -> str:
        """What a notebook shows: the position, drawn by its rules, its outcome, and best moves."""
        if self.notation is not None:
            return self.notation.html(self)
        facts: list[tuple[str, object]] = [("position", self.show(self.position))]
        if self.player is not None:
            facts.append(("player to move", int(self.player)))
        facts.append(("outcome", self.outcome))
        if self.forced_distance != NO_DISTANCE:
            facts.append(("distance", self.distance))
        if self.agreed_distance != NO_DISTANCE:
            facts.append(("agreed distance", self.distance))
        if self.value is not None:
            facts.append(("value", self.value))
        if self.best_moves:
            facts.append(("best moves", page.joined(map(self.show, self.best_moves), 20)))
        return page.block(page.facts(facts))


class Answers(ABC):
    """What all kinds of answer have in common; see the table at the head of this module."""

    file_kind: ClassVar[str] = ""
    """The name of this kind in files of :mod:`zermelo.registry.answers`; empty for other files."""

    @abstractmethod
    def at(self, position: Any, player: int | None = None) -> Answer:
        """The answer at a position; ``player`` is to move where the players alternate."""

    def __getitem__(self, position: Any) -> Any:
        """What is known of a position: the same as :meth:`at`, unless a kind redefines it."""
        return self.at(position)

    @abstractmethod
    def line(self, position: Any, player: int | None = None, limit: int | None = None) -> Line:
        """Best play from a position, at most ``limit`` moves."""

    @abstractmethod
    def counts(self) -> dict[str, int]:
        """How many positions win, lose, tie (drawn at an end) and draw, and the longest ways.

        The keys are positions, win, lose, tie, draw, longest_win and longest_lose; where there is
        no win or no loss, the longest way is ``NO_DISTANCE``. A table of labels alone has no
        longest ways, and the last two keys are missing.
        """

    @abstractmethod
    def verify(self) -> "Self":
        """Check the whole answer with code that shares nothing with the solver.

        Returns the answer itself; raises :class:`~zermelo.errors.CertificateError` where it is
        wrong, naming the first position that shows it.
        """

    @abstractmethod
    def __len__(self) -> int:
        """How many positions (or situations, where both players may move) the answer knows."""

    @abstractmethod
    def __iter__(self) -> Iterator[Answer]:
        """An :class:`Answer` for every position, in the order of their numbers."""

    def answers(self) -> Iterator[Answer]:
        """An :class:`Answer` for every position; a set of positions iterates over its members."""
        return iter(self)

    def _row_count(self) -> int:
        return len(self)

    def save(self, path: Any) -> None:
        """Write the answer to a file; its suffix determines the format."""
        service("write")(self, path)

    def columns(self) -> dict[str, Sequence[Any] | AnyArray]:
        """The answer as columns of equal length: position, label, distance, value, …"""
        rows = list(self.answers())
        found: dict[str, Sequence[Any] | AnyArray] = {"position": [row.position for row in rows]}
        if any(row.player is not None for row in rows):
            found["player"] = [None if row.player is None else int(row.player) for row in rows]
        return found | {
            "label": [int(row.label) for row in rows],
            "distance": [row.distance for row in rows],
            "value": [row.value for row in rows],
        }

    def to_pandas(self) -> Any:
        """The answer as a pandas DataFrame with a row for each position."""
        pandas = optional_module("pandas", "pandas")
        return pandas.DataFrame(self.columns())

    def to_arrow(self) -> Any:
        """The answer as a table of pyarrow with a row for each position.

        Numbers and texts stay what they are; positions and values of any other kind, such as
        tuples, fractions and values of partizan games, become texts.
        """
        arrow = optional_module("pyarrow", "parquet")
        return arrow.table({name: _flat(column) for name, column in self.columns().items()})

    def _repr_html_(self) -> str:
        """What a notebook shows: the counts and the first positions."""
        return page.block(page.caption(repr(self)), rows_html(self))


def rows_html(answers: Answers) -> str:
    """The first positions of an answer as a table in HTML."""
    rows = []
    for answer in itertools.islice(answers.answers(), FIRST_ROWS):
        far = answer.forced_distance
        distance = "" if far == NO_DISTANCE else str(far)
        moves = page.joined(map(answer.show, answer.best_moves))
        shown_as = answer.show(answer.position)
        if answer.player is not None:
            shown_as += f", player {int(answer.player)}"
        value = "" if answer.value is None else answer.value
        rows.append((shown_as, answer.outcome, distance, value, moves))
    if not rows:
        return ""
    rest = answers._row_count() - len(rows)
    more = f"and {rest:,} more" if rest > 0 else ""
    return page.table(("position", "outcome", "distance", "value", "best moves"), rows, more)


def _flat(column: Sequence[Any] | AnyArray) -> Any:
    """A column for Arrow: numbers and texts as they are, all else as texts.

    >>> _flat([1, None, 3]), _flat([(1, 2), 3]), _flat([2**70])
    ([1, None, 3], ['(1, 2)', '3'], ['1180591620717411303424'])
    """
    if isinstance(column, np.ndarray) and column.dtype != object:
        return column
    entries = list(column)
    known = [x for x in entries if x is not None]
    if all(isinstance(x, str) for x in known):
        return entries
    if all(isinstance(x, int | np.integer) and -(2**63) <= x < 2**63 for x in known):
        return [None if x is None else int(x) for x in entries]
    return [None if x is None else str(x) for x in entries]


def counted(label: AnyArray, distance: AnyArray) -> dict[str, int]:
    """The counts of labels and distances; see :meth:`Answers.counts`.

    >>> import numpy as np
    >>> counted(np.array([1, -1, 0, 0]), np.array([3, 2, 4, -1]))["tie"]
    1
    """
    ended = distance != NO_DISTANCE
    won, lost, drawn = label == Label.WIN, label == Label.LOSE, label == Label.DRAW
    return {
        "positions": int(label.size),
        "win": int(won.sum()),
        "lose": int(lost.sum()),
        "tie": int((drawn & ended).sum()),
        "draw": int((drawn & ~ended).sum()),
        "longest_win": int(distance[won].max(initial=NO_DISTANCE)),
        "longest_lose": int(distance[lost].max(initial=NO_DISTANCE)),
    }
