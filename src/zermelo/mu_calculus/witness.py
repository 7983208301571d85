"""Why a formula holds at a position, or fails there: a path, from the game of its evaluation.

The player who is right (player 0 if the formula holds, player 1 if it fails) plays a winning
strategy. Where the other player chooses among parts of the formula, the path follows the part that
goes on; where he chooses a move, the path takes his first one. If he never had such a choice, the
path is a proof: a *witness* of a formula that holds, a *counterexample* to one that fails.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray
from zermelo.mu_calculus.evaluation import Evaluation, as_formula
from zermelo.mu_calculus.syntax import MODAL, Formula


@dataclass(frozen=True)
class Witness:
    """Whether a formula holds at a position, and a path that shows why."""

    holds: bool
    path: tuple[Hashable, ...]
    """Positions from the start on."""
    cycle: int | None
    """The index in ``path`` to which the path returns after its last position; None if it ends."""
    proof: bool
    """Whether the path alone is a proof; else the other player could have chosen another one."""

    def __str__(self) -> str:
        text = " → ".join(map(str, self.path))
        return text if self.cycle is None else f"{text} → {self.path[self.cycle]} → …"


def witness(
    formula: str | Formula,
    graph: Graph,
    start: Hashable,
    propositions: Mapping[str, Iterable[Hashable] | AnyArray] | None = None,
) -> Witness:
    """A path from ``start`` that shows why a formula holds there, or why it fails.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("b", "t")])
    >>> print(witness("EF t", g, "a", {"t": ["t"]}))
    a → b → t
    >>> found = witness("AF t", g, "a", {"t": ["t"]})
    >>> found.holds, found.proof
    (False, True)
    >>> print(found)
    a → b → c → a → …
    """
    graph = as_graph(graph)
    walk = _Walk(Evaluation(graph, dict(propositions or {})), graph.index(start))
    holds = walk.follow(as_formula(formula))
    path = tuple(graph.name(v) for v in walk.path)
    return Witness(holds, path, walk.cycle, walk.proof)


def _propositional(f: Formula) -> bool:
    """Whether a formula is about one position only."""
    return f.kind not in (*MODAL, "mu", "nu", "variable") and all(map(_propositional, f.parts))


class _Walk:
    """The play of the evaluation game so far: its positions in the graph."""

    def __init__(self, evaluation: Evaluation, start: int) -> None:
        self.evaluation, self.path = evaluation, [start]
        self.cycle: int | None = None
        self.proof = True

    def follow(self, f: Formula) -> bool:
        """Play on from a closed formula at the last position; says whether it holds there."""
        holds = bool(self.evaluation.positions_of(f)[self.path[-1]])
        following: Formula | None = f
        while following is not None:
            following = self._step(following, holds)
        return holds

    def _step(self, f: Formula, holds: bool) -> Formula | None:
        """One choice in a closed formula; None where play ends."""
        truth = self.evaluation.positions_of
        if _propositional(f):
            return None
        if f.kind in ("mu", "nu"):
            return self._fixpoint(f, holds)
        if f.kind in MODAL:
            v = self.path[-1]
            options = self.evaluation.graph.successors(v).tolist()
            if not options:
                return None
            mine = (int(self.evaluation.chooser(f)[v]) == 0) == holds
            inside = truth(f.parts[0])
            if not mine and len(options) > 1:
                self.proof = False
            self.path.append(next(w for w in options if not mine or bool(inside[w]) == holds))
            return f.parts[0]
        mine = (f.kind == "|") == holds
        if mine:
            good = [x for x in f.parts if bool(truth(x)[self.path[-1]]) == holds]
            plain = [x for x in good if _propositional(x)]  # the shortest reason
            return (plain or good)[0]
        return self._others(list(f.parts))

    def _others(self, parts: list[Formula]) -> Formula:
        """The part that goes on, where the player who is wrong chooses."""
        real = [x for x in parts if not _about_one_step(x)]
        if len(real) > 1:
            self.proof = False
        return (real or [x for x in parts if not _propositional(x)])[0]

    def _fixpoint(self, f: Formula, holds: bool) -> Formula | None:
        """Play the game of a fixpoint until a closed formula, an end, or a repetition."""
        evaluation, graph = self.evaluation, self.evaluation.graph
        nodes, arena, solution = evaluation.solved(f)
        n, right = graph.n, 0 if holds else 1
        assert arena.owner is not None
        at = self.path[-1]
        seen: dict[int, int] = {}
        while True:
            k = at // n
            node = nodes[k]
            if k and not node.free():
                return node
            if at in seen:
                if len(self.path) - 1 > seen[at]:  # else the formula goes round without a move
                    self.path.pop()
                    self.cycle = seen[at]
                return None
            seen[at] = len(self.path) - 1
            options = arena.successors(at).tolist()
            if not options:
                return None
            if int(arena.owner[at]) == right:
                following = int(solution.move[at])
            else:
                following = self._reply(nodes, options, n, node)
            if node.kind in MODAL:
                self.path.append(following % n)
            at = following

    def _reply(self, nodes: list[Formula], options: list[int], n: int, node: Formula) -> int:
        """A choice of the player who is wrong: the part of the formula that goes on, or a move."""
        if len(options) == 1:
            return options[0]
        if node.kind in MODAL:
            self.proof = False
            return options[0]
        real = [x for x in options if not _about_one_step(nodes[x // n])]
        if len(real) > 1:
            self.proof = False
        return next((x for x in real if nodes[x // n].free()), (real or options)[0])


def _about_one_step(f: Formula) -> bool:
    """Whether a formula is about one position, or only about whether it has a move."""
    return _propositional(f) or (f.kind in MODAL and f.parts[0].kind in ("true", "false"))
