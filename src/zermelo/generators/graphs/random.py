"""Random digraphs: out-degrees of a given distribution, targets uniform and distinct."""

import numpy as np

from zermelo._inputs.values import flag, one_of
from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.generators._options import check_integer, check_real, check_room, generator, make_game
from zermelo.graph import Graph
from zermelo.labels import Int32Array, Int64Array

LAWS = ("poisson", "regular", "uniform", "geometric", "powerlaw")


def random_graph(
    n: int,
    degree: float = 3.0,
    law: str = "poisson",
    seed: int = 0,
    loops: bool = True,
    owners: str = "none",
) -> Game:
    """A random digraph on ``n`` positions with on average ``degree`` moves from each position.

    The numbers of moves are independent; ``law`` names their distribution:

    - ``poisson``: as in a sparse Erdős–Rényi digraph;
    - ``regular``: exactly ``degree``;
    - ``uniform``: 0 … 2 · ``degree``, equally likely;
    - ``geometric``: the number of successes before the first failure, most often 0;
    - ``powerlaw``: the density falls like k⁻³, so a few positions have very many moves.

    A position has at most as many moves as there are possible targets. Targets are uniform and
    distinct. The same arguments give the same graph. The time is linear except for one sort: 10⁷
    positions take some seconds.

    >>> random_graph(1000, degree=2, law="regular", seed=1)
    Game(normal on Graph(1,000 positions, 2,000 moves, 0 terminals))
    >>> random_graph(1000, seed=1) == random_graph(1000, seed=1)
    True
    """
    n = check_integer("n", n)
    degree = check_real("degree", degree, 0.0, 2.0**31)
    one_of(law, "law", LAWS)
    choices = n if flag(loops, "loops") else max(n - 1, 0)
    check_room(n, n * min(float(degree), choices))
    rng = generator(seed)
    degrees = np.minimum(_degrees(rng, n, float(degree), law), choices)
    return make_game(random_moves(rng, degrees, loops), owners, seed)


def random_moves(rng: np.random.Generator, degrees: Int64Array, loops: bool) -> Graph:
    """A graph with these out-degrees, whose targets are uniform and distinct."""
    n = degrees.size
    indptr = np.zeros(n + 1, np.int64)
    np.cumsum(degrees, out=indptr[1:])
    indices = distinct_targets(rng, degrees, n if loops else n - 1)
    if not loops:
        indices += indices >= np.repeat(np.arange(n, dtype=np.int32), degrees)
    return Graph._of(indptr, indices)


def _degrees(rng: np.random.Generator, n: int, degree: float, law: str) -> Int64Array:
    """Out-degrees of the given mean."""
    if law == "poisson":
        return rng.poisson(degree, n)
    if law == "geometric":
        return rng.geometric(1.0 / (1.0 + degree), n) - 1
    if law == "powerlaw":
        tail = degree * rng.pareto(2.0, n) + rng.random(n)  # random rounding keeps the mean
        return np.minimum(tail, n).astype(np.int64)
    if law == "regular" and degree % 1:
        raise InvalidOptionError(f"degree: a regular law takes an integer, got {degree:g}")
    if law == "uniform" and (2 * degree) % 1:
        raise InvalidOptionError(f"degree: a uniform law takes a multiple of 0.5, got {degree:g}")
    if law == "regular":
        return np.full(n, int(degree), np.int64)
    return rng.integers(0, int(2 * degree) + 1, n)


def distinct_targets(rng: np.random.Generator, degrees: Int64Array, choices: int) -> Int32Array:
    """For each row, a uniform set of ``degrees[row]`` numbers below ``choices``, increasing.

    For a row that needs more than half of the numbers, the numbers that are left out are drawn.
    So when a repeated number is drawn again, the probability of another repetition is at most ½.

    >>> distinct_targets(np.random.default_rng(0), np.array([3, 0, 2]), 3).tolist()[:3]
    [0, 1, 2]
    """
    dense = degrees > choices // 2
    if not dense.any():
        return _sparse_targets(rng, degrees, choices)
    wanted = np.where(dense, 0, degrees)
    sparse = _sparse_targets(rng, wanted, choices)
    row = np.flatnonzero(dense)
    left_out = choices - degrees[row]
    keep = np.ones((row.size, choices), bool)
    keep[np.repeat(np.arange(row.size), left_out), _sparse_targets(rng, left_out, choices)] = False
    targets = np.empty(int(degrees.sum()), np.int32)
    in_dense = np.repeat(dense, degrees)
    targets[in_dense] = np.nonzero(keep)[1]
    targets[~in_dense] = sparse
    return targets


def _sparse_targets(rng: np.random.Generator, degrees: Int64Array, choices: int) -> Int32Array:
    """As :func:`distinct_targets`, for rows that need at most half of the numbers."""
    key = np.repeat(np.arange(degrees.size, dtype=np.int64) << 32, degrees)
    if key.size:
        key |= rng.integers(0, choices, key.size, dtype=np.int32)
        key.sort(kind="stable")
    # Invariant: key is sorted and has the right number of entries in every row; by symmetry each
    # set of distinct numbers stays as likely as any other.
    while (again := np.flatnonzero(key[1:] == key[:-1])).size:
        key[again] >>= 32
        key[again] <<= 32
        key[again] |= rng.integers(0, choices, again.size, dtype=np.int32)
        key.sort(kind="stable")
    key &= 0xFFFFFFFF
    return key.astype(np.int32)
