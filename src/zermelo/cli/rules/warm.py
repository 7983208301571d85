"""``zermelo warm``: compile ahead what later commands would wait for."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

import zermelo as zm
from zermelo.cli.complete import Items, games, matching
from zermelo.cli.inputs.rules import load, running_rules
from zermelo.cli.options import JSON, flag
from zermelo.cli.output.progress import Meter
from zermelo.cli.output.show import count, duration, on_terminal, print_json, print_rows
from zermelo.errors import InvalidOptionError
from zermelo.registry import GAMES

GRAPH_SIZE = 100_000
"""Positions of the games that are solved: large games have kernels that small ones do not need."""

COLUMNS = ("part", "kernels", "seconds")


class Part(NamedTuple):
    """A part of the library that can be compiled ahead."""

    summary: str
    run: Callable[[], object]


def _graphs() -> None:
    import numpy as np

    game = zm.generators.random_graph(n=GRAPH_SIZE, degree=3.0, seed=1)
    graph = zm.solve(game).graph
    ends = np.flatnonzero(np.diff(graph.indptr) == 0).tolist()
    payoffs = zm.TerminalPayoff({v: v % 3 for v in ends}, infinite=1)
    for objective in (zm.Misere(), zm.Asymmetric(), payoffs):
        zm.solve(graph, objective)
    owned = zm.Graph.from_csr(graph.indptr, graph.indices, owner=_half(graph.n))
    for owned_objective in (zm.NormalPlay(), zm.Reach([0]), zm.Safety(range(1, graph.n))):
        zm.solve(owned, owned_objective)


def _parity() -> None:
    import tempfile

    import numpy as np

    graph = zm.solve(zm.generators.random_graph(n=GRAPH_SIZE, degree=3.0, seed=1)).graph
    owned = zm.Graph.from_csr(graph.indptr, graph.indices, owner=_half(graph.n))
    priority = np.arange(graph.n) % 7
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "game.pg")
        zm.write(zm.solve(owned, zm.Parity(priority)), os.path.join(folder, "game.sol"))
        zm.write(zm.Game(owned, zm.Parity(priority)), path)
        zm.solve(zm.read(path))
    zm.solve(owned, zm.Buchi(range(0, graph.n, 3)))
    zm.solve(owned, zm.CoBuchi(range(0, graph.n, 3)))


def _sums() -> None:
    graph = zm.solve(zm.generators.random_graph(n=1000, degree=2.0, seed=1)).graph
    zm.grundy(graph)
    zm.heap("0.77").nim_sequence(1000)
    zm.kernel(zm.Graph.from_edges([(v, w) for v in range(300) for w in range(v % 3, v, 7)]))
    zm.maximum_matching(graph)


def _values() -> None:
    rules: Any = zm.game("domineering:4x4")
    zm.game_values(rules)[rules.start()]
    zm.value("{3|1||-2} + ^*")


PARTS = {
    "graphs": Part("games on graphs that end: normal play, payoffs, reachability", _graphs),
    "parity": Part("parity and Büchi games, and PGSolver's files", _parity),
    "sums": Part("Grundy values, heap games, matchings", _sums),
    "values": Part("values of partizan games", _values),
}
"""The parts of the library."""


def _half(n: int) -> Any:
    import numpy as np

    return np.arange(n) % 2


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> Items:
    """Names of parts of the library, then of games."""
    parts = {name: part.summary for name, part in PARTS.items()}
    return [*matching(parts, incomplete), *games(ctx, param, incomplete)]


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1, shell_complete=_complete)
@flag("--list listing", "List the parts of the library.")
@JSON
def command(names: tuple[str, ...], listing: bool, as_json: bool) -> None:
    """Compile the kernels of the library, or those of what is named, and keep them on disk.

    NAME is a part of the library, or a game with its parameters; without parameters it is the
    example that zermelo games shows. One machine code serves all chess endgames without pawns, and
    another those with pawns: chess stands for both. Without a NAME all parts of the library are
    compiled. What is compiled already takes no time, and an interrupted command loses one kernel
    at most.

    \b
    zermelo warm
    zermelo warm parity chess connect4:5x4
    """
    from zermelo._runtime.compiled.jit import interpreting
    from zermelo._runtime.compiled.store import cache_directory

    if listing:
        if names:
            raise click.UsageError("expected --list or names, got both")
        _list(as_json)
        return
    if interpreting():
        raise InvalidOptionError(
            "kernels are interpreted here; unset ZERMELO_KERNELS and NUMBA_DISABLE_JIT"
        )
    jobs = {name: _job(name) for name in names or PARTS}
    directory = cache_directory()
    if directory is None:
        raise InvalidOptionError("nothing can be kept here; see the warning for what to do")
    with Meter() as meter, _compiling_always():
        rows = [(name, *_warm(name, jobs[name], meter)) for name in jobs]
    _show(rows, directory, as_json)


def _job(name: str) -> Callable[[], object]:
    """What compiles a part of the library or a game."""
    if name in PARTS:
        return PARTS[name].run
    from zermelo.rules.base import as_rules

    known = name.partition(":")[0] in GAMES
    examples = [GAMES[name].example] if known and ":" not in name else [name]
    if name == "chess":
        examples = ["chess:KRvK", "chess:KPvK"]
    found = [as_rules(load(example)) for example in examples]

    def run() -> None:
        from zermelo.tables.solving.prepare import prepare

        for rules in found:
            if isinstance(rules, zm.CompiledRules):
                prepare(rules)

    return run


def _warm(name: str, job: Callable[[], object], meter: "Meter") -> tuple[int, float]:
    """Compile one part: how many kernels, and how many seconds."""
    from zermelo._runtime.progress import waits

    meter.stage(f"warming {name}")
    before = len(waits)
    with running_rules():
        job()
    new = waits[before:]
    return len(new), sum(wait.seconds for wait in new)


@contextmanager
def _compiling_always() -> Iterator[None]:
    """Compile every kernel that runs, however small its job is."""
    before = dict(os.environ)
    os.environ["ZERMELO_KERNELS"] = "compile"
    try:
        yield
    finally:
        os.environ.pop("ZERMELO_KERNELS")
        os.environ.update(before)


def _list(as_json: bool) -> None:
    rows = [(name, part.summary) for name, part in PARTS.items()]
    if as_json:
        print_json({"parts": [{"part": name, "summary": text} for name, text in rows]})
    else:
        print_rows(("part", "summary"), rows)


def _show(rows: list[tuple[str, int, float]], directory: str, as_json: bool) -> None:
    if as_json:
        parts = [dict(zip(COLUMNS, (n, k, round(s, 3)), strict=True)) for n, k, s in rows]
        print_json({"directory": directory, "parts": parts})
    elif on_terminal():
        for name, kernels, seconds in rows:
            text = f"{count(kernels, 'kernel')} compiled, {duration(seconds)}"
            print(f"{name}: {text if kernels else 'nothing to compile'}")
        print(f"kept in {directory}")
    else:
        print_rows(COLUMNS, [(name, kernels, f"{seconds:.1f}") for name, kernels, seconds in rows])
