"""Why a start of a game of return or repetition is won or lost.

The reason is that of the *piece* in which the solver decided the start
(:class:`~zermelo.solutions.geography.Piece`): a matching, an exit, a search, …; then come a play
and a tree of moves. A label belongs to a history here, so each situation of the tree is the last
position of the history that leads to it. Winning moves after a history are computed and checked
when they are asked for.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from zermelo._inputs import page
from zermelo.errors import InvalidOptionError
from zermelo.labels import NO_DISTANCE, UNDECIDED, Label
from zermelo.solutions.answers import Line
from zermelo.solutions.base import Solution
from zermelo.solutions.geography import ClaimedGeography, GeographySolution, Piece
from zermelo.trace.reasons.explanation import Explanation, count, play_text, some
from zermelo.trace.reasons.terminal import Reason, format_reason
from zermelo.trace.steps.base import plain_record
from zermelo.trace.steps.pieces import node_name


@dataclass(frozen=True)
class PastExplanation(Explanation):
    """Why a start of a game of return or repetition is won or lost.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")])
    >>> print(zm.solve(g, zm.NoReturn()).explain("b", depth=1))
    b is WIN: every maximum matching of its component covers b, and b is matched with c
    inside it, whatever fresh position the opponent enters has a fresh mate, which the player takes
    an example is b → c
    b is WIN: it can move to c
    └─ c is LOSE: no fresh move is left
    """

    position: Hashable
    label: Label
    """What the player to move gets; UNDECIDED if the winner is not known."""
    kind: str
    """The kind of the piece, or "plain" if the game without memory decides."""
    piece: tuple[Hashable, ...]
    """The positions that were decided together; moves as pairs in games of repetition."""
    move: Hashable | None
    """The winning first move."""
    nodes: int
    """The situations that searches have visited in the whole game."""
    reasons: tuple[str, ...]
    line: Line
    """A play in which the winner follows the strategy."""
    tree: Reason

    def sentences(self) -> tuple[str, ...]:
        """The answer with its reason, a play, and the tree of moves."""
        if self.label is Label.UNDECIDED:
            return self.reasons
        play = f"an example is {play_text(self.line)}"
        return (*self.reasons, play, format_reason(self.tree))

    def _repr_html_(self) -> str:
        """What a notebook shows: the sentences, and the tree, whose branches can be folded."""
        from zermelo.trace.page import reason_page

        if self.label is Label.UNDECIDED:
            return super()._repr_html_()
        sentences = [page.caption(x, 2_000) for x in self.sentences()[:-1]]
        return page.block(*sentences, reason_page(self.tree))

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data (JSON types)."""
        found = plain_record(self, tree=self.tree.to_dict(), sentences=list(self.reasons))
        del found["reasons"]
        return found


def explain_geography(
    solution: Solution, position: Hashable, player: int | None, depth: int, width: int
) -> PastExplanation:
    """The explanation of a start of a game of return or repetition."""
    v = solution.graph.index(position)
    solution._situation(v, player)
    if isinstance(solution, ClaimedGeography):
        solution = solution._solved_at(v)
    if not isinstance(solution, GeographySolution):
        raise InvalidOptionError(
            f"expected the solution of a game of return or repetition, got {solution!r}"
        )
    return _Explainer(solution, width).explanation(v, depth)


class _Explainer:
    """Reads reasons from a solution, and searches what is left after a history."""

    def __init__(self, solution: GeographySolution, width: int) -> None:
        self.solution, self.width = solution, width
        self.graph, self.play = solution.graph, solution.play
        arcs = solution.objective.arcs
        self.fresh = "move" if arcs else "position"
        # If moves are counted, the pieces are parts of the line digraph.
        self.component = "component of the line digraph" if arcs else "component"

    def explanation(self, v: int, depth: int) -> PastExplanation:
        solution, name = self.solution, self.graph.name
        node = solution._offset + v
        piece = self._piece(node)
        kind = "plain" if piece is None else piece.kind
        members = [node] if piece is None else piece.positions.tolist()
        label = Label(int(solution.label[v]))
        if label is Label.UNDECIDED:
            kind = "open"
        line = solution.line(name(v))
        move = int(solution.move[v])
        return PastExplanation(
            name(v),
            label,
            kind,
            tuple(node_name(solution, k) for k in members),
            None if move < 0 else name(move),
            self.play.nodes,
            self._reasons(node),
            line,
            self._reason([v], depth),
        )

    # ---------------------------------------------------------------- the piece in words

    def _reasons(self, node: int) -> tuple[str, ...]:
        """Why a node of the game has its label: the reason of its piece."""
        piece, name = self._piece(node), Label(int(self.play.label[node])).name
        kind = "plain" if piece is None else piece.kind
        x, first = node_name(self.solution, node), int(self.play.first[node])
        if self.play.label[node] == UNDECIDED:
            nodes = count(self.play.nodes, "situation")
            return (
                f"{x} is undecided: the search was given up after {nodes}, or was not asked for",
            )
        if kind == "plain":
            k = int(self.play.plain.distance[node])
            if k == 0:
                return (f"{x} is {name}: there is no move",)
            return (
                f"{x} is {name}: the winner forces the end in at most {count(k, 'move')}",
                "this holds without memory, and nothing is repeated, as the distance falls",
            )
        if kind == "exit":
            if first == node:
                return (f"{x} is {name}: its loop comes back at once",)
            to = node_name(self.solution, first)
            exit_ = f"by {'the move' if self.fresh == 'move' else 'moving to'} {to}, which is lost"
            left = f"{x} is {name}: it can leave its {self.component} {exit_}"
            return (left, *self._reasons(first))
        if kind == "single":
            others = "every move leads to a start that the opponent wins"
            stuck = "there is no fresh move from there"
            return (f"{x} is {name}: {others if self._leaves(node) else stuck}",)
        if kind == "reversible":
            return (f"{x} is {name}: every move can be taken back at once, and coming back wins",)
        assert piece is not None
        if kind == "search":
            which = some([node_name(self.solution, k) for k in piece.positions.tolist()])
            return (f"{x} is {name}: an exhaustive search decided the {self.component} {which}",)
        winner, loser = ("player", "opponent") if name == "WIN" else ("opponent", "player")
        reason = f"some maximum matching of its {self.component} leaves {x} exposed"
        if name == "WIN":
            mate = node_name(self.solution, first)
            reason = f"every maximum matching of its {self.component} covers {x}, and {x} is "
            reason += f"matched with {mate}"
        sentences = (
            f"{x} is {name}: {reason}",
            f"inside it, whatever fresh {self.fresh} the {loser} enters has a fresh mate, "
            f"which the {winner} takes",
        )
        if not self._can_be_left(piece):
            return sentences
        return (*sentences, f"if the {loser} leaves the component, the {winner} wins from there")

    def _piece(self, node: int) -> Piece | None:
        """The piece of a node; None if the game without memory decides it."""
        order = int(self.play.order[node])
        return self.play.pieces[order - 1] if order else None

    def _can_be_left(self, piece: Piece) -> bool:
        """Whether a move of a piece leads out of it."""
        inside = set(piece.positions.tolist())
        return any(w not in inside for v in inside for w in self.play.graph.successors(v).tolist())

    def _leaves(self, node: int) -> bool:
        """Whether a position has a move to another one."""
        return bool((self.play.graph.successors(node) != node).any())

    # ---------------------------------------------------------------- the tree

    def _reason(self, walk: list[int], depth: int) -> Reason:
        """The reason for the situation after a history."""
        solution, name = self.solution, self.graph.name
        legal = solution._legal(walk)
        if len(walk) == 1 and solution.label[walk[0]] == UNDECIDED:
            return self._node(walk, Label.UNDECIDED, "open", "the winner is not known", [], depth)
        if not legal:
            label = Label(int(self._stuck(walk)))
            moves = self.graph.successors(walk[-1]).size
            text = "no fresh move is left" if moves else "there is no move"
            return self._node(walk, label, "end", text, [], depth)
        won = solution._winning(walk)
        if not won:
            only = len(legal) == 1
            text = f"its only move is to {name(legal[0])}" if only else "every move loses"
            return self._node(walk, Label.LOSE, "must", text, legal, depth)
        known = int(solution.move[walk[0]]) if len(walk) == 1 else won[0]
        w = known if known in won else won[0]
        if solution.objective.keyword in ("return", "repetition") and solution._repeats(walk, w):
            what = "repeats a move and wins" if solution.objective.arcs else "returns and wins"
            if solution.objective.keyword == "repetition":
                what = "repeats a move and wins"
            return self._node(walk, Label.WIN, "end", f"its move to {name(w)} {what}", [], depth)
        return self._node(walk, Label.WIN, "can", f"it can move to {name(w)}", [w], depth)

    def _stuck(self, walk: list[int]) -> int:
        objective = self.solution.objective
        moves = self.graph.successors(walk[-1]).size
        return objective.stuck if moves else objective.terminal

    def _node(
        self, walk: list[int], label: Label, rule: str, text: str, moves: list[int], depth: int
    ) -> Reason:
        shown = moves[: self.width] if depth else []
        return Reason(
            self.graph.name(walk[-1]),
            None,
            label,
            None if label is Label.UNDECIDED else int(label),
            NO_DISTANCE,
            rule,
            text,
            cut=bool(moves) and depth == 0,
            more=len(moves) - len(shown) if depth else 0,
            children=tuple(self._reason([*walk, w], depth - 1) for w in shown),
        )
