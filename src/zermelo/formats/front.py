"""Reading and writing games and solutions; the name of the file determines the format."""

import os
import re
from typing import Any

from zermelo._inputs.values import shown
from zermelo._runtime import files
from zermelo._runtime.files import is_url
from zermelo.errors import (
    FormatError,
    InvalidGraphError,
    InvalidObjectiveError,
    InvalidOptionError,
    UnknownNameError,
    UnknownPositionError,
)
from zermelo.formats.common import compression
from zermelo.game import Game
from zermelo.graph import Graph, as_graph
from zermelo.objectives.base import Objective
from zermelo.registry import FORMATS, FormatRow, objective_row, unknown
from zermelo.solutions.answers import Answers
from zermelo.solutions.base import Solution, solution_of


def read(path: files.PathLike, format: str | None = None) -> Game:
    """Read a game: its graph and its objective, which is normal play if the file has none.

    ``path`` is a file's name, ``"-"`` for standard input, a binary file object, or the directory of
    a game in shards (see :class:`~zermelo.formats.binary.shards.Shards`), which may be a URL such
    as ``s3://bucket/game``. The format is ``format``, if it is given, or else that of the name's
    suffix before ``.gz``, ``.bz2``, ``.xz`` or ``.zst``. For streams without a name, the first
    bytes determine it.

    >>> import io
    >>> read(io.BytesIO(b"a b\\nb a\\n"))
    Game(normal on Graph(2 positions, 2 moves, 0 terminals))
    """
    remote = is_url(path)
    if remote or (format is None and isinstance(path, str | os.PathLike) and os.path.isdir(path)):
        from zermelo.formats.binary.shards import Shards, is_shards

        if is_shards(path):
            return Shards(path).game()
        if remote:
            raise FileNotFoundError(2, "expected a game in shards, with a manifest.json", path)
    name, row, data = _fetch(path, format, "graph")
    try:
        found: Game | Graph | tuple[Graph, Objective] = row.module().read_graph(data)
    except (FormatError, InvalidGraphError, InvalidObjectiveError, UnknownPositionError) as error:
        raise _at(error, name) from None
    if isinstance(found, Game):
        return found
    return _game_of(found)


def read_solution(
    path: files.PathLike,
    game: Any = None,
    format: str | None = None,
    objective: Objective | None = None,
) -> Any:
    """Read an answer about a game, as :func:`write` or ``save`` wrote it.

    ``game`` is what the answer is about: a :class:`Game` or a graph for a solution, Grundy values,
    a kernel or a matching; rules or a :class:`~zermelo.PartizanGraph` for partizan values; the
    rules of a table (``.zt``). Files that contain their game need none.
    The content of the file is a claim until its ``verify()`` has checked it. A file that is
    malformed, or that belongs to another graph, raises :class:`FormatError`. The ``objective``
    (by default that of the game) is for formats that do not store it (``.sol``); other files have
    their own.

    >>> import io, zermelo as zm
    >>> g, file = zm.Graph.from_edges([(0, 1)]), io.BytesIO()
    >>> zm.write(zm.solve(g), file, format="csv")
    >>> read_solution(io.BytesIO(file.getvalue()), g).verify()
    Solution(normal by retrograde: 1 win, 1 lose)
    """
    if objective is None and isinstance(game, Game):
        objective = game.objective
    if objective is not None and not isinstance(objective, Objective):
        raise InvalidOptionError(f"objective: expected one or None, got {shown(objective)}")
    if isinstance(path, str | os.PathLike) and os.fspath(path).endswith(".zt"):
        from zermelo.tables.table import Table  # opening a table takes a module more

        return Table(path, game)
    name, row, data = _fetch(path, format, "solution")
    more = (objective,) if row.games else ()
    try:
        if "answer" in row.holds:
            return row.module().read_answer(data, game)
        solution: Solution = row.module().read_solution(data, as_graph(game), *more)
    except (FormatError, InvalidGraphError, InvalidObjectiveError, UnknownPositionError) as error:
        raise _at(error, name) from None
    return solution


def write(
    thing: Game | Graph | tuple[Graph, Objective] | Answers,
    path: files.PathLike,
    format: str | None = None,
) -> None:
    """Write a game, a graph, a pair of graph and objective, a solution or another answer.

    The format is chosen as in :func:`read`; standard output and file objects without a name need
    ``format``. A file appears only when it is complete, and the same game gives the same bytes. If
    a format cannot store a part of the game, that is an error. A file without an objective is a
    game of normal play.

    >>> import sys
    >>> write(Graph.from_edges([("a", "b")]), "-", format="edgelist")  # doctest: +SKIP
    a b
    """
    thing = solution_of(thing)
    name, named = files.name_of(path, "standard output")
    if not named and format is None:
        raise InvalidOptionError(f"writing to {name} needs a format: {_listed(_kind(thing))}")
    stem, packing = compression.split_suffix(name) if named else (name, "")
    row = _row(stem, format, _kind(thing))
    data: bytes
    if isinstance(thing, Solution):
        _check_machines(row, thing.objective)
        data = row.module().write_solution(thing)
    elif isinstance(thing, Answers):
        data = row.module().write_answer(thing)
    else:
        game = thing if isinstance(thing, Game) else _game_of(thing)
        from zermelo.objectives.terminal import NormalPlay  # a file without an objective means it

        objective = None if isinstance(game.objective, NormalPlay) else game.objective
        _check_room(row, game, objective)
        more: dict[str, Any] = {}
        if game.start is not None:
            more["start"] = game.graph.index(game.start)
        if not game.impartial and "impartial" in row.holds:
            more["impartial"] = False
        if game.weight is not None and "weights" in row.holds:
            more["weight"] = game.weight
        data = row.module().write_graph(game.graph, objective, **more)
    files.write_bytes(compression.compress(data, packing), path)


def _game_of(found: Graph | tuple[Any, ...]) -> Game:
    """The game of a graph, or of a graph and an objective."""
    return Game(found) if isinstance(found, Graph) else Game(*found)


def _kind(thing: Any) -> str:
    """The kind of a thing to write: ``graph``, ``solution`` or ``answer``."""
    if isinstance(thing, Solution):
        return "solution"
    if isinstance(thing, Answers) and thing.file_kind:
        return "answer"
    if isinstance(thing, Graph | Game):
        return "graph"
    if isinstance(thing, tuple) and len(thing) == 2:
        graph, objective = thing
        if isinstance(graph, Graph) and isinstance(objective, Objective):
            return "graph"
    raise InvalidOptionError(
        "expected a Game, a Graph, a pair (Graph, Objective) or a Solution, "
        f"got {type(thing).__name__}"
    )


def _fetch(path: files.PathLike, format: str | None, kind: str) -> tuple[str, FormatRow, bytes]:
    """The name of a file for messages, its format, and its decompressed bytes."""
    name, named = files.name_of(path, "standard input")
    stem, packing = compression.split_suffix(name) if named else (name, "")
    row = None
    if named or format is not None:
        try:
            row = _row(stem, format, kind)
        except UnknownNameError:
            suffix = os.path.splitext(stem)[1]
            if format is not None or (suffix and not files.is_stream(path)):
                raise
    data = files.read_bytes(path)
    try:
        data = compression.decompress(data, packing)
    except FormatError as error:
        raise error.at(name) from None
    return name, row or sniff(data, kind), data


def _at(error: Exception, name: str) -> FormatError:
    """The error of a reader, with the file's name."""
    return error.at(name) if isinstance(error, FormatError) else FormatError(str(error), path=name)


def format_row(name: str, kind: str) -> FormatRow:
    """The format of a name or a suffix that stores a ``graph`` or a ``solution``.

    >>> format_row("csv", "solution").suffixes
    ('.csv',)
    """
    return _row("", name, kind)


def _row(stem: str, format: str | None, kind: str) -> FormatRow:
    """The format of that name (or suffix), else the one for a file's suffix."""
    if format is not None and not isinstance(format, str):
        raise InvalidOptionError(f"format: expected a name or None, got {shown(format)}")
    suffix = os.path.splitext(stem)[1] if format is None else "." + format.removeprefix(".")
    suffix = suffix.lower()

    other = None
    for row in FORMATS:
        if row.name == format or (suffix != "" and suffix in row.suffixes):
            if kind in row.holds:
                return row
            other = other or row
    if other is not None:
        what = f"the {other.name} format" if format else f"{stem}: the {other.name} format"
        thing = {"graph": "games", "solution": "solutions"}.get(kind, "this kind of answer")
        raise InvalidOptionError(f"{what} does not store {thing}; these do: {_listed(kind)}")
    if format is not None:
        raise unknown("format", format, [row.name for row in FORMATS])
    fits = [row for row in FORMATS if kind in row.holds]
    known = ", ".join(f"{' '.join(row.suffixes)} ({row.name})" for row in fits)
    problem = f"no format has the suffix {suffix!r}" if suffix else "expected a suffix"
    raise UnknownNameError(f"{stem}: {problem}; known: {known}")


def _listed(kind: str) -> str:
    return ", ".join(row.name for row in FORMATS if kind in row.holds)


def _check_room(row: FormatRow, game: Game, objective: Objective | None) -> None:
    """Refuse a format that cannot store the whole game."""
    graph = game.graph
    if graph.owner is not None and "owner" not in row.holds:
        raise InvalidGraphError(
            f"the {row.name} format does not store owners; these do: {_listed('owner')}"
        )
    if graph.cut is not None and "cut" not in row.holds:
        raise InvalidGraphError(
            f"the {row.name} format does not store where a tree was cut; these do: {_listed('cut')}"
        )
    if graph.names is not None and "names" not in row.holds:
        raise InvalidGraphError(
            f"the {row.name} format does not store names; these do: {_listed('names')} "
            "(or drop them with graph.with_names(None))"
        )
    weighted = getattr(objective, "family", "") == "quantitative" and "quantitative" in row.holds
    if objective is not None and "objective" not in row.holds and not weighted:
        raise InvalidObjectiveError(
            f"the {row.name} format does not store objectives; these do: {_listed('objective')}"
        )
    if game.weight is not None and "weights" not in row.holds:
        raise InvalidGraphError(
            f"the {row.name} format does not store weights of moves; these do: "
            f"{_listed('weights')} (or write the graph alone, game.graph)"
        )
    if game.start is not None and "start" not in row.holds:
        raise InvalidGraphError(
            f"the {row.name} format does not store where play starts; these do: "
            f"{_listed('start')} (or write the graph alone, game.graph)"
        )


def check_solution_file(path: str, format: str | None, objective: Objective) -> None:
    """Refuse a file that could not hold a solution of an objective, before it is solved.

    >>> from zermelo.objectives import Muller
    >>> check_solution_file("game.sol.csv", None, Muller([], "t"))
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: the csv format has one move for each position, but \
strategies of Muller games are machines; these store them: json
    """
    stem, _ = compression.split_suffix(path)
    _check_machines(_row(stem, format, "solution"), objective)


def _check_machines(row: FormatRow, objective: Objective) -> None:
    if objective_row(objective).strategies == "memory" and "machines" not in row.holds:
        raise InvalidOptionError(
            f"the {row.name} format has one move for each position, but strategies of Muller games "
            f"are machines; these store them: {_listed('machines')}"
        )


def sniff(data: bytes, kind: str = "graph") -> FormatRow:
    """The format of a file that has no name, by its first bytes; by default an edge list.

    >>> sniff(b'{"format": "zermelo-game"}').name, sniff(b"0 1").name
    ('json', 'edgelist')
    """
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip()
    for row in FORMATS:
        if kind in row.holds and row.magic and re.match(row.magic.encode(), start, re.IGNORECASE):
            return row
    return next(row for row in FORMATS if kind in row.holds and not row.magic)
