"""Passes: what each decides, leaves and promises, alone and before every solver."""

import functools
import itertools
import random

import numpy as np
import pytest
from click.testing import CliRunner
from tests import oracles_parity
from tests.contract.test_parity_solvers import CASES, corpus
from tests.sampling import rounds

import zermelo as zm
from zermelo.cli.main import cli
from zermelo.graph import Graph
from zermelo.solutions.parity import parity_solution
from zermelo.solvers.infinite import components, passes, zielonka
from zermelo.solvers.infinite.frame import ParityGame, make_game

NAMES = [row.name for row in passes.PASSES]
REDUCE = {
    "self-loops": passes.self_loops,
    "winner-controlled-cycles": passes.winner_controlled_cycles,
    "single-parity": passes.single_parity,
    "compress": passes.compress,
    "lower": passes.lower,
    "inflate": passes.inflate,
}
PRIORITIES = ("compress", "lower", "inflate")

over_passes = pytest.mark.parametrize("name", NAMES)
over_reductions = pytest.mark.parametrize("name", REDUCE)
over_priorities = pytest.mark.parametrize("name", PRIORITIES)


def make(edges, owner, priority):
    graph = Graph.from_edges(edges, n=len(owner), owner=owner)
    return ParityGame(graph, np.array(priority, np.int32))


def lists(game):
    moves = [game.graph.successors(v).tolist() for v in range(game.n)]
    return moves, game.owner.tolist(), game.priority.tolist()


def random_game(rng, most):
    n = rng.randint(1, most)
    degree = rng.choice([1, 2, 2, 3])
    edges = [(v, w) for v in range(n) for w in rng.sample(range(n), min(n, rng.randint(1, degree)))]
    owner = [rng.randint(0, 1) for _ in range(n)]
    if rng.random() < 0.2:  # one player has all the choices
        several = {v for v in range(n) if sum(u == v for u, _ in edges) > 1}
        owner = [1 if v in several else x for v, x in enumerate(owner)]
    colours = rng.randint(1, n + 2)
    step = 2 if rng.random() < 0.1 else rng.choice([1, 1, 3])
    return make(edges, owner, [step * rng.randrange(colours) for _ in range(n)])


@functools.cache
def small_games():
    rng = random.Random(7)
    games = [random_game(rng, most) for most in (3, 5, 7, 9) for _ in range(400)]
    return [(game, oracles_parity.zielonka(*lists(game))) for game in games]


def assert_right(game, answer, winner):
    assert answer.winner.tolist() == winner, lists(game)
    for player in (0, 1):
        assert oracles_parity.strategy_wins(lists(game), winner, player, answer.strategy.tolist())
    objective = zm.Parity(game.priority)
    parity_solution(game.graph, objective, "x", answer.winner, answer.strategy).verify()


# -------------------------------------------------------------------- every pass


@pytest.mark.slow
@over_passes
def test_before_zielonka(name):
    run = passes.prepared(zielonka.run, [name])
    for game, winner in small_games():
        assert_right(game, run(game, None), winner)


@pytest.mark.slow
def test_in_every_order():
    rng = random.Random(11)
    for game, winner in small_games():
        chosen = rng.sample(NAMES, rng.randint(2, len(NAMES))) + rng.choices(NAMES, k=2)
        assert_right(game, passes.prepared(zielonka.run, chosen)(game, None), winner)


@pytest.mark.sampled
@pytest.mark.parametrize(("solver", "keyword"), CASES)
def test_before_every_solver(solver, keyword):
    rng = random.Random(f"{solver} {keyword}")
    chosen = [[name] for name in NAMES] + [NAMES, ["components", *NAMES[:-1]]]
    for graph, objective, winner in rng.sample(corpus(keyword), rounds(60)):
        for names in chosen:
            s = zm.solve(graph, objective, solver=solver, passes=names)
            assert s.winner.tolist() == winner, (names, graph.to_edges().tolist(), objective)
            s.verify()


@pytest.mark.slow("self-loops", "winner-controlled-cycles")
@over_reductions
def test_what_is_left_is_a_game_of_its_own(name):
    reduced_some = decided_all = found_nothing = False
    for game, winner in small_games():
        before = lists(game)
        found = REDUCE[name](game)
        assert lists(game) == before
        left = found.game
        if found.winner is None:
            assert left.n == game.n
            assert left.graph is game.graph
            found_nothing |= left is game
        else:
            kept = [v for v in range(game.n) if found.winner[v] < 0]
            assert left.n == len(kept)
            assert all(found.winner[v] in (-1, winner[v]) for v in range(game.n))
            assert (np.diff(left.moves.indptr) > 0).all()
            # Only loops may be gone between positions that are left.
            inner = {
                (kept.index(v), kept.index(w)) for v in kept for w in before[0][v] if w in kept
            }
            gone = inner - set(map(tuple, left.graph.to_edges().tolist()))
            assert all(v == w for v, w in gone)
            assert not gone or name == "self-loops"
            assert left.owner.tolist() == [before[1][v] for v in kept]
            assert oracles_parity.zielonka(*lists(left)) == [winner[v] for v in kept]
            decided_all |= not kept
        reduced_some |= left is not game
    assert reduced_some
    assert found_nothing
    assert decided_all == (name not in PRIORITIES)


@over_reductions
def test_a_repeated_pass_makes_the_game_smaller_until_it_ends(name):
    """What finds nothing, finds nothing when tried again, and passes end."""
    for game, _ in small_games()[::5]:
        left = game
        for _ in range(game.n + 3):
            before, left = left, REDUCE[name](left).game
            if left is before:
                break
            assert left.n < before.n or left.graph.m < before.graph.m or name in PRIORITIES
        assert REDUCE[name](left).game is left


@over_passes
def test_no_positions(name):
    empty = make([], [], [])
    answer = passes.prepared(zielonka.run, [name])(empty, None)
    assert answer.winner.size == answer.strategy.size == 0


@over_reductions
def test_a_solver_runs_only_if_something_is_left(name):
    def never(game, progress):
        raise AssertionError(f"{game.n} positions were left")

    one = make([(0, 1), (1, 0), (1, 1)], [1, 1], [1, 1])
    run = passes.reducing(REDUCE[name])(never)
    if name in PRIORITIES:
        with pytest.raises(AssertionError, match="2 positions"):
            run(one, None)
    else:
        answer = run(one, None)
        assert answer.winner.tolist() == [1, 1]
        assert answer.stats == {"positions_left": 0}


# -------------------------------------------------------------------- passes that decide


def test_no_loop_is_left():
    for game, _ in small_games():
        loops = any(v in game.graph.successors(v) for v in range(game.n))
        found = passes.self_loops(game)
        assert (found.game is game) == (not loops)
        left = found.game.graph
        assert not any(v in left.successors(v) for v in range(left.n))


def controlled(game, player):
    """The positions on a cycle of the player's, on which nobody else has a choice."""
    moves, owner, priority = lists(game)
    mine = {v for v in range(game.n) if owner[v] == player or len(moves[v]) == 1}
    inner = {v: [w for w in moves[v] if w in mine] for v in mine}
    found = set()
    for v in mine:
        if priority[v] % 2 != player:
            continue
        low = {u for u in mine if priority[u] <= priority[v]}
        ahead = closure({u: [w for w in inner[u] if w in low] for u in low}, v)
        behind = closure({u: [w for w in low if u in inner[w]] for u in low}, v)
        if v in ahead:
            found |= (ahead & behind) | {v}
    return found


def closure(moves, start):
    seen, waiting = set(), list(moves[start])
    while waiting:
        v = waiting.pop()
        if v not in seen:
            seen.add(v)
            waiting += moves[v]
    return seen


@pytest.mark.slow
def test_controlled_cycles_are_all_found():
    for game, _ in small_games():
        found = passes.winner_controlled_cycles(game)
        cycles = [controlled(game, player) for player in (0, 1)]
        assert (found.game is game) == (not any(cycles))
        if found.winner is None:
            continue
        moves, owner, _ = lists(game)
        everything = set(range(game.n))
        for player in (0, 1):
            won = oracles_parity.attractor(moves, owner, everything, player, cycles[player])
            assert set(np.flatnonzero(found.winner == player).tolist()) == won


def test_one_parity_or_one_chooser():
    decided = 0
    for game, _ in small_games():
        moves, owner, priority = lists(game)
        choosers = {owner[v] for v in range(game.n) if len(moves[v]) > 1}
        trivial = len({p % 2 for p in priority}) == 1 or len(choosers) < 2
        found = passes.single_parity(game)
        assert (found.game.n == 0) == trivial
        assert (found.game is game) == (not trivial)
        decided += trivial
    assert decided > 100


def staircase(k):
    """One player's ring of pairs, each cut off from the rest by its own worst position."""
    # Position 0 is the core, 2i + 1 the bad one of pair i, 2i + 2 the good one behind it.
    edges = [(0, 0)]
    for i in range(k):
        bad, good = 2 * i + 1, 2 * i + 2
        edges += [(0, bad), (bad, 0), (bad, good), (good, bad)]
    return make(edges, [0] * (2 * k + 1), [0] + [3 + 2 * (i // 2) - i % 2 for i in range(2 * k)])


def test_passes_end_after_many_searches(monkeypatch):
    game = staircase(40)
    assert passes.winner_controlled_cycles(game).game is game  # 40 searches are too many
    assert passes.single_parity(game).game is game
    monkeypatch.setattr(passes, "MAX_SEARCH_FACTOR", 100)
    found = passes.single_parity(game)
    assert found.game.n == 0
    answer = found.lift(zielonka.run(found.game))
    assert_right(game, answer, oracles_parity.zielonka(*lists(game)))


# -------------------------------------------------------------------- passes on priorities


def cycles_of(game):
    """Every simple cycle, as the list of its positions; the least one comes first."""
    moves = lists(game)[0]

    def extend(path):
        for w in moves[path[-1]]:
            if w == path[0]:
                yield list(path)
            elif w > path[0] and w not in path:
                yield from extend([*path, w])

    return itertools.chain.from_iterable(extend([v]) for v in range(game.n))


@over_priorities
def test_cycles_keep_their_winners(name):
    for game, _ in small_games()[:1200]:
        changed = REDUCE[name](game).game.priority
        for cycle in cycles_of(game):
            assert (changed[cycle].max() - game.priority[cycle].max()) % 2 == 0


def test_compressed_priorities():
    for game, _ in small_games():
        p, q = game.priority.tolist(), passes.compress(game).game.priority.tolist()
        assert set(q) in (set(range(max(q) + 1)), set(range(1, max(q) + 1)))
        for (a, x), (b, y) in itertools.combinations(zip(p, q, strict=True), 2):
            between = [c for c in p if min(a, b) <= c <= max(a, b)]
            changes = any((c - a) % 2 for c in between)
            assert (x == y) == (not changes)
            assert (x < y) == (changes and a < b)
    far = make([(0, 1), (1, 0)], [0, 1], [2**31 - 3, 8])
    assert passes.compress(far).game.priority.tolist() == [1, 0]


def test_lowered_priorities():
    for game, _ in small_games():
        moves, _, p = lists(game)
        q = passes.lower(game).game.priority.tolist()
        ahead = [closure(moves, v) for v in range(game.n)]
        for v in range(game.n):
            own = [w for w in ahead[v] if v in ahead[w]]
            if not own:
                assert q[v] == 0
                continue
            ranked = sorted({p[w] for w in own})
            changes = sum(
                (a - b) % 2 for a, b in itertools.pairwise([x for x in ranked if x <= p[v]])
            )
            assert q[v] == ranked[0] % 2 + changes


def test_inflated_priorities():
    for game, _ in small_games():
        moves, _, p = lists(game)
        q = passes.inflate(game).game.priority.tolist()
        ahead = [closure(moves, v) for v in range(game.n)]
        for v in range(game.n):
            assert q[v] >= p[v]
            assert q[v] in p
            own = [w for w in moves[v] if v in ahead[w]]
            assert q[v] >= min((p[w] for w in own), default=0)
            own = [w for w in ahead[v] if v in moves[w]]
            assert q[v] >= min((p[w] for w in own), default=0)


# -------------------------------------------------------------------- strong components


@pytest.mark.parametrize("breadth", [False, True])
def test_strong_components(monkeypatch, breadth):
    if breadth:
        monkeypatch.setattr(components, "MIN_BREADTH_FIRST", 0)
        monkeypatch.setattr(components, "has_locality", lambda indices: False)
    rng = random.Random(3)
    for game, _ in small_games():
        n = game.n
        inside = {v for v in range(n) if rng.random() < 0.8}
        mark = np.array([0 if v in inside else n + 1 for v in range(n)], np.int32)
        order = components.components_of(game, mark).tolist()
        assert sorted(order) == sorted(inside)
        moves = {v: [w for w in game.graph.successors(v).tolist() if w in inside] for v in inside}
        ahead = {v: closure(moves, v) | {v} for v in inside}
        assert all(mark[v] == n + 1 for v in range(n) if v not in inside)
        for v, w in itertools.product(inside, repeat=2):
            assert (mark[v] == mark[w]) == (w in ahead[v] and v in ahead[w])
        assert all(mark[w] >= mark[v] for v in inside for w in moves[v])
        assert [int(mark[v]) for v in order] == sorted((int(mark[v]) for v in inside), reverse=True)
        assert len(set(mark[order].tolist())) == n + 1 - min(mark.min(initial=n + 1), n + 1)


@pytest.mark.slow
@pytest.mark.parametrize("most", [0, 1, 2])
def test_after_many_runs_the_rest_is_solved_as_one_game(monkeypatch, most):
    monkeypatch.setattr(components, "MOST_RUNS", most)
    run = components.by_components(zielonka.run)
    for game, winner in small_games():
        answer = run(game, None)
        assert_right(game, answer, winner)
        assert answer.stats.get("runs", 0) <= most + 1


def test_runs_see_undecided_parts_of_one_component():
    runs = 0
    for game, _ in small_games():
        seen = []

        def spy(part, progress):
            seen.append(part)  # noqa: B023
            return zielonka.run(part, progress)

        stats = components.by_components(spy)(game, None).stats
        moves = lists(game)[0]
        ahead = [closure(moves, v) | {v} for v in range(game.n)]
        classes = {frozenset(w for w in ahead[v] if v in ahead[w]) for v in range(game.n)}
        assert stats["components"] == len(classes)
        if len(classes) > 1:
            assert stats["runs"] == len(seen)
            assert len(seen) <= sum(len(c) > 1 for c in classes)
            assert all(len(set((part.priority & 1).tolist())) == 2 for part in seen)
            assert all(part.n <= max(map(len, classes)) for part in seen)
        runs += len(seen)
    assert runs > 100


def test_trivial_components_are_never_run():
    def never(game, progress):
        raise AssertionError("nothing is left to run")

    n = 100_000
    v = np.arange(n)
    graph = Graph.from_arrays(
        np.concatenate([v, v[:-1]]), np.concatenate([v, v[1:]]), n, owner=(v % 2).astype(np.int8)
    )
    answer = components.by_components(never)(ParityGame(graph, v.astype(np.int32)), None)
    # Everyone at an own priority stays there for ever.
    assert np.array_equal(answer.winner, v % 2)
    assert np.array_equal(answer.strategy, v)
    assert answer.stats == {"components": n, "runs": 0}


# -------------------------------------------------------------------- large games, compiled


def large_game(seed, n, degree, colours):
    rng = np.random.default_rng(seed)
    source = np.repeat(np.arange(n), rng.integers(1, degree + 1, n))
    graph = Graph.from_arrays(source, rng.integers(0, n, source.size), n, rng.integers(0, 2, n))
    return graph, zm.Parity(rng.integers(0, colours, n))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(("degree", "colours"), [(2, 5), (2, 300), (8, 100_000)])
def test_large_games(degree, colours):
    graph, objective = large_game(degree, 100_000, degree, colours)
    winner = zm.solve(graph, objective).winner
    for names in ([], *([name] for name in NAMES), NAMES):
        s = zm.solve(graph, objective, solver="zielonka", passes=names)
        assert np.array_equal(s.winner, winner)
        s.verify()


@pytest.mark.slow
@pytest.mark.compiled
def test_compiled(monkeypatch):
    monkeypatch.setenv("ZERMELO_KERNELS", "compile")
    for name in NAMES:
        run = passes.prepared(zielonka.run, [name])
        for game, winner in small_games()[::8]:
            assert_right(game, run(game, None), winner)


@pytest.mark.slow
@pytest.mark.compiled
def test_breadth_and_depth_agree(monkeypatch):
    game = make_game(*large_game(1, 100_000, 2, 5))
    found = [np.zeros(game.n, np.int32), np.zeros(game.n, np.int32)]
    components.components_of(game, found[0])
    monkeypatch.setattr(components, "MIN_BREADTH_FIRST", game.n)
    components.components_of(game, found[1])
    pairs = {tuple(x) for x in np.stack(found, axis=1).tolist()}
    assert len(pairs) == np.unique(found[0]).size == np.unique(found[1]).size


# -------------------------------------------------------------------- asking for passes


def test_by_name():
    graph, objective = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1]), zm.Parity([4, 9])
    s = zm.solve(graph, objective, solver="spm", passes=("components", "compress"))
    assert s.winner.tolist() == [1, 1]
    assert zm.solve(graph, objective, passes="single-parity").stats == {"positions_left": 0}
    with pytest.raises(zm.errors.UnknownNameError, match="no pass is called 'compres'; did you me"):
        zm.solve(graph, objective, passes=["compres"])
    with pytest.raises(zm.errors.SolverError, match="'retrograde' has no option 'passes'"):
        zm.solve(graph, passes=["compress"])


def test_on_the_command_line(tmp_path):
    path = tmp_path / "game.pg"
    zm.write((zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1]), zm.Parity([4, 9])), path)

    def run(*options):
        return CliRunner().invoke(cli, ["solve", str(path), *options], prog_name="zermelo")

    plain = run()
    assert plain.exit_code == 0
    assert run("--pass", "components", "--pass", "compress", "--verify").stdout == plain.stdout
    bad = run("--pass", "loops")
    assert bad.exit_code == 2
    assert "no pass is called 'loops'" in bad.stderr
