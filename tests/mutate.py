"""Change a source file a little, run tests on the change, and tell which changes they miss.

    python -m tests.mutate src/zermelo/verify/geography/geography.py --tests tests/geography

A *mutant* differs from the file in one place: a comparison, a constant, an operator, a condition
that is negated, arguments that are swapped, a statement that is left out. The tests should fail on
each of them; one that survives shows what no test looks at, or a change that changes nothing. The
tests run on a copy of the checkout, one mutant after the other, kernels interpreted unless
``--compiled`` is given. The tests are those of the short run; with ``--all``, mutants that survive
them meet the complete tests. The exit status is 1 if a mutant survives all, 2 if the tests fail
without a mutant.
"""

import argparse
import ast
import copy
import difflib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
"""What a comparison becomes."""

OPERATED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
"""What an operator becomes."""

UNWANTED = shutil.ignore_patterns(".*", "__pycache__", "node_modules", "*.egg-info")
"""What is not copied."""


@dataclass(frozen=True)
class Mutant:
    """A changed source: the line, what was done there, and the whole text."""

    line: int
    change: str
    source: str


def mutants(source: str) -> list[Mutant]:
    """All mutants of a module, in the order of their places.

    >>> for mutant in mutants("def f(x):\\n    return x > 1 and g(x, 2)"):
    ...     print(mutant.line, mutant.change)
    2 x > 1 and g(x, 2) ⟶ x > 1 or g(x, 2)
    2 x > 1 ⟶ x >= 1
    2 1 ⟶ 2
    2 1 ⟶ 0
    2 g(x, 2) ⟶ g(2, x)
    2 2 ⟶ 3
    2 2 ⟶ 1
    """
    tree = ast.parse(source)
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    text, same, found = source.encode(), ast.dump(tree), []
    conditions = {node.test for node in ast.walk(tree) if isinstance(node, ast.If | ast.While)}
    for node in _nodes(tree):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        for other in _changed(node, conditions):
            new = ast.unparse(other)
            inside = f"({new})" if isinstance(node, ast.expr) else new
            changed = (text[:begin] + inside.encode() + text[end:]).decode()
            try:
                if ast.dump(ast.parse(changed)) == same:
                    continue
            except SyntaxError:
                continue
            found.append(Mutant(node.lineno, f"{_short(node)} ⟶ {_short(other)}", changed))
    return found


def _short(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 70 else text[:67] + "…"


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Statements and expressions that run, outer before inner: no types, no text, no imports."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.JoinedStr):
                continue
            if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                continue
            if isinstance(child, ast.stmt | ast.expr):
                yield child
            yield from _nodes(child)


def _changed(node: ast.AST, conditions: set[ast.expr]) -> Iterator[ast.AST]:
    """What one place may become."""

    def other(**fields: object) -> ast.AST:
        twin = copy.copy(node)
        for name, value in fields.items():
            setattr(twin, name, value)
        return twin

    if node in conditions:
        yield ast.UnaryOp(ast.Not(), node)
    match node:
        case ast.Compare(ops=ops):
            for k, op in enumerate(ops):
                yield other(ops=[*ops[:k], COMPARED[type(op)](), *ops[k + 1 :]])
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.BinOp(op=op) | ast.BoolOp(op=op) if type(op) in OPERATED:
            yield other(op=OPERATED[type(op)]())
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub(), operand=operand):
            yield operand
        case ast.IfExp(body=body, orelse=orelse):
            yield other(body=orelse, orelse=body)
        case ast.Call(args=[first, second, *rest]) if not _is_text(first) and not _is_text(second):
            yield other(args=[second, first, *rest])
        case ast.Expr(value=ast.Call()) | ast.Raise() | ast.AugAssign() | ast.Delete():
            yield ast.Pass()
        case ast.Continue() | ast.Break() | ast.Return(value=None):
            yield ast.Pass()
        case ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            yield ast.Pass()


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr | ast.Starred) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


class Checkout:
    """A copy of the checkout in which one file is changed."""

    def __init__(self, folder: str, file: Path, tests: list[str], compiled: bool) -> None:
        self.root = Path(folder) / "checkout"
        shutil.copytree(ROOT, self.root, ignore=UNWANTED)
        self.file = self.root / file
        self.original = self.file.read_text()
        chosen = [] if compiled else ["-m", "not compiled"]
        options = ["-x", "-q", "--no-header", "-p", "no:cacheprovider", *chosen]
        self._command = [sys.executable, "-m", "pytest", *options, *tests]
        self._settings = os.environ | {
            "PYTHONPATH": str(self.root / "src"),
            "ZERMELO_CACHE_DIR": str(Path(folder) / "cache"),
        }
        if not compiled:
            self._settings["NUMBA_DISABLE_JIT"] = "1"

    def run(
        self, source: str, seconds: float | None, *, complete: bool = False
    ) -> tuple[int | None, str]:
        """The exit status of the tests on a source, None after so many seconds; their output."""
        self.file.write_text(source)
        for kept in (self.file.parent / "__pycache__").glob(f"{self.file.stem}.*.pyc"):
            kept.unlink()
        child = subprocess.Popen(
            [*self._command, *["--all"] * complete], cwd=self.root, env=self._settings,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )  # fmt: skip
        try:
            output, _ = child.communicate(timeout=seconds)
            return child.returncode, output
        except subprocess.TimeoutExpired:
            return None, ""
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.communicate()


def attack(options: argparse.Namespace, folder: str) -> int:
    """Run the tests on the mutants that were chosen; returns the exit status."""
    file = Path(options.file).resolve().relative_to(ROOT)
    checkout = Checkout(folder, file, options.tests, options.compiled)
    runs = [False, True] if options.all else [False]  # whether a run is complete
    limits = {}
    for complete in runs:
        begun = time.monotonic()
        status, output = checkout.run(checkout.original, None, complete=complete)
        if status != 0:
            print(output)
            print(f"the tests fail without a mutant, with status {status}", file=sys.stderr)
            return 2
        limits[complete] = options.timeout or 10 + 3 * (time.monotonic() - begun)
    found = mutants(checkout.original)
    chosen = [m for m in found if not options.lines or m.line in options.lines]
    if options.count and len(chosen) > options.count:
        chosen = random.Random(options.seed).sample(chosen, options.count)
    chosen.sort(key=lambda mutant: mutant.line)
    print(f"{file}: {len(chosen)} of {len(found)} mutants", flush=True)
    missed, killed = [], dict.fromkeys(runs, 0)
    for mutant in chosen:
        for complete in runs:
            status, _ = checkout.run(mutant.source, limits[complete], complete=complete)
            if status != 0:
                killed[complete] += 1
                verdict = "too long" if status is None else "killed"
                verdict += " by the complete tests alone" * complete
                break
        else:
            verdict = "survived"
            missed.append(mutant)
        print(f"{verdict:8}  {file}:{mutant.line}  {mutant.change}", flush=True)
    for mutant in missed:
        print(f"\n{file}:{mutant.line} survived")
        old, new = checkout.original.splitlines(), mutant.source.splitlines()
        print("\n".join(list(difflib.unified_diff(old, new, lineterm="", n=1))[2:]))
    beyond = f" ({killed[True]} by the complete tests alone)" if options.all else ""
    print(f"\n{len(chosen) - len(missed)} killed{beyond}, {len(missed)} survived")
    return 1 if missed else 0


def main(given: list[str] | None = None) -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutate", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("file", help="a source file of this checkout")
    add("--tests", nargs="+", required=True, help="what pytest is given")
    add("--count", type=int, default=30, help="mutants, chosen at random; 0 for all (30)")
    add("--seed", type=int, default=1, help="of the choice (1)")
    add("--lines", type=int, nargs="+", default=[], help="take only mutants of these lines")
    add("--timeout", type=float, help="seconds for each; three times what the tests take, and ten")
    add("--all", action="store_true", help="run the complete tests on mutants that survive")
    add("--compiled", action="store_true", help="compile kernels, and run tests that need that")
    options = parser.parse_args(given)
    if not (Path(options.file).is_file() and Path(options.file).resolve().is_relative_to(ROOT)):
        parser.error(f"{options.file}: expected a file of this checkout")
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        return attack(options, folder)


if __name__ == "__main__":
    sys.exit(main())
