"""``zermelo matching``, ``classify``, ``kernel``, ``eggs``: in a pipe, as JSON, on a terminal."""

import json
from pathlib import Path

import pytest

import zermelo as zm
from zermelo.errors import LimitError


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "star.txt").write_text("hub a\nhub b\nhub c\nc d\n")
    (tmp_path / "square.txt").write_text("a b\nb c\nc d\nd a\n")
    (tmp_path / "triangle.txt").write_text("a b\nb c\nc a\nc b\n")
    (tmp_path / "cycle.txt").write_text("a b\nb c\nc a\n")
    zm.write((zm.read("square.txt").graph, zm.Misere()), "misere.json")


def lines(name):
    return Path(name).read_text().splitlines()


# -------------------------------------------------------------------- matching


def test_a_matching_has_a_row_for_each_position(run):
    done = run("matching", "star.txt", "--verify")
    assert done.exit_code == 0
    header, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert header == ["position", "mate", "part"]
    found = zm.gallai_edmonds(zm.read("star.txt"))
    assert rows == [[x, found.matching[x] or "-", found[x]] for x in found.graph]


def test_a_matching_as_json_and_in_files(run):
    data = json.loads(run("matching", "star.txt", "--json", "--limit", 2).stdout)
    assert (data["edges"], data["deficiency"], data["parts"]) == (2, 1, {"D": 2, "A": 1, "C": 2})
    assert len(data["matching"]) == 2
    assert run("matching", "star.txt", "-o", "m.json").stdout == ""
    assert run("matching", "star.txt", "-o", "m.json").exit_code == 0  # the same kind of file
    done = run("verify", "star.txt", "m.json")
    assert done.stdout == "m.json holds: it solves star.txt (5 positions, gallai-edmonds)\n"
    assert json.loads(run("verify", "star.txt", "m.json", "--json").stdout)["holds"] is True
    assert run("matching", "star.txt", "-o", "m.csv").exit_code == 0
    assert lines("m.csv")[0] == "position,mate,part"
    assert run("matching", "star.txt", "-o", "m.tsv").exit_code == 0
    assert lines("m.tsv")[0] == "position\tmate\tpart"


def test_a_wrong_matching_is_found(run):
    run("matching", "star.txt", "-o", "m.json")
    data = json.loads(Path("m.json").read_text())
    data["part"][0] = 2
    Path("m.json").write_text(json.dumps(data))
    assert run("verify", "star.txt", "m.json").exit_code == 1


def test_outputs_of_no_known_kind_are_refused(run):
    done = run("matching", "star.txt", "-o", "m.txt")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "m.txt: expected a name that ends in .csv, .tsv or .json" in done.stderr
    assert "--force goes with --output" in run("matching", "star.txt", "--force").stderr
    assert "would be replaced" in run("eggs", "star.txt", "-o", _graph_as_csv()).stderr


def _graph_as_csv():
    Path("graph.csv").write_text(Path("star.txt").read_text())
    return "graph.csv"


# -------------------------------------------------------------------- classify


@pytest.mark.parametrize(
    ("moves", "kind"),
    [("a b\n", "acyclic"), ("a b\nb a\n", "symmetric"), ("a b\nb a\na c\n", "symacyclic"),
     ("a b\nb c\nc a\n", "general")],
)  # fmt: skip
def test_kinds(run, moves, kind):
    done = run("classify", "-", stdin=moves)
    assert f"kind\t{kind}\n" in done.stdout
    assert json.loads(run("classify", "-", "--json", stdin=moves).stdout)["kind"] == kind


def test_components(run):
    done = run("classify", "triangle.txt", "--components")
    assert done.stdout.splitlines() == [
        "component\tsize\tcyclic\tsymmetric\tpositions",
        "0\t3\tyes\tno\ta,b,c",
    ]
    data = json.loads(run("classify", "triangle.txt", "--components", "--json").stdout)
    assert data["components"][0]["positions"] == ["a", "b", "c"]
    assert "--limit goes with --components" in run("classify", "star.txt", "--limit", 1).stderr


# -------------------------------------------------------------------- kernel


def test_the_kernel_of_an_acyclic_graph(run):
    done = run("kernel", "star.txt", "--verify")
    assert done.stdout.splitlines() == [
        "position\tin_kernel\tdistance\tmove",
        "hub\tno\t1\ta", "a\tyes\t0\t-", "b\tyes\t0\t-", "c\tno\t1\td", "d\tyes\t0\t-",
    ]  # fmt: skip
    assert run("kernel", "star.txt", "-o", "k.json").exit_code == 0
    assert "holds" in run("verify", "star.txt", "k.json").stdout
    assert json.loads(run("kernel", "star.txt", "--json").stdout)["size"] == 3
    [row] = json.loads(run("kernel", "star.txt", "--all", "--json").stdout)["kernels"]
    assert row["positions"] == ["a", "b", "d"]


def test_kernels_of_cyclic_graphs(run):
    assert run("kernel", "square.txt", "--all", "--verify").stdout.splitlines() == [
        "kernel\tsize\tpositions", "0\t2\ta,c", "1\t2\tb,d",
    ]  # fmt: skip
    one = json.loads(run("kernel", "square.txt", "--json").stdout)
    assert (one["count"], one["complete"]) == (1, False)
    none = run("kernel", "cycle.txt")
    assert none.exit_code == 1
    assert none.stdout == "kernel\tsize\tpositions\n"
    assert none.stderr == "zermelo: cycle.txt has no kernel\n"
    assert run("kernel", "cycle.txt", "--json").exit_code == 1


def test_a_set_is_checked(run):
    assert run("kernel", "square.txt", "--check", "a,c").exit_code == 0
    done = run("kernel", "square.txt", "--check", "a,b")
    assert done.exit_code == 1
    assert done.stderr == (
        "zermelo: the set is no kernel of square.txt: not independent: a move leads from 'a' to "
        "'b', and both are in the set\n"
    )
    data = json.loads(run("kernel", "square.txt", "--check", "a", "--json").stdout)
    assert data["kernel"] is False
    assert data["reason"].startswith("not absorbing")
    assert "does not go with --check" in run("kernel", "square.txt", "--check", "a", "--all").stderr


def test_kernels_that_are_refused(run):
    assert "searches" not in run("kernel", "square.txt", "--nodes", 5).stderr
    assert "NP-hard" in run("kernel", "square.txt", "--nodes", 0).stderr
    assert "the objective of this game is misere" in run("kernel", "misere.json").stderr
    done = run("kernel", "square.txt", "-o", "k.json")
    assert (done.exit_code, ".csv and .tsv" in done.stderr) == (2, True)


# -------------------------------------------------------------------- eggs


def test_eggs(run):
    assert run("eggs", "triangle.txt").stdout == (
        "position\tvalue\tlabel\na\t0\tLOSE\nb\t0\tLOSE\nc\t2\tWIN\n"
    )
    assert run("eggs", "triangle.txt", "--start", "c").stdout == (
        "debut\tvalue\tlabel\nc\t2\tWIN\nc,a\t1\tWIN\nc,b\t0\tLOSE\n"
    )
    data = json.loads(run("eggs", "triangle.txt", "--start", "c", "--json").stdout)
    assert (data["value"], data["debuts"][1]["debut"]) == (2, ["c", "a"])
    assert "and EGGS values are for games of no return" in run("eggs", "misere.json").stderr
    assert run("eggs", "triangle.txt", "-o", "e.csv").exit_code == 0
    assert lines("e.csv")[-1] == "c,2,WIN"


def test_the_search_for_eggs_is_bounded(run):
    done = run("eggs", "triangle.txt", "--nodes", 0, "--verify")
    assert done.exit_code == 0
    assert done.stdout == (
        "position\tvalue\tlower\tupper\tlabel\na\t-\t0\t1\tUNDECIDED\n"
        "b\t-\t0\t1\tUNDECIDED\nc\t-\t0\t2\tUNDECIDED\n"
    )
    [first, *_] = json.loads(run("eggs", "triangle.txt", "--nodes", 0, "--json").stdout)["values"]
    assert (first["value"], first["lower"], first["upper"]) == (None, 0, 1)
    assert "value\tlabel" in run("eggs", "triangle.txt", "--nodes", 100).stdout
    with pytest.raises(LimitError, match="examined 50 situations"):
        zm.eggs(zm.generators.random_graph(40, degree=3, law="regular").graph, 0, nodes=50)


def test_thresholds(run):
    done = run("eggs", "triangle.txt", "--threshold", 1, "--start", "c", "--verify")
    assert done.stdout == (
        "debut\texceeds\tlower\tupper\tlabel\n"
        "c\tyes\t2\t2\tWIN\nc,a\tno\t1\t1\tWIN\nc,b\tno\t0\t0\tLOSE\n"
    )
    data = json.loads(run("eggs", "triangle.txt", "--threshold", 0, "--json").stdout)
    assert [row["exceeds"] for row in data["values"]] == [False, False, True]


def test_values_of_other_games_and_sums(run):
    done = run("eggs", "cycle.txt", "--objective", "return")
    assert done.stdout == "position\tvalue\tlabel\na\t1\tWIN\nb\t1\tWIN\nc\t1\tWIN\n"
    done = run("eggs", "star.txt", "--objective", "return", "--start", "d")
    assert done.stdout == "debut\tvalue\tlabel\nd\t-\tWIN\n"
    done = run("eggs", "triangle.txt", "--start", "c", "--with", "star.txt", "hub", "--verify")
    assert done.stdout == (
        "component\tposition\tvalue\tlabel\tmoves\n"
        "0\tc\t2\tWIN\t-\n1\thub\t2\tWIN\t-\nsum\t-\t0\tLOSE\t-\n"
    )
    args = ("eggs", "triangle.txt", "--start", "c", "--with", "star.txt", "c", "--json")
    data = json.loads(run(*args).stdout)
    assert (data["label"], data["value"], data["values"]) == ("WIN", 3, [2, 1])
    assert data["moves"] == [{"component": 0, "to": "a"}]
    done = run("eggs", "cycle.txt", "--start", "a", "--with", "cycle.txt", "a",
               "--objective", "no-return:misere", "--verify")  # fmt: skip
    assert done.stdout.splitlines()[-1] == "sum\t-\t-\tWIN\t0:b,1:b"


def test_options_of_eggs_that_do_not_go_together(run):
    assert "--with goes with --start" in run("eggs", "star.txt", "--with", "star.txt", "c").stderr
    done = run("eggs", "star.txt", "--start", "c", "--with", "star.txt", "c", "--threshold", 1)
    assert (done.exit_code, "--threshold is for single games" in done.stderr) == (2, True)
    done = run("eggs", "star.txt", "--objective", "no-return:misere")
    assert "misère geography has no values" in done.stderr
    zm.write((zm.read("star.txt").graph, zm.NoReturn(misere=True)), "own.json")
    assert "misère geography has no values" in run("eggs", "own.json").stderr
    assert run("eggs", "star.txt", "--start", "c", "--with", "none.txt", "c").exit_code == 2
    assert "'z'" in run("eggs", "star.txt", "--start", "c", "--with", "star.txt", "z").stderr
    zm.write(zm.Graph.from_edges([("x", "y")], owner=[0, 1]), "owned.json")
    done = run("eggs", "star.txt", "--start", "c", "--with", "owned.json", "x")
    assert done.stderr.startswith("zermelo: owned.json: NoReturn: expected a graph without owners")


def test_games_of_no_return_have_eggs(run):
    zm.write((zm.read("triangle.txt").graph, zm.NoReturn()), "no_return.json")
    assert run("eggs", "no_return.json").stdout == run("eggs", "triangle.txt").stdout


# -------------------------------------------------------------------- a terminal


@pytest.mark.parametrize(
    ("call", "expected"),
    [("matching star.txt --verify", "2 edges, 1 position exposed, verified"),
     ("classify star.txt", "acyclic: no cycle"),
     ("kernel star.txt", "3 positions, the only one"),
     ("kernel cycle.txt", "there is none"),
     ("eggs triangle.txt --limit 1", "2 more; --limit shows them")],
)  # fmt: skip
def test_on_a_terminal(on_terminal, call, expected):
    _, shown = on_terminal(*call.split())
    assert expected in shown
