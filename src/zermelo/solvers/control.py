"""Controller synthesis for plants with labelled transitions.

Module :mod:`zermelo.plant` says who moves when, and what happens in a deadlock. There are three
aims:

- **safety**: never be in a state to avoid. The controller is the most permissive one: she enables
  every action that is safe for ever. Every controller that is safe from a state enables only such
  actions in play from there.
- **reach** (with states to avoid: reach-avoid): be in a goal after finitely many actions, and in no
  state to avoid until then. The rank of a state is the number of actions after which this has
  happened at the latest, whatever the environment does; the controller enables all actions with
  which this number is least. Nothing is asked after the goal.
- **nonblocking**: never be in a state to avoid, and from every state in which the plant can get
  under control, *some* way leads to a marked state. The environment need not take it. The plant may
  always stop. The controller is the most permissive one again.

Safety and reach are attractors on the game graph of the plant, :meth:`zermelo.plant.Plant.arena`:
its size is linear in the plant if a state has few uncontrollable transitions, and so is the time.
For nonblocking, two steps alternate until nothing changes: remove the states from which an
uncontrollable action may lead outside, and those from which no marked state can be reached inside.

Reference: [GamesOnGraphs] §8.2; [RamadgeWonham1987] for uncontrollable actions and nonblocking.
"""

from collections.abc import Hashable, Iterable

import numpy as np

from zermelo._inputs.values import flag, sealed, shown
from zermelo.errors import InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import BoolArray, Int32Array
from zermelo.plant import Plant
from zermelo.solutions.control import NO_RANK, PlantController
from zermelo.solvers.attractor import attractor


def control(
    plant: Plant,
    *,
    reach: Iterable[Hashable] | None = None,
    avoid: Iterable[Hashable] = (),
    marked: Iterable[Hashable] | None = None,
    may_stop: bool = False,
) -> PlantController:
    """A controller of a plant: which actions to enable in which state.

    With ``reach`` the aim is to reach one of these states, and to avoid the states of ``avoid``
    until then. With ``marked`` the aim is nonblocking, and with neither safety. The module's
    docstring says what these are. ``may_stop`` allows the controller to disable all actions of a
    state that has no uncontrollable one; it changes nothing for ``reach``.

    A slip of the gripper cannot be disabled, so the robot must not lift over the belt:

    >>> robot = Plant.from_transitions([
    ...     ("left", "lift", "over belt"), ("left", "walk", "door"), ("door", "walk", "right"),
    ...     ("over belt", "drop", "right"), ("over belt", "slip", "damage")],
    ...     uncontrollable=["slip"])
    >>> controller = control(robot, reach=["right"], avoid=["damage"]).verify()
    >>> controller
    PlantController(reach from 3 of 5 states)
    >>> sorted(controller["left"]), "over belt" in controller
    (['walk'], False)
    >>> controller.rank.tolist()
    [2, -1, 1, 0, -1]
    """
    if not isinstance(plant, Plant):
        raise InvalidOptionError(f"expected a Plant, got {shown(plant)}")
    may_stop = flag(may_stop, "may_stop")
    if reach is not None and marked is not None:
        raise InvalidOptionError("expected reach or marked, got both")
    bad = plant.mask(avoid)
    if marked is not None:
        return _nonblocking(plant, plant.mask(marked), bad)
    if reach is not None:
        return _reach(plant, plant.mask(reach), bad, may_stop)
    return _safety(plant, bad, may_stop)


def _reach(plant: Plant, goal: BoolArray, avoid: BoolArray, may_stop: bool) -> PlantController:
    """The attractor to the goal in the graph in which nothing leads out of states to avoid."""
    n = len(plant.states)
    arena = plant.arena(may_stop=False, named=False)
    graph = arena.graph
    ends = graph.to_edges()
    open_ = np.append(~avoid, np.ones(arena.state.size, bool))
    kept = ends[open_[ends[:, 0]]]
    inner = Graph.from_arrays(kept[:, 0], kept[:, 1], graph.n, graph.owner)
    targets = np.append(goal & ~avoid, np.zeros(arena.state.size, bool))
    found = attractor(inner, targets, 0).rank
    best = found[n:] == found[:n][arena.state] - 1
    good = best & (found[n:] >= 0) & (arena.pair >= 0)
    allowed = np.zeros(plant.pairs.state.size, bool)
    allowed[arena.pair[good]] = True
    rank = _actions(found[:n])
    danger = np.full(n, NO_RANK, np.int32)
    return PlantController(
        plant, "reach", sealed(goal), sealed(avoid), may_stop, sealed(rank), sealed(danger),
        sealed(allowed),
    )  # fmt: skip


def _safety(plant: Plant, avoid: BoolArray, may_stop: bool) -> PlantController:
    """The environment's attractor to the states to avoid, and what stays outside."""
    n = len(plant.states)
    arena = plant.arena(may_stop=may_stop, named=False)
    targets = np.append(avoid, np.zeros(arena.state.size, bool))
    found = attractor(arena.graph, targets, 1).rank
    danger = _actions(found[:n])
    good = (found[n:] < 0) & (danger[arena.state] < 0) & (arena.pair >= 0)
    allowed = np.zeros(plant.pairs.state.size, bool)
    allowed[arena.pair[good]] = True
    rank = np.where(danger < 0, 0, NO_RANK).astype(np.int32)
    return PlantController(
        plant, "safety", sealed(np.zeros(n, bool)), sealed(avoid), may_stop, sealed(rank),
        sealed(danger), sealed(allowed),
    )  # fmt: skip


def _actions(rank: Int32Array) -> Int32Array:
    """Ranks in actions: the token moves twice for each, and once for a deadlock."""
    actions: Int32Array = np.where(rank < 0, NO_RANK, (rank + 1) // 2).astype(np.int32)
    return actions


def _nonblocking(plant: Plant, marked: BoolArray, avoid: BoolArray) -> PlantController:
    pairs = plant.pairs
    n = len(plant.states)
    pair_of = np.repeat(np.arange(pairs.state.size), np.diff(pairs.first))
    danger = np.full(n, NO_RANK, np.int32)
    danger[avoid] = 0
    stage = 0
    while True:
        lost = danger >= 0
        broken = np.zeros(pairs.state.size, bool)  # pairs with an outcome that is lost
        broken[pair_of[lost[plant.target]]] = True
        forced = np.zeros(n, bool)
        forced[pairs.state[broken & ~pairs.controllable]] = True
        removed = forced & ~lost
        if not removed.any():
            rank = _distances(plant, marked & ~lost, ~broken[pair_of] & ~lost[plant.source])
            removed = (rank < 0) & ~lost
        if not removed.any():
            break
        stage += 1
        danger[removed] = stage
    allowed = pairs.controllable & ~broken & (danger[pairs.state] < 0)
    return PlantController(
        plant, "nonblocking", sealed(marked), sealed(avoid), True, sealed(rank), sealed(danger),
        sealed(allowed),
    )  # fmt: skip


def _distances(plant: Plant, marked: BoolArray, kept: BoolArray) -> Int32Array:
    """The number of transitions, among those that are kept, to the nearest marked state; or −1."""
    rank = np.where(marked, 0, NO_RANK).astype(np.int32)
    source, target = plant.source[kept], plant.target[kept]
    order = np.argsort(target, kind="stable")
    source = source[order]
    begin = np.searchsorted(target[order], np.arange(len(plant.states) + 1))
    layer = np.flatnonzero(marked).tolist()
    while layer:
        following = []
        for v in layer:
            for u in source[begin[v] : begin[v + 1]].tolist():
                if rank[u] < 0:
                    rank[u] = rank[v] + 1
                    following.append(u)
        layer = following
    return rank
