"""Progress measures of both players at once, for small and for succinct measures.

The measures of one player give the winner everywhere, but a strategy only for that player. So the
measures of both players are lifted, in turns. Between turns, the measures that can no longer change
are found: that player wins these positions, and the measures of the other are set to top at once,
without further lifts. So when one player has finished, the other soon finishes, too.
"""

import numpy as np

from zermelo._kernels.parity import lifting as k
from zermelo._runtime import memory
from zermelo._runtime.compiled.jit import interpreting
from zermelo.labels import Int8Array, Int32Array
from zermelo.solvers.infinite.frame import Answer, ParityGame, Progress, compress

MAX_INTERPRETED_MOVES = 1 << 17
"""After this many moves the kernel is compiled, even for a small game."""


def make_side(game: ParityGame, priority: Int32Array, player: int, succinct: bool) -> k.Side:
    """A player's least measures; ``priority`` is compressed."""
    n = game.n
    counts = np.bincount(priority)
    hurts = (np.arange(counts.size) & 1 != player) & (counts > 0)
    above = np.cumsum(hurts[::-1])[::-1]
    levels = int(hurts.sum())
    strict = hurts[priority]
    width = int(strict.sum()).bit_length() if succinct else levels
    node = np.zeros((n, k.NODE_SIZE), np.int32)
    node[:, k.FLAGS] = np.where(game.owner == player, k.MINE, 0) | np.where(strict, k.STRICT, 0)
    node[:, k.LENGTH] = above[priority]
    state = np.zeros(k.STATE_SIZE, np.int64)
    state[k.WIDTH], state[k.LEVELS], state[k.SUCCINCT] = width, levels, succinct
    state[k.STRICT_LEFT], state[k.LIMIT] = strict.sum(), width
    return k.Side(
        node.reshape(-1),
        np.zeros(n * width, np.int32),  # in a succinct measure, zeros are zeros at level 0
        counts[hurts][::-1].astype(np.int32),
        np.zeros(n, np.int32),
        state,
    )


def run_measures(game: ParityGame, progress: Progress, name: str, *, succinct: bool) -> Answer:
    """Lift both players' measures to their fixpoints; winners and both strategies."""
    n = game.n
    if n == 0:
        return Answer(np.zeros(0, np.int8), np.zeros(0, np.int32))
    priority = compress(game.priority)
    colours = int(priority.max()) + 1
    entries = 2 * n.bit_length() if succinct else colours
    reverse = 0 if "reverse" in game.graph.__dict__ else 12 * game.graph.m + 8 * n
    memory.require(
        reverse + n * (4 * entries + 8 * k.NODE_SIZE + 64),
        f"{name} on {n:,} positions with {colours:,} priorities",
        "use another parity solver, or set ZERMELO_MEMORY to allow more",
    )
    sides = [make_side(game, priority, player, succinct) for player in (0, 1)]
    turns = _alternate(game, sides, progress)
    top = [side.node[k.STATUS :: k.NODE_SIZE] & k.TOP for side in sides]
    assert np.array_equal(top[0], 1 - top[1])
    witness = [side.node[k.WITNESS :: k.NODE_SIZE] for side in sides]
    strategy = np.where(game.owner == 0, witness[0], witness[1])
    stats = {"lifts": sum(int(side.state[k.LIFTS]) for side in sides), "turns": turns}
    return Answer(top[0].astype(np.int8), strategy.astype(np.int32), stats)


def _alternate(game: ParityGame, sides: list[k.Side], progress: Progress) -> int:
    """Lift in turns until both players have finished; return the number of turns."""
    n = game.n
    reverse = game.reverse
    final: Int8Array = np.zeros(n, np.int8)
    stack = np.zeros(n, np.int32)
    share = 1024 + 16 * (n + game.graph.m)
    turns, spent = 0, 0
    running = [True, True]
    while any(running):
        player = turns & 1
        turns += 1
        if not running[player]:
            continue
        mine, theirs = sides[player], sides[1 - player]
        lifting = (
            k.lift_all if spent < MAX_INTERPRETED_MOVES or interpreting() else k.lift_all.compiled
        )
        spent += share
        running[player] = not lifting(game.moves, reverse, mine, share)
        k.settled(reverse, mine, final, stack)
        k.concede(theirs, final)
        running[1 - player] |= bool(theirs.state[k.COUNT])
        if progress is not None:
            progress(sum(int(side.state[k.TOPS]) for side in sides), n, "decided")
    return turns
