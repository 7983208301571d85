"""The modules of the page: names that do not collide, and only what the content policy allows."""

import re

import pytest

from zermelo.web.bundle import STATIC

VIEWS = ["play", "graph", "values", "learn"]
MODULES = sorted(STATIC.rglob("*.js"))
STYLES = sorted(STATIC.rglob("*.css"))
SHARED = re.compile(r"z-[a-z]")
"""Classes of style.css, which all views may use."""


def name(path):
    return path.relative_to(STATIC).as_posix()


def view_of(path):
    """The view that a file belongs to, by its name."""
    return next((view for view in VIEWS if path.name.startswith(view)), None)


@pytest.mark.parametrize("own", VIEWS)
def test_a_view_styles_its_own_elements_only(own):
    texts = [path.read_text() for path in STYLES if view_of(path) == own]
    styled = {x for text in texts for x in re.findall(r"\.(z[a-z]*-[\w-]+)", text)}
    styled = {x for x in styled if not SHARED.match(x)}
    for other in (*MODULES, *STYLES):
        if view_of(other) not in (None, own):
            used = set(re.findall(r"[\w-]+", other.read_text()))
            assert not styled & used, name(other)


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_keeps_to_the_policy(path):
    text = path.read_text()
    assert not re.search(r"\beval\(|new Function\(|innerHTML|outerHTML|document\.write", text)
    assert not re.search(r"https?://(?!www\.w3\.org/)", text)
    if path.name not in ("api.js", "route.js", "main.js"):
        assert not re.search(r"\bfetch\(|XMLHttpRequest|\blocation\b|document\.title", text)


@pytest.mark.parametrize("path", [*MODULES, *STYLES], ids=name)
def test_a_file_is_a_view(path):
    assert len(path.read_text().splitlines()) <= 480


def test_every_style_is_linked():
    page = (STATIC / "index.html").read_text()
    styles = [path for path in STYLES if path.parent in (STATIC, STATIC / "views")]
    assert {f"/static/{name(path)}" for path in styles} == set(
        re.findall(r'<link rel="stylesheet" href="([^"]+)"', page)
    )
    assert re.findall(r"<script[^>]*>", page) == ['<script type="module" src="/static/main.js">']
    assert "style=" not in page


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_no_field_cuts_what_is_typed(path):
    """A browser shortens pasted text to ``maxlength`` without a word; the server says its limit."""
    assert "maxlength" not in path.read_text().lower()
