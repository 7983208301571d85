"""Attacks on the checker of terminal-payoff games: no wrong entry anywhere may pass."""

import dataclasses
import itertools
import random
from fractions import Fraction

import numpy as np
import pytest

import zermelo as zm
from tests import games, oracles
from zermelo.errors import CertificateError
from zermelo.verify.terminal import check_terminal

DRAW = zm.NO_DISTANCE


def forged(solution, move=None, **arrays):
    """A copy of a solution with other arrays (or lists) and, if given, other moves."""
    changes = {
        name: np.array(new, getattr(solution, name).dtype) if isinstance(new, list) else new
        for name, new in arrays.items()
    }
    copy = dataclasses.replace(solution, **changes)
    if move is not None:
        copy.__dict__["move"] = np.array(move, np.int32)
    return copy


def changed(array, s, x):
    copy = array.copy()
    copy.reshape(-1)[s] = x
    return copy


def sample(seed, most=5):
    rng = random.Random(seed)
    graph = games.random_digraph(rng, most)
    objective = games.objective(games.KEYWORDS[seed % len(games.KEYWORDS)], graph, rng)
    return rng, zm.solve(graph, objective)


def wrong_entries(solution):
    """Every single wrong entry of labels, levels and distances; only one answer is right."""
    size = solution.level.size
    choices = {
        "label": [-1, 0, 1],
        "level": range(len(solution.form.levels)),
        "distance": range(DRAW, size + 1),
    }
    for name, values in choices.items():
        array = getattr(solution, name)
        for s, x in itertools.product(range(size), values):
            if array.reshape(-1)[s] != x:
                yield name, s, x


@pytest.mark.parametrize("seed", range(90))
def test_every_wrong_entry_is_refused(seed):
    _, solution = sample(seed)
    solution.verify()
    for name, s, x in wrong_entries(solution):
        with pytest.raises(CertificateError):
            forged(solution, **{name: changed(getattr(solution, name), s, x)}).verify()


@pytest.mark.sampled(cases=59)
@pytest.mark.parametrize("seed", range(90))
def test_every_wrong_value_with_its_label_is_refused(seed):
    """A level changed together with its label, and with each possible distance."""
    _, solution = sample(seed)
    form, size = solution.form, solution.level.size
    signs = [oracles.sign(x) for x in form.levels]
    for s, c in itertools.product(range(size), range(len(form.levels))):
        if c == solution.level.reshape(-1)[s]:
            continue
        mover = s % 2 if form.doubled else 0
        if solution.graph.owner is not None:
            mover = solution.graph.owner[s]
        level = changed(solution.level, s, c)
        label = changed(solution.label, s, -signs[c] if mover else signs[c])
        for d in range(DRAW, size + 1):
            claim = forged(
                solution, level=level, label=label, distance=changed(solution.distance, s, d)
            )
            with pytest.raises(CertificateError):
                claim.verify()


@pytest.mark.parametrize("seed", range(120))
def test_random_wrong_tables_are_refused(seed):
    """Several entries together, on larger graphs; any difference from the truth must fail."""
    rng, solution = sample(seed, most=8)
    names = ("label", "level", "distance")
    for _ in range(20):
        arrays = {name: getattr(solution, name).copy() for name in names}
        for _ in range(rng.randint(1, 4)):
            name, s = rng.choice(names), rng.randrange(solution.level.size)
            top = len(solution.form.levels) - 1
            low, high = {"label": (-1, 1), "level": (0, top), "distance": (-1, 9)}[name]
            arrays[name].reshape(-1)[s] = rng.randint(low, high)
        right = all(np.array_equal(arrays[name], getattr(solution, name)) for name in names)
        claim = forged(solution, **arrays)
        if right:
            claim.verify()
        else:
            with pytest.raises(CertificateError):
                claim.verify()


@pytest.mark.sampled(cases=58)
@pytest.mark.parametrize("seed", range(90))
def test_moves_are_accepted_iff_the_oracle_calls_them_best(seed):
    _, solution = sample(seed)
    graph = solution.graph
    game = oracles.game_of(graph, solution.objective)
    value, distance = oracles.solve(graph, solution.objective)
    right = solution.move
    for s in range(right.size):
        v, e = divmod(s, 2) if solution.form.doubled else (s, 0)
        e = e if graph.owner is None else int(graph.owner[v])
        best = oracles.best_moves(game, value, distance, (v, e)) or [zm.NO_MOVE]
        for w in range(-2, graph.n + 1):
            claim = forged(solution, move=changed(right, s, w))
            if w in best:
                check_terminal(claim)
            else:
                with pytest.raises(CertificateError):
                    claim.verify()


# -------------------------------------------------------------------- attacks with a plan


def two_cycle():
    return zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "a")]))


@pytest.mark.parametrize("distance", list(itertools.product(range(-1, 3), repeat=2)))
def test_a_two_cycle_is_not_won_whatever_the_distances(distance):
    """The labels (WIN, LOSE) on a ⇄ b are locally consistent but wrong, as the checker explains."""
    claim = forged(two_cycle(), level=[2, 0], label=[1, -1], distance=list(distance))
    with pytest.raises(CertificateError, match=r"position '[ab]': expected"):
        claim.verify()


def test_a_long_cycle_is_not_won():
    n = 40
    s = zm.solve(zm.Graph.from_edges([(k, (k + 1) % n) for k in range(n)]))
    label = [1, -1] * (n // 2)
    for start in range(n):
        distance = [(start - k) % n for k in range(n)]
        claim = forged(s, level=[x + 1 for x in label], label=label, distance=distance)
        with pytest.raises(CertificateError):
            claim.verify()


def test_an_asymmetric_cycle_is_not_drawn():
    """Infinite play is lost for player 0, so DRAW on a loop would need an end."""
    s = zm.solve(zm.Graph.from_edges([(0, 0)]), zm.Asymmetric())
    assert s.label.tolist() == [[-1, 1]]
    for distance in itertools.product(range(-1, 2), repeat=2):
        claim = forged(s, level=[[1, 1]], label=[[0, 0]], distance=[list(distance)])
        with pytest.raises(CertificateError):
            claim.verify()


def test_a_draw_claimed_as_a_win():
    g = zm.Graph.from_edges([("d", "e"), ("e", "d"), ("e", "w"), ("w", "t")])
    s = zm.solve(g).verify()
    assert s.label.tolist() == [0, 0, 1, -1]
    for distance in ([1, 2], [3, 2], [2, 1], [1, 0]):
        claim = forged(s, level=[2, 0, 2, 0], label=[1, -1, 1, -1], distance=[*distance, 1, 0])
        with pytest.raises(CertificateError):
            claim.verify()


def test_a_win_claimed_as_a_draw():
    g = zm.Graph.from_edges([("a", "t"), ("a", "b"), ("b", "a")])
    s = zm.solve(g).verify()
    claim = forged(s, level=[1, 0, 1], label=[0, -1, 0], distance=[DRAW, 0, DRAW])
    with pytest.raises(CertificateError, match="position 'a': expected value 1"):
        claim.verify()


def test_a_loss_claimed_as_a_draw():
    """All moves of a lead to WIN; its label DRAW violates no other condition."""
    s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "t")])).verify()
    claim = forged(s, level=[1, 2, 0], label=[0, 1, -1], distance=[DRAW, 1, 0])
    with pytest.raises(CertificateError, match="position 'a': expected value -1, the best of its"):
        claim.verify()


def test_a_move_where_there_is_one_and_none_at_an_end():
    s = zm.solve(zm.Graph.from_edges([("a", "t"), ("b", "a")])).verify()
    with pytest.raises(CertificateError, match="'a': expected a move, the solution claims none"):
        forged(s, move=[zm.NO_MOVE, zm.NO_MOVE, 0]).verify()
    with pytest.raises(CertificateError, match="'t': expected no move, the solution claims one"):
        forged(s, move=[1, 0, 0]).verify()
    with pytest.raises(CertificateError, match="'b': expected one of its moves, the solution cl"):
        forged(s, move=[1, zm.NO_MOVE, 1]).verify()


def test_distances_that_rise_together():
    """Every distance of a chain is one too large: only the end shows it."""
    g = zm.Graph.from_edges([*((k, k + 1) for k in range(9)), (10, 10), (11, 11)])
    s = zm.solve(g)
    late = s.distance.copy()
    late[:10] += 1
    with pytest.raises(CertificateError, match="position 9: expected distance 0 at an end"):
        forged(s, distance=late).verify()
    late = s.distance.copy()
    late[:5] += 2
    with pytest.raises(CertificateError, match="position 4: expected distance 5"):
        forged(s, distance=late).verify()


def tied():
    """x and y tie at t; z also ties, by a long or a short path; d draws for ever."""
    g = zm.Graph.from_edges([("x", "t"), ("y", "x"), ("z", "y"), ("z", "x"), ("d", "d")])
    s = zm.solve(g, zm.TerminalPayoff({"t": 0})).verify()
    return g, s


def test_ties_are_as_short_as_can_be():
    g, s = tied()
    assert s.distance[g.index("z")].tolist() == [2, 2]
    for v, e in itertools.product(range(g.n), (0, 1)):
        for step in (-1, +1):
            d = s.distance.copy()
            d[v, e] += step
            with pytest.raises(CertificateError):
                forged(s, distance=d).verify()


def test_a_tie_is_no_draw_and_a_draw_is_no_tie():
    g, s = tied()
    for name, d in (("z", DRAW), ("d", 1)):
        distance = s.distance.copy()
        distance[g.index(name)] = d
        with pytest.raises(CertificateError, match=f"position '{name}', player 0 to move"):
            forged(s, distance=distance).verify()
    loop = s.distance.copy()
    loop[g.index("d")] = [1, 2]  # each one differs by one from its successor
    with pytest.raises(CertificateError):
        forged(s, distance=loop).verify()


def test_ends_without_agreement_have_no_distance():
    g = zm.Graph.from_edges([(0, 1), (1, 0), (0, 2)], owner=[0, 0, 0])
    s = zm.solve(g, zm.Reach([1])).verify()
    assert s.distance.tolist() == [1, 0, DRAW]
    with pytest.raises(CertificateError, match="position 2, player 0 to move: expected distance"):
        forged(s, distance=[1, 0, 0]).verify()


# -------------------------------------------------------------------- shapes, types, forms, words


def test_shapes_and_types():
    s = zm.solve(zm.Graph.from_edges([(0, 1), (1, 2)]), zm.Asymmetric())
    for name in ("level", "label", "distance"):
        array = getattr(s, name)
        for other in (
            array.reshape(-1),
            array[:-1],
            array.astype(np.int64) if name != "level" else array.astype(np.float64),
            array.astype(np.uint8),
        ):
            with pytest.raises(CertificateError, match=f"{name}: expected"):
                forged(s, **{name: other.copy()}).verify()
    with pytest.raises(CertificateError, match="move: expected an array of shape"):
        forged(s, move=s.move[:, 0]).verify()
    claim = forged(s)
    claim.__dict__["move"] = s.move.astype(np.int64)
    with pytest.raises(CertificateError, match="move: expected int32"):
        claim.verify()
    forged(s, level=s.level.astype(np.int32)).verify()


@pytest.mark.parametrize(
    ("name", "entry", "message"),
    [
        ("level", 3, "expected level 0 … 2, the solution claims 3"),
        ("level", -1, "expected level 0 … 2, the solution claims -1"),
        ("label", 2, "expected label -1 … 1, the solution claims 2"),
        ("distance", -2, "expected distance -1 … 5, the solution claims -2"),
        ("distance", 2**31 - 1, "expected distance -1 … 5, the solution claims 2147483647"),
    ],
)
def test_ranges(name, entry, message):
    s = zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "c")]), zm.Asymmetric())
    with pytest.raises(CertificateError, match=f"position 'b', player 1 to move: {message}"):
        forged(s, **{name: changed(getattr(s, name), 3, entry)}).verify()


def test_the_form_is_read_again():
    """A solver of another game cannot hide that by the form in its solution."""
    g = zm.Graph.from_edges([(0, 1), (1, 2), (3, 3)])
    right, other = zm.solve(g, zm.Misere()), zm.solve(g, zm.NormalPlay())
    with pytest.raises(CertificateError, match=r"form\.absorbing_level"):
        dataclasses.replace(other, objective=right.objective).verify()
    with pytest.raises(CertificateError, match="position 2: expected payoff 1"):
        dataclasses.replace(other, objective=right.objective, form=right.form).verify()
    for wrong, name in (
        ({"levels": (-1, 0, 2)}, "levels"),
        ({"infinite": 0}, "infinite"),
        ({"agreed_ends": False}, "agreed_ends"),
        ({"absorbing": np.array([1], np.int32)}, "absorbing"),
    ):
        form = dataclasses.replace(right.form, **wrong)
        with pytest.raises(CertificateError, match=f"form.{name}:"):
            dataclasses.replace(right, form=form).verify()


def test_another_graph():
    s = zm.solve(zm.Graph.from_edges([(0, 1), (1, 2), (2, 0)]))
    other = zm.Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    with pytest.raises(CertificateError):
        dataclasses.replace(s, graph=other).verify()


def test_start_must_be_a_position():
    s = two_cycle()
    assert dataclasses.replace(s, start=1).verify().start == 1
    with pytest.raises(CertificateError, match="start: expected a position number 0 … 1, got 2"):
        dataclasses.replace(s, start=2).verify()


def test_messages_name_position_player_and_values():
    g = zm.Graph.from_edges(
        [("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")], owner={"a": 0, "b": 1, "x": 0, "y": 0}
    )
    s = zm.solve(g, zm.TerminalPayoff({"x": 2, "y": Fraction(5, 2)})).verify()
    b = g.index("b")
    claim = forged(s, level=changed(s.level, b, 2))
    with pytest.raises(CertificateError) as caught:
        claim.verify()
    assert str(caught.value) == (
        "position 'b', player 1 to move: expected value 2, the best of its moves, "
        "the solution claims 5/2"
    )
    with pytest.raises(CertificateError) as caught:
        forged(s, label=changed(s.label, b, 1)).verify()
    assert str(caught.value) == (
        "position 'b', player 1 to move: expected label LOSE, the solution claims WIN"
    )
    with pytest.raises(CertificateError) as caught:
        forged(s, move=changed(s.move, g.index("a"), g.index("x"))).verify()
    assert str(caught.value) == (
        "position 'a', player 0 to move: expected a move that keeps the value 5/2, "
        "the solution claims 'x', which makes it 2"
    )


# -------------------------------------------------------------------- large graphs, small blocks


@pytest.mark.slow(
    "asymmetric-False", "reach-False", "terminal-payoff-False", "terminal-payoff-True"
)
@pytest.mark.parametrize("owned", [False, True])
@pytest.mark.parametrize("keyword", ["normal", "asymmetric", "reach", "terminal-payoff"])
def test_a_million_moves(owned, keyword):
    rng = np.random.default_rng(7)
    n, m = 400_000, 1_000_000
    owner = rng.integers(0, 2, n) if owned else None
    graph = zm.Graph.from_arrays(rng.integers(0, n, m), rng.integers(0, n, m), n, owner)
    objective = {
        "normal": zm.NormalPlay(),
        "asymmetric": zm.Asymmetric(),
        "reach": zm.Reach(np.arange(0, n, 40)),
        "terminal-payoff": zm.TerminalPayoff(rng.integers(-50, 50, n), infinite=3),
    }[keyword]
    solution = zm.solve(graph, objective).verify()
    for name, s in itertools.product(("label", "level", "distance"), rng.integers(0, n, 2)):
        array = getattr(solution, name)
        x = array.reshape(-1)[s]
        with pytest.raises(CertificateError):
            forged(solution, **{name: changed(array, s, x - 1 if x > 0 else x + 1)}).verify()


@pytest.mark.parametrize("block", [1, 2, 3, 7])
def test_blocks_of_any_size(monkeypatch, block):
    """The division of rows into blocks makes no difference, also with empty rows between them."""
    monkeypatch.setattr("zermelo.verify.common.entries.MAX_MOVES_OF_BLOCK", block)
    for seed in range(90):
        rng, solution = sample(seed, most=8)
        solution.verify()
        attacks = list(wrong_entries(solution))
        for name, s, x in rng.sample(attacks, min(10, len(attacks))):
            with pytest.raises(CertificateError):
                forged(solution, **{name: changed(getattr(solution, name), s, x)}).verify()
