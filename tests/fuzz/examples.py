"""A good call of everything public, and a good record of every kind."""

import dataclasses
import functools
import io
from fractions import Fraction

import numpy as np

import zermelo as zm
from zermelo import generators, transform
from zermelo.matching.allowed import allowed_moves, inessential_without
from zermelo.mu_calculus.syntax import parse
from zermelo.objectives.acceptance import Formula
from zermelo.objectives.terminal_form import TerminalForm
from zermelo.planning.machine import Machine
from zermelo.solvers.muller.zielonka_tree import zielonka_tree
from zermelo.sums.heaps.code import Code
from zermelo.sums.misere.small_sums import product
from zermelo.sums.values import mex, nimber, outcome

EDGES = [(0, 1), (1, 0), (1, 2), (0, 3)]
GRAPH = zm.Graph.from_edges(EDGES)
OWNED = GRAPH.with_owner([0, 1, 0, 1])
NAMED = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c")])
ACYCLIC = zm.Graph.from_edges([(3, 2), (3, 1), (2, 1), (2, 0), (1, 0)])
SYMMETRIC = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 1)])
PLANT = zm.Plant.from_transitions(
    [("a", "go", "b"), ("b", "back", "a"), ("b", "slip", "c"), ("c", "go", "b")], ["slip"]
)
MACHINE = Machine(2, 1 << 30, 1 << 40, 1e-8, 1e-7, 10**5, 1e-3, 1e8, (1e-9, 2e-9, 3e-9), 1e-9)
NOT_CALLED = {
    "Answer", "Answers", "CompiledRules", "EggsBounds", "GeographySum", "Kernels", "Label", "Line",
    "NotANumber", "Objective", "Outcome", "PartizanRules", "Plan", "Player", "PositionalStrategy",
    "Rules", "Solution", "SolvedGame",
}  # fmt: skip
"""Names that only annotate, that are abstract, or that hold what was computed."""


def _file(thing, format):
    out = io.BytesIO()
    zm.write(thing, out, format=format)
    return out.getvalue()


def _read(data, format):
    return zm.read(_stream(data), format)


def _stream(data):
    return io.BytesIO(data) if isinstance(data, bytes) else data


def _read_solution(data, graph, format, objective):
    return zm.read_solution(_stream(data), graph, format, objective)


def _write(thing, format):
    return zm.write(thing, io.BytesIO(), format)


def _read_plant(data, uncontrollable, start):
    return zm.read_plant(_stream(data), uncontrollable, start)


def _of_plant(method):
    """A method of a plant, as a function."""
    return getattr(PLANT, method)


def _controlled(**options):
    return zm.control(PLANT, **options).verify()


@functools.cache
def _specification():
    """A game of synthesis: the output copies the input."""
    return zm.read(io.BytesIO(
        b'HOA: v1 States: 1 Start: 0 AP: 2 "in" "out" controllable-AP: 1 Acceptance: 1 Fin(0) '
        b"--BODY-- State: 0 [0&1 | !0&!1] 0 [0&!1 | !0&1] 0 {0} --END--"
    ))  # fmt: skip


@functools.cache
def records():
    """Records of every kind, by name."""
    muller = zm.solve(OWNED, zm.Muller([0, 1, 0, 1], "Inf(0) & Inf(1)"))
    form = zm.Asymmetric().terminal_form(GRAPH)
    matching = zm.maximum_matching(SYMMETRIC)
    found = {
        "normal": zm.solve(GRAPH),
        "asymmetric": zm.solve(GRAPH, zm.Asymmetric()),
        "reach": zm.solve(OWNED, zm.Reach([3])),
        "payoff": zm.solve(OWNED, zm.TerminalPayoff({2: 1, 3: Fraction(1, 2)})),
        "parity": zm.solve(OWNED, zm.Parity([0, 1, 2, 3])),
        "muller": muller,
        "machine": muller.machines[0],
        "form": form,
        "grundy": zm.grundy(ACYCLIC),
        "grundy loopy": zm.grundy(GRAPH),
        "kernel": zm.kernel(ACYCLIC),
        "matching": matching,
        "gallai": zm.gallai_edmonds(SYMMETRIC),
        "classes": zm.classify(GRAPH),
        "quotient": zm.misere_quotient("0.77", 4),
        "period": zm.heap("0.77").period(),
        "sparse": zm.heap("0.77").sparse(50),
        "code": Code((0, 7, 7)),
        "infinite": zm.Infinite([0, 2]),
        "genera": zm.genus(ACYCLIC),
        "genus": zm.genus(ACYCLIC)[3],
        "tree": transform.unravel(GRAPH, 0, 3),
        "reduction": transform.to_parity(OWNED, zm.Buchi([1])),
        "zielonka tree": zielonka_tree("Inf(0) & Inf(1)"),
        "weighted": transform.parity_to_mean_payoff(OWNED, zm.Parity([0, 1, 2, 3])),
        "answer": zm.solve(NAMED)["a"],
        "plant": PLANT,
        "plant controller": zm.control(PLANT, avoid=["c"]),
        "sum": zm.Sum([1, (GRAPH, 0), 2]),
        "sum move": zm.Sum([1, 2]).moves()[0],
        "heap": zm.heap("kayles"),
        "rule": zm.heap(rule=lambda n: [n - 1] if n else []),
        "eggs": zm.NoReturnGame(GRAPH),
        "eggs bounds": zm.eggs_bounds(GRAPH, 0),
        "return values": zm.GeographyGame(GRAPH, zm.Return()),
        "geography sum": zm.geography_sum([(GRAPH, 0), (SYMMETRIC, 1)]),
        "positional": zm.positional_strategy(GRAPH, zm.NoReturn(), 0),
        "refutation": zm.positional_strategy(GRAPH, zm.NoReturn(), 0, 1).refutation,
        "value": zm.value("{2|1||0}"),
        "loopy value": zm.value("over"),
        "graph": GRAPH,
        "owned": OWNED,
        "named": NAMED,
        "formula": parse("mu X. <>X"),
        "acceptance": Formula("Inf(0)"),
        "payoffs": zm.TerminalPayoff({2: 1, 3: 2}),
        "reach objective": zm.Reach([1]),
        "parity objective": zm.Parity([0, 1, 2, 3]),
        "muller objective": zm.Muller([0, 1, 0, 1], [[0], [0, 1]]),
        "epimorphism": transform.check_bounded_epimorphism(GRAPH, 0, GRAPH, 0, [0, 1, 2, 3]),
        "equivalence": transform.is_equivalence(GRAPH, GRAPH, [0, 1, 2, 3]),
        "geography": zm.solve(GRAPH, zm.NoReturn()),
        "energy": zm.solve(OWNED, zm.Energy([1, -2, 3, 0])),
        "mean payoff": zm.solve(OWNED, zm.MeanPayoff([1, -2, 3, 0])),
        "discounted": zm.solve(OWNED, zm.Discounted([1, -2, 3, 0])),
        "shortest path": zm.solve(OWNED, zm.ShortestPath([1, -2, 3, 0], [3])),
        "attractor": zm.attractor(OWNED, [2], 0),
        "synthesis": zm.synthesize(_specification()),
        "mealy machine": zm.synthesize(_specification()).machine,
        "controller": zm.permissive_controller(GRAPH, [0, 1], 1),
        "film": zm.trace(GRAPH, zm.NormalPlay(), "fraenkel-levy"),
        "energy objective": zm.Energy({(0, 1): 1, (1, 0): 2, (1, 2): 3, (0, 3): 4}),
    }  # fmt: skip
    assert isinstance(form, TerminalForm)
    return found


@functools.cache
def calls():
    """Good calls by name: a function, its arguments, its options."""
    everything = [0, 1, 2, 3]
    found = {
        "Game": (zm.Game, (GRAPH, zm.Misere(), 0), {"impartial": True}),
        "Graph": (zm.Graph, (GRAPH.indptr, GRAPH.indices, [0, 1, 0, 1], ("a", "b", "c", "d")), {}),
        "Graph.from_edges": (zm.Graph.from_edges, (EDGES, 4, [0, 1, 0, 1]), {}),
        "Graph.from_edges names": (
            zm.Graph.from_edges, ([("a", "b")],), {"owner": {"a": 0, "b": 1}, "names": ["a", "b"]}
        ),
        "Graph.from_edges array": (zm.Graph.from_edges, (np.array(EDGES), 5), {}),
        "Graph.from_arrays": (zm.Graph.from_arrays, ([0, 1], [1, 0], 3), {"names": ["a", "b", 3]}),
        "Graph.from_csr": (zm.Graph.from_csr, ([0, 2, 2], [1, 0], [0, 1]), {}),
        "Graph.from_csr arrays": (zm.Graph.from_csr, (GRAPH.indptr, GRAPH.indices), {}),
        "Graph.from_networkx": (zm.Graph.from_networkx, (GRAPH.to_networkx(),), {}),
        "Graph.from_scipy": (zm.Graph.from_scipy, (GRAPH.to_scipy(),), {}),
        "Asymmetric": (zm.solve, (GRAPH, zm.Asymmetric()), {"solver": "nmfl"}),
        "G0": (zm.solve, (GRAPH, zm.G0()), {"start": 0}),
        "G1": (zm.solve, (OWNED, zm.G1()), {"quotient": True}),
        "H1": (zm.solve, (GRAPH, zm.H1()), {"progress": lambda *given: None}),
        "Misere": (zm.solve, (GRAPH, zm.Misere()), {"solver": "retrograde"}),
        "NormalPlay": (zm.solve, (GRAPH, zm.NormalPlay(), "fraenkel-levy", 0), {}),
        "solve parity": (zm.solve, (OWNED, zm.Parity(everything), "pp"), {"passes": ["loops"]}),
        "solve nodes": (zm.solve, (GRAPH, zm.NoReturn()), {"nodes": 100, "start": 0}),
        "TerminalPayoff": (_solved(zm.TerminalPayoff), ({2: 1, 3: 2}, 0.5, "player0"), {}),
        "TerminalPayoff array": (_solved(zm.TerminalPayoff), (np.ones((4, 2)),), {}),
        "TerminalPayoff function": (_solved(zm.TerminalPayoff), (lambda x: x,), {}),
        "Reach": (_solved(zm.Reach), ([3],), {"player": 1}),
        "Safety": (_solved(zm.Safety), (np.array([True, True, False, True]),), {"player": 0}),
        "ReachAvoid": (_solved(zm.ReachAvoid), ([3], {2}), {"player": 1}),
        "Buchi": (_solved(zm.Buchi), ([0],), {"player": 1}),
        "CoBuchi": (_solved(zm.CoBuchi), ({0, 1},), {}),
        "Parity": (_solved(zm.Parity), (everything, "min odd"), {}),
        "Muller": (_solved(zm.Muller), ([0, 1, None, [0, 1]], "Inf(0) & Fin(1)"), {}),
        "Energy": (_solved(zm.Energy), ([1, -2, 3, 0], 7), {}),
        "Energy positions": (_solved(zm.Energy), ({0: 1, 1: -2, 2: 3, 3: 0},), {"on": "positions"}),
        "Energy function": (_solved(zm.Energy), (lambda u, v: u - v,), {}),
        "MeanPayoff": (_solved(zm.MeanPayoff), (np.array([1, -2, 3, 0]), Fraction(1, 3)), {}),
        "MeanPayoff values": (_solved(zm.MeanPayoff), ([(u, v, u) for u, v in EDGES],), {}),
        "Discounted": (_solved(zm.Discounted), ([1, -2, 3, 0], Fraction(1, 2)), {}),
        "ShortestPath": (_solved(zm.ShortestPath), ([1, -2, 3, 0], [3]), {"player": 0}),
        "Muller family": (_solved(zm.Muller), ({0: 0, 1: [1]}, [[0], [0, 1]]), {}),
        "Muller.rabin": (_solved(zm.Muller.rabin), ([([0], [1])],), {}),
        "Muller.streett": (_solved(zm.Muller.streett), ([([0], [1])],), {}),
        "Muller.generalised_buchi": (_solved(zm.Muller.generalised_buchi), ([[0], [1]],), {}),
        "Muller.parity": (_solved(zm.Muller.parity), (everything, "max odd"), {}),
        "NoReturn": (_solved(zm.NoReturn), (True,), {}),
        "Return": (_solved(zm.Return), (), {}),
        "NoRepetition": (_solved(zm.NoRepetition), (False,), {}),
        "Repetition": (_solved(zm.Repetition), (), {}),
        "Classification": (zm.Classification, _fields("classes"), {}),
        "GallaiEdmonds": (zm.GallaiEdmonds, _fields("gallai"), {}),
        "Grundy": (zm.Grundy, _fields("grundy"), {}),
        "Kernel": (zm.Kernel, _fields("kernel"), {}),
        "Matching": (zm.Matching, _fields("matching"), {}),
        "MisereQuotient": (zm.MisereQuotient, _fields("quotient"), {}),
        "Heap": (zm.Heap, (Code((0, 7, 7)),), {}),
        "Infinite": (zm.Infinite, ([0, 2],), {}),
        "LoopyValue": (zm.LoopyValue, (zm.value("1"), zm.value("0")), {}),
        "NoReturnGame": (zm.NoReturnGame, (GRAPH,), {}),
        "GeographyGame": (zm.GeographyGame, (GRAPH, zm.Repetition()), {"nodes": 100}),
        "PartizanGraph": (zm.PartizanGraph, (ACYCLIC, ACYCLIC), {}),
        "Sum": (zm.Sum, ([1, 3, (GRAPH, 0), (zm.heap("0.77"), 5)],), {}),
        "Value": (zm.Value, (0,), {}),
        "ShardedSolution": (zm.ShardedSolution, ("nothing",), {}),
        "Shards": (zm.Shards, ("nothing",), {}),
        "Table": (zm.Table, ("nothing.zt",), {}),
        "best_moves": (zm.best_moves, (["1/2", "{1|-1}"], "L"), {"limit": 1000}),
        "sum_outcome": (zm.sum_outcome, (["1/2", 1, Fraction(1, 4)],), {"limit": 1000}),
        "value": (zm.value, ("{0|1} + {0|1} - 1",), {}),
        "value int": (zm.value, (5,), {}),
        "value options": (zm.value, ("3.{2|1||0} + *2",), {}),
        "value pair": (zm.value, (([0], [1]),), {}),
        "Literal": (zm.Literal, ([zm.literal(0)], [zm.literal(1)]), {}),
        "literal": (zm.literal, ("{0|1} + {*|*} - 1",), {}),
        "literal_sum": (zm.literal_sum, ("{0|1}", 2, "*"), {}),
        "is_number": (zm.is_number, ("{*|*}",), {}),
        "simplest_number": (zm.simplest_number, (0, Fraction(1, 2)), {}),
        "game": (zm.game, ("nim:1,2",), {}),
        "game_value": (zm.game_value, (zm.game("domineering:2x2"),), {}),
        "game_values": (zm.game_values, (zm.game("domineering:2x2"),), {}),
        "explore": (zm.explore, (zm.game("nim:1,2"),), {"limit": 100, "symmetry": False}),
        "explore table": (zm.explore, (zm.game("tictactoe"), None, 50), {}),
        "build": (zm.build, (zm.game("nim:1,2"), "nim.zt"), {}),
        "build labels": (zm.build, (zm.game("nim:1,2"), "nim.zt"), {"distances": False}),
        "attractor": (zm.attractor, (OWNED, [2], 1), {}),
        "attractor alternating": (zm.attractor, (GRAPH, np.ones((4, 2), bool), 0), {}),
        "permissive_controller": (zm.permissive_controller, (OWNED, [0, 1, 3], 0), {}),
        "bisimulation": (zm.bisimulation, (GRAPH, everything), {}),
        "check_labelling": (zm.check_labelling, (GRAPH, [0, 1, -1, -1], zm.Misere()), {}),
        "check_labelling names": (
            zm.check_labelling, (zm.Game(NAMED, zm.Asymmetric()), dict.fromkeys("abc", "D/L")), {}
        ),
        "check_strategy": (zm.check_strategy, (GRAPH, [3, 0, -1, -1], 0, 1), {"first": 1}),
        "check_strategy names": (
            zm.check_strategy, (zm.Game(NAMED, zm.NoReturn()), {"a": "b"}, 0, "a"), {"limit": 50}
        ),
        "check_strategy machine": (
            zm.check_strategy, (OWNED, records()["machine"], 0, 0), {"history": False}
        ),
        "synthesize": (zm.synthesize, (_specification(), "zielonka"), {"minimize": True}),
        "check_circuit": (
            zm.check_circuit, (_specification(), b"aag 1 1 0 1 0\n2\n2\ni0 in\no0 out\n", 1),
            {"choose": None},
        ),
        "MealyMachine": (
            zm.MealyMachine,
            (("in",), ("out",), ((0, -1, -2),), (((), 0), ((0,), 0)), (0,)), {"player": 1},
        ),
        "Synthesis": (
            zm.Synthesis, (_specification(), zm.solve(_specification())), {"minimize": False}
        ),
        "labelling_operator": (zm.labelling_operator, (GRAPH, {0: "WIN"}), {}),
        "classify": (zm.classify, (GRAPH,), {}),
        "draw": (zm.draw, (GRAPH, "g.svg"), {"start": 0, "depth": 1, "title": "t"}),
        "debut_tree": (zm.debut_tree, (GRAPH, 0, 2), {"limit": 50}),
        "eggs": (zm.eggs, (GRAPH, 0), {"nodes": 100}),
        "eggs_bounds": (zm.eggs_bounds, (GRAPH, 0), {"threshold": 1, "nodes": 100}),
        "eggs_exceeds": (zm.eggs_exceeds, (GRAPH, 0, 1), {"nodes": 100}),
        "geography_sum": (
            zm.geography_sum, ([(GRAPH, 0), (NAMED, "a")], zm.Return()), {"nodes": 100}
        ),
        "positional_strategy": (
            zm.positional_strategy, (GRAPH, zm.NoReturn(), 0, 1), {"nodes": 100}
        ),
        "equivalent": (zm.equivalent, ((GRAPH, 0), (GRAPH, 1), zm.Asymmetric(), None, 0, 1), {}),
        "anti_equivalent": (zm.anti_equivalent, ((GRAPH, 0), (GRAPH, 1)), {"view": "starter"}),
        "evaluate": (zm.evaluate, ("mu X. p | <>X", GRAPH), {"p": [2]}),
        "explain": (zm.explain, (GRAPH, 0, None, 2), {"width": 3}),
        "explain parity": (zm.explain, (zm.Game(OWNED, zm.Parity(everything)), 0), {}),
        "explain muller": (zm.explain, (zm.Game(OWNED, records()["muller objective"]), 0), {}),
        "explain energy": (zm.explain, (records()["energy"], 0), {}),
        "explain mean": (zm.explain, (records()["mean payoff"], 0), {}),
        "explain return": (zm.explain, (records()["geography"], 0, None, 2), {"width": 2}),
        "explain value": (zm.explain, (zm.value("{2|-1}"),), {"player": 1, "depth": 2}),
        "gallai_edmonds": (zm.gallai_edmonds, (GRAPH,), {}),
        "maximum_matching": (zm.maximum_matching, (GRAPH,), {}),
        "allowed_moves": (allowed_moves, (records()["matching"],), {}),
        "inessential_without": (inessential_without, (records()["matching"], 0), {}),
        "genus": (zm.genus, (ACYCLIC,), {}),
        "grundy": (zm.grundy, (GRAPH,), {}),
        "heap": (zm.heap, ("0.77",), {}),
        "heap subtract": (_heap("subtract"), ([1, 2, 5],), {}),
        "heap all_but": (_heap("all_but"), ([2, 3],), {}),
        "heap rule": (_heap("rule"), (lambda n: [(n - 1,)] if n else [],), {}),
        "kernel": (zm.kernel, (ACYCLIC,), {}),
        "kernels": (zm.kernels, (GRAPH,), {"limit": 3, "nodes": 100}),
        "is_kernel": (zm.is_kernel, (GRAPH, [0, 2]), {}),
        "line_digraph": (zm.line_digraph, (GRAPH, 0), {}),
        "misere_quotient": (zm.misere_quotient, ("0.77", 4), {"limit": 50}),
        "misere_sum_outcome": (zm.misere_sum_outcome, ([(ACYCLIC, 3), (GRAPH, 0)],), {}),
        "product": (product, ([ACYCLIC, GRAPH],), {}),
        "nim_sum": (zm.nim_sum, ([1, 2, zm.Infinite([0])],), {}),
        "nimber": (nimber, (3,), {}),
        "mex": (mex, ([0, 1],), {}),
        "outcome": (outcome, (3,), {}),
        "trace": (zm.trace, (GRAPH, zm.Asymmetric()), {}),
        "trace parity": (zm.trace, (OWNED, zm.Parity(everything), "zielonka"), {}),
        "trace muller": (zm.trace, (OWNED, records()["muller objective"]), {}),
        "trace energy": (zm.trace, (OWNED, records()["energy objective"]), {}),
        "trace return": (zm.trace, (GRAPH, zm.Return()), {"start": 0}),
        "trace form": (zm.trace, (zm.literal("{0,*|1}"),), {}),
        "trace film": (zm.trace, (GRAPH, zm.Asymmetric(), "nmfl"), {}),
        "zielonka_tree": (zielonka_tree, ("Inf(0) & Inf(1)",), {}),
        "parse": (parse, ("nu Y. mu X. <>((p & Y) | X)",), {}),
        "write": (_write, (GRAPH, "dot"), {}),
        "plan": (zm.plan, (GRAPH,), {"samples": 10, "seconds": 1, "machine": MACHINE}),
        "plan rules": (zm.plan, (zm.game("nim:1,2"),), {"machine": MACHINE}),
        "plan on paper": (zm.plan, (), {"positions": 100, "moves": 300, "machine": MACHINE}),
        "solve_shards": (zm.solve_shards, ("nothing", "solved"), {"partitions": 2}),
        "read": (_read, (_file(NAMED, "json"), "json"), {}),
        "Plant": (zm.Plant, _fields("plant"), {}),
        "Plant.from_transitions": (
            zm.Plant.from_transitions, ([("a", "go", "b"), ("b", "slip", "a")], ["slip"], "b"), {}
        ),
        "Plant.game": (_of_plant("game"), (), {"reach": ["b"], "avoid": ["c"], "may_stop": True}),
        "Plant.outcomes": (_of_plant("outcomes"), ("a", "go"), {}),
        "control": (_controlled, (), {"reach": ["b"], "avoid": ["c"], "may_stop": False}),
        "control marked": (_controlled, (), {"marked": ["b"], "avoid": ["c"]}),
        "read_plant": (_read_plant, (b"a,go,b\nb,slip,a\n", ["slip"], "a"), {}),
        "read_solution": (_read_solution, (_file(zm.solve(GRAPH), "csv"), GRAPH, "csv", None), {}),
    }  # fmt: skip
    for name, graph, objective in (
        ("reach_to_safety", OWNED, zm.Reach([1])), ("safety_to_reach", OWNED, zm.Safety([1])),
        ("to_parity", OWNED, zm.Buchi([1])),
        ("muller_to_parity", OWNED, zm.Muller(everything, "t")),
        ("parity_to_mean_payoff", OWNED, zm.Parity(everything)),
        ("parity_to_energy", OWNED, zm.CoBuchi([1])),
        ("energy_to_mean_payoff", OWNED, zm.Energy([1] * OWNED.m)),
        ("mean_payoff_to_energy", OWNED, zm.MeanPayoff([1] * OWNED.m, 0)),
        ("mean_payoff_to_discounted", OWNED, zm.MeanPayoff([1] * OWNED.m)),
        ("mean_payoff_to_parity", OWNED, zm.MeanPayoff([-1] * OWNED.m, 0)),
        ("win_lose_draw_to_parity", GRAPH, zm.Misere()),
        ("normal_play_to_reach", GRAPH, zm.NormalPlay()),
    ):  # fmt: skip
        found[f"transform.{name}"] = (getattr(transform, name), (graph, objective), {})
    more = {
        "alternating_graph": ((GRAPH, 0), {"named": True}),
        "check_bounded_epimorphism": ((GRAPH, 0, GRAPH, 0, everything), {}),
        "is_bounded_epimorphism": ((NAMED, "a", NAMED, "a", {"a": "a", "b": "b", "c": "c"}), {}),
        "debut_tree": ((NAMED, "a"), {"depth": 2, "limit": 50}),
        "loops_at_terminals": ((GRAPH,), {}),
        "line_digraph": ((OWNED, 0), {"root": "r"}),
        "is_equivalence": ((GRAPH, GRAPH, everything), {"anti": True, "starter": 1}),
        "pointed_value": (((GRAPH, 0), zm.Misere()), {"starter": 1}),
        "quotient": ((GRAPH, [0, 1, 0, 2]), {}),
        "reachable": ((GRAPH, 0), {}),
        "reachable_mask": ((GRAPH, [0]), {}),
        "subgraph": ((GRAPH, [0, 1]), {}),
        "unravel": ((GRAPH, 0, 3), {}),
        "walks": ((GRAPH, 0), {}),
        "with_root": ((OWNED, 0), {"name": "r", "owner": 1}),
        "walk_to_position": ((("a", "b"),), {}),
        "walk_to_situation": ((("a", "b"),), {}),
        "shift_walk": ((("a", "b", "a"), ("a", "b")), {}),
        "shifted_walk_to_situation": ((("a", "b", "a"), ("a", "b")), {}),
        "situation_to_position": ((("a", 1),), {}),
    }
    found |= {f"transform.{k}": (getattr(transform, k), *given) for k, given in more.items()}
    first = {"all_digraphs": (2,), "digraph": (3, 5), "random_graph": (5,), "random_tree": (5,)}
    for name in generators.__all__:
        found[f"generators.{name}"] = (getattr(generators, name), first.get(name, ()), {"seed": 1})
    return found


def _fields(name):
    record = records()[name]
    return tuple(getattr(record, field.name) for field in dataclasses.fields(record))


def _solved(make):
    """Make an objective and solve it on a graph that it fits."""

    def call(*args, **options):
        objective = make(*args, **options)
        graph = GRAPH if objective.family == "geography" else OWNED
        return zm.solve(graph, objective).verify()

    return call


def _heap(option):
    return lambda given: zm.heap(**{option: given})
