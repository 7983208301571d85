"""Rooms do not change one another's styles: a class belongs to one style sheet."""

import re
from itertools import combinations
from pathlib import Path

import pytest

import zermelo.web

ROOMS = Path(zermelo.web.__file__).parent / "static" / "rooms"
SHEETS = sorted(ROOMS.glob("*.css"))


def own_classes(sheet):
    """The classes of a sheet beside those with the prefix z-, which all rooms share."""
    found = re.findall(r"\.(z[a-z]+-[\w-]+)", sheet.read_text(encoding="utf-8"))
    return {name.partition("-")[0] for name in found}


def test_there_are_sheets():
    assert {sheet.stem for sheet in SHEETS} >= {"graph", "learn", "play", "values"}


@pytest.mark.parametrize(("one", "other"), [*combinations(SHEETS, 2)], ids=lambda x: x.stem)
def test_prefixes_of_classes_differ(one, other):
    assert own_classes(one)
    assert not own_classes(one) & own_classes(other)
