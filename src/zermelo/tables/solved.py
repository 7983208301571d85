"""A solved game: the answers at all positions of rules, wherever they are kept.

Entries are in memory, in a file or in the files of a directory
(:mod:`zermelo.tables.storage.entries`). A game that was solved on its graph has its
:class:`~zermelo.Solution` instead, and answers come from there.
"""

import contextlib
import dataclasses
import os
from collections.abc import Callable, Hashable, Iterator
from functools import cached_property, partial
from typing import Any, Self

from zermelo._inputs import page
from zermelo._inputs.values import one_of, whole_number
from zermelo._runtime.progress import Progress, reporting
from zermelo._runtime.services import service
from zermelo.errors import (
    InvalidObjectiveError,
    InvalidOptionError,
    LimitError,
)
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Label, Player
from zermelo.objectives import Misere, NormalPlay, Objective, TerminalPayoff
from zermelo.registry import choose_solver
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.conversion import CONVERSION
from zermelo.rules.explore import explore, with_shown_names
from zermelo.rules.faults import blaming, text_of
from zermelo.rules.notation import second_moves
from zermelo.solutions.answers import Answer, Answers, Line, rows_html
from zermelo.solutions.base import Solution
from zermelo.tables.probing.access import mover
from zermelo.tables.probing.listing import Listing
from zermelo.tables.probing.notated import ByRules, names_moves
from zermelo.tables.probing.successors import ProbedPosition, solution_around
from zermelo.tables.storage.codes import KIND_TIED, LABELS
from zermelo.tables.storage.entries import Entries, MemoryEntries
from zermelo.verify.tables.table import check_table

MAX_GRAPH_POSITIONS = 1 << 18
"""A graph is made of a game with at most this many positions."""

LABEL = tuple(map(Label, LABELS))
"""The label of each kind."""

KINDS_SHOWN = ("win", "lose", "tie", "draw", "undecided")
"""The counts that a text of a solved game has."""


class SolvedGame(Listing, Answers):
    """A game given by rules, solved.

    Positions are read as the rules have them or as their texts, and are shown as texts. Where
    ``symmetry`` is true, one entry stands for all positions of a canonical form.

    >>> import zermelo as zm
    >>> solved = zm.solve(zm.game("nim:1,2"))
    >>> solved
    SolvedGame(nim:1,2: 3 win, 2 lose)
    >>> print(solved["1+1"])
    1+1: LOSE in 2 by 1
    >>> solved[(1, 1)].best_moves, solved["1+1"].best_moves
    (((1,),), ('1',))
    """

    verified: int = 0
    """How many positions the last call of :meth:`verify` checked."""

    def __init__(
        self,
        rules: Any,
        storage: Entries | None = None,
        *,
        solution: Solution | None = None,
        symmetry: bool = True,
        asked: Objective | None = None,
        turns: bool = True,
        start: Any = None,
        stats: dict[str, Any] | None = None,
    ) -> None:
        """Put a game together from its entries, or from its solution on a graph.

        ``asked`` is the objective that was asked for; None: that of the rules. ``turns`` says that
        the players move in turn, so that the distance of a win follows from its moves. ``stats``
        are counts and times of the solver.
        """
        super().__init__(rules, storage, solution, symmetry, asked)
        self.turns, self.start = turns, start
        self.stats: dict[str, Any] = stats or {}

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles have; what was made of it is made again."""
        names = (
            "rules", "_storage", "_solution", "symmetry", "asked", "turns", "start", "stats",
            "verified",
        )  # fmt: skip
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.location}: {self._summary()})"

    def _summary(self) -> str:
        """The counts as a text."""
        counts = self.counts()
        return ", ".join(f"{counts[k]:,} {k}" for k in KINDS_SHOWN if counts.get(k))

    @property
    def objective(self) -> Objective:
        """The objective: the one that was asked for, or that of the rules."""
        own: Objective = self.asked or self.rules.objective()
        return own

    @property
    def has_distances(self) -> bool:
        """False in a table of labels alone."""
        return bool(self.distances)

    def require_distances(self, what: str) -> None:
        """Raise an error if this is a table of labels alone, from which ``what`` is not known."""
        if not self.has_distances:
            raise InvalidOptionError(
                f"{self.location}: {what} needs distances, and this table has labels alone; build "
                "it with distances"
            )

    # ---------------------------------------------------------------- where the answers are

    @property
    def entries(self) -> int:
        """How many entries there are, also those of no position."""
        return self.storage.layout.entries

    @property
    def entry(self) -> AnyArray:
        """The entries of a game in memory, see :mod:`zermelo.tables.storage.codes`."""
        if not isinstance(self.storage, MemoryEntries):
            raise InvalidOptionError(f"{self.location}: entries of a file are not in memory")
        return self.storage.entry

    # ---------------------------------------------------------------- the graph

    @property
    def graph(self) -> Graph:
        """The game as a graph; its names are the positions as the rules have them.

        >>> import zermelo as zm
        >>> zm.solve(zm.game("nim:1,2")).graph
        Graph(5 positions, 7 moves, 1 terminal)
        """
        return self.solution.graph

    @cached_property
    def solution(self) -> Solution:
        """The solution on the graph of all positions that play can reach.

        A game with more than 262,144 positions that was solved without a graph has none.
        """
        if self._on_graph is not None:
            return self._on_graph
        if (count := self.counts()["positions"]) > MAX_GRAPH_POSITIONS:
            raise LimitError(
                f"{self.location} has {count:,} positions, and a graph is made of at most "
                f"{MAX_GRAPH_POSITIONS:,}; zm.explore(rules) makes one of any size that fits into "
                "memory"
            )
        graph, objective = explore(self.rules)
        if self.asked is not None:
            objective = asked_on_graph(graph, objective, self.asked)
        solution: Solution = choose_solver(objective).load()(graph, objective, None)
        return dataclasses.replace(solution, start=0)

    @cached_property
    def shown_solution(self) -> Solution:
        """The same with names as the rules show positions."""
        solution = self.solution
        with blaming(self.rules):
            graph, objective = with_shown_names(
                self.rules, Game(solution.graph, solution.objective)
            )
        return dataclasses.replace(solution, graph=graph, objective=objective)

    def explain(
        self, position: Any, player: int | None = None, depth: int = 3, *, width: int = 8
    ) -> Any:
        """Why a position has its value; see :func:`zermelo.explain`.

        In a large game it looks at positions near this one only, and the tree may be less deep.

        >>> import zermelo as zm
        >>> print(zm.solve(zm.game("nim:1,2")).explain("1+1", depth=1))
        1+1 is LOSE in 2: its only move is to 1
        └─ 1 is WIN in 1: it can move to 0 …
        """
        self.at(position, player)  # an unknown position is an error
        with blaming(self.rules):
            own = self._position(position)
            if self._on_graph is not None:
                solution = self.shown_solution
            else:
                if self.distances is not True:
                    raise InvalidOptionError(
                        f"{self.location}: an explanation needs distances to the end of play; "
                        "build the table with them"
                    )
                depth = whole_number(depth, "depth")
                solution, depth = solution_around(self, own, depth)
            text = text_of(self.rules, own)
        return solution.explain(text, player, depth, width=width)

    def explore(self) -> Any:
        """A widget for a notebook, in which one looks around in the game.

        It is the view Graph of ``zermelo serve``, or the view Play if the graph is too large. It
        needs anywidget: pip install 'zermelo[notebook]'.

        >>> import zermelo as zm
        >>> zm.solve(zm.game("nim:1,2")).explore().parameters["format"]
        'json'
        """
        try:
            return self.shown_solution.explore()
        except LimitError:
            return self.play()

    def play(self) -> Any:
        """A widget for a notebook, in which one plays the game with the value of every move.

        It is the view Play of ``zermelo serve`` and needs anywidget: pip install
        'zermelo[notebook]'.
        """
        self.require_distances("play without mistakes")
        assert self.storage  # games whose answers are more than labels cannot be played
        return service("play-solved")(self)

    # ---------------------------------------------------------------- one position

    def at(self, position: Any, player: int | None = None) -> Answer:
        """The answer at a position, given as the rules have it or as their text.

        A position that has no entry is an :class:`~zermelo.errors.UnknownPositionError`.
        """
        with blaming(self.rules):
            own = self._position(position)
            given = position if isinstance(position, str) else own
            if (solution := self._on_graph) is not None:
                if not is_name(solution.graph, own):
                    raise self._unknown(position)
                return self._from_graph(solution.at(own, player), given, own)
            if (probed := self._probed(own)) is None:
                raise self._unknown(position)
            return self._answer(given, own, probed, player)

    def _answer(
        self, given: Any, own: Any, probed: ProbedPosition, player: int | None = None
    ) -> Answer:
        """The answer at the position ``own``, which was asked for as ``given``."""
        owner = mover(self.rules, own) if self._tells_players_apart else None
        kind, distance = probed.kind, probed.distance
        value = -LABELS[kind] if owner == Player.ONE else LABELS[kind]
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
            if owner not in (None, player):
                raise InvalidOptionError(f"player {player} never moves at {self.rules.show(own)}")
            owner = Player(player)
        return Answer(
            given, owner, LABEL[kind], distance, value,
            tied=None if self.distances is True else kind == KIND_TIED,
            agreed=distance != 0 and self.is_agreed(own, LABELS[kind]),
            **self._in_words(given, own, probed.best),
        )  # fmt: skip

    def _from_graph(self, answer: Answer, given: Any, own: Any) -> Answer:
        """An answer of the solution as the rules write it."""
        words = self._in_words(given, own, partial(list, answer.best_moves))
        return dataclasses.replace(answer, position=given, **words)

    def _in_words(self, given: Any, own: Any, best: Callable[[], list[Any]]) -> dict[str, Any]:
        """The parts of an answer that the rules write; ``best`` finds the best moves."""
        as_text = isinstance(given, str) and given != own
        usual = self.keyword is None and self.has_distances
        return {
            "moves": partial(self._shown_best, best, as_text),
            "show": str if as_text else self.rules.show,
            "notation": ByRules(self.rules, own, best, usual, self.distances == CONVERSION),
        }

    def _shown_best(self, find: Callable[[], list[Any]], as_text: bool) -> tuple[Hashable, ...]:
        """The best moves, as text where the position was asked for as text."""
        with blaming(self.rules):
            best = find()
            return tuple(map(self.rules.show, best)) if as_text else tuple(best)

    def probe(self, position: Any, *moves: str) -> Answer:
        """The answer at a position, after moves in the notation of the game, if there are any.

        >>> import zermelo as zm
        >>> print(zm.solve(zm.game("tictactoe")).probe("x.o/.x./...", "a1"))
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

    def line(self, position: Any, player: int | None = None, limit: int | None = None) -> Line:
        """Best play from a position, at most ``limit`` moves; it stops where it would repeat.

        A table of labels alone is refused: moves that keep a win need not come nearer to the end.

        >>> import zermelo as zm
        >>> print(zm.solve(zm.game("nim:1,2")).line((1, 2)))
        1+2 → 1+1 → 1 → 0
        """
        self.require_distances("a line of best play")
        if limit is not None:
            limit = whole_number(limit, "limit")
        first = self.at(position, player)
        with blaming(self.rules):
            own = self._position(position)
            if self._on_graph is not None:
                line = self._on_graph.line(own, player, limit)
            else:
                line = self._line(own, limit)
            if names_moves(self.rules) and len(line) > 1:
                line.text = self.rules.write_line(line)
            if first.position != own:
                line[:] = map(self.rules.show, line)
            else:
                line.show = self.rules.show
        return line

    def _line(self, own: Any, limit: int | None) -> Line:
        """Best play from a position of the rules that has an entry."""
        line, seen = Line([own]), {own: 0}
        while limit is None or len(line) <= limit:
            probed = self._probed(line[-1])
            assert probed is not None
            if not (best := probed.best()):
                break
            line.append(best[0])
            if best[0] in seen:
                line.cycle = seen[best[0]]
                break
            seen[best[0]] = len(line) - 1
        return line

    # ---------------------------------------------------------------- all positions

    def __len__(self) -> int:
        """How many positions are known; with symmetry, one of those that look alike."""
        return self.storage.stored if self._on_graph is None else len(self._on_graph)

    def counts(self) -> dict[str, int]:
        """How many positions there are of each kind, and the longest distances.

        Where one entry stands for all positions of a canonical form, each of them counts. A table
        of labels alone has no longest ways.

        >>> import zermelo as zm
        >>> zm.solve(zm.game("nim:1,2")).counts()["lose"]
        2
        """
        solution = self._solution
        plain = not isinstance(self.rules, CompiledRules)
        if solution is not None and (plain or not self.symmetry):
            return solution.counts()
        return self.storage.counts()

    def __iter__(self) -> Iterator[Answer]:
        """An answer for every position; with symmetry, one for all that look alike."""
        if self._on_graph is not None:
            for answer in self._on_graph:
                yield self._from_graph(answer, answer.position, answer.position)
            return
        for position, kind, distance in self.kinds():
            with blaming(self.rules):
                probed = ProbedPosition(self, position, (kind, distance))
                answer = self._answer(position, position, probed)
            yield answer

    def _repr_html_(self) -> str:
        """What a notebook shows: the counts, the start, and the first positions."""
        first = page.block(page.caption("start"), self._start_html())
        return page.block(page.caption(repr(self)), first, rows_html(self))

    def _start_html(self) -> str:
        """The answer at the start, if the start has an entry."""
        with contextlib.suppress(Exception):  # a picture that fails must not hide the rest
            return self.at(self.rules.start())._repr_html_()
        return ""

    # ---------------------------------------------------------------- proofs and files

    def verify(
        self, samples: int | None = None, *, progress: Progress = None, seed: int = 0
    ) -> Self:
        """Check entries by the rules alone, all or some; see :mod:`zermelo.verify.tables.table`.

        A solution on a graph is checked as all solutions are. Returns the answer itself, and
        ``verified`` is the number of positions that were checked; raises
        :class:`~zermelo.errors.CertificateError` where an entry is wrong.
        """
        if samples is not None:
            samples = whole_number(samples, "samples")
        elif self._on_graph is not None:
            self.verified = len(self._on_graph.verify())
            return self
        with reporting(progress, "verify") as report:
            self.verified = check_table(self, samples, progress=report, seed=seed)
        return self

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the game to a file, which appears when it is whole.

        A file ``….zt`` is a table that :class:`zermelo.Table` reads; for other suffixes see
        :func:`zermelo.write`: they hold the solution on the graph.
        """
        from zermelo.tables.storage.save import save_table  # its package zstandard is optional

        if not os.fspath(path).endswith(".zt"):
            service("write")(self.solution, path)
            return
        outcomes = not isinstance(self.rules.objective(), NormalPlay | type(self.asked))
        if self._on_graph is not None and self.asked is not None and outcomes:
            raise InvalidObjectiveError(
                f"{self.location}: the rules have outcomes, and a table of {self.keyword!r} takes "
                "its values from them; zm.build makes such a table"
            )
        save_table(self, path)


def is_name(graph: Graph, position: Any) -> bool:
    """Whether a position of rules is one of their graph; a graph also takes numbers of positions.

    >>> import zermelo as zm
    >>> graph = zm.explore(zm.game("nim:1,2")).graph
    >>> is_name(graph, (1, 2)), is_name(graph, 1), 1 in graph
    (True, False, True)
    """
    if not isinstance(position, Hashable) or position not in graph:
        return False
    name = graph.name(graph.index(position))
    same_kind = isinstance(name, bool | float) == isinstance(position, bool | float)
    return bool(name == position) and same_kind


def asked_on_graph(graph: Graph, own: Objective, asked: Objective) -> Objective:
    """What a table means by an objective: where rules have outcomes, misère turns them around."""
    if isinstance(asked, NormalPlay) and isinstance(own, TerminalPayoff):
        return own
    if not isinstance(asked, Misere) or isinstance(own, NormalPlay):
        return asked
    data = own.spec(graph)
    data["payoffs"] = {v: -pay for v, pay in data["payoffs"].items()}
    return own.from_spec(data, graph)
