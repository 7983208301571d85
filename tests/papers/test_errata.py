"""The errata of ``docs/errata.md``: every counterexample by the definitions, none smaller.

What is true instead is checked, too, on all small graphs. The solvers of the package come last:
they must agree with the definitions and not with the claims.
"""

import itertools
import re
from pathlib import Path

import pytest

import zermelo as zm
from tests.papers import pages, plain
from tests.papers.plain import ASYMMETRIC, DRAW, LOSE, WIN
from zermelo.generators.graphs.sat_gadget import sat_gadget

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "errata"
SMALL = [succ for n in (1, 2, 3) for succ in plain.digraphs(n)]


def load(name):
    """A graph of the folder, and its successors by number."""
    graph = zm.read(FOLDER / name).graph
    return graph, [graph.successors(v).tolist() for v in range(graph.n)]


def moves(graph):
    """The moves of a graph, by name."""
    return {(graph.name(u), graph.name(v)) for u, v in graph.to_edges().tolist()}


def smallest(claim, succ, graphs=SMALL):
    """That a claim fails on a graph, and on none with fewer positions, or moves of as many."""
    smaller = [other for other in graphs if plain.size(other) < plain.size(succ)]
    return not claim(succ) and all(map(claim, smaller))


# ------------------------------------------------- [Loewe2004]


def walks(succ, s, length):
    """The walks from s of at most ``length`` moves."""
    level = [(s,)]
    for _ in range(length + 1):
        yield from level
        level = [(*walk, v) for walk in level for v in succ[walk[-1]]]


def alternating(succ, v):
    """The moves of A_G^v: those between situations that are reached from ⟨0, v⟩."""
    found, waiting = set(), [(0, v)]
    while waiting:
        player, u = waiting.pop()
        for w in succ[u]:
            if ((player, u), (1 - player, w)) not in found:
                found.add(((player, u), (1 - player, w)))
                waiting.append((1 - player, w))
    return found


def maps_onto(succ, first, tree):
    """Whether moves of the tree can be mapped to moves of A_G^v, with W mapped to ⟨0, v⟩.

    A map exists only if every walk has an image from which the images of its steps can go on, and
    from which the step before can come.
    """
    moves = alternating(succ, first[-1])
    steps = [(walk[:-1], walk) for walk in tree if walk[:-1] in tree]
    images = {walk: {x for move in moves for x in move} | {(0, first[-1])} for walk in tree}
    images[first] = {(0, first[-1])}
    changed = True
    while changed:
        changed = False
        for one, other in steps:
            pairs = {(x, y) for x in images[one] for y in images[other] if (x, y) in moves}
            for walk, rest in ((one, {x for x, _ in pairs}), (other, {y for _, y in pairs})):
                changed |= rest != images[walk]
                images[walk] = rest
    return all(images.values())


def test_loewe_proposition_2_3():
    _, succ = load("one-move.txt")

    def whole(other):
        """The claim for all walks of at most two moves, and the whole tree, cut at three."""
        return all(
            maps_onto(other, first, set(walks(other, s, 3)))
            for s in range(len(other))
            for first in walks(other, s, 2)
        )

    def below(other):
        """The same for the part below W."""
        return all(
            maps_onto(other, first, {x for x in walks(other, s, 4) if x[: len(first)] == first})
            for s in range(len(other))
            for first in walks(other, s, 2)
        )

    assert smallest(whole, succ, SMALL)
    assert all(map(below, SMALL[::5]))
    assert zm.transform.shift_walk(("u", "v"), ("u", "v")) == ("v",)


def case_2(succ, quantifier):
    """If ℓ₀(v) = D, then ind₁(w) < ind₀(v) for all or for some w with ℓ₁(w) = D after v."""
    ell, index = plain.nmfl(succ)
    return all(
        quantifier(index[w][1] < index[v][0] for w in after if ell[w][1] == DRAW)
        for v, after in enumerate(succ)
        if after and ell[v][0] == DRAW
    )


def test_loewe_theorem_4_4_case_2():
    graph, succ = load("loop-and-chain.txt")
    assert smallest(lambda other: case_2(other, all), succ)
    assert all(case_2(other, any) for other in SMALL)  # what the proof needs
    a, b, t = map(graph.index, "abt")
    ell, index = plain.nmfl(succ)
    assert (ell[b], ell[a], ell[t]) == ([DRAW, DRAW], [WIN, DRAW], [DRAW, LOSE])
    assert index[a][1] < index[b][0] < index[b][1]
    solved = zm.solve(graph, zm.Asymmetric(), solver="nmfl").verify()
    assert solved.label.tolist() == ell
    assert solved.stats["ind"].tolist() == index
    assert solved.stats["sigma"][b, 0] == a


def test_loewe_case_5_holds_for_all():
    for succ in SMALL:
        ell, index = plain.nmfl(succ)
        for v, after in enumerate(succ):
            if ell[v][1] == DRAW:
                assert all(index[w][0] < index[v][1] for w in after if ell[w][0] == DRAW)


def views(succ, v, game):
    """val(G) and val(Ḡ): as player 0 sees both, and as the starter of each sees it."""
    first, second = (plain.payoff(succ, v, starter, game) for starter in (0, 1))
    return (first, second), (first, -second)


def test_loewe_propositions_3_1_and_3_8_take_different_views():
    def anti_equivalent(view):
        def claim(succ):
            pairs = [views(succ, v, plain.SYMMETRIC)[view] for v in range(len(succ))]
            return all(x == -y for x, y in pairs)

        return claim

    def win_then_not_lose(view):
        def claim(succ):
            return all(views(succ, v, ASYMMETRIC)[view] != (WIN, LOSE) for v in range(len(succ)))

        return claim

    graph, succ = load("terminal.txt")
    assert all(map(anti_equivalent(0), SMALL))
    assert smallest(anti_equivalent(1), succ)
    assert zm.anti_equivalent((graph, "v"), (graph, "v"), other_starter=1)
    assert not zm.anti_equivalent((graph, "v"), (graph, "v"), other_starter=1, view="starter")
    graph, succ = load("win-win.txt")
    assert all(map(win_then_not_lose(1), SMALL))
    assert smallest(win_then_not_lose(0), succ)
    assert zm.solve(graph, zm.Asymmetric()).label[graph.index("s")].tolist() == [WIN, WIN]
    pairs = [views(succ, v, ASYMMETRIC)[0] for succ in SMALL for v in range(len(succ))]
    assert (WIN, WIN) not in pairs  # the pair that player 0's view excludes


# ------------------------------------------------- [GamesOnGraphs]


def distances(succ):
    """Plies to the end, the winner fast and the loser slow; None for draws."""
    label = plain.labels(succ)
    known = [None] * len(succ)
    for _ in succ:
        for v, after in enumerate(succ):
            if label[v] == LOSE and all(known[w] is not None for w in after):
                known[v] = 1 + max((known[w] for w in after), default=-1)
            if label[v] == WIN:
                lost = [known[w] for w in after if label[w] == LOSE and known[w] is not None]
                known[v] = 1 + min(lost) if lost else None
    return label, known


def test_games_on_graphs_7_1_parity_of_the_distance():
    def parities(succ):
        label, known = distances(succ)
        return {(label[v], d % 2) for v, d in enumerate(known) if d is not None}

    graph, succ = load("one-move.txt")
    assert parities(succ) == {(WIN, 1), (LOSE, 0)}
    assert set().union(*map(parities, SMALL)) == {(WIN, 1), (LOSE, 0)}
    both = [other for other in SMALL if len(parities(other)) == 2]
    assert min(map(plain.size, both)) == plain.size(succ)
    solved = zm.solve(graph).verify()
    assert (solved["u"].distance, solved["v"].distance) == (1, 0)


def holds_the_draw(succ, allowed):
    """Whether every move of a draw that is allowed keeps the draw."""
    label = plain.labels(succ)
    return all(
        -label[w] == DRAW
        for v, after in enumerate(succ)
        if label[v] == DRAW
        for w in after
        if allowed(label[w])
    )


def test_games_on_graphs_7_2_a_draw_needs_a_drawn_successor():
    graph, succ = load("loop-and-chain.txt")
    assert smallest(lambda other: holds_the_draw(other, lambda x: x != LOSE), succ)
    assert all(holds_the_draw(other, lambda x: x == DRAW) for other in SMALL)
    assert all(  # and there always is one
        any(label[w] == DRAW for w in after)
        for other in SMALL
        for label in [plain.labels(other)]
        for v, after in enumerate(other)
        if label[v] == DRAW
    )
    solved = zm.solve(graph).verify()
    assert solved["b"].best_moves == ("b",)
    assert zm.check_strategy(graph, {"b": "a"}, 0, "b").verdict == "neither"
    assert zm.check_strategy(graph, {"b": "b", "a": "t"}, 0, "b").verdict == "nonlosing"


def literal_attractor(succ):
    """[GamesOnGraphs] Definition 8.2 to the letter: a step is for all, or for some successor."""
    inside = {v for v, after in enumerate(succ) if not after}
    for _ in succ:
        inside |= {v for v, after in enumerate(succ) if after and inside & set(after)}
    return inside


def turns(succ):
    """The graph with the turn in the position: (v, e) is 2 v + e."""
    return [[2 * w + 1 - e for w in after] for after in succ for e in (0, 1)]


def owned_attractor(succ, player):
    """The attractor of a player to "the opponent is stuck" among the situations."""
    graph = turns(succ)
    inside = {2 * v + 1 - player for v, after in enumerate(succ) if not after}
    for _ in graph:
        for x, after in enumerate(graph):
            if after and (any if x % 2 == player else all)(y in inside for y in after):
                inside.add(x)
    return inside


def test_games_on_graphs_8_2_the_attractor_needs_the_owner():
    def claim(succ):
        label = plain.labels(succ)
        return {v for v, x in enumerate(label) if x != DRAW} == literal_attractor(succ)

    graph, succ = load("loop-and-chain.txt")
    assert smallest(claim, succ)
    for other in SMALL:
        label = plain.labels(other)
        inside = owned_attractor(other, 0)
        for v, x in enumerate(label):
            assert (2 * v in inside) == (x == WIN)
            assert (2 * v + 1 in inside) == (x == LOSE)
    situations = zm.transform.alternating_graph(graph)
    attracted = zm.attractor(situations, [("t", 1)], 0).region
    names = {situations.name(x) for x in attracted.nonzero()[0]}
    assert names == {("t", 1), ("a", 0)}


def test_games_on_graphs_corollary_4_4_other_labellings_are_consistent():
    def unique(succ):
        every = itertools.product((LOSE, DRAW, WIN), repeat=len(succ))
        return sum(plain.consistent(succ, label) for label in every) == 1

    graph, succ = load("two-cycle.txt")
    assert smallest(unique, succ)
    assert all(plain.consistent(other, plain.labels(other)) for other in SMALL)
    assert all(unique(other) for other in SMALL if all(v not in s for v, s in cycles(other)))
    assert plain.consistent(succ, [WIN, LOSE])
    check = zm.check_labelling(graph, [WIN, LOSE])
    assert (check.verdict, check.support) == ("locally consistent but not least", ("a", "b"))
    assert zm.check_labelling(graph, [DRAW, DRAW]).ok


def cycles(succ):
    """For each position, what can be reached from it by at least one move."""
    sets = plain.reached(succ)
    return [(v, set().union(*(sets[w] for w in after))) for v, after in enumerate(succ)]


def test_games_on_graphs_smaller_slips():
    """Theorem 3.3, §3.1 and §4.2b."""
    order = {(a, b) for a in "⊥WL" for b in "⊥WL" if a in ("⊥", b)}
    assert not any({("W", top), ("L", top)} <= order for top in "⊥WL")  # no lattice

    def greatest(succ):
        inside = {v for v, after in enumerate(succ) if after}
        for _ in succ:
            inside = {v for v in inside if inside & set(succ[v])}
        return inside

    def draws(succ):
        return {v for v, x in enumerate(plain.labels(succ)) if x == DRAW}

    exit_from_a_loop = [[0, 1], []]
    assert smallest(lambda succ: greatest(succ) == draws(succ), exit_from_a_loop)
    graph = zm.Graph.from_edges([("a", "a"), ("a", "t")])
    assert zm.evaluate("nu Y. <>true & <>Y", graph).tolist() == [True, False]
    assert zm.solve(graph)["a"].label == WIN

    def on_cycles(succ):
        return all(v in after for v, after in cycles(succ) if v in draws(succ))

    into_a_loop = [[1], [1]]
    assert smallest(on_cycles, into_a_loop)
    assert all(draws(succ) & set(succ[v]) for succ in SMALL for v in draws(succ))


# ------------------------------------------------- [EdmondsGurvich2010]


def test_edmonds_gurvich_lemma_1():
    graph, succ = load("terminal.txt")

    def strictly(succ):
        return all(plain.grundy(succ, (v,)) < len(after) for v, after in enumerate(succ))

    def strictly_where_there_is_a_move(succ):
        return all(plain.grundy(succ, (v,)) < len(after) for v, after in enumerate(succ) if after)

    assert smallest(strictly, succ)
    assert zm.grundy(graph)["v"] == 0
    graph, succ = load("one-move.txt")
    assert smallest(strictly_where_there_is_a_move, succ)
    assert zm.grundy(graph)["u"] == 1
    for other in SMALL:
        values = [plain.grundy(other, (v,)) for v in range(len(other))]
        assert all(g <= len(after) for g, after in zip(values, other, strict=True))
    edge = [[1], [0]]  # so the remark on degree c fails, too: c = 1 and the value is 1
    assert plain.grundy(edge, (0,)) == 1
    assert zm.eggs(zm.generators.path(2, symmetric=True).graph, 0) == 1


def test_edmonds_gurvich_the_winners_of_no_return_and_no_repetition_are_the_same():
    text = (FOLDER / "satisfiable.cnf").read_text()
    game = sat_gadget(text)
    succ = [game.graph.successors(v).tolist() for v in range(game.graph.n)]
    start = game.graph.index("u1")
    drawn, _ = load("satisfiable.txt")
    assert moves(drawn) == moves(game.graph)
    for name, objective in zip(
        plain.FOUR, (zm.NoReturn(), zm.Return(), zm.NoRepetition(), zm.Repetition()), strict=True
    ):
        assert plain.wins(succ, name, (start,))
        assert zm.solve(game.graph, objective, start="u1")["u1"].label == WIN
    literals = (1, -1, 2, -2)
    clauses = [c for k in (1, 2) for c in itertools.combinations(literals, k)]
    for k in (1, 2, 3):
        for chosen in itertools.combinations(clauses, k):
            rows = "".join(f"{' '.join(map(str, c))} 0\n" for c in chosen)
            graph = sat_gadget(f"p cnf 2 {k}\n{rows}").graph
            succ = [graph.successors(v).tolist() for v in range(graph.n)]
            assert len({plain.wins(succ, name, (0,)) for name in plain.FOUR}) == 1


def test_edmonds_gurvich_a_symmetric_game_of_return_with_a_loop():
    def second_wins(succ):
        return all(not plain.wins(succ, "return", (v,)) for v, after in enumerate(succ) if after)

    graph, succ = load("loop.txt")
    symmetric = [s for s in SMALL if all(v in s[w] for v, after in enumerate(s) for w in after)]
    assert smallest(second_wins, succ, symmetric)
    assert zm.solve(graph, zm.Return())["v"].label == WIN
    for other in symmetric:  # true instead: player 2 wins unless the start is stuck or has a loop
        for v, after in enumerate(other):
            assert plain.wins(other, "return", (v,)) == (not after or v in after)


@pytest.mark.slow
def test_edmonds_gurvich_theorem_3_has_no_positional_strategies():
    graph, succ = load("two-entries.txt")
    start = graph.index("s")
    assert zm.classify(graph).kind == "symacyclic"
    assert not plain.wins(succ, "no-return", (start,))  # so player 2 wins
    assert not plain.wins_by_position(succ, "no-return", start, 1)
    for n in range(1, graph.n):
        for other in plain.symacyclic_games(n):
            winner = 0 if plain.wins(other, "no-return", (0,)) else 1
            assert plain.wins_by_position(other, "no-return", 0, winner)
    solved = zm.solve(graph, zm.NoReturn()).verify()
    assert solved["s"].label == LOSE
    assert solved.winning_moves(["s", "v", "l", "m"]) == ("r",)
    assert solved.winning_moves(["s", "w", "r", "m"]) == ("l",)
    assert solved.strategy("s").positional is None


# ------------------------------------------------- the page


def test_every_counterexample_is_on_the_page():
    page = (ROOT / "docs" / "errata.md").read_text()
    wrong, _ = pages.check(page)
    assert not wrong, "\n\n".join(wrong)
    for path in FOLDER.iterdir():
        assert f"examples/errata/{path.name}" in page
    for name in re.findall(r"examples/[\w./-]+", page):
        assert (ROOT / name).exists()


@pytest.mark.parametrize("path", sorted(FOLDER.iterdir()), ids=lambda path: path.name)
def test_every_file_says_what_it_is(path):
    assert re.match(r"[#c] .*[Ee]rrat", path.read_text())
