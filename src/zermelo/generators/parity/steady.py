"""Steady games: random games whose in- and out-degrees both stay within ranges."""

import itertools

import numpy as np

from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.generators._options import check_integer, check_range, check_room, generator
from zermelo.generators.parity.common import with_priorities
from zermelo.graph import Graph
from zermelo.labels import Int64Array


def steady(
    n: int,
    out_low: int = 1,
    out_high: int = 4,
    in_low: int = 1,
    in_high: int = 4,
    seed: int = 0,
) -> Game:
    """A random game on ``n`` positions of bounded in- and out-degree; position v has priority v.

    Random moves, but no loops, are added between positions whose degrees are still below the upper
    bounds, until every out-degree is at least ``out_low`` and every in-degree at least ``in_low``.
    Owners are random. The process is that of ``steadygame`` of PGSolver [FriedmannLange2009] and
    ``stgame`` of Oink [Dijk2018].

    There are two differences: many moves are drawn at a time, and if no move can be added, some
    moves are exchanged, so that the ranges always hold.

    >>> graph, parity = steady(1000, out_low=2, out_high=3, in_low=1, in_high=5)
    >>> int(graph.out_degree.min()) >= 2, int(graph.out_degree.max()) <= 3
    (True, True)
    """
    n = check_integer("n", n, 2)
    check_range("out_low", out_low, "out_high", out_high, 1, n - 1)
    check_range("in_low", in_low, "in_high", in_high, 1, n - 1)
    if out_low > in_high or in_low > out_high:
        raise InvalidOptionError(
            f"expected ranges of out- and in-degrees with a common number, got {out_low} … "
            f"{out_high} and {in_low} … {in_high}"
        )
    check_room(n, 2.0 * n * min(out_high, in_high))
    rng = generator(seed)
    u, v = _process(rng, n, (out_low, out_high), (in_low, in_high))
    u, v = _repair(rng, n, u, v, out_low, in_high)
    v, u = _repair(rng, n, v, u, in_low, out_high)
    owner = rng.integers(0, 2, n, dtype=np.int8)
    return with_priorities(Graph.from_arrays(u, v, n, owner), np.arange(n))


def _process(
    rng: np.random.Generator, n: int, out: tuple[int, int], into: tuple[int, int]
) -> tuple[Int64Array, Int64Array]:
    """Add random moves until the low degrees are reached or nothing can be added."""
    keys = np.empty(0, np.int64)
    degree = [np.zeros(n, np.int64), np.zeros(n, np.int64)]
    while (degree[0] < out[0]).any() or (degree[1] < into[0]).any():
        sources, targets = np.flatnonzero(degree[0] < out[1]), np.flatnonzero(degree[1] < into[1])
        if not sources.size or not targets.size:
            break
        size = max(64, min(sources.size, targets.size))
        u, v = rng.choice(sources, size), rng.choice(targets, size)
        key = u << 32 | v
        first = np.zeros(size, bool)
        first[np.unique(key, return_index=True)[1]] = True
        known = keys[np.minimum(np.searchsorted(keys, key), keys.size - 1)] if keys.size else -key
        fresh = first & (u != v) & (known != key)
        u, v = u[fresh], v[fresh]
        at = degree[0][u] + _rank(u), degree[1][v] + _rank(v)
        fits = (at[0] < out[1]) & (at[1] < into[1])
        u, v = u[fits], v[fits]
        if not u.size:
            break
        u, v = _enough(u, v, degree, (out[0], into[0]))
        degree[0] += np.bincount(u, minlength=n)
        degree[1] += np.bincount(v, minlength=n)
        keys = np.concatenate([keys, np.sort(u << 32 | v)])
        keys.sort(kind="stable")  # merges two sorted parts
    return keys >> 32, keys & 0xFFFFFFFF


def _rank(items: Int64Array) -> Int64Array:
    """For each item, the number of its occurrences before.

    >>> _rank(np.array([7, 3, 7, 7, 3])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(items, kind="stable")
    inner = items[order]
    new = np.ones(items.size, bool)
    new[1:] = inner[1:] != inner[:-1]
    start = np.maximum.accumulate(np.where(new, np.arange(items.size), 0))
    rank = np.empty(items.size, np.int64)
    rank[order] = np.arange(items.size) - start
    return rank


def _enough(
    u: Int64Array, v: Int64Array, degree: list[Int64Array], low: tuple[int, int]
) -> tuple[Int64Array, Int64Array]:
    """The moves up to the one after which all degrees are large enough; all moves if none is."""
    sides = ((u, degree[0], low[0]), (v, degree[1], low[1]))
    for ends, have, wanted in sides:
        if (have + np.bincount(ends, minlength=have.size) < wanted).any():
            return u, v
    last = 0
    for ends, have, wanted in sides:
        reached = np.flatnonzero(have[ends] + _rank(ends) + 1 == wanted)
        last = max(last, int(reached[-1]) + 1 if reached.size else 0)
    return u[:last], v[:last]


def _repair(
    rng: np.random.Generator, n: int, u: Int64Array, v: Int64Array, low: int, v_high: int
) -> tuple[Int64Array, Int64Array]:
    """Give moves to the sources that have too few; all other degrees stay within their ranges.

    Let x be such a source. If a source a has more than ``low`` moves, a move a → b becomes x → b.
    If there is no such source, take a target y whose in-degree is below ``v_high``: a move a → b
    becomes the two moves a → y and x → b.
    """
    out = np.bincount(u, minlength=n)
    if (out >= low).all():
        return u, v
    into = np.bincount(v, minlength=n)
    a_of, b_of = u.tolist(), v.tolist()
    have = set(zip(a_of, b_of, strict=True))
    for x in np.flatnonzero(out < low).tolist():
        while out[x] < low:
            m = len(a_of)
            around = (k % m for k in itertools.count(int(rng.integers(0, m))))
            tries = (
                k
                for k in itertools.islice(around, m)
                if x not in (a_of[k], b_of[k]) and (x, b_of[k]) not in have
            )
            spare, fixed = -1, []
            for k in tries:
                if out[a_of[k]] > low:
                    spare = k
                    break
                fixed.append(k)
            k, y = spare, -1
            if k < 0:
                open_ = np.flatnonzero(into < v_high).tolist()
                choices = itertools.product(fixed, open_)
                good = ((k, y) for k, y in choices if y != a_of[k] and (a_of[k], y) not in have)
                k, y = next(good, (-1, -1))
            if k < 0:
                raise InvalidOptionError(
                    f"no game of {n:,} positions with these degrees was found; use wider ranges"
                )
            a, b = a_of[k], b_of[k]
            have -= {(a, b)}
            have.add((x, b))
            a_of[k] = x
            out[x] += 1
            if y < 0:
                out[a] -= 1
            else:
                have.add((a, y))
                a_of.append(a)
                b_of.append(y)
                into[y] += 1
    return np.array(a_of, np.int64), np.array(b_of, np.int64)
