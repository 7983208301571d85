"""JSON: games with names, owners and objective, solutions, and other kinds of answer.

::

    {"format": "zermelo-game", "version": 1, "n": 3, "names": ["a", "b", "t"],
     "moves": [[1, 2], [0], []], "owner": [0, 1, 0], "objective": {"objective": "misere"}}

``moves`` lists for each position the numbers of the positions after one move. Files written by hand
may have ``"edges": [["a", "b"], …]`` instead. ``n``, ``names``, ``owner`` and ``objective`` may be
left out. If moves have weights, ``weight`` has a list of integers for each list of ``moves``, or
``edges`` has triples ``["a", "b", 3]``. ``cut`` lists the positions whose moves were left out, as
in a tree that is cut at a depth; such a game cannot be solved. A name is text, a number, true,
false, null or a list of those, which becomes a tuple.
"""

import itertools
import json
from collections.abc import Hashable
from typing import Any

import numpy as np

from zermelo._inputs.graphs import MAX_POSITIONS
from zermelo.errors import FormatError
from zermelo.formats.common import answers as _answers
from zermelo.formats.common.answers import FORMAT
from zermelo.formats.common.integers import integers, whole
from zermelo.formats.common.meta import start_of
from zermelo.formats.common.names import (
    Names,
    bare,
    build,
    decode,
    from_plain,
    shorten,
    to_json,
    to_plain,
)
from zermelo.formats.common.solution import (
    ARRAYS,
    INT64,
    MACHINES,
    STORED,
    Record,
    check_kind,
    from_record,
    to_record,
)
from zermelo.formats.common.weights import along_graph, bare_spec, game_from_spec
from zermelo.game import Game
from zermelo.graph import Graph, as_graph
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Objective
from zermelo.objectives.weights import MAX_WEIGHT
from zermelo.solutions.base import Solution

_GAME_KEYS = (
    "format",
    "version",
    "n",
    "names",
    "moves",
    "edges",
    "weight",
    "owner",
    "objective",
    "start",
    "impartial",
    "cut",
)
_SOLUTION_KEYS = (
    "format",
    "version",
    "graph",
    "n",
    "objective",
    "solver",
    "start",
    *STORED,
    MACHINES,
)


def read_graph(data: bytes) -> Game:
    """Read a game.

    >>> read_graph(b'{"format": "zermelo-game", "version": 1, "edges": [["a", "b"]], "start": 0}')
    Game(normal on Graph(2 positions, 1 move, 1 terminal), start a)
    """
    found = load(data)
    check_kind(found, "zermelo-game")
    _known(found, _GAME_KEYS)
    names = _names(found.get("names"))
    n = _count(found.get("n"), names)
    if "moves" in found and "edges" in found:
        raise FormatError("expected /moves or /edges, got both")
    if "edges" in found and "weight" in found:
        raise FormatError("/weight: expected none beside /edges, which may be triples")
    weights = None
    if "edges" in found:
        pairs, weights = _split_triples(found["edges"])
        sources, targets, n, names = _edges(pairs, n, names)
    elif "moves" in found:
        sources, targets, n = _moves(found["moves"], n)
    else:
        raise FormatError("expected /moves or /edges, got neither")
    owner = found.get("owner")
    if owner is not None:
        owner = integers(owner, "/owner", n, 0, 1)
    graph = build(sources, targets, n, owner, names)
    if "cut" in found:
        graph = _cut_off(graph, found["cut"])
    if "weight" in found:
        weights = _weights(found["weight"], found["moves"])
    weight = None if weights is None else along_graph(graph, sources, targets, weights)
    if weights == []:
        weight = np.zeros(0, np.int64)
    spec, impartial = found.get("objective"), found.get("impartial", True)
    if not isinstance(impartial, bool):
        raise FormatError("/impartial: expected true or false")
    start = start_of(graph, found.get("start"))
    if spec is None:
        return Game(graph, start=start, impartial=impartial, weight=weight)
    return game_from_spec(graph, spec, weight, start, impartial=impartial)


def _split_triples(edges: Any) -> tuple[Any, list[int] | None]:
    """The pairs of a list of edges, and their weights if they are triples."""
    if not isinstance(edges, list) or not any(isinstance(x, list) and len(x) == 3 for x in edges):
        return edges, None
    for k, edge in enumerate(edges):
        if not isinstance(edge, list) or len(edge) != 3:
            raise FormatError(
                f"/edges/{k}: expected a triple [from, to, weight], as others are, "
                f"got {shorten(edge)}"
            )
        _whole_weight(edge[2], f"/edges/{k}/2")
    return [edge[:2] for edge in edges], [edge[2] for edge in edges]


def _weights(rows: Any, moves: list[list[Any]]) -> list[int]:
    """The weights of all moves, from a list for each position."""
    if not isinstance(rows, list) or len(rows) != len(moves):
        raise FormatError(
            f"/weight: expected {len(moves)} lists, one for each position, got {shorten(rows)}"
        )
    for v, (row, targets) in enumerate(zip(rows, moves, strict=True)):
        if not isinstance(row, list) or len(row) != len(targets):
            raise FormatError(
                f"/weight/{v}: expected {len(targets)} weights, one for each move, "
                f"got {shorten(row)}"
            )
    flat = list(itertools.chain.from_iterable(rows))
    if not whole(flat, -MAX_WEIGHT, MAX_WEIGHT):
        for v, row in enumerate(rows):
            for k, x in enumerate(row):
                _whole_weight(x, f"/weight/{v}/{k}")
    return flat


def _whole_weight(x: Any, where: str) -> None:
    if not whole([x], -MAX_WEIGHT, MAX_WEIGHT):
        raise FormatError(
            f"{where}: expected an integer as weight, from -2**60 to 2**60, got {shorten(x)}"
        )


def load(data: bytes) -> dict[str, Any]:
    """A JSON object; keys given twice and NaN are refused."""
    text = decode(data)
    try:
        found = json.loads(text, object_pairs_hook=_distinct, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"expected JSON: {error.msg}", line=error.lineno, column=error.colno
        ) from None
    except RecursionError:
        raise FormatError(
            "expected JSON, got lists within lists that are nested too deeply"
        ) from None
    except ValueError as error:  # an integer of more than 4300 digits
        raise FormatError(f"expected JSON: {error}") from None
    if not isinstance(found, dict):
        raise FormatError(f"expected a JSON object, got {shorten(found)}")
    return found


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise FormatError(f"key {next(k for k in keys if keys.count(k) > 1)!r} appears twice")
    return found


def _constant(text: str) -> float:
    if text == "NaN":
        raise FormatError("expected a number, got NaN")
    return float(text)


def _known(found: dict[str, Any], keys: tuple[str, ...]) -> None:
    for key in found:
        if key not in keys:
            raise FormatError(f"/{bare(key)}: unknown key; known: {', '.join(keys)}")


def _names(listed: Any) -> Names | None:
    if listed is None:
        return None
    if not isinstance(listed, list):
        raise FormatError(f"/names: expected a list, got {shorten(listed)}")
    names: dict[Hashable, int] = {}
    for k, x in enumerate(listed):
        name = _name(x, f"/names/{k}")
        if names.setdefault(name, k) != k:
            raise FormatError(f"/names/{k}: {shorten(x)} appears twice")
    return tuple(names)


def _name(value: Any, where: str) -> Hashable:
    try:
        return from_plain(value)
    except FormatError as error:
        raise FormatError(f"{where}: {error.message}") from None


def _count(n: Any, names: Names | None) -> int | None:
    if n is None:
        return None if names is None else len(names)
    if type(n) is not int or not 0 <= n <= MAX_POSITIONS:
        raise FormatError(f"/n: expected a number of positions, got {shorten(n)}")
    if names is not None and len(names) != n:
        raise FormatError(f"/names: expected {n} names, got {len(names)}")
    return n


def _moves(rows: Any, n: int | None) -> tuple[Int64Array, Int64Array, int]:
    if not isinstance(rows, list):
        raise FormatError(f"/moves: expected a list of lists, got {shorten(rows)}")
    if n is not None and len(rows) != n:
        raise FormatError(f"/moves: expected {n} lists, one for each position, got {len(rows)}")
    n = len(rows)
    for v, row in enumerate(rows):
        if not isinstance(row, list):
            raise FormatError(f"/moves/{v}: expected a list of position numbers, got {row!r}")
    flat = list(itertools.chain.from_iterable(rows))
    if not whole(flat, 0, n - 1):
        for v, row in enumerate(rows):
            for k, w in enumerate(row):
                if not whole([w], 0, n - 1):
                    raise _no_position(f"/moves/{v}/{k}", n, w)
    degree = np.fromiter(map(len, rows), np.int64, n)
    return np.repeat(np.arange(n, dtype=np.int64), degree), np.array(flat, np.int64), n


def _edges(
    pairs: Any, n: int | None, names: Names | None
) -> tuple[Int64Array, Int64Array, int, Names | None]:
    """The ends of edges by number; without ``names``, integers are the numbers themselves."""
    if not isinstance(pairs, list):
        raise FormatError(f"/edges: expected a list of pairs, got {shorten(pairs)}")
    for k, pair in enumerate(pairs):
        if not isinstance(pair, list) or len(pair) != 2:
            raise FormatError(f"/edges/{k}: expected a pair [from, to], got {shorten(pair)}")
    flat = list(itertools.chain.from_iterable(pairs))
    if names is None and whole(flat, 0, MAX_POSITIONS):
        top = max(flat, default=-1)
        n = top + 1 if n is None else n
        if top >= n:
            k = flat.index(top)
            raise _no_position(f"/edges/{k // 2}/{k % 2}", n, top)
        ends = np.array(flat, np.int64)
        return ends[0::2], ends[1::2], n, None
    place: dict[Hashable, int] = {} if names is None else {x: v for v, x in enumerate(names)}
    ends = np.empty(len(flat), np.int64)
    for k, x in enumerate(flat):
        where = f"/edges/{k // 2}/{k % 2}"
        name = _name(x, where)
        if names is not None and name not in place:
            raise FormatError(f"{where}: expected one of /names, got {shorten(x)}")
        ends[k] = place.setdefault(name, len(place))
    if n is not None and n != len(place):
        raise FormatError(f"/n: expected {len(place)}, as many as /edges has names, got {n}")
    return ends[0::2], ends[1::2], len(place), tuple(place)


def _cut_off(graph: Graph, listed: Any) -> Graph:
    """The graph in which the moves of the listed positions are unknown."""
    mask = np.zeros(graph.n, bool)
    if not isinstance(listed, list):
        raise FormatError(f"/cut: expected a list of position numbers, got {shorten(listed)}")
    for k, v in enumerate(listed):
        if not whole([v], 0, graph.n - 1):
            raise _no_position(f"/cut/{k}", graph.n, v)
        mask[v] = True
    return Graph(graph.indptr, graph.indices, graph.owner, graph.names, mask)


def _no_position(where: str, n: int, got: Any) -> FormatError:
    if n == 0:
        return FormatError(f"{where}: expected no position, as n is 0, got {shorten(got)}")
    return FormatError(f"{where}: expected a position 0 … {n - 1}, got {shorten(got)}")


def write_graph(
    graph: Graph,
    objective: Objective | None = None,
    start: int | None = None,
    *,
    impartial: bool = True,
    weight: Int64Array | None = None,
) -> bytes:
    """Write a game, one line for each position.

    >>> print(write_graph(Graph.from_edges([("a", "b")])).decode())
    {"format":"zermelo-game","version":1,"n":2,
    "names":["a","b"],
    "moves":[
    [1],
    []]}
    <BLANKLINE>
    """
    parts = [f'{{"format":"zermelo-game","version":1,"n":{graph.n}']
    if graph.names is not None:
        parts.append(f'"names":{to_json([to_plain(x) for x in graph.names])}')
    if graph.owner is not None:
        parts.append(f'"owner":{to_json(graph.owner.tolist())}')
    spec, weights = bare_spec(graph, objective, weight)
    if spec is not None:
        parts.append(f'"objective":{to_json(spec)}')
    if start is not None:
        parts.append(f'"start":{start}')
    if not impartial:
        parts.append('"impartial":false')
    if graph.cut is not None:
        parts.append(f'"cut":{to_json(np.flatnonzero(graph.cut).tolist())}')
    if weights is not None:
        parts.append(f'"weight":[{_lines(graph, weights)}]')
    parts.append(f'"moves":[{_lines(graph, graph.indices)}]}}\n')
    return ",\n".join(parts).encode()


def _lines(graph: Graph, entries: AnyArray) -> str:
    """A list for each position, each on its own line."""
    flat, ends = entries.tolist(), graph.indptr.tolist()
    rows = [str(flat[a:b]).replace(" ", "") for a, b in itertools.pairwise(ends)]
    return ",".join("\n" + row for row in rows)


# -------------------------------------------------------------------- solutions


def read_answer(data: bytes, game: Any) -> Any:
    """Read the answer that a file claims for a game: a solution, or another kind of answer."""
    found = load(data)
    if found.get("format") == FORMAT:
        return _answers.read_answer(found, game)
    return _solution(found, as_graph(game))


def write_answer(answers: Any) -> bytes:
    """Write an answer that is not a solution."""
    return _answers.write_answer(answers)


def read_solution(data: bytes, graph: Graph) -> Solution:
    """Read the solution that a file claims for a graph."""
    return _solution(load(data), graph)


def _solution(found: dict[str, Any], graph: Graph) -> Solution:
    check_kind(found, "zermelo-solution")
    _known(found, _SOLUTION_KEYS)
    n = _count(found.get("n"), None)
    if n is None:
        raise FormatError("/n: expected a number of positions, got nothing")
    arrays = {key: _array(found[key], key, n) for key in STORED if key in found}
    return from_record(Record.from_meta(found, arrays, found.get(MACHINES)), graph)


def _array(listed: Any, key: str, n: int) -> AnyArray:
    """One integer, or two, for each of n positions."""
    where = f"/{key}"
    if not isinstance(listed, list) or len(listed) != n:
        raise FormatError(f"{where}: expected a list of {n} entries, got {shorten(listed)}")
    low, high = (-(2**31), 2**31 - 1) if key in ARRAYS else INT64
    if n and isinstance(listed[0], list):
        for v, pair in enumerate(listed):
            if not isinstance(pair, list) or len(pair) != 2 or not whole(pair, low, high):
                raise FormatError(f"{where}/{v}: expected two integers, got {shorten(pair)}")
        return np.array(listed, np.int64)
    return integers(listed, where, n, low, high)


def write_solution(solution: Solution) -> bytes:
    """Write a solution: one line for each array, and for each memory state of a machine."""
    record = to_record(solution)
    parts = [to_json(record.meta())[:-1]]
    parts += [f'"{key}":{to_json(array.tolist())}' for key, array in record.arrays.items()]
    if record.machines is not None:
        both = ",\n".join(_show_machine(machine) for machine in record.machines)
        parts.append(f'"{MACHINES}":[\n{both}]')
    return (",\n".join(parts) + "}\n").encode()


def _show_machine(machine: dict[str, Any]) -> str:
    tables = [
        f'"{key}":[{",".join(chr(10) + to_json(row) for row in machine[key])}]'
        for key in ("after", "moves")
    ]
    plain = to_json({key: x for key, x in machine.items() if key not in ("after", "moves")})
    return ",\n".join([plain[:-1], *tables]) + "}"
