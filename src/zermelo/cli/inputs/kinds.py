"""The kind of an existing file, found from its content before the file is replaced.

A kind is ``graph``, ``solution``, ``picture``, ``table`` (as ``zermelo build`` writes them),
``values`` (rows of positions or heaps with their values) or ``machine`` (of synthesis).
"""

import os
import re

from zermelo.errors import ZermeloError
from zermelo.registry import FORMATS

HEAD_BYTES = 1 << 16
"""The number of bytes at the beginning of a file that are read."""

BZIP2_BLOCK_BYTES = 1 << 20
"""A block of bzip2 is not longer than this."""

DESCRIPTIONS = {
    "graph": "a game",
    "objective": "a game",
    "solution": "a solution",
    "picture": "a picture",
    "table": "a table",
    "values": "a list of values",
    "machine": "a machine",
}
"""Each kind as messages name it."""

_SIGNS = (
    ("table", rb"\x89ZMT"),
    ("machine", rb'a[ai]g \d|digraph machine \{|\{[^\0]*?"format"\s*:\s*"zermelo-machine"'),
    ("machine", rb'("""|/\* )A (controller|strategy of the environment), as a Mealy machine'),
    ("picture", rb"\x89PNG|%PDF-|<([^\0]*?<)?svg\b|digraph (zermelo|controller) \{"),
    ("graph", rb"<([^\0]*?<)?graphml\b|/[/*][^\0]*?\b(di)?graph\b"),
    ("graph", rb'\{[^\0]*?"format"\s*:\s*"zermelo-game"'),
    ("solution", rb'\{[^\0]*?"format"\s*:\s*"zermelo-(solution|answer)"|# zermelo-solution:'),
    ("solution", rb'\{[^\0]*?"format"\s*:\s*"zermelo-controller"'),
    ("values", rb"state[,\t]won[,\t]"),
    ("values", rb'\{\s*"code"\s*:[^\0]*?"values"|(heap|position)[,\t]value\b'),
    ("values", rb"position[,\t](mate|in_kernel|holds)\b|(debut[,\t]value|kernel[,\t]size)\b"),
    ("graph", rb"PK.{28}(indptr|indices|owner)\.npy"),
    ("solution", rb"PK.{28}(label|distance|level|move)\.npy"),
)
"""Patterns of the beginnings of files."""


def kind_of(path: str) -> str:
    """The kind of a file; ``empty`` for an empty file, and an empty string for an unknown kind.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".json") as file:
    ...     _ = file.write(b'{"format":"zermelo-game","version":1,"moves":[[]]}')
    ...     file.flush()
    ...     kind_of(file.name)
    'graph'
    """
    from zermelo.formats.common.compression import beginning

    with open(path, "rb") as file:
        head = file.read(HEAD_BYTES)
        if not head:
            return "empty"
        if head.startswith(b"PAR1"):
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - HEAD_BYTES))
            return _parquet(file.read())
        if head.startswith(b"BZh"):
            head += file.read(BZIP2_BLOCK_BYTES)
    whole = len(head) < HEAD_BYTES
    head = beginning(head, HEAD_BYTES).removeprefix(b"\xef\xbb\xbf").lstrip()
    for kind, pattern in _SIGNS:
        if re.match(pattern, head, re.DOTALL):
            return kind
    return _by_format(head, whole, path)


def _parquet(tail: bytes) -> str:
    for kind, sign in (("graph", b"zermelo-game"), ("solution", b"zermelo-solution")):
        if sign in tail:
            return kind
    return "values" if all(x in tail for x in (b"position", b"value", b"distance")) else ""


def _by_format(head: bytes, whole: bool, path: str) -> str:
    """The kind by the first format whose pattern fits, or else by reading an edge list."""
    if path.endswith(".py") or head[:1] in (b"<", b"/"):
        return ""
    for row in FORMATS:
        if row.magic and re.match(row.magic.encode(), head, re.IGNORECASE):
            held = [kind for kind in ("graph", "solution") if kind in row.holds]
            return held[0] if len(held) == 1 else ""
    from zermelo.formats.edge_list import read_graph
    from zermelo.graph import as_graph

    try:
        found = read_graph(head if whole else head[: head.rfind(b"\n") + 1])
    except ZermeloError:
        return ""
    return "graph" if as_graph(found).n else ""
