"""Every way in and every way out of a game: no objective is lost, and what does not fit is refused.

An *entry* gives a game: a file of each format, rules, exploring, each generator, a graph with an
objective. An *exit* takes the game and answers. Here every entry meets every exit: the answer is
that for the objective that the game must have, or a sentence that says what was expected.
"""

import functools
import inspect
import io
import itertools
import random

import pytest
from click.testing import CliRunner

import zermelo as zm
from zermelo.cli.main import cli
from zermelo.draw import svg
from zermelo.errors import ZermeloError
from zermelo.registry import FORMATS, GENERATORS, OBJECTIVES, objective_row

EDGES = [("a", "b"), ("b", "a"), ("a", "t"), ("b", "c"), ("c", "a")]
PLAIN = zm.Graph.from_edges(EDGES)
OWNED = PLAIN.with_owner({"a": 0, "b": 1, "c": 0, "t": 1})
RULES = ("nim:1,2", "hexapawn:3x3", "pong-hau-ki", "domineering:2x2")
"""Impartial, with players of their own, with an outcome, partizan."""


def game_of(row):
    """A game of an objective, on a graph that it fits."""
    graph = OWNED if row.players == "own" else PLAIN
    return zm.Game(graph, row.example(graph, random.Random(3)), "a")


# -------------------------------------------------------------------- entries


def through_file(game, format):
    file = io.BytesIO()
    zm.write(game, file, format=format)
    return zm.read(io.BytesIO(file.getvalue()), format=format)


def from_file(row, form):
    """A game of an objective, from a file; without names where these have no room."""
    game = game_of(row)
    if "names" not in form.holds:
        game = zm.Game(game.graph.with_names(None), game.objective)
    return through_file(game, form.name)


def generated(row):
    """A small game of a family."""
    parameters = inspect.signature(row.load()).parameters.values()
    given = {p.name: 5 for p in parameters if p.default is p.empty}
    return row.load()(**given | ({"layers": 2} if row.name == "layered" else {}))


def stores(form, row):
    """Whether a format has room for games of an objective, as they are."""
    if "graph" not in form.holds:
        return False
    if form.games:  # parity games alone; others that are parity games come back as such
        return form.games == row.name
    weighted = row.family == "quantitative" and "quantitative" in form.holds
    return "objective" in form.holds or row.name == "normal" or weighted


def entries():
    """Names of entries, and functions that give a game and the keyword that it must have."""
    for row in OBJECTIVES.own:
        yield f"graph and {row.name}", lambda row=row: game_of(row), row.name
        for form in FORMATS:
            if stores(form, row):
                make = functools.partial(from_file, row, form)
                yield f"{form.name} file of {row.name}", make, row.name
    for row in GENERATORS:
        yield f"generator {row.name}", lambda row=row: generated(row), row.objective or "normal"
    for name in RULES:
        keyword = zm.explore(zm.game(name)).objective.keyword
        yield f"explored {name}", lambda name=name: zm.explore(zm.game(name)), keyword


ENTRIES = list(entries())


# -------------------------------------------------------------------- exits


def solved(graph, objective, start):
    """What a solution says, by the plainest way in."""
    s = zm.solve(graph, objective, start=start)
    return s.label.tolist(), s.distance.tolist()


def solution_file(game):
    """A solution, written and read again."""
    file = io.BytesIO()
    zm.write(zm.solve(game), file, format="json")
    s = zm.read_solution(io.BytesIO(file.getvalue()), game).verify()
    return s.label.tolist(), s.distance.tolist()


def labels(solution):
    return solution.label.tolist(), solution.distance.tolist()


def impartial(game):
    return game.objective.keyword == "normal" and game.graph.owner is None and game.impartial


def ends(game):
    return objective_row(game.objective).distances


def always(game):
    return True


def traced(game):
    """Whether a game has a trace: only some games with weights have none."""
    threshold = getattr(game.objective, "threshold", None)
    weighted = game.objective.family == "quantitative"
    return not weighted or game.objective.keyword == "energy" or threshold is not None


def reasons(game):
    return [str(zm.explain(game, x, depth=1)) for x in itertools.islice(game.graph, 3)]


EXITS = {
    "solve": (lambda game: labels(zm.solve(game)), always, "same"),
    "verify": (lambda game: labels(zm.solve(game).verify()), always, "same"),
    "solution file": (solution_file, always, "same"),
    "parts": (lambda game: labels(zm.solve(*game, start=game.start)), always, "same"),
    "pair": (lambda game: labels(zm.solve(tuple(game), start=game.start)), always, "same"),
    "json": (lambda game: through_file(game, "json").objective.spec(game.graph), always, "spec"),
    "npz": (lambda game: through_file(game, "npz").objective.spec(game.graph), always, "spec"),
    "edge list": (lambda game: through_file(game, "edgelist").objective.keyword, None, "keyword"),
    "grundy": (lambda game: zm.grundy(game).graph.n, impartial, "size"),
    "kernel": (lambda game: zm.kernel(game).graph.n, None, "size"),
    "attractor": (lambda game: zm.attractor(game, [*game.graph][:1]).graph.n, always, "size"),
    "check": (lambda game: zm.check_labelling(game, zm.solve(game)).verdict, ends, "sound"),
    "trace": (lambda game: [str(x) for x in zm.trace(game)], traced, "trace"),
    "explain": (reasons, always, "explain"),
    "draw": (lambda game: svg(game)[:4], always, "svg"),
    "draw solved": (lambda game: svg(zm.solve(game))[:4], always, "svg"),
}
"""What takes a game; where it must answer (None: it may refuse); what the answer must be."""


def ask_or_hear_why_not(ask, game):
    """The answer and nothing, or nothing and the sentence with which it was refused."""
    try:
        return ask(game), ""
    except ZermeloError as refusal:
        return None, str(refusal)


def wanted(kind, game):
    graph, objective = game
    if kind == "same":
        return solved(graph, objective, game.start)
    if kind == "spec":
        return objective.spec(graph)
    if kind == "trace":
        start = game.start if objective.family == "geography" else None
        return [str(x) for x in zm.trace(graph, objective, start=start)]
    if kind == "explain":
        names = itertools.islice(graph, 3)
        return [str(zm.explain(zm.solve(graph, objective), x, depth=1)) for x in names]
    return {"keyword": objective.keyword, "size": graph.n, "svg": "<svg", "sound": "sound"}[kind]


@pytest.mark.sampled(cases=250)
@pytest.mark.slow("generator hanoi-draw", "generator hanoi-draw solved")
@pytest.mark.parametrize("leave", EXITS)
@pytest.mark.parametrize(("enter", "keyword"), [pytest.param(*x[1:], id=x[0]) for x in ENTRIES])
def test_every_entry_meets_every_exit(enter, keyword, leave):
    game = enter()
    assert isinstance(game, zm.Game)
    assert game.objective.keyword == keyword
    ask, must, kind = EXITS[leave]
    found, refusal = ask_or_hear_why_not(ask, game)
    if must is not None:
        assert (refusal == "") == must(game), refusal
    assert refusal or found == wanted(kind, game)
    assert not refusal or len(refusal.split()) > 5


@pytest.mark.parametrize("name", RULES)
def test_rules_themselves_are_solved_as_they_are_explored(name):
    assert labels(zm.solve(zm.game(name))) == labels(zm.solve(zm.explore(zm.game(name))))


# -------------------------------------------------------------------- the command

COMMANDS = {
    "solve": (["solve", "FILE", "--verify", "--json"], always),
    "convert": (["convert", "FILE", "OUT.json"], always),
    "draw": (["draw", "FILE", "OUT.svg"], always),
    "info": (["info", "FILE", "--json"], always),
    "trace": (["trace", "FILE", "--json"], traced),
    "explain": (["solve", "FILE", "--explain", "a"], always),
    "grundy": (["grundy", "FILE"], impartial),
}


@pytest.mark.slow("misere-solve")
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("row", OBJECTIVES.own, ids=lambda row: row.name)
def test_every_file_meets_every_command(tmp_path, row, name):
    game, (words, must) = game_of(row), COMMANDS[name]
    places = {"FILE": tmp_path / "game.json", "OUT.json": tmp_path / "o.json",
              "OUT.svg": tmp_path / "o.svg"}  # fmt: skip
    zm.write(game, places["FILE"])
    result = CliRunner().invoke(cli, [str(places.get(word, word)) for word in words])
    if not must(game):
        assert result.exit_code == 2
        assert result.stderr.startswith("zermelo: ")
        assert result.stderr.count("\n") == 1
        return
    assert result.exit_code == 0, result.stderr
    if name in ("solve", "info", "trace") and row.name != "normal":
        assert f'"objective": "{row.name}"' in result.stdout
    if name == "convert":
        assert zm.read(places["OUT.json"]).objective.spec(game.graph) == game.objective.spec(
            game.graph
        )


@pytest.mark.parametrize("row", OBJECTIVES.own, ids=lambda row: row.name)
def test_graphs_that_an_objective_does_not_fit_are_refused(row):
    objective = game_of(row).objective
    for graph, fits in ((PLAIN, row.players != "own"), (OWNED, row.players != "alternate")):
        if fits:
            zm.solve(graph, objective).verify()
            continue
        with pytest.raises(ZermeloError, match=r"expected a graph with(out)? owners"):
            zm.solve(graph, objective)


@pytest.mark.parametrize("row", OBJECTIVES.own, ids=lambda row: row.name)
def test_formats_without_room_say_which_have_it(row):
    game = game_of(row)
    for form in FORMATS:
        if "graph" not in form.holds or stores(form, row) or row.family == form.games:
            continue
        with pytest.raises(ZermeloError, match=r"does not store|stores parity|parity and Muller"):
            through_file(game, form.name)
