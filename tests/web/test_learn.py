"""The first page in a browser: it names the views, and its examples lead to them."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from tests.limits import HANG

pytestmark = pytest.mark.browser

expect.set_options(timeout=1000 * HANG)


def test_examples_lead_to_their_views(server, page):
    page.goto(server)
    expect(page.get_by_role("heading", name="Games, solved and explained")).to_be_visible()
    links = page.locator(".zl-group a")
    expect(links.first).to_be_visible()
    views = {x.split("?")[0] for x in links.evaluate_all("xs => xs.map(x => x.hash)")}
    assert views == {"#/graph", "#/play", "#/values"}
    page.get_by_label("Find an example").fill("hackenbush")
    expect(page.get_by_text("One example.")).to_be_visible()
    page.get_by_role("link", name="Hackenbush: blue below red").click()
    expect(page.locator(".zv-form")).to_have_text("1/2")
    page.go_back()
    expect(page.get_by_label("Find an example")).to_have_value("hackenbush")


def test_accessible_and_narrow(server, page):
    page.set_viewport_size({"width": 360, "height": 800})
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto("about:blank")
        page.goto(server)
        page.wait_for_selector(".zl-group")
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_an_example_opens_in_the_view_graph(server, page):
    page.goto(f"{server}#/graph?example=first-game")
    page.wait_for_selector(".zg-example:visible")
    assert page.locator(".zg-example").inner_text().startswith("From a one wins by moving to t")
    page.wait_for_function("document.querySelector('.zg-verdict').textContent.startsWith('1 win')")


def test_an_example_with_a_trace_opens_its_steps(server, page):
    page.goto(f"{server}#/graph?example=gog-five")
    page.wait_for_selector(".zg-steps:visible")
    assert page.locator(".zg-count").inner_text()
