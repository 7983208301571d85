"""The requests of the view Play: positions, values, lines, counts, files of the command line."""

import json
import random
import re

import msgspec
import pytest
from tests.limits import HANG

import zermelo as zm
from zermelo.errors import InvalidOptionError, LimitError, ZermeloError
from zermelo.play.match import in_order
from zermelo.rules.base import as_rules
from zermelo.tables.solving.solve import solve_rules
from zermelo.web.api import play
from zermelo.web.api.call import Call
from zermelo.web.api.endpoints import ENDPOINTS
from zermelo.web.api.schema import check
from zermelo.web.server.worker import _refused, answer
from zermelo.web.settings import Limits, Served, Settings

ROWS = {row.path: row for row in ENDPOINTS}

SIGNS = {"win": 1, "lose": -1, "tie": 0, "draw": 0}


def ask(path, settings=None, **request):
    """The answer of a function of the view; request and answer fit their schemas."""
    row = ROWS[path]
    given = check(request, row.request)
    found = row.function(Call(given, settings or Settings(), lambda *_: None))
    assert check(json.loads(json.dumps(found)), row.answer) == found
    return found


def refused(path, settings, **request):
    """The sentence with which a worker refuses a request."""
    row = ROWS[path]
    found = answer(row, check(request, row.request), settings, lambda *_: None)["error"]
    assert found["kind"] == "invalid"
    return found["message"]


@pytest.fixture(autouse=True)
def fresh():
    """Workers start with no game."""
    play._open.clear()


SMALL = [
    "nim:3,4", "wythoff:4,6", "chomp:3x3", "cram:2x3", "hackenbush:lrg+rl", "domineering:3x3",
    "toads-and-frogs:tt..ff", "tictactoe", "hexapawn:3x3", "hare-and-hounds", "awari:2x2",
    "chopsticks:split-mod5", "kalah:2x2", "pong-hau-ki", "cat-and-mouse:0-1,1-2,2-3,3-0,2-0",
]  # fmt: skip


@pytest.mark.slow("hare-and-hounds", "tictactoe")
@pytest.mark.parametrize("game", SMALL)
def test_values_are_those_of_the_solved_game(game):
    """A random play: every position, every move and the best moves agree with solving."""
    rules = as_rules(zm.game(game))
    solved = solve_rules(rules)
    chance = random.Random(game)
    moves, here = [], rules.start()
    for _ in range(10):
        found = ask("/play/position", game=game, moves=".".join(map(str, moves)), solve=True)
        answer = solved.at(here)
        assert found["position"] == rules.show(here)
        assert len(found["history"]) == len(moves) + 1
        assert SIGNS[found["value"]["result"]] == answer.label
        far = answer.forced_distance
        assert found["value"]["distance"] == (far if far >= 0 else None)
        assert found["value"].get("agreed_distance", zm.NO_DISTANCE) == answer.agreed_distance
        options = in_order(rules, rules.options(here))
        assert sorted(x["number"] for x in found["moves"]) == list(range(len(options)))
        best = {x["number"] for x in found["moves"] if x["best"]}
        assert best == {options.index(x) for x in answer.best_moves}
        for move in found["moves"]:
            after = ask(
                "/play/position",
                game=game,
                solve=True,
                moves=".".join(map(str, [*moves, move["number"]])),
            )
            sign = 1 if after["second"] == found["second"] else -1
            assert SIGNS[move["value"]["result"]] == sign * SIGNS[after["value"]["result"]]
            if after["value"]["distance"] is not None and after["value"]["result"] != "tie":
                assert move["value"]["distance"] == after["value"]["distance"] + 1
        if not options:
            assert found["over"]["reason"] == "end"
            break
        moves.append(chance.randrange(len(options)))
        here = options[moves[-1]]
    assert len(found["history"]) == len(moves) + (not options) or len(found["history"]) == len(
        moves
    )


def test_games_with_pictures():
    found = ask("/play/games")
    assert found["served"] is None
    assert [x["name"] for x in found["games"]] == [row.name for row in zm.registry.GAMES]
    assert all(x["picture"].startswith("<svg") for x in found["games"])


def test_a_position_is_shown_without_solving():
    found = ask("/play/position", game="dobutsu")
    assert found["solved"] is False
    assert found["value"] is None
    assert {x["value"] for x in found["moves"]} == {None}
    assert found["sides"] == ["first", "second"]


def test_the_end_without_values_names_the_winner():
    found = ask("/play/position", game="tictactoe", at="xxx/oo./...")
    assert found["over"] == {"reason": "end", "words": "The end: x (first) wins."}
    found = ask("/play/position", game="nim:2", moves="0")
    assert found["over"]["words"] == "The end: first wins."


def test_a_game_that_is_too_large_says_how_to_make_a_table():
    with pytest.raises(
        LimitError, match=r"zermelo build dobutsu -o game\.zt.*zermelo serve game\.zt"
    ):
        ask("/play/position", game="dobutsu", solve=True)
    small = Settings(limits=Limits(game_positions=100))
    for game in ("nim:9,9,9", "connect4:4x4"):
        with pytest.raises(LimitError, match="more than 100 positions"):
            ask("/play/position", small, game=game, solve=True)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"game": "chomps"}, "no game is called 'chomps'"),
        ({"game": "nim:x"}, "expected integers"),
        ({"game": "@other.py"}, "was not started with such a file"),
        ({"game": "rules.py"}, "no game is called 'rules.py'"),
        ({"game": "/etc/passwd"}, "no game is called"),
        ({"game": "tictactoe", "at": "xx"}, "position: expected a position such as"),
        ({"game": "chess:KRvK", "at": "8/8/8/8/8/8/8/K7 w"}, "one king of each colour"),
        ({"game": "tictactoe", "moves": "a"}, "expected numbers with dots between"),
        ({"game": "tictactoe", "moves": "0..1"}, "expected numbers with dots between"),
        ({"game": "tictactoe", "moves": "9"}, "move 1: expected a number below 9, got 9"),
        ({"game": "nim:1", "moves": "0.0"}, "move 2: expected no move, play is over"),
        ({"game": "tictactoe", "moves": ".".join("0" * 2001)}, "expected at most 2,000"),
    ],
)
def test_wrong_requests_are_sentences(request_, message):
    with pytest.raises(ZermeloError, match=message.replace("(", r"\(")) as caught:
        ask("/play/position", **request_)
    assert "\n" not in str(caught.value)


def test_a_position_that_play_cannot_reach():
    with pytest.raises(ZermeloError, match="play cannot reach the position"):
        ask("/play/position", game="nim:3", at="5", solve=True)


def test_a_partizan_game_from_the_other_side():
    found = ask("/play/position", game="toads-and-frogs:tt..ff", at="tt..ff R", solve=True)
    assert found["second"] is True
    assert found["value"]["result"] == "win"
    assert len(play._open["toads-and-frogs:tt..ff"].known) == 1
    ask("/play/position", game="toads-and-frogs:tt..ff", solve=True)
    assert len(play._open["toads-and-frogs:tt..ff"].known) == 2


def test_the_third_repetition_is_a_draw():
    game, moves = "pong-hau-ki", []
    rules = zm.game(game)
    seen = [rules.start()]
    while seen.count(seen[-1]) < 3:
        options = in_order(rules, rules.options(seen[-1]))
        number = max(range(len(options)), key=lambda k: seen.count(options[k]))
        moves.append(number)
        seen.append(options[number])
        assert len(moves) < 200
    found = ask("/play/position", game=game, moves=".".join(map(str, moves)), solve=True)
    assert found["over"]["reason"] == "repetition"
    assert found["moves"] == []
    with pytest.raises(InvalidOptionError, match="play is over"):
        ask("/play/position", game=game, moves=".".join(map(str, [*moves, 0])))


@pytest.mark.slow
@pytest.mark.compiled
def test_lines():
    found = ask("/play/line", game="chess:KRvK", at="8/8/8/8/8/8/2k5/K6R w")
    start = ask("/play/position", game="chess:KRvK", at="8/8/8/8/8/8/2k5/K6R w", solve=True)
    assert len(found["steps"]) == start["value"]["distance"] + 1
    assert found["whole"] is True
    assert found["comes_back_to"] is None
    assert found["steps"][-1]["move"].endswith("#")
    assert all(len(step["changed"]) == 2 for step in found["steps"][1:])
    drawn = ask("/play/line", game="pong-hau-ki")
    assert drawn["comes_back_to"] is not None
    assert drawn["steps"][-1]["position"] == drawn["steps"][drawn["comes_back_to"]]["position"]


def test_counts_and_the_hardest_positions():
    counts = ask("/play/counts", game="hexapawn:3x3")
    solved = solve_rules(zm.game("hexapawn:3x3"))
    numbers = {k: v if v >= 0 else None for k, v in solved.counts().items()}
    assert counts == {**numbers, "distances": "end"}
    hard = ask("/play/hardest", game="hexapawn:3x3")["positions"]
    longest = {"win": counts["longest_win"], "lose": counts["longest_lose"]}
    assert {(x["value"]["result"], x["value"]["distance"]) for x in hard} == set(longest.items())
    for row in hard:
        found = solved.probe(row["position"])
        assert (found.outcome, found.distance) == (row["value"]["result"], row["value"]["distance"])


OWN = '''
import zermelo as zm

class Take(zm.Rules):
    """Take one or two counters."""
    def start(self): return 7
    def moves(self, n): return {n - k for k in (1, 2) if k <= n}
    def show(self, n): return "I" * n or "nothing"
'''


def served(kind, path):
    return Settings(served=Served(kind, str(path), path.name))


def test_rules_of_the_command_line(tmp_path):
    path = tmp_path / "take.py"
    path.write_text(OWN)
    settings = served("rules", path)
    assert ask("/play/games", settings)["served"] == {
        "game": "@take.py", "kind": "rules", "name": "take.py",
    }  # fmt: skip
    found = ask("/play/position", settings, game="@take.py", solve=True)
    assert found["position"] == "IIIIIII"
    assert found["value"]["words"] == "wins in 5"
    assert [x["ways"] for x in found["moves"]] == [[], []]
    again = ask("/play/position", settings, game="@take.py", at="III", solve=True)
    assert again["value"]["result"] == "lose"
    with pytest.raises(InvalidOptionError, match="none of the first 8 positions"):
        ask("/play/position", settings, game="@take.py", at="IIIIIIII")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("def moves(self, n): return [n // 0]", "take.py:6.*ZeroDivisionError"),
        ("def moves(self, n): return 3", "take.py:6.*expected positions"),
        ("def moves(self, n): return []\n    def draw(self, n): return 3", "a picture as text"),
        ("def moves(self, n): return []\n    def draw(self, n): raise KeyError(3)", "KeyError"),
    ],
)
def test_faults_of_rules_are_one_sentence_without_a_path(tmp_path, body, message):
    path = tmp_path / "take.py"
    path.write_text(
        "import zermelo as zm\nclass Take(zm.Rules):\n    def start(self): return 7\n\n\n"
        f"    {body}\n"
    )
    found = refused("/play/position", served("rules", path), game="@take.py")
    assert re.search(message, found)
    assert str(tmp_path) not in found
    assert "\n" not in found


def test_rules_that_draw_no_svg_are_shown_as_text(tmp_path):
    path = tmp_path / "take.py"
    path.write_text(OWN + "    def draw(self, n): return f'<b>{n}'\n")
    found = ask("/play/position", served("rules", path), game="@take.py")
    assert found["picture"].startswith("<svg")
    assert "IIIIIII" in found["picture"]


@pytest.mark.slow
@pytest.mark.compiled
def test_a_table_of_the_command_line(tmp_path):
    path = tmp_path / "rook.zt"
    zm.build("chess:KRvK", path).close()
    settings = served("table", path)
    fen = "8/8/8/8/8/2k5/8/K6R w - - 0 1"
    found = ask("/play/position", settings, game="@rook.zt", at=fen, solve=True)
    inside = ask("/play/position", game="chess:KRvK", at=fen, solve=True)
    assert {**found, "game": ""} == {**inside, "game": ""}
    counts = ask("/play/counts", settings, game="@rook.zt")
    hard = ask("/play/hardest", settings, game="@rook.zt")["positions"]
    found = {(x["value"]["result"], x["value"]["distance"]) for x in hard}
    assert found == {("win", 31), ("lose", 32)}
    assert (counts["longest_win"], counts["longest_lose"]) == (31, 32)
    queen = {"game": "@rook.zt", "at": "8/8/8/8/8/2k5/8/K6Q w", "solve": True}
    assert str(tmp_path) not in refused("/play/position", settings, **queen)


def test_a_table_of_rules_in_a_file(tmp_path):
    """A table runs no code, so the command line gives its rules; no answer shows their path."""
    rules, path = tmp_path / "here" / "take.py", tmp_path / "take.zt"
    rules.parent.mkdir()
    rules.write_text(OWN)
    zm.build(str(rules), path, check=False).close()
    found = refused("/play/position", served("table", path), game="@take.zt")
    assert re.match(r"take\.zt: .*give its rules", found)
    given = Settings(served=Served("table", str(path), path.name, str(rules)))
    assert ask("/play/position", given, game="@take.zt", solve=True)["value"]
    assert msgspec.json.decode(msgspec.json.encode(given), type=Settings) == given
    rules.with_name("bad.py").write_text(OWN + "1 / 0\n")
    bad = Settings(served=Served("table", str(path), path.name, str(rules.with_name("bad.py"))))
    play._open.clear()
    found = refused("/play/position", bad, game="@take.zt")
    assert "division by zero" in found
    assert str(tmp_path) not in found


@pytest.mark.parametrize("error", [FileNotFoundError, ValueError])
def test_refusals_need_no_current_directory(monkeypatch, error):
    """The directory may be deleted, and a file on another drive has no relative path."""

    def fails(path):
        raise error(path)

    monkeypatch.setattr("os.path.relpath", fails)
    given = Settings(served=Served("rules", "/folder/take.py", "take.py"))
    found = _refused("invalid", "/folder/take.py: no moves", given)
    assert found["error"]["message"] == "take.py: no moves"


@pytest.mark.parametrize(
    "given",
    [
        Served("game", "subtraction:1,2,5/12", "subtraction:1,2,5/12"),
        Served("rules", "subtraction:1,2,5/12", "subtraction:1,2,5/12", solved=object()),
    ],
)
def test_names_of_games_are_no_paths(given):
    message = "subtraction:1,2,5/12: expected a position"
    assert _refused("invalid", message, Settings(served=given))["error"]["message"] == message


def test_a_table_with_distances_to_conversion(tmp_path):
    path = tmp_path / "pawns.zt"
    with zm.build("hexapawn:3x3", path, distances="conversion") as table:
        settings = served("table", path)
        found = ask("/play/position", settings, game="@pawns.zt", solve=True)
        here = table.at(table.rules.start())
        assert found["value"]["distance"] == here.distance
        assert f"conversion in {here.distance}" in found["value"]["words"]
        names = {names[0] for names in here.move_names}
        assert {x["name"] for x in found["moves"] if x["best"]} == names
        counts = ask("/play/counts", settings, game="@pawns.zt")
        assert counts["distances"] == "conversion"
        assert counts["longest_win"] == table.counts()["longest_win"]
        assert ask("/play/line", settings, game="@pawns.zt")["whole"]
    assert ask("/play/counts", game="hexapawn:3x3")["distances"] == "end"


def test_a_table_of_labels_alone_says_what_it_lacks(tmp_path):
    path = tmp_path / "labels.zt"
    zm.build("hexapawn:3x3", path, distances=False).close()
    settings = served("table", path)
    shown = ask("/play/position", settings, game="@labels.zt")
    assert [x["value"] for x in shown["moves"]] == [None, None, None]
    for name, more in [
        ("position", {"solve": True}),
        ("line", {}),
        ("hardest", {}),
        ("counts", {}),
    ]:
        found = refused(f"/play/{name}", settings, game="@labels.zt", **more)
        assert re.match(r"labels\.zt: .*this table has labels alone", found)


def test_a_worker_keeps_few_games(monkeypatch):
    monkeypatch.setattr(play, "MAX_SOLVED_BYTES", 100)
    for game in ("nim:1", "nim:2", "nim:3"):
        ask("/play/position", game=game, solve=True)
    assert list(play._open) == ["nim:2", "nim:3"] or list(play._open) == ["nim:3"]


def test_the_server_answers_and_refuses(server):
    import httpx

    def get(path, **parameters):
        return httpx.get(f"{server}api/v1{path}", params=parameters, timeout=HANG)

    found = get("/play/position", game="tictactoe", solve="true").json()
    assert found["value"]["words"] == "draws"
    for parameters in (
        {},
        {"game": "chomps"},
        {"game": "tictactoe", "at": "?"},
        {"game": "x", "y": 1},
    ):
        answer = get("/play/position", **parameters)
        assert answer.status_code == 422
        assert answer.json()["error"]["message"]
