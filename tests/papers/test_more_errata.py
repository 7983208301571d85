"""More errata of ``docs/errata.md``: every counterexample by the definitions, none smaller."""

import itertools

import numpy as np

import zermelo as zm
from tests.papers import plain
from tests.papers.plain import ASYMMETRIC, DRAW, LOSE, WIN
from tests.papers.test_errata import ROOT, SMALL, cycles, distances, load, smallest, turns

EXAMPLES = ROOT / "examples"

# ------------------------------------------------- [Loewe2004]


def wins_h1(succ, v, back):
    """Whether player 0 wins H₁ from v to the letter: the players name any positions in turn.

    The first name that is no move is X(n). Player 0 wins if player 1 gave it, or else if X(n), or
    X(n − 1) with ``back``, is terminal; without such a name player 1 wins.
    """

    def wins(u, player, left):
        if left == 0:
            return False
        results = (
            wins(w, 1 - player, left - 1)
            if w in succ[u]
            else player == 1 or not succ[u if back else w]
            for w in range(len(succ))
        )
        return any(results) if player == 0 else all(results)

    return wins(v, 0, 2 * len(succ) + 1)


def test_loewe_h1_means_the_position_before():
    def proposition_3_4(back):
        """val(H₁) = L iff val(A) = L."""

        def claim(succ):
            return all(
                wins_h1(succ, v, back) == (plain.payoff(succ, v, 0, ASYMMETRIC) != LOSE)
                for v in range(len(succ))
            )

        return claim

    graph, succ = load("loop-and-terminal.txt")
    assert smallest(proposition_3_4(back=False), succ)
    assert all(map(proposition_3_4(back=True), SMALL[::3]))
    assert zm.solve(graph, zm.H1()).label[graph.index("s"), 0] == LOSE
    assert zm.solve(graph, zm.Asymmetric()).label[graph.index("s"), 0] == LOSE


def reached_situations(succ, v, player):
    """ConCom(A_G, ⟨player, v⟩)."""
    sets = plain.reached(turns(succ))[2 * v + player]
    return {(x // 2, x % 2) for x in sets}


def test_loewe_proposition_3_10_needs_the_values_of_the_situations():
    def sound(succ):
        """ℓ(W) is val(A(T, W)), in which player 0 starts, and ℓ†_e(v) is ℓ(W) for both e."""
        return all(
            plain.payoff(succ, v, 0, ASYMMETRIC) == (-1) ** e * plain.payoff(succ, v, e, ASYMMETRIC)
            for v in range(len(succ))
            for e in (0, 1)
        )

    graph, succ = load("terminal.txt")
    assert smallest(sound, succ)
    assert plain.payoff(succ, 0, 0, ASYMMETRIC) == DRAW
    assert zm.solve(graph, zm.Asymmetric()).label.tolist() == [[DRAW, LOSE]]
    for other in SMALL[::3]:  # ℓ† is total if every position can be reached from s
        if len(plain.reached(other)[0]) == len(other):
            both = reached_situations(other, 0, 0) | reached_situations(other, 0, 1)
            assert len(both) == 2 * len(other)


def partitions(n):
    """The number of the class of each position, for every equivalence relation."""
    return {tuple(map(classes.index, classes)) for classes in itertools.product(range(n), repeat=n)}


def well_defined(succ, classes):
    """Whether ⟨v, w⟩ ∈ E depends on the classes of v and w alone."""
    found = {}
    return all(
        found.setdefault((classes[v], classes[w]), w in succ[v]) == (w in succ[v])
        for v, w in itertools.product(range(len(succ)), repeat=2)
    )


def test_loewe_quotients_depend_on_the_members():
    def every_quotient(succ):
        return all(well_defined(succ, classes) for classes in partitions(len(succ)))

    _, succ = load("one-move.txt")
    assert smallest(every_quotient, succ)

    def of_bounded_epimorphisms(succ):
        """The same for the classes of bounded epimorphisms, as in Proposition 2.1."""
        return all(
            well_defined(succ, classes)
            for classes in partitions(len(succ))
            if len({(classes[v], *{classes[w] for w in succ[v]}) for v in range(len(succ))})
            == len(set(classes))
        )

    graph, succ = load("two-cycle.txt")
    assert smallest(of_bounded_epimorphisms, succ)
    assert zm.transform.is_bounded_epimorphism(graph, "a", zm.Graph.from_edges([(0, 0)]), 0, [0, 0])
    assert zm.transform.quotient(graph, [0, 0]).to_edges().tolist() == [[0, 0]]  # some member


# ------------------------------------------------- [GamesOnGraphs]


def rounds(succ):
    """The index t at which ℓ_t first decides each position, with ℓ₀ = ⊥ and ℓ_{t+1} = Φ(ℓ_t)."""
    label, rank = [None] * len(succ), [None] * len(succ)
    for t in range(1, len(succ) + 2):
        before = list(label)
        for v, after in enumerate(succ):
            if before[v] is None and any(before[w] == LOSE for w in after):
                label[v], rank[v] = WIN, t
            elif before[v] is None and all(before[w] == WIN for w in after):
                label[v], rank[v] = LOSE, t
    return rank


def test_games_on_graphs_4_2_ranks_begin_with_one():
    def claim(succ):
        return all(rank == 0 for rank, after in zip(rounds(succ), succ, strict=True) if not after)

    graph, succ = load("terminal.txt")
    assert smallest(claim, succ)
    for other in SMALL:  # true instead: the distance is one less
        _, known = distances(other)
        assert [None if t is None else t - 1 for t in rounds(other)] == known
    assert zm.labelling_operator(graph, [0]).tolist() == [LOSE]  # ℓ₁
    assert zm.solve(graph)["v"].distance == 0


def least(succ, step):
    """μX. step(X), where a step takes a set of positions and gives one."""
    inside = set()
    for _ in range(len(succ) + 1):
        inside = step(inside)
    return inside


def diamond(succ, inside):
    return {v for v, after in enumerate(succ) if inside & set(after)}


def box(succ, inside):
    return {v for v, after in enumerate(succ) if set(after) <= inside}


def labelled(succ, label):
    return {v for v, x in enumerate(plain.labels(succ)) if x == label}


def test_games_on_graphs_12_the_formulas_need_both_players():
    def ends(succ):
        return {v for v, after in enumerate(succ) if not after}

    def reaching(succ):
        """μX. (t ∨ ◇X); its complement is νY. (¬t ∧ □Y)."""
        return least(succ, lambda x: ends(succ) | diamond(succ, x))

    _, succ = load("terminal.txt")
    assert smallest(lambda g: reaching(g) == labelled(g, WIN), succ)
    graph, succ = load("two-moves.txt")
    assert smallest(lambda g: reaching(g) - ends(g) == labelled(g, WIN), succ)
    assert zm.evaluate("mu X. t | <>X", graph, t=["w"]).all()
    assert zm.solve(graph)["u"].label == LOSE
    graph, succ = load("loop-and-chain.txt")
    everything = set(range(3))
    assert everything - reaching(succ) == set()  # νY is empty, and b is a draw
    assert smallest(lambda g: set(range(len(g))) - reaching(g) == labelled(g, DRAW), succ)
    assert zm.solve(graph)["b"].label == DRAW
    for other in SMALL:  # true instead
        won = least(other, lambda x, g=other: diamond(g, box(g, x)))
        lost = least(other, lambda x, g=other: box(g, diamond(g, x)))
        assert (won, lost) == (labelled(other, WIN), labelled(other, LOSE))


def sum_label(first, second):
    """The label of the start (0, 0) of a sum under normal play."""
    n = len(second)
    both = [
        [w * n + y for w in first[v]] + [v * n + z for z in second[y]]
        for v in range(len(first))
        for y in range(n)
    ]
    return plain.labels(both)[0]


def heap(k):
    """A heap of k, whose start is position 0."""
    return [list(range(j + 1, k + 1)) for j in range(k + 1)]


def started(succ, v):
    """The same graph with v as position 0."""
    names = [v, *(u for u in range(len(succ)) if u != v)]
    return [[names.index(w) for w in succ[u]] for u in names]


def test_games_on_graphs_10_2_cycles_may_have_finite_values():
    def none_is_finite(succ):
        """No position from which a cycle can be reached has a sum with a heap that is lost."""
        cyclic = {v for v, after in cycles(succ) if v in after}
        return not any(
            sum_label(started(succ, v), heap(k)) == LOSE
            for v, reach in enumerate(plain.reached(succ))
            if reach & cyclic
            for k in range(3)
        )

    graph, succ = load("two-cycle-with-exit.txt")
    assert smallest(none_is_finite, succ)
    others = [*plain.digraphs(1), *list(plain.digraphs(2))[::5], heap(2)]
    for name, value in {"a": 1, "b": 0, "t": 0}.items():
        component = started(succ, graph.index(name))
        for other in others:
            assert sum_label(component, other) == sum_label(heap(value), other)
        assert zm.grundy(graph)[name] == value


def test_games_on_graphs_9_2_parity_reduces_to_mean_payoff():
    """Jurdziński's weights (−n)^p give the winners, and no larger graph: n positions, still."""
    for owner in itertools.product((0, 1), repeat=2):
        for priority in ((0, 1), (1, 0), (1, 2), (2, 1)):
            graph = zm.Graph.from_edges([(0, 0), (0, 1), (1, 0)], owner=owner)
            game = zm.transform.parity_to_mean_payoff(graph, zm.Parity(priority))
            assert game.graph.n == 2
            won = zm.solve(game.graph, game.objective).winner
            assert won.tolist() == zm.solve(graph, zm.Parity(priority)).winner.tolist()
    sizes = [
        zm.transform.mean_payoff_to_parity(graph, zm.MeanPayoff([-w, w, w], 0)).graph.n
        for w in (1, 10, 100)
    ]
    assert np.ptp(np.diff(sizes) / [9, 90]) == 0  # the other way grows with the weights, not digits


# ------------------------------------------------- [EdmondsGurvich2010]


def looped(succ):
    """D′."""
    return [after or [v] for v, after in enumerate(succ)]


def test_edmonds_gurvich_loops_at_terminals_and_no_repetition():
    acyclic = [g for g in SMALL if all(v not in after for v, after in cycles(g))]

    def same_winners(game, stuck):
        """The game on D′ has the winners of play on D in which a stuck player has this label."""
        payoffs = (WIN, LOSE, DRAW) if stuck == WIN else plain.SYMMETRIC

        def claim(succ):
            return all(
                plain.wins(looped(succ), game, (v,)) == (plain.payoff(succ, v, 0, payoffs) == WIN)
                for v in range(len(succ))
            )

        return claim

    graph, succ = load("terminal.txt")
    assert smallest(same_winners("no-repetition", LOSE), succ, acyclic)
    assert smallest(same_winners("repetition", WIN), succ, acyclic)
    assert all(map(same_winners("no-return", LOSE), acyclic))
    assert all(map(same_winners("return", WIN), acyclic))
    assert all(map(same_winners("no-repetition", WIN), acyclic))  # true instead: they are swapped
    assert all(map(same_winners("repetition", LOSE), acyclic))
    made = zm.transform.loops_at_terminals(graph)
    assert zm.solve(graph, zm.NoRepetition())["v"].label == LOSE
    assert zm.solve(made, zm.NoRepetition())["v"].label == WIN


def test_figure_1_as_it_was_redrawn_refutes_theorem_3():
    drawn = zm.read(EXAMPLES / "edmonds-gurvich2010" / "figure-1-four-games.txt").graph
    graph, _ = load("two-entries.txt")
    names = dict(zip(["v0", "x", "x'", "y", "y'", "v"], "svwlrm", strict=True))
    same = {(names[drawn.name(u)], names[drawn.name(v)]) for u, v in drawn.to_edges().tolist()}
    assert same == {(graph.name(u), graph.name(v)) for u, v in graph.to_edges().tolist()}
    assert zm.classify(drawn).kind == "symacyclic"
