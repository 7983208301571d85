"""The files of ``examples/`` that come from the papers show what the papers say about them.

Pairs of values (Figure 1 of [Loewe2004]) are in ``tests/test_pointed_graphs.py``.
"""

import csv
import itertools
import json
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo as zm
from tests.papers import pages, plain
from tests.papers.plain import DRAW, LOSE, WIN

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = [
    path
    for folder in ("loewe2004", "games-on-graphs", "sleator2001", "edmonds-gurvich2010")
    for path in sorted((EXAMPLES / folder).iterdir())
]


def load(name):
    return zm.read(EXAMPLES / name)


def successors(graph):
    return [graph.successors(v).tolist() for v in range(graph.n)]


def moves(graph):
    return {(graph.name(u), graph.name(v)) for u, v in graph.to_edges().tolist()}


def table(command):
    """The rows that a command prints, as dictionaries."""
    status, out, _ = pages.run(command)
    assert status == 0
    return list(csv.DictReader(out.splitlines(), delimiter="\t"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_file_says_where_it_is_from(path):
    if path.suffix != ".json":  # there the name of the file says it, because JSON has no comments
        assert path.read_text()[:2] in ("# ", "c ")
        assert path.read_text().split("[")[1].split("]")[0] in (
            "Loewe2004", "GamesOnGraphs", "Sleator2001", "EdmondsGurvich2010"
        )  # fmt: skip


# ------------------------------------------------- [Loewe2004]


def test_figure_2_is_the_product_of_the_order_and_its_inverse():
    graph = load("loewe2004/figure-2-order.txt").graph
    pairs = [f"{a}/{b}" for a in "LDW" for b in "LDW"]
    rank = {"L": 0, "D": 1, "W": 2}
    assert set(graph.names) == set(pairs)

    def below(x, y):  # ℓ₀ rises and ℓ₁ falls on the way down from L/W
        return rank[x[0]] <= rank[y[0]] and rank[x[2]] >= rank[y[2]]

    reached = plain.reached(successors(graph))
    for x, y in itertools.product(pairs, repeat=2):
        assert (graph.index(y) in reached[graph.index(x)]) == below(x, y)
    assert graph.m == 12  # no arc follows from others


def test_the_labels_of_nmfl_fall_in_the_order_of_figure_2():
    order = load("loewe2004/figure-2-order.txt").graph
    reached = plain.reached(successors(order))
    letter = {LOSE: "L", DRAW: "D", WIN: "W"}
    graph = load("loewe2004/two-cycle-with-exit.txt").graph
    last = dict.fromkeys(range(graph.n), order.index("L/W"))
    for frame in zm.trace(graph, zm.Asymmetric(), solver="nmfl"):
        for v, pair in enumerate(frame.labels.reshape(-1, 2).tolist()):
            now = order.index("/".join(letter[x] for x in pair))
            assert now in reached[last[v]]
            last[v] = now
    ell, _ = plain.nmfl(successors(graph))
    assert [order.name(last[v]) for v in range(graph.n)] == [
        "/".join(letter[x] for x in pair) for pair in ell
    ]


def test_the_root_with_terminals_takes_quadratic_time():
    game = load("loewe2004/theorem-4-3-root-with-five-terminals.txt")
    n = game.graph.m
    stats = zm.solve(game.graph, zm.Asymmetric(), solver="nmfl").stats
    assert (stats["label_calls"], stats["steps"]) == (2 * n, 2 * n * n)
    assert moves(zm.generators.star(n).graph) == {
        (int(u[1:]), int(v[1:])) for u, v in moves(game.graph)
    }


def test_quotients_of_a_cycle():
    cycle = load("loewe2004/proposition-2-1-cycle-of-six.txt").graph
    for k in (3, 2, 1):
        small = zm.generators.cycle(k).graph
        z = [v % k for v in range(6)]
        assert zm.transform.is_bounded_epimorphism(cycle, "v0", small, 0, z)
        quotient = zm.transform.quotient(cycle, z)
        assert successors(getattr(quotient, "graph", quotient)) == successors(small)
    assert not zm.transform.is_bounded_epimorphism(
        cycle, "v0", zm.generators.cycle(4).graph, 0, [v % 4 for v in range(6)]
    )


def test_the_alternating_graph_maps_to_the_graph():
    """Proposition 2.2, with Z_A; two files."""
    graph = load("loewe2004/two-cycle-with-exit.txt").graph
    game = load("loewe2004/proposition-2-2-alternating-graph.json")
    assert {(u, v, e, f) for (u, e), (v, f) in moves(game.graph)} == {
        (u, v, e, 1 - e) for u, v in moves(graph) for e in (0, 1) if ((u, e) in set(game.graph))
    }
    assert zm.transform.is_bounded_epimorphism(
        game.graph, ("a", 0), graph, "a", zm.transform.situation_to_position
    )


# ------------------------------------------------- [GamesOnGraphs]


@pytest.mark.parametrize(
    ("name", "labels", "distances"),
    [
        ("section-2-1-two-cycle", "DD", [None, None]),
        ("section-4-1-five-positions", "DWDLD", [None, 1, None, 0, None]),
        ("section-5-1-guard", "WLL", [1, 2, 0]),
        ("section-7-1-chain", "WLWL", [3, 2, 1, 0]),
    ],
)
def test_labels_and_distances(name, labels, distances):
    graph = load(f"games-on-graphs/{name}.txt").graph
    wanted = [{"L": LOSE, "D": DRAW, "W": WIN}[x] for x in labels]
    assert plain.labels(successors(graph)) == wanted
    rows = table(f"zermelo solve examples/games-on-graphs/{name}.txt")
    assert [row["label"][0] for row in rows] == list(labels)
    assert [row["distance"] for row in rows] == ["-" if d is None else str(d) for d in distances]


def test_section_4_1_round_by_round():
    rows = table("zermelo trace examples/games-on-graphs/section-4-1-five-positions.txt")
    assert [(row["round"], row["position"], row["label"]) for row in rows[:2]] == [
        ("0", "3", "LOSE"),
        ("1", "1", "WIN"),
    ]
    assert {(row["position"], row["rule"]) for row in rows[2:]} == {(v, "rest") for v in "024"}


def test_section_9_1_one_position_and_two_states_of_memory():
    """No positional strategy sees both colours for ever, and two states of memory do."""
    game = load("games-on-graphs/section-9-1-muller.json")
    assert zm.solve(game).verify().winner.tolist() == [0, 0, 0]
    status, out, _ = pages.run(
        "zermelo solve examples/games-on-graphs/section-9-1-muller.json --machine 0"
    )
    assert status == 0
    assert "2 memory states" in out
    for choice in ("left", "right"):
        assert zm.check_strategy(game, {"middle": choice}, 0).verdict == "neither"


def test_section_9_2_a_buchi_game_has_the_priorities_1_and_2():
    game = load("games-on-graphs/section-9-2-buchi.json")
    parity = zm.transform.to_parity(game.graph, game.objective)
    assert parity.objective.priority.tolist() == [1, 1, 2]
    assert (
        zm.solve(parity.graph, parity.objective).winner.tolist()
        == zm.solve(game).winner.tolist()
        == [0, 0, 0]
    )


def test_section_10_1_the_values_have_period_3():
    rows = table("zermelo grundy examples/games-on-graphs/section-10-1-subtraction.txt")
    assert {int(row["position"]): int(row["value"]) for row in rows} == {
        k: k % 3 for k in range(10)
    }
    assert {int(row["position"]) for row in rows if row["label"] == "LOSE"} == {0, 3, 6, 9}
    graph = load("games-on-graphs/section-10-1-subtraction.txt").graph
    for piles in itertools.product(range(6), repeat=3):
        lost = zm.Sum([(graph, k) for k in piles]).outcome == LOSE
        assert lost == (piles[0] % 3 ^ piles[1] % 3 ^ piles[2] % 3 == 0)


# ------------------------------------------------- [Sleator2001]


def number(game):
    """The lecture's definition: the simplest number between the options' values, or None."""
    left, right = ([number(x) for x in side] for side in game)
    if None in left or None in right:
        return None
    a, b = max(left, default=None), min(right, default=None)
    if a is not None and b is not None and a >= b:
        return None
    for exponent in itertools.count():
        inside = [
            Fraction(k, 2**exponent)
            for k in range(-20 * 2**exponent, 20 * 2**exponent + 1)
            if (a is None or a < Fraction(k, 2**exponent))
            and (b is None or Fraction(k, 2**exponent) < b)
        ]
        if inside:
            return min(inside, key=abs)


def parse(text):
    """A game in braces as a pair of lists of options; a number stands for its simplest game."""
    text = text.strip()
    if not text.startswith("{"):
        k = int(text)
        return (
            ([], [])
            if k == 0
            else ([parse(f"{k - 1}")], [])
            if k > 0
            else ([], [parse(f"{k + 1}")])
        )
    left, right = text[1:-1].split("|")
    return tuple([parse(side)] if side else [] for side in (left, right))


def plus(g, h):
    """The sum by its definition."""
    return tuple([plus(x, h) for x in g[side]] + [plus(g, y) for y in h[side]] for side in (0, 1))


VALUES = [
    line.split("\t")
    for line in (EXAMPLES / "sleator2001" / "values.tsv").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("game", "value"), VALUES)
def test_the_values_of_the_lecture(game, value):
    components = [parse(part) for part in game.split(" + ")]
    total = components[0]
    for component in components[1:]:
        total = plus(total, component)
    by_definition = number(total)
    assert ("*" if by_definition is None else str(by_definition)) == value
    assert str(zm.value(game)) == value
    [row] = table(f"zermelo value '{game}'")
    assert row["value"] == value


def test_games_as_graphs():
    rows = table("zermelo value examples/sleator2001/half.txt")
    assert {row["expression"]: row["value"] for row in rows} == {
        "half": "1/2", "one": "1", "zero": "0"
    }  # fmt: skip
    rows = table("zermelo value examples/sleator2001/star.txt")
    assert {row["expression"]: row["outcome"] for row in rows} == {"star": "N", "zero": "P"}


# ------------------------------------------------- [EdmondsGurvich2010]


def test_figure_1_player_2_wins_all_four_games_but_not_by_position():
    graph = load("edmonds-gurvich2010/figure-1-four-games.txt").graph
    succ, start = successors(graph), graph.index("v0")
    for game in plain.FOUR:
        assert not plain.wins(succ, game, (start,))
        assert not plain.wins_by_position(succ, game, start, 1)
        [row] = table(
            "zermelo solve examples/edmonds-gurvich2010/figure-1-four-games.txt "
            f"--objective {game} --start v0"
        )
        assert row["label"] == "LOSE"

    def as_in_the_figure(succ):
        return all(
            not plain.wins(succ, game, (0,)) and not plain.wins_by_position(succ, game, 0, 1)
            for game in plain.FOUR
        )

    assert as_in_the_figure(succ)
    assert not any(as_in_the_figure(x) for n in range(1, 6) for x in plain.bipartite_games(n))


def test_figure_1_the_move_at_the_last_position_depends_on_the_debut_and_the_version():
    graph = load("edmonds-gurvich2010/figure-1-four-games.txt").graph
    debuts = (["v0", "x", "y", "v"], ["v0", "x'", "y'", "v"])
    wanted = {zm.NoReturn: [("y'",), ("y",)], zm.Return: [("y",), ("y'",)]}
    for objective, answers in wanted.items():
        solved = zm.solve(graph, objective())
        assert [solved.winning_moves(debut) for debut in debuts] == answers


@pytest.mark.parametrize("value", [1, 2])
def test_figure_2_one_move_wins_and_one_loses(value):
    name = f"edmonds-gurvich2010/figure-2-value-{value}.txt"
    graph = load(name).graph
    succ, start = successors(graph), graph.index("v0")
    assert zm.classify(graph).kind == "symmetric"
    assert len(succ[start]) == 2
    assert plain.grundy(succ, (start,)) == value
    first = {graph.name(w): plain.grundy(succ, (start, w)) for w in succ[start]}
    assert first == {"a": 0, "b": 3 - value}
    rows = table(f"zermelo eggs examples/{name} --start v0")
    assert [row["value"] for row in rows] == [str(value), "0", str(3 - value)]
    assert zm.solve(graph, zm.NoReturn())["v0"].best_moves == ("a",)


def test_figure_3_and_proposition_1():
    game = load("edmonds-gurvich2010/figure-3-repetition.txt")
    lines = zm.line_digraph(game.graph, "v0")
    on_moves = successors(lines)
    start = lines.index(("*", "v0"))
    assert lines.n == game.graph.m + 1
    for repetition, no_return in (("no-repetition", "no-return"), ("repetition", "return")):
        expected = plain.wins(successors(game.graph), repetition, (game.graph.index("v0"),))
        assert plain.wins(on_moves, no_return, (start,)) == expected
    status, out, _ = pages.run(
        "zermelo transform line-digraph examples/edmonds-gurvich2010/figure-3-repetition.txt -"
    )
    assert status == 0
    assert json.loads(out)["n"] == lines.n


def test_section_1_3_the_line_digraph_of_an_arborescence_with_loops():
    """One more arc before each loop: arcs of the tree are positions, and loops stay loops."""
    graph = load("edmonds-gurvich2010/section-1-3-arborescence.txt").graph
    lines = zm.line_digraph(graph, "v0")
    parent = {v: u for u, v in moves(graph) if u != v}
    loops = {u for u, v in moves(graph) if u == v}
    arc = {v: (parent.get(v, "*"), v) for v in graph}
    expected = {(arc[u], arc[v]) for u, v in moves(graph) if u != v}
    expected |= {(arc[v], (v, v)) for v in loops} | {((v, v), (v, v)) for v in loops}
    assert moves(lines) == expected


def test_figure_4_the_digraph_of_the_formula():
    path = EXAMPLES / "edmonds-gurvich2010" / "figure-4.cnf"
    game = zm.generators.sat_gadget(str(path))
    n, m = 3, 3
    assert (game.graph.n, game.graph.m) == (2 * n + (n + 1) + 1 + m, 4 * n + 1 + m + 9)
    after = [game.graph.name(w) for w in game.graph.successors(game.graph.index("c1"))]
    assert sorted(after) == ["x1", "x3", "~x2"]
    succ = successors(game.graph)
    for name in plain.FOUR:
        assert plain.wins(succ, name, (game.graph.index("u1"),))
    # the paper's choice: x3, x2 and not x1 satisfy the clauses, and the path avoids them
    strategy = {
        "u1": "x1",
        "u2": "~x2",
        "u3": "~x3",
        "u4": "c",
        "c1": "x3",
        "c2": "x2",
        "c3": "~x1",
    }
    assert zm.check_strategy(game, strategy, 0).verdict == "winning"


def test_section_2_1_the_levels_of_the_kernel():
    rows = table("zermelo kernel examples/edmonds-gurvich2010/section-2-1-levels.txt")
    inside = {row["position"]: int(row["distance"]) for row in rows if row["in_kernel"] == "yes"}
    outside = {row["position"]: int(row["distance"]) for row in rows if row["in_kernel"] == "no"}
    assert inside == {"t": 0, "u": 0, "c": 2}  # 2 i moves of resistance
    assert outside == {"a": 1, "b": 1, "d": 3}  # won in 2 i + 1 moves


def test_section_2_2_nim():
    rows = table("zermelo grundy examples/edmonds-gurvich2010/section-2-2-nim-pile.txt")
    assert {row["position"]: row["value"] for row in rows} == {str(k): str(k) for k in range(4)}
    assert [zm.nim_sum(pair) for pair in ((1, 2), (2, 3), (3, 1), (1, 2, 3))] == [3, 1, 2, 0]
    assert zm.Sum([1, 2, 3]).outcome == LOSE
