"""Every view opens, can be used by everyone, fits a phone, and keeps to the content policy."""

import pytest
from axe_playwright_python.sync_playwright import Axe

pytestmark = pytest.mark.browser

VIEWS = ["play", "graph", "values", "learn"]
PAGES = [
    *VIEWS,
    "play?game=tictactoe&values=1",
    "graph?text=a%20b%0Ab%20a%0Aa%20t&solve=1",
    "values?expr=%7B3%7C1%7C%7C-2%7D",
]
"""Rooms as they open, and with something in them."""

NARROW = {"width": 360, "height": 740}


def open_view(server, page, view, **media):
    if media:
        page.emulate_media(**media)
    page.goto(f"{server}#/{view}")
    page.wait_for_selector(f"z-{view.partition('?')[0]} h1:visible")
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("view", VIEWS)
def test_views_open(server, page, view):
    open_view(server, page, view)
    assert page.locator("nav [aria-current]").get_attribute("data-view") == view


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", PAGES)
def test_axe_finds_nothing(server, page, view, scheme):
    open_view(server, page, view, color_scheme=scheme)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("view", PAGES)
def test_a_narrow_screen_scrolls_in_one_direction(server, page, view):
    page.set_viewport_size(NARROW)
    open_view(server, page, view)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= NARROW["width"], wide_elements(page)


def wide_elements(page):
    """The elements that reach beyond the screen."""
    return page.evaluate(
        """() => [...document.querySelectorAll("*")]
          .filter((x) => x.getBoundingClientRect().right > innerWidth + 1)
          .map((x) => `${x.localName}.${x.className}`)"""
    )


def test_the_colours_are_chosen_and_kept(server, page):
    open_view(server, page, "learn", color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Change between light and dark").click()
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    page.wait_for_selector("z-learn h1")
    assert page.evaluate(paper) == dark


def test_the_keyboard_reaches_every_view(server, page):
    open_view(server, page, "learn")
    reached = []
    for _ in range(8):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.view ?? ''"))
    assert [view for view in reached if view] == VIEWS
    page.keyboard.press("Shift+Tab")
    while page.evaluate("document.activeElement.dataset.view") != "values":
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("z-values h1")


def test_an_unknown_view_is_the_first_page(server, page):
    page.goto(f"{server}#/nowhere?x=%00%ff<script>")
    page.wait_for_selector("z-learn h1")


@pytest.mark.console_errors
def test_the_policy_stops_what_is_not_ours(server, page):
    """Inline scripts, styles, frames and other hosts are refused by the browser itself."""
    open_view(server, page, "learn")
    refused = page.evaluate(
        """async () => {
          const found = [];
          const note = (event) => found.push(event.effectiveDirective);
          addEventListener("securitypolicyviolation", note);
          const add = (tag, properties) => {
            const element = Object.assign(document.createElement(tag), properties);
            document.body.append(element);
          };
          add("script", { textContent: "window.ran = true" });
          add("script", { src: "data:text/javascript,window.ran = true" });
          add("style", { textContent: "body { display: none }" });
          add("iframe", { src: "/" });
          add("img", { src: "http://192.0.2.1/x.png" });
          await fetch("http://192.0.2.1/").catch(() => {});
          await new Promise((resolve) => setTimeout(resolve, 300));
          return { found: [...new Set(found)].sort(), ran: window.ran ?? false };
        }"""
    )
    assert refused == {
        "found": ["connect-src", "frame-src", "img-src", "script-src-elem", "style-src-elem"],
        "ran": False,
    }


@pytest.mark.parametrize("left", ["play", "learn"])
def test_a_view_that_was_left_writes_no_address(server, page, left):
    """Its answer comes after the visitor has gone to another view."""
    open_view(server, page, "values?expr=1")
    held = []
    page.route("**/api/v1/play/games*", lambda route: held.append(route))
    page.route("**/api/v1/learn/list*", lambda route: held.append(route))
    page.get_by_role("link", name=left.capitalize(), exact=True).click()
    page.wait_for_selector(f"z-{left}", state="attached")
    while not held:
        page.wait_for_timeout(10)
    page.goto(f"{server}#/graph?text=a%20b")
    page.wait_for_selector("z-graph h1")
    with page.expect_response(lambda answer: answer.url == held[0].request.url):
        held[0].continue_()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert "#/graph" in page.url


def test_the_view_that_was_asked_for_last_is_shown(server, page):
    open_view(server, page, "learn")
    held = []
    page.route("**/views/graph.js", lambda route: held.append(route))
    page.get_by_role("link", name="Graph", exact=True).first.click()
    while not held:
        page.wait_for_timeout(10)
    page.goto(f"{server}#/values?expr=1")
    page.wait_for_selector("z-values h1")
    held[0].continue_()
    page.evaluate("import('/static/views/graph.js').then(() => new Promise(requestAnimationFrame))")
    assert page.locator("z-values h1").is_visible()


@pytest.mark.console_errors
def test_a_view_that_cannot_be_loaded_is_a_sentence(server, page):
    open_view(server, page, "learn")
    page.route("**/views/values.js", lambda route: route.abort())
    page.goto(f"{server}#/values")
    page.wait_for_selector("text=Is the server still running?")
    page.goto(f"{server}#/learn")
    page.wait_for_selector("z-learn h1")


@pytest.mark.parametrize("address", ["constructor", "values?tab=constructor"])
def test_names_of_javascript_are_no_views(server, page, address):
    page.goto(f"{server}#/{address}")
    page.wait_for_selector("z-learn h1, z-values [role=tabpanel]")
