"""How much of the house one job walks through: files, switches between files, sizes.

    python benchmarks/structure.py

For each of five jobs it counts the files of the package in which a function ran, and how often the
call of a function led from one file to another. Jobs run once before they are counted, so that
imports and compiling do not count. Then come the sizes of the source: lines, the longest function,
and the most parameters that a kernel has.
"""

import ast
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

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


def walked(job: Callable[[], object]) -> tuple[int, int]:
    """The files in which a job ran, and how often a call led from one to another."""
    job()
    files: set[str] = set()
    switches = 0
    inside = str(PACKAGE)

    def watch(frame, event, _):  # type: ignore[no-untyped-def]
        nonlocal switches
        file = frame.f_code.co_filename
        if event != "call" or not file.startswith(inside):
            return
        files.add(file)
        caller = frame.f_back
        if caller is not None and caller.f_code.co_filename != file:
            switches += caller.f_code.co_filename.startswith(inside)

    sys.setprofile(watch)
    try:
        job()
    finally:
        sys.setprofile(None)
    return len(files), switches


def sizes() -> dict[str, str]:
    """Lines of the package, its longest function, and its widest kernel."""
    lines, longest, widest = 0, (0, ""), (0, "")
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text()
        lines += len(text.splitlines())
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                name = f"{path.relative_to(PACKAGE)}:{node.name}"
                longest = max(longest, (node.end_lineno - node.lineno + 1, name))
                if any("kernel" in ast.unparse(x) for x in node.decorator_list):
                    widest = max(widest, (len(node.args.args), name))
    return {
        "lines of code": f"{lines:,}",
        "longest function": f"{longest[0]} ({longest[1]})",
        "parameters of the widest kernel": f"{widest[0]} ({widest[1]})",
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, job in jobs(Path(folder)).items():
            files, switches = walked(job)
            print(f"{name:36s} {files:4d} files {switches:7,d} switches")
    for name, size in sizes().items():
        print(f"{name:36s} {size}")


if __name__ == "__main__":
    main()
