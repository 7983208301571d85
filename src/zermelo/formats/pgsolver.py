r"""PGSolver's parity games, ``.pg`` or ``.gm``, and their solutions: a statement a position.

::

    parity 3;                   the largest identifier; optional, and not used
    start 1;                    the position in which play starts; optional
    0 4 1 2,3 "a name";         identifier, priority, owner, successors, name (optional)
    1 0 0 0;  2 1 1 1,2;        a line may have any number of statements
    3 2 0 ;                     no successor: the owner loses (PGSolver itself does not allow this)
    // a comment extends to the end of its line

Player 0 wins iff the highest priority that is seen infinitely often is even. The reader returns a
:class:`~zermelo.Game` of :class:`~zermelo.Parity`. Every game of the parity family can be written;
its priorities are converted to this convention.

Identifiers may come in any order. If they are exactly 0 … n-1, they are the positions' own numbers.
Otherwise positions are numbered as they appear, and their names are the identifiers. Names in
quotes are used if identifiers are 0 … n-1 and names are distinct (in real files they often are
not); the name of a position without one is then its number.

Solutions (``.sol``) have winners and strategies::

    paritysol 3;       the largest identifier; optional, and not used
    0 1 2;             identifier, winner, and the winner's move if it is the owner
    1 0;

Identifiers are those of the game's own file: the numbers of positions, or their names if these are
identifiers. Every position has one statement. A file has no priorities, so the reader needs the
objective of the game. A move of a player who does not win there is read and ignored.

Kernels parse and write the statements: reading takes about 3 ns per byte, writing 8.
"""

import re
from typing import NamedTuple

import numpy as np

from zermelo._inputs.values import sealed
from zermelo._kernels import pgsolver as kernels
from zermelo._kernels.graphs.records import Moves
from zermelo.errors import FormatError, InvalidGraphError, InvalidObjectiveError
from zermelo.formats.common.names import Names, build, encodable, shorten
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array
from zermelo.objectives import Objective, Parity
from zermelo.solutions.base import Solution
from zermelo.solutions.parity import ParitySolution, parity_solution

SOLVER = "file"
"""The name of the solver in the solution, because the file has none."""

_GAP = rb"(?:[ \t\r\n\f\v]|//[^\n]*)*"
_BLANKS = re.compile(_GAP)
_NUMBER = re.compile(rb"[0-9]+")
_KEYWORD = re.compile(rb"[A-Za-z]+")
_TOKEN = re.compile(r"[A-Za-z0-9_.+-]+|[^\n]")

_EXPECTED = {
    kernels.NO_ID: "an identifier",
    kernels.LARGE_ID: f"an identifier of at most {kernels.MAX_ID}",
    kernels.NO_PRIORITY: "a priority",
    kernels.LARGE_PRIORITY: f"a priority of at most {kernels.MAX_PRIORITY}",
    kernels.NO_OWNER: "an owner 0 or 1",
    kernels.NO_SUCCESSOR: "a successor",
    kernels.LARGE_SUCCESSOR: f"an identifier of at most {kernels.MAX_ID}",
    kernels.NO_LIST: "a successor, a name in quotes or ';'",
    kernels.NO_COMMA: "',', a name in quotes or ';'",
    kernels.NO_END: "';'",
    kernels.NO_WINNER: "a winner 0 or 1",
    kernels.NO_STRATEGY: "a successor or ';'",
}


class _Rows(NamedTuple):
    """The statements of a file; successors are identifiers."""

    ids: Int32Array
    priority: Int32Array
    owner: Int8Array
    indptr: Int64Array
    targets: Int32Array
    quotes: Int64Array
    rising: bool = True
    canonical: bool = True
    """Whether every row is sorted already."""


def read_graph(data: bytes) -> Game:
    """Read a game.

    >>> game = read_graph(b'parity 1; start 1; 0 2 1 0,1 "a"; 1 3 0 0 "b";')
    >>> graph, objective = game
    >>> graph.names, graph.owner.tolist(), objective.priorities(graph).tolist(), game.start
    (('a', 'b'), [1, 0], [2, 3], 'b')
    """
    data = data.removeprefix(b"\xef\xbb\xbf")
    begin, start = read_head(data, "parity", "start")
    rows = _parse(data, begin)
    if rows.ids.size == 0 and not data[:begin].strip(b" \t\r\n;"):
        raise FormatError("expected a parity game, got an empty file", line=1)
    graph, priority = _assemble(data, begin, rows)
    objective = Parity(sealed(priority))
    if start is None:
        return Game(graph, objective)
    place = np.flatnonzero(rows.ids == start[0])
    if not place.size:
        raise error_at(data, start[1], f"no statement defines the start {start[0]}")
    own = int(rows.ids.max()) == graph.n - 1  # then identifiers are the positions' own numbers
    return Game(graph, objective, graph.name(start[0] if own else int(place[0])))


# -------------------------------------------------------------------- texts, shared with solutions


def error_at(data: bytes, offset: int, message: str) -> FormatError:
    """An error at a byte of a text."""
    line = data.count(b"\n", 0, offset) + 1
    before = data[data.rfind(b"\n", 0, offset) + 1 : offset]
    return FormatError(message, line=line, column=len(before.decode("utf-8", "replace")) + 1)


def unexpected(data: bytes, offset: int, expected: str) -> FormatError:
    """The error for an unexpected text at a byte."""
    rest = data[offset : offset + 60].decode("utf-8", "replace")
    found = _TOKEN.match(rest)
    got = shorten(found[0]) if found else "the end of the file"
    return error_at(data, offset, f"expected {expected}, got {got}")


def parse_error(data: bytes, code: int, offset: int) -> FormatError:
    """The error that a kernel found."""
    if code == kernels.OPEN_NAME:
        return error_at(data, offset, "this name in quotes does not end on its line")
    return unexpected(data, offset, _EXPECTED[code])


def read_head(data: bytes, first: str, *more: str) -> tuple[int, tuple[int, int] | None]:
    """The offset of the first statement, and the number after the second keyword with its place."""
    found: dict[str, tuple[int, int]] = {}
    at = _skip(data, 0)
    while keyword := _KEYWORD.match(data, at):
        text = keyword[0].decode()
        if text not in (first, *more) or text in found or (text == first and found):
            known = [x for x in (first, *more) if x not in found and not (x == first and found)]
            choices = "".join(f"'{x}', " for x in known)
            raise unexpected(data, at, f"{choices}an identifier")
        at = _skip(data, keyword.end())
        number = _NUMBER.match(data, at)
        if number is None:
            raise unexpected(data, at, f"a number after '{text}'")
        if len(number[0]) > 18 or int(number[0]) > kernels.MAX_ID + 1:
            raise unexpected(data, at, f"a number of at most {kernels.MAX_ID + 1}")
        found[text] = (int(number[0]), at)
        at = _skip(data, number.end())
        if data[at : at + 1] != b";":
            raise unexpected(data, at, "';'")
        at = _skip(data, at + 1)
    return at, next((found[x] for x in more if x in found), None)


def _skip(data: bytes, at: int) -> int:
    found = _BLANKS.match(data, at)
    assert found is not None
    return found.end()


def letters_of(data: bytes) -> AnyArray:
    """The bytes of a text as the kernels need them: ended by a line end."""
    return np.frombuffer(data if data.endswith(b"\n") else data + b"\n", np.uint8)


def locate(ids: Int32Array, wanted: Int32Array) -> Int64Array:
    """The index of each wanted identifier among distinct ones, -1 for an unknown one."""
    top = int(ids.max(initial=-1))
    if top < 4 * ids.size + 1024:
        table = np.full(top + 2, -1, np.int64)
        table[ids] = np.arange(ids.size)
        return table[np.minimum(wanted, top + 1)]
    order = np.argsort(ids)
    place = np.minimum(np.searchsorted(ids, wanted, sorter=order), ids.size - 1)
    return np.where(ids[order[place]] == wanted, order[place], -1)


def second_time(ids: Int32Array) -> int | None:
    """The first row whose identifier occurs in an earlier row, or None."""
    order = np.argsort(ids, kind="stable")
    again = order[1:][ids[order[1:]] == ids[order[:-1]]]
    return int(again.min()) if again.size else None


def ids_of(graph: Graph) -> Int32Array:
    """The identifier of each position: its name if every name can be one, else its number."""
    if graph.names is not None and all(
        isinstance(x, int) and not isinstance(x, bool) and 0 <= x <= kernels.MAX_ID
        for x in graph.names
    ):
        return np.array(graph.names, np.int32)
    return np.arange(graph.n, dtype=np.int32)


# -------------------------------------------------------------------- reading


def _parse(data: bytes, begin: int) -> _Rows:
    rows, out = _run(data, begin)
    n, m, code, offset, rising, long = out
    if code != kernels.FINE:
        raise parse_error(data, code, offset)
    for array in rows[:3]:
        array.resize(n, refcheck=False)
    rows.indptr.resize(n + 1, refcheck=False)
    rows.targets.resize(m, refcheck=False)
    return rows._replace(quotes=rows.quotes[: 2 * n], rising=bool(rising), canonical=not long)


def _offset(data: bytes, begin: int, *, row: int = -1, successor: int = -1) -> int:
    """The byte at which a row begins, or at which a successor is first named."""
    return _run(data, begin, row, successor)[1][kernels.OFFSET]


def _run(data: bytes, begin: int, row: int = -1, successor: int = -1) -> tuple[_Rows, list[int]]:
    """Run the parser on arrays that are long enough; for large files they are not much longer."""
    most = data.count(b";", begin) + 1
    rows = _Rows(
        np.empty(most, np.int32),
        np.empty(most, np.int32),
        np.empty(most, np.int8),
        np.zeros(most + 1, np.int64),
        np.empty((len(data) - begin) // 2 + 1, np.int32),
        np.zeros(2 * most if data.find(b'"', begin) >= 0 else 0, np.int64),
    )
    report, stop = np.zeros(kernels.REPORT_SIZE, np.int64), kernels.Stop(row, successor)
    kernels.parse_game(letters_of(data), begin, kernels.Statements(*rows[:6]), stop, report)
    return rows, report.tolist()


def _assemble(data: bytes, begin: int, rows: _Rows) -> tuple[Graph, Int32Array]:
    """The graph and the priorities by position."""
    ids, n = rows.ids, rows.ids.size
    if not rows.rising and (row := second_time(ids)) is not None:
        raise error_at(data, _offset(data, begin, row=row), f"{ids[row]} is defined twice")
    top = int(ids.max(initial=-1))
    own = top == n - 1  # identifiers are distinct and below n, so they are exactly 0 … n-1
    if own:
        place: AnyArray = rows.targets
        bad = np.flatnonzero(place >= n) if place.size and int(place.max()) >= n else ()
    else:
        place = locate(ids, rows.targets).astype(np.int32)
        bad = np.flatnonzero(place < 0) if place.size and int(place.min()) < 0 else ()
    if len(bad):
        raise _undefined(data, begin, rows.targets[bad])
    names = _names(data, rows, own)
    if rows.rising and rows.canonical:
        # Increasing identifiers keep their order as positions, so every row stays sorted.
        return Graph._of(rows.indptr, place, rows.owner, names), rows.priority
    sources = np.repeat(ids if own else np.arange(n, dtype=np.int32), np.diff(rows.indptr))
    if not own:
        return build(sources, place, n, rows.owner, names), rows.priority
    owner, priority = np.empty_like(rows.owner), np.empty_like(rows.priority)
    owner[ids], priority[ids] = rows.owner, rows.priority
    return build(sources, place, n, owner, names), priority


def _undefined(data: bytes, begin: int, missing: Int32Array) -> FormatError:
    """The error for undefined successors; it names the first of them in the file."""
    few = np.unique(missing)[:100].tolist()
    offset, first = min((_offset(data, begin, successor=x), x) for x in few)
    return error_at(data, offset, f"no statement defines the successor {first}")


def _names(data: bytes, rows: _Rows, own: bool) -> Names | None:
    if not own:
        return tuple(rows.ids.tolist())
    first, last = rows.quotes[0::2].tolist(), rows.quotes[1::2].tolist()
    if first == last:
        return None
    if data.isascii():
        text = data.decode("ascii")
        found = [text[i:k] for i, k in zip(first, last, strict=True)]
    else:
        found = []
        for i, k in zip(first, last, strict=True):
            try:
                found.append(data[i:k].decode())
            except UnicodeDecodeError as error:
                at, byte = i + error.start, data[i + error.start]
                raise error_at(data, at, f"expected UTF-8 text, got byte 0x{byte:02x}") from None
    if not rows.rising:
        found = [found[k] for k in np.argsort(rows.ids).tolist()]
    names: Names = tuple([name or v for v, name in enumerate(found)])
    return names if len(set(names)) == len(names) else None


# -------------------------------------------------------------------- writing


def write_graph(
    graph: Graph, objective: Objective | None = None, start: int | None = None
) -> bytes:
    """Write a game of the parity family.

    >>> g = Graph.from_edges([("a", "b"), ("b", "a")], owner=[0, 1])
    >>> write_graph(g, Parity([1, 2]), start=1)
    b'parity 1;\\nstart 1;\\n0 1 0 1 "a";\\n1 2 1 0 "b";\\n'
    """
    priority = priorities_of(graph, objective, "pgsolver")
    assert graph.owner is not None
    ids, quoted = ids_of(graph), _quoted_names(graph)
    # PGSolver writes the largest identifier; a game without positions has none.
    head = f"parity {int(ids.max(initial=0))};\n".encode()
    if start is not None:
        head += f"start {ids[start]};\n".encode()
    letters = b"".join(quoted)
    ends = np.cumsum([len(x) for x in quoted], dtype=np.int64)
    out = np.empty(len(head) + 28 * graph.n + 11 * graph.m + len(letters) + 1, np.uint8)
    out[: len(head)] = np.frombuffer(head, np.uint8)
    size = kernels.write_game(
        ids,
        priority,
        graph.owner,
        Moves(graph.indptr, graph.indices),
        kernels.Names(np.frombuffer(letters, np.uint8), ends),
        len(head),
        out,
    )
    return out[:size].tobytes()


def priorities_of(graph: Graph, objective: Objective | None, format: str) -> Int32Array:
    """The priorities of a game in the convention "max even", if it is a parity game."""
    if objective is None:
        raise InvalidObjectiveError(
            f"the {format} format stores parity games: expected a pair (graph, zm.Parity(…)), "
            "got a graph alone"
        )
    if objective.family != "parity":
        raise InvalidObjectiveError(
            f"the {format} format stores parity games, got a game of {objective.keyword!r}"
        )
    priorities: Int32Array = objective.priorities(graph)
    if priorities.size and int(priorities.max()) > kernels.MAX_PRIORITY:
        raise InvalidObjectiveError(
            f"the {format} format stores priorities of at most {kernels.MAX_PRIORITY}, "
            f"got {int(priorities.max())} in the convention 'max even'"
        )
    return priorities


def _quoted_names(graph: Graph) -> list[bytes]:
    """The name of each position in quotes, or all empty if the identifiers are the names."""
    if graph.names is None or graph.n == 0:
        return []
    identified = ids_of(graph)
    if identified.tolist() == list(graph.names):
        if graph.n - 1 == identified.max() and (np.diff(identified) < 0).any():
            raise InvalidGraphError(
                f"the names are the numbers 0 … {graph.n - 1} in another order, and PGSolver's "
                "format would read them as position numbers; json, dot, graphml, npz and parquet "
                "store them"
            )
        return []
    quoted = []
    for v, name in enumerate(graph.names):
        if type(name) is int and name == v:
            quoted.append(b"")
        elif isinstance(name, str) and name and not set(name) & set('"\n') and encodable(name):
            quoted.append(name.encode())
        else:
            raise InvalidGraphError(
                "PGSolver's format stores names that are text without quotes and line ends, or "
                f"all whole numbers up to {kernels.MAX_ID}, got {shorten(name)}; json, dot, npz "
                "and parquet store it (or drop the names with graph.with_names(None))"
            )
    return quoted


def read_solution(data: bytes, graph: Graph, objective: Objective | None = None) -> Solution:
    """Read the claim of a file about a parity game.

    >>> from zermelo.objectives import Parity
    >>> g = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> read_solution(b"paritysol 1; 0 0 1; 1 0;", g, Parity([1, 2])).winner.tolist()
    [0, 0]
    """
    if objective is None or objective.family != "parity":
        got = "none" if objective is None else f"{objective.keyword!r}"
        raise InvalidObjectiveError(
            f"a solution in PGSolver's format needs the objective of its parity game, got {got}"
        )
    objective.priorities(graph)
    data = data.removeprefix(b"\xef\xbb\xbf")
    begin, _ = read_head(data, "paritysol")
    most = data.count(b";", begin) + 1
    ids, strategy = np.empty(most, np.int32), np.empty(most, np.int32)
    winner = np.empty(most, np.int8)
    report = np.zeros(kernels.REPORT_SIZE, np.int64)
    decisions, never = kernels.Decisions(ids, winner, strategy), kernels.Stop(-1, -1)
    kernels.parse_solution(letters_of(data), begin, decisions, never, report)
    n, code, offset = (int(report[k]) for k in (kernels.ROWS, kernels.CODE, kernels.OFFSET))
    if code != kernels.FINE:
        raise parse_error(data, code, offset)
    ids, winner, strategy = ids[:n], winner[:n], strategy[:n]

    def fail(message: str, row: int = -1, move: int = -1) -> FormatError:
        found = np.zeros(kernels.REPORT_SIZE, np.int64)
        spare = kernels.Decisions(
            np.empty(most, np.int32), np.empty(most, np.int8), np.empty(most, np.int32)
        )
        kernels.parse_solution(letters_of(data), begin, spare, kernels.Stop(row, move), found)
        return error_at(data, int(found[kernels.OFFSET]), message)

    if not report[kernels.RISING] and (row := second_time(ids)) is not None:
        raise fail(f"{ids[row]} appears twice", row)
    place, to = _places(graph, ids), _places(graph, strategy)
    if (place < 0).any():
        row = int(np.argmax(place < 0))
        raise fail(f"the game has no position {ids[row]}", row)
    if ((to < 0) & (strategy >= 0)).any():
        row = int(np.argmax((to < 0) & (strategy >= 0)))
        raise fail(f"the game has no position {strategy[row]}", move=row)
    if n < graph.n:
        v = int(np.argmin(np.isin(np.arange(graph.n), place)))
        raise FormatError(f"position {graph.name(v)!r} has no winner: no statement begins with it")
    winners, moves = np.empty(n, np.int8), np.empty(n, np.int32)
    winners[place], moves[place] = winner, to
    return parity_solution(graph, objective, SOLVER, winners, moves)


def _places(graph: Graph, ids: Int32Array) -> Int64Array:
    """Positions by identifier, -1 for an unknown one."""
    known = ids_of(graph)
    if graph.n == 0:
        return np.full(ids.size, -1, np.int64)
    return np.where(ids < 0, -1, locate(known, np.maximum(ids, 0)))


def write_solution(solution: Solution) -> bytes:
    """Write a solution of a parity game.

    >>> from zermelo.objectives import Parity
    >>> g = Graph.from_edges([(0, 1), (1, 0)], owner=[0, 1])
    >>> write_solution(parity_solution(g, Parity([1, 2]), "me", np.zeros(2), np.array([1, 0])))
    b'paritysol 1;\\n0 0 1;\\n1 0;\\n'
    """
    if not isinstance(solution, ParitySolution):
        raise InvalidObjectiveError(
            "the sol format stores solutions of parity games, "
            f"got one of a game of {solution.objective.keyword!r}"
        )
    graph = solution.graph
    ids = ids_of(graph)
    head = f"paritysol {int(ids.max(initial=0))};\n".encode()
    out: AnyArray = np.empty(len(head) + 26 * graph.n + 1, np.uint8)
    out[: len(head)] = np.frombuffer(head, np.uint8)
    winner = (1 - solution.level).astype(np.int8)
    size = kernels.write_solution(ids, winner, solution.strategy, len(head), out)
    return out[:size].tobytes()
