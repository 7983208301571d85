"""Solve a game given by rules: a label and a distance for every position.

:func:`solve_rules` gives a :class:`~zermelo.tables.solved.SolvedGame`. Compiled rules are solved by
backward waves, without storing moves; plain rules, and objectives in which the players differ, by
way of the game's graph.
"""

from itertools import pairwise
from typing import Any

import numpy as np

from zermelo._kernels.positions.pairs import DIGIT, STACK, VALUES, deal, sort_pairs, take_together
from zermelo._runtime.progress import Progress, reporting
from zermelo._runtime.threads import Team
from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph
from zermelo.labels import AnyArray, Int64Array
from zermelo.objectives import Misere, NormalPlay, Objective, TerminalPayoff
from zermelo.registry import choose_solver
from zermelo.rules.base import as_rules
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.conversion import CONVERSION, require_conversions
from zermelo.rules.explore import explore
from zermelo.rules.faults import admit, blaming
from zermelo.tables.solved import SolvedGame
from zermelo.tables.solving.explore import IndexExploration, TableExploration
from zermelo.tables.solving.forecast import Forecast
from zermelo.tables.solving.job import WAY_OUT, Job
from zermelo.tables.solving.measures import entry_type, label_type, measures_of
from zermelo.tables.solving.set_ways import set_bytes
from zermelo.tables.solving.waves import MAX_SERIAL_SLOTS, Waves
from zermelo.tables.storage.entries import MemoryEntries, has_index, view_of


def solve_rules(
    rules: Any,
    objective: Objective | None = None,
    *,
    symmetry: bool = True,
    memory: int | None = None,
    progress: Progress = None,
    checkpoint: Any = None,
    distances: bool | str = True,
    tier_files: Any = None,
    held: int = 0,
) -> SolvedGame:
    """Solve a game given by rules, plain or compiled.

    ``objective`` is that of the rules unless given (:class:`~zermelo.Misere` turns outcomes
    around). ``memory`` is the number of bytes that may be used, ``held`` of which are in use
    already. ``progress`` is True for a line on stderr, or a function of (done, total, what).
    ``checkpoint`` is an object with ``load()``, which gives a state or None, and ``save(state)``,
    called now and then with a dictionary of integers and arrays. If ``distances`` is False, the
    caller needs labels alone: compiled rules then take a byte for each position, and a distance
    that an entry has means nothing. If it is ``"conversion"``, won and lost positions have
    distances to conversion, and ties have none that mean anything. ``tier_files`` has the tiers
    that are solved already, and takes those that are solved now
    (:class:`~zermelo.tables.building.tier_files.TierFiles`).

    >>> from zermelo.rules.impartial.nim import Nim
    >>> print(solve_rules(Nim(3, 4, 5))[(3, 4, 5)])
    3+4+5: WIN in 11 by 1+4+5
    """
    with reporting(progress, "solve") as report, blaming(rules):
        admit(rules)
        if not isinstance(rules, CompiledRules):
            rules = as_rules(rules)  # those of a partizan game on a grid are compiled
        if distances == CONVERSION:
            require_conversions(rules, asked_objective(rules, objective))
        objective = asked_objective(rules, objective)
        if not isinstance(rules, CompiledRules):
            return _solve_graph(rules, objective, symmetry, report)
        if objective is not None and not isinstance(objective, NormalPlay | Misere):
            require_players(rules, objective)
            return _solve_graph(rules, objective, symmetry, report)
        with Team() as team:
            job = Job(team, memory, report, checkpoint, tier_files, held)
            return _solve_waves(rules, objective, symmetry, job, distances)


def asked_objective(rules: Any, objective: Objective | None) -> Objective | None:
    """The objective that was asked for; None where outcomes and stuck players decide everything.

    >>> import zermelo as zm
    >>> asked_objective(zm.game("tictactoe"), None), asked_objective(zm.game("nim:1"), zm.Misere())
    (None, Misere())
    """
    if objective is not None:
        return objective
    own: Objective = rules.objective()
    return None if isinstance(own, NormalPlay | TerminalPayoff) else own


def _solve_waves(
    rules: CompiledRules, objective: Objective | None, symmetry: bool, job: Job,
    distances: bool | str,
) -> SolvedGame:  # fmt: skip
    """Solve compiled rules, as far as possible without storing moves."""
    sign = -1 if isinstance(objective, Misere) else 1
    symmetry = symmetry and rules.has("canonical")
    indexed = has_index(rules, symmetry)
    seen = view_of(rules, symmetry=symmetry)
    dtype = entry_type(rules) if distances else label_type(rules)
    measures = measures_of(distances)
    state = job.load(int(seen.size) if indexed else None, Waves.shapes(), len(measures))
    step = state.get("step", "")
    keys: Any = np.zeros(1, np.int64)
    if indexed:
        whole = distances is True and not rules.reachable and sign == 1
        beside = set_bytes(seen, np.dtype(dtype).itemsize) if whole else 0
        entry = _entries(seen.size, dtype, job, state, beside)
        if rules.reachable and step != "solve":
            IndexExploration(seen, job, entry, saved=bool(step)).run()
    else:
        keys = state.get("keys")
        if step != "solve":
            ask = Forecast(rules, symmetry, job, np.dtype(dtype).itemsize)
            table = TableExploration(seen, job, keys, ask)
            table.run()
            keys = table.array
        entry = _entries(keys.size, dtype, job, state)
    explored = job.seconds
    waves = Waves(seen, job, (keys, entry), sign, measures)
    if step == "solve":
        waves.restore(state)
    else:
        if job.tier_files is not None:
            job.tier_files.begin(waves)
        else:
            waves.mark(whole=not (indexed and rules.reachable))
        job.save(waves.state)
    waves.run()
    stats = {
        "explore_seconds": explored,
        "solve_seconds": job.seconds - explored,
        "peak_bytes": job.peak,
        "longest": waves.longest,
    }
    entry = waves.entry
    common: dict[str, Any] = {
        "symmetry": symmetry,
        "stats": stats,
        "asked": objective,
        "turns": not rules.has("player"),
    }
    if indexed:
        return SolvedGame(rules, MemoryEntries(rules, symmetry, entry), **common)
    del waves
    n = sorted_together(keys, entry, job.team)
    positions, entry = keys[:n], entry[:n]
    if job.fits(positions.nbytes + entry.nbytes):  # then the rest of the table can be given back
        positions, entry = positions.copy(), entry.copy()
    return SolvedGame(rules, MemoryEntries(rules, symmetry, entry, positions), **common)


def sorted_together(keys: Int64Array, entry: AnyArray, team: Team) -> int:
    """Move the positions of a table to its front and sort them, with their entries, in place."""
    n = take_together(keys, entry)
    shift = max(0, (int(keys[:n].max(initial=0)).bit_length() - 1) // DIGIT * DIGIT)
    ends = np.zeros(2 * VALUES, np.int64)
    cuts = [0, n]
    if n > MAX_SERIAL_SLOTS and shift:
        deal(keys, entry, 0, n, shift, ends)
        cuts, shift = [*ends[VALUES:].tolist(), n], shift - DIGIT
    calls = [
        (keys, entry, (start, stop, shift), np.zeros_like(ends), np.zeros(STACK, np.int64))
        for start, stop in pairwise(cuts)
        if start < stop
    ]
    team.run(sort_pairs, calls)
    return n


def _entries(n: int, dtype: Any, job: Job, state: dict[str, Any], beside: int = 0) -> AnyArray:
    """An array of entries, or the one that was saved; more bytes are needed later ``beside`` it."""
    size = n * np.dtype(dtype).itemsize
    entry: AnyArray | None = state.get("entry")
    if entry is None:
        job.require(size + beside, f"solving {n:,} positions", WAY_OUT)
        entry = np.zeros(n, dtype)
    job.held += size
    return entry


def _solve_graph(
    rules: Any, objective: Objective | None, symmetry: bool, progress: Any
) -> SolvedGame:
    """Solve rules by way of their graph: plain ones, or an objective in which the players differ.

    ``objective`` is None where outcomes and stuck players decide everything.
    """
    graph, own = explore(rules, symmetry=symmetry, progress=progress)
    played = objective or own
    solution = choose_solver(played).load()(graph, played, progress)
    if solution.label.ndim != 1:
        raise InvalidObjectiveError(f"{played.keyword}: plain rules do not tell which player moves")
    turns = not isinstance(rules, CompiledRules) and moves_in_turn(graph)
    return SolvedGame(rules, solution=solution, symmetry=symmetry, asked=objective, turns=turns)


def moves_in_turn(graph: Graph) -> bool:
    """Whether the players always move in turn; they do where positions have no owners."""
    if graph.owner is None:
        return True
    owner = np.repeat(graph.owner, graph.out_degree)
    return bool((owner != graph.owner[graph.indices]).all())


def require_players(rules: CompiledRules, objective: Objective) -> None:
    """Refuse rules that do not fit an objective in which the players differ."""
    if rules.has("outcome") or not rules.has("player"):
        raise InvalidObjectiveError(
            f"{objective.keyword}: expected rules that tell which player moves (player) and leave "
            "it to the objective what a stuck player gets (no outcome)"
        )
