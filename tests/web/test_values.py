"""The view of values in a browser: type, draw, point, use the keyboard alone, restore links."""

import re
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from tests.limits import HANG
from tests.web.conftest import serving

import zermelo as zm

pytestmark = pytest.mark.browser

expect.set_options(timeout=1000 * HANG)


def form(page):
    """The canonical form that the page shows."""
    return page.locator(".zv-form")


def test_type_a_value_and_look_into_its_thermograph(server, page):
    page.goto(f"{server}#/values")
    field = page.get_by_label("A value, or a sum of values")
    field.fill("{0|1} + {0|1} - 1")
    expect(form(page)).to_have_text("0")
    expect(page.locator(".zv-outcome")).to_contain_text("The player who begins loses.")
    field.fill("{3|1||-2}")
    expect(form(page)).to_have_text("{3|1||-2}")
    picture = page.get_by_role("slider", name=re.compile("Thermograph"))
    expect(picture).to_have_attribute("aria-valuenow", "0")
    expect(page.locator(".zt-readout")).to_have_text(
        "At temperature 0 the score is 1 if Left begins, and -2 if Right begins."
    )
    picture.focus()
    page.keyboard.press("PageUp")
    expect(page.locator(".zt-readout")).to_contain_text("At temperature 1 the score is 1 if Left")
    page.keyboard.press("ArrowUp")
    expect(page.locator(".zt-readout")).to_contain_text("At temperature 9/8 the score is 7/8 if")
    page.keyboard.press("End")
    expect(page.locator(".zt-readout")).to_have_text(
        "At temperature 2 nobody wants to move: the score is 0."
    )
    page.get_by_text("The corners as a table").click()
    cells = page.locator(".zt-view tbody tr").all_inner_texts()
    assert [x.split("\t") for x in cells] == [
        ["Left", "-1", "1"], ["Left", "1", "1"], ["Left", "2", "0"],
        ["Right", "-1", "-3"], ["Right", "2", "0"],
    ]  # fmt: skip
    page.get_by_text("Steps of simplification").click()
    expect(page.get_by_text("the form is canonical as it is written")).to_be_visible()
    page.get_by_text("Who wins, by which moves").click()
    expect(page.get_by_text("If Right begins, Right wins.")).to_be_visible()
    page.get_by_role("button", name="{3|1}", exact=True).first.click()  # Left's option
    expect(form(page)).to_have_text("{3|1}")
    page.get_by_role("button", name="{0|1} + {0|1} - 1").last.click()  # earlier
    expect(form(page)).to_have_text("0")


def test_errors_show_their_place_and_links_restore(server, page):
    page.goto(f"{server}#/values?expr={quote('{2|-1')}")
    expect(page.get_by_role("alert")).to_have_text(
        "column 6: expected '}' for the '{' of column 1, got the end"
    )
    expect(page.locator(".zv-caret")).to_have_text("{2|-1\n     ↑")
    page.get_by_label("A value, or a sum of values").fill("{2|-1} + {1|-1}")
    expect(page.locator(".zv-moves").first.locator("li").first).to_contain_text("+ wins")
    expect(page.get_by_text("hottest", exact=True)).to_be_visible()
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    expect(form(page)).to_have_text("{3|1||0|-2}")


def test_a_board_by_the_keyboard_alone(server, page):
    page.goto(f"{server}#/values?game=domineering&at={quote('.../...')}")
    expect(form(page)).to_have_text("{2|-1/2}")
    page.locator(".zb-square").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("#")
    expect(page.get_by_label("The position as text")).to_have_value(".../.#.")
    expect(form(page)).not_to_have_text("{2|-1/2}")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == (
        "row 2, column 2: no square"
    )
    page.keyboard.press("Enter")  # the next letter: a free square
    expect(form(page)).to_have_text("{2|-1/2}")
    move = page.get_by_role("button", name="Left moves to .#./.#.")
    move.focus()
    expect(page.locator(".zb-changed")).to_have_count(2)
    page.keyboard.press("Enter")
    expect(page.get_by_label("The position as text")).to_have_value(".#./.#.")
    expect(form(page)).to_have_text("2")
    page.get_by_label("Game").select_option("konane")
    expect(page.get_by_label("The position as text")).to_have_value("lrl/r.r/lrl")
    expect(page.locator(".zb-square[data-side=left]")).to_have_count(4)


def test_draw_hackenbush(server, page):
    page.goto(f"{server}#/values?game=hackenbush")
    picture = page.get_by_role("application")
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_text("Draw an edge that stands on the ground.")).to_be_visible()
    box = picture.bounding_box()
    unit = box["width"] / (60 + 14 * 48)

    def at(column, height):
        return box["x"] + (30 + 48 * column) * unit, box["y"] + (30 + 48 * (7 - height)) * unit

    page.mouse.move(*at(3, 0))
    page.mouse.down()
    page.mouse.move(*at(3, 1), steps=3)
    page.mouse.up()
    expect(form(page)).to_have_text("1")
    page.get_by_role("button", name="Red, for Right").click()
    page.mouse.click(*at(3, 1))
    page.mouse.click(*at(3, 2))
    expect(form(page)).to_have_text("1/2")
    picture.focus()  # the cursor is at the top of the stalk
    page.keyboard.press("g")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    value = zm.game_value(zm.game("hackenbush:lrg"))
    expect(form(page)).to_have_text(str(value))
    expect(page.get_by_label("The picture as text")).to_have_value(
        "0-p3_1:l,p3_1-p3_2:r,p3_2-p4_2:g"
    )
    link = page.url
    page.get_by_role("button", name="Undo").click()
    expect(form(page)).to_have_text("1/2")
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".zh-hit")).to_have_count(3)
    page.get_by_role("button", name="Erase").click()
    page.locator(".zh-hit").last.dispatch_event("pointerdown")
    expect(form(page)).to_have_text("1/2")


def test_heaps_as_a_plot(server, page):
    page.goto(f"{server}#/values?heap=kayles&heaps={quote('5, 4, 3')}")
    expect(page.get_by_text("period 12 from heap 71 on").last).to_be_visible()
    picture = page.get_by_role("slider", name=re.compile("Nim-values"))
    picture.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".zt-readout")).to_have_text(
        "The heap of 3 has the nim-value 3, an exception to the period."
    )
    page.get_by_text("The values as a table").click()
    assert page.locator(".zs-table tbody tr").first.inner_text().split() == [
        "0", "0!", "1", "2", "3!", "1", "4", "3!", "2", "1", "4!"
    ]  # fmt: skip
    page.get_by_role("button", name="5 → 3 and 1").click()
    expect(page.get_by_text("every move has an answer")).to_be_visible()
    page.get_by_label("A position: heaps").fill("a")
    expect(page.get_by_role("alert")).to_contain_text("Expected heaps of 0 to 20,000 tokens")


def test_a_large_board_ends_with_a_sentence(page):
    with serving("--seconds", "8", "--workers", "1") as address:
        board = "/".join(["." * 9] * 9)
        page.goto(f"{address}#/values?game=domineering&at={quote(board)}")
        expect(page.get_by_role("alert")).to_contain_text(
            re.compile("too large to be valued in 8 s|was stopped after 8 seconds|are available;")
        )
        page.get_by_label("The position as text").fill("../..")
        page.keyboard.press("Enter")
        expect(form(page)).to_have_text("+-1")


TABS = ["expr=" + quote("{3|1||-2} + ^"), "game=snort", "game=hackenbush", "heap=kayles&heaps=3"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_accessible_and_narrow(server, page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 800})
    for tab in TABS:
        page.goto("about:blank")
        page.goto(f"{server}#/values?{tab}")
        page.wait_for_selector(".zv-result .z-card h2")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_the_browser_goes_back_through_the_tabs(server, page):
    page.goto(f"{server}#/values?expr=1")
    expect(form(page)).to_have_text("1")
    tabs = ["Expression", "Board", "Hackenbush", "Heaps"]
    for name in tabs[1:]:
        page.get_by_role("tab", name=name).click()
        expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
        page.wait_for_load_state("networkidle")
    for name in tabs[-2::-1]:
        page.go_back()
        expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")


def test_links_to_more_and_fewer_heaps(server, page):
    page.goto(f"{server}#/values?heap=kayles&heaps=5&to=40")
    expect(page.get_by_label("Values up to heap")).to_have_value("40")
    page.goto(f"{server}#/values?heap=kayles&heaps=5")
    expect(page.get_by_label("Values up to heap")).to_have_value("100")


def test_a_link_to_an_unknown_game_says_so(server, page):
    page.goto(f"{server}#/values?tab=board&game=nope&at=ab")
    page.wait_for_selector(".z-error:visible")
    assert page.locator(".z-error:visible").inner_text() == (
        "There is no board game 'nope' here, so this is domineering."
    )
