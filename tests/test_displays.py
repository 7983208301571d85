"""What notebooks show: small, well-formed HTML and SVG, whatever the names of positions are."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import zermelo as zm
from zermelo.sums.values import Infinite

EVIL = '<script>alert("x")</script>'
QUOTE = "\" onload='alert(1)' &amp;\x01\u202e"
LONG = "long" * 5_000
NAMED = zm.Graph.from_edges([(EVIL, QUOTE), (QUOTE, EVIL), (QUOTE, LONG), (EVIL, "]]>")])
ACYCLIC = zm.Graph.from_edges([(EVIL, QUOTE), (QUOTE, LONG), (EVIL, LONG)])
BOTH_WAYS = zm.Graph.from_edges([(EVIL, QUOTE), (QUOTE, EVIL), (QUOTE, LONG), (LONG, QUOTE)])
LARGE = zm.Graph.from_edges([(f"{EVIL}{v}", f"{EVIL}{v // 2}") for v in range(1, 3_000)])
STAR = zm.Graph.from_edges([(EVIL, f"{QUOTE}{v}") for v in range(3_000)])
OWNED = zm.Graph.from_edges([(EVIL, QUOTE), (QUOTE, EVIL)], owner=[0, 1])


class Evil(zm.Rules):
    """The rules of <b>nothing</b>."""

    def start(self):
        return EVIL

    def moves(self, position):
        return [QUOTE] if position == EVIL else []


class Broken(zm.Rules):
    def start(self):
        raise RuntimeError(EVIL)

    def moves(self, position):
        return []


class EvilPartizan(zm.PartizanRules):
    def start(self):
        return EVIL

    def left(self, position):
        return [QUOTE] if position == EVIL else []

    def right(self, position):
        return []


def valued(values):
    assert values.start is not None
    return values


def computed(heap, n):
    heap.nim_sequence(n)
    return heap


SHOWN = {
    "graph": lambda folder: NAMED,
    "large graph": lambda folder: LARGE,
    "star": lambda folder: STAR,
    "empty graph": lambda folder: zm.Graph.from_edges([], n=0),
    "game": lambda folder: zm.Game(NAMED, zm.Misere(), start=EVIL),
    "large game": lambda folder: zm.Game(LARGE, zm.Misere()),
    "solution": lambda folder: zm.solve(NAMED),
    "two results": lambda folder: zm.solve(NAMED, zm.Asymmetric()),
    "large solution": lambda folder: zm.solve(LARGE),
    "parity": lambda folder: zm.solve(NAMED.with_owner([0, 1, 0, 1]), zm.Parity([0, 1, 2, 3])),
    "return": lambda folder: zm.solve(BOTH_WAYS, zm.NoReturn()),
    "answer": lambda folder: zm.solve(NAMED).at(EVIL),
    "answer with many moves": lambda folder: zm.solve(STAR).at(EVIL),
    "line": lambda folder: zm.solve(NAMED).line(EVIL),
    "endless line": lambda folder: zm.solve(NAMED, zm.Misere()).line(EVIL),
    "long line": lambda folder: zm.Line([EVIL] * 5_000),
    "grundy": lambda folder: zm.grundy(ACYCLIC),
    "loopy grundy": lambda folder: zm.grundy(NAMED),
    "kernel": lambda folder: zm.kernel(ACYCLIC),
    "matching": lambda folder: zm.maximum_matching(BOTH_WAYS),
    "decomposition": lambda folder: zm.gallai_edmonds(BOTH_WAYS),
    "infinite": lambda folder: Infinite({0, 2}),
    "infinite, no options": lambda folder: Infinite(),
    "heap": lambda folder: zm.heap("0.77"),
    "many heaps": lambda folder: computed(zm.heap("0.007"), 20_000),
    "heap with a period": lambda folder: computed(zm.heap("0.77"), 400),
    "heap by a rule": lambda folder: zm.heap(rule=lambda n: [n - 1] if n else []),
    "plot": lambda folder: zm.heap("0.77").plot(50),
    "empty plot": lambda folder: zm.heap("0.77").plot(0),
    "quotient": lambda folder: zm.misere_quotient("0.77", 5),
    "trivial quotient": lambda folder: zm.misere_quotient("0.77", 0),
    "larger quotient": lambda folder: zm.misere_quotient("0.77", 20),
    "value": lambda folder: zm.value("{3|1||-2}"),
    "integer": lambda folder: zm.value(7),
    "infinitesimal": lambda folder: zm.value("^*"),
    "long value": lambda folder: zm.game_value(zm.game("domineering:4x4")),
    "thermograph": lambda folder: zm.value("{3|1||-2}").thermograph,
    "loopy value": lambda folder: zm.value("on"),
    "explanation": lambda folder: zm.value("{3|1||-2}").explain(),
    "long explanation": lambda folder: zm.explain(zm.literal("^ + ^ + *2"), depth=4),
    "number": lambda folder: zm.is_number("{*|*}"),
    "form's trace": lambda folder: zm.trace(zm.literal("3.{2|-1}")),
    "loopy sides": lambda folder: zm.value("1 & 0"),
    "rules": lambda folder: Evil(),
    "broken rules": lambda folder: Broken(),
    "compiled rules": lambda folder: zm.game("tictactoe"),
    "partizan rules": lambda folder: EvilPartizan(),
    "partizan values": lambda folder: valued(zm.game_values(EvilPartizan())),
    "solved rules": lambda folder: zm.solve(Evil()),
    "table": lambda folder: zm.build("tictactoe", folder / "t.zt"),
    "plain table": lambda folder: zm.build(Evil(), folder / "t.zt"),
    "partizan graph": lambda folder: zm.PartizanGraph.from_edges(
        left=[(EVIL, f"{QUOTE}{v}") for v in range(2_000)], right=[(EVIL, LONG)]
    ),
    "partizan graph values": lambda folder: zm.PartizanGraph.from_edges(
        left=[(EVIL, QUOTE)], right=[(QUOTE, LONG)]
    ).values(),
    "trace": lambda folder: zm.trace(NAMED, zm.Asymmetric()),
    "large trace": lambda folder: zm.trace(LARGE),
    "round": lambda folder: next(zm.trace(STAR)),
    "reason": lambda folder: zm.explain(NAMED, EVIL),
    "wide reason": lambda folder: zm.explain(STAR, EVIL, width=3_000),
    "levels": lambda folder: zm.trace(OWNED, zm.Parity([0, 1])),
    "levels of colours": lambda folder: zm.trace(OWNED, zm.Muller([0, 1], "Inf(0)")),
    "credits": lambda folder: zm.trace(OWNED, zm.Energy([1, -2])),
    "pieces": lambda folder: zm.trace(LARGE, zm.NoReturn()),
    "cycles": lambda folder: zm.solve(OWNED, zm.Parity([0, 1])).explain(EVIL),
    "memory": lambda folder: zm.solve(OWNED, zm.Muller([0, 1], "Inf(0)")).explain(EVIL),
    "worths": lambda folder: zm.solve(OWNED, zm.Energy([1, -2])).explain(EVIL),
    "past": lambda folder: zm.solve(NAMED, zm.NoReturn()).explain(EVIL),
    "deep reason": lambda folder: zm.explain(LARGE, f"{EVIL}2999", depth=100),
}  # fmt: skip
PICTURES = {"plot", "empty plot", "thermograph"}
"""Things that are pictures, without a page around them."""

VOID = {"br", "hr", "img", "path", "rect", "circle", "ellipse", "polygon", "polyline", "line"}


class Strict(HTMLParser):
    """Checks that tags are closed in order, and that none can run code or load anything."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.seen, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self._check(tag, attrs)
        self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self._check(tag, attrs)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)

    def _check(self, tag, attrs):
        assert tag not in ("script", "style", "iframe", "object", "link", "img", "foreignobject")
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name)
            assert name not in ("href", "src", "id"), (tag, name)
            assert "url(" not in (value or "")


@pytest.fixture(params=sorted(SHOWN.keys() - PICTURES))
def page(request, tmp_path):
    return SHOWN[request.param](tmp_path)._repr_html_()


@pytest.mark.slow("table")
def test_pages_are_small_and_harmless(page):
    assert len(page) < 400_000
    parser = Strict()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    assert parser.seen[0] == "div"
    assert "".join(parser.text).strip()
    assert not re.search("[\x01\u202e]", page)


@pytest.mark.slow("table")
def test_pages_take_their_colours_from_the_notebook(page):
    """Only pictures, which have a background of their own, set colours."""
    page = re.sub("<svg.*?</svg>", "", page, flags=re.S)
    assert not re.search(r"color|background|#[0-9a-f]{3,6}\b", re.sub(">[^<]*<", "><", page))


WITH_PICTURES = [
    "compiled rules", "empty plot", "game", "graph", "heap", "heap by a rule",
    "heap with a period", "infinitesimal", "long value", "many heaps", "parity", "partizan rules",
    "plain table", "plot", "return", "rules", "solution", "solved rules", "table", "thermograph",
    "two results", "value",
]  # fmt: skip


@pytest.mark.slow("table")
@pytest.mark.parametrize("name", WITH_PICTURES)
def test_pictures_are_xml_with_a_background(name, tmp_path):
    thing = SHOWN[name](tmp_path)
    page = thing._repr_svg_() if name in PICTURES else thing._repr_html_()
    pictures = re.findall("<svg.*?</svg>", page, flags=re.S)
    assert pictures
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        assert root.tag.endswith("svg")
        assert any(child.tag.endswith("rect") for child in root)
        assert EVIL not in picture


def test_a_trace_that_is_shown_goes_on_where_it_was():
    rounds = zm.trace(ACYCLIC)
    first = next(rounds)
    assert rounds._repr_html_() == zm.trace(ACYCLIC)._repr_html_()
    assert [first, *rounds] == list(zm.trace(ACYCLIC))


def test_the_pages_say_what_matters():
    assert "∞<sub>0, 2</sub>" in Infinite({0, 2})._repr_html_()
    assert "the player who begins wins" in zm.value("{2|-1}")._repr_html_()
    assert "∗ marks the P-portion" in zm.misere_quotient("0.77", 5)._repr_html_()
    assert "and 2,990 more" in LARGE._repr_html_()
    assert "misere" in zm.Game(NAMED, zm.Misere())._repr_html_()
    assert "(3,001 positions)" in zm.Line(range(3_001))._repr_html_()
    assert "period" in computed(zm.heap("0.77"), 400)._repr_html_()
