"""The families of parity games: sizes, moves by their definitions, winners, who finds them hard.

Definitions: PGSolver (tcsprojects/pgsolver, src/generators) and Oink (trolando/oink, src/tools),
written out here by names of positions and not by numbers.
"""

import itertools
import json

import numpy as np
import pytest
from click.testing import CliRunner
from tests.oracles_parity import game_of, zielonka

import zermelo as zm
import zermelo.testing.oracles.parity as oracle
from zermelo import generators as make
from zermelo.cli.main import cli
from zermelo.errors import InvalidOptionError
from zermelo.registry import GENERATORS

FAMILIES = [row.name for row in GENERATORS if row.objective == "parity"]


def numbered(names, rules):
    """A game from rules name -> (owner, priority, names of targets), with numbers in this order."""
    number = {name: k for k, name in enumerate(names)}
    found = [rules(name) for name in names]
    moves = [sorted(number[to] for to in targets if to in number) for _, _, targets in found]
    return moves, [owner for owner, _, _ in found], [priority for _, priority, _ in found]


def winners(game):
    return zielonka(*game_of(*game))


@pytest.mark.parametrize(
    ("name", "given", "n", "m"),
    [
        ("ladder", {"n": 7}, 14, 28),
        ("recursive-ladder", {"n": 7}, 35, 74),
        ("model-checker-ladder", {"n": 7}, 22, 29),
        ("jurdzinski", {"depth": 4, "width": 3}, 37, 84),
        ("hanoi", {"n": 4}, 81, 239),
        ("elevator", {"n": 3}, 564, 950),
        ("clique", {"n": 7}, 7, 42),
        ("clique", {"n": 7, "loops": True}, 7, 49),
        ("two-counters", {"n": 4}, 68, 128),
        ("recursive-dull", {"n": 7}, 21, 28),
        ("gazda", {"n": 7}, 24, 45),
        ("worst-core", {"n": 3}, 21, 40),
        ("worst-core", {"n": 3, "robust": True}, 54, 148),
        ("region-recovery", {"n": 7}, 28, 56),
        ("delayed-promotion", {"n": 7}, 32, 54),
        ("ordered-progress", {"n": 7}, 14, 20),
        ("switch-all", {"n": 3}, 49, 109),
    ],
)
def test_sizes(name, given, n, m):
    graph, _ = GENERATORS[name].load()(**given)
    assert (graph.n, graph.m) == (n, m)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("n", [6, 9])
def test_everybody_can_always_move_and_the_same_arguments_give_the_same_game(name, n):
    family = GENERATORS[name].load()
    given = {} if name in ("jurdzinski", "elevator") else {"n": n}
    graph, parity = family(**given)
    again, same = family(**given)
    assert graph.terminals.size == 0
    assert graph == again
    assert parity.priority.tolist() == same.priority.tolist()
    assert parity.convention == "max even"
    assert parity.priority.dtype == np.int32
    assert not parity.priority.flags.writeable
    assert graph.owner is not None


# ------------------------------------------------------------------- definitions


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_recursive_ladder_by_its_definition(n):
    def rules(name):
        letter, i = name
        who, other = i % 2, 1 - i % 2
        return {
            "a": (other, other, [("d", i - 1), ("b", i)]),
            "b": (who, other, [("a", i), ("c", i)]),
            "c": (other, 3 * i + 5, [("b", i + 1), ("d", i)]),
            "d": (who, 3 * i + 4, [("d", i - 1), ("d", i + 1), ("e", i)]),
            "e": (other, 3 * i + 3, [("d", i), ("b", i + 1)]),
        }[letter]

    names = [(x, i) for i in range(n + 1) for x in "abcde"][2:-3]
    assert game_of_raw(make.recursive_ladder(n)) == numbered(names, rules)


@pytest.mark.parametrize(("depth", "width"), [(1, 1), (1, 3), (2, 1), (3, 2), (4, 5)])
def test_jurdzinski_by_its_definition(depth, width):
    def rules(name):
        x, h, w = name
        if x == "A":
            return 0, 2 * h + 1, [("R", h, w)]
        if x == "L":
            above = [("A", h, w)] if h else []
            return int(h > 0), 2 * h, [("R", h, w - 1), ("R", h, w), *above]
        other = [("R", k, w) for k in range(1, depth)] if h == 0 else [("R", 0, w)]
        return int(h == 0), 2 * h if h else 1, [("L", h, w), ("L", h, w + 1), *other]

    names = []
    for h in range(depth):
        names += [("L", h, w) for w in range(width + 1)] + [("R", h, w) for w in range(width)]
        names += [("A", h, w) for w in range(width)] if h else []
    assert game_of_raw(make.jurdzinski(depth, width)) == numbered(names, rules)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_hanoi_by_its_rules(n):
    names = [tuple(v // 3**k % 3 for k in range(n)) for v in range(3**n)]

    def rules(pegs):
        if set(pegs) == {1}:
            return 0, 0, [pegs]
        top = {peg: min((k for k in range(n) if pegs[k] == peg), default=n) for peg in range(3)}
        targets = [
            tuple(b if k == top[a] else peg for k, peg in enumerate(pegs))
            for a in range(3)
            for b in range(3)
            if top[a] < top[b]
        ]
        return 0, 1, targets

    assert game_of_raw(make.hanoi(n)) == numbered(names, rules)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("fair", [False, True])
def test_elevator_by_its_rules(n, fair):
    def step(place, is_open, requests):
        if is_open or not requests:
            return place, False, requests
        there = place + np.sign(requests[0] - place)
        if there == requests[0]:
            return there, True, requests[1:]
        return there, False, requests

    def after(state):
        place, is_open, old = state
        lists = [old]
        for i in range(n):
            without = [x for x in old if x != i]
            lists.append((old if i in old else [*old, i]) if fair else [i, *without])
        return [step(place, is_open, requests) for requests in map(list, lists)]

    def key(state):
        return int(state[0]), state[1], tuple(state[2])

    states = [key((0, False, []))]
    for state in states:
        for found in after((state[0], state[1], list(state[2]))):
            if key(found) not in states:
                states.append(key(found))

    def rules(name):
        state, f = name
        at, pressed = state[0] == n - 1, n - 1 in state[2]
        here = {0: [1], 1: [2, 3], 3: [4, 5], 4: [4], 5: [6, 8], 7: [1], 8: [9, 10], 9: [9]}
        here[11] = [1]
        box = {2: 0, 6: 7, 10: 11}
        priority = {0: 2, 11: 1, 4: int(not at), 9: int(pressed)}.get(f, 0)
        if f in here:
            return int(f in (1, 5)), priority, [(state, g) for g in here[f]]
        next_states = {key(x) for x in after((state[0], state[1], list(state[2])))}
        return 1, priority, [(x, box[f]) for x in next_states]

    names = [(state, f) for state in states for f in range(12)]
    assert game_of_raw(make.elevator(n, fair)) == numbered(names, rules)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_two_counters_by_its_definition(n):
    def rules(name):
        x, i, p, j = name
        top, q = n * n + 9 * n - 2 * i, 1 - p
        bottom = 2 - p
        chain = [("S", i, p, k) for k in range(i)] + [("Z", i, p, 0)]
        return {
            "H": (p, top - 2 + p, [("L", (i - 1) % n, p, 0)]),
            "T": (q, bottom, [("H", i, p, 0), chain[0]]),
            "L": (q, top - 2 * n - 3 + p, [("T", i, p, 0)]),
            "S": (p, bottom - 1, [("A", i, p, j), ("B", i, p, j)]),
            "A": (q, bottom - 1, [*chain[j + 1 : j + 2], ("L", j, p, 0)]),
            "B": (q, bottom - 1, [*chain[j + 1 : j + 2], ("L", j, q, 0)]),
            "Z": (p, bottom - 1, [("T", i, p, 0), *(("L", k, q, 0) for k in range(i + q, n))]),
        }[x]

    names = []
    for i in range(n):
        for p in (0, 1):
            names += [(x, i, p, 0) for x in "HTL"]
            names += [(x, i, p, j) for j in range(i) for x in "SAB"] + [("Z", i, p, 0)]
    assert game_of_raw(make.two_counters(n)) == numbered(names, rules)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_robust_worst_core_by_its_definition(n):
    levels = range(2 * n + 1)
    names = [(x, i, i) for i in levels for x in "abc"]
    links = {i: [] for i in levels}
    rules = {}
    for i in levels:
        for j in levels[i + 1 :]:
            if i % 2 == j % 2:
                names.append(("x", i, j))
                rules["x", i, j] = i % 2, 0, [("c", i, i), ("c", j, j)]
                links[i].append(("x", i, j))
                links[j].append(("x", i, j))
            else:
                names += [("x", i, j), ("y", i, j)]
                rules["x", i, j] = i % 2, 0, [("c", i, i), ("y", i, j)]
                rules["y", i, j] = j % 2, 0, [("c", j, j), ("x", i, j)]
                links[i].append(("x", i, j))
                links[j].append(("y", i, j))
    for i in levels:
        up, down = ("a", i + 1, i + 1), ("a", i - 1, i - 1)
        rules["a", i, i] = i % 2, 2 * n + 1 + i, [("b", i, i)]
        rules["b", i, i] = i % 2, i, [("c", i, i), down]
        rules["c", i, i] = 1 - i % 2, i, [("b", i, i), ("c", i, i), up, *links[i]]
    assert game_of_raw(make.worst_core(n, robust=True)) == numbered(names, rules.get)
    core = [name for name in names if name[0] in "abc"]
    assert game_of_raw(make.worst_core(n)) == numbered(core, rules.get)


def game_of_raw(game):
    graph, parity = game
    moves = [graph.successors(v).tolist() for v in range(graph.n)]
    return moves, graph.owner.tolist(), parity.priority.tolist()


def test_small_games_by_hand():
    assert game_of_raw(make.ladder(1)) == ([[0, 1], [0, 1]], [0, 1], [0, 1])
    assert game_of_raw(make.clique(3)) == ([[1, 2], [0, 2], [0, 1]], [0, 1, 0], [0, 1, 2])
    assert game_of_raw(make.clique(1, loops=True)) == ([[0]], [0], [0])
    # v0 v1 v2 v3, then u1 → v1 and u2 → v3.
    assert game_of_raw(make.recursive_dull(2)) == (
        [[0], [0], [1], [2], [1, 4], [3, 5]],
        [0] * 6,
        [2, 3, 4, 5, 1, 1],
    )
    assert game_of_raw(make.region_recovery(2)) == (
        [[1, 2], [0, 3], [3, 4], [2, 5], [5, 6], [4, 7], [0, 7], [1, 6]],
        [0, 0, 0, 0, 1, 1, 1, 1],
        [1, 1, 3, 3, 0, 0, 4, 4],
    )
    assert game_of_raw(make.gazda(2))[0][3:6] == [[4, 6], [5, 6], [2, 4]]


def test_switch_all_by_hand():
    # The bit of n = 1, in the order q s t y w d x p, a0 b0 a1 b1, e f g h m z k l r.
    moves, owner, priority = game_of_raw(make.switch_all(1))
    assert moves == [
        [0], [7, 18], [1, 6], [4, 19], [3, 7], [2, 6], [3, 4], [0],
        [9], [1, 5, 6], [11], [1, 5, 6],
        [1, 6, 8, 13, 14, 15], [5, 8], [5, 10], [12, 16], [17], [7], [15], [17, 18], [17, 19],
    ]  # fmt: skip
    assert owner == [1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0]
    assert priority == [
        1, 2, 3, 5, 7, 20, 22, 28, 16, 15, 18, 17, 13, 8, 10, 14, 26, 23, 25, 11, 12,
    ]  # fmt: skip


# ------------------------------------------------------------------- winners


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_known_winners(n):
    assert winners(make.ladder(n)) == [0, 1] * n
    assert set(winners(make.recursive_ladder(n))) == {1 - n % 2}
    assert set(winners(make.model_checker_ladder(n))) == {0}
    assert set(winners(make.hanoi(n))) == {0}
    assert set(winners(make.recursive_dull(n))) == {0}
    assert set(winners(make.gazda(n))) == {1 - n % 2}
    assert set(winners(make.worst_core(n))) == {0}
    assert set(winners(make.region_recovery(n))) == {0}
    assert set(winners(make.delayed_promotion(n))) == {n % 2}
    assert set(winners(make.ordered_progress(n))) == {0}
    assert set(winners(make.switch_all(n))) == {1}


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_jurdzinski_is_split_between_row_0_and_the_others(depth):
    graph, parity = make.jurdzinski(depth, 4)
    assert winners((graph, parity)) == [1] * 9 + [0] * (graph.n - 9)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_each_player_wins_a_counter(n):
    # Only from B can the owner leave for the own counter.
    each = [[p] * 3 + [p, p, 1 - p] * i + [p] for i in range(n) for p in (0, 1)]
    assert winners(make.two_counters(n)) == [*itertools.chain(*each)]


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_fair_elevator_comes(n):
    assert winners(make.elevator(n))[0] == 0
    assert winners(make.elevator(n, fair=False))[0] == int(n > 1)


@pytest.mark.parametrize(
    "family", [make.recursive_ladder, make.recursive_dull, make.gazda, make.worst_core]
)
def test_zielonka_takes_exponential_time(family, monkeypatch):
    plain, calls = oracle.recursion, []
    monkeypatch.setattr(oracle, "recursion", lambda *args: calls.append(0) or plain(*args))
    counts = []
    for n in (2, 4, 6):
        calls.clear()
        winners(family(n))
        counts.append(len(calls))
    assert counts[2] > 2 * counts[1] > 4 * counts[0]


# ------------------------------------------------------------------- random games


@pytest.mark.parametrize("loops", [False, True])
def test_random_games_keep_their_ranges(loops):
    graph, parity = make.parity_random(2000, 7, out_low=2, out_high=4, loops=loops, seed=3)
    assert set(graph.out_degree.tolist()) == {2, 3, 4}
    assert set(parity.priority.tolist()) == set(range(7))
    assert set(graph.owner.tolist()) == {0, 1}
    tiny, _ = make.parity_random(5, 2, out_low=4, out_high=4, loops=loops)
    edges = tiny.to_edges()
    assert (edges[:, 0] == edges[:, 1]).any() == loops


@pytest.mark.parametrize(
    ("n", "out", "into"),
    [
        (500, (1, 4), (1, 4)), (500, (1, 9), (1, 2)), (500, (1, 2), (1, 9)), (500, (2, 2), (2, 2)),
        (500, (3, 3), (1, 4)), (2, (1, 1), (1, 1)), (3, (1, 1), (1, 1)), (5, (4, 4), (4, 4)),
        (5, (3, 3), (3, 3)), (7, (2, 3), (3, 3)), (7, (2, 6), (1, 2)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seed", range(8))
def test_steady_games_keep_both_ranges(n, out, into, seed):
    graph, parity = make.steady(n, *out, *into, seed=seed)
    arrivals = np.bincount(graph.indices, minlength=n)
    assert out[0] <= graph.out_degree.min() <= graph.out_degree.max() <= out[1]
    assert into[0] <= arrivals.min() <= arrivals.max() <= into[1]
    edges = graph.to_edges()
    assert (edges[:, 0] != edges[:, 1]).all()
    assert parity.priority.tolist() == list(range(n))


def test_steady_games_whose_ranges_do_not_meet():
    with pytest.raises(InvalidOptionError, match="with a common number, got 3"):
        make.steady(9, 3, 4, 1, 2)


def test_clusters_without_links_are_apart():
    options = {"out_low": 2, "out_high": 3, "parts_low": 4, "parts_high": 4, "seed": 5}
    graph, _ = make.clustered(400, depth=1, links_low=0, links_high=0, **options)
    u, v = graph.to_edges().T
    reach = np.zeros(401, int)  # how many moves cross between w - 1 and w
    np.add.at(reach, np.minimum(u, v) + 1, 1)
    np.add.at(reach, np.maximum(u, v) + 1, -1)
    assert (np.cumsum(reach)[1:400] == 0).sum() == 3
    assert set(graph.out_degree.tolist()) <= {1, 2, 3}
    linked, _ = make.clustered(400, depth=1, links_low=50, links_high=50, **options)
    assert graph.m < linked.m <= graph.m + 60


def test_seeds_differ():
    for family in (make.parity_random, make.steady, make.clustered):
        assert len({family(60, seed=seed).graph.digest for seed in range(9)}) == 9


@pytest.mark.parametrize(
    ("family", "given", "words"),
    [
        (make.parity_random, {"n": 3, "out_high": 5}, "out_high: expected an integer from 1 to 3"),
        (make.parity_random, {"n": 9, "out_low": 4, "out_high": 2}, "at least out_low = 4, got 2"),
        (make.parity_random, {"n": 9, "out_low": 0}, "out_low: expected an integer from 1"),
        (make.clique, {"n": 1}, "n: expected an integer from 2"),
        (make.jurdzinski, {"depth": 10**6, "width": 10**6}, "expected at most 2,147,483,646"),
        (make.hanoi, {"n": 20}, "n: expected an integer from 1 to 19"),
    ],
)
def test_refuses(family, given, words):
    with pytest.raises(InvalidOptionError, match=words):
        family(**given)


# ------------------------------------------------------------------- command line


@pytest.fixture
def run():
    """Run the command in this process."""

    def call(*args):
        return CliRunner().invoke(cli, [str(x) for x in args], prog_name="zermelo")

    return call


def test_the_command_writes_graph_and_objective(run, tmp_path):
    out = tmp_path / "game.json"
    result = run("generate", "parity-random", "n=50", "priorities=3", "--seed", 7, out)
    assert result.exit_code == 0, result.output
    graph, parity = zm.read(out)
    wanted, objective = make.parity_random(50, 3, seed=7)
    assert graph == wanted
    assert parity.priority.tolist() == objective.priority.tolist()


def test_standard_output_is_json_by_default(run):
    data = json.loads(run("generate", "ladder", "n=2", "-").stdout)
    assert "parity" in json.dumps(data)


def test_a_format_without_room_for_the_objective_is_refused(run, tmp_path):
    result = run("generate", "ladder", "n=2", tmp_path / "game.txt")
    assert result.exit_code != 0
    assert not (tmp_path / "game.txt").exists()
