"""How much of the package one job walks through, and how large the source is.

    python benchmarks/structure.py [--files JOB]

For each of five jobs it counts the files of the package in which a function ran, and the
*switches*: how often the call of a function led from one file to another. Jobs run once before they
are counted, so that imports and compiling do not count. ``--files`` lists the files of the jobs
whose name contains JOB, with the switches into each.

Then come the sizes of the source:

- *lines of code*: lines without docstrings, comments and blank lines;
- *files*: modules of the package;
- *files in the fullest package*: the most modules that one folder has;
- *upward text references*: texts in the code that name a module of a higher layer and are not a
  plug-in's row of a table in ``registry/`` (in brackets: such rows);
- *longest function*: in lines, with its docstring and comments;
- *widest call*: the most parameters that a function or a kernel has.
"""

import argparse
import ast
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import layers
import zermelo as zm

PACKAGE = Path(zm.__file__).parent

RULES = """
import zermelo as zm

class Countdown(zm.CompiledRules):
    most_moves = 2
    size = 1001

    def start(self):
        return 1000

    def moves(self, position, out):
        count = min(2, position)
        for k in range(count):
            out[k] = position - 1 - k
        return count

    def rank(self, position):
        return position

    def unrank(self, index):
        return index
"""


def jobs(folder: Path) -> dict[str, Callable[[], object]]:
    """The five jobs by name."""
    from click.testing import CliRunner

    from zermelo.cli.main import cli
    from zermelo.rules.loading.load import load_rules

    game = folder / "game.pg"
    game.write_text("parity 3;\n0 2 0 1,2;\n1 1 1 0,3;\n2 0 1 3;\n3 3 0 2,0;\n")
    rules = folder / "countdown.py"
    rules.write_text(RULES)
    graph = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")])

    def shell() -> object:
        result = CliRunner().invoke(
            cli, ["solve", str(game), "-o", str(folder / "g.sol"), "--verify", "--force"]
        )
        assert result.exit_code == 0, result.output
        return result

    def build(given: object, name: str) -> None:
        path = folder / name
        path.unlink(missing_ok=True)
        zm.build(given, path).close()

    return {
        "zermelo solve game.pg -o --verify": shell,
        "zm.solve(g, zm.Asymmetric())": lambda: zm.solve(graph, zm.Asymmetric()).move,
        "zm.build chess:KRvK": lambda: build(zm.game("chess:KRvK"), "krk.zt"),
        'zm.value("{2|-1}")': lambda: str(zm.value("{2|-1}")),
        "a user's compiled rules": lambda: build(load_rules(str(rules)), "countdown.zt"),
    }


def walked(job: Callable[[], object]) -> Counter[str]:
    """The files in which a job ran, and how often a call from another file led to each."""
    job()
    entered: Counter[str] = Counter()
    inside = str(PACKAGE)

    def watch(frame, event, _):  # type: ignore[no-untyped-def]
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(inside):
            return
        caller = frame.f_back.f_code.co_filename if frame.f_back is not None else file
        entered[file] += caller != file and caller.startswith(inside)

    sys.setprofile(watch)
    try:
        job()
    finally:
        sys.setprofile(None)
    return entered


def parameters(function: ast.FunctionDef) -> int:
    """How many parameters a function has, but for the first one of a method."""
    names = [x.arg for x in (*function.args.posonlyargs, *function.args.args)]
    own = len(names) - (names[:1] in (["self"], ["cls"]))
    return own + len(function.args.kwonlyargs)


def sizes() -> dict[str, str]:
    """The sizes of the source by name."""
    modules = layers.modules()
    longest, widest = (0, ""), (0, "")
    for path in modules:
        for node in ast.walk(layers.tree_of(path)):
            if isinstance(node, ast.FunctionDef):
                name = f"{path.relative_to(PACKAGE)}:{node.name}"
                longest = max(longest, ((node.end_lineno or 0) - node.lineno + 1, name))
                widest = max(widest, (parameters(node), name))
    [(fullest, count)] = Counter(path.parent for path in modules).most_common(1)
    references = layers.upward_references()
    rows = sum(x.is_row for x in references)
    return {
        "lines of code": f"{sum(map(layers.code_lines, modules)):,}",
        "files": f"{len(modules):,}",
        "files in the fullest package": f"{count} ({fullest.relative_to(PACKAGE)})",
        "upward text references": f"{len(references) - rows} ({rows} rows of plug-ins)",
        "longest function": f"{longest[0]} ({longest[1]})",
        "widest call": f"{widest[0]} ({widest[1]})",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", metavar="JOB", help="list the files of these jobs")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, job in jobs(Path(folder)).items():
            entered = walked(job)
            print(f"{name:36s} {len(entered):4d} files {entered.total():7,d} switches")
            if args.files is not None and args.files in name:
                for file, count in sorted(entered.items()):
                    print(f"    {count:7,d} {Path(file).relative_to(PACKAGE)}")
    for name, size in sizes().items():
        print(f"{name:36s} {size}")


if __name__ == "__main__":
    main()
