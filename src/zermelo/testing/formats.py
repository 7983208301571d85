"""``check_format``: nothing is lost in a file, and a damaged file gives an error with its place."""

import io
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from zermelo.errors import FormatError, InvalidOptionError, ZermeloError
from zermelo.formats.front import read, read_solution, write
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.registry import FORMATS, OBJECTIVES, FormatRow
from zermelo.solve import solve
from zermelo.testing.cases import fitted, random_digraph
from zermelo.testing.report import Report, check_count, code_of

AWKWARD_NAMES = [
    "", " ", "-", "--", "->", "#", "# a", "a #b", "a#b", "%", "%%MatrixMarket", "{", "}", "[",
    "[1]", "a [1]", "]", "<", "<b>", ">", "&", "&amp;", "'", '"', '""', "\\", "\\\\", "a\\",
    '\\"', "a\\\nb", "\\n", "\n", "\r", "\r\n", "\t", "a\tb", " a", "a ", "two words", "0", "1",
    "2", "00", "-0", "-1", "1.5", "1e9", "node", "Graph", "digraph", "strict", "subgraph", "edge",
    "null", "true", "a,b", "a;b", "a:b", "a=b", "a+b", "//", "/* a */", "é", "→", "名前", "\u00a0",
    "\u2028", "\x0b", "\x0c", "\x00", "a\x00", "\x7f", "\x85", "\ufeff", "\ufffe", "\U0001f600",
    "\ud800", "=1+1",
]  # fmt: skip
"""Names that mean something in some format, or that are hard to write."""

PIECES = [
    b"[", b"]", b"{", b"}", b'"', b"\\", b"\n", b"0", b"-1", b"9" * 20, b"\0", b"\xff", b"<", b">",
    b",", b":", b"null", b"1e999", b"NaN", b"a b c", b"&x;", b"<!DOCTYPE x>", b"# x", b" [1]",
    b"[[[[", b"%", b"=", b"->",
]  # fmt: skip
"""What a damaged file gets at some place."""


def check_format(format: Any, *, games: int = 60, damages: int = 600, seed: int = 0) -> Report:
    """Check a format, given by its name or its row, on games, solutions and damaged files.

    What the row says that a format ``holds`` must come back from a file: names, among them awkward
    ones, owners, objectives, starts, weights and solutions; and the same game gives the same bytes.
    A format may refuse a game in a sentence, but not most of them. A file that is cut off or
    damaged gives a game or an error of ours, of one line. In a text format, most of these errors
    name the line of the file.

    >>> print(check_format("mtx", games=20, damages=100))
    format mtx holds: 20 games, 100 damaged files
    """
    row: FormatRow = FORMATS[format] if isinstance(format, str) else format
    if not isinstance(row, FormatRow):
        raise InvalidOptionError(f"format: expected a name or a FormatRow, got {row!r}")
    check_count("games", games)
    check_count("damages", damages, 0)
    report, rng = Report(f"format {row.name}"), random.Random(seed)
    files: list[tuple[Game | None, bytes]] = []
    refusals: list[tuple[str, str, ZermeloError]] = []
    if not {"graph", "solution"} & {*row.holds}:
        report.fail(f"holds: expected a graph, a solution or both, got {row.holds}")
    with FORMATS.including(row):
        for game in _games(row, games, rng, report):
            if "graph" in row.holds:
                files += [(None, data) for data in _check_game(row, game, report, refusals)]
            if "solution" in row.holds:
                files.append((game, _check_solution(row, game, report)))
        if 2 * len(refusals) > report.tried["games"]:
            report.fail(*refusals[0])
        for _ in range(damages):
            _check_damage(row, *rng.choice(files), report, rng)
    found, placed = report.tried.pop("errors", 0), report.tried.pop("errors with a line", 0)
    if 2 * placed < found and _is_text(files[-1][1]):
        report.fail(f"only {placed} of {found} errors name a line, as FormatError(…, line=3) does")
    return report


def _games(row: FormatRow, count: int, rng: random.Random, report: Report) -> Iterator[Game]:
    """Games with all that the format holds, the empty graph first."""
    kinds = [x for x in OBJECTIVES if x.name == (row.games or "normal")]
    if "objective" in row.holds or "graph" not in row.holds:
        kinds = [
            x
            for x in OBJECTIVES
            if (not row.games or x.name == row.games)
            and (x.strategies != "memory" or "machines" in row.holds or "solution" not in row.holds)
        ]
    for k in range(count):
        kind = rng.choice(kinds)
        graph = random_digraph(rng, 7, 14) if k else Graph.from_edges([])
        if "owner" not in row.holds and "graph" in row.holds:
            graph = graph.with_owner(None)
        graph = fitted(graph, kind.players, rng)
        if k % 2 and ("names" in row.holds or "graph" not in row.holds):
            graph = graph.with_names(rng.sample(AWKWARD_NAMES, graph.n))
        start = rng.choice(list(graph)) if "start" in row.holds and k % 3 else None
        weight = None
        if "weights" in row.holds and graph.m and not k % 4:
            weight = [rng.choice((-7, -1, 1, 2, 9)) for _ in range(graph.m)]
        with report.calling(f"the example of {kind.name}"):
            game = Game(graph, kind.example(graph, rng), start, weight=weight)
        yield game


def _check_game(
    row: FormatRow, game: Game, report: Report, refusals: list[tuple[str, str, ZermeloError]]
) -> list[bytes]:
    """A game comes back from a file, which is returned; a refusal of the game is noted."""
    more = "" if game.start is None else f", {game.start!r}"
    if (weight := game.weights()) is not None:
        more += f", weight={weight.tolist()}"
    code = code_of(game, f"zm.write(zm.Game(g, {{objective}}{more}), 'game{row.suffixes[0]}')")
    report.tried["games"] += 1
    try:
        data = _written(row, game)
    except ZermeloError as error:
        report.tried["refused"] += 1
        fault = f"it does not write what its row says that it holds: {error}"
        refusals.append((fault, code, error))
        return []
    except Exception as error:
        report.fail(f"its writer raises {type(error).__name__}: {error}", code, error)
    try:
        again = read(io.BytesIO(data), row.name)
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        report.fail(f"it does not read what it wrote: {fault}", code, error)
    with report.calling("the game that it reads", code):
        _compare(row, game, again, report, code)
    with report.calling("writing the game that it reads", code):
        if _written(row, again) != data:
            report.fail("the same game gives other bytes", code)
    return [data]


def _compare(row: FormatRow, game: Game, again: Game, report: Report, code: str) -> None:
    """The game that was read is the game that was written."""
    if again.graph != game.graph or repr(again.graph.names) != repr(game.graph.names):
        report.fail(f"it wrote {game.graph!r} and read {again.graph!r}", code)
    same = again.objective.spec(again.graph) == game.objective.spec(game.graph)
    if row.games:  # the format may write the same game in another convention
        same = solve(again).label.tolist() == solve(game).label.tolist()
    if not same:
        report.fail(f"the objective comes back as {again.objective}", code)
    if game.start is not None and again.start != game.start:
        report.fail(f"the start {game.start!r} comes back as {again.start!r}", code)
    weights = game.weights(), again.weights()
    if weights[0] is not None and weights[0].tolist() != np.asarray(weights[1]).tolist():
        report.fail(f"the weights come back as {weights[1]}", code)


def _written(row: FormatRow, thing: Any) -> bytes:
    """The file of a game or a solution."""
    file = io.BytesIO()
    write(thing, file, row.name)
    return file.getvalue()


def _check_solution(row: FormatRow, game: Game, report: Report) -> bytes:
    """A solution comes back from a file, and its checker accepts it."""
    code = code_of(game, f"zm.write(zm.solve(g, {{objective}}), 'solution{row.suffixes[0]}')")
    report.tried["solutions"] += 1
    with report.calling("solving its game", code):
        solution = solve(game)
    try:
        data = _written(row, solution)
        again = read_solution(io.BytesIO(data), game, row.name).verify()
    except Exception as error:
        fault = f"{type(error).__name__}: {error}"
        report.fail(f"its solution does not come back right: {fault}", code, error)
    if again.label.tolist() != solution.label.tolist():
        report.fail("the labels do not come back", code)
    with report.calling("writing the solution that it reads", code):
        if _written(row, again) != data:
            report.fail("the same solution gives other bytes", code)
    return data


def _check_damage(
    row: FormatRow, game: Game | None, data: bytes, report: Report, rng: random.Random
) -> None:
    """A damaged file is read, or refused with one line."""
    damaged = _damaged(data, rng)
    report.tried["damaged files"] += 1
    code = f"import io, zermelo as zm; zm.read(io.BytesIO({damaged!r}), {row.name!r})"
    if game is not None:
        call = f"zm.read_solution(io.BytesIO({damaged!r}), zm.Game(g, {{objective}}), {row.name!r})"
        code = f"import io; {code_of(game, call)}"
    try:
        if game is None:
            read(io.BytesIO(damaged), row.name)
        else:
            read_solution(io.BytesIO(damaged), game, row.name)
    except ZermeloError as error:
        if "\n" in str(error) or not str(error).strip():
            report.fail(f"expected an error of one line, got {str(error)!r}", code, error)
        report.tried["errors"] += 1
        if isinstance(error, FormatError) and error.line is not None:
            report.tried["errors with a line"] += 1
    except Exception as error:
        fault = f"a damaged file raises {type(error).__name__}: {error}"
        report.fail(fault, code, error)


def _damaged(data: bytes, rng: random.Random) -> bytes:
    """A file that is cut off, or in which bytes are changed, missing, repeated or added."""
    found = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(found))
        kind = rng.randrange(5)
        if kind == 0:
            del found[at:]
        elif kind == 1:
            del found[at : at + rng.randint(1, 9)]
        elif kind == 2:
            found[at:at] = rng.choice(PIECES)
        elif kind == 3:
            found[at:at] = found[at : at + 20]
        elif at < len(found):
            found[at] ^= 1 << rng.randrange(8)
    return bytes(found)


def _is_text(data: bytes) -> bool:
    """Whether a file is text."""
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False
