"""The page on synthesis shows what happens: it is run as it stands there."""

from pathlib import Path

import pytest

from tests.transcripts import run_page

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "synthesis.md"


def test_the_page_is_as_it_happens():
    wrong, _ = run_page(PAGE)
    assert not wrong, "\n\n".join(wrong)
    assert PAGE.read_text().count("$ zermelo synthesize") >= 4
