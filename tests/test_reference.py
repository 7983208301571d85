"""The reference of Python's names has every public one, and names nothing that is gone."""

import importlib
import re
from pathlib import Path
from types import ModuleType

import zermelo as zm

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "python.md"
ENTRY = re.compile(r"^::: (\S+)(?:\n    options: \{ members: \[([^\]]*)\] \})?", re.M)


def found(name: str) -> tuple[str, object]:
    """The module that has a full name, and the object that it names."""
    try:
        return name, importlib.import_module(name)
    except ModuleNotFoundError:
        module, _, last = name.rpartition(".")
        return module, getattr(importlib.import_module(module), last)


def documented() -> list[object]:
    """The objects that the page shows."""
    objects = []
    for name, members in ENTRY.findall(PAGE.read_text()):
        _, thing = found(name)
        objects.append(thing)
        if isinstance(thing, ModuleType):
            wanted = [x.strip() for x in members.split(",")] if members else public(thing)
            objects += [getattr(thing, x) for x in wanted]
    return objects


def public(module: ModuleType) -> list[str]:
    return list(getattr(module, "__all__", [x for x in vars(module) if not x.startswith("_")]))


def test_every_public_name_is_in_the_reference():
    shown = documented()
    text = PAGE.read_text()
    missing = [
        name
        for name in zm.__all__
        if not any(getattr(zm, name) is x for x in shown if not isinstance(x, int | str))
        and f"`{name}`" not in text
    ]
    assert missing == []


def test_every_option_of_a_page_names_something():
    assert len(documented()) > len(zm.__all__) / 2
