"""The positions where a formula of the modal μ-calculus holds, computed by games.

Player 0 defends the formula and player 1 attacks it, on pairs (subformula, position). Player 0
chooses at ``|`` and ``<>``, player 1 at ``&`` and ``[]``, and a variable leads back to its
fixpoint. In infinite play the outermost fixpoint that is unfolded infinitely often decides:
player 0 loses if it is a least fixpoint and wins if it is a greatest one.

A closed fixpoint is evaluated first and then treated as a proposition. If all remaining fixpoints
are of one kind (the *alternation-free* fragment), player 0 wins iff she ends play (mu) or keeps it
infinite (nu). This is a terminal-payoff game, linear in formula times graph. Otherwise it is a
parity game in which the outermost fixpoint has the highest priority, odd for mu and even for nu.

Reference: [GamesOnGraphs] §3.1; [EmersonJutla1991].
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from zermelo._inputs.values import shown
from zermelo._runtime import memory
from zermelo.errors import InvalidObjectiveError, InvalidOptionError
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, BoolArray, Int8Array, Int64Array
from zermelo.mu_calculus.syntax import MODAL, Formula, parse
from zermelo.objectives import Objective, Parity, Reach, Safety
from zermelo.registry import choose_solver
from zermelo.solutions.base import Solution


def evaluate(
    formula: str | Formula, graph: Graph, **propositions: Iterable[Hashable] | AnyArray
) -> BoolArray:
    """The positions at which a formula holds, as a Boolean array.

    Propositions are sets of positions, given by keyword. Normal play has these sets WIN, LOSE,
    DRAW:

    >>> from zermelo import Graph
    >>> g = Graph.from_edges([(0, 1), (0, 2), (1, 3), (2, 1), (2, 4), (4, 2)])
    >>> evaluate("mu X. <>[]X", g).tolist()
    [False, True, False, False, False]
    >>> evaluate("mu X. []<>X", g).tolist()
    [False, False, False, True, False]
    >>> evaluate("(nu X. []<>X) & nu Y. <>[]Y", g).tolist()
    [True, False, True, False, True]

    Reachability, and "infinitely often":

    >>> evaluate("mu X. goal | <>X", g, goal=[4]).tolist()
    [True, False, True, False, True]
    >>> evaluate("nu Y. mu X. <>((goal & Y) | X)", g, goal=[4]).tolist()
    [True, False, True, False, True]

    Operators of CTL are translated, see :mod:`zermelo.mu_calculus.ctl`:

    >>> evaluate("AG EF goal", g, goal=[3]).tolist()
    [True, True, True, True, True]
    """
    return Evaluation(graph, propositions).positions_of(as_formula(formula))


def as_formula(formula: str | Formula) -> Formula:
    """A formula from a text or from a formula, in positive normal form.

    >>> str(as_formula("EF goal"))
    '(mu Z0. (goal | <>Z0))'
    """
    if not isinstance(formula, str | Formula):
        raise InvalidOptionError(f"expected a formula, got {shown(formula)}")
    return parse(formula if isinstance(formula, str) else str(formula))


class Evaluation:
    """One graph with its propositions; ``known`` maps closed formulas to their positions."""

    def __init__(
        self, graph: Any, propositions: Mapping[str, Iterable[Hashable] | AnyArray]
    ) -> None:
        self.graph: Graph = as_graph(graph)
        self.sets = {name: self.graph.mask(given) for name, given in propositions.items()}
        self.known: dict[Formula, BoolArray] = {}

    def positions_of(self, f: Formula) -> BoolArray:
        """The positions where a closed formula holds."""
        if f not in self.known:
            self.known[f] = self._evaluate(f)
        return self.known[f]

    def _evaluate(self, f: Formula) -> BoolArray:
        n = self.graph.n
        if f.kind in ("true", "false"):
            return np.full(n, f.kind == "true")
        if f.kind == "name":
            if f.name not in self.sets:
                known = ", ".join(self.sets) or "none"
                raise InvalidObjectiveError(
                    f"column {f.column}: no proposition is called {f.name!r}; given: {known}"
                )
            return self.sets[f.name]
        if f.kind == "!":
            return ~self.positions_of(f.parts[0])
        if f.kind in ("mu", "nu"):
            return self.fixpoint(f)
        parts = [self.positions_of(part) for part in f.parts]
        if f.kind == "|":
            return np.asarray(np.logical_or.reduce(parts))
        if f.kind == "&":
            return np.asarray(np.logical_and.reduce(parts))
        return self.step(f, parts[0])

    def step(self, f: Formula, inside: BoolArray) -> BoolArray:
        """The positions where a modality holds, given those where its operand holds."""
        graph = self.graph
        good = np.zeros(graph.n, np.int64)
        busy = np.flatnonzero(graph.out_degree)
        if busy.size:
            hits = inside[graph.indices].astype(np.int64)
            good[busy] = np.add.reduceat(hits, graph.indptr[busy])
        chooses = self.chooser(f) == 0
        return np.where(chooses, good > 0, good == graph.out_degree)

    def chooser(self, f: Formula) -> AnyArray:
        """The player who chooses the move at each position: 0 (defends) or 1 (attacks)."""
        if f.kind in ("<>", "[]"):
            return np.full(self.graph.n, f.kind == "[]", np.int8)
        if self.graph.owner is None:
            raise InvalidObjectiveError(
                f"column {f.column}: {f.kind!r} needs a graph with owners, and this graph has none"
            )
        return self.graph.owner if f.kind == "<0>" else 1 - self.graph.owner

    def fixpoint(self, f: Formula) -> BoolArray:
        """The positions of a closed fixpoint, by the game on its open subformulas."""
        _, _, solution = self.solved(f)
        return np.asarray(solution.winner[: self.graph.n] == 0)

    def solved(self, f: Formula) -> tuple[list[Formula], Graph, Solution]:
        """The nodes of the game of a closed fixpoint, its arena, and its solution."""
        nodes = self._nodes(f)
        fixpoints = [x for x in nodes if x.kind in ("mu", "nu") and (x is f or x.free())]
        game, owner = self._game(nodes)
        arena = game.with_owner(owner)
        n = self.graph.n
        if len({node.kind for node in fixpoints}) == 1:
            empty = np.zeros(arena.n, bool)
            objective: Objective = Reach(empty) if f.kind == "mu" else Safety(~empty)
        else:
            priority = np.zeros(len(nodes), np.int32)
            # The nodes are in preorder, so an outer fixpoint comes before an inner one.
            top = 2 * len(fixpoints)
            for k, node in enumerate(nodes):
                if any(node is x for x in fixpoints):
                    priority[k] = top + (node.kind == "mu")
                    top -= 2
            objective = Parity(np.repeat(priority, n))
        solution: Solution = choose_solver(objective).load()(arena, objective)
        return nodes, arena, solution

    def _nodes(self, f: Formula) -> list[Formula]:
        """The subformulas that are open, and the closed ones directly below them, in preorder."""
        nodes: list[Formula] = []
        waiting = [f]
        while waiting:
            node = waiting.pop()
            nodes.append(node)
            if node is f or node.free():
                waiting += reversed(node.parts)
        return nodes

    def _game(self, nodes: list[Formula]) -> tuple[Graph, Int8Array]:
        """The arena with positions ``k n + v`` for node k and position v, and its owners."""
        graph, n = self.graph, self.graph.n
        place = {id(node): k for k, node in enumerate(nodes)}
        binder = {x.name: k for k, x in enumerate(nodes) if x.kind in ("mu", "nu")}
        memory.require(
            len(nodes) * (graph.m + n) * 40,
            f"a formula of {len(nodes)} parts on {n:,} positions",
            "use a shorter formula or a smaller graph",
        )
        here = np.arange(n, dtype=np.int64)
        source = np.repeat(here, graph.out_degree)
        sources: list[Int64Array] = []
        targets: list[Int64Array] = []
        owner = np.zeros(len(nodes) * n, np.int8)
        for k, node in enumerate(nodes):
            rows = slice(k * n, (k + 1) * n)
            if k and not node.free():  # the truth is known: the player who is wrong cannot move
                owner[rows] = self.positions_of(node)
            elif node.kind == "variable":
                sources.append(here + k * n)
                targets.append(here + binder[node.name] * n)
            elif node.kind in MODAL:
                owner[rows] = self.chooser(node)
                sources.append(source + k * n)
                targets.append(graph.indices + np.int64(place[id(node.parts[0])] * n))
            else:
                owner[rows] = node.kind == "&"
                for part in node.parts:
                    sources.append(here + k * n)
                    targets.append(here + place[id(part)] * n)
        arena = Graph.from_arrays(np.concatenate(sources), np.concatenate(targets), len(nodes) * n)
        return arena, owner
