"""Strategies of games of return and repetition: functions of the whole history.

The answers are computed and checked when they are asked for. The checkers share no code with the
solvers: :mod:`zermelo.verify.geography.geography` checks moves after a history, and
:mod:`zermelo.verify.geography.positional` checks moves by position alone.
"""

import functools
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, Int32Array
from zermelo.solutions.answers import Line
from zermelo.solutions.geography import GeographySolution, Play
from zermelo.solvers.geography._settle import settle as settle


@dataclass(frozen=True, eq=False, repr=False)
class GeographyStrategy:
    """The strategy of the winner from a start: a function of the whole history.

    If the moves depend only on the current position, :attr:`positional` has them.
    """

    solution: GeographySolution
    start: int
    player: int
    """0 if the player who begins wins, else 1."""

    def __repr__(self) -> str:
        return (
            f"GeographyStrategy(player {self.player} from {self.solution.graph.name(self.start)})"
        )

    def move(self, history: Sequence[Hashable]) -> Hashable | None:
        """The winner's move after a history; None if she has won already.

        >>> import zermelo as zm
        >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")])
        >>> zm.solve(g, zm.NoReturn()).strategy("a").move(["a", "b"])
        'c'
        """
        s = self.solution
        walk = s._walk(history)
        if walk[0] != self.start or len(walk) % 2 == self.player:
            raise InvalidOptionError(
                f"history: expected one from {s.graph.name(self.start)!r} with player "
                f"{self.player} to move, got {list(history)!r}"
            )
        w = self._reply(walk)
        if w == NO_MOVE and s._legal(walk):
            raise InvalidOptionError(f"no move wins any more after {list(history)!r}")
        return None if w == NO_MOVE else s.graph.name(w)

    def _reply(self, walk: list[int]) -> int:
        if len(walk) == 1:
            return int(self.solution.move[walk[0]])
        return next(iter(self.solution._winning(walk)), NO_MOVE)

    @functools.cached_property
    def positional(self) -> dict[Hashable, Hashable] | None:
        """The winner's moves by position alone; None if no such strategy is known.

        It exists if play stays in the plain game and in symmetric components, and the winner enters
        each of these at one position only. It is computed for no return only; in the other games
        the move that repeats depends on the history.

        >>> import zermelo as zm
        >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("c", "d")])
        >>> zm.solve(g, zm.NoReturn()).strategy("a").positional
        {'a': 'b', 'c': 'd'}
        """
        from zermelo.verify.geography.positional import check_positional

        s, name = self.solution, self.solution.graph.name
        if s.objective.keyword != "no-return":
            return None
        moves_and_mates = _positional(s, self.start, self.player)
        if moves_and_mates is None:
            return None
        moves, mates = moves_and_mates
        check_positional(s.play, self.start, self.player, moves, mates)
        return {name(v): name(w) for v, w in sorted(moves.items())}

    def play(
        self,
        opponent: Callable[[list[Hashable]], Hashable] | None = None,
        limit: int | None = None,
    ) -> Line:
        """Play against an opponent, a function of the history that returns a position.

        By default the opponent makes the first legal move. Play stops if a player has no legal
        move, after the move that repeats, or after ``limit`` moves.
        """
        s = self.solution
        graph = s.graph
        walk, line = [self.start], Line([graph.name(self.start)])
        while limit is None or len(line) <= limit:
            legal = s._legal(walk)
            if len(walk) % 2 != self.player:
                w = self._reply(walk)
                if w == NO_MOVE:
                    if legal or s.objective.terminal < 0:
                        raise CertificateError(f"expected a winning move after {line}, got none")
                    break
            elif not legal:
                break
            elif opponent is None:
                w = legal[0]
            else:
                w = graph.index(opponent(list(line)))
                if w not in legal:
                    raise InvalidOptionError(f"{line[-1]!r} has no legal move to {graph.name(w)!r}")
            ended = s._repeats(walk, w)
            walk.append(w)
            line.append(graph.name(w))
            if ended:
                break
        return line


def _positional(
    s: GeographySolution, start: int, player: int
) -> tuple[dict[int, int], dict[int, Int32Array]] | None:
    """The winner's moves, if in every matching piece she can always follow the same matching; and
    the matchings that differ from the pieces' own."""
    play = s.play
    mates: dict[int, tuple[int, Int32Array]] = {}
    # Invariant: mates has pieces that the winner enters, with the position where she does so and a
    # maximum matching that leaves it exposed; other pieces have their own matching. A round that
    # finds no new piece has used the same moves from its beginning to its end.
    while True:
        moves: dict[int, int] = {}
        entries: dict[int, int] = {}
        waiting, seen = [(start, player == 0, -1)], set[tuple[int, bool]]()
        while waiting:
            v, mine, before = waiting.pop()
            k = int(play.order[v])
            kind = play.pieces[k - 1].kind if k else "plain"
            if kind not in ("plain", "exit", "single", "matching"):
                return None
            entering = kind == "matching" and not mine and before != k
            if entering and entries.setdefault(k, v) != v:
                return None
            if (v, mine) in seen:
                continue
            seen.add((v, mine))
            if not mine:
                waiting += [(w, True, k) for w in s._legal([v]) if w != v]
                continue
            w = int(mates[k][1][v]) if k in mates else int(play.first[v])
            if w != NO_MOVE:
                moves[v] = w
                waiting.append((w, False, k))
        if entries.keys() <= mates.keys():
            if any(mates[k][0] != v for k, v in entries.items()):
                return None
            return moves, {k: mate for k, (_, mate) in mates.items()}
        mates |= {k: (v, _mates(play, k, v)) for k, v in entries.items() if k not in mates}


def _mates(play: Play, k: int, exposed: int) -> Int32Array:
    """A maximum matching of a symmetric piece that leaves a position exposed."""
    from zermelo.matching.maximum import maximum_matching

    part = play.pieces[k - 1].positions
    graph = play.pieces[k - 1].proof.graph
    source = np.repeat(np.arange(graph.n), graph.out_degree)
    kept = (part[source] != exposed) & (part[graph.indices] != exposed)
    mate = maximum_matching(Graph.from_arrays(source[kept], graph.indices[kept], graph.n)).mate
    whole = np.full(play.graph.n, NO_MOVE, np.int32)
    whole[part] = np.where(mate < 0, NO_MOVE, part[mate])
    return whole
