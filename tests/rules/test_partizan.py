"""Partizan rules against the same rules in plain words, and values against their definition."""

import xml.etree.ElementTree as ElementTree
from random import Random

import pytest

import zermelo as zm
from tests.rules import partizan_oracle as oracle
from zermelo.errors import (
    InvalidOptionError,
    InvalidRulesError,
    MemoryLimitError,
    ZermeloError,
)
from zermelo.partizan.loopy.graph import PartizanGraph
from zermelo.partizan.parts import explore_compiled, explore_parts, explore_plain
from zermelo.partizan.positions import game_values
from zermelo.partizan.store import STORE
from zermelo.partizan.value import Value
from zermelo.registry import GAMES
from zermelo.rules.base import as_rules
from zermelo.rules.loading.games import game
from zermelo.rules.partizan.base import PartizanRules
from zermelo.rules.partizan.grid import GridRules

ROWS = [row for row in GAMES if issubclass(row.load(), PartizanRules)]
LOOPY = {"fox-and-geese", "backsliding-toads-and-frogs"}
GRIDS = [row for row in ROWS if issubclass(row.load(), GridRules)]
FINITE_GRIDS = [row for row in GRIDS if row.name not in LOOPY]


def boards(name, count, seed=1):
    """Random boards, from tiny ones to such as no machine word holds."""
    random = Random(seed)
    letters = GAMES[name].load().LETTERS
    for k in range(count):
        rows, columns = random.randint(1, 4), random.randint(1, 5 if k % 9 else 40)
        yield "/".join("".join(random.choices(letters, k=columns)) for _ in range(rows))


def by_definition(rules):
    """The values of all positions from the start, by moves alone: no parts, no symmetry."""
    graph = PartizanGraph.from_rules(rules)
    value = {}

    def visit(x):
        if x not in value:
            sides = [[visit(y) for y in moves(x)] for moves in (rules.left, rules.right)]
            value[x] = STORE.make(*sides)
        return value[x]

    for x in graph.names:
        visit(x)
    return value


@pytest.mark.parametrize("row", GRIDS, ids=lambda row: row.name)
def test_moves_are_those_of_the_plain_definition(row):
    plain = getattr(oracle, row.name.replace("-", "_"))
    met = 0
    for text in boards(row.name, 150):
        if row.name == "nogo" and not all(
            oracle.air(oracle.Squares(text), x) for x in oracle.Squares(text)
        ):
            continue
        rules = row.load().from_text(text)
        start = rules.start()
        assert rules.show(start) == text
        for side, moves in enumerate((rules.left, rules.right)):
            found = sorted(map(rules.show, moves(start)))
            assert sorted({*found}) == sorted({*plain(text, side)})
            assert len(found) <= rules.most_options
            met += len(found)
    assert met > 100


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_values_are_those_of_the_definition(row):
    rules = game(row.example)
    if row.name in LOOPY:
        assert zm.game_value(rules) == PartizanGraph.from_rules(rules).value(rules.start())
        return
    values = game_values(rules)
    expected = by_definition(rules)
    for x, value in expected.items():
        assert values[x] == Value(value), rules.show(x)
    assert len(values.parts) <= len(expected)
    assert zm.game_value(rules) == values.start == values.of(rules.show(rules.start()))


@pytest.mark.slow("amazons", "col", "snort")
@pytest.mark.parametrize("row", FINITE_GRIDS, ids=lambda row: row.name)
def test_values_of_random_boards(row):
    """Boards with holes and odd positions fall apart in ways that play from the start does not."""
    for text in boards(row.name, 40, seed=2):
        if sum(letter in "lr." for letter in text) > 9 or len(text) > 24:
            continue
        rules = row.load().from_text(text)
        if row.name == "nogo" and not all(
            oracle.air(oracle.Squares(text), x) for x in oracle.Squares(text)
        ):
            continue
        assert zm.game_value(rules) == Value(by_definition(rules)[rules.start()]), text


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_symmetries_keep_values_or_negate_them(row):
    if row.name in LOOPY:
        return
    rules = game(row.example)
    value = by_definition(rules)
    for x, mine in value.items():
        canonical = rules.canonical(x)
        assert rules.canonical(canonical) == canonical
        if canonical in value:
            assert value[canonical] == mine
        opposite = rules.opposite(x)
        if opposite in value:
            assert value[opposite] == STORE.negate(mine)


@pytest.mark.parametrize("row", FINITE_GRIDS, ids=lambda row: row.name)
def test_the_kernel_explores_what_python_does(row):
    rules = game(row.example)
    kernel = explore_compiled(rules, rules.start(), way="interpreted")
    plain = explore_plain(rules, rules.start(), None, None)
    for parts in (kernel, plain):
        ids = parts.evaluate(parts.order()).tolist()
        known = dict(zip(list(parts.positions), ids, strict=True))
        values = game_values(rules)
        assert all(values[x] == Value(known[x]) for x in known)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("text", ["domineering:4x4", "amazons:2x4", "konane:3x4"])
def test_compiled_and_interpreted_agree(text):
    rules = game(text)
    compiled = explore_compiled(rules, rules.start())
    interpreted = explore_compiled(rules, rules.start(), way="interpreted")
    for one, other in zip(compiled, interpreted, strict=True):
        assert one.tolist() == other.tolist()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_rows_are_documented(row):
    assert row.summary
    assert row.example.startswith(f"{row.name}:")
    for name, member in vars(row.load()).items():
        if callable(member) and not name.startswith("_"):
            assert member.__doc__, name


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_graphs_of_turns_and_their_texts(row):
    rules = game(row.example)
    turns, graph = as_rules(rules), zm.explore(rules).graph
    assert graph.names[0] == turns.start()
    shown = [turns.show(x) for x in graph.names]
    assert len({*shown}) == graph.n
    assert [turns.parse(x) for x in shown] == list(graph.names)
    assert shown[0] == f"{rules.show(rules.start())} L"
    with pytest.raises(ZermeloError, match="expected"):
        turns.parse("?!")
    value = zm.game_value(rules)
    if row.name not in LOOPY:
        assert (zm.solve(graph).label[0] > 0) == (value.outcome.name in "LN")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
@pytest.mark.parametrize("wrong", ["?", "-3", "1,2,a", "3xx3", "/", ",", "9" * 30, "0x3", ""])
def test_wrong_parameters_say_what_is_expected(row, wrong):
    if row.name == "toppling-dominoes" and not wrong:
        return  # no domino at all is a game
    with pytest.raises(InvalidOptionError) as caught:
        game(f"{row.name}:{wrong}")
    assert f"expected {row.name}:" in str(caught.value)
    assert row.example in str(caught.value)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_pictures_are_svg(row):
    rules = game(row.example)
    for x in (rules.start(), *list(rules.left(rules.start()))[:2]):
        assert ElementTree.fromstring(rules.draw(x)).tag.endswith("svg")


def test_a_game_of_ones_own_needs_three_methods():
    class Pile(PartizanRules):
        def start(self):
            return 6

        def left(self, n):
            return [n - 1] if n else []

        def right(self, n):
            return [n - 2] if n > 1 else []

    values = game_values(Pile())
    assert [str(values[n]) for n in range(5)] == ["0", "1", "{1|0}", "0", "1"]
    graph, _ = zm.explore(Pile())
    assert graph.names[0] == (6, 0)
    assert (zm.solve(graph).label[0] > 0) == (zm.game_value(Pile()).outcome.name in "LN")


def test_texts_and_errors():
    rules = game("domineering:3x4")
    assert zm.game_value(rules, "../..") == zm.value("+-1")
    with pytest.raises(InvalidOptionError, match="expected 3 rows of 4 squares"):
        zm.game_value(rules, "../.")
    with pytest.raises(InvalidRulesError, match="PartizanRules"):
        zm.game_value(game("nim:3,4"))
    with pytest.raises(InvalidOptionError, match="board of 1 to 1024 squares"):
        game("domineering:100x100")
    with pytest.raises(InvalidOptionError, match="lower parts"):
        zm.game_value(game("hackenbush:lr"), "ll")


def test_memory_is_asked_for_before(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "1k")
    rules = game("col:4x4")
    with pytest.raises(MemoryLimitError, match="parts were found"):
        zm.game_value(rules)


def test_progress_is_reported():
    reports = []
    zm.game_value(game("col:3x3"), progress=lambda *report: reports.append(report))
    assert reports[0][2] == "explored"
    assert (
        reports[-1][0]
        == reports[-1][1]
        == len(explore_parts(game("col:3x3"), game("col:3x3").start()).positions)
    )


@pytest.mark.slow
def test_long_games_meet_no_recursion_limit():
    assert zm.game_value(game("toads-and-frogs:t" + "." * 1500)) == 1500


def test_values_survive_a_cleared_store():
    values = game_values(game("col:1x2"))
    assert values.start == 0
    STORE.clear()
    assert values.start == 0


def test_the_command_writes_the_graph_of_turns(tmp_path):
    from click.testing import CliRunner

    from zermelo.cli.rules.explore import command

    path = tmp_path / "g.json"
    for text in ("domineering:2x2", "toads-and-frogs:t.f"):
        run = CliRunner().invoke(command, [text, str(path)])
        assert run.exit_code == 0, run.output
        rules = game(text)
        assert zm.read(path).graph.names[0] == f"{rules.show(rules.start())} L"
