"""Look positions up in a solved game, whether its entries are in a file or in memory.

Each kind of solved game defines how an entry is found and which entries there are. Everything that
a user asks (one position, a line of play, all positions, a proof) is written here once.
"""

import contextlib
from abc import abstractmethod
from collections.abc import Hashable, Iterator
from functools import cached_property, partial
from typing import Any, Self

from zermelo._door import page
from zermelo._door.inputs import one_of, shown, whole_number
from zermelo._runtime.progress import Progress, reporting
from zermelo.errors import InvalidOptionError, UnknownPositionError, ZermeloError
from zermelo.labels import NO_DISTANCE, Label, Player
from zermelo.rules.faults import blaming
from zermelo.rules.notation import second_moves
from zermelo.rules.partizan.base import SIDES, Turns, can_read, split_turn
from zermelo.solutions.answers import Answer, Answers, Line, rows_html
from zermelo.tables.access import Access, mover
from zermelo.tables.codes import KIND_ABSENT, KIND_LOSE_IN, KIND_WIN, LABELS
from zermelo.tables.notated import ByRules, names_moves
from zermelo.verify.table import check_table


class SolvedRules(Answers):
    """A game given by rules, solved: what a table on disk and a game in memory have in common."""

    rules: Any
    symmetry: bool
    """Whether one entry stands for all positions of a canonical form."""
    verified: int = 0
    """How many positions the last call of :meth:`verify` checked."""

    # ---------------------------------------------------------------- what each kind defines

    @property
    @abstractmethod
    def location(self) -> str:
        """What messages call the solved game: the path of its file, or the name of the game."""

    @property
    @abstractmethod
    def keyword(self) -> str | None:
        """The keyword of the objective that was asked for, None for that of the rules."""

    @property
    @abstractmethod
    def entries(self) -> int:
        """How many entries there are, also those of no position."""

    @property
    @abstractmethod
    def _access(self) -> Access:
        """The map from positions to keys, and the positions after one move."""

    @property
    @abstractmethod
    def _named(self) -> dict[str, Any]:
        """The positions of plain rules by their texts; such games are small."""

    @abstractmethod
    def _look(self, key: Any) -> tuple[int, int]:
        """The kind of the entry of a key, and its distance where the kind carries one."""

    @abstractmethod
    def _number(self, key: Any) -> int:
        """The number of the entry of a key that has one."""

    @abstractmethod
    def kinds(self) -> Iterator[tuple[Any, int, int]]:
        """All positions in the order of their entries, with kind and distance of the entry."""

    @abstractmethod
    def absent(self) -> Any:
        """A position that has an index, but no entry; None where there is no such position."""

    @abstractmethod
    def sample(self, count: int, seed: int = 0) -> Iterator[Any]:
        """Positions taken at random, repeats not excluded."""

    def _unknown(self, position: Any) -> UnknownPositionError:
        """The error for a position that has no entry."""
        return UnknownPositionError(f"{self.location}: the table has no position {shown(position)}")

    # ---------------------------------------------------------------- one position

    def at(self, position: Any, player: int | None = None) -> Answer:
        """The answer at a position, given as the rules have it or as their text.

        A position that has no entry is an :class:`~zermelo.errors.UnknownPositionError`.
        """
        with blaming(self.rules):
            own = self._position(position)
            key = self._access.key(own)
            kind, distance = (KIND_ABSENT, NO_DISTANCE) if key is None else self._look(key)
            if kind == KIND_ABSENT:
                raise self._unknown(position)
            return self._answer(position, own, kind, distance, player)

    def probe(self, position: Any, *moves: str) -> Answer:
        """The answer at a position, after moves in the notation of the game, if there are any.

        >>> import zermelo as zm
        >>> from zermelo.tables.solve import solve_rules
        >>> print(solve_rules(zm.game("tictactoe")).probe("x.o/.x./...", "a1"))
        x.o/.x./o..: WIN in 1 by c1
        """
        if not moves:
            return self.at(position)
        with blaming(self.rules):
            here = self._position(position)
            for ply, move in enumerate(moves):
                here = self.rules.parse_move(here, move, second_moves(self.rules, here, ply))
            as_text = isinstance(position, str) and position != here
            return self.at(self.rules.show(here) if as_text else here)

    def look_up(self, position: Any) -> tuple[int, int, int]:
        """The label, the distance and the number of the entry of a position of the rules."""
        with blaming(self.rules):
            key = self._access.key(position)
            kind, distance = (KIND_ABSENT, NO_DISTANCE) if key is None else self._look(key)
            if kind == KIND_ABSENT:
                raise self._unknown(position)
            if kind == KIND_WIN:
                distance = self._win_distance(position)
        return LABELS[kind], distance, self._number(key)

    def _position(self, given: Any) -> Any:
        """A position of the rules, from such a position or from its text."""
        if not isinstance(given, str):
            return given
        if not can_read(self.rules):  # such rules are plain
            return self._named.get(self._with_turn(given), given)
        try:
            return self.rules.parse(given)
        except ZermeloError:
            raise
        except Exception as error:  # from rules that do not check what they read
            example = self.rules.show(self.rules.start())
            raise UnknownPositionError(
                f"{self.location}: expected a position such as {example!r}, got {given!r}: "
                f"{type(error).__name__}: {error}"
            ) from error

    def _with_turn(self, text: str) -> str:
        """A text as the rules show it: for partizan games with the player to move."""
        if not isinstance(self.rules, Turns):
            return text
        board, side = split_turn(text)
        return f"{board} {SIDES[side]}"

    def _answer(
        self, given: Any, own: Any, kind: int, distance: int, player: int | None = None
    ) -> Answer:
        """The answer at the position ``own``, which was asked for as ``given``."""
        owner = mover(self.rules, own) if self._tells_players_apart else None
        if kind == KIND_WIN:
            distance = self._win_distance(own)
        label = Label(LABELS[kind])
        value = -int(label) if owner == Player.ONE else int(label)
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
            if owner not in (None, player):
                raise InvalidOptionError(f"player {player} never moves at {self.rules.show(own)}")
            owner = Player(player)
        as_text = isinstance(given, str) and given != own
        moves = partial(self._shown_best, own, kind, distance, as_text)
        show = str if as_text else self.rules.show
        best = partial(self._best, own, kind, distance)
        notation = ByRules(self.rules, own, best, self.keyword is None)
        return Answer(given, owner, label, distance, value, moves, show=show, notation=notation)

    @cached_property
    def _tells_players_apart(self) -> bool:
        """Whether the rules tell which player moves."""
        return mover(self.rules, self.rules.start()) is not None

    def _shown_best(
        self, own: Any, kind: int, distance: int, as_text: bool
    ) -> tuple[Hashable, ...]:
        """The best moves, as text where the position was asked for as text."""
        with blaming(self.rules):
            best = self._best(own, kind, distance)
            return tuple(map(self.rules.show, best)) if as_text else tuple(best)

    def _win_distance(self, position: Any) -> int:
        """1 + the least distance of a lost position that a move leads to; 0 where play is over."""
        options = self._access.options(position)
        if not options:
            return 0
        looked_up = (self._look(key) for _, key, _ in options)
        lost = [distance for kind, distance in looked_up if kind == KIND_LOSE_IN]
        return 1 + min(lost, default=NO_DISTANCE - 1)

    def _best(self, position: Any, kind: int, distance: int) -> list[Any]:
        """All moves that keep the label and, where there is a distance, lead along it."""
        wanted = distance - 1 if distance != NO_DISTANCE else NO_DISTANCE
        best = []
        for option, key, sign in self._access.options(position):
            there, left = self._look(key)
            if sign * LABELS[there] == LABELS[kind]:
                if there == KIND_WIN:
                    left = self._win_distance(option)
                if left == wanted:
                    best.append(option)
        return best

    def line(self, position: Any, player: int | None = None, limit: int | None = None) -> Line:
        """Best play from a position, at most ``limit`` moves; it stops where it would repeat."""
        if limit is not None:
            limit = whole_number(limit, "limit")
        here = self.at(position, player)
        line, seen = Line([here.position]), {here.position: 0}
        while (limit is None or len(line) <= limit) and here.best_moves:
            here = self.at(here.best_moves[0])
            line.append(here.position)
            if here.position in seen:
                line.cycle = seen[here.position]
                break
            seen[here.position] = len(line) - 1
        if names_moves(self.rules) and len(line) > 1:
            with blaming(self.rules):
                line.text = self.rules.write_line([self._position(x) for x in line])
        return line

    # ---------------------------------------------------------------- all positions

    def verify(
        self, samples: int | None = None, *, progress: Progress = None, seed: int = 0
    ) -> Self:
        """Check entries by the rules alone, all or some; see :mod:`zermelo.verify.table`.

        Returns the answer itself, and ``verified`` is the number of positions that were checked;
        raises :class:`~zermelo.errors.CertificateError` where an entry is wrong.
        """
        with reporting(progress, "verify") as report:
            count = check_table(self, samples, progress=report, seed=seed)
        object.__setattr__(self, "verified", count)
        return self

    def __iter__(self) -> Iterator[Answer]:
        """An answer for every entry, in their order; with symmetry one for all that look alike."""
        for position, kind, distance in self.kinds():
            with blaming(self.rules):
                answer = self._answer(position, position, kind, distance)
            yield answer

    def columns(self) -> dict[str, Any]:
        """The answer as columns; positions are the texts by which they can be asked for."""
        found = super().columns()
        with blaming(self.rules):
            return {**found, "position": list(map(self.rules.show, found["position"]))}

    def _repr_html_(self) -> str:
        """What a notebook shows: the counts, the start, and the first positions."""
        first = page.block(page.caption("start"), self._start_html())
        return page.block(page.caption(repr(self)), first, rows_html(self))

    def _start_html(self) -> str:
        """The answer at the start, if the start has an entry."""
        with contextlib.suppress(Exception):  # a picture that fails must not hide the rest
            return self.at(self.rules.start())._repr_html_()
        return ""

    def _summary(self) -> str:
        """The counts as a text."""
        counts = self.counts()
        parts = [f"{counts[k]:,} {k}" for k in ("win", "lose", "tie", "draw") if counts[k]]
        return ", ".join(parts)
