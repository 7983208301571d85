"""Controllers of plants against oracles that try all controllers, and attacks on their checker."""

import dataclasses
import itertools
import random

import numpy as np
import pytest

import zermelo as zm
from zermelo.errors import CertificateError, MemoryLimitError, ZermeloError

SEEDS = range(60)


def random_plant(rng):
    """A small plant; most have uncontrollable actions and actions with several outcomes."""
    n, chances = rng.randint(2, 5), {"a": 0.7, "b": 0.5, "u": 0.2, "v": 0.1}
    triples = [
        (s, x, t)
        for s in range(n)
        for x, chance in chances.items()
        if rng.random() < chance
        for t in rng.sample(range(n), rng.choice([1, 1, 1, 2]))
    ]
    triples = triples or [(0, "a", 0)]
    used = {x for _, x, _ in triples}
    free = [x for x in ("u", "v") if x in used] if rng.random() < 0.8 else []
    return zm.Plant.from_transitions(triples, free)


def some_states(plant, rng, chance):
    return {x for x in plant.states if rng.random() < chance}


class Oracle:
    """Everything from the definition: each controller is a dict from states to enabled sets."""

    def __init__(self, plant, may_stop):
        self.plant, self.may_stop = plant, may_stop
        self.step = {s: {} for s in plant.states}
        for s, x, t in plant:
            self.step[s].setdefault(x, set()).add(t)
        free = {x for x, u in zip(plant.actions, plant.uncontrollable, strict=True) if u}
        self.free = {s: set(self.step[s]) & free for s in plant.states}
        self.own = {s: set(self.step[s]) - free for s in plant.states}

    def controllers(self):
        options = [
            [set(x) for k in range(len(self.own[s]) + 1)
             for x in itertools.combinations(sorted(self.own[s]), k)]
            for s in self.plant.states
        ]  # fmt: skip
        for chosen in itertools.product(*options):
            yield dict(zip(self.plant.states, chosen, strict=True))

    def following(self, controller, s):
        """What may happen; nothing in a deadlock."""
        return {t for x in controller[s] | self.free[s] for t in self.step[s][x]}

    def safe(self, controller, avoid):
        """The states from which all plays are safe for ever, by removing bad ones."""
        good = set(self.plant.states) - avoid
        while True:
            bad = {
                s
                for s in good
                if self.following(controller, s) - good
                or (not self.following(controller, s) and not self.may_stop)
            }
            if not bad:
                return good
            good -= bad

    def lengths(self, controller, goal, avoid):
        """The greatest number of actions until the goal, where every play gets there."""
        found = {}

        def longest(s, path):
            if s in avoid or s in path:
                return None
            if s in goal:
                return 0
            ends = self.following(controller, s)
            each = [longest(t, path | {s}) for t in ends]
            return None if not ends or None in each else 1 + max(each)

        for s in self.plant.states:
            length = longest(s, frozenset())
            if length is not None:
                found[s] = length
        return found

    def open(self, controller, marked, avoid):
        """The states whose plays stay safe, and can get to a marked state at every moment."""
        found = set()
        for s in self.plant.states:
            around = self.reach(controller, s)
            if not around & avoid and all(self.reach(controller, t) & marked for t in around):
                found.add(s)
        return found

    def reach(self, controller, s):
        seen, todo = {s}, [s]
        while todo:
            for t in self.following(controller, todo.pop()) - seen:
                seen.add(t)
                todo.append(t)
        return seen


@pytest.mark.parametrize("seed", SEEDS)
def test_safety_is_the_most_permissive_of_all_controllers(seed):
    rng = random.Random(seed)
    plant, may_stop = random_plant(rng), rng.random() < 0.5
    avoid, oracle = some_states(plant, rng, 0.2), Oracle(plant, may_stop)
    won, used = set(), {s: set() for s in plant.states}
    for controller in oracle.controllers():
        good = oracle.safe(controller, avoid)
        won |= good
        for s in good:
            used[s] |= controller[s]
    found = zm.control(plant, avoid=avoid, may_stop=may_stop).verify()
    assert set(found) == won
    assert {s: found[s] for s in found} == {s: used[s] for s in won}
    everything = {s: found[s] if s in won else set() for s in plant.states}
    assert oracle.safe(everything, avoid) >= won


@pytest.mark.parametrize("seed", SEEDS)
def test_reach_avoid_is_the_fastest_of_all_controllers(seed):
    rng = random.Random(seed)
    plant, may_stop = random_plant(rng), rng.random() < 0.5
    goal, avoid = some_states(plant, rng, 0.25), some_states(plant, rng, 0.2)
    oracle = Oracle(plant, may_stop)
    best, used = {}, {}
    for controller in oracle.controllers():
        for s, length in oracle.lengths(controller, goal, avoid).items():
            if length < best.get(s, length + 1):
                best[s], used[s] = length, set()
            if length == best[s]:
                used[s] |= controller[s]
    found = zm.control(plant, reach=goal, avoid=avoid, may_stop=may_stop).verify()
    assert {s: int(found.rank[plant.state(s)]) for s in found} == best
    assert {s: found[s] for s in found} == {s: used[s] if s not in goal else set() for s in best}
    everything = {s: found[s] if s in best else set() for s in plant.states}
    assert oracle.lengths(everything, goal, avoid) == best


@pytest.mark.parametrize("seed", SEEDS)
def test_nonblocking_is_the_most_permissive_of_all_controllers(seed):
    rng = random.Random(seed)
    plant = random_plant(rng)
    marked, avoid = some_states(plant, rng, 0.25), some_states(plant, rng, 0.2)
    oracle = Oracle(plant, True)
    won, used = set(), {s: set() for s in plant.states}
    for controller in oracle.controllers():
        good = oracle.open(controller, marked, avoid)
        won |= good
        for s in good:
            used[s] |= controller[s]
    found = zm.control(plant, marked=marked, avoid=avoid).verify()
    assert set(found) == won
    assert {s: found[s] for s in found} == {s: used[s] for s in won}
    everything = {s: found[s] if s in won else set() for s in plant.states}
    assert oracle.open(everything, marked, avoid) >= won


@pytest.mark.parametrize("seed", SEEDS)
def test_the_game_of_a_plant_has_the_same_winners(seed):
    rng = random.Random(seed)
    plant, may_stop = random_plant(rng), rng.random() < 0.5
    avoid = some_states(plant, rng, 0.2)
    for reach in (None, some_states(plant, rng, 0.25)):
        aims = {"reach": reach, "avoid": avoid, "may_stop": may_stop}
        solution = zm.solve(plant.game(**aims)).verify()
        found = zm.control(plant, **aims)
        n = len(plant.states)
        assert (solution.winner[:n] == 0).tolist() == found.region.tolist()
        if reach is not None:
            assert [d // 2 for d in solution.distance[:n].tolist()] == found.rank.tolist()


def controllers(rng):
    plant = random_plant(rng)
    some, avoid = some_states(plant, rng, 0.25), some_states(plant, rng, 0.25)
    yield zm.control(plant, avoid=avoid, may_stop=rng.random() < 0.5)
    yield zm.control(plant, reach=some, avoid=avoid)
    yield zm.control(plant, marked=some, avoid=avoid)


@pytest.mark.parametrize("seed", range(40))
def test_every_other_rank_or_set_of_actions_is_refused(seed):
    rng = random.Random(seed)
    for found in controllers(rng):
        found.verify()
        for p in range(found.allowed.size):
            allowed = found.allowed.copy()
            allowed[p] = not allowed[p]
            with pytest.raises(CertificateError, match="action"):
                dataclasses.replace(found, allowed=allowed).verify()
        for s in range(found.rank.size):
            for number in {-1, 0, 1, 2, 3} - {int(found.rank[s])}:
                rank = found.rank.copy()
                rank[s] = number
                with pytest.raises(CertificateError):
                    dataclasses.replace(found, rank=rank).verify()


@pytest.mark.parametrize("seed", range(60))
def test_no_other_region_passes(seed):
    """All claims of won states, with every rank and danger that may go with them."""
    rng = random.Random(seed)
    plant = random_plant(rng)
    while len(plant.states) > 3:
        plant = random_plant(rng)
    n = len(plant.states)
    some, avoid = some_states(plant, rng, 0.25), some_states(plant, rng, 0.25)
    own = plant.pairs.controllable
    for found in (
        zm.control(plant, avoid=avoid, may_stop=rng.random() < 0.5),
        zm.control(plant, reach=some, avoid=avoid),
        zm.control(plant, marked=some, avoid=avoid),
    ):
        right = found.region.tolist()
        ranks = (-1, 0) if found.aim == "safety" else (-1, 0, 1, 2)
        dangers = (-1,) if found.aim == "reach" else (-1, 0, 1, 2)
        for rank in itertools.product(ranks, repeat=n):
            won = np.array(rank) >= 0
            if won.tolist() == right:
                continue
            fitting = [[d for d in dangers if (d < 0) == w] or [-1] for w in won.tolist()]
            for danger in itertools.product(*fitting):
                for allowed in (
                    own & won[plant.pairs.state],
                    found.allowed & won[plant.pairs.state],
                ):
                    claim = dataclasses.replace(
                        found, rank=np.array(rank, np.int32), danger=np.array(danger, np.int32),
                        allowed=allowed,
                    )  # fmt: skip
                    with pytest.raises(CertificateError):
                        claim.verify()


def test_enabling_nothing_is_waiting_only_where_something_else_happens():
    steps = [("a", "go", "bad"), ("a", "rain", "a")]
    assert zm.control(zm.Plant.from_transitions(steps, ["rain"]), avoid=["bad"])["a"] == set()
    alone = zm.Plant.from_transitions(steps[:1])
    assert "a" not in zm.control(alone, avoid=["bad"])
    assert zm.control(alone, avoid=["bad"], may_stop=True)["a"] == set()


def test_an_uncontrollable_action_comes_first():
    plant = zm.Plant.from_transitions([("a", "go", "goal"), ("a", "slip", "pit")], ["slip"])
    assert not zm.control(plant, reach=["goal"]).wins
    plant = zm.Plant.from_transitions([("a", "go", "goal"), ("a", "slip", "goal")], ["slip"])
    assert zm.control(plant, reach=["goal"])["a"] == {"go"}


def test_a_plant_without_transitions():
    plant = zm.Plant.from_transitions([])
    for aim in ({}, {"reach": []}, {"marked": []}):
        controller = zm.control(plant, **aim).verify()
        assert (len(controller), controller.wins, list(controller.rows())) == (0, False, [])
        assert controller.to_dot().startswith("digraph controller {")
    assert repr(plant) == "Plant(0 states, 0 actions, 0 transitions)"


def test_a_game_graph_that_would_not_fit_is_refused(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "10K")
    steps = [(0, f"c{k}", 1) for k in range(9)] + [(0, "u", k) for k in range(40)]
    with pytest.raises(MemoryLimitError, match="the game of 40 states and 10 choices"):
        zm.control(zm.Plant.from_transitions(steps, ["u"]))


def test_the_closed_loop_has_what_remains():
    plant = zm.Plant.from_transitions(
        [("a", "go", "b"), ("a", "risk", "c"), ("b", "done", "a"), ("x", "go", "a")]
    )
    controller = zm.control(plant, avoid=["c"])
    assert list(controller.transitions()) == [("a", "go", "b"), ("b", "done", "a")]
    assert '"risk"' not in controller.to_dot()
    lost = zm.control(plant, reach=["x"])
    assert lost.closed_loop() is None
    assert list(lost.transitions()) == []
    assert lost.to_dict()["wins"] is False


def test_names_may_be_anything():
    plant = zm.Plant.from_transitions([((1, 2), None, 'a"\n\\'), ('a"\n\\', 3, (1, 2))])
    controller = zm.control(plant).verify()
    assert controller[(1, 2)] == {None}
    assert '[label="a\\"\\n\\\\"]' in controller.to_dot().replace("shape=ellipse, ", "")
    assert list(controller.to_dict()["states"]) == ["(1, 2)", 'a"\n\\']


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: zm.control(p, reach=["nowhere"]), "no state is called 'nowhere'"),
        (lambda p: zm.control(p, avoid="a"), "expected a list of states, got 'a'"),
        (lambda p: zm.control(p, reach=["a"], marked=["a"]), "reach or marked, got both"),
        (lambda p: zm.control(p, may_stop=1), "may_stop: expected True or False"),
        (lambda p: zm.control([("a", "x", "b")]), "expected a Plant"),
        (lambda p: zm.control(p, reach=["b"])["z"], "no state is called 'z'"),
        (lambda p: zm.control(p, reach=["b"])["c"], "the aim cannot be ensured from there"),
        (lambda p: p.outcomes("a", "fly"), "no action is called 'fly'"),
        (lambda p: zm.Plant.from_transitions([("a", "b")]), "transition 0: expected .state, act"),
        (lambda p: zm.Plant.from_transitions(["abc"]), "transition 0: expected .state, act"),
        (lambda p: zm.Plant.from_transitions([("a", [], "b")]), "transition 0: expected names"),
        (lambda p: zm.Plant.from_transitions([("a", "x", "b")], ["y"]), "no action is called 'y'"),
        (lambda p: zm.Plant.from_transitions([("a", "x", "b")], start=7), "has no state 7"),
    ],
)
def test_what_makes_no_sense_is_refused(call, message):
    plant = zm.Plant.from_transitions([("a", "go", "b"), ("b", "end", "c"), ("a", "back", "a")])
    with pytest.raises(ZermeloError, match=message):
        call(plant)


def small_factory():
    """Two machines that break down, and a buffer for one part between them.

    The first machine puts its part into the buffer when it finishes, and the second takes one when
    it starts. The buffer must not overflow or be asked for a part that it does not have, and the
    second machine is repaired first.
    """
    first = ("idle", "idle", "empty")
    triples, todo, seen = [], [first], {first}
    while todo:
        one, two, buffer = state = todo.pop()
        steps = []
        for k, machine in ((1, one), (2, two)):
            found = {"idle": [("start", "works")], "down": [("repair", "idle")],
                     "works": [("finish", "idle"), ("break", "down")]}  # fmt: skip
            for verb, after in found[machine]:
                held = {"finish1": "full", "start2": "empty"}.get(f"{verb}{k}", buffer)
                new = (after, two, held) if k == 1 else (one, after, held)
                fault = (f"{verb}{k}", buffer) in (("finish1", "full"), ("start2", "empty"))
                fault |= (verb, k, two) == ("repair", 1, "down")
                steps.append((f"{verb}{k}", "fault" if fault else new))
        for action, new in steps:
            triples.append((state, action, new))
            if new != "fault" and new not in seen:
                seen.add(new)
                todo.append(new)
    free = ["finish1", "finish2", "break1", "break2"]
    return zm.Plant.from_transitions(triples, free, first), first


def test_the_small_factory():
    """Wonham's example; his supervisor has 12 states and 24 transitions."""
    plant, first = small_factory()
    controller = zm.control(plant, avoid=["fault"], marked=[first]).verify()
    loop = controller.closed_loop()
    assert len({*loop.source.tolist(), *loop.target.tolist()}) == 12
    assert len(loop) == 24
    assert controller[first] == {"start1"}
    assert controller[("idle", "works", "full")] == set()
    assert controller[("down", "down", "empty")] == {"repair2"}
