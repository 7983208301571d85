"""The interface of the view Graph: its answers are those of the package and fit the schema."""

import base64
import io
import json
import re
import subprocess
import sys

import numpy as np
import pytest

import zermelo as zm
from zermelo.draw.steps import highlight
from zermelo.draw.summary import counted_results
from zermelo.errors import ZermeloError
from zermelo.web.api.call import Call
from zermelo.web.api.endpoints import ENDPOINTS
from zermelo.web.api.schema import check
from zermelo.web.server.worker import answer
from zermelo.web.settings import Limits, Served, Settings

ROWS = {row.path: row for row in ENDPOINTS}
MOVES = [("a", "b"), ("b", "a"), ("b", "t"), ("c", "b"), ("c", "c"), ("d", "c")]
WEIGHTS = {
    ("a", "b"): -2,
    ("b", "a"): 4,
    ("b", "t"): 1,
    ("c", "b"): 3,
    ("c", "c"): -1,
    ("d", "c"): 0,
}
GRAPH = zm.Graph.from_edges(MOVES)
OWNED = GRAPH.with_owner([0, 1, 0, 1, 0])
GAMES = [
    zm.Game(GRAPH),
    zm.Game(GRAPH, zm.Misere(), "a"),
    zm.Game(GRAPH, zm.Asymmetric()),
    zm.Game(OWNED, zm.Reach(["t"], player=1)),
    zm.Game(OWNED, zm.ReachAvoid(["t"], ["c"])),
    zm.Game(GRAPH, zm.TerminalPayoff({"t": "1/2"}, infinite=2)),
    zm.Game(OWNED, zm.Parity({"a": 2, "b": 1, "t": 0, "c": 3, "d": 4})),
    zm.Game(OWNED, zm.Buchi(["c"])),
    zm.Game(OWNED, zm.Muller({"a": 0, "c": [0, 1]}, "Inf(0) & Fin(1)")),
    zm.Game(OWNED, zm.Energy(WEIGHTS)),
    zm.Game(GRAPH, zm.Energy(WEIGHTS)),
    zm.Game(OWNED, zm.MeanPayoff(WEIGHTS, threshold="1/2")),
    zm.Game(OWNED, zm.Discounted(WEIGHTS, discount="1/2")),
    zm.Game(OWNED, zm.ShortestPath(WEIGHTS, ["t"])),
    zm.Game(GRAPH, zm.NoReturn()),
    zm.Game(GRAPH, zm.NoRepetition(misere=True)),
]  # fmt: skip
SETTINGS = Settings()


def ask(path, settings=SETTINGS, **request):
    """The answer to a request, as a worker gives it; it fits its schema."""
    row = ROWS["/graphs" + path]
    given = check(request, row.request)
    found = json.loads(json.dumps(answer(row, given, settings, lambda _: None)))
    if "error" in found:
        return found["error"]
    assert check(found["answer"], row.answer) == found["answer"]
    return found["answer"]


def as_text(game, form="json"):
    file = io.BytesIO()
    zm.write(game, file, format=form)
    return file.getvalue().decode()


def named(x):
    return x.objective.keyword if isinstance(x, zm.Game) else None


def test_the_catalogue_lists_every_objective():
    from zermelo.registry import OBJECTIVES

    found = ask("/catalogue")
    assert [x["name"] for x in found["objectives"]] == [row.name for row in OBJECTIVES]
    kinds = {y["kind"] for x in found["objectives"] for y in x["parameters"]}
    assert "json" not in kinds  # every member is known by its kind
    assert {"json", "edgelist", "pgsolver"} <= {x["name"] for x in found["formats"]}


def test_a_member_that_is_not_known_is_asked_for_as_json():
    from dataclasses import dataclass

    from zermelo.registry import OBJECTIVES
    from zermelo.web.api.graphs import objectives

    @dataclass(frozen=True, eq=False)
    class Unknown(zm.Reach):
        strange: object = None

    class Row(type(OBJECTIVES["reach"])):
        def load(self):
            return Unknown

    row = Row("unknown", "", "", family="terminal", checker="")
    found = {x["name"]: x["kind"] for x in objectives._parameters(row)}
    assert found == {"positions": "positions", "player": "player", "strange": "json"}


@pytest.mark.parametrize("form", ["json", "edgelist", "dot", "graphml", "mtx", "pgsolver", "hoa"])
def test_every_text_format_is_read_as_zm_read_reads_it(form):
    game = zm.Game(OWNED, zm.Parity([2, 1, 0, 3, 4]), "a")
    if form in ("edgelist", "dot", "graphml"):
        game = zm.Game(OWNED, start="a")
    if form == "mtx":
        game = zm.Game(GRAPH.with_names(None))
    text = as_text(game, form)
    found = ask("/parse", text=text)
    assert found["format"] == form
    same = zm.read(io.BytesIO(found["game"].encode()), format="json")
    assert same == zm.read(io.BytesIO(text.encode()), format=form)
    assert found["names"] == [str(same.graph.name(v)) for v in range(same.graph.n)]


def test_a_binary_file_comes_in_base64():
    file = io.BytesIO()
    zm.write(zm.Game(OWNED), file, format="npz")
    text = base64.b64encode(file.getvalue()).decode()
    assert ask("/parse", text=text, binary=True, format="npz")["n"] == 5
    assert "base64" in ask("/parse", text="?", binary=True, format="npz")["message"]


@pytest.mark.parametrize(
    ("text", "form", "reason"),
    [
        ("{", "json", "the text:1:2: "),
        ('{"format": "zermelo-game", "version": 1, "moves": [[7]]}', None, "expected a position"),
        ("parity 3;\n0 1 2 0;\n", None, "owner"),
        ("a b c d\n", None, "the text:1:7: "),
        ("digraph { a -> ", None, "the text"),
        ("a b", "excel", "expected one of"),
        ("\ud800", None, "surrogate"),
    ],
)
def test_malformed_text_is_one_sentence(text, form, reason):
    found = ask("/parse", text=text, format=form)
    assert found["kind"] == "invalid"
    assert reason in found["message"]
    assert "\n" not in found["message"]
    assert "/tmp" not in found["message"]


def test_graphs_over_the_limit_are_refused():
    small = Settings(limits=Limits(positions=4))
    assert "at most 4" in ask("/parse", small, text="a b\nb c\nc d\nd e\n")["message"]
    assert "at most 4" in ask("/generate", small, family="path", parameters={"n": 9})["message"]
    assert "too many" in ask("/explore", small, game="nim:3,3")["message"]


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("complete", {"n": 10**12}),
        ("complete", {"n": 10**4}),
        ("tree", {"branching": 100, "depth": 10**6}),
        ("hanoi", {"n": 40}),
        ("grid", {"width": 10**5, "height": 10**5}),
        ("random", {"n": 10**5, "degree": 1e9}),
    ],
)
def test_large_wishes_are_refused_before_they_are_generated(family, parameters):
    found = ask("/generate", family=family, parameters=parameters)
    assert found["kind"] == "limit"
    assert "this server takes at most" in found["message"]


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_results_are_those_of_solve(game):
    solution = zm.solve(game)
    found = ask("/solve", game=as_text(game))
    picture = found["picture"]
    assert found["verdict"] == counted_results(solution)
    assert found["doubled"] == (solution.label.ndim == 2)
    for v in range(game.graph.n):
        name = game.graph.name(v)
        players = (0, 1) if found["doubled"] else (None,)
        answers = [solution.at(name, player) for player in players]
        assert picture["answers"][v] == "\n".join(map(str, answers))
        for best, given in zip(picture["best"][v], answers, strict=True):
            assert set(best) == {game.graph.index(w) for w in given.best_moves}


def test_the_words_of_results():
    found = ask("/solve", game=as_text(GAMES[0]))
    assert found["picture"]["cells"] == [
        [["L2", "lose"]], [["W1", "win"]], [["L0", "lose"]], [["D", "draw"]], [["D", "draw"]],
    ]  # fmt: skip


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_traces_are_those_of_trace_and_end_with_the_solution(game):
    solvers = [x for x in ask("/catalogue")["objectives"] if x["name"] == game.objective.keyword]
    for solver in ["auto", *solvers[0]["traces"]]:
        found = ask("/trace", game=as_text(game), solver=solver)
        if "message" in found:  # the package says the same
            with pytest.raises(ZermeloError, match=re.escape(found["message"])):
                zm.trace(game, None, solver)
            continue
        steps = zm.trace(game, None, solver)
        sentences = [str(x) for x in steps]
        assert [x["text"] for x in found["steps"]] == sentences
        half = len(sentences) // 2
        rest = ask("/trace", game=as_text(game), solver=solver, first=half, count=500)
        assert rest["steps"] == found["steps"][half:]
        state = results(found["before"], found["steps"])
        assert state == results(rest["before"], rest["steps"])
        assert_final(game, solver, state)


def results(before, steps):
    state = {(v, player): (text, kind) for v, player, text, kind in before}
    for step in steps:
        state.update(((v, player), (text, kind)) for v, player, text, kind in step["results"])
    return state


def assert_final(game, solver, state):
    """After the last step every position has the result of the solution."""
    cells = ask("/solve", game=as_text(game))["picture"]["cells"]
    for (v, player), (text, kind) in state.items():
        shown, wanted = cells[v][player or 0]
        shown = shown.rpartition(", ")[2]  # without the priority
        if solver in ("nmfl", "nmfl-cap", "fraenkel-levy"):
            assert text == shown[0].replace("T", "D")  # a film has the labels W, L and D
        elif "threshold" in vars(game.objective):
            assert (kind == "player1") == (wanted == "player1")
        elif kind == "undecided":  # a credit, which may still rise in the midst of a trace
            assert text == shown
        else:
            assert (text, kind) == (shown, wanted)
    if game.objective.keyword not in ("no-return", "no-repetition"):
        assert {v for v, _ in state} == set(range(game.graph.n))


def test_a_step_shows_its_moves():
    _, second, third, _ = zm.trace(GRAPH)
    assert highlight(second, GRAPH, zm.NormalPlay()).moves == ((1, 2),)
    assert highlight(third, GRAPH, zm.NormalPlay()).rule == "must"
    augment, *_ = zm.trace(zm.Graph.from_edges([(0, 1), (1, 0)]), zm.NoReturn())
    shown = highlight(augment, zm.Graph.from_edges([(0, 1), (1, 0)]), zm.NoReturn())
    assert shown.moves == ((0, 1), (1, 0))
    assert highlight(object(), GRAPH, zm.NormalPlay()).positions == ()


def test_long_answers_are_shortened(monkeypatch):
    """The answer names positions, whose names may be long."""
    monkeypatch.setattr(zm.Answer, "__str__", lambda _: "x" * 20_000)
    assert len(ask("/explain", game=as_text(GAMES[0]), position=0)["answer"]) < 10_000


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_explanations_are_those_of_explain(game):
    for v in range(game.graph.n):
        found = ask("/explain", game=as_text(game), position=v)
        solution = zm.solve(game)
        player = 0 if solution.label.ndim == 2 else None
        assert found["text"] == str(zm.explain(solution, game.graph.name(v), player))
        assert found["line"][0] == v
        moves = set(map(tuple, game.graph.to_edges().tolist()))
        assert all(x in moves for x in zip(found["line"], found["line"][1:], strict=False))
    assert "below 5" in ask("/explain", game=as_text(game), position=5)["message"]


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_exports_are_read_back(game):
    text = as_text(game)
    assert zm.read(io.BytesIO(ask("/export", game=text, to="json")["text"].encode())) == game
    found = ask("/export", game=text, to="edgelist")
    same = zm.read(io.BytesIO(found["text"].encode()))
    assert same.graph == game.graph
    assert bool(found["note"]) == (same.objective.keyword != game.objective.keyword)
    found = ask("/export", game=text, to="pgsolver")
    if game.objective.family == "parity" and game.objective.keyword == "parity":
        same = zm.read(io.BytesIO(found["text"].encode()), format="pgsolver")
        assert zm.solve(same).winner.tolist() == zm.solve(game).winner.tolist()
    picture = ask(
        "/export", game=text, to="svg", solved=True, places=[[40 * v, 0] for v in range(5)]
    )
    assert picture["text"].startswith("<svg")
    assert picture["text"].count('class="node') == 5


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_lines_of_python_give_the_same_answers(game):
    lines = ask("/export", game=as_text(game), to="python")["text"]
    space = {}
    exec(compile(lines.replace("print", "str"), "lines", "exec"), space)
    assert space["game"] == game
    assert list(map(str, space["solution"])) == list(map(str, zm.solve(game)))


def test_lines_of_python_run_as_a_program():
    lines = ask("/export", game=as_text(GAMES[0]), to="python")["text"]
    done = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(zm.solve(GAMES[0])), *map(str, zm.solve(GAMES[0]))]


def test_large_games_are_read_from_a_file_in_python():
    text = ask("/generate", family="path", parameters={"n": 500})["game"]
    assert 'zm.read("game.json")' in ask("/export", game=text, to="python")["text"]


@pytest.mark.parametrize("engine", [None, "layered", "circular", "spring"])
def test_layouts_give_every_position_its_own_place(engine):
    found = ask("/layout", game=as_text(GAMES[0]), engine=engine)["places"]
    assert len({tuple(x) for x in found}) == 5


@pytest.mark.slow
def test_two_thousand_positions_are_drawn_and_more_are_summarised():
    text = ask("/generate", family="random", parameters={"n": 2000, "seed": 1})["game"]
    assert len(ask("/layout", game=text)["places"]) == 2000
    assert len(ask("/solve", game=text)["picture"]["cells"]) == 2000
    text = ask("/generate", family="random", parameters={"n": 2001, "seed": 1})["game"]
    assert ask("/solve", game=text)["picture"] is None
    assert ask("/layout", game=text)["kind"] == "limit"


@pytest.mark.parametrize("by", ["components", "results"])
def test_a_summary_counts_everything_once(by):
    game = zm.generators.random_graph(20_000, 1.5, seed=3)
    solution, text = zm.solve(game), as_text(game)
    found = ask("/summary", game=text, by=by, solved=True)
    assert sum(x["size"] for x in found["groups"]) == 20_000
    assert sum(k for _, _, k in found["links"]) == game.graph.m
    assert len(found["places"]) == len(found["groups"]) <= 80
    total = dict.fromkeys(("win", "lose", "draw"), 0)
    for group in found["groups"]:
        for kind, k in group["counts"].items():
            total[kind] += k
    assert total == {
        "win": int((solution.label == 1).sum()),
        "lose": int((solution.label == -1).sum()),
        "draw": int((solution.label == 0).sum()),
    }
    number = max(range(len(found["groups"])), key=lambda k: found["groups"][k]["size"])
    part = ask("/part", game=text, by=by, solved=True, group=number, most=50)
    assert part["total"] == found["groups"][number]["size"]
    shown = part["picture"]
    assert len(shown["positions"]) == 50
    first = shown["positions"][0]
    assert shown["answers"][0] == str(solution.at(first))
    for v, cut, moves in zip(shown["positions"], shown["cut"], shown["moves"], strict=True):
        assert cut + len(moves) == game.graph.out_degree[v]


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_counts_pictures_and_groups_agree(game):
    """Every situation is counted once: in the sentence, by the picture and by the groups."""
    text = as_text(game)
    found = ask("/solve", game=text)
    cells = [cell[1] for row in found["picture"]["cells"] for cell in row]
    for by in ("components", "results"):
        total = {}
        for group in ask("/summary", game=text, by=by, solved=True)["groups"]:
            for kind, k in group["counts"].items():
                total[kind] = total.get(kind, 0) + k
        assert total == {kind: cells.count(kind) for kind in set(cells)}
    verdict = found["verdict"]
    assert ("player to move" in verdict) == found["doubled"]
    if "player0" in cells or "player1" in cells:
        noun = "situation" if found["doubled"] else "position"
        assert re.match(rf"Player 0 wins {cells.count('player0')} {noun}s?,", verdict)
        assert f"player 1 wins {cells.count('player1')}" in verdict
    else:
        for kind in set(cells):
            assert f"{cells.count(kind)} {kind}" in verdict


def test_a_large_parity_game_is_counted_by_winner():
    """Too large to draw; the sentence is the same as for a small game."""
    game = zm.generators.parity_random(2_001, priorities=4, seed=1)
    found = ask("/solve", game=as_text(game))
    assert found["picture"] is None
    zero = int((zm.solve(game).winner == 0).sum())
    assert 0 < zero < 2_001
    assert found["verdict"] == f"Player 0 wins {zero:,} positions, player 1 wins {2_001 - zero:,}"


def test_groups_by_results_agree_for_both_players():
    weight = {("a", "b"): -1, ("b", "a"): 1, ("b", "t"): 1}
    game = zm.Game(zm.Graph.from_edges(list(weight)), zm.ShortestPath(weight, ["t"]))
    winner = zm.solve(game).winner
    groups = ask("/summary", game=as_text(game), by="results", solved=True)["groups"]
    for group in groups:
        zero, one = re.fullmatch(
            r"player (.) wins if player 0 moves, player (.) wins if player 1 does", group["name"]
        ).groups()
        assert group["size"] == int((winner == [int(zero), int(one)]).all(axis=1).sum())


@pytest.mark.parametrize(
    ("objective", "note"),
    [
        (zm.Reach([]), "The positions are an empty set: no position is chosen."),
        (zm.Buchi([]), "The positions are an empty set: no position is chosen."),
        (zm.ReachAvoid([], ["c"]), "The positions to reach are an empty set: no position is"),
        (zm.ShortestPath(WEIGHTS, []), "The targets are an empty set: no position is chosen."),
        (zm.Reach(["t"]), ""),
        (zm.ReachAvoid(["t"]), ""),
        (zm.Parity([0] * 5), ""),
    ],
)
def test_an_objective_without_positions_is_not_solved_in_silence(objective, note):
    found = ask("/solve", game=as_text(zm.Game(OWNED, objective)))
    assert found["note"].startswith(note)
    assert bool(found["note"]) == bool(note)


def test_what_is_cut_says_so():
    long = "a" * 2_000
    text = as_text(zm.Game(zm.Graph.from_edges([(long, "b")], owner=[0, 1]), zm.Reach([long])))
    objective = ask("/solve", game=text)["objective"]
    assert len(objective) == 1_200
    assert objective.endswith("…")


@pytest.mark.parametrize("game", GAMES, ids=named)
def test_descriptions_have_no_markup(game):
    assert not re.search(
        r"``|:\w+:`|\*|\[\w+\d{4}\]", ask("/solve", game=as_text(game))["objective"]
    )


def test_layers_go_down_along_moves():
    """Each layer is one more than the highest layer that its component can move to."""
    g = zm.Graph.from_edges([(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (0, 4), (5, 5)])
    from zermelo.draw.summary import _layers

    number, layer = _layers(g)
    assert layer[number].tolist() == [3, 2, 2, 1, 0, 0]
    assert number[1] == number[2]
    assert np.unique(number).size == 5


def test_the_part_around_a_position():
    text = ask("/generate", family="path", parameters={"n": 3000})["game"]
    part = ask("/part", game=text, by="components", solved=False, position="1500", most=5)
    assert sorted(part["picture"]["positions"]) == [1498, 1499, 1500, 1501, 1502]
    missing = ask("/part", game=text, by="components", solved=False, position="x")
    assert missing["message"] == "there is no position 'x'"


@pytest.mark.slow
def test_the_steps_of_a_large_game_are_sentences_only():
    text = ask("/generate", family="path", parameters={"n": 2500})["game"]
    found = ask("/trace", game=text, first=2000, count=3)
    assert (found["total"], found["before"], len(found["steps"])) == (2500, [], 3)
    assert found["steps"][0]["text"] == "round 2000: 499 is LOSE in 2000 (must: 500)"
    assert found["steps"][0]["results"] == []


def test_a_game_without_positions():
    text = '{"format": "zermelo-game", "version": 1, "moves": []}'
    assert ask("/solve", game=text)["picture"]["cells"] == []
    assert ask("/layout", game=text)["places"] == []
    assert ask("/trace", game=text)["total"] == 0
    assert ask("/summary", game=text, by="components", solved=True)["groups"] == []
    assert ask("/export", game=text, to="svg", solved=True)["text"].startswith("<svg")
    assert "below 0" in ask("/explain", game=text, position=0)["message"]


def test_built_in_games_have_their_own_names():
    found = ask("/explore", game="nim:1,2")
    assert found["names"] == ["1+2", "2", "1", "1+1", "0"]
    assert ask("/solve", game=found["game"])["verdict"].startswith("3 win, 2 lose")
    assert "no game" in ask("/explore", game="nimm:1")["message"]


@pytest.mark.parametrize(
    ("family", "parameters", "reason"),
    [
        ("path", {}, "needs the parameter n"),
        ("path", {"n": 3, "m": 4}, "no parameter 'm'"),
        ("path", {"n": -1}, "expected an integer"),
        ("path", {"n": "three"}, "expected an integer"),
        ("random", {"n": 5, "law": "none"}, "poisson"),
    ],
)
def test_wrong_parameters_of_generators(family, parameters, reason):
    assert reason in ask("/generate", family=family, parameters=parameters)["message"]


def test_the_file_of_the_command_line(tmp_path):
    path = tmp_path / "my.pg"
    path.write_text("parity 1;\n0 2 0 1;\n1 1 1 0;\n")
    settings = Settings(served=Served("graph", str(path), "my.pg"))
    found = ask("/served", settings)
    assert (found["n"], found["title"]) == (2, "my.pg")
    path.write_text("parity 1;\n0 2 7 1;\n")
    message = ask("/served", settings)["message"]
    assert message.startswith("my.pg")
    assert str(tmp_path) not in message
    path.unlink()
    assert ask("/served", settings)["message"] == "my.pg: the file cannot be read any more"
    assert "without a graph" in ask("/served")["message"]


def test_weights_that_javascript_cannot_hold_are_refused():
    assert "2**53" in ask("/parse", text=f"a b {2**55}\nb a 1\n")["message"]
    found = ask("/parse", text=json.dumps(
        {"format": "zermelo-game", "version": 1, "names": [2**60, [1, 2]], "moves": [[1], []]}
    ))  # fmt: skip
    assert found["names"] == [str(2**60), "(1, 2)"]
    assert json.loads(found["game"])["names"] == [str(2**60), "(1, 2)"]


def test_a_worker_keeps_few_results():
    from zermelo.web.api.graphs import data

    for n in range(3, 20):
        text = as_text(zm.Graph.from_edges([(k, k + 1) for k in range(n)]))
        data.read_game(Call(data.GameRequest(text), SETTINGS, lambda *_: None))
    assert len(data._kept) <= data.MAX_KEPT
