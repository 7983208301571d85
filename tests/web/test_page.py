"""Every room opens, can be used by everyone, fits a phone, and keeps to the content policy."""

import pytest
from axe_playwright_python.sync_playwright import Axe

ROOMS = ["play", "graph", "values", "learn"]
PAGES = [
    *ROOMS,
    "play?game=tictactoe&values=1",
    "graph?text=a%20b%0Ab%20a%0Aa%20t&solve=1",
    "values?expr=%7B3%7C1%7C%7C-2%7D",
]
"""Rooms as they open, and with something in them."""

NARROW = {"width": 360, "height": 740}


def open_room(server, page, room, **media):
    if media:
        page.emulate_media(**media)
    page.goto(f"{server}#/{room}")
    page.wait_for_selector(f"z-{room.partition('?')[0]} h1:visible")
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_open(server, page, room):
    open_room(server, page, room)
    assert page.locator("nav [aria-current]").get_attribute("data-room") == room


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("room", PAGES)
def test_axe_finds_nothing(server, page, room, scheme):
    open_room(server, page, room, color_scheme=scheme)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("room", PAGES)
def test_a_narrow_screen_scrolls_in_one_direction(server, page, room):
    page.set_viewport_size(NARROW)
    open_room(server, page, room)
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
    open_room(server, page, "learn", color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.get_by_role("button", name="Change between light and dark").click()
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    page.wait_for_selector("z-learn h1")
    assert page.evaluate(paper) == dark


def test_the_keyboard_reaches_every_room(server, page):
    open_room(server, page, "learn")
    reached = []
    for _ in range(8):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.dataset.room ?? ''"))
    assert [room for room in reached if room] == ROOMS
    page.keyboard.press("Shift+Tab")
    while page.evaluate("document.activeElement.dataset.room") != "values":
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("z-values h1")


def test_an_unknown_room_is_the_first_page(server, page):
    page.goto(f"{server}#/nowhere?x=%00%ff<script>")
    page.wait_for_selector("z-learn h1")


@pytest.mark.console_errors
def test_the_policy_stops_what_is_not_ours(server, page):
    """Inline scripts, styles, frames and other hosts are refused by the browser itself."""
    open_room(server, page, "learn")
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
