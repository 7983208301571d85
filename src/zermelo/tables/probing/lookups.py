"""Look positions up in a solved game, whether its entries are in a file or in memory.

Each kind of solved game defines how an entry is found and which entries there are. Everything that
a user asks (one position, a line of play, all positions, a proof) is written here once.
"""

import contextlib
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np

from zermelo._inputs import page
from zermelo._inputs.values import one_of, shown, whole_number
from zermelo._runtime.progress import Progress, reporting
from zermelo._runtime.services import service
from zermelo.errors import InvalidOptionError, UnknownPositionError, ZermeloError
from zermelo.labels import (
    NO_DISTANCE,
    Int32Array,
    Int64Array,
    Label,
    Player,
)
from zermelo.objectives import OBJECTIVES, NormalPlay
from zermelo.rules.conversion import CONVERSION
from zermelo.rules.faults import blaming
from zermelo.rules.notation import second_moves
from zermelo.rules.partizan.base import SIDES, Turns, can_read, split_turn
from zermelo.solutions.answers import Answer, Answers, Line, rows_html
from zermelo.tables.probing.access import Access, After, mover
from zermelo.tables.probing.many_answers import LABEL_OF, TIES, Probes, chosen, win_distances
from zermelo.tables.probing.notated import ByRules, names_moves
from zermelo.tables.probing.several import probe_several
from zermelo.tables.probing.successors import Ahead
from zermelo.tables.solving.conversion import Conversions
from zermelo.tables.storage.codes import KIND_ABSENT, KIND_TIED, KIND_WIN, LABELS, UInt8Array
from zermelo.verify.tables.decoded import Decoded
from zermelo.verify.tables.table import check_table

LABEL = tuple(map(Label, LABELS))
"""The label of each kind."""


class SolvedRules(Answers):
    """A game given by rules, solved: what a table on disk and a game in memory have in common."""

    rules: Any
    symmetry: bool
    """Whether one entry stands for all positions of a canonical form."""
    distances: bool | str = True
    """False in a table of labels alone, ``"conversion"`` if distances are those to conversion."""
    verified: int = 0
    """How many positions the last call of :meth:`verify` checked."""

    @property
    def has_distances(self) -> bool:
        """False in a table of labels alone."""
        return bool(self.distances)

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

    def _look_many(self, keys: Any) -> tuple[UInt8Array, Int32Array]:
        """Do what ``_look`` does for many keys: an array with −1, or a list with None, for none."""
        found = [(KIND_ABSENT, NO_DISTANCE) if key is None else self._look(key) for key in keys]
        kind, distance = (np.array([x[k] for x in found], np.int64) for k in (0, 1))
        return kind.astype(np.uint8), distance.astype(np.int32)

    @abstractmethod
    def _number(self, key: Any) -> int:
        """The number of the entry of a key that has one."""

    @abstractmethod
    def kinds(self) -> Iterator[tuple[Any, int, int]]:
        """All positions in the order of their entries, with kind and distance of the entry."""

    @abstractmethod
    def decoded(self) -> Decoded:
        """All entries of compiled rules as arrays."""

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
            ahead = self._ahead(own)
            if ahead is None:
                raise self._unknown(position)
            given = position if isinstance(position, str) else own
            return self._answer(given, own, ahead, player)

    def _ahead(self, own: Any) -> Ahead | None:
        """A position with its entry; None if it has none."""
        key, after = self._access.ahead(own)
        entry = (KIND_ABSENT, NO_DISTANCE) if key is None else self._look(key)
        return None if entry[0] == KIND_ABSENT else Ahead(self, own, entry, after)

    def probe(self, position: Any, *moves: str) -> Answer:
        """The answer at a position, after moves in the notation of the game, if there are any.

        >>> import zermelo as zm
        >>> from zermelo.tables.solving.solve import solve_rules
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

    def read_position(self, text: str) -> Any:
        """The position that a text stands for; a text that stands for none is an error.

        >>> import zermelo as zm
        >>> from zermelo.tables.solving.solve import solve_rules
        >>> solve_rules(zm.game("nim:1,2")).read_position("1+2")
        (1, 2)
        """
        with blaming(self.rules):
            return self._position(text)

    def look_up(self, position: Any) -> tuple[int, int, int]:
        """The label, the distance and the number of the entry of a position of the rules."""
        with blaming(self.rules):
            kind, distance, number = self._entry_at(position)
            if kind == KIND_WIN:
                distance = self._win_distance(position)
        return LABELS[kind], distance, number

    def look_up_label(self, position: Any) -> tuple[int, bool, int]:
        """The label of a position of the rules, whether it is a tie, and the number of its entry.

        >>> import zermelo as zm
        >>> from zermelo.tables.solving.solve import solve_rules
        >>> solve_rules(zm.game("nim:1,2")).look_up_label((1, 1))[:2]
        (-1, False)
        """
        with blaming(self.rules):
            kind, _, number = self._entry_at(position)
        return LABELS[kind], kind in TIES, number

    def _entry_at(self, position: Any) -> tuple[int, int, int]:
        """The kind, the distance where the kind carries one, and the number of an entry."""
        key = self._access.key(position)
        kind, distance = (KIND_ABSENT, NO_DISTANCE) if key is None else self._look(key)
        if kind == KIND_ABSENT:
            raise self._unknown(position)
        return kind, distance, self._number(key)

    def _position(self, given: Any) -> Any:
        """A position of the rules, from such a position or from its text."""
        if isinstance(given, np.integer):
            return int(given)  # as the rules have it
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

    def _answer(self, given: Any, own: Any, ahead: Ahead, player: int | None = None) -> Answer:
        """The answer at the position ``own``, which was asked for as ``given``."""
        owner = mover(self.rules, own) if self._tells_players_apart else None
        kind, distance = ahead.kind, ahead.distance
        label = LABEL[kind]
        value = -LABELS[kind] if owner == Player.ONE else LABELS[kind]
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
            if owner not in (None, player):
                raise InvalidOptionError(f"player {player} never moves at {self.rules.show(own)}")
            owner = Player(player)
        as_text = isinstance(given, str) and given != own
        moves = partial(self._shown_best, ahead.best, as_text)
        show = str if as_text else self.rules.show
        tied = None if self.distances is True else kind == KIND_TIED
        in_words = self.keyword is None and self.has_distances
        notation = ByRules(self.rules, own, ahead.best, in_words, self.distances == CONVERSION)
        return Answer(
            given, owner, label, distance, value, moves,
            show=show, notation=notation, tied=tied,
            agreed=distance != 0 and self.is_agreed(own, LABELS[kind]),
        )  # fmt: skip

    def is_agreed(self, position: Any, label: int) -> bool:
        """Whether nobody forces an end from a position with this label, as its mover sees it.

        The label is what infinite play pays, too: a distance is the length of a way to an end on
        which both players would have to agree.

        >>> import zermelo as zm
        >>> from zermelo.tables.solving.solve import solve_rules
        >>> solved = solve_rules(zm.game("tictactoe"))
        >>> solved.is_agreed(solved.rules.start(), 0)
        True
        """
        infinite = self._infinite_payoff
        if infinite and mover(self.rules, position) == Player.ONE:
            infinite = -infinite
        return label == infinite

    @cached_property
    def _infinite_payoff(self) -> int:
        """What infinite play pays player 0; 0 where the players' payoffs do not differ."""
        kind = OBJECTIVES.get(self.keyword or "normal", NormalPlay)
        return int(getattr(kind, "infinite", 0))

    @cached_property
    def _tells_players_apart(self) -> bool:
        """Whether the rules tell which player moves."""
        return mover(self.rules, self.rules.start()) is not None

    def _shown_best(self, find: Callable[[], list[Any]], as_text: bool) -> tuple[Hashable, ...]:
        """The best moves, as text where the position was asked for as text."""
        with blaming(self.rules):
            best = find()
            return tuple(map(self.rules.show, best)) if as_text else tuple(best)

    def _win_distance(self, position: Any) -> int:
        """1 + the least distance of a lost position that a move leads to; 0 where play is over."""
        return int(self._win_distances([position])[0])

    def _win_distances(self, positions: Any) -> Int32Array:
        """The distances of won positions."""
        after = self._after(positions)
        return win_distances(*self._entries_after(after), after.start)

    def _after(self, positions: Any, known: After | None = None) -> After:
        """The positions after one move, and which of the moves convert, if that matters."""
        after = self._access.after(positions) if known is None else known
        if self.distances != CONVERSION:
            return after
        found = self._conversions.among(positions, after.start, after.positions)
        return replace(after, converting=found)

    @cached_property
    def _conversions(self) -> Conversions:
        return Conversions(self.rules)

    def converts(self, position: Any, option: Any) -> bool:
        """Whether a move counts as a conversion; never where distances lead to the end of play.

        >>> import zermelo as zm
        >>> from zermelo.tables.solving.solve import solve_rules
        >>> solve_rules(zm.game("nim:1,2")).converts((1, 2), (1, 1))
        False
        """
        if self.distances != CONVERSION:
            return False
        return bool(self._conversions.among([position], np.array([0, 1]), [option])[0])

    def _entries_after(self, after: After) -> tuple[UInt8Array, Int32Array]:
        """Kinds and distances after moves; after a conversion a distance counts as 0."""
        kind, distance = self._look_many(after.keys)
        return kind, after.counted(distance)

    def _best_of(
        self, after: After, entries: tuple[UInt8Array, Int32Array],
        own: UInt8Array, distance: Int32Array,
    ) -> Int64Array:  # fmt: skip
        """The numbers of the moves that keep the label and lead along the distance.

        ``own`` are the kinds of the positions before the moves. If there are no distances, those
        of a tie lead to ties. For all moves that keep the label, see :meth:`_others_of`.
        """
        kind, left = entries[0], entries[1].copy()
        wanted = np.where(distance == NO_DISTANCE, NO_DISTANCE, distance - 1)
        if own.size > 1:
            before = np.repeat(np.arange(own.size), after.start[1:] - after.start[:-1])
            own, wanted = own[before], wanted[before]
        keeps = (after.sign * LABEL_OF[kind] == LABEL_OF[own]) & (kind != KIND_ABSENT)
        keeps &= (own != KIND_TIED) | (kind == KIND_TIED)
        if (wins := (keeps & (kind == KIND_WIN)).nonzero()[0]).size:
            left[wins] = self._win_distances(chosen(after.positions, wins))
            left = after.counted(left)
        best: Int64Array = (keeps & (left == wanted)).nonzero()[0]
        return best

    def _others_of(self, after: After, kind: UInt8Array, own: int) -> Int64Array:
        """The numbers of all moves that keep the label, from one position of the kind ``own``."""
        keeps = (after.sign * LABEL_OF[kind] == LABEL_OF[own]) & (kind != KIND_ABSENT)
        others: Int64Array = keeps.nonzero()[0]
        return others

    # ---------------------------------------------------------------- many positions

    def probe_many(self, positions: Any, *, moves: bool = False, absent: str = "raise") -> Probes:
        """The answers at many positions, as arrays; much faster than :meth:`probe` for each.

        ``positions`` is an array of integers (for compiled rules), or a list of positions and of
        texts. With ``moves`` there is a best move of each position, too. A position that has no
        entry is an :class:`~zermelo.errors.UnknownPositionError`, or with ``absent="mark"`` it is
        marked in ``present``. A text that is no position is always an error.

        >>> import zermelo as zm
        >>> from zermelo.tables.solving.solve import solve_rules
        >>> solved = solve_rules(zm.game("nim:3,4"))
        >>> solved.probe_many(["3+4", "3+3", "9"], absent="mark").distance.tolist()
        [7, 6, -1]
        """
        one_of(absent, "absent", ("raise", "mark"), InvalidOptionError)
        with blaming(self.rules):
            return probe_several(self, positions, moves=moves, strict=absent == "raise")

    # ---------------------------------------------------------------- plays

    def require_distances(self, what: str) -> None:
        """Raise an error if this is a table of labels alone, from which ``what`` is not known."""
        if not self.has_distances:
            raise InvalidOptionError(
                f"{self.location}: {what} needs distances, and this table has labels alone; build "
                "it with distances"
            )

    def line(self, position: Any, player: int | None = None, limit: int | None = None) -> Line:
        """Best play from a position, at most ``limit`` moves; it stops where it would repeat.

        A table of labels alone is refused: moves that keep a win need not come nearer to the end.
        """
        self.require_distances("a line of best play")
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
        """Check entries by the rules alone, all or some; see :mod:`zermelo.verify.tables.table`.

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
                answer = self._answer(position, position, Ahead(self, position, (kind, distance)))
            yield answer

    def columns(self) -> dict[str, Any]:
        """The answer as columns; positions are the texts by which they can be asked for.

        Where ties have no distances there is a column of outcomes, too: it tells ties from draws.
        """
        found = super().columns()
        if self.distances is not True:
            found["outcome"] = [answer.outcome for answer in self]
        with blaming(self.rules):
            return {**found, "position": list(map(self.rules.show, found["position"]))}

    def play(self) -> Any:
        """A widget for a notebook, in which one plays the game with the value of every move.

        It is the Play room of ``zermelo serve`` and needs anywidget: pip install
        'zermelo[notebook]'. The game is that of a table on disk, or one of ``zm.game``.

        >>> import zermelo as zm
        >>> from zermelo.tables.solving.solve import solve_rules
        >>> solve_rules(zm.game("nim:1,2")).play().parameters
        {'game': 'nim:1,2'}
        """
        return service("play-solved")(self)

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
