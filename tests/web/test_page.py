"""The page opens, and every room is reached."""

import pytest


@pytest.mark.parametrize("room", ["play", "graph", "values", "learn"])
def test_rooms_open(server, page, room):
    page.goto(f"{server}#/{room}")
    page.wait_for_selector(f"z-{room} h1")
    assert page.locator("nav [aria-current]").get_attribute("data-room") == room
