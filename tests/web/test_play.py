"""The view Play in a browser: whole games by clicks and by keys, links, files, a small screen."""

import random
import re

import pytest
from tests.web.conftest import serving

import zermelo as zm
from zermelo.tables.solving.solve import solve_rules

pytestmark = pytest.mark.browser

ROOM = "document.querySelector('z-play')"


def open_game(page, server, query, turn="you"):
    page.goto(f"{server}#/play?{query}")
    page.wait_for_selector(f'z-play[data-turn="{turn}"]')


def scene(page):
    return page.evaluate(f"{ROOM}.scene")


def cell(page, name):
    return page.locator(f'.zp-board [data-cell="{name}"]')


def click_move(page, move):
    """Click the cells of a move, or its button where it has none; wait for the next turn."""
    before = int(page.locator("z-play").get_attribute("data-ply"))
    ways = move["ways"]
    if not ways:
        page.locator(f'.zp-move[data-number="{move["number"]}"]').click()
    else:
        for name in ways[0]:
            if int(page.locator("z-play").get_attribute("data-ply")) == before:
                cell(page, name).click()
        choices = page.locator(".zp-chooser button").get_by_text(move["name"], exact=True)
        if page.locator(".zp-chooser").is_visible():
            choices.click()
    page.wait_for_function(
        f"n => Number({ROOM}.dataset.ply) > n && {ROOM}.dataset.turn !== 'other'", arg=before
    )


def play_to_the_end(page):
    """Play a best move at each turn; the number of plies of the whole game."""
    chance = random.Random(3)
    for _ in range(100):
        found = scene(page)
        if found["over"]:
            return len(found["history"]) - 1
        click_move(page, chance.choice([x for x in found["moves"] if x["best"]]))
    raise AssertionError("the game has no end")


def test_a_whole_game_ends_when_it_was_predicted(server, page):
    game = "hexapawn:3x3"
    predicted = zm.solve(zm.explore(zm.game(game)))
    start = predicted[zm.game(game).start()]
    assert start.outcome == "lose"  # so the second player wins
    open_game(page, server, f"game={game}&side=second&values=1")
    assert page.locator(".zp-turn").inner_text().startswith("o (second) to move (you)")
    assert play_to_the_end(page) == start.distance
    assert page.locator(".zp-turn").inner_text().endswith("You win.")
    assert page.locator(".zp-chart .zp-point").count() == start.distance + 1


def test_a_game_seen_by_the_player_to_move(server, page):
    """In Kalah a position is what the mover sees; moves without a house are in the list."""
    open_game(page, server, "game=kalah:3x2")
    distance = scene(page)["value"]["distance"]
    seen = cell(page, "first 1").get_attribute("aria-label")
    assert seen.startswith("first 1, 2")
    assert play_to_the_end(page) == distance
    assert page.locator(".zp-turn").inner_text().endswith("You win.")


@pytest.mark.compiled
def test_mate_by_clicks_on_a_chess_board(server, page):
    open_game(page, server, "game=chess:KRvK&at=8/8/8/8/8/1k6/7R/K7 w")
    found = scene(page)
    assert cell(page, "h2").get_attribute("aria-label") == "h2, white rook"
    assert play_to_the_end(page) == found["value"]["distance"]
    assert page.locator(".zp-turn").inner_text().endswith("You win.")
    assert "checkmate" in page.locator(".zp-turn").inner_text().lower()


def test_a_promotion_asks_for_the_piece(server, page):
    open_game(page, server, "game=chess:KPvK&side=both&at=8/P7/8/8/8/1k6/8/K7 w")
    cell(page, "a7").click()
    assert "zp-next" in cell(page, "a8").get_attribute("class")
    assert page.locator(".zp-move").all_inner_texts() == [
        "a8=Q a7a8q", "a8=R a7a8r", "a8=B a7a8b", "a8=N a7a8n",
    ]  # fmt: skip
    cell(page, "a8").click()
    choices = page.locator(".zp-chooser button")
    assert choices.all_inner_texts() == ["a8=Q", "a8=R", "a8=B", "a8=N"]
    choices.nth(1).click()
    page.wait_for_selector('z-play[data-ply="1"]')
    assert scene(page)["position"].startswith("R7/8/8/8/8/1k6/8/K7 b")


def test_values_are_shown_with_sign_number_and_words(server, page):
    open_game(page, server, "game=nim:3,4")
    assert page.locator(".zp-mark").count() == 0
    page.get_by_role("button", name="Show values").click()
    page.wait_for_selector(".zp-mark")
    solved = zm.solve(zm.explore(zm.game("nim:3,4")))
    for option in zm.game("nim:3,4").options((3, 4)):
        found = solved[option]
        name = zm.game("nim:3,4").show(option)
        button = page.locator(".zp-move", has_text=re.compile(rf"^{re.escape(name)}(?!\d|\+)"))
        sign, verb = ("−", "loses") if found.label > 0 else ("+", "wins")
        assert f"{sign} {verb} in {found.distance + 1}" in button.inner_text()
        assert ("★" in button.inner_text()) == (found.label < 0 and found.distance + 1 == 7)
    marks = page.locator(".zp-mark text").all_text_contents()
    assert len(marks) == 7
    assert "+7" in marks
    assert page.locator(".zp-turn .z-value").inner_text() == "+ wins in 7"


def test_a_link_restores_what_one_sees(server, page, browser):
    open_game(page, server, "game=tictactoe&side=both&values=1")
    for name in ("b2", "a1", "c3"):
        cell(page, name).click()
        page.wait_for_function(f"() => {ROOM}.scene.history.some(x => x.move === '{name}')")
    page.get_by_role("button", name="Flip the board").click()
    link, shown = page.url, scene(page)
    other = browser.new_page()
    other.goto(link)
    other.wait_for_selector('z-play[data-ply="3"]')
    other.wait_for_selector(".zp-mark")
    assert scene(other) == shown
    assert other.locator("#zp-side").input_value() == "both"
    upper, lower = (cell(other, x).bounding_box()["y"] for x in ("a1", "a3"))
    assert upper < lower  # flipped
    other.close()
    page.go_back()
    page.wait_for_selector('z-play[data-ply="2"]')


def test_keys_alone_play_a_game(server, page):
    page.goto(f"{server}#/play")
    page.wait_for_selector(".zp-card")
    page.locator("#zp-find").focus()
    page.keyboard.type("tictactoe")
    page.keyboard.press("Enter")
    page.wait_for_selector('z-play[data-turn="you"]')
    page.locator("#zp-side").focus()
    page.keyboard.press("End")
    page.wait_for_function(
        "() => new URLSearchParams(location.hash.split('?')[1]).get('side') === 'both'"
    )
    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.dataset.cell"):
            break
    assert page.evaluate("document.activeElement.dataset.cell") == "a1"
    steps = ["", "ArrowUp", "ArrowRight", "ArrowUp", "ArrowLeft"]  # a1 a2 b2 b3 a3
    for ply, key in enumerate(steps, 1):
        if key:
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        page.wait_for_selector(f'z-play[data-ply="{ply}"]')
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_selector('z-play[data-ply="6"]')
    assert scene(page)["position"] == "xoo/ox./x.."
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_selector('z-play[data-ply="7"]')
    assert scene(page)["position"] == "xoo/ox./x.x"


def test_escape_clears_and_other_cells_say_so(server, page):
    open_game(page, server, "game=hexapawn:3x3&side=both")
    cell(page, "a1").click()
    assert "zp-picked" in cell(page, "a1").get_attribute("class")
    assert page.locator(".zp-move").count() == 1
    page.keyboard.press("Escape")
    assert page.locator(".zp-picked").count() == 0
    assert page.locator(".zp-move").count() == 3
    cell(page, "a3").click(force=True)  # it is marked as disabled
    assert page.locator(".zp-said").inner_text() == "No move uses a3."


def test_take_back_hint_and_restart(server, page):
    open_game(page, server, "game=tictactoe")
    cell(page, "b2").click()
    page.wait_for_selector('z-play[data-ply="2"][data-turn="you"]')
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector('z-play[data-ply="0"][data-turn="you"]')
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".zp-hint")
    assert "draws" in page.locator(".zp-said").inner_text()
    cell(page, "a1").click()
    page.wait_for_selector('z-play[data-ply="2"][data-turn="you"]')
    page.get_by_role("button", name="Restart").click()
    page.wait_for_selector('z-play[data-ply="0"]')


def test_why_shows_the_line_step_by_step(server, page):
    open_game(page, server, "game=nim:1,4,6")
    distance = scene(page)["value"]["distance"]
    page.get_by_role("button", name="Why?").click()
    page.wait_for_selector(".zp-why:not([hidden])")
    assert page.locator("ol.zp-line li").count() == distance
    forward = page.get_by_role("button", name="One move forward")
    for k in range(1, distance + 1):
        forward.click()
        assert (
            page.locator(".zp-why [role=status]").inner_text().startswith(f"Move {k} of {distance}")
        )
    assert forward.is_disabled()
    assert page.locator(".zp-board [data-cell]").count() == 0  # no counter is left
    page.get_by_role("button", name="Close the line").click()
    assert page.locator(".zp-board [data-cell]").count() == 11


def test_the_line_plays_by_itself_unless_motion_is_reduced(server, page):
    for motion, step in (("reduce", "2 moves."), ("no-preference", "Move 2 of 2")):
        page.emulate_media(reduced_motion=motion)
        open_game(page, server, "game=nim:1,1&side=both")
        page.get_by_role("button", name="Why?").click()
        page.wait_for_selector(f".zp-why [role=status]:has-text('{step}')")
        page.get_by_role("button", name="Play the line").wait_for()  # it is not playing now
        page.get_by_role("button", name="Close the line").click()


def test_counts_and_hardest_positions(server, page):
    open_game(page, server, "game=hexapawn:3x3&side=both")
    page.get_by_text("About this game").click()
    page.wait_for_selector(".zp-facts .zp-card")
    count = solve_rules(zm.game("hexapawn:3x3")).counts()["positions"]
    assert page.locator(".zp-facts td").first.inner_text() == str(count)
    text = page.locator(".zp-facts .zp-card .z-mono").first.inner_text()
    page.locator(".zp-facts .zp-card").first.click()
    page.wait_for_function(f"text => {ROOM}.scene?.position === text", arg=text)


def test_positions_as_text(server, page):
    open_game(page, server, "game=chess:KRvK&side=both")
    field = page.get_by_label("Position")
    field.fill("8/8/8/8/8/8/8/K7 w")
    page.get_by_role("button", name="Set", exact=True).click()
    page.wait_for_selector(".z-error:not([hidden])")
    assert "expected one king of each colour" in page.locator(".z-error").inner_text()
    field.fill("8/8/8/8/4k3/8/8/KR6 b")
    field.press("Enter")
    page.wait_for_function(f"() => {ROOM}.scene?.position === '8/8/8/8/4k3/8/8/KR6 b - - 0 1'")
    assert page.locator(".z-error").is_hidden()
    assert field.input_value() == "8/8/8/8/4k3/8/8/KR6 b - - 0 1"


def test_an_unknown_game_is_a_sentence(server, page):
    page.goto(f"{server}#/play?game=chomps")
    page.wait_for_selector(".z-error:not([hidden])")
    assert page.locator(".z-error").inner_text().startswith("no game is called 'chomps'")
    page.locator("#zp-find").fill("chomp:2x3")
    page.locator("#zp-find").press("Enter")
    page.wait_for_selector('z-play[data-turn="you"]')
    assert page.locator(".z-error").is_hidden()


def test_a_game_without_values_is_played_by_both_sides(server, page):
    open_game(page, server, "game=dobutsu")
    page.wait_for_selector(".zp-said:has-text('zermelo build dobutsu -o game.zt')")
    cell(page, "b2").click()
    cell(page, "b3").click()
    page.wait_for_selector('z-play[data-ply="1"][data-turn="you"]')
    assert cell(page, "first C").count() == 1  # the captured chick is in hand


def test_solving_can_be_stopped(server, page):
    page.goto(f"{server}#/play?game=cram:5x6")
    page.get_by_role("button", name="Stop").click()
    page.wait_for_selector(".zp-said:has-text('Solving was stopped.')")
    cell(page, "a1").click()
    cell(page, "b1").click()
    page.wait_for_selector('z-play[data-ply="1"][data-turn="you"]')
    assert scene(page)["position"].endswith("/##....")


def test_a_play_that_repeats_is_a_draw(server, page):
    open_game(page, server, "game=pong-hau-ki&side=both")
    seen = []
    for _ in range(60):
        found = scene(page)
        if found["over"]:
            break
        seen.append(found["position"])
        click_move(page, found["moves"][0])
    assert found["over"]["reason"] == "repetition"
    assert (
        page.locator(".zp-turn").inner_text() == "This position occurs for the third time: a draw."
    )
    assert seen.count(found["position"]) == 2


def test_a_small_screen(server, page):
    page.set_viewport_size({"width": 360, "height": 740})
    for query in (
        "",
        "game=chess:KRvK&side=both",
        "game=l-game&side=both",
        "game=nim:9,12,30&side=both",
    ):
        page.goto(f"{server}#/play?{query}" if query else f"{server}#/play")
        page.wait_for_selector(".zp-board svg" if query else ".zp-card")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


RULES = '''
import zermelo as zm

class Row(zm.Rules):
    """Fill one of three squares, or two neighbours; who fills the last wins."""
    def start(self): return "..."
    def moves(self, row):
        for size in (1, 2):
            for k in range(4 - size):
                if row[k:k + size] == "." * size:
                    yield row[:k] + "x" * size + row[k + size:]
    def draw(self, row):
        cells = "".join(
            f'<g data-cell="{k}"><rect x="{40 * k - 40}" width="40" height="40" stroke="black" '
            f'fill="{"gray" if x == "x" else "white"}"/></g>' for k, x in enumerate(row, 1))
        size = 'width="120" height="40" viewBox="0 0 120 40"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{cells}</svg>'
'''


def test_rules_of_a_user(page, tmp_path):
    (tmp_path / "row.py").write_text(RULES)
    with serving("row.py", cwd=tmp_path) as address:
        page.goto(f"{address}#/play")
        page.wait_for_selector('z-play[data-turn="you"]')
        assert page.locator("h1:visible").inner_text() == "row.py"
        distance = scene(page)["value"]["distance"]
        assert play_to_the_end(page) == distance
        assert page.locator(".zp-turn").inner_text().endswith("You win.")


def test_rules_that_never_end_are_one_sentence(page, tmp_path):
    (tmp_path / "loop.py").write_text(
        "def start(): return 3\n"
        "def moves(n): return [n - 1] if n else []\n"
        "def draw(n):\n"
        "    while n == 1: pass\n"
        "    return str(n)\n"
    )
    with serving("loop.py", "--seconds", "3", "--workers", "1", cwd=tmp_path) as address:
        page.goto(f"{address}#/play?game=@loop.py&side=both&moves=0.0")
        page.wait_for_selector(".z-error:not([hidden])")
        page.wait_for_function(
            "() => /after 3 seconds/.test(document.querySelector('.z-error').textContent)"
        )
        assert str(tmp_path) not in page.locator(".z-error").inner_text()


@pytest.mark.compiled
def test_a_table(page, tmp_path):
    zm.build("chess:KQvK", tmp_path / "queen.zt").close()
    with serving("queen.zt", cwd=tmp_path) as address:
        page.goto(f"{address}#/play")
        page.wait_for_selector('z-play[data-turn="you"]')
        assert page.locator("h1:visible").inner_text() == "queen.zt"
        assert re.match(r"White mates in \d+", scene(page)["value"]["words"])


def test_a_move_into_a_fault_goes_back(page, tmp_path):
    """The page says what the rules did wrong, and shows the position before."""
    (tmp_path / "fault.py").write_text(
        "def start(): return 3\n"
        "def moves(n): return [n - 1] if n else []\n"
        "def draw(n): return str(6 // (n - 1))\n"
    )
    with serving("fault.py", "--workers", "1", cwd=tmp_path) as address:
        open_game(page, address, "game=@fault.py&side=both")
        page.locator(".zp-move").click()
        page.wait_for_selector(".z-error:not([hidden])")
        assert "ZeroDivisionError" in page.locator(".z-error").inner_text()
        assert page.locator("z-play").get_attribute("data-ply") == "0"
        assert "moves" not in page.url


@pytest.mark.console_errors
def test_a_move_that_the_server_does_not_answer_goes_back(server, page):
    """The board, the address and the list of moves stay together."""
    open_game(page, server, "game=tictactoe")
    page.route("**/api/v1/play/position*", lambda route: route.abort())
    page.locator(".zp-move").first.click()
    page.wait_for_selector(".z-error:not([hidden])")
    page.wait_for_function("!location.hash.includes('moves')")
    page.unroute("**/api/v1/play/position*")
    page.locator(".zp-move").nth(4).click()
    page.wait_for_selector('z-play[data-ply="2"][data-turn="you"]')
    assert scene(page)["history"][1]["move"] == "b2"


def test_a_position_whose_values_fail_is_shown_without_them(server, page):
    open_game(page, server, "game=tictactoe")
    limit = '{"error": {"kind": "limit", "message": "It takes too long."}}'
    page.route(
        "**/api/v1/play/position*solve=true*",
        lambda route: route.fulfill(body=limit, content_type="application/x-ndjson"),
    )
    page.locator(".zp-move").first.click()
    page.wait_for_selector('z-play[data-ply="1"][data-turn="you"]')
    assert "You can play both sides" in page.locator(".zp-said").inner_text()
