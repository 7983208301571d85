"""Widgets of notebooks in a browser."""

import pytest
from playwright.sync_api import expect
from tests.limits import HANG
from tests.web.test_notebook import solution, switch

import zermelo as zm
from zermelo.tables.solving.solve import solve_rules
from zermelo.web.notebook import show

pytestmark = pytest.mark.browser

expect.set_options(timeout=1000 * HANG)

PAGE = """<!doctype html><html lang="en"><title>notebook</title><body data-jp-theme-light="THEME">
<button id="other">A button of the notebook</button><div id="cell"></div></body></html>"""

SCRIPT = """
import widget from "./bundle.js";
const listeners = new Set();
const model = {
  get: (name) => window.state[name],
  on: (name, listener) => listeners.add(listener),
  off: (name, listener) => listeners.delete(listener),
  async send(message) {
    for (const answer of await window.kernel(message)) listeners.forEach((x) => x(answer, []));
  },
};
const close = widget.render({ model, el: document.getElementById("cell") });
window.close_widget = () => { close?.(); return listeners.size; };
"""


def open_widget(page, widget, theme="light"):
    """Show a widget in a page, with a model that talks to the widget's handler."""

    def kernel(message):
        sent = []
        if "cancel" not in message:
            widget.handler.answer(message, sent.append)
        return sent

    files = {
        "": ("text/html", PAGE.replace("THEME", str(theme == "light").lower())),
        "widget.js": ("text/javascript", SCRIPT),
        "bundle.js": ("text/javascript", widget._esm),
    }

    def fulfil(route):
        kind, body = files[route.request.url.rpartition("/")[2]]
        route.fulfill(content_type=kind, body=body)

    page.route("http://notebook.test/**", fulfil)
    page.expose_function("kernel", kernel)
    page.goto("http://notebook.test/")
    page.add_style_tag(content=widget._css)
    page.evaluate("state => { window.state = state; }", {"parameters": widget.parameters})
    page.add_script_tag(url="http://notebook.test/widget.js", type="module")


def test_thermograph_widget(page):
    open_widget(page, switch().thermograph(), "dark")
    picture = page.get_by_role("slider")
    picture.focus()
    page.keyboard.press("End")
    expect(page.locator(".zt-readout")).to_have_text(
        "At temperature 2 nobody wants to move: the score is 0."
    )
    dark = page.evaluate("getComputedStyle(document.querySelector('.zermelo-widget')).color")
    assert dark == "rgb(236, 234, 228)"
    assert page.evaluate("getComputedStyle(document.getElementById('other')).fontFamily") == "Arial"


def test_a_view_as_a_widget_asks_the_kernel(page):
    open_widget(page, show("values", {"expr": "{2|-1}"}))
    expect(page.locator(".zv-form")).to_have_text("{2|-1}")
    page.get_by_label("A value, or a sum of values").fill("{2|-1")
    expect(page.get_by_role("alert")).to_contain_text("column 6: expected '}'")
    page.get_by_role("tab", name="Heaps").click()
    expect(page.get_by_text("period 12 from heap 71 on").last).to_be_visible()
    assert page.url == "http://notebook.test/"  # the address belongs to the notebook
    assert page.evaluate("window.close_widget()") == 0


@pytest.mark.parametrize("view", ["graph", "play"])
def test_solution_and_game_open_their_views(page, view):
    widget = solution().explore() if view == "graph" else solve_rules(zm.game("nim:1,2")).play()
    open_widget(page, widget)
    expect(page.locator(f".zermelo-widget z-{view}")).to_be_visible()


@pytest.mark.parametrize("view", ["graph", "play"])
def test_a_view_in_a_notebook_has_no_link_to_copy(page, view):
    """The address belongs to the notebook, and leads to no position."""
    widget = solution().explore() if view == "graph" else solve_rules(zm.game("nim:1,2")).play()
    open_widget(page, widget)
    copy = page.locator("button", has_text="Copy link")
    expect(copy).to_have_count(1)
    expect(copy).to_be_hidden()
    expect(
        page.locator("button", has_text="Python lines" if view == "graph" else "Hint")
    ).to_have_count(1)
