"""Friedmann's binary counter, on which strategy improvement takes exponential time."""

from collections.abc import Iterator

from zermelo.game import Game
from zermelo.generators._options import check_integer, check_room
from zermelo.generators.parity.common import assemble

MAX_BITS = 2**20

_Node = tuple[str, int]
_Row = tuple[_Node, int, int, list[_Node]]


def switch_all(n: int) -> Game:
    """Friedmann's game of ``n`` bits against strategy improvement; it has 14 · ``n`` + 7 positions.

    The game is from [Friedmann2009]. Strategy improvement that switches at all improvable positions
    goes through all 2ⁿ values of a binary counter. This is the variant ``switchallexp`` of PGSolver
    [FriedmannLange2009], with the same letters. Positions are numbered in this order: q s t y w d x
    p; then aᵢ bᵢ for i < 2 ``n``; then eᵢ fᵢ gᵢ hᵢ mᵢ zᵢ kᵢ lᵢ rᵢ vᵢ for each bit i, except that
    the last bit has no v. The source of this function lists priorities, owners and moves. Player 1
    wins everywhere: player 1 can lead every play to q, which has a loop of priority 1.

    >>> graph, parity = switch_all(2)
    >>> graph.n, graph.m, sorted(parity.priority.tolist())[-1]
    (35, 75, 44)
    """
    n = check_integer("n", n, 1, MAX_BITS)
    check_room(14 * n + 7, 60 * n + 20)
    rows = list(_rows(n))
    number = {node: k for k, (node, _, _, _) in enumerate(rows)}
    u = [k for k, (_, _, _, moves) in enumerate(rows) for _ in moves]
    v = [number[to] for _, _, _, moves in rows for to in moves]
    return assemble(len(rows), [(u, v)], [row[2] for row in rows], [row[1] for row in rows])


def _rows(n: int) -> Iterator[_Row]:
    """Each position with its priority, its owner and its moves."""
    q, s, t, y, w, d, x, p = ((letter, 0) for letter in "qstywdxp")
    yield q, 1, 1, [q]
    yield s, 2, 0, [p, *(("k", j) for j in range(n))]
    yield t, 3, 0, [x, s]
    yield y, 5, 0, [w, ("l", 0)]
    yield w, 7, 0, [y, p, *(("l", j) for j in range(1, n))]
    yield d, 12 * n + 8, 0, [t, x]
    yield x, 12 * n + 10, 0, [w, y]
    yield p, 16 * n + 12, 1, [q]
    for i in range(2 * n):
        yield ("a", i), 8 * n + 2 * i + 8, 1, [("b", i)]
        yield ("b", i), 8 * n + 2 * i + 7, 0, [d if i < 2 else ("b", i - 1), x, s]
    for i in range(n):
        e, f, g, h, m, z, k, l_, r, v = ((letter, i) for letter in "efghmzklrv")
        last = i == n - 1
        yield e, 6 * n + 2 * i + 7, 0, [("a", 0), x, s, h, f, g]
        yield f, 6 * i + 8, 0, [*([("f", i - 1)] if i else []), d, ("a", 2 * i)]
        yield g, 6 * i + 10, 0, [*([("g", i - 1)] if i else []), d, ("a", 2 * i + 1)]
        yield h, 6 * n + 2 * i + 8, 1, [e, m]
        yield m, 12 * n + 4 * i + 14, 1, [z]
        yield z, 12 * n + 4 * i + 11, 0, [p] if last else [p, v]
        yield k, 12 * n + 4 * i + 13, 1, [h]
        yield l_, 6 * i + 11, 0, [k, z]
        yield r, 6 * i + 12, 0, [l_, z]
        if not last:
            yield v, 6 * i + 9, 0, [p if i == n - 2 else ("v", i + 1), ("r", i + 1)]
