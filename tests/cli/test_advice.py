"""Messages that reach a shell advise options, not Python."""

import ast
import re
from pathlib import Path

import pytest

import zermelo
from zermelo.cli.advice import for_the_shell

SOURCE = Path(zermelo.__file__).parent
PYTHON = re.compile(
    r"\bzm\.|(memory|limit|build)\b\W* in Python\b"
    r"|=True\b|=None\b|\bgraph\.\w+\(|\bSTORE\b|zermelo\.\w+\.\w+"
    r"|\b(memory|start|depth|nodes|quotient|limit|format|view|infinite|engine|rules|solver)="
)


def strings(node):
    """The texts in a call, with … in the place of what is put into them."""
    for x in ast.walk(node):
        if isinstance(x, ast.JoinedStr):
            yield "".join(v.value if isinstance(v, ast.Constant) else "…" for v in x.values)
        elif isinstance(x, ast.Constant) and isinstance(x.value, str):
            yield x.value


def messages():
    """The texts of every error and of every request for memory."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.parent.name == "generators":  # KEY=VALUE is how the shell spells their parameters
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                if isinstance(node.value.value, str) and " " in node.value.value:
                    yield path, node.value.value
            elif isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name.endswith("Error") or name in ("require", "unknown", "refuse_cycle"):
                    # The parts of an f-string come again by themselves: the whole is what is read.
                    parts = {
                        id(v) for x in ast.walk(node) if isinstance(x, ast.JoinedStr)
                        for v in x.values
                    }  # fmt: skip
                    for x in ast.walk(node):
                        if id(x) not in parts and isinstance(x, ast.JoinedStr | ast.Constant):
                            yield from ((path, text) for text in strings(x))


MODULE = re.compile(r"zermelo(\.\w+)+")
"""The name of a module is no message."""

PROGRAM = re.compile(r"import \w+;")
"""Nor is a program that another process runs."""


@pytest.mark.slow
def test_no_message_speaks_python_to_a_shell():
    found = {
        text
        for _, text in messages()
        if PYTHON.search(text) and not MODULE.fullmatch(text) and not PROGRAM.match(text)
    }
    assert len(found) > 10  # there is something to translate
    translated = {text: for_the_shell(text) for text in found}
    assert [x for x in translated.values() if PYTHON.search(x)] == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("convert GAME out.mtx", "zermelo convert --no-names"),
        ("solve OWNED --objective no-return", "zermelo convert --no-owners removes them"),
        ("solve GAME --objective buchi:a", "the file has to say who owns each position"),
        (
            "solve GAME --payoff t=1 --infinite 2 --view mover",
            "--view mover: expected --infinite 0",
        ),
        ("solve GAME --nodes 3", "solver 'retrograde' has no option 'nodes'; its options are"),
        ("convert GAME out.pg", "this has no priorities"),
    ],
)
def test_messages_name_commands_and_options(run, game, tmp_path, monkeypatch, call, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "owned.txt").write_text("a [0]\nb [1]\na b\nb a\n")
    stands_for = {"GAME": str(game), "OWNED": "owned.txt"}
    result = run(*(stands_for.get(argument, argument) for argument in call.split()))
    assert result.exit_code == 2
    assert message in result.stderr
    assert not PYTHON.search(result.stderr)


def test_names_and_owners_can_be_dropped(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "owned.txt").write_text("a [0]\nb [1]\na b\nb a\n")
    assert run("convert", "owned.txt", "g.mtx", "--no-names", "--no-owners").exit_code == 0
    graph = zermelo.read("g.mtx").graph
    assert (graph.n, graph.names, graph.owner) == (2, None, None)
    (tmp_path / "g.pg").write_text('parity 1;\n0 0 0 1 "a";\n1 1 1 0 "b";\n')
    assert run("convert", "g.pg", "h.json", "--no-names").exit_code == 0
    graph, objective = zermelo.read("h.json")
    assert graph.names is None
    assert objective.priorities(graph).tolist() == [0, 1]
    result = run("convert", "g.pg", "h.json", "--no-owners")
    assert result.exit_code == 2
    assert "--no-owners: parity games need positions that have owners" in result.stderr
