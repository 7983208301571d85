"""The content of an SVG: it is well-formed and shows each position with its result."""

import xml.etree.ElementTree as ET

import pytest

import zermelo as zm
from zermelo.draw import svg
from zermelo.generators import cycle, layered, random_graph
from zermelo.plots.palette import PALETTE

SVG = "{http://www.w3.org/2000/svg}"
OWN = ["layered", "circular"]


def parse(text):
    root = ET.fromstring(text)
    assert root.tag == SVG + "svg"
    return root


def nodes(root):
    found = [g for g in root.iter(SVG + "g") if "node" in g.get("class", "").split()]
    return {int(g.get("data-position")): g for g in found}


def edges(root):
    found = [g for g in root.iter(SVG + "g") if "edge" in g.get("class", "").split()]
    return {(int(g.get("data-from")), int(g.get("data-to"))): g for g in found}


def texts(element):
    return [x for text in element.iter(SVG + "text") if (x := "".join(text.itertext()))]


@pytest.mark.parametrize("engine", OWN)
def test_a_node_for_each_position_and_an_edge_for_each_move(game, solution, engine):
    for subject in (game, solution):
        root = parse(svg(subject, engine=engine))
        assert sorted(nodes(root)) == list(range(game.n))
        assert sorted(edges(root)) == sorted(map(tuple, game.to_edges().tolist()))


@pytest.mark.parametrize("engine", OWN)
def test_results_have_a_class_a_colour_and_a_text(solution, engine):
    found = nodes(parse(svg(solution, engine=engine)))
    expected = {"a": ("win", "W1"), "b": ("lose", "L2"), "t": ("lose", "L0"), "c": ("draw", "D")}
    for name, (kind, result) in expected.items():
        node = found[solution.graph.index(name)]
        assert kind in node.get("class").split()
        assert node.get("data-result") == result
        assert texts(node) == [name, result]
        assert node.findall(SVG + "ellipse")[-1].get("fill") == PALETTE[kind].fill
        assert node.find(SVG + "title").text == str(solution[name])


def test_best_moves_are_bold(solution):
    found = edges(parse(svg(solution, engine="layered")))
    index = solution.graph.index
    for (u, v), edge in found.items():
        best = solution.graph.name(v) in solution[solution.graph.name(u)].best_moves
        assert edge.get("class") == ("edge best" if best else "edge other")
        wide = float(edge.find(SVG + "path").get("stroke-width"))
        assert (wide > 2) == best
    assert found[index("a"), index("t")].find(SVG + "title").text == "a → t"


def test_ends_have_a_second_border(solution):
    found = nodes(parse(svg(solution, engine="layered")))
    for v, node in found.items():
        ends = solution.graph.name(v) == "t"
        assert ("ends" in node.get("class").split()) == ends
        assert len(node.findall(SVG + "ellipse")) == 1 + ends


def test_owners_by_shape():
    graph = zm.Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    found = nodes(parse(svg(graph, engine="layered")))
    assert found[0].find(SVG + "ellipse") is not None
    assert found[1].find(SVG + "rect") is not None


def test_both_players_results_on_one_card(game):
    solution = zm.solve(game, zm.Asymmetric())
    root = parse(svg(solution, engine="layered"))
    for v, node in nodes(root).items():
        name = game.name(v)
        answers = [solution.at(name, player=e) for e in (0, 1)]
        assert len(node.get("data-result").split()) == 2
        assert texts(node)[0] == name
        for e, answer in enumerate(answers):
            letter = {1: "W", -1: "L"}.get(answer.label) or ("T" if answer.distance >= 0 else "D")
            assert texts(node)[1 + e].startswith(f"{e}: {letter}")
        assert node.find(SVG + "title").text == "\n".join(map(str, answers))
    assert "0, 1: player to move" in texts(root)


def test_a_tie_is_not_a_draw():
    graph = zm.Graph.from_edges([("a", "t"), ("b", "b")])
    solution = zm.solve(graph, zm.TerminalPayoff({"t": 0}, view="mover"))
    found = nodes(parse(svg(solution, engine="layered")))
    assert [found[v].get("data-result") for v in range(3)] == ["T", "T0", "D"]
    assert [found[v].get("class") for v in range(3)] == ["node tie", "node tie ends", "node draw"]


def test_values_and_endless_play_are_written():
    graph = zm.Graph.from_edges(
        [("a", "x"), ("a", "b"), ("b", "y"), ("b", "a")], owner={"a": 0, "b": 1, "x": 0, "y": 0}
    )
    solution = zm.solve(graph, zm.TerminalPayoff({"x": 3, "y": 5}, infinite=4))
    text = svg(solution, engine="layered")
    assert nodes(parse(text))[0].get("data-result") == "4 W∞"
    assert "∞: play never ends" in text


def test_the_legend_lists_what_occurs_and_can_be_left_out(solution):
    root = parse(svg(solution, engine="layered"))
    legend = next(g for g in root.iter(SVG + "g") if g.get("class") == "legend")
    shown = texts(legend)
    assert {"win", "loss", "draw", "best move", "other move", "play ends"} <= set(shown)
    assert "tie" not in shown
    assert "legend" not in svg(solution, engine="layered", legend=False)
    drawn = parse(svg(zm.solve(cycle(3)), engine="circular"))
    assert {"win", "loss"}.isdisjoint(texts(drawn))


def test_title(solution):
    text = svg(solution, engine="layered", title="Tom & <Jerry>")
    root = parse(text)
    assert root.find(SVG + "title").text == "Tom & <Jerry>"
    assert "Tom & <Jerry>" in texts(root)
    default = parse(svg(solution, engine="layered")).find(SVG + "title").text
    assert default == "A solved game of 5 positions and 7 moves"


NASTY = [
    "<script>alert(1)</script>",
    "a\"'&amp;]]>",
    "Ωμέγα → λ 漢字 🎲",
    "back\\slash \\N {curly}",
    "nul\x00 bell\x07 \x1b[31m",
    "lone \ud800 surrogate",
    "",
    "  ",
    "XO.\n.X.\nO..",
    "x" * 500,
    ("a", 1),
    frozenset({3}),
]


@pytest.mark.parametrize("engine", OWN)
def test_any_name_is_harmless(engine):
    graph = zm.Graph.from_edges([(v, v + 1) for v in range(len(NASTY) - 1)], names=NASTY)
    for subject in (graph, zm.solve(graph), zm.solve(graph, zm.H1())):
        text = svg(subject, engine=engine, title=NASTY[0])
        root = parse(text)
        assert "<script" not in text
        assert not list(root.iter(SVG + "script"))
        found = nodes(root)
        assert texts(found[0])[0] == "<script>alert(1)</script"[:23] + "…"
        assert texts(found[8])[:3] == ["XO.", ".X.", "O.."]
        assert "nul\ufffd" in texts(found[4])[0]


def test_no_ids_and_no_style_sheet_that_could_leak_into_a_page(solution):
    text = svg(solution, engine="layered")
    assert " id=" not in text
    assert "<style" not in text
    assert "href" not in text


@pytest.mark.parametrize("engine", OWN)
@pytest.mark.parametrize("n", [0, 1])
def test_tiny(engine, n):
    root = parse(svg(zm.Graph.from_edges([], n=n), engine=engine))
    assert len(nodes(root)) == n
    parse(svg(zm.solve(zm.Graph.from_edges([], n=n)), engine=engine))


def test_pictures_are_deterministic(solution):
    assert svg(solution, engine="layered") == svg(solution, engine="layered")


@pytest.mark.slow("down")
@pytest.mark.parametrize("direction", ["down", "right"])
def test_nothing_overlaps_in_layers(direction):
    graph = layered(120, 8, back=0.1, seed=5).graph
    root = parse(svg(zm.solve(graph), engine="layered", direction=direction))
    _assert_apart(root)


def test_nothing_overlaps_on_a_circle():
    _assert_apart(parse(svg(zm.solve(random_graph(12, 2, seed=3)), engine="circular")))


def _assert_apart(root):
    boxes = []
    for node in nodes(root).values():
        x, y = map(float, node.get("transform").removeprefix("translate(")[:-1].split())
        shape = node.find(SVG + "ellipse")
        boxes.append((x, y, float(shape.get("rx")), float(shape.get("ry"))))
    for k, (x, y, a, b) in enumerate(boxes):
        for x2, y2, a2, b2 in boxes[:k]:
            assert abs(x - x2) >= a + a2 or abs(y - y2) >= b + b2


PARITY = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "c")], owner=[0, 1, 0])
MULLER = zm.Muller({"a": 0, "c": [0, 1]}, "Inf(1)")


@pytest.mark.parametrize(
    ("objective", "results"),
    [
        (zm.Parity([2, 1, 1]), ["p2, 1 wins", "p1, 1 wins", "p1, 1 wins"]),
        (zm.Parity([2, 1, 2], "max odd"), ["p2, 1 wins", "p1, 1 wins", "p2, 1 wins"]),
        (zm.Buchi(["c"]), ["1 wins", "1 wins", "0 wins"]),
        (zm.CoBuchi(["c"], player=1), ["1 wins", "1 wins", "0 wins"]),
        (MULLER, ["{0}, 1 wins", "1 wins", "{0,1}, 0 wins"]),
        (zm.Reach(["c"], player=1), ["1 wins in 2", "1 wins in 1", "1 wins in 0"]),
        (zm.ReachAvoid(["c"], ["b"]), ["1 wins ∞", "avoid, 1 wins ∞", "goal, 0 wins in 0"]),
        (zm.Safety(["a", "b"], player=1), ["1 wins ∞", "1 wins ∞", "0 wins in 0"]),
    ],
)
def test_winners_are_class_colour_and_words(objective, results):
    solution = zm.solve(PARITY, objective).verify()
    root = parse(svg(solution, engine="layered"))
    found = nodes(root)
    for v, result in enumerate(results):
        kind = f"player{solution.winner[v]}"
        assert kind in found[v].get("class").split()
        assert found[v].get("data-result") == result
        shape = SVG + ("ellipse" if PARITY.owner[v] == 0 else "rect")
        assert found[v].findall(shape)[-1].get("fill") == PALETTE[kind].fill
    explained = texts(next(g for g in root.iter(SVG + "g") if g.get("class") == "legend"))
    for player in (0, 1):
        assert (f"won by player {player}" in explained) == (player in solution.winner)
    assert not {"win", "loss"} & set(explained)
    assert ("p: priority" in explained) == isinstance(objective, zm.Parity)
    assert ("{…}: colours" in explained) == isinstance(objective, zm.Muller)
    assert ("number: moves to the end" in explained) == any(" in " in x for x in results)


def test_a_game_shows_its_priorities_and_its_start():
    game = zm.Game(PARITY, zm.Parity([2, 1, 1]), start="b")
    for text in (svg(game, engine="layered"), game._repr_svg_()):
        root = parse(text)
        assert [texts(x) for _, x in sorted(nodes(root).items())] == [
            ["a", "p2"],
            ["b", "p1"],
            ["c", "p1"],
        ]
        legend = texts(next(g for g in root.iter(SVG + "g") if g.get("class") == "legend"))
        assert {"p: priority", "start"} <= set(legend)
        assert "number: moves to the end" not in legend


def test_priorities_that_do_not_fit_are_left_out():
    assert parse(svg(zm.Game(PARITY, zm.Parity([2, 1])), engine="layered")) is not None


def test_other_games_keep_the_colours_of_labels():
    for graph in (PARITY, PARITY.with_owner(None)):
        found = nodes(parse(svg(zm.solve(graph), engine="layered")))
        assert not any("player" in node.get("class") for node in found.values())
    cards = nodes(parse(svg(zm.solve(PARITY.with_owner(None), zm.Reach(["c"])), engine="layered")))
    assert not any("player" in node.get("class") for node in cards.values())
