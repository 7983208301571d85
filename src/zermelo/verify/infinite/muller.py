"""The checker of Muller games: NumPy, no code of the solvers or the Zielonka tree.

Colours and acceptance are read again from the objective and the graph; everything in the solution
is a claim. Let ``W`` be the claimed winning region of player ``p``. This is checked:

1. *Entries.* The label is WIN exactly if the owner is the winner; there are no distances. The
   machine of ``p`` is one on this graph, for ``W``, with numbers in range.
2. *Traps.* Let ``p`` follow the machine from its initial memory at every position of ``W``, against
   every move of the opponent. In each pair (memory, position) that occurs, the position is in
   ``W``; and if ``p`` moves there, the machine has a move, and it is a move of the position.
3. *Cycles.* Every closed walk through such pairs has a set of colours that ``p`` wins.

**The conditions are sufficient.** Let ``p`` follow the machine from ``W``. By 2 the play stays in
``W`` and ``p`` is never stuck. If it is infinite, the pairs that it visits infinitely often are
strongly connected, so a closed walk visits exactly them; by 3 ``p`` wins their colours, which are
the ones that the play sees infinitely often. The two regions together are the whole graph. The
conditions are also necessary for a machine to win, because a closed walk can be played for ever.

**Finding the cycles.** Compute the strong components. If player ``p`` loses the colours ``C`` of a
component, it contains a bad closed walk. Otherwise the colours of a bad walk in it lie in a maximal
set ``D ⊂ C`` that ``p`` loses. For each such ``D``, repeat this with the pairs whose colours are in
``D``.
"""

import numpy as np

from zermelo._inputs.belonging import check_belongs
from zermelo.errors import CertificateError, ZermeloError
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, AnyArray, BoolArray, Int64Array
from zermelo.objectives.acceptance import signal_name
from zermelo.objectives.muller import Muller, Signals
from zermelo.solutions.machine import Machine
from zermelo.solutions.muller import MullerSolution
from zermelo.verify.common.entries import check_numbers, first, place, read_winners
from zermelo.verify.common.strong import Moves, strong_components


def check_muller(solution: MullerSolution) -> None:
    """Raise :class:`~zermelo.errors.CertificateError` unless the whole solution is right.

    >>> import dataclasses, numpy as np, zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "a"), ("a", "b"), ("b", "a")], owner=[0, 0])
    >>> right = zm.solve(g, zm.Muller({"a": 0, "b": 1}, [{0, 1}]))
    >>> check_muller(right)
    >>> zero, one = right.machines
    >>> stays = dataclasses.replace(zero, moves=np.zeros_like(zero.moves))
    >>> check_muller(dataclasses.replace(right, machines=(stays, one)))
    Traceback (most recent call last):
    zermelo.errors.CertificateError: position 'a', player 0 to move: expected no cycle that \
player 1 wins, but the machine of player 0 leaves one through it, with the colours {0}
    """
    winner, signals = _read(solution)
    for player in (0, 1):
        machine = solution.machines[player]
        region = winner == player
        _check_machine(solution.graph, machine, player, region)
        pairs, moves = _follow(solution.graph, machine, player, region)
        _check_cycles(solution.graph, signals, player, pairs, moves)


# -------------------------------------------------------------------- shapes, ranges, entries


def _read(solution: MullerSolution) -> tuple[AnyArray, Signals]:
    """Check the arrays for condition 1; return winners and colours."""
    graph = solution.graph
    if not isinstance(solution.objective, Muller):
        raise CertificateError(f"objective: expected a Muller game, got {solution.objective!r}")
    try:
        signals = solution.objective.signals(graph)
    except ZermeloError as error:
        raise CertificateError(f"objective: {error}") from None
    winner = read_winners(solution)
    if not isinstance(solution.machines, tuple) or len(solution.machines) != 2:
        raise CertificateError(f"machines: expected two, got {solution.machines!r}")
    return winner, signals


def _check_machine(graph: Graph, machine: Machine, player: int, region: BoolArray) -> None:
    """Check that this is a machine of that player, for that region of this graph."""
    name = f"the machine of player {player}"
    if not isinstance(machine, Machine):
        raise CertificateError(f"{name}: expected a Machine, got {machine!r}")
    check_belongs(name, machine, graph=graph, player=player)
    after = machine.after
    if not isinstance(after, np.ndarray) or after.ndim != 2 or after.shape[0] == 0:
        raise CertificateError(f"{name}: expected a table of memory states, got {after!r}")
    size, width = after.shape
    for array, shape, low, high in (
        ("after", (size, width), 0, size - 1),
        ("letter", (graph.n,), 0, width - 1),
        ("moves", (size, graph.n), NO_MOVE, graph.n - 1),
    ):
        _check_numbers(f"{name}, {array}", getattr(machine, array), shape, (low, high))
    if type(machine.initial) is not int or not 0 <= machine.initial < size:
        raise CertificateError(
            f"{name}: expected a first memory 0 … {size - 1}, got {machine.initial!r}"
        )
    winning = machine.winning
    if not isinstance(winning, np.ndarray) or winning.dtype != bool or winning.shape != (graph.n,):
        raise CertificateError(f"{name}, winning: expected {graph.n} truth values")
    if (v := first(winning != region)) is not None:
        verdict = "wins" if winning[v] else "does not win"
        _refuse(graph, v, "the winner that the solution claims", f"{name} {verdict} there")


def _check_numbers(
    name: str, array: AnyArray, shape: tuple[int, ...], bounds: tuple[int, int]
) -> None:
    def refusal(s: int, span: str) -> str:
        return f"{name}: expected {span}, got {array.flat[s]}"

    check_numbers(name, array, shape, np.int32, bounds, refusal)


def _refuse(graph: Graph, v: int, expected: str, claimed: str) -> None:
    raise CertificateError(f"{place(graph, v)}: expected {expected}, {claimed}")


# -------------------------------------------------------------------- what occurs in play


def _follow(
    graph: Graph, machine: Machine, player: int, region: BoolArray
) -> tuple[Int64Array, Moves]:
    """All pairs that occur, as memory · n + position, and the moves between them.

    The ends of the moves are indices into the array of pairs. This checks condition 2.
    """
    n, size = graph.n, machine.after.shape[0]
    seen = np.zeros(size * n, bool)
    fresh = np.flatnonzero(region) + machine.initial * n
    sources, targets = [], []
    while fresh.size:
        seen[fresh] = True
        source, target = _steps(graph, machine, player, fresh)
        if (k := first(~region[target % n])) is not None:
            u, w = int(source[k] % n), graph.name(int(target[k] % n))
            _refuse(
                graph, u, f"only moves to positions that player {player} wins",
                f"but the machine of player {player} allows a move to {w!r}",
            )  # fmt: skip
        sources.append(source)
        targets.append(target)
        fresh = np.unique(target[~seen[target]])
    pairs = np.flatnonzero(seen)
    if not sources:
        return pairs, Moves(np.zeros(0, np.int64), np.zeros(0, np.int64))
    number = np.cumsum(seen) - 1
    return pairs, Moves(number[np.concatenate(sources)], number[np.concatenate(targets)])


def _steps(graph: Graph, machine: Machine, player: int, pairs: Int64Array) -> Moves:
    """The moves from some pairs: the machine's move if the player moves, else all moves."""
    n = graph.n
    memory, v = np.divmod(pairs, n)
    assert graph.owner is not None
    mine = graph.owner[v] == player
    degree = np.diff(graph.indptr)[v]
    source = np.repeat(np.arange(pairs.size), degree)
    offset = np.arange(source.size) - np.repeat(np.cumsum(degree) - degree, degree)
    w = graph.indices[graph.indptr[v][source] + offset].astype(np.int64)
    kept = ~mine[source] | (w == machine.moves[memory, v][source])
    source, w = source[kept], w[kept]
    moved = np.bincount(source, minlength=pairs.size) > 0
    if (k := first(mine & ~moved)) is not None:
        u, m = int(v[k]), int(memory[k])
        chosen = int(machine.moves[m, u])
        shown_move = "none" if chosen == NO_MOVE else repr(graph.name(chosen))
        _refuse(
            graph, u, "one of its moves",
            f"the machine of player {player} has {shown_move} with memory {m}",
        )  # fmt: skip
    after = machine.after[memory, machine.letter[v]].astype(np.int64)
    return Moves(pairs[source], after[source] * n + w)


# -------------------------------------------------------------------- cycles


def _check_cycles(
    graph: Graph, signals: Signals, player: int, pairs: Int64Array, moves: Moves
) -> None:
    """Condition 3 of the module's docstring."""
    place = pairs % max(graph.n, 1)
    mask = signals.mask[place]
    lost_below: dict[int, Int64Array] = {}
    waiting = [moves]
    while waiting:
        source, target = waiting.pop()
        ends, both = np.unique(np.concatenate((source, target)), return_inverse=True)
        both = both.reshape(2, -1)
        component = strong_components(ends.size, both[0], both[1])
        within = component[both[0]] == component[both[1]]
        source, target, component = source[within], target[within], component[both[0][within]]
        colours = np.zeros(ends.size, np.int64)
        np.bitwise_or.at(colours, component, mask[source])
        colours = colours[component]
        lost = signals.wins(colours) == (player == 1)
        if (k := first(lost)) is not None:
            named = [
                signal_name(x) for j, x in enumerate(signals.signal) if int(colours[k]) >> j & 1
            ]
            _refuse(
                graph, int(place[source[k]]), f"no cycle that player {1 - player} wins",
                f"but the machine of player {player} leaves one through it, "
                f"with the colours {{{', '.join(named)}}}",
            )  # fmt: skip
        for c in np.unique(colours).tolist():
            here = colours == c
            if c not in lost_below:
                lost_below[c] = _maximal_lost(signals, player, c)
            for d in lost_below[c].tolist():
                left = here & ((mask[source] | mask[target]) & ~d == 0)
                if left.any():
                    waiting.append(Moves(source[left], target[left]))


def _maximal_lost(signals: Signals, player: int, colours: int) -> Int64Array:
    """Among the subsets of a set that the player wins, the maximal ones that she loses.

    The search removes one colour at a time; it keeps a lost set and does not look below it.
    """
    bits = 1 << np.flatnonzero([colours >> j & 1 for j in range(len(signals.signal))])
    level = np.array([colours], np.int64)
    maximal = np.zeros(0, np.int64)
    while level.size:
        fewer = level[:, None] & ~bits[None, :]
        fewer = np.unique(fewer[fewer != level[:, None]])
        for d in maximal.tolist():
            fewer = fewer[fewer & ~d != 0]
        lost = signals.wins(fewer) == (player == 1)
        maximal = np.concatenate((maximal, fewer[lost]))
        level = fewer[~lost]
    return maximal
