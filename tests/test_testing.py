"""Attacks on the kit for extenders: whatever is wrong, it says so, with a line that shows it."""

import dataclasses
import json
import types

import numpy as np
import pytest

import zermelo as zm
from tests.sampling import rounds
from zermelo.errors import ContractError, InvalidOptionError, SolverError, ZermeloError
from zermelo.registry import (
    FORMATS,
    GAMES,
    GENERATORS,
    OBJECTIVES,
    SOLVERS,
    FormatRow,
    GeneratorRow,
    SolverRow,
    Whole,
)
from zermelo.solutions.parity import parity_solution
from zermelo.testing import (
    check_format,
    check_generator,
    check_objective,
    check_rules,
    check_solver,
)

right = SOLVERS["zielonka"].load()


def shows(error, **names):
    """Run the line of Python of an error."""
    assert isinstance(error, AssertionError)
    assert isinstance(error, ZermeloError)
    assert "\n" not in str(error)
    assert str(error).endswith(error.code)
    exec(error.code, dict(names))


# -------------------------------------------------------------------- solvers


def wrong_winner(graph, objective, progress, **options):
    """Whoever moves wins."""
    return parity_solution(graph, objective, "wrong", graph.owner, np.full(graph.n, -1, np.int32))


def only_large(graph, objective, progress):
    """Wrong only where there is a cycle of two positions."""
    edges = {*map(tuple, graph.to_edges().tolist())}
    turned = any((v, u) in edges and u < v for u, v in edges)
    return (wrong_winner if turned else right)(graph, objective, progress)


def changes_its_input(graph, objective, progress):
    solution = right(graph, objective, progress)
    object.__setattr__(graph, "owner", 1 - graph.owner)
    return solution


def crashes(graph, objective, progress):
    return [][graph.n]


def refuses(graph, objective, progress):
    raise SolverError("not today")


def raises_another(graph, objective, progress):
    raise zm.errors.InvalidGraphError("no such graph")


def no_solution(graph, objective, progress):
    return graph.owner.tolist()


def another_graph(graph, objective, progress):
    return right(zm.Graph.from_csr(graph.indptr, graph.indices, graph.owner), objective, progress)


def writable(graph, objective, progress):
    solution = right(graph, objective, progress)
    object.__setattr__(solution, "label", solution.label.copy())
    return solution


def wide(graph, objective, progress):
    solution = right(graph, objective, progress)
    label = solution.label.astype(np.int64)
    label.flags.writeable = False
    object.__setattr__(solution, "label", label)
    return solution


def wrong_progress(graph, objective, progress):
    if progress is not None:
        progress(5, 3, "solving")
    return right(graph, objective, progress)


def another_each_time(graph, objective, progress):
    solution = right(graph, objective, progress)
    if progress is None:
        return solution
    return dataclasses.replace(solution, strategy=np.full(graph.n, -1, np.int32))


@pytest.mark.parametrize(
    ("solver", "sentence"),
    [
        (wrong_winner, "winner of position 0 with player 0 to move is 0, expected 1"),
        (only_large, "the checker refuses its solution: position 0, player"),
        (changes_its_input, "it changes the graph"),
        (crashes, "it raises IndexError: list index out of range"),
        (refuses, "it refuses every game of buchi"),
        (raises_another, "it raises InvalidGraphError: no such graph"),
        (no_solution, "expected a Solution, got list"),
        (another_graph, "the solution is about another graph or objective"),
        (writable, "label is not a read-only array in one piece"),
        (wide, "label has the type int64, expected int8"),
        (wrong_progress, "progress: expected (done, total, stage), got (5, 3, 'solving')"),
        (another_each_time, "move is not the same a second time, with progress"),
    ],
)
def test_a_wrong_solver_is_found(solver, sentence):
    with pytest.raises(ContractError) as caught:
        check_solver(solver, "buchi", games=300)
    assert str(caught.value).startswith(f"solver {solver.__name__}: {sentence}")
    if solver is not refuses and solver is not crashes and solver is not raises_another:
        shows(caught.value, **{solver.__name__: solver})


def test_the_game_is_as_small_as_possible():
    with pytest.raises(ContractError, match=r"from_edges\(\[\[\d, \d\], \[\d, \d\]\], n=2,"):
        check_solver(only_large, "buchi")


def test_an_option_that_changes_answers_is_found(monkeypatch):
    def capped(graph, objective, progress=None, *, rounds=None):
        return (wrong_winner if rounds else right)(graph, objective, progress)

    monkeypatch.setattr(wrong_module, "capped", capped, raising=False)
    row = SolverRow("capped", "", "wrong_module:capped", "parity", ("buchi",),
                    options=(Whole("rounds", "Stop after so many rounds."),))  # fmt: skip
    with pytest.raises(ContractError, match="the option rounds=1000000 changes the labels"):
        check_solver(row, games=50)


def test_a_start_that_changes_answers_is_found(monkeypatch):
    def from_start(graph, objective, progress=None, *, start=None):
        return (right if start is None else wrong_winner)(graph, objective, progress)

    monkeypatch.setattr(wrong_module, "from_start", from_start, raising=False)
    row = SolverRow("s", "", "wrong_module:from_start", "parity", ("buchi",), takes_start=True)
    with pytest.raises(ContractError, match="start=0 changes the label of position 0"):
        check_solver(row, games=50)


def test_an_oracle_of_ones_own_is_asked():
    def oracle(graph, objective):
        return {"winner": dict.fromkeys(enumerate(graph.owner.tolist()), 1)}

    with pytest.raises(ContractError, match=r"winner of position 0 with player 1 to move is 0, ex"):
        check_solver("zielonka", "buchi", oracle=oracle, games=50)


@pytest.mark.parametrize(
    "row",
    [
        SolverRow("op", "", "toy.naive:solve", family="nofam"),
        SolverRow("op", "", "toy.naive:solve", family="terminal", objectives=("normall",)),
    ],
)
def test_a_solver_of_no_objective_is_found(row):
    with pytest.raises(ContractError, match=f"no known objective has its family '{row.family}'"):
        check_solver(row)


@pytest.mark.parametrize(
    ("oracle", "sentence"),
    [
        (lambda graph, objective: {"winner": {0: 1}}, r"expected \(position, player\), got 0"),
        (lambda graph, objective: {"winer": {}}, "winer of the solution raises AttributeError"),
        (lambda graph, objective: 1 // 0, "the oracle raises ZeroDivisionError"),
    ],
)
def test_a_wrong_oracle_is_found(oracle, sentence):
    with pytest.raises(ContractError, match=sentence):
        check_solver("zielonka", "buchi", oracle=oracle, games=5)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: check_solver(right), "objective: expected the objective that the function"),
        (lambda: check_solver(3, "buchi"), "solver: expected a name, a row or a function, got 3"),
        (lambda: check_solver("zielonka", "buchi", games=0), "games: expected a whole number from"),
        (lambda: check_objective(3), "objective: expected a keyword, a row or a subclass of Obj"),
        (lambda: check_objective("reach", games=-1), "games: expected a whole number from 1, got"),
        (lambda: check_format("json", games=0), "games: expected a whole number from 1, got 0"),
        (lambda: check_format(json), "format: expected a name or a FormatRow, got <module 'json'"),
        (lambda: check_generator(3), "generator: expected a name, a row or a function, got 3"),
    ],
)
def test_a_wrong_call_is_refused(call, sentence):
    with pytest.raises(InvalidOptionError, match=sentence):
        call()


# -------------------------------------------------------------------- objectives

wrong_module = types.ModuleType("wrong_module")


@pytest.fixture(autouse=True)
def module(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "wrong_module", wrong_module)


def objective_row(kind, **changes):
    """The row of Reach for a wrong class."""
    kind.__module__, kind.__qualname__ = "wrong_module", kind.__name__
    setattr(wrong_module, kind.__name__, kind)
    row = dataclasses.replace(OBJECTIVES["reach"], target=f"wrong_module:{kind.__name__}")
    return dataclasses.replace(row, **changes)


def test_a_checker_that_accepts_everything_is_found():
    wrong_module.accept = lambda solution: None
    row = dataclasses.replace(OBJECTIVES["reach"], checker="wrong_module:accept")
    with pytest.raises(ContractError, match="its checker accepts a wrong level of position 'a'"):
        check_objective(row)


def test_a_checker_that_looks_at_labels_alone_is_found():
    def labels(solution):
        if solution.label.tolist() != zm.solve(solution.graph, solution.objective).label.tolist():
            raise zm.errors.CertificateError("wrong label")

    wrong_module.labels = labels
    row = dataclasses.replace(OBJECTIVES["parity"], checker="wrong_module:labels")
    with pytest.raises(ContractError, match="its checker accepts a wrong level of position 'a'"):
        check_objective(row)


def test_a_checker_that_crashes_is_found():
    wrong_module.crash = lambda solution: {}["checker"]
    row = dataclasses.replace(OBJECTIVES["reach"], checker="wrong_module:crash")
    with pytest.raises(ContractError, match="its example raises KeyError: 'checker'"):
        check_objective(row)


class Misreads(zm.Reach):
    @classmethod
    def from_spec(cls, data, graph):
        return cls([], player=data["player"])


class Alive(zm.Reach):
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)


class NoExample(zm.Reach):
    example = classmethod(zm.Objective.example.__func__)


class NoSpec(zm.Reach):
    def spec(self, graph):
        raise KeyError("spec")


class NoReader(zm.Reach):
    @classmethod
    def from_spec(cls, data, graph):
        raise KeyError("data")


class NoText(zm.Reach):
    @classmethod
    def from_text(cls, text, graph):
        raise KeyError("text")


class Other(zm.Reach):
    keyword = "other"


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Misreads, "from_spec reads"),
        (Alive, "expected a frozen dataclass, which nobody can change"),
        (NoSpec, "spec raises KeyError: 'spec'"),
        (NoReader, "from_spec raises KeyError: 'data'"),
        (NoText, r"from_text\('.*', graph\) raises KeyError: 'text'"),
        (Other, "its class has the keyword 'other', its row 'reach'"),
        (dict, "expected a subclass of Objective at wrong_module:dict"),
    ],
)
def test_a_wrong_objective_is_found(kind, sentence):
    if kind is dict:
        wrong_module.dict = dict
        row = dataclasses.replace(OBJECTIVES["reach"], target="wrong_module:dict")
    else:
        row = objective_row(kind)
    with pytest.raises(ContractError, match=sentence):
        check_objective(row)


def test_an_objective_without_an_example_says_what_is_missing():
    with pytest.raises(ZermeloError, match=r"NoExample needs data; give the class a method exam"):
        check_objective(objective_row(NoExample))


def test_an_objective_that_nobody_solves_is_found():
    class Unsolved(zm.Reach):
        family = "nobody"

    with pytest.raises(ContractError, match="its example is not solved and checked: no solver is"):
        check_objective(objective_row(Unsolved, family="nobody"))


# -------------------------------------------------------------------- rules


class Countdown(zm.Rules):
    def start(self):
        return 5

    def moves(self, position):
        return [position - k for k in (1, 2) if k <= position]


class Lossy(Countdown):
    def show(self, position):
        return str(position // 2)

    def parse(self, text):
        return int(text)


def test_rules():
    report = check_rules(Countdown())
    assert report.tried["positions solved"] == report.tried["positions of a table"] == 6
    with pytest.raises(ContractError, match=r"rules Lossy: .*show"):
        check_rules(Lossy())


@pytest.mark.slow("pong-hau-ki", "hexapawn")
@pytest.mark.parametrize("name", ["nim", "pong-hau-ki", "hexapawn"])
def test_rules_of_ours(name):
    assert check_rules(GAMES[name], samples=20).tried["members"] > 3


# -------------------------------------------------------------------- formats and generators


def module_of(name, **functions):
    """A format whose functions are those of JSON, but for some."""
    base = FORMATS["json"].module()
    kept = {x: getattr(base, x) for x in ("read_graph", "write_graph", "read_answer",
                                          "read_solution", "write_solution")}  # fmt: skip
    for key, function in {**kept, **functions}.items():
        setattr(wrong_module, key, function)
    holds = ("graph", "names", "owner", "objective", "start", "weights")
    return FormatRow(name, "", "wrong_module", (f".{name}",), holds)


def changed(**entries):
    """A writer that changes entries of a JSON file; None leaves them out."""

    def write(graph, objective, **more):
        data = json.loads(FORMATS["json"].module().write_graph(graph, objective, **more))
        for key, value in entries.items():
            if key in data:
                data.update({key: value})
        return json.dumps({k: x for k, x in data.items() if x is not None}).encode()

    return write


def crash(data):
    if len(data) % 7 == 3:
        raise KeyError("oh")
    return FORMATS["json"].module().read_graph(data)


def no_lines(data):
    try:
        return FORMATS["json"].module().read_graph(data)
    except ZermeloError:
        raise zm.errors.FormatError("this file is broken") from None


def refuse(graph, objective, **more):
    raise zm.errors.InvalidGraphError("not this one")


@pytest.mark.parametrize(
    ("functions", "sentence"),
    [
        ({"write_graph": changed(owner=None)}, "it wrote Graph"),
        ({"write_graph": changed(names=None)}, "it wrote Graph"),
        ({"write_graph": changed(start=None)}, "the start .* comes back as None"),
        ({"write_graph": changed(objective={"objective": "misere"})}, "the objective comes back"),
        ({"write_graph": refuse}, "it does not write what its row says that it holds: not this"),
        ({"write_graph": lambda *given, **more: {}["oh"]}, "its writer raises KeyError: 'oh'"),
        ({"read_graph": crash}, "it does not read what it wrote: KeyError: 'oh'"),
        ({"read_graph": no_lines}, "only 0 of [0-9]+ errors name a line"),
    ],
)
def test_a_lossy_format_is_found(functions, sentence):
    with pytest.raises(ContractError, match=sentence):
        check_format(module_of("lossy", **functions))


def test_a_format_may_refuse_the_first_games():
    def write(graph, objective, **more):
        if not graph.n:
            raise zm.errors.InvalidGraphError("no positions")
        return FORMATS["json"].module().write_graph(graph, objective, **more)

    assert check_format(module_of("full", write_graph=write)).tried["refused"] == 1


def test_a_damaged_file_that_crashes_is_shown():
    def fragile(data):
        if data[:1] != b"{":
            raise KeyError("oh")
        return FORMATS["json"].module().read_graph(data)

    with pytest.raises(ContractError, match="a damaged file raises KeyError: 'oh'") as caught:
        check_format(row := module_of("fragile", read_graph=fragile))
    with FORMATS.including(row), pytest.raises(KeyError, match="oh"):
        shows(caught.value)


def test_a_format_that_is_sound():
    assert check_format(module_of("sound")).tried == {"games": 60, "damaged files": 600}
    assert "sound" not in FORMATS


@pytest.mark.sampled
@pytest.mark.parametrize("row", list(FORMATS), ids=lambda row: row.name)
def test_formats_keep_the_contract(row):
    report = check_format(row, games=rounds(60), damages=rounds(600, 100))
    assert report.tried["damaged files"] >= 100


def test_generators():
    wrong_module.free = lambda n: GENERATORS["path"].load()(n)
    with pytest.raises(ContractError, match="n: expected a type hint such as int, got none"):
        check_generator(GeneratorRow("free", "", "wrong_module:free"))

    def lazy(n: int = 3) -> zm.Game:
        return zm.Game(zm.Graph.from_edges([(0, 1)]))

    wrong_module.lazy = lazy
    with pytest.raises(ContractError, match=r"generator lazy: it takes n=-1; .*lazy\(n=-1\)$"):
        check_generator(GeneratorRow("lazy", "", "wrong_module:lazy"))
    with pytest.raises(ContractError, match="expected a Game of parity, got Game"):
        check_generator(GeneratorRow("lazy", "", "wrong_module:lazy", "parity"))


def test_sound_generators_hold():
    def sound(scale: float, size: int | None = None, step: int = 1, title: str = "") -> zm.Game:
        """A generator that takes all values of its types."""
        for name, value, kinds in (
            ("scale", scale, (int, float)),
            ("size", size, (int, type(None))),
            ("step", step, int),
            ("title", title, str),
        ):
            if not isinstance(value, kinds) or (name == "size" and value and value < 0):
                raise InvalidOptionError(f"{name}: expected another value, got {value!r}")
        return zm.Game(zm.Graph.from_edges([(0, 1)]))

    assert check_generator(sound).tried == {"parameters": 4, "positions solved": 2}
    assert check_generator("layered").tried["positions solved"] == 60


def test_a_generator_that_crashes_is_found():
    def fragile(step: int = 1) -> zm.Game:
        return zm.Game(zm.Graph.from_edges([(0, k) for k in range(step)]))

    with pytest.raises(ContractError, match=r"step='\?' raises TypeError: .*\(step='\?'\)$"):
        check_generator(fragile)
    with pytest.raises(ContractError, match=r"it raises ZeroDivisionError: .*fails\(n=6\)$"):
        check_generator(fails)


def fails(n: int) -> zm.Game:
    return n // 0
