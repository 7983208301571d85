"""What every kind of answer must do, from one list: solutions, tables, values, matchings, …"""

import dataclasses
import functools
import json
import sys
import tempfile
from pathlib import Path

import pytest

import zermelo as zm
from zermelo.errors import FormatError, ZermeloError
from zermelo.registry.answers import ANSWERS
from zermelo.solutions.answers import Answers
from zermelo.tables.solving.solve import solve_rules

KEYS = ["positions", "win", "lose", "tie", "draw", "longest_win", "longest_lose"]

CYCLE = zm.Graph.from_edges(
    [("a", "b"), ("b", "a"), ("a", "t"), ("c", "d"), ("d", "c"), ("e", "a")]
)
OWNED = zm.Graph.from_edges([(0, 1), (1, 0), (1, 2), (2, 2)], owner=[0, 1, 0])
PATH = zm.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d"), ("a", "c"), ("b", "d")])
SYMMETRIC = zm.Graph.from_edges(
    [(u, v) for u, v in (("a", "b"), ("b", "c"), ("b", "d"), ("x", "y"))]
    + [(v, u) for u, v in (("a", "b"), ("b", "c"), ("b", "d"), ("x", "y"))]
)
LOOPY = zm.PartizanGraph.from_edges(
    left=[("a", "0"), ("b", "b"), ("c", "d")],
    right=[("a", "a"), ("d", "c")],
    both=[("e", "0"), ("e", "e")],
)


@dataclasses.dataclass
class Kind:
    """How an answer is made, what it is about, a position that it has and one that it has not."""

    name: str
    make: object
    game: object
    position: object
    unknown: object
    suffix: str = ".json"


def solved(graph, objective):
    return lambda folder: zm.solve(graph, objective)


def built(name):
    return lambda folder: zm.build(name, folder / "built.zt")


def opened(name):
    """A table that is built once, and copied for each test."""

    @functools.cache
    def content():
        with tempfile.TemporaryDirectory() as folder:
            zm.build(name, Path(folder) / "built.zt").close()
            return (Path(folder) / "built.zt").read_bytes()

    def make(folder):
        (folder / "built.zt").write_bytes(content())
        return zm.Table(folder / "built.zt")

    return make


def heap(**options):
    def make(folder):
        found = zm.heap(**options)
        found.nim_sequence(30)
        return found

    return make


def valued(name):
    def make(folder):
        found = zm.game_values(zm.game(name))
        assert found.start is not None
        return found

    return make


def pile(n):
    """The options of a heap that may be halved, or from which one is taken."""
    return [(n - 1,), (n // 2,)] if n else []


OWNER = zm.Parity([0, 1, 2])
WEIGHT = {(0, 1): 3, (1, 0): -2, (1, 2): 1, (2, 2): 0}
KINDS = [
    Kind("normal play", solved(CYCLE, zm.NormalPlay()), CYCLE, "a", "z"),
    Kind("asymmetric", solved(CYCLE, zm.Asymmetric()), CYCLE, "a", "z"),
    Kind("payoffs", solved(CYCLE, zm.TerminalPayoff({"t": (1, 2)})), CYCLE, "e", "z"),
    Kind("parity", solved(OWNED, OWNER), zm.Game(OWNED, OWNER), 1, 9),
    Kind("muller", solved(OWNED, zm.Muller([0, 1, 2], "Inf(1)")), OWNED, 1, 9),
    Kind("energy", solved(OWNED, zm.Energy(WEIGHT)), OWNED, 1, 9),
    Kind("battery", solved(OWNED, zm.Energy(WEIGHT, capacity=4)), OWNED, 1, 9),
    Kind("mean payoff", solved(OWNED, zm.MeanPayoff(WEIGHT)), OWNED, 1, 9),
    Kind("threshold", solved(OWNED, zm.MeanPayoff(WEIGHT, threshold="1/3")), OWNED, 1, 9),
    Kind("discounted", solved(OWNED, zm.Discounted(WEIGHT)), OWNED, 1, 9),
    Kind("shortest path", solved(OWNED, zm.ShortestPath(WEIGHT, [2])), OWNED, 1, 9),
    Kind("alternating mean", solved(CYCLE, zm.MeanPayoff(lambda u, v: ord(u))), CYCLE, "a", "z"),
    Kind("no return", solved(SYMMETRIC, zm.NoReturn()), SYMMETRIC, "a", "z"),
    Kind("table", opened("tictactoe"), None, "xx./oo./...", "xxx/xxx/xxx", ".zt"),
    Kind("plain table", built("nim:2,3"), None, (2, 3), (9, 9), ".zt"),
    Kind(
        "in memory", lambda folder: solve_rules(zm.game("tictactoe")), None, "xx./oo./...",
        "xxx/xxx/xxx", ".zt",
    ),
    Kind(
        "in memory, two players", lambda folder: solve_rules(zm.game("domineering:2x2").as_rules()),
        zm.game("domineering:2x2"), "../.. L", "##/.. L", ".zt",
    ),
    Kind("grundy", lambda folder: zm.grundy(PATH), PATH, "a", "z"),
    Kind("loopy grundy", lambda folder: zm.grundy(CYCLE), CYCLE, "e", "z"),
    Kind("kernel", lambda folder: zm.kernel(PATH), PATH, "a", "z"),
    Kind("heap", heap(code="0.77"), None, 7, "seven"),
    Kind("heap with a period", heap(subtract=[1, 3, 4]), None, (7, 2), -1),
    Kind("heap by a rule", heap(rule=pile), zm.heap(rule=pile), (5, 5), "seven"),
    Kind("quotient", lambda folder: zm.misere_quotient("0.77", 6), "0.77", (2, 5), 7),
    Kind("matching", lambda folder: zm.maximum_matching(SYMMETRIC), SYMMETRIC, "a", "z"),
    Kind("decomposition", lambda folder: zm.gallai_edmonds(SYMMETRIC), SYMMETRIC, "a", "z"),
    Kind("partizan graph", lambda folder: LOOPY.values(), LOOPY, "c", "z"),
    Kind("partizan", valued("domineering:2x3"), zm.game("domineering:2x3"), ".../...", "z"),
    Kind(
        "partizan text", valued("toppling-dominoes:lrl"), zm.game("toppling-dominoes:lrl"), "lr",
        "z",
    ),
]  # fmt: skip


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def kind(request):
    return request.param


@pytest.fixture
def answer(kind, tmp_path):
    return kind.make(tmp_path)


def read(kind, path):
    return zm.read_solution(path, kind.game)


def same(one, two):
    """Whether two answers say the same at every position."""
    if isinstance(getattr(one, "objective", None), zm.NoReturn):  # a file has one move of a start
        return one.label.tolist() == two.label.tolist() and one.move.tolist() == two.move.tolist()
    return [(x, x.best_moves) for x in one.answers()] == [(x, x.best_moves) for x in two.answers()]


@pytest.mark.slow
def test_every_kind_that_files_hold_is_in_the_list(tmp_path):
    kinds = {kind.make(tmp_path).file_kind for kind in KINDS}
    assert kinds == {"", *(row.name for row in ANSWERS)}
    for row in ANSWERS:
        assert row.load().file_kind == row.name


@pytest.mark.slow("table")
def test_it_is_an_answer(kind, answer):
    assert isinstance(answer, Answers)
    found = answer.at(kind.position)
    assert isinstance(found, zm.Answer)
    assert isinstance(found.label, zm.Label)
    assert found.outcome in ("win", "lose", "tie", "draw")
    assert found.move is None or found.move in found.best_moves
    assert found.outcome.upper() in str(found)
    assert answer[kind.position] == found or answer[kind.position] == found.value


@pytest.mark.slow("matching", "table")
def test_it_iterates(answer):
    found = list(answer.answers())
    if isinstance(answer, zm.Kernel):  # a set of positions
        assert list(answer) == [x.position for x in found if x.label == zm.Label.LOSE]
        assert len(answer) == len(list(answer)) > 0
    else:
        assert list(answer) == found
        assert len(found) == len(answer) > 0
    assert all(isinstance(x, zm.Answer) for x in found)
    for x in found[:20]:
        again = answer.at(x.position, x.player)
        assert (again, again.best_moves) == (x, x.best_moves)


def test_it_counts(answer):
    counts = answer.counts()
    assert list(counts)[:7] == KEYS
    assert counts.keys() - KEYS <= {"undecided"}
    assert all(type(x) is int for x in counts.values())
    assert counts["positions"] == sum(counts.values()) - sum(
        counts[x] for x in (KEYS[0], *KEYS[5:])
    )
    found = list(answer.answers())
    for name in ("win", "lose", "tie", "draw"):
        assert (counts[name] > 0) == any(x.outcome == name for x in found)
    for name in ("win", "lose"):
        longest = max((x.distance for x in found if x.outcome == name), default=zm.NO_DISTANCE)
        assert counts[f"longest_{name}"] == longest


@pytest.mark.slow("in memory")
def test_it_is_checked(answer):
    assert answer.verify() is answer


@pytest.mark.slow("plain table")
def test_it_plays(kind, answer):
    line = answer.line(kind.position)
    assert isinstance(line, zm.Line)
    found = answer.at(kind.position)
    assert line[0] == found.position
    if found.distance != zm.NO_DISTANCE:
        assert (len(line), line.cycle) == (found.distance + 1, None)
    elif found.label != zm.Label.DRAW and line.cycle is None:
        loser_is_stuck = found.label != zm.Label.WIN
        assert len(line) % 2 == loser_is_stuck or not isinstance(answer, STUCK_LOSES)
    assert answer.line(kind.position, limit=1) == line[:2]


STUCK_LOSES = (zm.Grundy, zm.Kernel, zm.Heap, zm.Matching, zm.GallaiEdmonds)


def test_it_names_a_position_that_it_does_not_have(kind, answer):
    for look in (answer.at, answer.line, answer.__getitem__):
        with pytest.raises(ZermeloError) as caught:
            look(kind.unknown)
        shown = str(kind.unknown)
        assert shown in str(caught.value) or repr(kind.unknown) in str(caught.value)


def test_it_refuses_other_players_and_limits(kind, answer):
    for player in (2, -1, "left"):
        with pytest.raises(ZermeloError, match="player"):
            answer.at(kind.position, player)
    with pytest.raises(ZermeloError, match="limit"):
        answer.line(kind.position, limit=-1)


@pytest.mark.slow("in memory", "table")
def test_pandas(answer):
    frame = answer.to_pandas()
    assert len(frame) == len(list(answer.answers()))
    assert {"position", "label", "distance", "value"} <= set(frame.columns)
    assert frame["label"].tolist() == [int(x.label) for x in answer.answers()]
    assert frame["distance"].tolist() == [x.distance for x in answer.answers()]


def test_notebooks_show_it(answer):
    page = answer._repr_html_()
    assert page.startswith("<div>")
    assert page.endswith("</div>")
    assert len(page) < 100_000
    assert repr(answer).strip()


def test_arrow(answer):
    table = answer.to_arrow()
    found = list(answer.answers())
    assert table.num_rows == len(found)
    assert {"position", "label", "distance", "value"} <= set(table.column_names)
    assert table["label"].to_pylist() == [int(x.label) for x in found]
    assert table["distance"].to_pylist() == [x.distance for x in found]
    for name, entry in (("position", found[0].position), ("value", found[0].value)):
        kept = table[name].to_pylist()[0]
        assert kept == entry or isinstance(kept, str)


@pytest.mark.parametrize(
    ("package", "method", "extra"),
    [("pandas", "to_pandas", "pandas"), ("pyarrow", "to_arrow", "parquet")],
)
def test_a_missing_package_is_named(package, method, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(zm.errors.MissingDependencyError) as caught:
        getattr(zm.solve(CYCLE), method)()
    assert package in str(caught.value)
    assert f"pip install 'zermelo[{extra}]'" in str(caught.value)


@pytest.mark.slow
def test_positions_of_a_table_are_texts_that_it_can_look_up(tmp_path):
    with zm.build("tictactoe", tmp_path / "t.zt") as table:
        frame = table.to_pandas()
        for k in range(0, len(frame), 500):
            assert int(table.at(frame["position"][k]).label) == frame["label"][k]


@pytest.mark.slow("in memory", "table")
def test_it_is_saved_and_read_back(kind, answer, tmp_path):
    path = tmp_path / f"answer{kind.suffix}"
    answer.save(path)
    again = read(kind, path)
    assert same(again, answer)
    assert again.counts() == answer.counts()
    assert again.verify() is again
    again.save(tmp_path / f"again{kind.suffix}")
    assert (tmp_path / f"again{kind.suffix}").read_bytes() == path.read_bytes()


# -------------------------------------------------------------------- files

FILES = [kind for kind in KINDS if kind.suffix == ".json"]


def damaged(data):
    """The record with one field changed in some way that can be told from its type."""
    for key, field in data.items():
        if key in ("format", "version", "kind"):
            yield key, {**data, key: "other"}
        elif field is not None:
            yield key, {**data, key: {"no": "such"}}
            yield key, {**data, key: -7}
        if isinstance(field, list) and field:
            yield key, {**data, key: [*field[:-1], "?"]}
            if key != "values" and key != "parts":
                yield key, {**data, key: field + field}
    yield "more", {**data, "more": 1}


@pytest.mark.parametrize(
    "kind", [kind for kind in FILES if kind.name not in ("muller",)], ids=lambda kind: kind.name
)
def test_a_damaged_file_is_refused(kind, tmp_path):
    path = tmp_path / "answer.json"
    kind.make(tmp_path).save(path)
    data = json.loads(path.read_text())
    for key, changed in damaged(data):
        path.write_text(json.dumps(changed))
        with pytest.raises(ZermeloError) as caught:
            read(kind, path).verify()
        assert str(caught.value), key
    for key in data:
        if data[key] is None or key in ("period", "winner"):  # a file may leave these out
            continue
        path.write_text(json.dumps({k: x for k, x in data.items() if k != key}))
        with pytest.raises(FormatError, match=r"answer\.json"):
            read(kind, path)


ON_GRAPHS = ("grundy", "loopy grundy", "kernel", "matching", "decomposition", "normal play")


@pytest.mark.parametrize("name", ON_GRAPHS)
def test_another_graph_is_refused(name, tmp_path):
    kind = next(kind for kind in KINDS if kind.name == name)
    kind.make(tmp_path).save(tmp_path / "answer.json")
    with pytest.raises(FormatError, match="another graph"):
        zm.read_solution(tmp_path / "answer.json", zm.Graph.from_edges([("a", "q")]))


def test_another_game_is_refused(tmp_path):
    path = tmp_path / "answer.json"
    for name, other, message in (
        ("heap", "0.07", "of the game 0.77"),
        ("quotient", "0.07", "another heap game"),
        ("partizan graph", -LOOPY, "another graph"),
        ("partizan", zm.game("domineering:3x3"), "other rules"),
        ("partizan", CYCLE, "expected the rules"),
        ("partizan graph", CYCLE, "expected a PartizanGraph"),
        ("kernel", None, "expected a game or a graph"),
        ("heap by a rule", None, "give the heap game"),
    ):
        kind = next(kind for kind in KINDS if kind.name == name)
        kind.make(tmp_path).save(path)
        with pytest.raises(FormatError, match=message):
            zm.read_solution(path, other)


# One entry of a file is changed, and what is read still makes sense but for verify.
FORGED = [
    ("grundy", "value", 0),
    ("loopy grundy", "counter", 0),
    ("kernel", "depth", 0),
    ("heap", "values", 5),
    ("heap with a period", "values", 5),
    ("heap by a rule", "values", 3),
    ("quotient", "losing", 0),
    ("quotient", "phi", 3),
    ("matching", "part", 0),
    ("decomposition", "part", 4),
]


@pytest.mark.parametrize(("name", "field", "place"), FORGED)
def test_a_forged_entry_is_found(name, field, place, tmp_path):
    kind = next(kind for kind in KINDS if kind.name == name)
    path = tmp_path / "answer.json"
    kind.make(tmp_path).save(path)
    data = json.loads(path.read_text())
    data[field][place] += 1 if data[field][place] < 1 else -1
    path.write_text(json.dumps(data))
    with pytest.raises(ZermeloError):
        read(kind, path).verify()


@pytest.mark.parametrize("name", ["partizan graph", "partizan", "partizan text"])
def test_a_forged_value_is_found(name, tmp_path):
    kind = next(kind for kind in KINDS if kind.name == name)
    path = tmp_path / "answer.json"
    kind.make(tmp_path).save(path)
    data = json.loads(path.read_text())
    for k in range(len(data["values"])):
        values = list(data["values"])
        values[k] = "3*"
        path.write_text(json.dumps({**data, "values": values}))
        with pytest.raises(zm.errors.CertificateError, match="position"):
            read(kind, path).verify()


def test_loopy_rules_are_kept(tmp_path):
    class Walk(zm.PartizanRules):
        """Left walks up to 2 and stays there, Right walks home."""

        def start(self):
            return 0

        def left(self, position):
            return [min(position + 1, 2)]

        def right(self, position):
            return [0] if position else []

    values = zm.game_values(Walk())
    assert str(values.start) == "on & 0"
    values.verify().save(tmp_path / "walk.json")
    again = zm.read_solution(tmp_path / "walk.json", Walk()).verify()
    assert same(again, values)
    assert again.line(0).cycle is not None
    assert len(again) == 6


def test_a_period_survives(tmp_path):
    nim = zm.heap(subtract=[1, 3, 4])
    assert nim.period() is not None
    nim.save(tmp_path / "heap.json")
    again = zm.read_solution(tmp_path / "heap.json").verify()
    assert again[10**9] == nim[10**9]
    assert str(again.period()) == str(nim.period())
    assert again.nim_sequence(2000).tolist() == nim.nim_sequence(2000).tolist()


def test_other_formats_say_that_they_do_not_hold_it(tmp_path):
    with pytest.raises(ZermeloError, match="does not store this kind of answer; these do: json"):
        zm.kernel(PATH).save(tmp_path / "kernel.csv")
