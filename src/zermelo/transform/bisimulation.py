"""The coarsest bisimulation of a graph, and games solved on its quotient.

Two positions are bisimilar if they have the same colour and every move of one is matched by a move
of the other into a bisimilar position. The map onto the quotient is a bounded epimorphism, so
every game of the terminal-payoff family has the same values and distances there ([Loewe2004]
Prop. 3.2).
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._kernels.graphs import bisimulation as k
from zermelo._kernels.graphs.records import Moves
from zermelo._runtime import memory
from zermelo.errors import InvalidGraphError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, BoolArray, Int32Array
from zermelo.objectives import Objective
from zermelo.objectives.terminal_form import TerminalForm, form_on
from zermelo.registry import SolverRow
from zermelo.solutions.base import Solution
from zermelo.transform.carry import carry, level_of_ends
from zermelo.transform.quotient import canonical_partition, first_members, quotient_by_bisimulation


def bisimulation(graph: Graph, colours: npt.ArrayLike | None = None) -> Int32Array:
    """The classes of the coarsest bisimulation that respects some colours, in O(E log V).

    Bisimilar positions have the same colour. ``colours`` has a number for every position; the
    default is the owner if the graph has owners, else one colour. Classes are numbered by first
    appearance, so the answer is canonical.

    Reference: [PaigeTarjan1987] §3, with the partitions kept in one array and the counts as a
    partition of the moves, as in A. Valmari, "Bisimilarity minimization in O(m log n) time" (2009).

    Notation: Q (fine partition) → blocks, X (coarse) → unions, count(x, S) → ``total[number]``,
    B (the splitter, at most half of S) → ``splitter``.

    Differs from the paper: the blocks of a compound block S are neighbours in one array, so that
    the rest S − B needs no list of its own. The paper splits blocks twice, by E⁻¹(B) and by
    E⁻¹(B) − E⁻¹(S − B); here one pass does both, by moving positions to either end of their block.

    >>> g = Graph.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "e")])
    >>> bisimulation(g).tolist()
    [0, 1, 1, 2, 2]
    """
    graph = as_graph(graph)
    n, m = graph.n, graph.m
    if colours is None:
        colours = np.zeros(n, np.int8) if graph.owner is None else graph.owner
    if n + m >= 2**31:
        raise InvalidGraphError(f"expected fewer than 2³¹ positions and moves, got {n + m:,}")
    memory.require(estimate(graph), f"refining {n:,} positions and {m:,} moves", "use a part of it")
    colour = canonical_partition(colours, n)
    return _coarsest(graph, colour)


def estimate(graph: Graph) -> int:
    """Bytes that :func:`bisimulation` allocates beyond the graph itself.

    >>> estimate(Graph.from_edges([(0, 1)]))
    196
    """
    reverse = 0 if "reverse" in graph.__dict__ else 12 * graph.m + 8 * graph.n
    return reverse + 4 * (2 * graph.m + 20 * graph.n)


def _coarsest(graph: Graph, colour: Int32Array) -> Int32Array:
    n, m = graph.n, graph.m
    classes = np.zeros(n, np.int32)
    if n == 0:
        return classes
    # Stable under the set of all positions: a terminal never matches a position with moves.
    apart = 2 * colour.astype(np.int64) + (graph.out_degree > 0)
    positions, blocks = k.Positions(_zeros(n), _zeros(4 * n)), _zeros(5 * n)
    unions, touched = k.Unions(_zeros(n), _zeros(n), _zeros(n)), k.Touched(_zeros(n), _zeros(n))
    state = np.zeros(k.STATE_SIZE, np.int64)
    state[k.BLOCKS] = k.fill_blocks(canonical_partition(apart, n), positions, blocks)
    unions.stop[0] = n
    counts = k.Counts(graph.reverse[1].copy(), _zeros(n + m))
    counts.total[:n] = graph.out_degree
    k.refine(Moves(*graph.reverse), positions, blocks, unions, counts, touched, state)
    block = np.ascontiguousarray(positions.facts[k.BLOCK :: 4])
    k.number_by_appearance(block, np.full(state[k.BLOCKS], -1, np.int32), classes)
    return classes


def _zeros(size: int) -> Int32Array:
    return np.zeros(size, np.int32)


# -------------------------------------------------------------------- games


def game_bisimulation(graph: Graph, form: TerminalForm) -> tuple[Graph, Int32Array]:
    """The coarsest bisimulation that respects owners, ends and their payoffs.

    Moves from a position where play ends are ignored. Returns the graph without these moves, and
    its classes.

    >>> from zermelo import Reach
    >>> g = Graph.from_edges([(0, 1), (1, 0), (2, 0), (3, 3)], owner=[0, 0, 0, 0])
    >>> game_bisimulation(g, Reach([0, 3]).terminal_form(g))[1].tolist()
    [0, 1, 1, 0]
    """
    level = level_of_ends(form, graph.n).astype(np.int64)
    if form.doubled:
        ended = (level[::2] >= 0) & (level[1::2] >= 0)
        colours = level[::2] * (len(form.levels) + 1) + level[1::2]
    else:
        ended, colours = level >= 0, level
    if graph.owner is not None:
        colours = 2 * colours + graph.owner
    played = _without_moves(graph, ended)
    return played, bisimulation(played, colours)


def solve_quotient(
    graph: Graph, objective: Objective, row: SolverRow, progress: Any = None, **options: Any
) -> Solution:
    """Solve the bisimulation quotient with the solver of a row, and lift the answers back.

    ``options`` are those of the solver.

    >>> from zermelo import NormalPlay
    >>> from zermelo.registry import SOLVERS
    >>> g = Graph.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "e")])
    >>> s = solve_quotient(g, NormalPlay(), SOLVERS["retrograde"])
    >>> s.distance.tolist(), s.solver, s.stats["classes"]
    ([2, 1, 1, 0, 0], 'retrograde+quotient', 3)
    """
    from zermelo.solvers.terminal.retrograde import wrap

    form = form_on(objective, graph)
    played, classes = game_bisimulation(graph, form)
    small = quotient_by_bisimulation(played, classes)
    image = carry(objective, form, small, first_members(classes))
    solved: Solution = row.load()(small, image, progress, **options)
    level: AnyArray = solved.level[classes]
    stats = {**solved.stats, "classes": small.n, "class_moves": small.m}
    return wrap(
        graph,
        objective,
        form,
        np.ascontiguousarray(level).reshape(-1),
        np.ascontiguousarray(solved.distance[classes]).reshape(-1),
        f"{row.name}+quotient",
        stats,
    )


def _without_moves(graph: Graph, ended: BoolArray) -> Graph:
    """The graph without the moves of some positions."""
    if not (graph.out_degree[ended] > 0).any():
        return graph
    degree = np.where(ended, 0, graph.out_degree)
    indptr = np.zeros(graph.n + 1, np.int64)
    np.cumsum(degree, out=indptr[1:])
    kept = graph.indices[np.repeat(~ended, graph.out_degree)]
    return Graph._of(indptr, kept, graph.owner, graph.names)
