"""The view Graph in a browser: draw, solve, step, explain, export, restore."""

import io
import json
import re

import pytest
from tests.web.conftest import serving

import zermelo as zm

pytestmark = pytest.mark.browser

GAME = "a b\nb a\nb t\nc b\nc c\nd c\n"
ENERGY = "[energy]\na [0]\nb [1]\nc [0]\na b -2\nb a 4\nb c -3\nc a 6\n"
PARITY = 'parity 3;\n0 2 0 1,3 "a";\n1 1 1 0,2 "b";\n2 3 0 2,3 "c";\n3 4 1 1,2 "d";\n'
TEXTS = {
    "edgelist": GAME,
    "json": '{"format": "zermelo-game", "version": 1, "edges": [["a", "b"], ["b", "a"]]}',
    "dot": "digraph { a -> b; b -> a }",
    "graphml": '<graphml><graph edgedefault="directed"><node id="a"/><node id="b"/>'
    '<edge source="a" target="b"/></graph></graphml>',
    "mtx": "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n",
    "pgsolver": PARITY,
}


@pytest.fixture
def view(server, page):
    page.goto(f"{server}#/graph")
    page.wait_for_selector(".zg-stage")
    return page


def paste(page, text, form=""):
    if not page.locator(".zg-openbox[open]").count():
        page.click(".zg-openbox > summary")
    page.fill("[aria-label='A graph as text']", text)
    page.select_option("[aria-label='Format']", form)
    page.click("text=Open text")
    page.wait_for_selector(".zg-openbox:not([open])")


def solve(page):
    page.click("button:text-is('Solve')")
    page.wait_for_selector(".zg-verdict strong")


def shown(page):
    """The results in the picture, by the names of positions."""
    nodes = page.locator(".zg-stage .zg-node").all()
    return {
        node.get_attribute("data-name"): node.locator("text").all_text_contents()[1:]
        if node.locator(".zg-half").count() == 0
        else node.locator("text.zg-small").all_text_contents()
        for node in nodes
    }


def point(page, x, y):
    box = page.locator(".zg-stage").first.bounding_box()
    return box["x"] + x, box["y"] + y


def centre(page, name):
    box = page.locator(f".zg-stage [data-name='{name}'] .zg-shape").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click(page, name):
    page.mouse.click(*centre(page, name))


def drag(page, source, target):
    page.mouse.move(*source)
    page.mouse.down()
    page.mouse.move(source[0] + 50, source[1] + 50)
    page.mouse.move(*target, steps=4)
    page.mouse.up()


def game_of(page):
    """The game that the page would send, read by the package."""
    text = page.evaluate("document.querySelector('z-graph').gameText()")
    return zm.read(io.BytesIO(text.encode()), format="json")


def test_draw_and_solve_a_graph(view):
    page = view
    places = {"a": (150, 150), "b": (350, 150), "c": (550, 150), "d": (350, 350)}
    for place in places.values():
        page.mouse.click(*point(page, *place))
    assert page.locator(".zg-node").count() == 4
    for source, target in ("ab", "ba", "bc", "db", "dd"):
        drag(page, centre(page, source), centre(page, target))
    graph = zm.Graph.from_edges(
        [tuple(x) for x in ("ab", "ba", "bc", "db", "dd")], names=list("abcd")
    )
    assert game_of(page).graph == graph
    solve(page)
    assert shown(page) == {"a": ["L2"], "b": ["W1"], "c": ["L0"], "d": ["D"]}
    best = page.locator("[data-best='one']")
    assert best.count() == sum(len(x.best_moves) for x in zm.solve(graph))
    # A move more, and the results follow by themselves.
    drag(page, centre(page, "a"), centre(page, "c"))
    page.wait_for_selector("[data-name=a] text:has-text('W1')")
    # Undo and redo change the game and its results.
    page.click("text=Undo")
    page.wait_for_selector("[data-name=a] text:has-text('L2')")
    assert game_of(page).graph == graph
    page.click("text=Redo")
    page.wait_for_selector("[data-name=a] text:has-text('W1')")
    # Delete a position by its button.
    click(page, "c")
    page.click("text=Delete position")
    page.wait_for_selector("[data-name=a] text:has-text('D')")
    assert game_of(page).graph == zm.Graph.from_edges(
        [("a", "b"), ("b", "a"), ("d", "b"), ("d", "d")], names=["a", "b", "d"]
    )
    for _ in range(12):
        if page.locator("button:text-is('Undo')").is_enabled():
            page.click("text=Undo")
    assert page.locator(".zg-node").count() == 0


def test_owners_priorities_and_weights_by_hand(view):
    page = view
    paste(page, "a b\nb a\nb b\na a\n")
    page.select_option("[aria-label=Objective]", "parity")
    for name, owner, priority in (("a", "0", "2"), ("b", "1", "1")):
        click(page, name)
        page.select_option("label:has-text('Owner') select", owner)
        page.fill("label:has-text('Priority') input", priority)
        page.keyboard.press("Tab")
    solve(page)
    game = game_of(page)
    assert game == zm.Game(zm.Graph.from_edges(
        [("a", "b"), ("b", "a"), ("b", "b"), ("a", "a")], owner=[0, 1]
    ), zm.Parity({"a": 2, "b": 1}))  # fmt: skip
    assert shown(page) == {"a": ["p2, 0 wins"], "b": ["p1, 1 wins"]}
    page.select_option("[aria-label=Objective]", "reach")
    page.wait_for_selector("text=The positions, by name")
    page.click("button:text-is('Pick')")
    click(page, "b")
    page.wait_for_selector("[data-name=b] text:has-text('0 wins in 0')")
    assert game_of(page).objective.spec(game.graph)["positions"] == [1]
    page.fill("label:has-text('by name') input", "a, x")
    page.keyboard.press("Tab")
    page.wait_for_selector(".z-error:has-text('There is no position x.')")
    page.select_option("[aria-label=Objective]", "energy")
    # A click on a move selects it.
    page.mouse.click(*page.evaluate(
        """() => { const line = document.querySelector('[data-from="0"][data-to="1"] .zg-line');
        const at = line.getPointAtLength(line.getTotalLength() / 2), m = line.getScreenCTM();
        return [at.x * m.a + m.e, at.y * m.d + m.f]; }"""
    ))  # fmt: skip
    page.fill("label:has-text('Weight') input", "-3")
    page.keyboard.press("Tab")
    page.wait_for_selector(".zg-weight:text-is('-3')")
    assert game_of(page).objective.weights(game.graph).tolist() == [0, -3, 0, 0]


VALUES = [
    (GAME, "normal"), (GAME, "misere"), (GAME, "asymmetric"), (PARITY, "parity"),
    (ENERGY, "energy"), (ENERGY, "mean-payoff"), (GAME, "no-return"), (GAME, "repetition"),
]  # fmt: skip


def test_values_are_those_of_solve(view):
    page = view
    page.click("text=Positions as a table")
    for text, objective in VALUES:
        page.click("button:text-is('New')")
        paste(page, text)
        page.select_option("[aria-label=Objective]", objective)
        solve(page)
        page.wait_for_selector(".zg-sentence")
        game = game_of(page)
        assert game.objective.keyword == objective
        solution = zm.solve(game)
        answers = page.locator(".zg-sentence").all_text_contents()
        if solution.label.ndim == 2:
            answers = [line for both in answers for line in both.split("\n")]
        assert answers == list(map(str, solution))


STEPS = [
    (GAME, "normal", "retrograde"), (GAME, "asymmetric", "nmfl"), (PARITY, "parity", "zielonka"),
    (ENERGY, "energy", "value-iteration"), (GAME, "no-return", "geography"),
]  # fmt: skip


def test_step_forward_and_back(view):
    page = view
    for text, objective, solver in STEPS:
        page.click("button:text-is('New')")
        paste(page, text)
        page.select_option("[aria-label=Objective]", objective)
        page.evaluate(f"document.querySelector('[aria-label=Method]').value = '{solver}'")
        page.click("text=Step through it")
        walk_through(page, [str(x).strip() for x in zm.trace(game_of(page), None, solver)])


def walk_through(page, sentences):
    """Go forward step by step and back again; the picture at each place is the same."""
    last = len(sentences)
    page.wait_for_selector(f".zg-count:text-is('0 of {last}')")
    pictures = [shown(page)]
    for k, sentence in enumerate(sentences, 1):
        page.click("[aria-label=Forward]")
        page.wait_for_selector(f".zg-count:text-is('{k} of {last}')")
        assert page.locator(".zg-step-text").inner_text().strip() == sentence
        pictures.append(shown(page))
    assert page.locator("[aria-label=Forward]").is_disabled()
    for k in range(last - 1, -1, -1):
        page.click("[aria-label=Back]")
        page.wait_for_selector(f".zg-count:text-is('{k} of {last}')")
        assert shown(page) == pictures[k]
    page.click("[aria-label='Last step']")
    page.wait_for_selector(f".zg-count:text-is('{last} of {last}')")
    assert shown(page) == pictures[-1]
    assert page.locator(".zg-hot").count() > 0
    page.fill("[aria-label=Step]", "1")
    page.wait_for_selector(f".zg-count:text-is('1 of {last}')")
    assert shown(page) == pictures[1]
    page.click("text=Leave the steps")
    assert page.locator(".zg-hot").count() == 0


def test_why_on_a_click(view):
    page = view
    paste(page, GAME)
    solve(page)
    click(page, "a")
    page.wait_for_selector(".zg-why:visible")
    assert page.locator(".zg-why:visible").inner_text() == str(zm.explain(game_of(page), "a"))
    assert page.locator(".zg-edge-hot").count() == 2  # a → b → t
    page.select_option("[aria-label=Objective]", "asymmetric")
    page.wait_for_selector(".zg-half")
    page.wait_for_selector(".zg-why:visible")
    page.select_option("[aria-label='Player to move']", "1")
    expected = str(zm.explain(zm.solve(game_of(page)), "a", 1))
    page.wait_for_function(
        "text => [...document.querySelectorAll('.zg-why')].some(x => x.textContent === text)",
        arg=expected,
    )


def test_paste_every_format_and_mistakes(view):
    page = view
    for form, text in TEXTS.items():
        paste(page, text, form)
        game = zm.read(io.BytesIO(text.encode()), format=form)
        page.wait_for_selector(
            f".zg-title:has-text('{game.graph.n} positions, {game.graph.m} move')"
        )
        assert game_of(page) == game
        assert set(shown(page)) == {str(game.graph.name(v)) for v in range(game.graph.n)}
    page.click(".zg-openbox > summary")
    page.fill("[aria-label='A graph as text']", "parity 2;\n0 1 7 1;\n")
    page.click("text=Open text")
    error = page.wait_for_selector(".z-error:visible").inner_text()
    assert "owner" in error
    assert len(error.splitlines()) == 1
    page.set_input_files("[aria-label='A file with a graph']", files=[
        {"name": "my.pg", "mimeType": "text/plain", "buffer": PARITY.encode()}])  # fmt: skip
    page.wait_for_selector(".zg-title:has-text('my.pg: 4 positions')")
    assert page.locator(".z-error:visible").count() == 0


def test_names_with_markup_are_text(view):
    page = view
    name = "<img src=x onerror=alert(1)>"
    edges = [[name, "</text><script>x</script>"]]
    paste(page, json.dumps({"format": "zermelo-game", "version": 1, "edges": edges}))
    solve(page)
    page.click("text=Positions as a table")
    page.wait_for_selector(".zg-sentence")
    assert page.locator("z-graph img, z-graph script, z-graph svg script").count() == 0
    assert name in page.locator(".zg-table").inner_text()
    assert page.locator(".zg-node text").first.text_content().startswith("<img")


def test_keyboard_alone(view):
    page = view
    page.focus(".zg-stage")
    for key in ("n", "n", "m", "ArrowLeft", "Enter", "n", "ArrowLeft"):
        page.keyboard.press(key)
    assert {x.get_attribute("data-name") for x in page.locator(".zg-node").all()} == set("abc")
    assert game_of(page).graph.m == 1
    page.keyboard.press("Control+z")
    assert page.locator(".zg-node").count() == 2
    page.keyboard.press("Control+y")
    assert page.locator(".zg-node").count() == 3
    page.focus("[aria-label='The move begins at']")
    page.keyboard.type("a")
    page.keyboard.press("Tab")
    page.keyboard.type("c")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-from='0'][data-to='2']")
    page.focus("button:text-is('Solve')")
    page.keyboard.press("Enter")
    page.wait_for_selector(".zg-verdict strong")
    solution = zm.solve(game_of(page))
    page.focus(".zg-stage")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_selector(".zg-why:visible")
    name = page.input_value("label:has-text('Name') input")
    assert page.locator(".zg-answer:visible").inner_text() == str(solution[name])
    assert str(solution[name]) in page.locator("z-graph > .z-status").inner_text()
    page.focus(".zg-stage")
    page.keyboard.press("Delete")
    assert page.locator(".zg-node").count() == 2
    page.keyboard.press("Control+z")
    assert page.locator(".zg-node").count() == 3


def test_exported_files(view):
    page = view
    paste(page, PARITY)
    game = game_of(page)
    for button in ("JSON", "Edge list", ".pg (PGSolver)", "SVG", "PNG"):
        with page.expect_download() as waiting:
            page.click(f"button:text-is('{button}')")
        data = waiting.value.path().read_bytes()
        if button == "PNG":
            assert data.startswith(b"\x89PNG")
        elif button == "SVG":
            assert data.count(b'class="node') == 4
        elif button == "Edge list":
            assert zm.read(io.BytesIO(data), format="edgelist").graph == game.graph
            assert page.locator("text=This file has the graph alone").count() == 1
        else:
            form = "json" if button == "JSON" else "pgsolver"
            assert zm.read(io.BytesIO(data), format=form) == game


def test_the_picture_is_moved_and_enlarged(view):
    page = view
    paste(page, GAME)
    before = page.locator("[data-name=a] .zg-shape").bounding_box()
    page.mouse.move(*point(page, 300, 200))
    page.mouse.wheel(0, -300)
    page.wait_for_function(
        """width => document.querySelector('[data-name=a] .zg-shape')
        .getBoundingClientRect().width > width""",
        arg=1.5 * before["width"],
    )
    near = centre(page, "a")
    drag(page, point(page, 20, 20), point(page, 90, 60))
    assert centre(page, "a") == pytest.approx((near[0] + 70, near[1] + 40), abs=2)
    assert page.locator(".zg-node").count() == 5  # a drag adds no position
    page.click("text=Fit")
    assert page.locator("[data-name=a] .zg-shape").bounding_box()["width"] == pytest.approx(
        before["width"], abs=1
    )


def test_lines_of_python(view):
    page = view
    paste(page, ENERGY)
    page.click("text=Python lines")
    lines = page.wait_for_selector(".zg-code:visible").inner_text()
    space = {"print": lambda *_: None}
    exec(compile(lines, "lines", "exec"), space)
    assert list(map(str, space["solution"])) == list(map(str, zm.solve(game_of(page))))


def test_a_link_restores_graph_places_and_objective(view):
    page = view
    paste(page, PARITY)
    page.click("button:text-is('Move')")
    x, y = centre(page, "a")
    drag(page, (x, y), (x + 90, y + 40))
    solve(page)
    page.wait_for_url(re.compile("g=.*solve=1"))
    game, results, link = game_of(page), shown(page), page.url
    places = page.evaluate("document.querySelector('z-graph').state.positions.map(p => [p.x, p.y])")
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector(".zg-verdict strong")
    assert game_of(page) == game
    assert shown(page) == results
    now = page.evaluate("document.querySelector('z-graph').state.positions.map(p => [p.x, p.y])")
    assert now == [[round(x), round(y)] for x, y in places]
    page.click("nav a:text-is('Learn')")
    page.wait_for_selector("z-learn")
    page.click("nav a:text-is('Graph')")  # the graph is still there
    page.wait_for_selector("z-graph .zg-node")
    assert game_of(page) == game
    page.goto(link.partition("g=")[0] + "g=AAAA")
    page.wait_for_selector(".z-error:has-text('This link is damaged')")


def test_two_thousand_positions_are_drawn(server, page):
    page.goto(f"{server}#/graph")
    page.click(".zg-openbox > summary")
    page.fill("[data-name=n]", "2000")
    page.click("text=Generate")
    page.wait_for_selector("canvas.zg-picture")
    solve(page)
    game = game_of(page)
    assert game.graph.n == 2000
    assert (
        f"{int((zm.solve(game).label == 1).sum())} win" in page.locator(".zg-verdict").inner_text()
    )
    # A click hits the position under it, and the address says nothing of such a large graph.
    at = page.evaluate(
        """() => { const { view } = document.querySelector('z-graph'), n = view.scene.nodes[7];
        view.show(n.x, n.y);
        return [view.camera.x + view.camera.k * n.x, view.camera.y + view.camera.k * n.y]; }"""
    )
    page.mouse.click(*point(page, *at))
    page.wait_for_selector(".zg-why:visible")
    name = page.input_value("label:has-text('Name') input")
    assert page.locator(".zg-answer:visible").inner_text() == str(zm.solve(game)[int(name)])
    assert "g=" not in page.url
    page.click("text=Copy link")
    page.wait_for_selector("text=too large for a link")


def test_twenty_thousand_positions_are_summarised(server, page):
    page.goto(f"{server}#/graph")
    page.click(".zg-openbox > summary")
    page.fill("[data-name=n]", "20000")
    page.fill("[data-name=degree]", "1.5")
    page.click("text=Generate")
    page.wait_for_selector(".zg-groups tbody tr")
    sizes = page.locator(".zg-groups td:nth-child(2)").all_inner_texts()
    assert sum(int(x.replace(",", "")) for x in sizes) == 20_000
    solve(page)
    page.wait_for_selector(".zg-groups .zg-chip")
    page.select_option("[aria-label=Groups]", "results")
    page.click(".zg-groups button:text-is('win in 1')")
    page.wait_for_selector("text=Back to the groups")
    assert page.locator(".zg-summary .zg-result").all_text_contents() == ["W1"] * 100
    page.click("text=Show more")
    page.wait_for_selector(".zg-summary .zg-node >> nth=299", state="attached")
    page.click(".zg-summary .zg-node >> nth=0", force=True)
    page.wait_for_selector(".zg-summary .zg-why:visible")
    page.fill("[aria-label='Name of a position']", "77")
    page.keyboard.press("Enter")
    page.wait_for_selector(".zg-summary [data-name='77']")
    page.click("text=Back to the groups")
    page.wait_for_selector("text=too many to draw")
    page.select_option("[aria-label=Objective]", "misere")
    page.click("button:text-is('Solve')")
    page.wait_for_selector(".zg-verdict:has-text('misere')")
    page.select_option("[aria-label=Objective]", "energy")
    page.click("button:text-is('Solve')")
    page.wait_for_selector(".z-error:has-text('needs a weight for each move')")


def test_a_graph_over_the_limit_is_refused(view):
    page = view
    page.click(".zg-openbox > summary")
    page.fill("[data-name=n]", "200001")
    page.click("text=Generate")
    page.wait_for_selector(".z-error:has-text('this server takes at most 200,000')")


def test_the_file_of_the_command_line_is_opened(page, tmp_path):
    path = tmp_path / "<b>my game.pg"
    path.write_text(PARITY)
    with serving(str(path)) as address:
        page.goto(f"{address}#/graph")
        page.wait_for_selector(".zg-title:has-text('<b>my game.pg: 4 positions, 8 moves')")
        page.wait_for_load_state("networkidle")  # the server ends with this block
        assert game_of(page) == zm.read(path)
        page.goto("about:blank")


def test_narrow_screens(server, browser):
    context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion="reduce")
    page = context.new_page()
    page.goto(f"{server}#/graph?text=a%20b%0Ab%20a%0Ab%20t&solve=1")
    page.wait_for_selector(".zg-verdict strong")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert shown(page) == {"a": ["L2"], "b": ["W1"], "t": ["L0"]}
    context.close()


def test_the_title_counts_what_is_drawn(view):
    paste(view, "a b\nb a\n")
    view.wait_for_selector(".zg-title:text-is('2 positions, 2 moves')")
    view.get_by_placeholder("name", exact=True).fill("c")
    view.click("button:text-is('Add position')")
    view.wait_for_selector(".zg-title:text-is('3 positions, 2 moves')")
    view.get_by_role("link", name="Values", exact=True).click()
    view.wait_for_selector("z-values h1")
    view.get_by_role("link", name="Graph", exact=True).click()
    view.wait_for_selector(".zg-title:text-is('3 positions, 2 moves')")


def test_solve_waits_for_the_graph_that_is_being_opened(view):
    held = []
    view.route("**/api/v1/graphs/layout", lambda route: held.append(route))
    view.click(".zg-openbox > summary")
    view.fill("[aria-label='A graph as text']", "a b\nb a\na t\n")
    view.click("text=Open text")
    while not held:
        view.wait_for_timeout(10)
    view.click("button:text-is('Solve')")
    held[0].continue_()
    view.wait_for_selector(".zg-verdict strong:has-text('1 win, 2 lose')")
