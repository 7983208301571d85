"""What a game would take on each engine: the model of docs/howto/plan.md.

Bytes are those of the engines' own estimates. Times are counts multiplied by what was measured on
this machine. The number of layers is not known before a game is solved, so the time of a layer
stands beside the time of everything else.
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from zermelo._runtime.memory import show_size
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.partitions.division import MAX_PARTITIONS
from zermelo.engines.partitions.estimate import (
    KEY_BYTES,
    MARK_BYTES,
    MAX_NUMBERED_POSITIONS,
    Size,
    TableFiles,
    disk_bytes,
    held_bytes,
    message_bytes,
    partitions_for,
    prepared_bytes,
    whole_bytes,
)
from zermelo.engines.partitions.estimate import table_bytes as table_files
from zermelo.objectives import NormalPlay
from zermelo.planning.census import Census
from zermelo.planning.machine import Machine
from zermelo.solvers.infinite.frame import estimate as parity_bytes
from zermelo.solvers.quantitative.frame import estimate_game as weighted_bytes
from zermelo.solvers.terminal.retrograde import bytes_for
from zermelo.tables.solving.slot_ways import list_bytes

ROUND_TRIP = 0.03
"""Seconds of a layer on a cluster: orders to all workers and their reports. Not measured."""

NETWORK_SPEED = 1e8
"""Bytes that a node sends or receives in a second: Ethernet of 1 Gbit/s. Not measured."""

PREPARED_PASSES = 4
"""How often the disk reads or writes what is prepared, until it is sorted."""

SNAPSHOT_AFTER = 60.0
"""A job of fewer seconds writes no snapshot."""

MEMORY_READS, DISK_READS = 3, 4
"""How often a move leads to a random place: when it is sorted by its target, and when it is used
in the wave. A larger array has slower random places than that of the game that was measured."""

ON_PAPER = f"on paper: this version numbers at most {MAX_NUMBERED_POSITIONS:,} positions"


@dataclass(frozen=True)
class EnginePlan:
    """What a game would take on one engine."""

    engine: str
    fits: bool
    reason: str
    """Why it does not fit, or a remark."""
    memory: int | None
    """Bytes of each process, or of each node."""
    disk: int = 0
    """Bytes of files, on all nodes together."""
    messages: int = 0
    """Bytes of messages of the whole run, at most."""
    partitions: int = 1
    nodes: int = 1
    seconds: float | None = None
    """Everything but the layers; None if there is no model."""
    layer_seconds: float = 0.0
    """The least time of a layer."""

    def record(self) -> dict[str, object]:
        """The row as plain data."""
        return dict(self.__dict__)


def engine_plans(
    census: Census, machine: Machine, budget: Budget, node_memory: int
) -> list[EnginePlan]:
    """A row for each engine."""
    rows = [_in_memory(census, machine)]
    if census.family == "terminal":
        rows += [_on_disk(census, machine, budget), _on_cluster(census, machine, node_memory)]
    else:
        reason = f"a game of {census.keyword} is solved in memory"
        rows += [EnginePlan(name, False, reason, None) for name in ("disk", "dask")]
    return rows


def _fits(needed: int | None, free: int) -> tuple[bool, str]:
    if needed is None:
        return False, "nothing is known about its memory"
    if needed > free:
        return False, f"{show_size(free)} are available"
    return True, ""


# -------------------------------------------------------------------- in memory


def memory_bytes(census: Census) -> int | None:
    """Bytes at the peak of solving in memory; None if there is no estimate."""
    n, m = census.positions.value, census.moves.value
    if census.table is not None:
        return table_bytes(census)
    graph = 8 * (n + 1) + 4 * m + census.owned * n
    explored = census.position_bytes * n
    if census.family == "terminal":
        return graph + explored + bytes_for(n, m, bool(census.shift), census.code_bytes)
    # The estimates of these solvers read nothing of a graph but its size.
    sizes: Any = SimpleNamespace(
        n=n, m=m, owner=census.owned or None, terminals=SimpleNamespace(size=census.ends.value)
    )
    if census.family == "parity":
        return graph + explored + parity_bytes(sizes)
    if census.family == "quantitative":
        times = 3 if census.keyword == "mean-payoff" else 1
        return graph + explored + times * weighted_bytes(sizes, NormalPlay())
    return None


def table_bytes(census: Census) -> int:
    """Bytes at the peak of building a table."""
    table = census.table
    assert table is not None
    slots = table.slots.value
    entries = slots * table.entry_bytes
    stored = 0 if table.unmoves or not table.inside.value else list_bytes(slots, table.inside.value)
    if table.indexed:
        return entries + stored + table.sets
    return max(8 * (slots + table.before), 8 * slots + entries + stored)


def _in_memory(census: Census, machine: Machine) -> EnginePlan:
    needed = memory_bytes(census)
    fits, reason = _fits(needed, machine.memory)
    if fits and census.table is None and census.positions.value > MAX_NUMBERED_POSITIONS:
        fits, reason = False, ON_PAPER
    seconds, layer = None, 0.0
    if census.table is not None:
        seconds, layer = _table_seconds(census, machine)
    elif census.family == "terminal":
        seconds = _graph_seconds(census, machine)
    return EnginePlan("memory", fits, reason, needed, seconds=seconds, layer_seconds=layer)


def _graph_seconds(census: Census, machine: Machine) -> float:
    """Solving a graph: the rules make each move once, and the wave reads each once."""
    n, m = census.positions.value, census.moves.value
    more = machine.access(4 * n << census.shift) - machine.access(4 * machine.measured_items // 5)
    wave = (n + m) * machine.memory_item + MEMORY_READS * (m << census.shift) * max(0.0, more)
    return n * census.position_seconds + wave


def _table_seconds(census: Census, machine: Machine) -> tuple[float, float]:
    """Building a table, by all cores: everything but the layers, and a layer.

    A tier that is solved by sets takes about as long as making its moves three times, all layers
    included.
    """
    table, n, m = census.table, census.positions.value, census.moves.value
    assert table is not None
    one_by_one = 1 - table.by_sets
    passes = 2 + table.explored
    if table.inside.value:
        passes += 1 if table.unmoves else 2
    each = n * census.position_seconds + m * machine.access(table.slots.value * table.entry_bytes)
    scans = 2 * table.slots.value * machine.scan if table.inside.value else 0.0
    by_sets = 3 * table.by_sets * n * census.position_seconds
    seconds = one_by_one * passes * each + by_sets
    return seconds / machine.cores, one_by_one * scans / machine.cores


# -------------------------------------------------------------------- partitions


def _on_disk(census: Census, machine: Machine, budget: Budget) -> EnginePlan:
    size, work = census.size, census.work
    partitions = partitions_for(work, budget)
    needed = held_bytes(work, budget, partitions)
    seconds = _partitioned_seconds(census, machine, size, partitions, 1)
    shares = max(1.0, whole_bytes(work) / budget.partition)  # only the last one is smaller
    files = _files(census, work, shares, snapshots=seconds > SNAPSHOT_AFTER)
    if files > machine.memory:  # the cache of the system does not keep the files
        stored = size._replace(moves=_inside(census), stored=work.stored)
        seconds += (PREPARED_PASSES * prepared_bytes(stored)) / machine.disk_speed
    messages = message_bytes(size._replace(moves=_inside(census)), partitions)
    layer = 0.0 if partitions == 1 else machine.disk_layer * partitions / 2
    if size.positions > MAX_NUMBERED_POSITIONS:
        fits, reason = False, ON_PAPER
    elif partitions > MAX_PARTITIONS:
        fits, reason = False, f"more than {MAX_PARTITIONS:,} partitions; give more memory"
    elif files > machine.disk_free:
        fits, reason = False, f"{show_size(machine.disk_free)} are free on the disk"
    else:
        fits, reason = True, ""
    return EnginePlan("disk", fits, reason, needed, files, messages, partitions, 1, seconds, layer)


def nodes_for(size: Size, node_memory: int) -> int:
    """Nodes whose memory holds all partitions, which take five eighths of it.

    >>> nodes_for(Size(10**12, 4 * 10**12, 10**11), 64 << 30)
    1165
    """
    return max(1, -(-whole_bytes(size) // max(1, Budget(node_memory).residents)))


def _on_cluster(census: Census, machine: Machine, node_memory: int) -> EnginePlan:
    size = census.size  # all tiers are solved together
    nodes = nodes_for(size, node_memory)
    partitions = nodes * machine.cores
    share = -(-whole_bytes(size) // nodes)
    seconds = _partitioned_seconds(census, machine, size, partitions, nodes * machine.cores)
    messages = message_bytes(size, partitions)
    seconds += 2 * messages / (NETWORK_SPEED * nodes)
    snapshots = seconds > SNAPSHOT_AFTER
    files = _files(census, size, partitions, snapshots=snapshots, together=True)
    seconds += files / (machine.disk_speed * nodes)
    fits, reason = True, "disks and network are assumed"
    if size.positions > MAX_NUMBERED_POSITIONS:
        fits, reason = False, ON_PAPER
    return EnginePlan(
        "dask", fits, reason, share, files, messages, partitions, nodes, seconds, ROUND_TRIP
    )


def _inside(census: Census) -> int:
    """Moves that are stored or sent: those within tiers."""
    return census.moves.value if census.table is None else census.table.inside.value


def _files(
    census: Census, work: Size, partitions: float, *, snapshots: bool, together: bool = False
) -> int:
    """Bytes of the directory of a job whose largest tier is ``work``, or all tiers ``together``."""
    table = census.table
    if table is None:
        return disk_bytes(work, partitions, snapshots=snapshots)
    n, tiered = census.size.positions, table.largest < 1 and not together
    if table.indexed:
        files = TableFiles(n, n, MARK_BYTES * n if table.explored else 0)
    else:
        files = TableFiles(n, n, KEY_BYTES * n, KEY_BYTES * n if tiered else 0)
    options = {"keyed": not table.indexed, "tiered": tiered, "snapshots": snapshots}
    return table_files(files, work, partitions, alone=table.alone, **options)


def _partitioned_seconds(
    census: Census, machine: Machine, size: Size, partitions: int, cores: int
) -> float:
    """Making, dealing, sorting and settling, while files are in the cache."""
    situations = -(-size.positions // partitions) << size.shift
    more = machine.access(4 * situations) - machine.access(4 * machine.measured_items // 5)
    work = (size.positions + size.moves) * machine.disk_item
    work += DISK_READS * (size.moves << size.shift) * max(0.0, more)
    return (work + 2 * size.positions * census.position_seconds) / cores
