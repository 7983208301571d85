"""Muller games through the Zielonka tree: a parity game on pairs (position, leaf of the tree).

Reference: [CasaresEtAl2021]; the tree is from [Zielonka1998]. If the tree has L leaves and height
h, the parity game has at most V·L positions, E·L moves and h + 2 priorities. Pairs that cannot be
reached from leaf 0 are left out. The leaf is the memory of a player, so L memory states suffice for
both players. ``ZielonkaTree.memory`` has the exact bound of each player ([DziembowskiEtAl1997]).

Notation: a pair of leaf l and position v has number ``l · n + v`` before renumbering.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from zermelo._runtime import memory
from zermelo.errors import MemoryLimitError, SolverError
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, Int32Array, Int64Array
from zermelo.objectives import Muller, Objective, Parity
from zermelo.registry import choose_solver
from zermelo.solutions.base import Solution
from zermelo.solutions.machine import Machine, reachable_pairs, trimmed_machine
from zermelo.solutions.muller import MullerSolution, muller_solution
from zermelo.solvers.infinite.zielonka_tree import ParityAutomaton, ZielonkaTree, build_tree

MAX_PAIRS = 2**31 - 2

Progress = Callable[[int, int, str], None] | None


@dataclass(frozen=True, eq=False)
class Product:
    """A Muller game as a parity game; :meth:`machines` translates strategies back."""

    source: Graph
    tree: ZielonkaTree
    automaton: ParityAutomaton
    letter: Int32Array
    """The letter of the automaton that each position has, by number."""
    pairs: Int64Array
    """For each position of the parity game, leaf · n + position of the Muller game, increasing."""
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
    leaves = build_tree(objective.signals(graph)).leaf.size
    pairs = graph.n * leaves
    return _bytes(pairs, pairs, graph.m * leaves)


def _bytes(pairs: int, reached: int, moves: int) -> int:
    """The largest memory use while the parity game is made and solved; it was measured."""
    return 26 * pairs + 34 * reached + 21 * moves


def _require(needed: int, graph: Graph, leaves: int) -> None:
    memory.require(
        needed,
        f"solving a Muller game of {graph.n:,} positions and {leaves:,} leaves of the Zielonka "
        "tree",
        "set ZERMELO_MEMORY to allow more, or use fewer colours",
    )


def make_product(graph: Graph, objective: Muller) -> Product:
    """The parity game of a Muller game; its first n positions are the pairs with leaf 0."""
    signals = objective.signals(graph)
    tree = build_tree(signals)
    n, size = graph.n, tree.leaf.size
    if n * size > MAX_PAIRS:
        raise MemoryLimitError(
            f"expected at most {MAX_PAIRS:,} pairs of a position and a leaf of the Zielonka tree, "
            f"got {n:,} × {size:,}"
        )
    _require(_bytes(n * size, 0, 0), graph, size)
    automaton = tree.to_parity_automaton()
    letter = np.searchsorted(automaton.letters, signals.mask).astype(np.int32)
    everywhere = np.ones(n, bool)
    seen = reachable_pairs(graph, 0, everywhere, letter, automaton.after, None).reshape(-1)
    pairs = np.flatnonzero(seen)
    leaf, place = np.divmod(pairs, max(n, 1))
    degree = graph.out_degree[place].astype(np.int64)
    indptr = np.zeros(pairs.size + 1, np.int64)
    np.cumsum(degree, out=indptr[1:])
    _require(_bytes(n * size, pairs.size, int(indptr[-1])), graph, size)
    number = np.cumsum(seen, dtype=np.int32) - 1
    # The moves of a pair are those of its position, all to one leaf. So they increase, as a Graph
    # requires.
    moves = np.arange(indptr[-1]) + np.repeat(graph.indptr[place] - indptr[:-1], degree)
    after = automaton.after[leaf, letter[place]].astype(np.int64)
    targets = np.repeat(after * n, degree) + graph.indices[moves]
    assert graph.owner is not None
    product = Graph._of(indptr, number[targets], graph.owner[place])
    priority = automaton.priority[leaf, letter[place]]
    return Product(graph, tree, automaton, letter, pairs, product, priority)


def solve(graph: Graph, objective: Objective, progress: Progress = None) -> MullerSolution:
    """Solve a Muller game with the default solver of parity games."""
    if not isinstance(objective, Muller):
        raise SolverError(f"expected a Muller game, got {objective.keyword!r}")
    product = make_product(graph, objective)
    parity = Parity(product.priority)
    solution = choose_solver(parity).load()(product.graph, parity, progress)
    winner = solution.winner[: graph.n]
    stats = {
        "colours": len(product.tree.signal),
        "leaves": len(product.automaton),
        "height": product.tree.height,
        "parity_positions": product.graph.n,
        "parity_moves": product.graph.m,
        "parity_solver": solution.solver,
    }
    machines = product.machines(solution)
    return muller_solution(graph, objective, "zielonka-tree", winner, machines, stats)
