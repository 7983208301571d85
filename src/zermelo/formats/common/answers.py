"""Files of answers that are not solutions: Grundy values, matchings, quotients and others.

::

    {"format": "zermelo-answer", "version": 1, "kind": "kernel", "graph": "…", "n": 3,
     "mask": [0, 0, 1], "depth": [1, 1, 0]}

The content of a file is a claim until ``verify`` has checked it. Each kind of answer writes and
reads its own fields; :class:`Fields` checks their types.
"""

from collections.abc import Mapping
from typing import Any

from zermelo.errors import CertificateError, FormatError
from zermelo.formats.common.integers import integers, whole
from zermelo.formats.common.names import shorten, to_json
from zermelo.formats.common.solution import check_digest, check_version
from zermelo.graph import Graph
from zermelo.labels import AnyArray
from zermelo.registry.answers import ANSWERS

FORMAT = "zermelo-answer"
VERSION = 1


class Fields:
    """The fields of a file, each checked when it is read; :meth:`done` refuses all others.

    >>> Fields({"n": 3, "text": "a"}).number("n", 0, 2)
    Traceback (most recent call last):
    zermelo.errors.FormatError: /n: expected 0 … 2, got 3
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        self._data, self._taken = data, {"format", "version", "kind"}

    def get(self, key: str) -> Any:
        """A field without any check; None if it is missing."""
        self._taken.add(key)
        return self._data.get(key)

    def number(self, key: str, low: int, high: int) -> int:
        """An integer within bounds."""
        found = self.get(key)
        if not whole([found], low, high):
            raise FormatError(f"/{key}: expected {low} … {high}, got {shorten(found)}")
        return int(found)

    def text(self, key: str) -> str:
        """A text."""
        found = self.get(key)
        if not isinstance(found, str):
            raise FormatError(f"/{key}: expected text, got {shorten(found)}")
        return found

    def items(self, key: str, kind: type = object) -> list[Any]:
        """A list of entries of one type."""
        found = self.get(key)
        if not isinstance(found, list) or not all(isinstance(x, kind) for x in found):
            raise FormatError(f"/{key}: expected a list, got {shorten(found)}")
        return found

    def integers(self, key: str, count: int | None, low: int, high: int) -> AnyArray:
        """A list of integers within bounds; of length ``count``, if that is not None."""
        found = self.get(key)
        if count is None:
            count = len(found) if isinstance(found, list) else 0
        return integers(found, f"/{key}", count, low, high)

    def graph(self, game: Any) -> Graph:
        """The graph that a file belongs to: that of ``game``, with the file's digest."""
        graph = getattr(game, "graph", game)
        if not isinstance(graph, Graph):
            raise FormatError(f"expected a game or a graph to read it with, got {shorten(game)}")
        check_digest(self.text("graph"), graph)
        self.number("n", graph.n, graph.n)
        return graph

    def done(self) -> None:
        """Refuse fields that were not read."""
        for key in self._data:
            if key not in self._taken:
                raise FormatError(f"/{key}: unknown key; known: {', '.join(sorted(self._taken))}")


def write_answer(answers: Any) -> bytes:
    """The file of an answer, one line for each field.

    >>> import zermelo as zm
    >>> write_answer(zm.kernel(zm.Graph.from_edges([(0, 1)]))).decode().splitlines()[-1]
    '"depth":[1,0]}'
    """
    data = {"format": FORMAT, "version": VERSION, "kind": answers.file_kind, **answers._record()}
    fields = [f"{to_json(key)}:{to_json(field)}" for key, field in data.items()]
    return ("{" + ",\n".join(fields) + "}\n").encode()


def read_answer(data: Mapping[str, Any], game: Any) -> Any:
    """The answer that a file claims for a game."""
    check_version(data, VERSION)
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in ANSWERS:
        known = ", ".join(row.name for row in ANSWERS)
        raise FormatError(f"/kind: expected one of {known}, got {shorten(kind)}")
    fields, made = Fields(data), ANSWERS[kind].load()
    try:
        answers: Any = made._from_record(fields, game)  # type: ignore[attr-defined]
    except CertificateError as error:
        raise FormatError(str(error)) from None
    fields.done()
    return answers
