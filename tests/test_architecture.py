"""The house rules that a machine can hold: who imports whom, what importing costs, citations."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "zermelo"
MODULES = sorted(SOURCE.rglob("*.py"))

# From the bottom up; a module imports its own storey and those below, inside functions, too. What a
# lower room needs of a higher one it finds in a table of registry/, whose rows have names as text.
STOREYS = [
    {"labels", "errors", "_version"},
    {"_runtime"},
    {"_kernels", "_door", "registry"},
    {"_diagrams", "_reverse", "graph", "objectives"},
    {"game", "plant"},
    {"solutions"},
    {"rules", "verify"},
    {
        "solvers",
        "sums",
        "partizan",
        "matching",
        "synthesis",
        "formats",
        "generators",
        "trace",
        "transform",
        "tables",
        "mu_calculus",
        "draw",
    },
    {"engines"},
    {"planning", "play"},
    {"solve"},
    {"__init__"},
    {"web"},
    {"cli", "__main__"},
]
STOREY_OF = {name: k for k, names in enumerate(STOREYS) for name in names}


def room(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(tree: ast.AST, *, everywhere: bool) -> list[str]:
    """Full names of what a module imports, at its top level or everywhere."""
    found = []
    typing_only = {
        id(x)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for x in ast.walk(node)
    }
    inside = {
        id(x)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for x in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only or (id(node) in inside and not everywhere):
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_arrows_point_down(path):
    mine = STOREY_OF[room(path)]
    for name in imports(ast.parse(path.read_text()), everywhere=True):
        parts = name.split(".")
        if parts[0] == "zermelo" and len(parts) > 1 and parts[1] in STOREY_OF:
            assert STOREY_OF[parts[1]] <= mine, f"{path.name} imports {name}"


KERNELS_OF_CHECKERS = tuple(
    f"zermelo._kernels.verify_{name}" for name in ("table", "sets", "label_sets")
)


@pytest.mark.parametrize("path", sorted((SOURCE / "verify").rglob("*.py")), ids=lambda p: p.name)
def test_checkers_share_nothing_with_what_they_check(path):
    for name in imports(ast.parse(path.read_text()), everywhere=True):
        own = name.startswith(KERNELS_OF_CHECKERS)
        assert own or not re.match(
            r"zermelo\.(solvers|sums|partizan|_kernels|trace|transform)|numba", name
        )


def test_kernels_of_a_checker_are_its_own():
    """They use no other kernels, and only checkers use them."""
    own = sorted((SOURCE / "_kernels").glob("verify_*.py"))
    assert len(own) == 4
    for kernels in own:
        used = imports(ast.parse(kernels.read_text()), everywhere=True)
        used = [name for name in used if name.startswith("zermelo._kernels.")]
        assert all(name.startswith(KERNELS_OF_CHECKERS) for name in used)
    for path in MODULES:
        names = imports(ast.parse(path.read_text()), everywhere=True)
        if any(name.startswith(KERNELS_OF_CHECKERS) for name in names):
            assert room(path) == "verify" or path in own


def test_only_the_switch_knows_numba():
    users = {
        str(p.relative_to(SOURCE))
        for p in MODULES
        if any(x.split(".")[0] in ("numba", "llvmlite") for x in
               imports(ast.parse(p.read_text()), everywhere=True))
    }  # fmt: skip
    rooms = ("compiler", "instructions", "jit", "native")
    assert users == {f"_runtime/{room}.py" for room in rooms}


def test_rooms_are_small_and_packages_hold_no_logic():
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
    trees = {path: ast.parse(path.read_text()) for path in MODULES if room(path) == "_kernels"}
    named = {
        node.name: node
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and "NamedTuple" in map(ast.unparse, node.bases)
    }
    return trees, named


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
