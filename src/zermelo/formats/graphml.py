"""GraphML, the XML that yEd, Gephi and networkx write.

The id of a node is its name. Node data whose key has ``attr.name="owner"`` (0 or 1) say who moves.
Play starts at the node whose data with ``attr.name="start"`` are ``true``. Edge data with
``attr.name="weight"`` are the weights of moves. Graph data with ``attr.name="objective"``, such as
``mean-payoff:threshold=1/3``, say what the weights are for; a file without them is a game of normal
play, which keeps the weights if every edge has an integer (``3`` or ``3.0``).
An undirected edge is two moves, one in each direction. Nested graphs are read as one graph. All
other data are ignored. Ids that are integers have the same meaning as in edge lists. If the graph
data ``names`` are ``json``, each id is the JSON of its name; the writer does this if XML cannot
represent the names.

The reader handles the events of expat, so it needs little memory and its errors have line numbers.
A document type is refused, because it can declare entities that expand without end.
"""

import re
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from zermelo.errors import FormatError
from zermelo.formats.common.draft import Draft, Weight
from zermelo.formats.common.names import bare, encodable, shorten, texts_of
from zermelo.formats.common.weights import text_parts
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import Int64Array
from zermelo.objectives import Objective

_SPACE = "http://graphml.graphdrawing.org/xmlns"
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def read_graph(data: bytes) -> Graph | Game:
    """Read a graph, or a game if the file says where play starts.

    >>> g = read_graph(b'<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/>'
    ...                b'<edge source="a" target="b"/></graph></graphml>')
    >>> g.names, g.to_edges().tolist()
    (('a', 'b'), [[0, 1], [1, 0]])
    """
    return _Reader().read(data)


class _Reader:
    """Handles elements in their order, then makes the graph."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.doctype
        self.open: list[str] = []
        self.graphs: list[bool] = []
        self.keys: dict[str, tuple[str, str]] = {}
        self.defaults: dict[str, str] = {}
        self.draft = Draft(self.error)
        self.nodes: list[int] = []
        self.edges: list[tuple[str, str, bool, int]] = []
        self.weights: list[Weight | None] = []
        self.key = ""
        self.text: list[str] = []
        self.found = False

    def error(self, message: str, line: int | None = None) -> FormatError:
        """An error at the given line, or at the current one."""
        return FormatError(message, line=line or self.parser.CurrentLineNumber)

    def read(self, data: bytes) -> Graph | Game:
        """The graph of a whole document."""
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise FormatError(
                f"expected XML: {reason}", line=error.lineno, column=error.offset + 1
            ) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, FormatError):
                raise
            raise self.error(f"expected XML in a known encoding: {error}") from None
        if not self.found:
            raise FormatError("expected a <graph> element, got none")
        return self.graph()

    # ---------------------------------------------------------------- events

    def doctype(self, *_: Any) -> None:
        """Refuse a document type."""
        raise self.error("expected no <!DOCTYPE>: it may declare entities without end")

    def start(self, tag: str, given: dict[str, str]) -> None:
        """Handle the start of an element."""
        tag = tag.rpartition(" ")[2]
        if not self.open and tag != "graphml":
            raise self.error(f"expected <graphml>, got <{bare(tag)}>")
        self.open.append(tag)
        if tag == "graph":
            self.start_graph(given)
        elif tag == "key":
            self.key = self.need(tag, given, "id")
            if self.key in self.keys:
                raise self.error(f"key {shorten(self.key)} appears twice")
            self.keys[self.key] = (given.get("attr.name", ""), given.get("for", "all"))
        elif tag in ("data", "default"):
            self.text = []
            if tag == "data":
                self.key = self.need(tag, given, "key")
        elif tag == "node":
            self.start_node(self.need(tag, given, "id"))
        elif tag == "edge":
            self.start_edge(given)
        elif tag == "hyperedge":
            raise self.error("expected edges, got a <hyperedge>")

    def need(self, tag: str, given: dict[str, str], key: str) -> str:
        """The value of a required attribute."""
        if key not in given:
            raise self.error(f"expected <{tag} {key}=…>, got no {key}")
        return given[key]

    def start_graph(self, given: dict[str, str]) -> None:
        """Handle the start of a graph, which says whether its edges are directed."""
        if self.found and "graph" not in self.open[:-1]:
            raise self.error("expected one graph, got a second")
        self.found = True
        direction = given.get("edgedefault", "directed")
        if direction not in ("directed", "undirected"):
            raise self.error(
                f"edgedefault: expected directed or undirected, got {shorten(direction)}"
            )
        self.graphs.append(direction == "directed")

    def start_node(self, name: str) -> None:
        """Handle a node; it gets the next number."""
        if not self.graphs:
            raise self.error("expected <node> within <graph>")
        if name in self.draft.number:
            raise self.error(f"node {shorten(name)} appears twice")
        self.nodes.append(self.draft.position(name, self.parser.CurrentLineNumber))

    def start_edge(self, given: dict[str, str]) -> None:
        """Store an edge until all nodes are known."""
        if not self.graphs:
            raise self.error("expected <edge> within <graph>")
        ends = self.need("edge", given, "source"), self.need("edge", given, "target")
        directed = given.get("directed", "true" if self.graphs[-1] else "false")
        if directed not in ("true", "false"):
            raise self.error(f"directed: expected true or false, got {shorten(directed)}")
        self.edges.append((*ends, directed == "true", self.parser.CurrentLineNumber))
        self.weights.append(None)

    def characters(self, text: str) -> None:
        """Handle the text of an element."""
        if self.open[-1] in ("data", "default"):
            self.text.append(text)

    def end(self, tag: str) -> None:
        """Handle the end of an element."""
        tag = self.open.pop()
        if tag == "graph":
            self.graphs.pop()
        elif tag == "node":
            self.nodes.pop()
        elif tag == "default" and self.open[-1] == "key":
            self.defaults[self.key] = "".join(self.text).strip()
        elif tag == "data":
            name, text = self.keys.get(self.key, ("", ""))[0], "".join(self.text).strip()
            if self.open[-1] == "node" and name == "owner":
                if self.nodes[-1] in self.draft.stated:
                    raise self.error("expected one owner of a node, got a second")
                self.draft.own(self.nodes[-1], self.owner_of(text), None)
            elif self.open[-1] == "node" and name == "start" and text == "true":
                self.draft.begin(self.nodes[-1], None)
            elif self.open[-1] == "edge" and name == "weight":
                if self.weights[-1] is not None:
                    raise self.error("expected one weight of an edge, got a second")
                self.weights[-1] = _whole(text), self.parser.CurrentLineNumber
            elif self.open[-1] == "graph" and name == "names":
                self.draft.json = text == "json"
            elif self.open[-1] == "graph" and name == "objective":
                self.draft.objective = text, self.parser.CurrentLineNumber

    def owner_of(self, text: str) -> int:
        """An owner's number."""
        if text not in ("0", "1"):
            raise self.error(f"expected an owner 0 or 1, got {shorten(text)}")
        return int(text)

    # ---------------------------------------------------------------- the end

    def graph(self) -> Graph | Game:
        """The graph of the whole document, with the start if there is one."""
        draft, default = self.draft, None
        for key, text in self.defaults.items():
            name, domain = self.keys[key]
            if name == "owner" and domain in ("node", "all"):
                owner = self.owner_of(text)
                draft.owner = [owner if x is None else x for x in draft.owner]
            if name == "weight" and domain in ("edge", "all"):
                default = _whole(text), None
        for (source, target, directed, line), own in zip(self.edges, self.weights, strict=True):
            for name in (source, target):
                if name not in draft.number:
                    raise self.error(f"an edge names {shorten(name)}, which is not a node", line)
            u, v, weight = draft.number[source], draft.number[target], own or default
            draft.move(u, v, line, weight)
            if not directed:
                draft.move(v, u, line, weight)
        return draft.game(lenient=True)


def _whole(text: str) -> str:
    """The text of a weight; 3.0 is an integer, as other programs write their numbers."""
    head, _, zeros = text.partition(".")
    return head if zeros and not zeros.strip("0") else text


def write_graph(
    graph: Graph,
    objective: Objective | None = None,
    start: int | None = None,
    *,
    weight: Int64Array | None = None,
) -> bytes:
    """Write a directed graph.

    >>> print(write_graph(Graph.from_edges([("a", "b")])).decode())
    <?xml version="1.0" encoding="UTF-8"?>
    <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
      <graph edgedefault="directed">
        <node id="a"/>
        <node id="b"/>
        <edge source="a" target="b"/>
      </graph>
    </graphml>
    <BLANKLINE>
    """
    texts, json = texts_of(graph, lambda x: not _FORBIDDEN.search(x) and encodable(x))
    ids = [quoteattr(x, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}) for x in texts]
    weights, text = text_parts(graph, objective, weight)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<graphml xmlns="{_SPACE}">']
    if graph.owner is not None:
        lines.append('  <key id="owner" for="node" attr.name="owner" attr.type="int"/>')
    if start is not None:
        lines.append('  <key id="start" for="node" attr.name="start" attr.type="boolean"/>')
    if json:
        lines.append('  <key id="names" for="graph" attr.name="names" attr.type="string"/>')
    if text is not None:
        lines.append('  <key id="objective" for="graph" attr.name="objective" attr.type="string"/>')
    if weights is not None:
        lines.append('  <key id="weight" for="edge" attr.name="weight" attr.type="long"/>')
    lines.append('  <graph edgedefault="directed">')
    if json:
        lines.append('    <data key="names">json</data>')
    if text is not None:
        lines.append(f'    <data key="objective">{escape(text)}</data>')
    nodes = [""] * graph.n
    if graph.owner is not None:
        nodes = [f'<data key="owner">{o}</data>' for o in graph.owner.tolist()]
    if start is not None:
        nodes[start] += '<data key="start">true</data>'
    lines += [
        f"    <node id={x}>{data}</node>" if data else f"    <node id={x}/>"
        for x, data in zip(ids, nodes, strict=True)
    ]
    ends = graph.to_edges().tolist()
    if weights is None:
        lines += [f"    <edge source={ids[u]} target={ids[v]}/>" for u, v in ends]
    else:
        lines += [
            f'    <edge source={ids[u]} target={ids[v]}><data key="weight">{x}</data></edge>'
            for (u, v), x in zip(ends, weights, strict=True)
        ]
    return "\n".join([*lines, "  </graph>", "</graphml>\n"]).encode()
