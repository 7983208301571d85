"""Retrograde analysis of terminal-payoff games, in linear time.

Let the payoffs be ``x_1 < … < x_k`` and let infinite play pay ``x_i``. For ``j > i``, the set where
player 0 can get at least ``x_j`` is her attractor to the ends that pay ``x_j`` or more; for player
1 the same holds below ``x_i``. The levels are peeled from both ends, and the counters are kept from
one attractor to the next, so every situation is settled once: O(V + E + k log k). The remaining
situations have the value ``x_i``.

Reference: [Loewe2004] §4 for normal play (Fraenkel's and Lévy's labelling), [GamesOnGraphs] §6–8;
levels as in [Washburn1990].

Differs from the sources: positions are settled in whole layers, so the layer's number *is* the
distance; a situation has one number that is first the counter, then the distance.
"""

from typing import Any

import numpy as np

from zermelo._inputs.values import sealed
from zermelo._kernels.graphs.records import Moves
from zermelo._kernels.terminal import retrograde as k
from zermelo._runtime import memory
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import Layout, TerminalForm, form_on
from zermelo.solutions.terminal import TerminalSolution
from zermelo.solvers.terminal.drive import run_phases


def solve(
    graph: Graph, objective: Objective, progress: Any = None, *, threads: int | None = None
) -> TerminalSolution:
    """Solve any terminal-payoff game.

    >>> from zermelo import Graph, NormalPlay
    >>> solve(Graph.from_edges([(0, 1), (1, 2), (2, 3)]), NormalPlay()).distance.tolist()
    [3, 2, 1, 0]
    """
    form = form_on(objective, graph)
    memory.require(
        estimate(graph, form),
        f"solving {graph.n:,} positions and {graph.m:,} moves",
        "set ZERMELO_MEMORY to allow more, or solve the quotient (quotient=True) or a part of it",
    )
    level, distance = peel(graph, form, progress, threads)
    return wrap(graph, objective, form, level, distance, "retrograde")


def estimate(graph: Graph, form: TerminalForm) -> int:
    """Bytes that :func:`solve` allocates beyond the graph itself.

    >>> from zermelo import Graph, NormalPlay
    >>> g = Graph.from_edges([(0, 1)])
    >>> estimate(g, NormalPlay().terminal_form(g))
    52
    """
    more = (form.doubled, code_type(form).itemsize)
    return bytes_for(graph.n, graph.m, *more, reverse="reverse" not in graph.__dict__)


def bytes_for(n: int, m: int, doubled: bool, code_bytes: int, *, reverse: bool = True) -> int:
    """Bytes that :func:`solve` allocates for n positions and m moves beyond the graph itself.

    ``reverse`` says whether the reverse moves have still to be made.

    >>> bytes_for(10**12, 4 * 10**12, False, 1)
    68000000000000
    """
    situations = n * (2 if doubled else 1)
    return reverse * (12 * m + 8 * n) + situations * (4 + 4 + 2 + 2 * code_bytes)


def estimate_game(graph: Graph, objective: Objective) -> int:
    """Bytes that :func:`solve` allocates beyond the graph itself, for an objective."""
    return estimate(graph, form_on(objective, graph))


def wrap(
    graph: Graph,
    objective: Objective,
    form: TerminalForm,
    level: AnyArray,
    distance: Int32Array,
    solver: str,
    stats: dict[str, Any] | None = None,
) -> TerminalSolution:
    """Make a Solution from the value and the distance of each situation."""
    sign = np.array([(x > 0) - (x < 0) for x in form.levels], np.int8)
    label = np.empty(level.size, np.int8)
    k.read_labels(level, sign, _owner(graph), int(form.doubled), label)
    shape = (graph.n, 2) if form.doubled else (graph.n,)
    return TerminalSolution(
        graph,
        objective,
        solver,
        sealed(level.reshape(shape)),
        sealed(label.reshape(shape)),
        sealed(distance.reshape(shape)),
        form,
        stats=stats or {},
    )


def peel(
    graph: Graph, form: TerminalForm, progress: Any = None, threads: int | None = None
) -> tuple[AnyArray, Int32Array]:
    """The value (as an index of ``form.levels``) and distance of every situation."""
    predecessors = Moves(*graph.reverse)
    status = _status(graph, form)
    situations = k.Situations(status, np.empty(status.size, np.int32))
    order, phases, codes = _phases(form)
    shift, flip = int(form.doubled), int(form.layout is Layout.SYMMETRIC)
    done = 0

    def tick(settled: int) -> None:
        if progress is not None:
            progress(done + settled, status.size, "settled")

    seeds = form.absorbing[order]
    scheme = k.Scheme(shift, flip, 0)
    segments = run_phases(predecessors, situations, seeds, phases, scheme, tick, threads)
    level = _read_levels(situations, segments, codes, form)
    if form.agreed_ends:
        ties = form.absorbing[form.absorbing_level == form.infinite]
        status[ties] = ~0
        done = int(segments[-2] + segments[-1]) if segments.size else 0
        ends = np.array([0, ties.size], np.int64)
        if ties.size:
            scheme = k.Scheme(shift, 0, 1)
            run_phases(predecessors, situations, ties, ends, scheme, tick, threads)
    else:
        status[form.absorbing[form.absorbing_level == form.infinite]] = 0
    k.read_distances(status)
    return level, status


def _owner(graph: Graph) -> Int8Array:
    """The owners for the kernels: an empty array if there are none."""
    return np.empty(0, np.int8) if graph.owner is None else graph.owner


def _status(graph: Graph, form: TerminalForm) -> Int32Array:
    """Counters and movers of all situations; those where play ends are settled."""
    status = np.empty(graph.n * (2 if form.doubled else 1), np.int32)
    k.start_status(graph.indptr, _owner(graph), int(form.doubled), status)
    bad = form.absorbing_level < form.infinite
    if form.layout is Layout.SYMMETRIC:
        bad = ~bad  # here f means "good for the player to move", not "forced by player 0"
    status[form.absorbing] = ~bad.astype(np.int32)
    return status


def _phases(form: TerminalForm) -> tuple[Int64Array, Int64Array, list[tuple[int, int]]]:
    """Ends sorted by phase, the start of each phase, and its level for f = 0 and f = 1."""
    top = len(form.levels) - 1
    pairs = phase_levels(form.layout, top, form.infinite)
    rank = phase_of(form.absorbing_level, form.layout, top, form.infinite)
    order = np.argsort(rank, kind="stable")
    phases = np.searchsorted(rank[order], np.arange(len(pairs) + 1)).astype(np.int64)
    return order, phases, pairs


def phase_levels(layout: Layout, top: int, infinite: int) -> list[tuple[int, int]]:
    """The level that each phase settles for f = 0 and for f = 1, or -1 where there is none.

    A phase takes the most extreme remaining levels: in the symmetric layout a payoff and its
    negative together, because a win of one side is a loss of the other; otherwise one level.

    >>> phase_levels(Layout.SYMMETRIC, 2, 1), phase_levels(Layout.OWNED, 2, 1)
    ([(0, 2)], [(2, -1), (-1, 0)])
    """
    if layout is Layout.SYMMETRIC:
        return [(j, top - j) for j in range(infinite)]
    pairs = [(c, -1) for c in range(top, infinite, -1)]
    return pairs + [(-1, c) for c in range(infinite)]


def phase_of(codes: AnyArray, layout: Layout, top: int, infinite: int) -> AnyArray:
    """The phase of ends with these levels; those of infinite play come behind all phases.

    >>> phase_of(np.array([0, 1, 2]), Layout.OWNED, 2, 1).tolist()
    [1, 2, 0]
    """
    if layout is Layout.SYMMETRIC:
        rank = np.minimum(codes, top - codes)
        return np.where(codes == infinite, infinite, rank)
    rank = np.where(codes > infinite, top - codes, top - infinite + codes)
    return np.where(codes == infinite, top, rank)


def _read_levels(
    situations: k.Situations,
    segments: Int64Array,
    codes: list[tuple[int, int]],
    form: TerminalForm,
) -> AnyArray:
    """Values from the statuses; if a side has several levels, from its segments of the queue."""
    status, queue = situations
    level = np.empty(status.size, code_type(form))
    first = [next((pair[f] for pair in codes if pair[f] >= 0), form.infinite) for f in (0, 1)]
    k.read_levels(status, level, form.infinite, first[0], first[1])
    size = queue.size
    for j, pair in enumerate(codes):
        for f in (0, 1):
            if pair[f] in (-1, first[f]):
                continue
            start = int(segments[2 * (j - 1) + f]) if j else 0
            stop = int(segments[2 * j + f])
            if f:
                start, stop = size - stop, size - start
            if start < stop:
                k.write_level(queue, start, stop, pair[f], level)
    level[form.absorbing] = form.absorbing_level
    return level


def code_type(form: TerminalForm) -> np.dtype[Any]:
    """The type of an array of levels."""
    return np.dtype(np.int8 if len(form.levels) <= 127 else np.int32)
