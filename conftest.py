"""The two runs of the tests, and what holds for both.

The short run, ``python -m pytest``, leaves out tests that are marked ``slow``, ``browser`` or
``cluster``, and takes small samples. The complete run, ``python -m pytest --all``, leaves out
nothing. ``--rest`` runs what the complete run has beyond the short one. Whoever names a test, or
one of these marks, gets what was named.
"""

import os
import re

import pytest
from hypothesis import settings
from tests import sampling

WHOLE_FILE = re.compile(
    rf"^pytestmark = \[?pytest\.mark\.({'|'.join(sampling.MARKS)})\b|^<!-- slow -->$", re.MULTILINE
)
"""A file or a page of the docs with such a line is not even read in the short run."""


def names_tests(config):
    return any("::" in argument for argument in config.args)


def pytest_addoption(parser):
    group = parser.getgroup("zermelo")
    group.addoption("--all", action="store_true", help="run the complete suite")
    group.addoption("--rest", action="store_true", help="run what --all has beyond the short run")


def pytest_configure(config):
    option = config.option
    sampling.complete = option.all or option.rest
    # No wall-clock time decides whether a test passes.
    settings.register_profile("complete", deadline=None)
    settings.register_profile("short", deadline=None, max_examples=sampling.SHORT)
    settings.load_profile("complete" if sampling.complete else "short")
    asked = re.search(rf"\b({'|'.join(sampling.MARKS)})\b", option.markexpr)
    config.is_short = not (sampling.complete or asked or names_tests(config))
    # Processes that tests start find the bytecode of those before them.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_ignore_collect(collection_path, config):
    if config.is_short and (collection_path.match("test_*.py") or collection_path.match("*.md")):
        return bool(WHOLE_FILE.search(collection_path.read_text(encoding="utf-8"))) or None
    return None


def pytest_collection_modifyitems(config, items):
    left_out = sampling.left_out(items)
    for item in items:
        item.is_left_out = item in left_out
    if config.is_short:
        chosen = [item for item in items if not item.is_left_out]
    elif config.option.rest:
        chosen = [item for item in items if item.is_left_out or sampling.is_sampled(item)]
    else:
        whole_files = config.option.all and not config.option.keyword and not names_tests(config)
        if missing := whole_files and sampling.cases_that_are_missing(items):
            raise pytest.UsageError("; ".join(missing))
        return
    kept = set(chosen)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def pytest_terminal_summary(terminalreporter, config):
    if config.is_short:
        line = "This was the short run. The complete suite: python -m pytest -n 2 -q --all"
        terminalreporter.write_line(line)
