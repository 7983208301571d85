"""Every small digraph, by number: the bits of its adjacency matrix."""

import itertools
from collections.abc import Iterator

import numpy as np

from zermelo._inputs.values import flag
from zermelo.errors import InvalidOptionError
from zermelo.game import Game
from zermelo.generators._options import check_integer, make_game
from zermelo.graph import Graph

MAX_ALL = 4
"""The largest n of which all digraphs are listed: 2²⁵ for n = 5 are too many to build."""


def digraph(n: int = 3, number: int = 0, owners: str = "none", seed: int = 0) -> Game:
    """The digraph on ``n`` positions that has move u → v iff bit u · n + v of ``number`` is 1.

    >>> digraph(2, 0b0110).graph.to_edges().tolist()
    [[0, 1], [1, 0]]
    """
    n = check_integer("n", n, 0, 2**15)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1 << n * n:
        raise InvalidOptionError(
            f"number: expected an integer from 0 to 2^{n * n} - 1, got {number!r}"
        )
    data = np.frombuffer(number.to_bytes((n * n + 7) // 8, "little"), np.uint8)
    bit = np.flatnonzero(np.unpackbits(data, bitorder="little"))
    side = max(n, 1)
    return make_game(Graph.from_arrays(bit // side, bit % side, n), owners, seed)


def all_digraphs(n: int, *, loops: bool = True, up_to_isomorphism: bool = False) -> Iterator[Graph]:
    """All digraphs on ``n`` ≤ 4 positions, in the order of their numbers.

    There are 2^(n²) with ``loops`` and 2^(n² − n) without. ``up_to_isomorphism`` gives one digraph
    of each isomorphism class, the one with the least number.

    >>> sum(1 for g in all_digraphs(2))
    16
    >>> [sum(1 for g in all_digraphs(n, up_to_isomorphism=True)) for n in range(4)]
    [1, 2, 10, 104]
    """
    n = check_integer("n", n, 0, MAX_ALL)
    loops = flag(loops, "loops")
    up_to_isomorphism = flag(up_to_isomorphism, "up_to_isomorphism")
    return (digraph(n, number).graph for number in _numbers(n, loops, up_to_isomorphism))


def _numbers(n: int, loops: bool, up_to_isomorphism: bool) -> Iterator[int]:
    bits = [u * n + v for u in range(n) for v in range(n) if loops or u != v]
    if not up_to_isomorphism:
        for chosen in range(1 << len(bits)):
            yield sum(1 << bit for k, bit in enumerate(bits) if chosen >> k & 1)
        return
    number = np.arange(1 << n * n, dtype=np.int64)
    least = number.copy()
    for order in itertools.permutations(range(n)):
        image = np.zeros_like(number)
        for u, v in itertools.product(range(n), repeat=2):
            image |= (number >> (u * n + v) & 1) << (order[u] * n + order[v])
        np.minimum(least, image, out=least)
    diagonal = 0 if loops else sum(1 << u * n + u for u in range(n))
    yield from number[(least == number) & (number & diagonal == 0)].tolist()
