"""The page about the explorer says what the code does."""

from pathlib import Path

from zermelo.web.settings import Limits

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "explorer.md"


def test_the_limits_are_those_of_the_code():
    text, limits = PAGE.read_text(), Limits()
    assert f"Games of up to {limits.game_positions:,} positions are solved on the spot." in text
    assert f"a graph {limits.positions:,} positions." in text
    assert f"A request may take {limits.seconds:.0f} seconds and {limits.memory >> 30} GiB" in text
    assert f"it may have {limits.body >> 20} MiB" in text
