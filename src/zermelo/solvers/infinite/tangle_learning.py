"""Tangle learning: exponential at worst, a few rounds of O(n + m) on most games.

A tangle is a strongly connected part of the game with a strategy of one player who then wins every
cycle in it. So the opponent must leave it after finitely many moves. If all moves with which the
opponent can leave a tangle lead to one region, the region attracts the whole tangle. Regions are
formed for the priorities, from the highest down: a region has the positions of its priority and the
lower positions and tangles that these attract. The bottom strongly connected components of a
region, under its strategy, are new tangles, and with these better regions are formed. A tangle that
the opponent cannot leave is a dominion; it is solved together with all positions that it attracts.

Reference: [DijkTangles2018].

| paper                           | code                                                      |
|---------------------------------|-----------------------------------------------------------|
| region function r               | ``region``, numbered from the highest region, 1, down     |
| tangle t, its strategy σ_T(t)   | a block of ``store``                                      |
| escapes E_T(t)                  | the last part of the block                                |
| TAttr                           | ``attract_tangles``                                       |
| extract-tangles                 | ``extract``                                               |
| search, one pass                | a round                                                   |

Differs from the paper: a round continues after it has found a dominion, so one round may find
several. The next round starts with the highest region that gains a new tangle, has lost a position,
or attracts more after the solved positions are removed; the regions above it are the same as
before. The free positions below it are found with a tree of bits, so that the time of a round
depends only on its changes. If play cannot leave the highest region, it is a dominion, and its
components are not computed. The search for components starts only at the positions of a region that
have its highest priority, because every bottom component contains such a position.
"""

import numpy as np

from zermelo._kernels.graphs.attractor import Claims, start_attracting
from zermelo._kernels.parity import tangle_learning as k
from zermelo._kernels.parity.ranks import ranked
from zermelo._kernels.parity.tangles import NOWHERE, Regions, Search, Tangles
from zermelo._runtime import memory
from zermelo.errors import MemoryLimitError
from zermelo.labels import NO_MOVE, Int32Array
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, framed
from zermelo.solvers.infinite.priority_promotion import all_waiting

BUDGET_A_CALL = 1 << 21
"""The positions claimed and freed between two reports of progress: a few tenths of a second."""

FIRST_ENTRIES = 4
"""The number of entries for tangles at the start, for each position."""

PARTS = len(Regions._fields) + len(Search._fields) + 1
"""The number of arrays with an entry of four bytes for each position, without the store."""

WAY_OUT = "try the solver 'zielonka' or 'priority-promotion'"


def run(game: ParityGame, progress: Progress = None) -> Answer:
    """Solve a total parity game."""
    answer = attempt(game, progress)
    assert answer is not None
    return answer


def attempt(game: ParityGame, progress: Progress = None, limit: int | None = None) -> Answer | None:
    """Solve a total parity game, or give up after ``limit`` steps."""
    n = game.n
    memory.require(4 * (PARTS + FIRST_ENTRIES + 10) * n, "learning tangles of this game", WAY_OUT)
    claims, regions, search, entry = new_records(game.priority)
    start_attracting(game.moves, game.owner, claims)
    tangles = Tangles(np.zeros(FIRST_ENTRIES * n + 64, np.int32), entry)
    waiting = all_waiting(n)
    state = np.zeros(k.STATE_SIZE, np.int64)
    state[k.BUDGET] = BUDGET_A_CALL
    while not k.learn(game.moves, game.reverse, claims, regions, tangles, search, waiting, state):
        if limit is not None and state[k.STEPS] > limit:
            return None
        if state[k.FULL]:
            state[k.FULL], before = 0, int(state[k.SIZE])
            k.forget(claims.status, tangles, state)
            if 2 * (before - state[k.SIZE]) < tangles.store.size:
                tangles = tangles._replace(store=grown(tangles.store))
        if progress is not None:
            stage = f"{int(state[k.TANGLES]):,} tangles in {int(state[k.ROUNDS]):,} rounds"
            progress(int(state[k.SOLVED]), n, stage)
    winner, strategy = (claims.status >> 1 & 1).astype(np.int8), claims.strategy.copy()
    np.copyto(strategy, NO_MOVE, where=winner != game.owner)
    stats = {"tangles": k.TANGLES, "dominions": k.DOMINIONS, "rounds": k.ROUNDS, "steps": k.STEPS}
    return Answer(winner, strategy, {name: int(state[at]) for name, at in stats.items()})


def new_records(priority: Int32Array) -> tuple[Claims, Regions, Search, Int32Array]:
    """The records of the kernels, without regions and tangles; the last item has the entries.

    The arrays are rows of one block. The C library keeps a large block for the next solver, but it
    returns smaller blocks to the system, and then all their pages have to be fetched again.

    >>> _, regions, _, entry = new_records(np.array([3, 8, 3], np.int32))
    >>> regions.order.tolist(), regions.place.tolist(), regions.rank.tolist(), entry.tolist()
    ([1, 0, 2], [1, 0, 2], [3, 0, 3], [-1, -1, -1])
    """
    n = len(priority)
    ranks = ranked(priority)
    entry, status, strategy, trail, region, place, *search = np.zeros((11, n), np.int32)
    entry[:], region[:], place[ranks.order] = -1, NOWHERE, np.arange(n)
    start = np.zeros(n + 2, np.int32)
    regions = Regions(trail, start, region, ranks.rank, ranks.order, place)
    return Claims(status, strategy), regions, Search(*search), entry


def grown(store: Int32Array) -> Int32Array:
    """A copy of the store with twice as many entries, if it fits in memory.

    >>> grown(np.array([1, 2], np.int32)).tolist()
    [1, 2, 0, 0]
    """
    size = 2 * store.size
    memory.require(size * store.itemsize, "storing the tangles of this game", WAY_OUT)
    if size > np.iinfo(np.int32).max:
        raise MemoryLimitError(f"this game has too many tangles to number them; {WAY_OUT}")
    return np.concatenate((store, np.zeros(store.size, np.int32)))


solve = framed("tangle-learning", run)
