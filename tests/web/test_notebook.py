"""Widgets of notebooks: their bundle and their messages."""

import itertools
import queue
import re
import subprocess
import sys
import threading

import pytest
from tests.limits import HANG

import zermelo as zm
from zermelo.errors import LimitError, MissingDependencyError
from zermelo.rules.impartial.nim import Nim
from zermelo.web import bundle as bundler
from zermelo.web.bundle import STATIC, bundle, ordered, styles
from zermelo.web.notebook import MessageHandler, widget_class
from zermelo.web.settings import Settings

VIEWS = ("graph", "play", "values", "thermograph")


def switch():
    return zm.value("{3|1||-2}")


def solution():
    return zm.solve(zm.Graph.from_edges([("a", "b"), ("b", "a"), ("a", "t")]))


# -------------------------------------------------------------------- the bundle


@pytest.mark.parametrize("view", VIEWS)
def test_bundle_has_every_module_once(view):
    text = bundle(f"notebook/{view}.js")
    names = ordered(f"notebook/{view}.js")
    assert len(set(names)) == len(names)
    for name in names:
        assert text.count(f"const module_{re.sub(r'[^A-Za-z0-9_]', '_', name)} = ") == 1
    assert not re.search(r"^\s*(import|export (?!default))\b", text, re.MULTILINE)


def test_every_module_can_be_bundled():
    """Whatever a view imports, it says so in the form that the bundler reads."""
    for path in STATIC.rglob("*.js"):
        name = path.relative_to(STATIC).as_posix()
        if name != "main.js":  # it imports views by their names
            assert ordered(name)[-1] == name
            bundler._module(name)


@pytest.mark.parametrize(
    "line", ["export default 3;", 'import * as x from "./dom.js";', 'const x = import("./dom.js");']
)
def test_other_imports_and_exports_are_refused(line, tmp_path, monkeypatch):
    (tmp_path / "a.js").write_text(f"{line}\n", encoding="utf-8")
    monkeypatch.setattr(bundler, "STATIC", tmp_path)
    bundler._source.cache_clear()
    try:
        with pytest.raises(ValueError, match="expected imports in braces"):
            bundler._module("a.js")
    finally:
        bundler._source.cache_clear()


def test_modules_that_import_each_other_are_refused(tmp_path, monkeypatch):
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\n', encoding="utf-8")
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\n', encoding="utf-8")
    monkeypatch.setattr(bundler, "STATIC", tmp_path)
    bundler._source.cache_clear()
    try:
        with pytest.raises(ValueError, match=r"a\.js → b\.js → a\.js"):
            ordered("a.js")
    finally:
        bundler._source.cache_clear()


def test_styles_touch_nothing_outside_of_the_widget():
    text = styles("style.css", "views/values.css", "notebook/widget.css")
    depth = list(itertools.accumulate({"{": 1, "}": -1}.get(x, 0) for x in text))
    assert text.startswith(".zermelo-widget {")
    assert ":root" not in text
    assert min(depth[len(".zermelo-widget {") : -1]) == 1
    assert depth[-1] == 0


# -------------------------------------------------------------------- messages


def test_messages_make_a_round_trip_in_a_thread():
    answers = queue.Queue()
    handler = MessageHandler(Settings(own_process=False))
    request = {"expression": "{2|-1} + ^"}
    handler.take({"id": "7", "method": "POST", "path": "/values/evaluate", "request": request},
               lambda x: answers.put((threading.current_thread(), x)))  # fmt: skip
    thread, found = answers.get(timeout=HANG)
    assert thread is not threading.main_thread()
    assert found["id"] == "7"
    assert found["answer"]["value"]["text"] == str(zm.value("{2|-1} + ^"))


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ({"method": "GET", "path": "/nowhere", "request": {}}, "there is nothing at this address"),
        (
            {"method": "POST", "path": "/values/evaluate", "request": {}},
            "the request: expected the member 'expression'",
        ),
        (
            {"method": "POST", "path": "/values/evaluate", "request": {"expression": "{"}},
            "column 2: expected '}' for the '{' of column 1",
        ),
        ({"method": "POST", "path": "/values/evaluate"}, "the request: expected an object"),
    ],
)
def test_errors_are_those_of_the_page(message, sentence):
    sent = []
    MessageHandler(Settings(own_process=False)).answer({"id": "1", **message}, sent.append)
    assert [x["id"] for x in sent] == ["1"]
    assert sent[0]["error"]["kind"] == "invalid"
    assert sent[0]["error"]["message"].startswith(sentence)


def test_addresses_are_read_as_by_the_server():
    sent = []
    message = {
        "id": "1",
        "method": "GET",
        "path": "/learn/example",
        "request": {"name": "gog-five"},
    }
    MessageHandler(Settings(own_process=False)).answer(message, sent.append)
    assert sent[0]["answer"]["title"] == "§4.1: five positions"


def test_a_cancelled_request_sends_nothing():
    handler, sent = MessageHandler(Settings(own_process=False)), []
    handler.take({"cancel": "1"}, sent.append)
    handler.answer({"id": "1", "method": "GET", "path": "/about", "request": {}}, sent.append)
    assert sent == []
    handler.answer({"id": "2", "method": "GET", "path": "/about", "request": {}}, sent.append)
    assert [x["id"] for x in sent] == ["2"]


def test_values_of_the_user_stay_valid():
    """The store of values is the user's in a notebook, and never emptied by a request."""
    from zermelo.web.api.values import records

    kept = switch()
    handler, sent = MessageHandler(Settings(own_process=False)), []
    most, records.MAX_STORE = records.MAX_STORE, 0
    try:
        request = {"game": "domineering", "position": ".../..."}
        address = {"method": "POST", "path": "/values/position"}
        handler.answer({"id": "1", **address, "request": request}, sent.append)
    finally:
        records.MAX_STORE = most
    assert sent[-1]["answer"]["value"]["text"] == "{2|-1/2}"
    assert str(kept) == "{3|1||-2}"


# -------------------------------------------------------------------- widgets


def test_widgets_have_a_display():
    for widget in (switch().thermograph(), solution().explore()):
        shown = widget._repr_mimebundle_()
        data = shown[0] if isinstance(shown, tuple) else shown
        assert "application/vnd.jupyter.widget-view+json" in data


def test_static_pictures_stay_the_default():
    assert solution()._repr_svg_().startswith("<svg")
    assert "<svg" in switch()._repr_html_()
    assert switch().thermograph._repr_svg_().startswith("<svg")
    assert switch().thermograph.temperature == 2


def test_explore_has_the_game():
    parameters = solution().explore().parameters
    assert parameters["format"] == "json"
    assert '"zermelo-game"' in parameters["text"]


def test_explore_refuses_what_is_too_large(monkeypatch):
    from zermelo.web import settings

    monkeypatch.setattr(settings.Limits, "__init__", lambda self: None)
    monkeypatch.setattr(settings.Limits, "positions", 2, raising=False)
    with pytest.raises(LimitError, match="at most 2 positions to explore, got 3"):
        solution().explore()


def test_play_of_a_table_and_of_a_game(tmp_path):
    table = zm.build("nim:2,1", tmp_path / "nim.zt")
    served = table.play().handler.settings.served
    assert (served.kind, served.source) == ("table", str(tmp_path / "nim.zt"))
    table.close()
    for rules in (zm.game("nim:1,2"), Nim(1, 2)):
        solved = zm.solve(rules)
        served = solved.play().handler.settings.served
        assert (served.kind, served.name) == ("rules", solved.location)
        assert served.solved is solved


def test_without_anywidget_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    widget_class.cache_clear()
    with pytest.raises(MissingDependencyError, match=r"pip install 'zermelo\[notebook\]'"):
        switch().thermograph()


def test_without_msgspec_a_sentence_says_what_to_install():
    program = (
        "import sys; sys.modules['msgspec'] = None\n"
        "import zermelo as zm\n"
        "zm.value('{2|-1}').thermograph()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "MissingDependencyError" in done.stderr
    assert "pip install 'zermelo[notebook]'" in done.stderr
