"""Muller games as parity games: on pairs of a position and a state of a parity automaton.

**The Zielonka tree** (the default). Reference: [CasaresEtAl2021]; the tree is from [Zielonka1998].
The states are the leaves of the tree. If it has L leaves and height h, the parity game has at most
V·L positions, E·L moves and h + 2 priorities. ``ZielonkaTree.memory`` has the exact bound of each
player ([DziembowskiEtAl1997]).

**Latest appearance records**. Reference: [GurevichHarrington1982]. The states are the records, at
most k! for k colours, with 2 k + 2 priorities; see
:mod:`zermelo.solvers.muller.appearance_records`.

Pairs that cannot be reached from state 0 are left out. The state is the memory of a player, so as
many memory states as the automaton has suffice for both players.

Notation: a pair of state q and position v has number ``q · n + v`` before renumbering.
"""

from dataclasses import dataclass

import numpy as np

from zermelo._runtime import memory
from zermelo._runtime.progress import Report
from zermelo.errors import MemoryLimitError, SolverError
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, Int32Array, Int64Array
from zermelo.objectives import Muller, Objective, Parity
from zermelo.registry import choose_solver
from zermelo.solutions.base import Solution
from zermelo.solutions.machine import Machine, reachable_pairs, trimmed_machine
from zermelo.solutions.muller import MullerSolution, muller_solution
from zermelo.solvers.muller.appearance_records import build_records, records_bound
from zermelo.solvers.muller.zielonka_tree import ParityAutomaton, build_tree

MAX_PAIRS = 2**31 - 2

Progress = Report | None


@dataclass(frozen=True, eq=False)
class Product:
    """A Muller game as a parity game; :meth:`machines` translates strategies back."""

    source: Graph
    automaton: ParityAutomaton
    letter: Int32Array
    """The letter of the automaton that each position has, by number."""
    pairs: Int64Array
    """For each position of the parity game, state · n + position of the Muller game, increasing."""
    graph: Graph
    priority: Int32Array

    def machines(self, solution: Solution) -> tuple[Machine, Machine]:
        """Both players' strategies in the parity game as machines for the Muller game."""
        return self._machine(0, solution), self._machine(1, solution)

    def _machine(self, player: int, solution: Solution) -> Machine:
        n, winner = self.source.n, solution.winner
        moves = np.full(len(self.automaton) * n, NO_MOVE, np.int32)
        mine = np.flatnonzero((self.graph.owner == player) & (winner == player))
        moves[self.pairs[mine]] = self.pairs[solution.move[mine]] % max(n, 1)
        return trimmed_machine(
            self.source,
            player,
            winner[:n] == player,
            self.letter,
            self.automaton.after,
            moves.reshape(len(self.automaton), n),
        )


def estimate(graph: Graph, objective: Muller) -> int:
    """The most bytes that :func:`solve` allocates beyond the graph, if all pairs are reachable.

    >>> g = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> estimate(g, Muller([0, 1], "Inf(0) & Inf(1)"))  # two leaves
    324
    """
    return _most_bytes(graph, build_tree(objective.signals(graph)).leaf.size)


def estimate_records(graph: Graph, objective: Muller) -> int:
    """The most bytes that :func:`solve_by_records` allocates beyond the graph: k! records.

    >>> g = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> estimate_records(g, Muller([0, 1], "Inf(0) & Inf(1)"))  # two records
    324
    """
    return _most_bytes(graph, records_bound(objective.signals(graph)))


def _most_bytes(graph: Graph, states: int) -> int:
    return _bytes(graph.n * states, graph.n * states, graph.m * states)


def _bytes(pairs: int, reached: int, moves: int) -> int:
    """The largest memory use while the parity game is made and solved; it was measured."""
    return 26 * pairs + 34 * reached + 21 * moves


def _require(needed: int, graph: Graph, states: str, way_out: str) -> None:
    memory.require(needed, f"solving a Muller game of {graph.n:,} positions and {states}", way_out)


def make_product(graph: Graph, objective: Muller, method: str = "zielonka-tree") -> Product:
    """The parity game of a Muller game; its first n positions are the pairs with state 0.

    >>> g = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> game = Muller([0, 1], "Inf(0) | Fin(1)")
    >>> [len(make_product(g, game, method).automaton) for method in METHODS]
    [1, 2]
    """
    return METHODS[method](graph, objective)[0]


def _by_tree(graph: Graph, objective: Muller) -> tuple[Product, dict[str, int]]:
    """The parity game by the Zielonka tree, and the sizes of the tree."""
    signals = objective.signals(graph)
    tree = build_tree(signals)
    leaves = tree.leaf.size
    way_out = "set ZERMELO_MEMORY to allow more, or use fewer colours"
    states = f"{leaves:,} leaves of the Zielonka tree"
    _check_size(graph, leaves, states, way_out)
    product = _multiply(graph, signals.mask, tree.to_parity_automaton(), states, way_out)
    return product, {"colours": len(tree.signal), "leaves": leaves, "height": tree.height}


def _by_records(graph: Graph, objective: Muller) -> tuple[Product, dict[str, int]]:
    """The parity game by latest appearance records, and their number."""
    signals = objective.signals(graph)
    records = build_records(signals)
    way_out = "use solver 'zielonka-tree', or set ZERMELO_MEMORY to allow more"
    states = f"{len(records):,} latest appearance records"
    _check_size(graph, len(records), states, way_out)
    product = _multiply(graph, signals.mask, records.automaton, states, way_out)
    return product, {"colours": len(records.signal), "records": len(records)}


METHODS = {"zielonka-tree": _by_tree, "latest-appearance-records": _by_records}
"""The ways to make a parity game of a Muller game, by the names of their solvers."""


def _check_size(graph: Graph, size: int, states: str, way_out: str) -> None:
    """Refuse too many pairs before anything is allocated for them."""
    if graph.n * size > MAX_PAIRS:
        raise MemoryLimitError(
            f"expected at most {MAX_PAIRS:,} pairs of a position and a state, got {graph.n:,} "
            f"positions and {states}; {way_out}"
        )
    _require(_bytes(graph.n * size, 0, 0), graph, states, way_out)


def _multiply(
    graph: Graph, mask: Int64Array, automaton: ParityAutomaton, states: str, way_out: str
) -> Product:
    """The parity game on the pairs that can be reached from state 0."""
    n, size = graph.n, len(automaton)
    letter = np.searchsorted(automaton.letters, mask).astype(np.int32)
    everywhere = np.ones(n, bool)
    seen = reachable_pairs(graph, 0, everywhere, letter, automaton.after, None).reshape(-1)
    pairs = np.flatnonzero(seen)
    state, place = np.divmod(pairs, max(n, 1))
    degree = graph.out_degree[place].astype(np.int64)
    indptr = np.zeros(pairs.size + 1, np.int64)
    np.cumsum(degree, out=indptr[1:])
    _require(_bytes(n * size, pairs.size, int(indptr[-1])), graph, states, way_out)
    number = np.cumsum(seen, dtype=np.int32) - 1
    # The moves of a pair are those of its position, all to one state. So they increase, as a Graph
    # requires.
    moves = np.arange(indptr[-1]) + np.repeat(graph.indptr[place] - indptr[:-1], degree)
    after = automaton.after[state, letter[place]].astype(np.int64)
    targets = np.repeat(after * n, degree) + graph.indices[moves]
    assert graph.owner is not None
    product = Graph._of(indptr, number[targets], graph.owner[place])
    priority = automaton.priority[state, letter[place]]
    return Product(graph, automaton, letter, pairs, product, priority)


def solve(graph: Graph, objective: Objective, progress: Progress = None) -> MullerSolution:
    """Solve a Muller game by the Zielonka tree, with the default solver of parity games."""
    return _solve(graph, objective, "zielonka-tree", progress)


def solve_by_records(
    graph: Graph, objective: Objective, progress: Progress = None
) -> MullerSolution:
    """Solve a Muller game by latest appearance records, with the default solver of parity games.

    >>> g = Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)], owner=[0, 0, 0])
    >>> s = solve_by_records(g, Muller([0, None, 1], "Inf(0) & Inf(1)"))
    >>> s.winner.tolist(), s.stats["records"], s.machines[0]
    ([0, 0, 0], 2, Machine(player 0, 2 memory states))
    """
    return _solve(graph, objective, "latest-appearance-records", progress)


def _solve(graph: Graph, objective: Objective, method: str, progress: Progress) -> MullerSolution:
    if not isinstance(objective, Muller):
        raise SolverError(f"expected a Muller game, got {objective.keyword!r}")
    product, sizes = METHODS[method](graph, objective)
    parity = Parity(product.priority)
    solution = choose_solver(parity).load()(product.graph, parity, progress)
    winner = solution.winner[: graph.n]
    stats = {
        **sizes,
        "parity_positions": product.graph.n,
        "parity_moves": product.graph.m,
        "parity_solver": solution.solver,
    }
    return muller_solution(graph, objective, method, winner, product.machines(solution), stats)
