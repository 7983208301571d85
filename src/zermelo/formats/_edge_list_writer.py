"""Writing edge lists, which :mod:`zermelo.formats.edge_list` reads."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.errors import InvalidGraphError
from zermelo.formats.common.names import WHOLE, encodable, place_texts, shorten, to_plain
from zermelo.formats.common.weights import text_parts
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective

_BATCH = 1 << 16


def write_graph(
    graph: Graph,
    objective: Objective | None = None,
    start: int | None = None,
    *,
    weight: Int64Array | None = None,
) -> bytes:
    """Write an edge list; reading it gives the positions the same numbers.

    >>> write_graph(Graph.from_edges([("a", "two words"), ("two words", "a")]))
    b'a "two words"\\n"two words" a\\n'
    """
    names = _texts(graph)
    weights, text = text_parts(graph, objective, weight)
    out: list[str] = [] if text is None else [f"[{text}]\n"]
    last = "" if start is None else f"{names[start] if names else start} [start]\n"
    if graph.owner is not None:
        out += [f"{x} [{o}]\n" for x, o in zip(names, graph.owner.tolist(), strict=True)]
    elif graph.names is not None:
        return "".join([*out, *_in_order(graph, names, weights), last]).encode()
    else:
        alone = graph.out_degree == 0
        alone[graph.indices] = False
        out += [f"{v}\n" for v in np.flatnonzero(alone).tolist()]
    return "".join([*out, *_moves(graph.to_edges(), names, weights), last]).encode()


def _moves(
    ends: AnyArray, names: list[str], weights: list[int] | None, first: int = 0
) -> Iterator[str]:
    """The lines of some moves; ``first`` is the number of the first one."""
    if weights is not None:
        for k, (u, v) in enumerate(ends.tolist(), first):
            yield f"{names[u]} {names[v]} {weights[k]}\n" if names else f"{u} {v} {weights[k]}\n"
        return
    for k in range(0, len(ends), _BATCH):
        flat = ends[k : k + _BATCH].reshape(-1).tolist()
        if names:
            yield "%s %s\n" * (len(flat) // 2) % tuple([names[v] for v in flat])
        else:
            yield "%d %d\n" * (len(flat) // 2) % tuple(flat)


def _in_order(graph: Graph, names: list[str], weights: list[int] | None) -> Iterator[str]:
    """Lines in which positions first appear in the order of their numbers, by single names."""
    ends = graph.to_edges()
    u, v = ends[:, 0], ends[:, 1]
    seen = np.concatenate([[0], np.maximum.accumulate(np.maximum(u, v) + 1)])
    before = seen[:-1]
    first = np.where(v > np.maximum(before, u + 1), v, u)  # all smaller ones must appear before it
    done = 0
    for k in np.flatnonzero(first > before).tolist():
        yield from _moves(ends[done:k], names, weights, done)
        yield from (names[w] + "\n" for w in range(int(before[k]), int(first[k])))
        done = k
    yield from _moves(ends[done:], names, weights, done)
    yield from (names[w] + "\n" for w in range(int(seen[-1]), graph.n))


def _texts(graph: Graph) -> list[str]:
    if graph.names is None:
        return [str(v) for v in range(graph.n)] if graph.owner is not None else []
    plain: list[Any] = [to_plain(x) for x in graph.names]
    if all(isinstance(x, str) for x in plain):
        return [quote(x) for x in plain]
    if not all(isinstance(x, int) and not isinstance(x, bool) for x in plain):
        odd = next(x for x in graph.names if not isinstance(x, str))
        raise InvalidGraphError(
            "an edge list stores names that are all text or all integers, "
            f"got {odd!r}; json, dot, graphml, npz and parquet store it"
        )
    texts = [str(x) for x in plain]
    large = next((x for x in texts if not WHOLE.fullmatch(x)), None)
    if large is not None:
        raise InvalidGraphError(f"an edge list stores names below 10^18, got {shorten(large)}")
    if plain != list(range(graph.n)) and place_texts(texts)[0] is None:
        raise InvalidGraphError(
            f"the names are the numbers 0 … {graph.n - 1} in another order, and an edge list would "
            "read them as position numbers; json, dot, graphml, npz and parquet store them"
        )
    return texts


def quote(name: str) -> str:
    """A name as an edge list has it, in quotes if it needs them.

    >>> quote("a"), quote("two words")
    ('a', '"two words"')
    """
    safe = (
        name.isprintable()
        and not {" ", ","} & {*name}
        and (name[:1].isalnum() or name[:1] in "_-+*.")
    )
    if safe and name and not WHOLE.fullmatch(name):
        return name
    return json.dumps(name, ensure_ascii=not encodable(name))
