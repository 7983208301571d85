"""What a step of a trace shows on a picture: positions, moves, and the results so far.

A picture that follows a trace starts with :func:`first_results` and then takes over the results of
one step after the other. A step of an unknown kind, as another package may have it, shows its
sentence only.
"""

import functools
import itertools
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.draw.picture import result_cell, shows_winners
from zermelo.graph import Graph
from zermelo.labels import Label
from zermelo.objectives import Objective
from zermelo.plots.palette import LETTERS
from zermelo.registry import objective_row
from zermelo.solutions.answers import Answer
from zermelo.trace.steps.base import Steps
from zermelo.trace.steps.film import NO_LABEL, Frame
from zermelo.trace.steps.levels import Level
from zermelo.trace.steps.lifting import Lift, Lifting
from zermelo.trace.steps.pieces import Settled
from zermelo.trace.steps.rounds import Round

KINDS = {Label.WIN: "win", Label.LOSE: "lose", Label.DRAW: "draw"}
"""The kind of a label that an algorithm has at present."""


class Result(NamedTuple):
    """The result of a position after a step; an empty text means that there is none any more."""

    position: int
    player: int | None
    """The player to move; None if the position has one result only."""
    text: str
    kind: str


@dataclass(frozen=True)
class Highlight:
    """What one step shows."""

    rule: str
    """The name of the rule, or of the line of the algorithm; empty if it has none."""
    positions: tuple[int, ...] = ()
    """The positions that the step is about."""
    moves: tuple[tuple[int, int], ...] = ()
    """The moves that are its reasons."""
    results: tuple[Result, ...] = ()
    within: tuple[int, ...] | None = None
    """The positions of the part that is looked at; None for all."""


def first_results(steps: Steps) -> tuple[Result, ...]:
    """The results before the first step.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 0)], owner=[0])
    >>> first_results(zm.trace(g, zm.Energy([-1])))
    (Result(position=0, player=None, text='0', kind='undecided'),)
    """
    if isinstance(steps, Lifting):
        players = (0, 1) if steps.doubled else (None,)
        return tuple(
            Result(v, player, "0", "undecided") for v in range(steps.graph.n) for player in players
        )
    return ()


def highlight(step: Any, graph: Graph, objective: Objective) -> Highlight:
    """What a step of a trace of a game shows.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "t")])
    >>> first, second = zm.trace(g)
    >>> highlight(second, g, zm.NormalPlay()).moves
    ((0, 1),)
    >>> highlight(second, g, zm.NormalPlay()).results
    (Result(position=0, player=None, text='W1', kind='win'),)
    """
    if isinstance(step, Round):
        return _round(step, graph, objective)
    if isinstance(step, Frame):
        return _frame(step, graph)
    if isinstance(step, Level):
        return _level(step, graph)
    if isinstance(step, Lift):
        return _lift(step, graph)
    if isinstance(step, Settled):
        return _settled(step, graph)
    return Highlight(str(getattr(step, "rule", "")))


def _round(step: Round, graph: Graph, objective: Objective) -> Highlight:
    row = objective_row(objective)
    by_winner = shows_winners(graph, objective)
    exact = _exact(graph, objective)
    positions, moves, results = [], [], []
    for x in step.decisions:
        v = graph.index(x.position)
        agreed = x.rule == "agreed"
        answer = Answer(x.position, x.player, x.label, x.distance, x.value, agreed=agreed)
        cell = result_cell(answer, exact, row, by_winner=by_winner)
        player = None if x.player is None or graph.owner is not None else int(x.player)
        results.append(Result(v, player, cell.text, cell.kind))
        positions.append(v)
        moves += [(v, graph.index(w)) for w in x.reasons]
    rules = dict.fromkeys(x.rule for x in step.decisions)
    return Highlight(
        ", ".join(rules), _once(positions), tuple(dict.fromkeys(moves)), tuple(results)
    )


def _frame(step: Frame, graph: Graph) -> Highlight:
    positions, moves, results = [], [], []
    labels = step.labels
    doubled = labels.ndim == 2
    if step.time == 0 and not step.changes:
        for v, both in enumerate(labels.reshape(graph.n, -1).tolist()):
            for player, label in enumerate(both):
                if label != NO_LABEL:
                    results.append(_label(v, player if doubled else None, Label(label)))
    for x in step.changes:
        v = graph.index(x.position)
        positions.append(v)
        moves += [(v, graph.index(w)) for w in x.causes]
        results.append(_label(v, None if x.player is None else int(x.player), x.after))
    line = f"line {step.line}" if step.line.isdigit() else step.line
    return Highlight(line, _once(positions), tuple(dict.fromkeys(moves)), tuple(results))


def _label(v: int, player: int | None, label: Label) -> Result:
    kind = KINDS[label]
    return Result(v, player, LETTERS[kind], kind)


def _level(step: Level, graph: Graph) -> Highlight:
    inside, region = (tuple(map(graph.index, names)) for names in (step.subgame, step.region))
    if step.rule == "attract":  # the part is solved anew, so what was decided of it is not valid
        results = tuple(Result(v, None, "", "none") for v in inside)
    else:
        player = int(step.player)
        results = tuple(Result(v, None, f"{player} wins", f"player{player}") for v in region)
    return Highlight(step.rule, region, (), results, inside)


def _lift(step: Lift, graph: Graph) -> Highlight:
    v = graph.index(step.position)
    moves = () if step.move is None else ((v, graph.index(step.move)),)
    finite = step.after != float("inf")
    text, kind = (str(step.after), "undecided") if finite else ("none", "player1")
    player = int(step.player) if graph.owner is None else None
    return Highlight(step.rule, (v,), moves, (Result(v, player, text, kind),))


def _settled(step: Settled, graph: Graph) -> Highlight:
    parts = _parts(graph)
    found = [parts[x] for x in step.positions]
    moves = [x for x in found if isinstance(x, tuple)]
    positions = [x for x in found if isinstance(x, int)]
    if step.rule == "augment":
        moves += [
            (u, w) for a, b in itertools.pairwise(positions)
            for u, w in ((a, b), (b, a)) if w in graph.successors(u)
        ]  # fmt: skip
    results = [
        Result(v, None, letter, kind)
        for names, letter, kind in ((step.won, "W", "win"), (step.lost, "L", "lose"))
        for x in names
        if isinstance(v := parts[x], int)
    ]
    return Highlight(step.rule, _once(positions), tuple(moves), tuple(results))


@functools.lru_cache(maxsize=2)
def _exact(graph: Graph, objective: Objective) -> bool:
    """Whether results show values, because labels do not determine them."""
    return any(x not in (-1, 0, 1) for x in objective.terminal_form(graph).levels)


@functools.lru_cache(maxsize=2)
def _parts(graph: Graph) -> dict[Hashable, int | tuple[int, int]]:
    """Positions and moves by the names that steps call them."""
    found: dict[Hashable, int | tuple[int, int]] = {
        f"{graph.name(u)}→{graph.name(w)}": (u, w) for u, w in graph.to_edges().tolist()
    }
    found.update((graph.name(v), v) for v in range(graph.n))
    return found


def _once(positions: list[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(positions))
