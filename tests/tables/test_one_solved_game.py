"""Rules in, SolvedGame out: the same members for every size, in memory, files and directories."""

import functools
from pathlib import Path

import pytest
from tests.tables.test_answers import Twice

import zermelo as zm
from zermelo.draw.drawing import svg
from zermelo.errors import (
    InvalidObjectiveError,
    InvalidOptionError,
    InvalidRulesError,
    LimitError,
    UnknownPositionError,
)
from zermelo.rules.loading.load import load_rules
from zermelo.tables import solved as solved_module
from zermelo.tables.solving import choose

STRIP = str(Path(__file__).parents[2] / "examples" / "strip.py")


class Subtract(zm.Rules):
    """A user's plain rules whose positions are numbers, with a text of their own."""

    def start(self):
        return 9

    def moves(self, n):
        return [n - k for k in (1, 2, 3) if k <= n]

    def show(self, n):
        return f"{n} left"


class Looped(zm.Rules):
    """Plain rules with owners and a cycle."""

    def start(self):
        return ("a", 0)

    def player(self, position):
        return position[1]

    def moves(self, position):
        name, player = position
        return [(x, 1 - player) for x in {"a": "bc", "b": "a", "c": ""}[name]]


def solved(name):
    return lambda folder: zm.solve(zm.game(name))


def built(name, file):
    """A table in a file or in a directory of tiers."""

    def make(folder):
        zm.build(name, folder / file).close()
        return zm.Table(folder / file)

    return make


def large(name):
    """A game solved without its graph, as large ones are."""

    def make(folder):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(choose, "MAX_GRAPH_POSITIONS", 10)
            return zm.solve(zm.game(name))

    return make


GAMES = {
    "tictactoe": solved("tictactoe"),
    "tictactoe, large": large("tictactoe"),
    "connect3:4x4": solved("connect3:4x4"),
    "connect3:3x3, large": large("connect3:3x3"),
    "nim": solved("nim:2,3"),
    "nim, its own": lambda folder: zm.solve(zm.game("nim:2,3"), solver="retrograde"),
    "a user's": lambda folder: zm.solve(Subtract()),
    "strip.py": lambda folder: zm.solve(load_rules(f"{STRIP}:6")),
    "partizan": solved("domineering:2x3"),
    "partizan text": solved("toads-and-frogs:t.f"),
    "owned": lambda folder: zm.solve(Twice()),
    "owned, looped": lambda folder: zm.solve(Looped()),
    "misere": lambda folder: zm.solve(zm.game("nim:2,3"), zm.Misere()),
    "asymmetric": lambda folder: zm.solve(Twice(), zm.Asymmetric()),
    "from disk": lambda folder: zm.solve(
        zm.game("nim:2,3"), engine="disk", partitions=2, workdir=folder
    ),
    "file": built("tictactoe", "t.zt"),
    "plain file": built("nim:2,3", "t.zt"),
    "chess file": built("chess:KQvK", "t.zt"),
    "chess directory": built("chess:KQvK", "tables/"),
}
SLOW = ("connect3:4x4", "chess file", "chess directory", "tictactoe, large")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return functools.cache(lambda name: tmp_path_factory.mktemp("solved"))


@pytest.fixture(scope="module")
def games(folders):
    @functools.cache
    def made(name):
        folder = folders(name)
        (folder / "tables").mkdir()
        return GAMES[name](folder)

    return made


@pytest.fixture(params=GAMES)
def game(request, games):
    return games(request.param)


@pytest.mark.slow(*SLOW)
def test_it_is_one_class(game):
    assert isinstance(game, zm.SolvedGame)
    assert type(game) in (zm.SolvedGame, zm.Table)
    assert repr(game).startswith(type(game).__name__)


@pytest.mark.slow(*SLOW)
def test_positions_are_read_and_shown_as_the_rules_write_them(game):
    start = game.rules.start()
    text = game.rules.show(start)
    by_text, by_itself = game[text], game.at(start)
    assert (by_text.label, by_text.distance) == (by_itself.label, by_itself.distance)
    assert by_text.position == text
    assert by_itself.position == start
    assert list(by_text.best_moves) == [game.rules.show(x) for x in by_itself.best_moves]
    assert str(by_text) == str(by_itself)
    assert str(by_text).startswith(text)
    assert by_text.draw() == game.rules.draw(start)
    assert text in game._repr_html_() or "<svg" in game._repr_html_()
    with pytest.raises(UnknownPositionError):
        game.at((("no", "such"), "position"))


@pytest.mark.slow(*SLOW)
def test_it_lists_its_positions(game):
    frame = game.to_pandas() if len(game) < 10_000 else None
    first = next(iter(game))
    assert game.rules.show(first.position)
    if frame is None:
        return
    listed = list(game)
    assert len(frame) == len(listed) == len(game)
    assert frame["position"].tolist() == [game.rules.show(x.position) for x in listed]
    for name in ("label", "distance", "value"):
        column = [getattr(x, name) for x in listed]
        assert frame[name].tolist() == getattr(game, name).tolist() == column
    assert len(game.move) == len(game)
    for answer, move in list(zip(listed, game.move, strict=True))[::7]:
        assert move in answer.best_moves if answer.best_moves else move is None
    counts = game.counts()
    assert counts["positions"] >= len(game)
    assert game.symmetry or counts["positions"] == len(game)


@pytest.mark.slow(*SLOW)
def test_it_plays_and_proves(game):
    start = game.rules.start()
    line, texts = game.line(start), game.line(game.rules.show(start))
    assert [game.rules.show(x) for x in line] == texts
    assert str(line) == str(texts)
    assert game.line(start, limit=1) == line[:2]
    assert game.verify() is game
    assert game.verified > 0
    why = game.explain(game.rules.show(start), depth=2)
    assert str(why).startswith(f"{game.rules.show(start)}")
    assert why.label == game.at(start).label
    assert why.distance == game.at(start).distance


@pytest.mark.slow(*SLOW)
def test_widgets(game):
    pytest.importorskip("anywidget")
    widget = game.play()
    served = widget.handler.settings.served
    sent = []
    name = f"@{served.name}"
    request = {"game": name, "solve": "true"}
    ask = {"id": "1", "method": "GET", "path": "/play/position", "request": request}
    widget.handler.answer(ask, sent.append)
    assert sent[-1]["answer"]["position"] == game.rules.show(game.rules.start())
    assert game.explore() is not None


@pytest.mark.slow(*SLOW)
def test_the_graph(game):
    if game.counts()["positions"] > 20_000:
        return
    solution = game.solution
    assert game.graph is solution.graph
    assert game.solution is solution
    assert solution.verify() is solution
    for x in list(solution)[::17]:
        answer = game.at(x.position, x.player)
        assert (answer.label, answer.distance) == (x.label, x.distance)
        assert set(answer.best_moves) == set(x.best_moves)


@pytest.mark.slow(*SLOW)
def test_it_is_saved(game, tmp_path):
    if game.counts()["positions"] > 20_000 or game.keyword == "asymmetric":
        return
    if not (isinstance(game, zm.Table) and "tables" in game.path):
        game.save(tmp_path / "saved.zt")
        with zm.Table(tmp_path / "saved.zt", game.rules) as table:
            assert table.verify().counts() == game.counts()
            assert table.at(game.rules.start()) == game.at(game.rules.start())
    game.save(tmp_path / "saved.json")
    again = zm.read_solution(tmp_path / "saved.json", zm.explore(game.rules)).verify()
    assert again.counts() == game.counts()


# -------------------------------------------------------------------- objectives and starts


def test_a_solver_that_needs_a_graph():
    rules = zm.game("nim:1,2")
    game = zm.solve(rules, zm.Asymmetric(), solver="nmfl")
    assert isinstance(game, zm.SolvedGame)
    assert game.solution.solver == "nmfl"
    assert game.verify().counts() == zm.solve(rules, zm.Asymmetric()).counts()


def test_an_objective_with_two_situations_for_each_position():
    game = zm.solve(zm.game("nim:1,2"), zm.Asymmetric())
    assert isinstance(game, zm.SolvedGame)
    assert game.label.shape == (5, 2)
    assert game.at("1+2", 1).player == 1
    assert len(game.to_pandas()) == len(game) == 10
    assert game.verify() is game
    assert game.line("1+2", 1)[0] == "1+2"
    with pytest.raises(InvalidObjectiveError, match=r"solved\.solution has them"):
        game.probe_many(["1+2"])
    with pytest.raises(InvalidObjectiveError, match="asymmetric"):
        game.play()


def test_objectives_of_infinite_play():
    priority = dict.fromkeys(zm.explore(Looped()).graph.names, 1)
    game = zm.solve(Looped(), zm.Parity(priority)).verify()
    assert isinstance(game, zm.SolvedGame)
    assert game.at(("a", 0)).winner == game.solution.at(("a", 0)).winner
    assert str(game.explain(("a", 0)))


def test_an_objective_in_place_of_outcomes():
    game = zm.solve(zm.game("tictactoe"), zm.Misere())
    assert (
        game.at(".../.../...").label
        == zm.solve(zm.explore(zm.game("tictactoe")), zm.Misere()).at(0).label
    )
    with pytest.raises(InvalidObjectiveError, match=r"zm\.build makes such a table"):
        game.save("never.zt")


@pytest.mark.parametrize("limit", [10, 1 << 18])
def test_a_start(limit, monkeypatch):
    monkeypatch.setattr(choose, "MAX_GRAPH_POSITIONS", limit)
    rules = zm.game("tictactoe")
    there = rules.parse("x../.o./...")
    assert zm.solve(rules).start == rules.start()
    assert zm.solve(rules, start=there).start == there
    assert zm.solve(rules, start="x../.o./...").start == there
    with pytest.raises(UnknownPositionError):
        zm.solve(rules, start=2**40)


def test_games_of_return_from_a_start():
    game = zm.solve(zm.game("pong-hau-ki"), zm.NoReturn(), start=None)
    start = game.rules.show(game.start)
    assert game.at(start).label == game.solution.at(game.start).label
    assert game.verify() is game


def test_a_large_game_says_that_it_has_no_graph(monkeypatch):
    monkeypatch.setattr(choose, "MAX_GRAPH_POSITIONS", 10)
    monkeypatch.setattr(solved_module, "MAX_GRAPH_POSITIONS", 10)
    game = zm.solve(zm.game("tictactoe"))
    for member in ("graph", "solution"):
        with pytest.raises(LimitError, match=r"5,478 positions.*at most 10; zm\.explore"):
            getattr(game, member)
    pytest.importorskip("anywidget")
    assert game.explore().handler.settings.served.solved is game


def test_a_misere_table_has_the_solution_of_turned_outcomes(tmp_path):
    with zm.build("tictactoe", tmp_path / "t.zt", zm.Misere()) as table:
        start = table.rules.start()
        one, two = table.at(start), table.solution.at(start)
        assert (one.label, one.distance) == (two.label, two.distance)


def test_what_takes_a_solution_takes_a_solved_game(tmp_path):
    rules = zm.game("nim:1,2")
    game, explored = zm.solve(rules), zm.explore(rules)
    assert zm.check_labelling(explored, game).ok
    assert svg(game).startswith("<svg")
    assert "1+2" in svg(game)
    assert str(zm.explain(game, "1+2")) == str(game.explain("1+2"))
    zm.write(game, tmp_path / "s.csv")
    assert zm.read_solution(tmp_path / "s.csv", explored).verify().counts() == game.counts()


def test_a_number_is_no_position_of_rules():
    """A graph takes the numbers of its positions; a game of rules takes positions alone."""
    solved = zm.solve(zm.game("nim:1,2"))
    for ask in (solved.at, solved.line, solved.explain):
        with pytest.raises(UnknownPositionError):
            ask(1)
    with pytest.raises(UnknownPositionError, match="start: play cannot reach 1"):
        zm.solve(zm.game("nim:1,2"), start=1)
    with pytest.raises(UnknownPositionError):
        zm.solve(zm.game("tictactoe")).at(False)


def test_normal_play_with_outcomes_is_the_same_on_the_graph(tmp_path):
    built = zm.build("tictactoe", tmp_path / "t.zt", zm.NormalPlay())
    assert built.solution.counts()["tie"] == built.counts()["tie"] == 1068


def test_two_positions_with_one_text_are_refused():
    class Same(zm.Rules):
        def start(self):
            return 2

        def moves(self, position):
            return range(position)

        def show(self, position):
            return "same"

    with pytest.raises(InvalidRulesError, match="it gives two positions the same text 'same'"):
        zm.solve(Same())["same"]


def test_members_of_solutions():
    owned = zm.solve(zm.game("clobber:2x3"))
    assert owned.winner.tolist() == owned.solution.winner.tolist()
    with pytest.raises(InvalidOptionError, match="samples: expected an integer from 0 on, got -5"):
        owned.verify(samples=-5)
