"""Parity and Muller games in the Hanoi Omega-Automata format (HOA), as synthesis uses them.

Two kinds of files are games. A file with ``spot-state-player:`` (Spot's ``--print-game-hoa``) says
who moves in each state; edges are moves, and labels do not matter. A file with only
``controllable-AP:`` (the extended HOA of the competitions) is an automaton. In each state the
environment, player 0, first chooses the propositions that are not controllable. Then the system,
player 1, chooses the others and, if several edges fit both choices, the edge.

**Player 1 wants the acceptance condition to hold**, as in Spot. So "parity max odd" is read as the
convention "max even" for player 0. A player who cannot move loses. If the acceptance condition is
equivalent to a parity condition (the formula decides, not its name), the game is a parity game.
Otherwise it is a Muller game in which player 0 wants the negation of the formula.

Positions 0 … States-1 are the states. If all edges of a state have the same colour, it is the
priority of the position. Otherwise moves pass through new positions, one for each pair of colour
and target; these have the colour as their priority, and the priority of the state itself does not
matter. In a Muller game the same holds for the set of colours of a move. In automata there is also
a new position for each set of moves that the environment can leave to the system. States have names
if at least one has a name and all names are distinct; the name of any other position is then its
number. Play starts in the initial state.

The writer stores parity games, with state-based acceptance, ``spot-state-player:`` and the label
``t`` on every edge.
"""

import re
from collections.abc import Hashable

import numpy as np

from zermelo._diagrams import FALSE, Diagrams
from zermelo.errors import InvalidGraphError, InvalidObjectiveError
from zermelo.formats.common.names import Names, build, decode, encodable, shorten
from zermelo.formats.hoa.acceptance import Colour, EmersonLei, show_max_odd
from zermelo.formats.hoa.automaton import Automaton, Label, read_automaton
from zermelo.formats.hoa.choices import (
    MAX_CASES,
    Choices,
    Moves,
    Specification,
    choice_set,
    edge_colours,
)
from zermelo.formats.pgsolver import priorities_of
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, read_only
from zermelo.objectives import Muller, Objective, Parity

MAX_COLOURS = 1 << 17
"""The most acceptance sets that are written, because their formula is as long."""

Parts = tuple[list[int], list[Moves], dict[int, Colour]]
"""Owners, moves, and the colours of states without a move."""


def read_graph(data: bytes) -> Game:
    """Read a game.

    >>> graph, objective = read_graph(b'''HOA: v1 States: 2 AP: 0 Acceptance: 2 Inf(1) | Fin(0)
    ... spot-state-player: 0 1 --BODY-- State: 0 {1} [t] 1 State: 1 {0} [t] 0 --END--''')
    >>> graph.owner.tolist(), objective.convention, objective.priorities(graph).tolist()
    ([0, 1], 'max even', [1, 0])
    """
    automaton = read_automaton(decode(data))
    place: dict[tuple[tuple[int, Colour], ...], int] | None = None
    if automaton.player is not None:
        owner, moves, stuck = _from_game(automaton)
    elif automaton.controllable is not None:
        place = {}
        owner, moves, stuck = _from_automaton(automaton, place)
    else:
        raise automaton.tokens.error(
            "this automaton is not a game: expected a header 'spot-state-player:' or "
            "'controllable-AP:'",
            0,
        )
    between: dict[tuple[int, Colour], int] = {}
    graph, objective = _assemble(automaton, owner, moves, stuck, between)
    if automaton.start is None:
        return Game(graph, objective)
    synthesis = None
    if automaton.controllable is not None:
        synthesis = Specification(automaton, place, between)
    return Game(graph, objective, graph.name(automaton.start), synthesis=synthesis)


def _from_game(automaton: Automaton) -> Parts:
    """The game of a file with ``spot-state-player:``."""
    assert automaton.acceptance is not None
    assert automaton.player is not None
    colour = automaton.acceptance.colour
    count = len(automaton.player)
    stuck = {s: colour(automaton.states[s].sets) for s in range(count)}
    return automaton.player, [spot_moves(automaton, s) for s in range(count)], stuck


def spot_moves(automaton: Automaton, s: int) -> Moves:
    """The moves from a state of a file with ``spot-state-player:``, in the order of its edges.

    A label that never holds allows no move.
    """
    assert automaton.acceptance is not None
    state, colour = automaton.states[s], automaton.acceptance.colour
    edges = [e for e in state.edges if _satisfiable(state.label) and _satisfiable(e.label)]
    return [(e.target, colour(state.sets + e.sets)) for e in edges]


def _satisfiable(label: Label | None) -> bool:
    """Whether a label, if there is one, holds for some propositions."""
    if label is None or not ("!" in label or "f" in label):
        return True
    variable = {x: k for k, x in enumerate(sorted({x for x in label if isinstance(x, int)}))}
    try:
        return Diagrams(MAX_CASES).formula(label, variable) != FALSE
    except OverflowError:
        return True


def _from_automaton(
    automaton: Automaton, place: dict[tuple[tuple[int, Colour], ...], int]
) -> Parts:
    """The game of an automaton: the environment owns the states, the system new positions.

    ``place`` gets the number of each new position, counted from the last state.
    """
    n, all_choices = len(automaton.states), Choices(automaton)
    moves: list[Moves] = []
    stuck: dict[int, Colour] = {}
    for s in range(n):
        own, choices = edge_colours(automaton, s)
        left = {choice_set(choices, row) for row in all_choices.rows(automaton.states[s])}
        moves.append([(n + place.setdefault(some, len(place)), own) for some in sorted(left)])
        stuck[s] = own
    moves += [list(some) for some in place]
    return [0] * n + [1] * len(place), moves, stuck


# -------------------------------------------------------------------- the game


def _assemble(
    automaton: Automaton,
    owner: list[int],
    moves: list[Moves],
    stuck: dict[int, Colour],
    between: dict[tuple[int, Colour], int],
) -> tuple[Graph, Objective]:
    """A game with colours on positions, from a game with colours on moves.

    ``between`` gets the number of each new position, by its target and its colour.
    """
    acceptance = automaton.acceptance
    assert acceptance is not None
    owner, colour = list(owner), []
    sources: list[int] = []
    targets: list[int] = []
    for u, own in enumerate(moves):
        seen = {c for _, c in own}
        mixed = len(seen) > 1
        colour.append(acceptance.neutral if mixed else seen.pop() if seen else stuck.get(u))
        for v, c in own:
            if mixed and c != acceptance.neutral:
                v = between.setdefault((v, c), len(moves) + len(between))
            sources.append(u)
            targets.append(v)
    for (v, c), w in between.items():
        sources.append(w)
        targets.append(v)
        owner.append(0)
        colour.append(c)
    n = len(owner)
    graph = build(sources, targets, n, np.array(owner, np.int8), _names(automaton, n))
    if isinstance(acceptance, EmersonLei):
        return graph, Muller(colour, acceptance.refusal())
    priority: AnyArray = np.array([c or 0 for c in colour], np.int64)
    if priority.min(initial=0) < 0:
        priority += 2
    wins = "odd" if acceptance.parity == 0 else "even"
    convention = f"{'max' if acceptance.highest else 'min'} {wins}"
    return graph, Parity(read_only(priority.astype(np.int32)), convention)


def _names(automaton: Automaton, n: int) -> Names | None:
    states = automaton.states
    names: list[Hashable] = list(range(n))
    for s, state in states.items():
        if state.name is not None:
            names[s] = state.name
    if all(state.name is None for state in states.values()) or len(set(names)) < n:
        return None
    return tuple(names)


# -------------------------------------------------------------------- writing


def write_graph(
    graph: Graph, objective: Objective | None = None, start: int | None = None
) -> bytes:
    """Write a game of the parity family; programs expect a start, which is 0 if none is given.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a")], owner=[0, 1])
    >>> print(write_graph(g, Parity([1, 2])).decode())
    HOA: v1
    States: 2
    Start: 0
    AP: 0
    acc-name: parity max odd 3
    Acceptance: 3 Fin(2) & (Inf(1) | Fin(0))
    properties: trans-labels explicit-labels state-acc colored
    spot-state-player: 0 1
    --BODY--
    State: 0 "a" {1}
    [t] 1
    State: 1 "b" {2}
    [t] 0
    --END--
    <BLANKLINE>
    """
    priority = priorities_of(graph, objective, "hoa")
    assert graph.owner is not None
    count = int(priority.max(initial=-1)) + 1
    if count > MAX_COLOURS:
        raise InvalidObjectiveError(
            f"the hoa format stores priorities below {MAX_COLOURS}, because the formula of the "
            f"acceptance lists them all, got {count - 1}"
        )
    out = ["HOA: v1", f"States: {graph.n}", *_start(graph, start), "AP: 0"]
    out.append(f"acc-name: parity max odd {count}")
    out.append(f"Acceptance: {count} {show_max_odd(count)}")
    out.append("properties: trans-labels explicit-labels state-acc colored")
    out.append(" ".join(["spot-state-player:", *map(str, graph.owner.tolist())]))
    out.append("--BODY--")
    texts = _name_texts(graph)
    first, targets = graph.indptr.tolist(), graph.indices.tolist()
    for v, p in enumerate(priority.tolist()):
        out.append(f"State: {v}{texts[v] if texts else ''} {{{p}}}")
        out += [f"[t] {w}" for w in targets[first[v] : first[v + 1]]]
    return "\n".join([*out, "--END--", ""]).encode()


def _start(graph: Graph, start: int | None) -> list[str]:
    return [f"Start: {start or 0}"] if graph.n else []


def _name_texts(graph: Graph) -> list[str]:
    """The text after each state's number, or an empty list if there are no names."""
    texts = []
    for v, name in enumerate(graph.names or ()):
        if type(name) is int and name == v:
            texts.append("")
        elif isinstance(name, str) and encodable(name):
            escaped = re.sub(r'(["\\])', r"\\\1", name)
            texts.append(f' "{escaped}"')
        else:
            raise InvalidGraphError(
                f"the hoa format stores names that are text, got {shorten(name)}; json, dot, npz "
                "and parquet store it (or drop the names with graph.with_names(None))"
            )
    return texts
