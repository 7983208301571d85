"""The rules of the architecture that a machine can check: imports, their cost, citations."""

import ast
import functools
import io
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo as zm

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "benchmarks"))

import layers  # noqa: E402  the functions that structure.py and the picture use, too
from layers import FRONT, LAYER_OF, LAYERS, SOURCE, imports, package  # noqa: E402

MODULES = layers.modules()

MAX_FILES = 16
"""The most modules that a package has, its ``__init__`` not counted."""


@pytest.mark.sampled(cases=120)
@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_arrows_point_down(path):
    mine = LAYER_OF[package(path)]
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "zermelo" and len(parts) > 1 and parts[1] in LAYER_OF:
            assert LAYER_OF[parts[1]] <= mine, f"{path.name} imports {name}"


def test_no_text_names_a_module_of_a_higher_layer():
    """A text that names a module is an arrow, too, unless it is a plug-in's row of a table."""
    references = layers.upward_references()
    assert [x for x in references if not x.is_row] == []
    assert any(x.is_row for x in references)


def test_nothing_imports_private_names_of_another_package():
    assert layers.private_imports() == []


def test_packages_have_few_files():
    for folder in {path.parent for path in MODULES}:
        files = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(files) <= MAX_FILES, f"{folder.name} has {len(files)} files"


def test_nothing_below_names_the_front():
    """Not even as text; `__init__` says where the front's functions are."""
    named = re.compile(rf"zermelo[./]({'|'.join(sorted(FRONT))})\b")
    below = [path for path in MODULES if package(path) not in {*FRONT, "__init__", "__main__"}]
    found = {str(path.relative_to(SOURCE)): named.search(path.read_text()) for path in below}
    assert {name for name, hit in found.items() if hit} == set()


def test_services_work_in_a_process_that_imports_one_module():
    code = (
        "from zermelo.graph import Graph\n"
        "from zermelo._runtime.services import _places, service\n"
        "print(Graph.from_edges([(0, 1)])._repr_html_().count('<svg'))\n"
        "print(all(callable(service(name)) for name in _places))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["1", "True"]


KERNELS_OF_CHECKERS = "zermelo._kernels.verify."

# What a checker has in common with what it checks is data: the question (a graph, an objective,
# rules), the answer, and the names and types of both. What runs compiled code, and what checks the
# arguments of public functions, decides nothing.
DATA = {"graph", "game", "plant", "objectives", "rules", "solutions", "labels", "errors"}
RUNNING = {"_inputs", "_runtime"}

FUNCTIONS_OF_DATA = {
    "game": {"as_game"},
    # How an objective describes itself: payoffs at ends, priorities, the name of a colour.
    "objectives.acceptance": {"signal_name"},
    "objectives.infinite": {"priorities_on"},
    "objectives.terminal_form": {"form_on", "plain"},
    # What rules are asked, and how an error in them is shown. The checker of tables compares the
    # moves of sets of positions with those of single ones, so it does not trust `set_tiers`.
    "rules.base": {"as_rules", "defines"},
    "rules.compiled": {"room_for"},
    "rules.conversion": {"with_conversions"},
    "rules.faults": {
        "admit", "blamed", "hashable", "integer", "listed", "located", "options_of", "outcome_of",
        "own", "place", "text_of", "unwrapped",
    },
    "rules.set_tiers": {"set_tiers"},
    "rules.views": {"view"},
    # The solution on a graph that belongs to a solved game of rules.
    "solutions.base": {"solution_of"},
}  # fmt: skip
"""The functions of data that checkers import. A function that computes something is no data: a
fault in it would make both the answer and its check wrong."""

CHECKERS = sorted((SOURCE / "verify").rglob("*.py"))


@pytest.mark.parametrize("path", CHECKERS, ids=lambda p: p.name)
def test_checkers_share_only_data_with_what_they_check(path):
    for name in imports(path):
        parts = name.split(".")
        if parts[0] != "zermelo":
            assert parts[0] != "numba"
        elif len(parts) > 1 and parts[1] != "verify" and not name.startswith(KERNELS_OF_CHECKERS):
            assert parts[1] in DATA | RUNNING, f"{path.name} imports {name}"


@functools.cache
def functions_in(file: Path) -> set[str]:
    body = ast.parse(file.read_text()).body if file.exists() else []
    return {x.name for x in body if isinstance(x, ast.FunctionDef)}


def test_checkers_import_few_functions():
    found: dict[str, set[str]] = {}
    for path in CHECKERS:
        for name in imports(path):
            module, _, last = name.removeprefix("zermelo.").rpartition(".")
            file = SOURCE.joinpath(*module.split(".")).with_suffix(".py")
            if module.split(".")[0] in DATA and last in functions_in(file):
                found.setdefault(module, set()).add(last)
    assert found == FUNCTIONS_OF_DATA


def answers():
    """An answer of each kind that can be checked, on a small graph."""
    edges = [(0, 1), (0, 2), (1, 2), (1, 4), (2, 0), (2, 3), (3, 0), (3, 5), (4, 1), (4, 5)]
    free = zm.Graph.from_edges(edges)
    owned = zm.Graph.from_edges(edges, owner=[0, 1, 0, 1, 0, 1])
    weight = {edge: k % 5 - 2 for k, edge in enumerate(edges)}
    priority = [3, 2, 1, 0, 1, 2]
    muller = zm.Muller(priority, "Inf(0) & Inf(1) | Fin(2)")
    text = b"""HOA: v1 States: 1 Start: 0 AP: 2 "i" "o" controllable-AP: 1 Acceptance: 1 Fin(0)
        --BODY-- State: 0 [0&1 | !0&!1] 0 [0&1] 0 {0} --END--"""
    for objective in (zm.NormalPlay(), zm.Misere(), zm.Asymmetric(), zm.NoReturn(), zm.Return(),
                      zm.NoRepetition(), zm.Energy(weight), zm.MeanPayoff(weight)):  # fmt: skip
        yield zm.solve(free, objective)
    for objective in (
        zm.Reach([5]), zm.Safety([0, 1, 2]), zm.Buchi([2]), zm.Parity(priority), muller,
        zm.Energy(weight), zm.Discounted(weight, discount=Fraction(1, 2)),
        zm.ShortestPath(weight, [5]),
    ):  # fmt: skip
        yield zm.solve(owned, objective)
    yield from (zm.grundy(free), zm.maximum_matching(free), zm.attractor(owned, [5], 0))
    yield from (zm.heap("0.77"), zm.value("{0|1} + {0|1} - 1"))
    yield zm.synthesize(zm.read(io.BytesIO(text), format="hoa"))


@pytest.mark.slow
def test_checkers_run_no_code_of_what_they_check():
    """Not even by a method of an object that they are given."""
    foreign: set[str] = set()

    def watch(frame, event, _):
        name = frame.f_globals.get("__name__", "")
        if event != "call" or not name.startswith("zermelo."):
            return
        if name.split(".")[1] in {"verify", *DATA, *RUNNING}:
            return
        called = f"{name}:{frame.f_code.co_name}"
        while (frame := frame.f_back) is not None:
            if frame.f_globals.get("__name__", "").startswith("zermelo.verify."):
                foreign.add(called)

    for answer in answers():
        getattr(answer, "move", None)  # a part of the answer that is computed when it is needed
        sys.setprofile(watch)
        try:
            answer.verify()
        finally:
            sys.setprofile(None)
    # The search of a game of return writes out its table: claims, each of which is checked.
    assert foreign == {"zermelo.solvers.geography._arena:entries"}


@pytest.mark.slow
def test_kernels_of_a_checker_are_its_own():
    """They use no other kernels, and only checkers use them."""
    own = sorted((SOURCE / "_kernels" / "verify").glob("*.py"))
    assert len(own) == 6
    for kernels in own:
        used = imports(kernels)
        used = [name for name in used if name.startswith("zermelo._kernels.")]
        assert all(name.startswith(KERNELS_OF_CHECKERS) for name in used)
    for path in MODULES:
        names = imports(path)
        if any(name.startswith(KERNELS_OF_CHECKERS) for name in names):
            assert package(path) == "verify" or path in own


@pytest.mark.slow
def test_only_the_switch_knows_numba():
    users = {
        str(p.relative_to(SOURCE))
        for p in MODULES
        if any(x.split(".")[0] in ("numba", "llvmlite") for x in
               imports(p))
    }  # fmt: skip
    names = ("compiler", "instructions", "jit", "native")
    assert users == {f"_runtime/compiled/{name}.py" for name in names}


def test_files_are_small_and_packages_hold_no_logic():
    for path in MODULES:
        lines = path.read_text().splitlines()
        assert len(lines) <= 480, f"{path.name} has {len(lines)} lines"
        if path.name == "__init__.py" and path.parent != SOURCE:
            tree = ast.parse(path.read_text())
            allowed = (ast.Expr, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
            body = [node for node in tree.body if not is_for_types(node)]
            assert all(isinstance(node, allowed) for node in body), path


def is_for_types(node):
    """Whether a statement is `if TYPE_CHECKING:`, which no program runs."""
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def test_importing_is_light():
    heavy = ["numba", "scipy", "networkx", "pyarrow", "matplotlib", "rich", "click", "zstandard"]
    code = f"import sys, zermelo; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_small_job_needs_no_compiler():
    code = (
        "import sys, zermelo as zm\n"
        "s = zm.solve(zm.Graph.from_edges([(v, v + 1) for v in range(100)]), zm.Asymmetric())\n"
        "s.move, s.verify(), s.line(0)\n"
        "print('numba' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


def test_every_citation_resolves():
    bibliography = (ROOT / "docs" / "references.bib").read_text()
    keys = set(re.findall(r"@\w+\{(\w+),", bibliography))
    pages = [*MODULES, *(ROOT / "docs").rglob("*.md")]
    for path in pages:
        for key in re.findall(r"\[([A-Z][A-Za-z]+(?:19|20)\d\d|GamesOnGraphs)\]", path.read_text()):
            assert key in keys, f"{path.name} cites [{key}]"


def records_of_kernels():
    """The classes of records in _kernels, by name: what their fields and parameters are."""
    trees = {path: ast.parse(path.read_text()) for path in MODULES if package(path) == "_kernels"}
    named = {
        node.name: node
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases)
    }
    return trees, named


@pytest.mark.slow
def test_records_of_kernels_hold_no_records():
    """Object code is kept only for flat records; others would be compiled anew in every process."""
    trees, named = records_of_kernels()
    assert len(named) > 20
    for name, node in named.items():
        fields = [ast.unparse(x.annotation) for x in node.body if isinstance(x, ast.AnnAssign)]
        assert not {*fields} & {*named}, name
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.arg) and node.annotation is not None:
                text = ast.unparse(node.annotation)
                inside = set(re.findall(r"\w+", text)) & {*named} if "[" in text else set()
                assert not inside, f"{path.name}: {node.arg}: {text}"


def test_the_decision_on_the_layout_lists_the_layers():
    page = (ROOT / "docs" / "decisions" / "0004-layout.md").read_text()
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", page, re.MULTILINE)
    listed = [{x.removesuffix("/") for x in re.findall(r"`(\w+/?)`", row)} for _, row in rows]
    assert [int(number) for number, _ in rows] == list(range(1, len(LAYERS) + 1))
    assert listed == LAYERS


def test_the_picture_of_the_layers_is_up_to_date():
    same = layers.PICTURE.read_text() == layers.picture()
    assert same, "imports between packages have changed: run python benchmarks/layers.py"


def test_the_page_on_the_architecture_names_files_that_exist():
    page = (ROOT / "docs" / "architecture.md").read_text()
    named = re.findall(r"`([\w/]+\.py)`", page.replace("`tests/", "").replace("`benchmarks/", ""))
    assert len(named) > 40
    assert [name for name in named if not (SOURCE / name).exists()] == []


def test_every_entry_point_is_named_for_packages_outside():
    tables = (SOURCE / "registry").glob("*.py")
    points = {
        x
        for path in tables
        for x in re.findall(r'^    "(zermelo\.\w+)",$', path.read_text(), re.MULTILINE)
    }
    page = (ROOT / "CONTRIBUTING.md").read_text()
    assert len(points) > 10
    assert points <= set(re.findall(r"`(zermelo\.\w+)`", page))
