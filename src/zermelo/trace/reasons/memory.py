"""Why a player wins a Muller game: the loops that her machine allows.

Together with the memory of the winner's machine, the plays from a position are a graph. A play that
goes on for ever stays in one strong component of it from some time on, and it sees at most the
colours of that component infinitely often. ``loops`` are the sets of colours of all components.
The winner wins each of them and each smaller set that a play can repeat; the solution is checked
before, so that nothing is explained that is wrong.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from zermelo.errors import InvalidOptionError
from zermelo.labels import Player
from zermelo.objectives import Muller
from zermelo.solutions.answers import Line
from zermelo.solutions.base import Solution
from zermelo.solutions.muller import MullerSolution
from zermelo.trace.reasons.explanation import Explanation, count, play_text, rolled, some
from zermelo.verify.common.plays import Plays
from zermelo.verify.common.strategies import Plan

VERDICTS = ("accepted", "not accepted")
"""What the acceptance condition says of a set of colours that player 0 or 1 wins."""


@dataclass(frozen=True)
class MemoryExplanation(Explanation):
    """Why one player wins from a position of a Muller game.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")],
    ...                         owner={"a": 1, "b": 0, "c": 1})
    >>> print(zm.solve(g, zm.Muller({"a": 0, "c": 1}, "Inf(0) & Inf(1)")).explain("a"))
    player 0 wins from a
    her strategy is a machine with 2 memory states, of which 2 occur in plays from here
    every play that follows it stays in a, b and c
    if it goes on for ever, it sees at most the colours {0, 1} infinitely often, which are accepted
    if it repeats fewer colours, these are accepted, too
    an example is (a → b → c → b)
    """

    position: Hashable
    player: Player
    """The owner of the position."""
    winner: Player
    move: Hashable | None
    """The winner's first move; None if the position is not hers."""
    states: int
    """The number of memory states of the winner's machine."""
    used: int
    """The number of those that occur in plays from here."""
    region: tuple[Hashable, ...]
    """The positions that plays reach."""
    ends: tuple[Hashable, ...]
    """Those of them at which the loser is stuck."""
    loops: tuple[tuple[int, ...], ...]
    """The greatest sets of colours that plays can see infinitely often."""
    line: Line
    """A play against the machine; its cycle sees all colours of one of the sets."""
    colours: tuple[int, ...] | None
    """The colours of the cycle of ``line``; None if the play ends."""

    def sentences(self) -> tuple[str, ...]:
        """The answer, the memory, the region, the colours, and a play."""
        by = "" if self.move is None else f" by moving to {self.move}"
        found = [f"player {int(self.winner)} wins from {self.position}{by}"]
        if len(self.region) == 1 and self.ends:
            return (*found, f"player {1 - self.winner} is stuck there")
        found.append(
            f"her strategy is a machine with {count(self.states, 'memory state')}, of which "
            f"{self.used:,} occur in plays from here"
        )
        found.append(f"every play that follows it stays in {some(self.region)}")
        if self.loops:
            sets = some([f"{{{', '.join(map(str, x))}}}" for x in self.loops], "or")
            verdict = VERDICTS[self.winner]
            found.append(
                f"if it goes on for ever, it sees at most the colours {sets} infinitely often, "
                f"which are {verdict}"
            )
            if any(len(x) > 1 for x in self.loops):
                found.append(f"if it repeats fewer colours, these are {verdict}, too")
        if self.ends:
            where = some(self.ends, "or")
            found.append(f"if it ends, it ends at {where}, where player {1 - self.winner} is stuck")
        found.append(f"an example is {play_text(self.line)}")
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data (JSON types)."""
        return super().to_dict() | {"loops": [list(x) for x in self.loops]}


def explain_muller(
    solution: Solution, position: Hashable, player: int | None, depth: int, width: int
) -> MemoryExplanation:
    """The explanation of a position of a Muller game."""
    if not isinstance(solution, MullerSolution) or not isinstance(solution.objective, Muller):
        raise InvalidOptionError(f"expected the solution of a Muller game, got {solution!r}")
    graph, v = solution.graph, solution.graph.index(position)
    owner = solution._situation(v, player)[1]
    assert owner is not None
    solution.verify()
    winner = int(solution.winner[v])
    machine = solution.machines[winner]
    plays = _plays(solution, v, winner)
    colours = solution.objective.colours(graph)
    numbers = sorted(set().union(*colours)) if colours else []
    bit = {c: 1 << j for j, c in enumerate(numbers)}
    bits = [sum(bit[c] for c in colours[u]) for u, _, _ in plays.nodes]
    parts = plays.components(range(len(plays.nodes)))
    sets = [tuple(sorted(set().union(*(colours[plays.nodes[k][0]] for k in x)))) for x in parts]
    if parts:
        widest = max(range(len(parts)), key=lambda j: len(sets[j]))
        line = rolled(plays.lasso(parts[widest], bits, highest=False))
        cycle = {graph.index(x) for x in line[line.cycle :]}
        seen = tuple(sorted(set().union(*(colours[u] for u in cycle))))
    else:
        end = next(k for k, after in enumerate(plays.moves) if not after)
        line, seen = plays.line(plays.path(end)), None
    region = dict.fromkeys(u for u, _, _ in plays.nodes)
    ends = [u for u in region if not graph.successors(u).size]
    move = machine.move(position) if owner == winner else None
    return MemoryExplanation(
        graph.name(v),
        owner,
        Player(winner),
        move,
        len(machine),
        len({memory for _, _, memory in plays.nodes}),
        tuple(graph.name(u) for u in region),
        tuple(graph.name(u) for u in ends),
        tuple(sorted(set(sets))),
        line,
        seen,
    )


def _plays(solution: MullerSolution, v: int, winner: int) -> Plays:
    """All plays from a position in which the winner follows her machine."""
    graph, machine = solution.graph, solution.machines[winner]
    assert graph.owner is not None
    owner = graph.owner
    plan = Plan(
        graph,
        lambda u, memory, walk: int(machine.moves[memory, u]),
        lambda memory, u: int(machine.after[memory, machine.letter[u]]),
        machine.initial,
    )
    plays = Plays(plan, winner, lambda node: int(owner[node[0]]), lambda node: False)
    plays.explore((v, 0, machine.initial))
    return plays
