"""Is there a positional winning strategy? The strategy, or the proof that there is none.

A strategy is *positional* if its move depends on the position alone, not on the path of the token
([EdmondsGurvich2010] §1.1). The winner of a game of return or repetition may have none.

1. *The plain game.* If normal play (misère play where a stuck player wins) without memory decides
   the start, its moves win here, too. Linear; this is the case on all acyclic graphs.
2. *Matchings.* No return on symmetric components that the winner enters at one position each
   ([EdmondsGurvich2010] Theorems 2 and 3). Polynomial.
3. *Search* over moves by position. Plays are followed that keep to the moves chosen so far, with
   all moves of the opponent. A play that is lost refutes all strategies with these moves. Where a
   play comes to a position where a move must be chosen, all of them are tried. If all are refuted,
   the tree of the refutations is the proof; a refutation that did not use the position's move
   refutes all of them at once.

Deciding the question is hard: to tell whether one given positional strategy wins at no return is
coNP-complete already. Let the opponent choose a path of a digraph, step by step, and let the only
choice of the strategy send the token from q to x: she loses exactly if the opponent finds a path
without repetition through x to q. The search takes exponential time at worst: the number of
strategies, which is the product of the numbers of moves, times the number of plays.
"""

from collections import deque
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from zermelo._inputs.belonging import check_belongs
from zermelo._inputs.values import claim_graph, one_of, shown, whole_number
from zermelo.errors import CertificateError, InvalidObjectiveError, InvalidOptionError, LimitError
from zermelo.game import Game, as_game
from zermelo.graph import Graph
from zermelo.labels import UNDECIDED
from zermelo.objectives import Misere, NormalPlay
from zermelo.objectives.base import Objective
from zermelo.objectives.geography import Geography
from zermelo.solutions.answers import Line
from zermelo.solvers.geography import components
from zermelo.solvers.geography.strategy import GeographyStrategy
from zermelo.solvers.terminal import retrograde
from zermelo.verify.geography.refutation import check_refutation
from zermelo.verify.strategy import check_strategy

MOST_NODES = 200_000
"""The histories that a search follows, unless more are asked for."""


@dataclass(frozen=True, eq=False, repr=False)
class Refutation:
    """A proof that no positional strategy wins, given moves at some positions.

    Either ``play`` is lost and uses only the given moves; or it uses only these and ends where the
    player must choose, and ``branches`` has a refutation for each of her moves.
    """

    play: Line
    branches: Mapping[Hashable, "Refutation"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.play, Line) or not self.play:
            raise CertificateError(f"play: expected a Line of positions, got {shown(self.play)}")
        branches = self.branches
        if not isinstance(branches, Mapping) or not all(
            isinstance(x, Refutation) for x in branches.values()
        ):
            raise CertificateError(f"branches: expected refutations, got {shown(branches)}")

    def __len__(self) -> int:
        """How many lost plays it has."""
        total, waiting = 0, [self]
        while waiting:
            node = waiting.pop()
            total += not node.branches
            waiting += node.branches.values()
        return total

    def __repr__(self) -> str:
        return f"Refutation({len(self):,} lost plays)"

    def __str__(self) -> str:
        lines = []
        waiting: list[tuple[int, str, Refutation]] = [(0, "", self)]
        while waiting:
            depth, head, node = waiting.pop()
            if node.branches:
                text = f"{node.play}: all moves at {node.play[-1]} are refuted"
            else:
                text = f"{node.play} is lost"
            lines.append("  " * depth + head + text)
            waiting += [
                (depth + 1, f"{node.play[-1]} → {w}: ", after)
                for w, after in reversed(list(node.branches.items()))
            ]
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class PositionalStrategy:
    """The answer of :func:`positional_strategy`; its truth value says whether there is one."""

    graph: Graph
    objective: Geography
    start: Hashable
    player: int
    """0 is the player who begins at the start."""
    moves: Mapping[Hashable, Hashable] | None
    """Her move at each position that matters; None if no positional strategy wins."""
    refutation: Refutation | None
    """The proof that there is none."""
    method: str
    """``plain``, ``matching`` or ``search``."""
    nodes: int
    """How many histories the search followed."""
    _strategy: GeographyStrategy | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        claim_graph(self, Graph)
        claim_graph(self, Geography, "objective")
        one_of(self.player, "player", (0, 1), CertificateError)
        one_of(self.method, "method", ("plain", "matching", "search"), CertificateError)
        whole_number(self.nodes, "nodes", 0, None, CertificateError)
        for name, kind in (
            ("moves", Mapping), ("refutation", Refutation), ("_strategy", GeographyStrategy)
        ):  # fmt: skip
            if getattr(self, name) is not None:
                claim_graph(self, kind, name)

    def __bool__(self) -> bool:
        return self.moves is not None

    @property
    def strategies(self) -> int:
        """How many positional strategies there are: the product of the numbers of moves."""
        return count_strategies(self.graph, self.graph.index(self.start), self.player)

    def verify(self) -> "PositionalStrategy":
        """Check the strategy, or the proof, by code that shares nothing with the search."""
        if self.moves is None:
            check_refutation(self.graph, self.objective, self.start, self.player, self.refutation)
            return self
        if self._strategy is not None:
            solution = self._strategy.solution
            for part, record in (("the solution", solution), ("its pieces", solution.play)):
                check_belongs(part, record, graph=self.graph, objective=self.objective)
            fresh = GeographyStrategy(solution, self.graph.index(self.start), self.player)
            if fresh.positional != dict(self.moves):  # computed again, and checked
                raise CertificateError("expected the moves of the matchings")
            return self
        game: Game = Game(self.graph, self.objective)
        if self.method == "plain":
            # A strategy that wins without memory visits nothing twice: the player to move would
            # win at one visit and lose at the other.
            game = Game(self.graph, _plain(self.objective))
        limit = max(MOST_NODES, 4 * self.nodes)
        check = check_strategy(game, dict(self.moves), self.player, self.start, limit=limit)
        if check.verdict != "winning":
            raise CertificateError(check.reason)
        return self

    def __repr__(self) -> str:
        verdict = "none wins" if self.moves is None else f"{len(self.moves)} moves"
        return f"PositionalStrategy(player {self.player} from {self.start!r}: {verdict})"


def positional_strategy(
    game: Game | Graph,
    objective: Objective | None = None,
    start: Hashable | None = None,
    player: int | None = None,
    *,
    nodes: int | None = MOST_NODES,
) -> PositionalStrategy:
    """A positional strategy that wins from a start, or the proof that there is none.

    ``player`` is the one who wins unless another is given. ``nodes`` bounds the histories that are
    followed (None for no bound); a :class:`LimitError` is raised if they are not enough. See
    :mod:`zermelo.solvers.geography.positional` for what is polynomial and what is not.

    >>> import zermelo as zm
    >>> path = zm.generators.path(5, symmetric=True).graph
    >>> positional_strategy(path, zm.NoReturn(), 0).verify().moves
    {1: 2, 3: 4}
    >>> g = zm.Graph.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("d", "e"),
    ...                          ("e", "b"), ("e", "c")])
    >>> found = positional_strategy(g, zm.NoReturn(), "a").verify()
    >>> print(found.refutation)
    a → b → d → e: all moves at e are refuted
      e → b: a → b → d → e → b is lost
      e → c: a → c → d → e → c is lost
    """
    given = as_game(game, objective, start)
    graph, objective = given
    if not isinstance(objective, Geography):
        raise InvalidObjectiveError(
            "positional strategies are searched for in games of return and repetition, but the "
            f"objective of this game is {objective.keyword}; its solution has its strategies"
        )
    objective.check(graph)
    if given.start is None:
        raise InvalidOptionError("start: expected a position, because the game has no start")
    if player is not None:
        one_of(player, "player", (0, 1), InvalidOptionError)
    bound = None if nodes is None else whole_number(nodes, "nodes", 0, 2**62)
    return _answer(graph, objective, graph.index(given.start), player, bound)


def _answer(
    graph: Graph, objective: Geography, v: int, player: int | None, bound: int | None
) -> PositionalStrategy:
    name, start = graph.name, graph.name(v)
    plain = retrograde.solve(graph, _plain(objective))
    label = int(plain.label[v])
    method, strategy, winner = "plain", None, None
    if label:
        winner = 0 if label > 0 else 1
    else:
        solution = components.solve(graph, objective, None, start=v, nodes=bound)
        if solution.label[v] != UNDECIDED:
            method, strategy = "matching", solution.strategy(start)
            winner = strategy.player
        elif player is None:
            raise LimitError(
                f"it is not known who wins from {start!r} after {solution.searched:,} nodes; a "
                "larger bound nodes allows more, or ask about one player"
            )
    player = winner if player is None else player
    assert player is not None
    moves: Mapping[Hashable, Hashable] | None = None
    if player == winner:
        if strategy is not None:
            moves = strategy.positional
        else:
            table = {u: w for u, w in enumerate(plain.move.tolist()) if w >= 0}
            chosen = _moves_used(graph, table, v, player)
            moves = {name(u): name(w) for u, w in sorted(chosen.items())}
    if moves is not None:
        return PositionalStrategy(graph, objective, start, player, moves, None, method, 0, strategy)
    search = _Search(graph, objective, v, player, bound)
    found, refutation = search.run()
    if found is not None:
        moves = {name(u): name(w) for u, w in sorted(found.items())}
    return PositionalStrategy(
        graph, objective, start, player, moves, refutation, "search", search.nodes
    )


def _plain(objective: Geography) -> Objective:
    """The game without memory whose results hold here as well."""
    return NormalPlay() if objective.terminal < 0 else Misere()


def _moves_used(graph: Graph, move: Mapping[int, int], start: int, player: int) -> dict[int, int]:
    """The moves at all positions that the player who follows them may come to."""
    chosen: dict[int, int] = {}
    waiting, seen = [(start, player == 0)], set[tuple[int, bool]]()
    while waiting:
        v, mine = waiting.pop()
        if (v, mine) in seen:
            continue
        seen.add((v, mine))
        after = graph.successors(v).tolist()
        if mine:
            after = [move[v]] if v in move else []
            if after:
                chosen[v] = move[v]
        waiting += [(w, not mine) for w in after]
    return chosen


def count_strategies(graph: Graph, start: int, player: int) -> int:
    """How many positional strategies a player has: the product of the numbers of her moves.

    Only positions count at which she may be to move.

    >>> count_strategies(Graph.from_edges([(0, 1), (0, 2), (1, 0), (2, 0)]), 0, 0)
    2
    """
    total = 1
    seen, queue = {(start, player == 0)}, [(start, player == 0)]
    for v, mine in queue:
        after = graph.successors(v).tolist()
        if mine and after:
            total *= len(after)
        for w in after:
            if (w, not mine) not in seen:
                seen.add((w, not mine))
                queue.append((w, not mine))
    return total


@dataclass
class _Choice:
    """A position at which all moves are tried."""

    position: int
    walk: tuple[int, ...]
    left: list[int]
    """Moves that have not been tried."""
    blamed: set[int]
    """Positions whose moves the refutations so far have used, and the walk."""
    branches: dict[Hashable, Refutation] = field(default_factory=dict)


class _Search:
    """The search over moves by position; the moves chosen so far are in ``chosen``."""

    def __init__(
        self,
        graph: Graph,
        objective: Geography,
        start: int,
        player: int,
        bound: int | None,
    ) -> None:
        self.graph, self.objective, self.start, self.player = graph, objective, start, player
        self.bound, self.nodes = bound, 0
        self.rows = [graph.successors(v).tolist() for v in range(graph.n)]
        self.repeating_wins = objective.keyword in ("return", "repetition")
        self.by_moves = "repetition" in objective.keyword
        # A position with one move leaves no choice.
        self.chosen = {v: row[0] for v, row in enumerate(self.rows) if len(row) == 1}

    def run(self) -> tuple[dict[int, int] | None, Refutation | None]:
        """A strategy, or a refutation of all."""
        stack: list[_Choice] = []
        # Invariant: chosen has the moves under trial at the positions of the stack. The branches of
        # each entry refute the moves that were tried before.
        while True:
            lost, walk = self._follow()
            if walk is None:
                return _moves_used(self.graph, self.chosen, self.start, self.player), None
            if not lost:
                moves = self._ordered(walk)
                blamed = self._used(walk)
                stack.append(_Choice(walk[-1], walk, moves, blamed))
                self.chosen[walk[-1]] = moves.pop()
                continue
            refutation, blamed = Refutation(self._line(walk)), self._used(walk)
            while stack:
                last = stack[-1]
                w = self.chosen.pop(last.position)
                if last.position in blamed:
                    last.branches[self.graph.name(w)] = refutation
                    last.blamed |= blamed - {last.position}
                    if last.left:
                        self.chosen[last.position] = last.left.pop()
                        break
                    refutation, blamed = (
                        Refutation(self._line(last.walk), last.branches),
                        last.blamed,
                    )
                stack.pop()
            else:
                return None, refutation

    def _follow(self) -> tuple[bool, tuple[int, ...] | None]:
        """A play with the chosen moves that is lost (True), or that comes to a position without one
        (False); the shortest. None if every play is won."""
        waiting = deque[tuple[int, ...]]([(self.start,)])
        seen: set[Any] = set()
        undecided: tuple[int, ...] | None = None
        while waiting:
            walk = waiting.popleft()
            self.nodes += 1
            if self.bound is not None and self.nodes > self.bound:
                count = count_strategies(self.graph, self.start, self.player)
                raise LimitError(
                    f"the search for a positional strategy has followed {self.bound:,} histories "
                    f"without an end; there are up to {count:,} strategies, and a larger "
                    "bound nodes allows more"
                )
            v, mine = walk[-1], len(walk) % 2 == 1 - self.player
            used = set(pairwise(walk)) if self.by_moves else set(walk)
            again = [w for w in self.rows[v] if ((v, w) if self.by_moves else w) in used]
            fresh = [w for w in self.rows[v] if w not in again]
            if not self.rows[v] or not (fresh or self.repeating_wins):
                wins = self.objective.terminal if not self.rows[v] else self.objective.stuck
                if (wins > 0) != mine:
                    return True, walk
                continue
            if not mine:
                if again and self.repeating_wins:
                    return True, (*walk, again[0])
                after = fresh
            elif v not in self.chosen:
                undecided = undecided or walk
                continue
            elif self.chosen[v] in again:
                if not self.repeating_wins:
                    return True, (*walk, self.chosen[v])
                continue
            else:
                after = [self.chosen[v]]
            past = (v, frozenset(used)) if self.by_moves else frozenset(used)
            for w in after:
                if (w, past) not in seen:
                    seen.add((w, past))
                    waiting.append((*walk, w))
        return False, undecided

    def _ordered(self, walk: tuple[int, ...]) -> list[int]:
        """The moves at the end of a walk, the best last: those that win at once."""
        moves = list(reversed(self.rows[walk[-1]]))
        if self.repeating_wins:
            arcs = set(pairwise(walk))
            moves.sort(key=lambda w: (walk[-1], w) in arcs if self.by_moves else w in walk)
        return moves

    def _used(self, walk: tuple[int, ...]) -> set[int]:
        """The positions at which the player moves on a walk (whose last move may be hers)."""
        return {v for k, v in enumerate(walk[:-1]) if k % 2 == self.player}

    def _line(self, walk: tuple[int, ...]) -> Line:
        return Line(self.graph.name(v) for v in walk)
