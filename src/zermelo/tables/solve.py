"""Solve a game given by rules: a value and a distance for every position.

:func:`solve_rules` gives a :class:`SolvedGame`: an array ``entry`` with one unsigned integer a
position, laid out as :mod:`zermelo.tables.entry` says (kind in the two highest bits, distance
below, 0 for no position), and a way to find a position's place in it. There are three kinds:

``index``
    the rules have ``size``, ``rank`` and ``unrank``: entry ``rank(position)``, in all ``size``;
    0 where an index is no position, or one that play cannot reach;
``positions``
    compiled rules without an index: entry ``i`` is that of ``positions[i]``, which is sorted and
    holds canonical positions;
``names``
    plain rules: entry ``i`` is that of ``names[i]``, numbered as exploring finds them.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo._kernels.pairs import DIGIT, STACK, VALUES, deal, sort_pairs, take_together
from zermelo._kernels.tables_begin import count_entries
from zermelo._runtime.bind import bind
from zermelo._runtime.threads import Team
from zermelo.errors import InvalidObjectiveError, InvalidRulesError, UnknownPositionError
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array
from zermelo.objectives import Misere, NormalPlay, Objective
from zermelo.rules.base import as_rules
from zermelo.rules.compiled import CompiledRules, room_for
from zermelo.rules.explore import explore
from zermelo.rules.faults import admit, blaming, integer_of
from zermelo.rules.views import Alternating, ByPlayer, Hashed, Indexed, Unreduced, view
from zermelo.solve import solve
from zermelo.tables._waves import FEW, Waves
from zermelo.tables._work import WAY_OUT, Work
from zermelo.tables.entry import bits_of, distances, labels, pack
from zermelo.tables.explore import IndexExploration, TableExploration

Progress = Callable[[int, int, str], object]

COUNTED = 1 << 22
"""Entries counted at a time."""


@dataclass(frozen=True, eq=False)
class SolvedGame:
    """A solved game in memory: entries, and where each position's is."""

    rules: Any
    objective: Objective
    kind: str
    """``"index"``, ``"positions"`` or ``"names"``, see above."""
    entry: AnyArray
    positions: Int64Array | None = None
    names: tuple[Hashable, ...] | None = None
    symmetry: bool = True
    """Whether one entry stands for all positions of a canonical form."""
    stats: dict[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """How many entries there are; of kind ``index``, also those of no position."""
        return int(self.entry.size)

    @property
    def label(self) -> Int8Array:
        """The label of every entry, made when asked for."""
        return labels(self.entry)

    @property
    def distance(self) -> Int32Array:
        """The distance of every entry, made when asked for."""
        return distances(self.entry)

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return {x: v for v, x in enumerate(self.names or ())}

    def place(self, position: Any) -> int:
        """The number of a position's entry, −1 where it has none."""
        if self.kind == "names":
            return self._numbers.get(position, -1)
        if isinstance(position, bool) or not isinstance(position, int | np.integer):
            return -1
        x = int(position)
        x = integer_of(self.rules, "canonical", x) if self.symmetry else x
        if self.kind == "index":
            i = integer_of(self.rules, "rank", x)
            own = 0 <= i < self.n and self.entry[i] and self.rules.unrank(i) == x
            return i if own else -1
        assert self.positions is not None
        i = int(np.searchsorted(self.positions, x))
        return i if i < self.n and self.positions[i] == x else -1

    def __getitem__(self, position: Any) -> tuple[int, int]:
        """The label and the distance of a position.

        >>> from zermelo.rules.impartial.nim import Nim
        >>> solve_rules(Nim(1, 2))[(1, 1)]
        (-1, 2)
        """
        i = self.place(position)
        if i < 0:
            raise UnknownPositionError(f"play cannot reach the position {self._shown(position)}")
        one = self.entry[i : i + 1]
        return int(labels(one)[0]), int(distances(one)[0])

    def _shown(self, position: Any) -> str:
        try:
            return str(self.rules.show(position))
        except Exception:  # it may be no position at all
            return repr(position)

    def counts(self) -> dict[str, int]:
        """How many positions there are of each kind, and the longest distances.

        Where one entry stands for all positions of a canonical form, each of them counts.

        >>> from zermelo.rules.impartial.nim import Nim
        >>> solve_rules(Nim(1, 2)).counts()["lose"]
        2
        """
        totals = np.zeros(7, np.int64)
        if self.kind == "names":
            label, distance = self.label, self.distance
            kind = np.where((label == 0) & (distance < 0), 0, label + 2)
            totals[:4] = np.bincount(kind, minlength=4)
            for k in (1, 2, 3):
                totals[3 + k] = distance[kind == k].max(initial=0)
        else:
            keys = np.zeros(1, np.int64) if self.positions is None else self.positions
            job = bind(count_entries, view_of(self.rules, symmetry=self.symmetry))
            for start in range(0, self.n, COUNTED):
                stop = min(start + COUNTED, self.n)
                job(keys, self.entry, totals, start, stop, bits_of(self.entry))
        draw, lose, tie, win, longest_lose, _, longest_win = totals.tolist()
        return {
            "positions": draw + lose + tie + win,
            "win": win,
            "lose": lose,
            "tie": tie,
            "draw": draw,
            "longest_win": longest_win,
            "longest_lose": longest_lose,
        }


def solve_rules(
    rules: Any,
    objective: Objective | None = None,
    *,
    symmetry: bool = True,
    memory: int | None = None,
    progress: Progress | None = None,
    checkpoint: Any = None,
) -> SolvedGame:
    """Solve a game given by rules, plain or compiled.

    ``objective`` is what the rules say unless given (:class:`~zermelo.Misere` turns outcomes
    around). ``memory`` is how many bytes may be used. ``progress`` is called with (done, total,
    what). ``checkpoint`` is an object with ``load()``, which gives a state or None, and
    ``save(state)``, called now and then with a dictionary of integers and arrays.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> solve_rules(Nim(3, 4, 5))[(3, 4, 5)]
    (1, 11)
    """
    with blaming(rules):
        admit(rules)
        return _solve(rules, objective, symmetry, memory, progress, checkpoint)


def _solve(
    rules: Any, objective: Objective | None, symmetry: bool, memory: int | None, progress: Any,
    checkpoint: Any,
) -> SolvedGame:  # fmt: skip
    if not isinstance(rules, CompiledRules):
        return _solve_plain(rules, objective, symmetry, progress)
    if objective is None or isinstance(objective, NormalPlay | Misere):
        sign = -1 if isinstance(objective, Misere) else 1
        with Team() as team:
            work = Work(team, memory, progress, checkpoint)
            return _solve_waves(rules, objective or NormalPlay(), sign, symmetry, work)
    return _solve_graph(rules, objective, symmetry, progress)


def _solve_waves(
    rules: CompiledRules, objective: Objective, sign: int, symmetry: bool, work: Work
) -> SolvedGame:
    """Solve compiled rules without storing moves, where that can be helped."""
    symmetry = symmetry and rules.has("canonical")
    wide = room_for(rules, "moves") >= (1 << 13) - 2
    indexed = has_index(rules, symmetry)
    seen = view_of(rules, symmetry=symmetry)
    kind: Any = np.uint32 if wide else np.uint16
    state = work.load()
    step = state.get("step", "")
    keys: Any = np.zeros(1, np.int64)
    if indexed:
        entry = _entries(seen.size, kind, work, state)
        if rules.reachable and step != "solve":
            IndexExploration(seen, work, entry, saved=bool(step)).run()
    else:
        keys = state.get("keys")
        if step != "solve":
            table = TableExploration(seen, work, keys)
            table.run()
            keys = table.keys
        entry = _entries(keys.size, kind, work, state)
    explored = work.seconds
    waves = Waves(seen, work, keys, entry, sign)
    if step == "solve":
        waves.restore(state)
    else:
        waves.mark(whole=not (indexed and rules.reachable))
        work.save(waves.state)
    waves.run()
    made = {
        "explore_seconds": explored,
        "solve_seconds": work.seconds - explored,
        "peak_bytes": work.peak,
        "longest": waves.longest,
    }
    entry = waves.entry
    if indexed:
        return SolvedGame(rules, objective, "index", entry, symmetry=symmetry, stats=made)
    del waves
    n = sorted_together(keys, entry, work.team)
    return SolvedGame(
        rules,
        objective,
        "positions",
        entry[:n].copy(),
        positions=keys[:n].copy(),
        symmetry=symmetry,
        stats=made,
    )


def sorted_together(keys: Int64Array, entry: AnyArray, team: Team) -> int:
    """Move the positions of a table to its front and sort them, with their entries, in place."""
    n = take_together(keys, entry)
    shift = max(0, (int(keys[:n].max(initial=0)).bit_length() - 1) // DIGIT * DIGIT)
    ends = np.zeros(2 * VALUES, np.int64)
    cuts = [0, n]
    if n > FEW and shift:
        deal(keys, entry, 0, n, shift, ends)
        cuts, shift = [*ends[VALUES:].tolist(), n], shift - DIGIT
    calls = [
        (keys, entry, (start, stop, shift), np.zeros_like(ends), np.zeros(STACK, np.int64))
        for start, stop in pairwise(cuts)
        if start < stop
    ]
    team.run(sort_pairs, calls)
    return n


def has_index(rules: CompiledRules, symmetry: bool) -> bool:
    """Whether entries are by the rules' own index: it goes by canonical forms."""
    size: Any = rules.size
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 0:
        raise InvalidRulesError(f"size: expected a number of indices, got {size!r}")
    return bool(size) and (symmetry or not rules.has("canonical"))


def view_of(rules: CompiledRules, *, symmetry: bool) -> Any:
    """The rules as the kernels want them."""
    base = rules if symmetry else view(rules, Unreduced)
    space = Indexed if has_index(rules, symmetry) else Hashed
    return view(base, space, ByPlayer if rules.has("player") else Alternating)


def _entries(n: int, kind: Any, work: Work, state: dict[str, Any]) -> AnyArray:
    """An array of entries, or the one that was saved."""
    size = n * np.dtype(kind).itemsize
    found: AnyArray | None = state.get("entry")
    if found is None:
        work.ask(size, f"solving {n:,} positions", WAY_OUT)
        found = np.zeros(n, kind)
    work.held += size
    return found


def _solve_plain(
    rules: Any, objective: Objective | None, symmetry: bool, progress: Any
) -> SolvedGame:
    """Solve plain rules by way of their graph."""
    rules = as_rules(rules)
    graph, own = explore(rules, symmetry=symmetry, progress=progress)
    objective = objective or own
    solution: Any = solve(graph, objective, progress=progress)
    if solution.label.ndim != 1:
        raise InvalidObjectiveError(f"{objective.keyword}: plain rules do not say whose turn it is")
    entry = pack(solution.label, solution.distance)
    return SolvedGame(rules, objective, "names", entry, names=graph.names, symmetry=symmetry)


def _solve_graph(
    rules: CompiledRules, objective: Objective, symmetry: bool, progress: Any
) -> SolvedGame:
    """Solve compiled rules by way of their graph: an objective in which the players differ."""
    if rules.has("outcome") or not rules.has("player"):
        raise InvalidObjectiveError(
            f"{objective.keyword}: expected rules that say whose turn it is (player) and leave it "
            "to the objective what a stuck player gets (no outcome)"
        )
    graph, _ = explore(rules, symmetry=symmetry, progress=progress)
    solution: Any = solve(graph, objective, progress=progress)
    found = np.array(graph.names, np.int64)
    order = np.argsort(found)
    entry = pack(solution.label, solution.distance)[order]
    positions = found[order]
    return SolvedGame(rules, objective, "positions", entry, positions=positions, symmetry=symmetry)
