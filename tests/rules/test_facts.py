"""What is published about each game, with its source. A game without a fact fails a test."""

from functools import reduce
from itertools import combinations, combinations_with_replacement, product
from math import isqrt
from operator import xor
from random import Random

import pytest

import zermelo as zm
from zermelo.errors import InvalidOptionError
from zermelo.registry import GAMES
from zermelo.rules.impartial.annihilation import Annihilation
from zermelo.rules.impartial.chomp import Chomp
from zermelo.rules.impartial.cram import Cram
from zermelo.rules.impartial.dawsons_chess import DawsonsChess
from zermelo.rules.impartial.euclid import Euclid
from zermelo.rules.impartial.fibonacci_nim import FibonacciNim
from zermelo.rules.impartial.kayles import Kayles
from zermelo.rules.impartial.mark import Mark
from zermelo.rules.impartial.nim import Nim
from zermelo.rules.impartial.node_kayles import NodeKayles
from zermelo.rules.impartial.subtraction import Subtraction
from zermelo.rules.impartial.wythoff import Wythoff
from zermelo.rules.values import position_values

DAWSON = [
    0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5,
    2, 7, 4,
]  # fmt: skip
"""0.137 from n = 0 on: the row ``.4`` of the project's table of octal sequences, from n = 2 on
(made by CGSuite and plain computation; first cousins, [GuySmith1956])."""

KAYLES = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4]
"""0.77 from n = 0 on: the row ``.77`` of the same table."""

CRAM = {(4, 4): 0, (4, 5): 2}
"""From the table of nimbers of Cram at github.com/beling/impartial-games, by Piotr Beling."""


def losing(game):
    labels = zm.solve(game).label
    return {x for x, label in zip(game.graph.names, labels, strict=True) if label < 0}


def golden(k):
    """⌊kφ⌋ without a float."""
    return (k + isqrt(5 * k * k)) // 2


def nim():
    """[Bouton1901]: the player to move loses where the XOR is 0."""
    values = position_values(Nim())
    for heaps in combinations_with_replacement(range(1, 7), 3):
        assert values[heaps] == reduce(xor, heaps)
    game = zm.explore(Nim(5, 6, 7))
    assert losing(game) == {x for x in game.graph.names if reduce(xor, x, 0) == 0}


def subtraction():
    """[BerlekampConwayGuy2001] ch. 4: n mod (k + 1) for {1, …, k}; {1, 2, 5} is like {1, 2}."""
    for k in range(1, 6):
        values = position_values(Subtraction(range(1, k + 1)))
        assert [values[n,] for n in range(1, 40)] == [n % (k + 1) for n in range(1, 40)]
    values = position_values(Subtraction({1, 2, 5}))
    assert [values[n,] for n in range(1, 40)] == [n % 3 for n in range(1, 40)]


def mark():
    """[Fraenkel2011]: lost with a number of binary zeros at the end that is odd."""
    values = position_values(Mark())
    for n in range(1, 300):
        zeros = (n & -n).bit_length() - 1
        assert (values[n,] == 0) == (zeros % 2 == 1)
        assert values[n,] <= 2


def fibonacci_nim():
    """[Whinihan1963]: lost with a Fibonacci number."""
    fibonacci = [2, 3]
    while fibonacci[-1] < 60:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    lost = [
        n for n in range(2, 60) if FibonacciNim(n).start() in losing(zm.explore(FibonacciNim(n)))
    ]
    assert lost == [n for n in fibonacci if n < 60]


def wythoff():
    """[Wythoff1907]: lost at (⌊kφ⌋, ⌊kφ⌋ + k)."""
    expected = {(golden(k), golden(k) + k) for k in range(40) if golden(k) + k <= 40}
    assert losing(zm.explore(Wythoff(40, 40))) == expected


def euclid():
    """[Nivasch2006]: ⌊|y/x − x/y|⌋; lost where y/x < φ, that is y² < xy + x²."""
    values = position_values(Euclid(1, 1))
    for x, y in combinations_with_replacement(range(1, 40), 2):
        assert values[x, y] == (y * y - x * x) // (x * y)
        assert (values[x, y] == 0) == (y * y < x * y + x * x)


def kayles():
    """[GuySmith1956]: the values, and their period 12 from n = 71 on."""
    values = position_values(Kayles())
    found = [values[n,] if n else 0 for n in range(110)]
    assert found[: len(KAYLES)] == KAYLES
    assert all(found[n] == found[n + 12] for n in range(71, 98))
    assert found[70] != found[82]
    assert values[3, 5, 5] == 3


def dawsons_chess():
    """[GuySmith1956]: the values, and their period 34 from n = 52 on."""
    values = position_values(DawsonsChess())
    found = [values[n,] if n else 0 for n in range(130)]
    assert found[: len(DAWSON)] == DAWSON
    assert all(found[n] == found[n + 34] for n in range(52, 96))
    assert found[51] != found[85]


def chomp():
    """[Gale1974]: the first player wins; two rows are lost as (k + 1, k), a symmetric L as well."""
    for rows, columns in product(range(1, 5), repeat=2):
        start = zm.solve(zm.explore(Chomp(rows, columns))).label[0]
        assert start == (-1 if rows == columns == 1 else 1)
    two = zm.explore(Chomp(2, 9))
    assert losing(two) == {(1,)} | {(k + 1, k) for k in range(1, 9)}
    assert {(k,) + (1,) * (k - 1) for k in range(1, 6)} <= losing(zm.explore(Chomp(5, 5)))


def cram():
    """[Uiterwijk2018]: 1×n is 0.07, which is 0.137 shifted by one; 2×n is n mod 2."""
    assert [position_values(Cram(1, n)).start for n in range(1, 20)] == DAWSON[:19]
    assert [position_values(Cram(2, n)).start for n in range(1, 9)] == [1, 0] * 4
    for (rows, columns), value in CRAM.items():
        assert position_values(Cram(rows, columns)).start == value


def node_kayles():
    """[Schaefer1978] has the game; on a path of n vertices it is 0.137, on a clique 1."""
    for n in range(1, 20):
        assert position_values(NodeKayles(zm.generators.path(n))).start == DAWSON[n]
    for n in range(3, 20):  # a first move leaves a path of n − 3
        assert position_values(NodeKayles(zm.generators.cycle(n))).start == (DAWSON[n - 3] == 0)
    assert position_values(NodeKayles(zm.generators.complete(6))).start == 1


class Everywhere:
    """Annihilation from every set of tokens at once."""

    def __init__(self, graph):
        self.rules, self.vertices = Annihilation(graph), tuple(graph)

    def start(self):
        return "any"

    def moves(self, position):
        if position != "any":
            return self.rules.moves(position)
        sizes = range(len(self.vertices) + 1)
        return [x for k in sizes for x in combinations(self.vertices, k)]


def annihilation():
    """[FraenkelYesha1982]: finite values are a homomorphism from sets of tokens under Δ to XOR."""
    random, infinite = Random(7), 0
    for _ in range(25):
        n = random.randint(2, 5)
        arcs = [(u, v) for u, v in product(range(n), repeat=2) if u != v and random.random() < 0.35]
        found = zm.grundy(zm.explore(Everywhere(zm.Graph.from_edges(arcs, n=n))))
        finite = {x: found[x] for x in found.graph if x != "any" and isinstance(found[x], int)}
        infinite += 2**n - len(finite)
        for x, y in product(finite, repeat=2):
            both = tuple(sorted({*x} ^ {*y}))
            assert found[both] == finite[x] ^ finite[y]
    assert infinite > 0
    # Without cycles every token has the value of its vertex.
    arcs = [(u, v) for u, v in combinations(range(6), 2) if random.random() < 0.5]
    graph = zm.Graph.from_edges(arcs, n=6)
    alone = zm.grundy(graph)
    values = position_values(Annihilation(graph))
    for k in range(7):
        for tokens in combinations(range(6), k):
            assert values[tokens] == reduce(xor, (alone[v] for v in tokens), 0)


FACTS = {
    "nim": nim, "subtraction": subtraction, "mark": mark, "fibonacci-nim": fibonacci_nim,
    "wythoff": wythoff, "euclid": euclid, "kayles": kayles, "dawsons-chess": dawsons_chess,
    "chomp": chomp, "cram": cram, "node-kayles": node_kayles, "annihilation": annihilation,
}  # fmt: skip


@pytest.mark.slow("cram")
@pytest.mark.parametrize(
    "row", [row for row in GAMES if ".impartial." in row.target], ids=lambda row: row.name
)
def test_published_results_hold(row):
    FACTS[row.name]()


@pytest.mark.parametrize("heap", [None, 1.5, "x", (1, 2), [1]])
def test_heaps_are_integers(heap):
    with pytest.raises(InvalidOptionError, match="expected heaps, as integers, got"):
        Nim(3, heap)
