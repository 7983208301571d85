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
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from zermelo.errors import FormatError
from zermelo.formats._dot_tokens import KEYWORDS, Source, Token, quotable, quote
from zermelo.formats.common.names import (
    decode,
    numbered,
    owners_of,
    shorten,
    started,
    texts_of,
)
from zermelo.formats.common.weights import along_graph, text_parts, weighted_game, whole_weight
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
    place: dict[str, int] = {}
    owner: dict[int, int] = {}
    u: list[int] = []
    v: list[int] = []
    starts: list[int] = []
    weights: list[int | None] = []
    for first, owner_text, start, second, weight in rows:
        node = place.setdefault(first, len(place))
        if start:
            starts.append(node)
        elif second:
            u.append(node)
            v.append(place.setdefault(second, len(place)))
            weights.append(int(weight) if weight else None)
        elif owner_text and owner.setdefault(node, int(owner_text)) != int(owner_text):
            return None  # the slow reader finds the place
    names = [x.strip('"') for x in place]
    if len(set(names)) < len(names) or any(x.lower() in KEYWORDS for x in place):
        return None
    if (owner and len(owner) < len(names)) or len(set(starts)) > 1:
        return None
    owners = [owner[k] for k in range(len(names))] if owner else None
    graph = numbered(names, u, v, owners)
    return _finished(graph, names, u, v, weights, starts[0] if starts else None)


def _finished(
    graph: Graph, texts: list[str], u: Any, v: Any, weights: list[int | None], start: int | None
) -> Graph | Game:
    """The graph, or the game if there are weights or a start; the file names no objective.

    Weights that are not complete or contradict each other are not weights of a game: Graphviz uses
    this attribute for the length of edges.
    """
    first = None if start is None else started(graph, texts, start).start
    try:
        kept = along_graph(graph, *_final(graph, texts, u, v), weights)
    except FormatError:
        kept = None
    if kept is None:
        return graph if start is None else Game(graph, start=first)
    return weighted_game(graph, kept, None, first)


def _final(graph: Graph, texts: list[str], u: Any, v: Any) -> tuple[AnyArray, AnyArray]:
    """The ends of edges as position numbers of the graph."""
    if graph.names is not None or not texts:
        return np.asarray(u, np.int64), np.asarray(v, np.int64)
    final = np.array([int(x) for x in texts], np.int64)
    return final[np.asarray(u, np.int64)], final[np.asarray(v, np.int64)]


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
        self.place: dict[str, int] = {}
        self.starts: list[int] = []
        self.owner: list[int | None] = []
        self.first: int | None = None
        self.own_owner: dict[int, int] = {}
        self.sources: list[int] = []
        self.targets: list[int] = []
        self.weights: list[Token | None] = []
        self.objective: Token | None = None
        self.products: list[AnyArray] = []
        self.product_weights: list[Token | None] = []
        self.moves = 0
        self.named: dict[str, _Scope] = {}
        self.arrow = "->"
        self.json = False

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
        own: list[tuple[list[Token | None], int]] = []
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
            weights[k] = found.get("weight", scope.weight)
        if single and "start" in found and found["start"].text == "true":
            if self.first not in (None, nodes[0]):
                before = shorten(list(self.place)[self.first or 0])
                raise self.source.error(
                    f"expected one start, which is {before}, got a second", found["start"].start
                )
            self.first = nodes[0]
        if single and "owner" in found:
            owner, (v,) = self.owner_of(found["owner"]), nodes
            if self.own_owner.setdefault(v, owner) != owner:
                name = shorten(list(self.place)[v])
                raise self.source.error(f"node {name} has two owners", found["owner"].start)
            self.owner[v] = owner

    def connect(self, nodes: list[int], after: list[int]) -> tuple[list[Token | None], int]:
        """Add edges from each of some nodes to each of others; return the place of their weight."""
        if len(nodes) == len(after) == 1:
            self.sources += nodes
            self.targets += after
            self.weights.append(None)
            return self.weights, len(self.weights) - 1
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
        node = self.place.setdefault(name, len(self.place))
        if node == len(self.owner):
            self.owner.append(scope.owner)
            self.starts.append(start)
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
        self.objective = found.get("objective", self.objective)
        if "names" in found:
            self.json = found["names"].text == "json"

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
        texts = list(self.place)
        owner = owners_of(self.owner, self.ownerless)
        plain = np.stack([np.array(x, np.int64) for x in (self.sources, self.targets)], 1)
        u, v = np.concatenate([plain, *self.products]).T
        if self.arrow == "--":
            u, v = np.concatenate([u, v]), np.concatenate([v, u])
        graph = numbered(texts, u, v, owner, self.no_json if self.json else None)
        tokens = list(self.weights)
        for ends, weight in zip(self.products, self.product_weights, strict=True):
            tokens += [weight] * len(ends)
        tokens += tokens if self.arrow == "--" else []
        if self.objective is None:
            return _finished(graph, texts, u, v, [_number(x) for x in tokens], self.first)
        return self.weighted(graph, texts, u, v, tokens, self.objective)

    def weighted(
        self, graph: Graph, texts: list[str], u: Any, v: Any, tokens: Any, objective: Token
    ) -> Game:
        """The game of a file that names its objective; every edge needs a weight."""

        def error(token: Token | None) -> Callable[[str], FormatError]:
            start = objective.start if token is None else token.start
            return lambda message: self.source.error(message, start)

        weights = [None if x is None else whole_weight(x.text, error(x)) for x in tokens]
        kept = along_graph(
            graph,
            *_final(graph, texts, u, v),
            weights,
            lambda k, message: error(tokens[k])(message),
        )
        first = None if self.first is None else started(graph, texts, self.first).start
        return weighted_game(graph, kept, objective.text, first, error(None))

    def ownerless(self, k: int) -> FormatError:
        """The error for a node without an owner."""
        name = shorten(list(self.place)[k])
        return self.source.error(f"node {name} has no owner, but others do", self.starts[k])

    def no_json(self, k: int) -> FormatError:
        """The error for a name that is not JSON."""
        name = shorten(list(self.place)[k])
        return self.source.error(f"expected a name in JSON, got {name}", self.starts[k])


def _number(token: Token | None) -> int | None:
    """A weight in a file that names no objective; None if it is not an integer."""
    if token is None:
        return None
    try:
        return whole_weight(token.text, FormatError)
    except FormatError:
        return None


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
