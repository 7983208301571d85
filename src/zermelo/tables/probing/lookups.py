"""Look positions up in a solved game, wherever its entries are.

A position has a key, and the key an entry (:mod:`zermelo.tables.storage.entries`). The moves of a
position lead to other keys, whose entries tell which moves are best and how far a win is.
"""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from zermelo._inputs.values import one_of
from zermelo.errors import (
    InvalidObjectiveError,
    InvalidOptionError,
    UnknownPositionError,
    ZermeloError,
)
from zermelo.labels import NO_DISTANCE, Int32Array, Int64Array, Player, UInt8Array
from zermelo.objectives import OBJECTIVES, NormalPlay, Objective
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.conversion import CONVERSION
from zermelo.rules.explore import explore
from zermelo.rules.faults import blaming, text_of, wrong
from zermelo.rules.partizan.base import SIDES, Turns, can_read, split_turn
from zermelo.solutions.base import Solution
from zermelo.tables.probing.access import Access, After, access, mover, rules_name
from zermelo.tables.probing.many_answers import TIES, Probes, chosen, win_distances
from zermelo.tables.probing.several import probe_several
from zermelo.tables.probing.successors import ProbedPosition, keeping
from zermelo.tables.solving.conversion import Conversions
from zermelo.tables.storage.codes import KIND_ABSENT, KIND_TIED, KIND_WIN, LABELS, pack
from zermelo.tables.storage.entries import Entries, MemoryEntries
from zermelo.verify.tables.game import ENDS


class Lookups:
    """The answers at positions of rules, from their entries and the entries after their moves."""

    distances: bool | str = True
    """False in a table of labels alone, ``"conversion"`` if distances are those to conversion."""
    _descent = False
    """Whether a file of this table leaves out positions that unmoves show to be unreachable."""

    def __init__(
        self,
        rules: Any,
        storage: Entries | None,
        solution: Solution | None,
        symmetry: bool,
        asked: Objective | None,
    ) -> None:
        self.rules, self._storage, self._solution = rules, storage, solution
        self.symmetry, self.asked = symmetry, asked

    @cached_property
    def storage(self) -> Entries:
        """The entries of all positions; those of a game with a solution are made of it."""
        if self._storage is not None:
            return self._storage
        solution = self._solution
        assert solution is not None
        if solution.label.ndim != 1 or self.keyword not in (None, *ENDS):
            raise InvalidObjectiveError(
                f"{self.location}: a table has one label of each position and its distance, and "
                f"the answers of {solution.objective.keyword!r} are more; solved.solution has them"
            )
        entry = pack(solution.label, solution.distance)
        if not isinstance(self.rules, CompiledRules):
            return MemoryEntries(self.rules, self.symmetry, entry, names=solution.graph.names)
        positions = np.array(solution.graph.names, np.int64)
        order = np.argsort(positions)
        return MemoryEntries(self.rules, self.symmetry, entry[order], positions[order])

    @property
    def _on_graph(self) -> Solution | None:
        """The solution that has the answers at all positions, if there is one."""
        return None if self.symmetry else self._solution

    @property
    def location(self) -> str:
        """What messages call the solved game: the path of its file, or the name of the game."""
        return rules_name(self.rules)

    @property
    def keyword(self) -> str | None:
        """The keyword of the objective that was asked for, None for that of the rules."""
        return None if self.asked is None else self.asked.keyword

    def _unknown(self, position: Any) -> UnknownPositionError:
        """The error for a position that has no entry."""
        try:
            text = str(self.rules.show(position))
        except Exception:  # it may be no position at all
            text = repr(position)
        return UnknownPositionError(
            f"{self.location}: play cannot reach the position {text if text else position!r}"
        )

    @cached_property
    def _access(self) -> Access:
        """The map from positions to keys, and the positions after one move."""
        conversion = self.distances == CONVERSION
        return access(
            self.rules, self.storage.layout.keys, self.symmetry, self._descent, conversion
        )

    # ---------------------------------------------------------------- positions

    def read_position(self, text: str) -> Any:
        """The position that a text stands for; a text that stands for none is an error.

        >>> import zermelo as zm
        >>> zm.solve(zm.game("nim:1,2")).read_position("1+2")
        (1, 2)
        """
        with blaming(self.rules):
            return self._position(text)

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

    @cached_property
    def _named(self) -> dict[str, Any]:
        """The positions of plain rules by their texts; such games are small."""
        found: dict[str, Any] = {}
        for x in self._names():
            if found.setdefault(text := text_of(self.rules, x), x) is not x:
                raise wrong(self.rules, "show", f"it gives two positions the same text {text!r}")
        return found

    def _names(self) -> Any:
        """All positions of plain rules."""
        if self._solution is not None:
            return self._solution.graph.names
        graph, _ = explore(self.rules, symmetry=self.symmetry)
        return graph.names or ()

    @cached_property
    def _tells_players_apart(self) -> bool:
        """Whether the rules tell which player moves."""
        return mover(self.rules, self.rules.start()) is not None

    # ---------------------------------------------------------------- entries

    def look_up(self, position: Any) -> tuple[int, int, int]:
        """The label, the distance and the number of the entry of a position of the rules."""
        with blaming(self.rules):
            kind, distance, number = self._entry_at(position)
            if kind == KIND_WIN:
                distance = int(self._win_distances([position])[0])
        return LABELS[kind], distance, number

    def look_up_label(self, position: Any) -> tuple[int, bool, int]:
        """The label of a position of the rules, whether it is a tie, and the number of its entry.

        >>> import zermelo as zm
        >>> zm.solve(zm.game("nim:1,2")).look_up_label((1, 1))[:2]
        (-1, False)
        """
        with blaming(self.rules):
            kind, _, number = self._entry_at(position)
        return LABELS[kind], kind in TIES, number

    def place(self, position: Any) -> int:
        """The number of the entry of a position, −1 where it has none."""
        key = self._access.key(position)
        if key is None or self.storage.look(key)[0] == KIND_ABSENT:
            return -1
        return self.storage.find(key)

    def _entry_at(self, position: Any) -> tuple[int, int, int]:
        """The kind, the distance where the kind carries one, and the number of an entry."""
        key = self._access.key(position)
        kind, distance = (KIND_ABSENT, NO_DISTANCE) if key is None else self.storage.look(key)
        if kind == KIND_ABSENT:
            raise self._unknown(position)
        return kind, distance, self.storage.find(key)

    def _look_many(self, keys: Any) -> tuple[UInt8Array, Int32Array]:
        """Kinds and distances of entries; keys are an array with −1, or a list with None."""
        if isinstance(keys, np.ndarray):
            return self.storage.look_many(keys)
        look, absent = self.storage.look, (KIND_ABSENT, NO_DISTANCE)
        found = np.array([absent if key is None else look(key) for key in keys], np.int64)
        kind, distance = found.reshape(-1, 2).T
        return kind.astype(np.uint8), distance.astype(np.int32)

    def _probed(self, own: Any) -> ProbedPosition | None:
        """A position with its entry; None if it has none."""
        key, after = self._access.ahead(own)
        entry = (KIND_ABSENT, NO_DISTANCE) if key is None else self.storage.look(key)
        return None if entry[0] == KIND_ABSENT else ProbedPosition(self, own, entry, after)

    # ---------------------------------------------------------------- one move later

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
        >>> zm.solve(zm.game("nim:1,2")).converts((1, 2), (1, 1))
        False
        """
        if self.distances != CONVERSION:
            return False
        return bool(self._conversions.among([position], np.array([0, 1]), [option])[0])

    def _entries_after(self, after: After) -> tuple[UInt8Array, Int32Array]:
        """Kinds and distances after moves; after a conversion a distance counts as 0."""
        kind, distance = self._look_many(after.keys)
        return kind, after.counted(distance)

    def _win_distances(self, positions: Any) -> Int32Array:
        """The distances of won positions.

        A distance is 1 + the least one of a lost position that a move leads to, and 0 where play
        is over.
        """
        after = self._after(positions)
        return win_distances(*self._entries_after(after), after.start)

    def _best_of(
        self, after: After, entries: tuple[UInt8Array, Int32Array],
        own: UInt8Array, distance: Int32Array,
    ) -> Int64Array:  # fmt: skip
        """The numbers of the moves that keep the label and lead along the distance.

        ``own`` are the kinds of the positions before the moves. If there are no distances, those
        of a tie lead to ties. For all moves that keep the label, see :func:`keeping`.
        """
        kind, left = entries[0], entries[1].copy()
        wanted = np.where(distance == NO_DISTANCE, NO_DISTANCE, distance - 1)
        if own.size > 1:
            before = np.repeat(np.arange(own.size), after.start[1:] - after.start[:-1])
            own, wanted = own[before], wanted[before]
        keeps = keeping(after, kind, own) & ((own != KIND_TIED) | (kind == KIND_TIED))
        if (wins := (keeps & (kind == KIND_WIN)).nonzero()[0]).size:
            left[wins] = self._win_distances(chosen(after.positions, wins))
            left = after.counted(left)
        best: Int64Array = (keeps & (left == wanted)).nonzero()[0]
        return best

    def is_agreed(self, position: Any, label: int) -> bool:
        """Whether nobody forces an end from a position with this label, as its mover sees it.

        The label is what infinite play pays, too: a distance is the length of a way to an end on
        which both players would have to agree.

        >>> import zermelo as zm
        >>> solved = zm.solve(zm.game("tictactoe"))
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

    # ---------------------------------------------------------------- many positions

    def probe_many(self, positions: Any, *, moves: bool = False, absent: str = "raise") -> Probes:
        """The answers at many positions, as arrays; much faster than one call for each.

        ``positions`` is an array of integers (for compiled rules), or a list of positions and of
        texts. With ``moves`` there is a best move of each position, too. A position that has no
        entry is an :class:`~zermelo.errors.UnknownPositionError`, or with ``absent="mark"`` it is
        marked in ``present``. A text that is no position is always an error.

        >>> import zermelo as zm
        >>> solved = zm.solve(zm.game("nim:3,4"))
        >>> solved.probe_many(["3+4", "3+3", "9"], absent="mark").distance.tolist()
        [7, 6, -1]
        """
        one_of(absent, "absent", ("raise", "mark"), InvalidOptionError)
        with blaming(self.rules):
            return probe_several(self, positions, moves=moves, strict=absent == "raise")
