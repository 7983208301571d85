"""DOT, the language of Graphviz.

The reader accepts ``strict``, ``graph`` (an edge is two moves, one in each direction) and
``digraph``, nodes, edges, chains ``a -> b -> c``, subgraphs ``{a b} -> c``, attribute lists,
defaults, ports and comments. Names may be identifiers, numerals, quoted, joined by ``+`` or HTML.
The node attribute ``owner`` (0 or 1) says who moves, and play starts at the node with
``start=true``. The edge attribute ``weight`` is the weight of a move. The graph attribute
``objective``, such as ``objective="mean-payoff:threshold=1/3"``, says what the weights are for; a
file without it is a game of normal play, which keeps the weights if every edge has an integer. All
other attributes are ignored. Ids that are integers have the same meaning as in
edge lists. With the graph attribute ``names=json``, each id is
the JSON of its name; the writer does this if DOT cannot represent the names.
"""

import re
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from zermelo.errors import FormatError
from zermelo.formats._dot_tokens import KEYWORDS, Source, Token, quotable, quote
from zermelo.formats.common.draft import Draft, Weight
from zermelo.formats.common.names import decode, shorten, texts_of
from zermelo.formats.common.weights import text_parts
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective

MAX_PRODUCTS = 10_000_000
"""The most edges between subgraphs; a few characters of DOT can mean millions of edges."""

_DEEPEST = 100
_ID = r'([A-Za-z_][A-Za-z_0-9]*|-?[0-9]+|"[^"\\\n]*")'
_MARK = r"(?: \[owner=([01])\]| \[(start)=true\]| -> " + _ID + r"(?: \[weight=(-?[0-9]{1,18})\])?)?"
_LINE = re.compile(rf"^ *{_ID}{_MARK};?\n|^.*\n", re.MULTILINE)
_HEAD = re.compile(r"\s*(?:strict\s+)?digraph\s*\{[ \t]*\n", re.ASCII)
_FOOT = re.compile(r"\}\s*\Z")


def read_graph(data: bytes) -> Graph | Game:
    """Read a graph, or a game if the file says where play starts.

    >>> g = read_graph(b'digraph { a -> {b c} -> "two words"; a [owner=1] b c '
    ...                b'node [owner=0]; "two words" [owner=0]; b [owner=0] c [owner=0] }')
    >>> g.names, g.m, g.owner.tolist()
    (('a', 'b', 'c', 'two words'), 4, [1, 0, 0, 0])
    >>> read_graph(b"digraph { a -> b [start=true]; b [start=true] }").start
    'b'
    """
    text = decode(data)
    return _read_plain(text) or _Parser(Source(text)).parse()


def _read_plain(text: str) -> Graph | Game | None:
    """The fast reader, for a digraph with one node or edge per line; None if it does not apply."""
    head, foot = _HEAD.match(text), _FOOT.search(text)
    if head is None or foot is None or head.end() > foot.start():
        return None
    body = text[head.end() : foot.start()]
    rows = _LINE.findall(body)
    if body.rpartition("\n")[2].strip() or any(not row[0] for row in rows):
        return None
    draft = Draft(lambda message, _: FormatError(message))
    place, owner, sources, targets = draft.number, draft.stated, draft.sources, draft.targets
    for first, owner_text, start, second, weight in rows:
        node = place.setdefault(first, len(place))
        if start:
            if draft.start not in (None, node):
                return None
            draft.start = node
        elif second:
            sources.append(node)
            targets.append(place.setdefault(second, len(place)))
            draft.weights.append((int(weight), None) if weight else None)
        elif owner_text and owner.setdefault(node, int(owner_text)) != int(owner_text):
            return None  # the slow reader finds the place
    draft.number = {x.strip('"'): k for x, k in place.items()}
    if len(draft.number) < len(place) or any(x.lower() in KEYWORDS for x in place):
        return None
    if owner and len(owner) < len(place):
        return None
    draft.owner = [owner.get(k) for k in range(len(place))]
    draft.move_place = [None] * len(sources)
    return draft.game(lenient=True)


@dataclass
class _Scope:
    """A graph or subgraph that is being read: its nodes, and the owner that new nodes get."""

    owner: int | None = None
    weight: Token | None = None
    nodes: dict[int, None] = field(default_factory=dict)


class _Parser:
    """Recursive descent over the DOT grammar."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = source.tokens()
        self.now = next(self.tokens)
        self.draft = Draft(source.error)
        self.products: list[AnyArray] = []
        self.product_weights: list[Weight | None] = []
        self.moves = 0
        self.named: dict[str, _Scope] = {}
        self.arrow = "->"

    # ---------------------------------------------------------------- words

    def take(self) -> Token:
        """Take the current token and advance to the next."""
        taken = self.now
        if taken.kind != "end":
            self.now = next(self.tokens)
        return taken

    def at(self, text: str) -> bool:
        """Whether the current token is this sign."""
        return self.now.kind in ("mark", "arrow") and self.now.text == text

    def expect(self, text: str) -> None:
        """Take a token that must be this sign."""
        if not self.at(text):
            self.fail(repr(text))
        self.take()

    def fail(self, wanted: str) -> NoReturn:
        """Raise an error: something else was expected than the current token."""
        got = self.now.text if self.now.kind == "end" else shorten(self.now.text)
        raise self.source.error(f"expected {wanted}, got {got}", self.now.start)

    def name(self, wanted: str) -> str:
        """An id, with its joined parts."""
        if self.now.kind != "id":
            self.fail(wanted)
        text = self.take().text
        while self.at("+"):
            self.take()
            if self.now.kind != "id":
                self.fail("a name after '+'")
            text += self.take().text
        return text

    # ---------------------------------------------------------------- the grammar

    def parse(self) -> Graph | Game:
        """``[strict] (graph | digraph) [id] { … }``"""
        if self.now.kind == "strict":
            self.take()
        if self.now.kind not in ("graph", "digraph"):
            self.fail("'graph' or 'digraph'")
        self.arrow = "->" if self.take().kind == "digraph" else "--"
        if self.now.kind == "id":
            self.name("a name")
        self.block(_Scope(), 0)
        if self.now.kind != "end":
            self.fail("the end of the file after one graph")
        return self.graph()

    def block(self, scope: _Scope, depth: int) -> None:
        """``{ statement ; … }``"""
        if depth > _DEEPEST:
            raise self.source.error(
                f"expected subgraphs at most {_DEEPEST} deep, got more", self.now.start
            )
        self.expect("{")
        while not self.at("}"):
            self.statement(scope, depth)
            while self.at(";"):
                self.take()
        self.take()

    def statement(self, scope: _Scope, depth: int) -> None:
        """Defaults, an attribute of the graph, or nodes with or without edges."""
        if self.now.kind in ("graph", "node", "edge"):
            kind = self.take().kind
            if not self.at("["):
                self.fail(f"'[' after '{kind}'")
            found = self.attributes()
            if kind == "node" and "owner" in found:
                scope.owner = self.owner_of(found["owner"])
            if kind == "edge" and "weight" in found:
                scope.weight = found["weight"]
            if kind == "graph" and depth == 0:
                self.graph_attribute(found)
            return
        if self.now.kind != "id":
            return self.edges(scope, depth, self.operand(scope, depth), single=False)
        start, name = self.now.start, self.name("a node")
        if not self.at("="):
            return self.edges(scope, depth, [self.node(scope, name, start)], single=True)
        self.take()
        value = Token("id", self.name("a value"), self.now.start)
        if depth == 0:
            self.graph_attribute({name: value})

    def edges(self, scope: _Scope, depth: int, nodes: list[int], *, single: bool) -> None:
        """Any number of ``-> operand``, and attributes."""
        own: list[tuple[list[Weight | None], int]] = []
        while self.now.kind == "arrow":
            if self.now.text != self.arrow:
                kind = "digraph" if self.arrow == "->" else "graph"
                self.fail(f"'{self.arrow}' in a {kind}")
            self.take()
            single = False
            after = self.operand(scope, depth)
            own.append(self.connect(nodes, after))
            nodes = after
        found = self.attributes()
        for weights, k in own:
            weight = found.get("weight", scope.weight)
            weights[k] = None if weight is None else (weight.text, weight.start)
        if single and "start" in found and found["start"].text == "true":
            self.draft.begin(nodes[0], found["start"].start)
        if single and "owner" in found:
            self.draft.own(nodes[0], self.owner_of(found["owner"]), found["owner"].start)

    def connect(self, nodes: list[int], after: list[int]) -> tuple[list[Weight | None], int]:
        """Add edges from each of some nodes to each of others; return the place of their weight."""
        if len(nodes) == len(after) == 1:
            self.draft.move(nodes[0], after[0], None)
            return self.draft.weights, len(self.draft.weights) - 1
        self.moves += len(nodes) * len(after)
        if self.moves > MAX_PRODUCTS:
            raise self.source.error(
                f"expected at most {MAX_PRODUCTS:,} edges between subgraphs, got {self.moves:,}",
                self.now.start,
            )
        ends = np.empty((len(nodes) * len(after), 2), np.int64)
        ends[:, 0], ends[:, 1] = np.repeat(nodes, len(after)), np.tile(after, len(nodes))
        self.products.append(ends)
        self.product_weights.append(None)
        return self.product_weights, len(self.product_weights) - 1

    def operand(self, scope: _Scope, depth: int) -> list[int]:
        """A node, or all nodes of a subgraph."""
        title = None
        if self.now.kind == "subgraph":
            self.take()
            if self.now.kind == "id":
                title = self.name("a name")
            if title is not None and not self.at("{"):
                return list(self.named.get(title, _Scope()).nodes)
        if self.at("{"):
            inner = _Scope(scope.owner, scope.weight)
            if title is not None:
                inner.nodes = self.named.setdefault(title, inner).nodes
            self.block(inner, depth + 1)
            scope.nodes |= inner.nodes
            return list(inner.nodes)
        start = self.now.start
        return [self.node(scope, self.name("a node, a subgraph or '}'"), start)]

    def node(self, scope: _Scope, name: str, start: int) -> int:
        """The number of a node, new or known; its port is skipped."""
        for _ in range(2):
            if self.at(":"):
                self.take()
                self.name("a port after ':'")
        node = self.draft.position(name, start, scope.owner)
        scope.nodes[node] = None
        return node

    def attributes(self) -> dict[str, Token]:
        """Any number of lists ``[a=b, …]``."""
        found: dict[str, Token] = {}
        while self.at("["):
            self.take()
            while not self.at("]"):
                key = self.name("an attribute or ']'")
                self.expect("=")
                start = self.now.start
                if key == "owner" and key in found:
                    raise self.source.error("expected one owner, got a second", start)
                found[key] = Token("id", self.name("a value"), start)
                if self.at(",") or self.at(";"):
                    self.take()
            self.take()
        return found

    def graph_attribute(self, found: dict[str, Token]) -> None:
        """Read the attributes that say how names are written, and what the objective is."""
        if "objective" in found:
            self.draft.objective = found["objective"].text, found["objective"].start
        if "names" in found:
            self.draft.json = found["names"].text == "json"

    def owner_of(self, token: Token) -> int:
        """An owner's number."""
        if token.text not in ("0", "1"):
            raise self.source.error(
                f"expected owner=0 or owner=1, got {shorten(token.text)}", token.start
            )
        return int(token.text)

    # ---------------------------------------------------------------- the end

    def graph(self) -> Graph | Game:
        """The graph of the whole file, with the start if there is one."""
        draft = self.draft
        plain = np.array([draft.sources, draft.targets], np.int64).T
        ends = np.concatenate([plain, *self.products])
        for product, weight in zip(self.products, self.product_weights, strict=True):
            draft.weights += [weight] * len(product)
        if self.arrow == "--":
            ends = np.concatenate([ends, ends[:, ::-1]])
            draft.weights += draft.weights
        draft.move_place = [0 if draft.objective is None else draft.objective[1]] * len(ends)
        return draft.game(ends, lenient=True)


def write_graph(
    graph: Graph,
    objective: Objective | None = None,
    start: int | None = None,
    *,
    weight: Int64Array | None = None,
) -> bytes:
    """Write a digraph; the nodes come first.

    >>> print(write_graph(Graph.from_edges([("a", "b c")], owner=[0, 1])).decode())
    digraph {
      a [owner=0];
      "b c" [owner=1];
      a -> "b c";
    }
    <BLANKLINE>
    """
    texts, json = texts_of(graph, quotable)
    names = [quote(x) for x in texts]
    weights, text = text_parts(graph, objective, weight)
    lines = ["digraph {"]
    if json:
        lines.append("  graph [names=json];")
    if text is not None:
        lines.append(f"  graph [objective={quote(text)}];")
    if graph.owner is None:
        lines += [f"  {x};" for x in names]
    else:
        owners = graph.owner.tolist()
        lines += [f"  {x} [owner={o}];" for x, o in zip(names, owners, strict=True)]
    if start is not None:
        lines.append(f"  {names[start]} [start=true];")
    ends = graph.to_edges().tolist()
    if weights is None:
        lines += [f"  {names[u]} -> {names[v]};" for u, v in ends]
    else:
        pairs = zip(ends, weights, strict=True)
        lines += [f"  {names[u]} -> {names[v]} [weight={x}];" for (u, v), x in pairs]
    return "\n".join([*lines, "}\n"]).encode()
