"""What it would take to solve a game: :func:`plan`."""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from zermelo._inputs.values import flag, shown, whole_number
from zermelo._runtime.files import check_path
from zermelo._runtime.memory import byte_count, show_size
from zermelo.engines.partitions.budget import Budget
from zermelo.errors import InvalidOptionError
from zermelo.formats.binary.shards import Shards
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.objectives import Objective
from zermelo.planning.census import Census, Sampling
from zermelo.planning.from_files import census_of_file, census_of_game
from zermelo.planning.from_rules import census_of_rules
from zermelo.planning.machine import Machine, measure
from zermelo.planning.model import EnginePlan, engine_plans
from zermelo.registry import GAMES
from zermelo.rules.base import as_rules, is_rules
from zermelo.rules.faults import admit, blaming
from zermelo.rules.loading.load import load_rules
from zermelo.tables.solving.estimates import Estimate, show_count

SAMPLES = 100_000
"""Random indices that are looked at, and half of the positions that are explored."""

MAX_SAMPLES = 10**6

SAMPLING_SECONDS = 10.0
"""The time that sampling may take."""

NODE_MEMORY = 64 << 30
"""The memory of a node of a cluster, unless it is given."""

MAX_COUNT = 10**18
"""The largest number of positions or moves on paper."""


@dataclass(frozen=True)
class Plan:
    """What a game would take on each engine, and which engine fits; printing it gives a table."""

    census: Census
    engines: tuple[EnginePlan, ...]
    machine: Machine
    node_memory: int

    @property
    def recommended(self) -> EnginePlan:
        """The first engine that fits: memory, then disk, then the cluster, if only on paper."""
        return next((row for row in self.engines if row.fits), self.engines[-1])

    @property
    def positions(self) -> int:
        """The number of positions, perhaps an estimate."""
        return self.census.positions.value

    @property
    def moves(self) -> int:
        """The number of moves, perhaps an estimate."""
        return self.census.moves.value

    def engine(self, name: str) -> EnginePlan:
        """The row of an engine."""
        known = {row.engine: row for row in self.engines}
        if isinstance(name, str) and name in known:
            return known[name]
        raise InvalidOptionError(f"engine: expected one of {', '.join(known)}, got {shown(name)}")

    @property
    def advice(self) -> str:
        """A sentence about the engine to choose."""
        row = self.recommended
        if row.fits and row.engine == "memory":
            return f"solve it in memory: about {show_size(row.memory or 0)}"
        if row.fits and row.engine == "disk":
            return (
                f"solve it from disk (engine='disk'): {row.partitions:,} partitions, "
                f"{show_size(row.memory or 0)} of memory and {show_size(row.disk)} of files"
            )
        if row.memory is None:
            return f"this game does not fit: {self.engines[0].reason}"
        paper = "" if row.fits else f" ({row.reason})"
        return (
            f"it takes a cluster (engine='dask') of {row.nodes:,} nodes with "
            f"{show_size(self.node_memory)} each{paper}"
        )

    def facts(self) -> list[tuple[str, str]]:
        """What is known of the game."""
        census = self.census
        facts = [
            ("game", census.name),
            ("positions", str(census.positions)),
            ("moves", str(census.moves)),
            ("counted by", census.method),
            ("layers", census.layers),
        ]
        if census.table is not None:
            facts.insert(3, ("entries of a table", str(census.table.slots)))
        return [*facts, *(("note", note) for note in census.notes), ("advice", self.advice)]

    COLUMNS = (
        "engine", "fits", "memory", "files", "messages", "partitions", "nodes", "time", "remark",
    )  # fmt: skip

    def rows(self) -> list[tuple[str, ...]]:
        """The table of engines as texts."""
        return [
            (
                row.engine,
                "yes" if row.fits else "no",
                "?" if row.memory is None else show_size(row.memory),
                show_size(row.disk) if row.disk else "-",
                show_size(row.messages) if row.messages else "-",
                f"{row.partitions:,}",
                f"{row.nodes:,}",
                _time(row),
                row.reason or "-",
            )
            for row in self.engines
        ]

    def record(self) -> dict[str, Any]:
        """The plan as plain data, for JSON."""
        census = self.census
        return {
            "game": census.name,
            "objective": census.keyword,
            "positions": census.positions.record(),
            "moves": census.moves.record(),
            "ends": census.ends.record(),
            "entries": None if census.table is None else census.table.slots.record(),
            "method": census.method,
            "layers": census.layers,
            "engines": [row.record() for row in self.engines],
            "recommended": self.recommended.engine,
            "node_memory": self.node_memory,
            "advice": self.advice,
            "machine": self.machine.record(),
        }

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.facts())
        lines = [f"{name:<{width}}  {value}" for name, value in self.facts()]
        table = [self.COLUMNS, *self.rows()]
        widths = [max(len(row[k]) for row in table) for k in range(len(self.COLUMNS))]
        for row in table:
            fields = [text.ljust(size) for text, size in zip(row, widths, strict=True)]
            lines.append("  ".join(fields).rstrip())
        return "\n".join(lines)


def plan(
    game: Any = None,
    objective: Objective | None = None,
    *,
    memory: int | str | None = None,
    cores: int | None = None,
    node_memory: int | str = NODE_MEMORY,
    samples: int = SAMPLES,
    seconds: float = SAMPLING_SECONDS,
    seed: int = 0,
    symmetry: bool = True,
    distances: bool = True,
    format: str | None = None,
    workdir: str | os.PathLike[str] | None = None,
    positions: int | None = None,
    moves: int | None = None,
    machine: Machine | None = None,
) -> Plan:
    """Estimate what solving a game takes: positions, moves, bytes and time on each engine.

    ``game`` is a game or a graph, rules or the name of a game, or the path of a file or of shards.
    Files tell their size by their header or by samples of their text; rules are sampled at
    ``samples`` random indices, or explored that far, for at most ``seconds``. Without a game,
    ``positions`` and ``moves`` give a size on paper. ``memory`` is the memory of this machine,
    ``node_memory`` that of a node of a cluster, and ``cores`` the cores of each. If ``distances``
    is False, a game given by rules gets a table of labels alone. ``machine`` has
    the measurements of an earlier plan, or of another machine; otherwise this one is measured, with
    the disk on which ``workdir`` is.
    docs/howto/plan.md states the model.

    >>> import zermelo as zm
    >>> found = zm.plan("tictactoe")
    >>> found.recommended.engine, found.census.table.slots.value
    ('memory', 6046)
    >>> large = zm.plan(positions=10**12, moves=4 * 10**12, machine=found.machine)
    >>> large.recommended.nodes
    1165
    """
    whole_number(samples, "samples", 1, MAX_SAMPLES)
    whole_number(seed, "seed", 0, 2**63 - 1)
    flag(symmetry, "symmetry")
    flag(distances, "distances")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds > 0:
        raise InvalidOptionError(f"seconds: expected a positive number, got {shown(seconds)}")
    if cores is not None:
        whole_number(cores, "cores", 1, 10**6)
    if objective is not None and not isinstance(objective, Objective):
        raise InvalidOptionError(
            f"objective: expected an objective or None, got {shown(objective)}"
        )
    if machine is not None and not isinstance(machine, Machine):
        raise InvalidOptionError(f"machine: expected that of a plan, got {shown(machine)}")
    if workdir is not None:
        check_path(workdir, "workdir")
        if not os.path.isdir(workdir):
            raise InvalidOptionError(f"workdir: expected a directory, got {shown(workdir)}")
    node = _bytes(node_memory, "node_memory")
    available = None if memory is None else _bytes(memory, "memory")
    if game is None:
        census = _on_paper(positions, moves, objective)
    elif positions is not None or moves is not None:
        raise InvalidOptionError("positions and moves are for a plan on paper, without a game")
    else:
        sampling = Sampling(samples, seconds, seed, symmetry, distances)
        census = _census(game, objective, format, sampling)
    if machine is None:
        machine = measure(available, cores, None if workdir is None else os.fspath(workdir))
    elif available is not None or cores is not None:
        memory_bytes, count = available or machine.memory, cores or machine.cores
        machine = replace(machine, memory=memory_bytes, cores=count)
    budget = Budget.of(machine.memory * 3 // 4 if memory is None else memory)
    rows = engine_plans(census, machine, budget, node)
    return Plan(census, tuple(rows), machine, node)


def _bytes(size: int | str, name: str) -> int:
    return whole_number(byte_count(size, name) if isinstance(size, str) else size, name, 1)


def _census(game: Any, objective: Objective | None, format: str | None, how: Sampling) -> Census:
    """Count a game by what it is: rules, a file, or a game in memory."""
    if isinstance(game, Shards):
        game = game.path
    if isinstance(game, str) and format is None and _names_rules(game):
        game = load_rules(game)
    elif isinstance(game, str | os.PathLike):
        if os.fspath(game) == "-":
            raise InvalidOptionError("a plan needs a file that can be read twice, not a stream")
        return census_of_file(os.fspath(game), objective, format, how.seed)
    if isinstance(game, Game | Graph | tuple):
        return census_of_game(game, objective, "a game in memory")
    if not is_rules(game):
        raise InvalidOptionError(
            f"expected a game, a graph, rules or the path of a file, got {shown(game)}"
        )
    with blaming(game):
        rules = as_rules(game)
        admit(rules)
        return census_of_rules(rules, objective, how)


def _names_rules(text: str) -> bool:
    if text.endswith(".py") or ".py:" in text:
        return True
    return not Path(text).exists() and text.partition(":")[0] in GAMES


def _on_paper(positions: int | None, moves: int | None, objective: Objective | None) -> Census:
    if positions is None:
        raise InvalidOptionError("expected a game, or positions and moves on paper")
    n = whole_number(positions, "positions", 0, MAX_COUNT)
    m = whole_number(4 * n if moves is None else moves, "moves", 0, MAX_COUNT)
    family = "terminal" if objective is None else objective.family
    keyword = "normal" if objective is None else objective.keyword
    method = "on paper" if moves is not None else "on paper, with four moves for each position"
    return Census("on paper", Estimate.exact(n), Estimate.exact(m), Estimate(n // 10, 0, n), method,
                  family=family, keyword=keyword)  # fmt: skip


def _time(row: EnginePlan) -> str:
    """The time of everything and of a layer, with two digits."""
    if row.seconds is None:
        return "?"
    layer = f" + {show_seconds(row.layer_seconds)} a layer" if row.layer_seconds > 5e-7 else ""
    return f"{show_seconds(row.seconds)}{layer}"


def show_seconds(seconds: float) -> str:
    """A time that is known roughly.

    >>> show_seconds(0.0123), show_seconds(75), show_seconds(1e9)
    ('12 ms', '1.2 min', '31.7 years')
    """
    if seconds < 0.001:
        return "1 ms" if seconds > 0.0005 else f"{seconds * 1e6:.0f} µs"
    for limit, size, unit in _UNITS:
        if seconds < limit:
            return f"{seconds / size:.0f} ms" if unit == "ms" else f"{seconds / size:.1f} {unit}"
    return f"{show_count(round(seconds / 31_557_600))} years"


_UNITS = (
    (1, 0.001, "ms"),
    (60, 1, "s"),
    (3600, 60, "min"),
    (86_400, 3600, "h"),
    (31_557_600, 86_400, "days"),
    (31_557_600_000, 31_557_600, "years"),
)
"""Up to which time a unit is used, its length in seconds, and its name."""
