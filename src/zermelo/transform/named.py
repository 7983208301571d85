"""Transformations by name: each takes a game and gives a game, with objective and start.

These are the rows of :data:`zermelo.registry.transforms.TRANSFORMS`, which ``zermelo transform``
lists. A start that is not given is that of the game. What the objective becomes is said for each;
where it would mean something else on the new graph, the game is refused.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from zermelo._inputs.values import one_of
from zermelo.errors import InvalidObjectiveError, InvalidOptionError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.objectives import (
    Geography,
    Misere,
    NoRepetition,
    NoReturn,
    NormalPlay,
    Objective,
    Repetition,
    Return,
)
from zermelo.transform import reductions, weighted
from zermelo.transform.bisimulation import bisimulation
from zermelo.transform.classify import classify
from zermelo.transform.onto import BY_POSITION, SETS, game_onto
from zermelo.transform.quotient import canonical_partition, first_members, quotient_by_bisimulation
from zermelo.transform.quotient import quotient as make_quotient
from zermelo.transform.reachable import reachable_mask
from zermelo.transform.reachable import subgraph as make_subgraph
from zermelo.transform.unfolding.alternating import alternating_graph
from zermelo.transform.unfolding.debuts import MOST_DEBUTS
from zermelo.transform.unfolding.debuts import debut_tree as make_debut_tree
from zermelo.transform.unfolding.line import line_digraph as make_line_digraph
from zermelo.transform.unfolding.loops import loops_at_terminals as make_loops
from zermelo.transform.unfolding.shift import end_of_walk
from zermelo.transform.unfolding.star import with_root
from zermelo.transform.unfolding.unravel import unravel as make_unravelled

PARTS = ("win", "lose")


def _start(game: Game, start: Hashable | None) -> Hashable:
    """The start that is given, or that of the game."""
    found = game.start if start is None else start
    if found is None:
        raise InvalidOptionError(
            "expected the parameter start, because the game itself has no start"
        )
    return game.graph.name(game.graph.index(found))


def _refuse(game: Game, what: str, *kinds: type[Objective]) -> None:
    """Refuse objectives that mean something else on the new graph."""
    if isinstance(game.objective, kinds):
        raise InvalidObjectiveError(
            f"a game of {game.objective.keyword} is not the same game on {what}; "
            "leave its objective out to transform the graph alone"
        )


# -------------------------------------------------------------------- graphs


def reachable(game: Game, start: str | None = None) -> Game:
    """The positions that can be reached from the start; every objective is kept.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("c", "a")])
    >>> reachable(zm.Game(g, zm.Misere()), "a")
    Game(misere on Graph(2 positions, 2 moves, 0 terminals), start a)
    """
    name = _start(game, start)
    return _induced(game, np.flatnonzero(reachable_mask(game.graph, [name])), name)


def subgraph(game: Game, positions: str) -> Game:
    """The given positions and the moves between them, with the data of the objective there.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("c", "a")])
    >>> subgraph(zm.Game(g), ["a", "c"])
    Game(normal on Graph(2 positions, 1 move, 1 terminal))
    """
    given: Iterable[Hashable] = [positions] if isinstance(positions, str) else positions
    mask = game.graph.mask(given)
    kept = game.start is not None and bool(mask[game.graph.index(game.start)])
    if game.objective.keyword == "terminal-payoff":
        ends = make_subgraph(game.graph, mask).terminals
        new = [v for v in np.flatnonzero(mask)[ends].tolist() if game.graph.out_degree[v]]
        if new:
            raise InvalidObjectiveError(
                f"{game.graph.name(new[0])!r} has no moves left, and it has no payoff"
            )
    return _induced(game, np.flatnonzero(mask), game.start if kept else None)


def shift(game: Game, positions: str) -> Game:
    """The game after a walk from the start: its end v is the start of ConCom(G, v).

    By [Loewe2004] Prop. 2.3 this is the game on the tree T_G^s from the walk on; see
    :mod:`zermelo.transform.unfolding.shift`. If the positions have no owners, the player to move at
    v is player 0 again. Games of return and repetition are refused, because the walk matters there.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("b", "d"), ("d", "b")])
    >>> shift(zm.Game(g, start="a"), ["a", "b"])
    Game(normal on Graph(3 positions, 3 moves, 1 terminal), start b)
    """
    _refuse(game, "what remains after a walk", Geography)
    walk: list[Hashable] = [positions] if isinstance(positions, str) else list(positions)
    end = game.graph.name(end_of_walk(game.graph, walk))
    if game.start is not None and game.graph.index(walk[0]) != game.graph.index(game.start):
        raise InvalidOptionError(
            f"expected a walk from the start {game.start!r}, got one from {walk[0]!r}"
        )
    return reachable(game, end)  # type: ignore[arg-type]


def _induced(game: Game, places: Any, start: Hashable | None) -> Game:
    mask = np.zeros(game.graph.n, bool)
    mask[places] = True
    new = make_subgraph(game.graph, mask)
    return game_onto(game, new, places, start)


def alternating(game: Game, start: str | None = None) -> Game:
    """The alternating graph; with a start, the part that can be reached with player 0 to move.

    Situations have owners, so who is to move is part of the game. Every objective is kept but those
    of return and repetition.

    >>> import zermelo as zm
    >>> alternating(zm.Game(zm.Graph.from_edges([("a", "b")]), zm.Misere()), "a")
    Game(misere on Graph(2 positions, 1 move, 1 terminal, owned), start ('a', 0))
    """
    _refuse(game, "the alternating graph", Geography)
    graph = game.graph
    new = alternating_graph(graph, start)
    origin = [graph.index(name[0]) for name in new.names or ()]  # type: ignore[index]
    first = game.start if start is None else graph.name(graph.index(start))
    return game_onto(game, new, origin, None if first is None else (first, 0))


def quotient(game: Game, classes: str = "") -> Game:
    """The quotient by the coarsest bisimulation that respects the owners and the objective.

    Games with weights are refused, because moves of different weights would become one, and games
    of return and repetition, which are not invariant.

    With ``classes``, Löwe's G/≡ for the given classes: names with commas between, and ``/`` between
    classes; other positions stay alone. Values may change, so the new game has no objective.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "e")])
    >>> quotient(zm.Game(g, start="c"))
    Game(normal on Graph(3 positions, 2 moves, 1 terminal), start b)
    >>> quotient(zm.Game(g, start="c"), "a,d/c,b").graph.to_edges().tolist()
    [[0, 1], [1, 0], [1, 2]]
    """
    if classes:
        return _merged(game, classes)
    _refuse(game, "the quotient", Geography)
    if game.weights() is not None:
        raise InvalidObjectiveError(
            "a quotient has no weights: moves of different weights would become one; leave the "
            "weights out to transform the graph alone"
        )
    graph, data = game
    spec = data.spec(graph)
    rows: list[list[object]] = [[] for _ in range(graph.n)]
    if graph.owner is not None:
        rows = [[owner] for owner in graph.owner.tolist()]
    for key in BY_POSITION:
        for v, x in enumerate(spec.get(key, ())):
            rows[v].append(str(x))
    for key in SETS:
        for v in spec.get(key, ()):
            rows[v].append(key)
    for text, pay in spec.get("payoffs", {}).items():
        rows[int(text)].append(str(pay))
    number: dict[tuple[object, ...], int] = {}
    colours = np.array([number.setdefault(tuple(row), len(number)) for row in rows], np.int64)
    found = bisimulation(graph, colours)
    first = first_members(found)
    new = quotient_by_bisimulation(graph, found)
    start = None if game.start is None else new.name(int(found[graph.index(game.start)]))
    return game_onto(game, new, first, start)


def _merged(game: Game, classes: str) -> Game:
    """The graph in which each of the given classes is one position."""
    graph = game.graph
    partition = np.arange(graph.n)
    taken: set[int] = set()
    for part in classes.split("/"):
        members = [_named(graph, name.strip()) for name in part.split(",")]
        double = next((v for v in members if v in taken), None)
        if double is not None:
            raise InvalidOptionError(f"classes: {graph.name(double)!r} is in two classes")
        taken.update(members)
        partition[members] = min(members)
    new = make_quotient(graph, partition)
    if game.start is None:
        return Game(new)
    number = canonical_partition(partition, graph.n)[graph.index(game.start)]
    return Game(new, start=new.name(int(number)))


def _named(graph: Graph, text: str) -> int:
    """The position that a text denotes: its name, or else its number."""
    return graph.index(int(text) if text not in graph and text.isdecimal() else text)


def star(game: Game, start: str | None = None, name: str = "*", owner: int | None = None) -> Game:
    """A new position, the new start, with one move to the start; every objective is kept.

    In an owned graph it belongs to ``owner``, by default to the opponent of the start's owner.

    The new position is in the same sets, and has the same priority and colours, as the start; its
    move has the weight 0.

    >>> import zermelo as zm
    >>> star(zm.Game(zm.Graph.from_edges([("a", "b")]), start="a"))
    Game(normal on Graph(3 positions, 2 moves, 1 terminal), start *)
    """
    first = _start(game, start)
    s = game.graph.index(first)
    new = with_root(game.graph, first, name, owner=owner)
    return game_onto(game, new, [*range(game.graph.n), s], name, added=1)


def unravel(game: Game, depth: int, start: str | None = None) -> Game:
    """The tree of walks from the start, cut ``depth`` moves below it.

    The objective is kept if nothing is cut off. Otherwise the tree has none, and it says where it
    was cut: those leaves are no ends of the game, and ``solve`` refuses the tree. Games of return
    and repetition are refused.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("a", "c"), ("b", "c")])
    >>> unravel(zm.Game(g, zm.Misere()), 2, "a")
    Game(misere on Graph(4 positions, 3 moves, 2 terminals), start ('a',))
    """
    _refuse(game, "the unravelled tree", Geography)
    name = _start(game, start)
    tree = make_unravelled(game.graph, name, depth)
    if tree.complete:
        return game_onto(game, tree.graph, tree.position.astype(np.int64), (name,))
    return Game(tree.graph, start=(name,), impartial=game.impartial)


def line_digraph(game: Game, start: str | None = None, root: str = "*") -> Game:
    """The line digraph; with a start, of the graph with one more arc, from ``root`` to the start.

    No repetition becomes no return, and repetition becomes return. Other objectives are kept, the
    position after a move being its end; no return and return are refused.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a")])
    >>> line_digraph(zm.Game(g, zm.NoRepetition(), start="a"))
    Game(no-return on Graph(3 positions, 3 moves, 0 terminals), start ('*', 'a'))
    """
    _refuse(game, "the line digraph", NoReturn, Return)
    given = game.start if start is None else start
    first = None if given is None else game.graph.name(game.graph.index(given))
    new = make_line_digraph(game.graph, first, root=root)
    at = None if first is None else (root, first)
    if isinstance(game.objective, NoRepetition):
        return Game(new, NoReturn(game.objective.misere), at)
    if isinstance(game.objective, Repetition):
        return Game(new, Return(), at)
    ends = [int(v) for v in game.graph.indices]
    if first is not None:
        ends.append(game.graph.index(first))
    return game_onto(game, new, ends, at)


def loops_at_terminals(game: Game) -> Game:
    """A loop at every terminal, the paper's D′; see :mod:`zermelo.transform.unfolding.loops`.

    Games of return and repetition are kept. No return and return have the winners that they had, no
    repetition and repetition may have others. On a graph without cycles, normal play becomes no
    return, and misère play return, with the same winners; other games are refused.

    >>> import zermelo as zm
    >>> loops_at_terminals(zm.Game(zm.Graph.from_edges([("s", "t")]), start="s"))
    Game(no-return on Graph(2 positions, 2 moves, 0 terminals), start s)
    """
    objective = game.objective
    if isinstance(objective, NormalPlay | Misere) and classify(game.graph).kind == "acyclic":
        objective = NoReturn() if isinstance(objective, NormalPlay) else Return()
    elif not isinstance(objective, Geography):
        raise InvalidObjectiveError(
            "expected a game of return or repetition, or normal or misère play on a graph without "
            f"cycles, got a game of {objective.keyword}"
        )
    new = make_loops(game.graph)
    return game_onto(replace(game, objective=objective), new, range(new.n), game.start)


def debut_tree(
    game: Game, start: str | None = None, depth: int | None = None, limit: int = MOST_DEBUTS
) -> Game:
    """The tree of debuts: the game of no return from the start as normal (misère) play.

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a")])
    >>> debut_tree(zm.Game(g, zm.NoReturn(misere=True), start="a"))
    Game(misere on Graph(2 positions, 1 move, 1 terminal), start ('a',))
    """
    objective = game.objective
    if not isinstance(objective, NoReturn | NormalPlay):
        raise InvalidObjectiveError(
            f"expected a graph or a game of no-return, got a game of {objective.keyword}"
        )
    name = _start(game, start)
    tree = make_debut_tree(game.graph, name, depth, limit=limit)
    misere = tree.complete and isinstance(objective, NoReturn) and objective.misere
    return Game(tree.graph, Misere() if misere else NormalPlay(), (name,))


# -------------------------------------------------------------------- reductions


def _reduced(game: Game, reduction: Any, place: Callable[[int], int] | None = None) -> Game:
    """The game of a reduction; ``place`` is where a start of the old graph is in the new one."""
    start = None
    if game.start is not None:
        v = game.graph.index(game.start)
        start = reduction.graph.name(v if place is None else place(v))
    return Game(reduction.graph, reduction.objective, start)


def to_parity(game: Game) -> Game:
    """A Büchi, co-Büchi or parity game as a parity game of the convention "max even".

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> to_parity(zm.Game(g, zm.Buchi([1]), start=0))
    Game(parity on Graph(2 positions, 2 moves, 0 terminals, owned), start 0)
    """
    return _reduced(game, reductions.to_parity(game.graph, _objective(game)))


def muller_to_parity(game: Game, method: str = "zielonka-tree") -> Game:
    """A Muller game as a parity game; see :func:`zermelo.transform.reductions.muller_to_parity`."""
    return _reduced(game, reductions.muller_to_parity(game.graph, _objective(game), method))


def reach_to_safety(game: Game) -> Game:
    """A reachability game as a safety game of the opponent."""
    return _reduced(game, reductions.reach_to_safety(game.graph, _objective(game)))


def safety_to_reach(game: Game) -> Game:
    """A safety game as a reachability game of the opponent."""
    return _reduced(game, reductions.safety_to_reach(game.graph, _objective(game)))


def parity_to_mean_payoff(game: Game) -> Game:
    """A parity game as a mean-payoff game with the threshold 0."""
    return _reduced(game, reductions.parity_to_mean_payoff(game.graph, _objective(game)))


def parity_to_energy(game: Game) -> Game:
    """A parity game as an energy game."""
    return _reduced(game, reductions.parity_to_energy(game.graph, _objective(game)))


def energy_to_mean_payoff(game: Game) -> Game:
    """An energy game as a mean-payoff game with the threshold 0."""
    return _reduced(game, weighted.energy_to_mean_payoff(game.graph, _objective(game)))


def mean_payoff_to_energy(game: Game) -> Game:
    """A mean-payoff game with a threshold as an energy game."""
    return _reduced(game, weighted.mean_payoff_to_energy(game.graph, _objective(game)))


def mean_payoff_to_discounted(game: Game) -> Game:
    """A mean-payoff game as a discounted game."""
    return _reduced(game, weighted.mean_payoff_to_discounted(game.graph, _objective(game)))


def mean_payoff_to_parity(
    game: Game, player: int = 0, limit: int = weighted.MOST_POSITIONS
) -> Game:
    """A mean-payoff game with a threshold as a parity game; the start has the full counter."""
    reduction = weighted.mean_payoff_to_parity(game.graph, _objective(game), player, limit)
    doubled = 2 if game.graph.owner is None else 1
    levels = (reduction.graph.n - 1) // max(1, doubled * game.graph.n)
    return _reduced(game, reduction, lambda v: doubled * v * levels + levels - 1)


def normal_play_to_reach(game: Game, part: str = "win") -> Game:
    """Normal play as a reachability game on the alternating graph, of one player or the other.

    With ``part="win"`` player 0 wins the new game where she wins the old one, and with
    ``part="lose"`` player 1 wins the new game where he wins the old one.
    """
    one_of(part, "part", PARTS, InvalidOptionError)
    games = reductions.normal_play_to_reach(game.graph, _objective(game))
    return _reduced(game, getattr(games, part), lambda v: 2 * v)


def win_lose_draw_to_parity(game: Game, part: str = "win") -> Game:
    """Normal or misère play as a parity game in which infinite play is won by player 1 (``win``)
    or by player 0 (``lose``)."""
    one_of(part, "part", PARTS, InvalidOptionError)
    games = weighted.win_lose_draw_to_parity(game.graph, _objective(game))
    doubled = 2 if game.graph.owner is None else 1
    return _reduced(game, getattr(games, part), lambda v: doubled * v)


def _objective(game: Game) -> Any:
    """The objective of a game, for a function that checks its kind."""
    objective: Any = game.objective
    return objective
