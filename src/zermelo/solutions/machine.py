"""Strategies with memory, as machines that one can run and print."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

import numpy as np

from zermelo._inputs.values import (
    Checked,
    claim_array,
    claim_graph,
    one_of,
    sealed,
    shown,
    whole_number,
)
from zermelo._kernels.graphs.product import ALL_MOVES, Memory, explore
from zermelo._kernels.graphs.records import Moves
from zermelo.errors import CertificateError, InvalidOptionError
from zermelo.graph import Graph
from zermelo.labels import NO_MOVE, BoolArray, Int32Array
from zermelo.solutions.answers import Line

MAX_PRINTED_ENTRIES = 40
"""The greatest number of entries of a memory state that are printed."""


@dataclass(frozen=True, eq=False)
class Machine(Checked):
    """A finite-memory strategy of one player: M memory states, with a move for each position.

    At position v with memory m the player moves to ``moves[m, v]`` if v is hers, and whoever
    moved, the memory becomes ``after[m, letter[v]]``. Play may begin wherever ``winning``, with
    memory ``initial``.
    """

    graph: Graph
    player: int
    winning: BoolArray
    letter: Int32Array
    """The column of ``after`` for each position; positions with equal updates may share one."""
    after: Int32Array
    moves: Int32Array
    """Shape (M, n): the player's move, ``NO_MOVE`` where she has none or the pair never occurs."""
    initial: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        claim_graph(self, Graph)
        one_of(self.player, "player", (0, 1), CertificateError)
        if self.graph.owner is None:
            raise CertificateError("graph: expected owners, got none")
        n, after = self.graph.n, self.after
        if not isinstance(after, np.ndarray) or after.ndim != 2 or after.shape[0] == 0:
            raise CertificateError(f"after: expected a table of memory states, got {shown(after)}")
        size, width = after.shape
        claim_array(self, "winning", (n,), np.bool_, 0, 1)
        claim_array(self, "letter", (n,), np.int32, 0, width - 1)
        claim_array(self, "after", (size, width), np.int32, 0, size - 1)
        claim_array(self, "moves", (size, n), np.int32, NO_MOVE, n - 1)
        first = whole_number(self.initial, "initial", 0, size - 1, CertificateError)
        object.__setattr__(self, "initial", first)

    def __len__(self) -> int:
        """The number of memory states."""
        return int(self.after.shape[0])

    def __repr__(self) -> str:
        return f"Machine(player {self.player}, {_count(len(self), 'memory state')})"

    # ---------------------------------------------------------------- running

    def move(self, position: Hashable, memory: int | None = None) -> Hashable | None:
        """The player's move at a position; None where she has no move to make."""
        w = int(self.moves[self._memory(memory), self.graph.index(position)])
        return None if w == NO_MOVE else self.graph.name(w)

    def update(self, memory: int, position: Hashable) -> int:
        """The memory after the position was left."""
        return int(self.after[self._memory(memory), self.letter[self.graph.index(position)]])

    def _memory(self, memory: int | None) -> int:
        if memory is None:
            return self.initial
        number = whole_number(memory, "memory", None)
        if not 0 <= number < len(self):
            raise InvalidOptionError(f"memory: expected 0 … {len(self) - 1}, got {shown(number)}")
        return number

    def play(
        self,
        start: Hashable,
        opponent: Callable[[Hashable], Hashable] | None = None,
        limit: int | None = None,
    ) -> Line:
        """Play from a position that the player wins; ``opponent`` gives the other's moves.

        It is called with a position's name and returns that of the next; without one, the other
        player makes his first move everywhere. Play stops at a dead end, after ``limit`` moves
        (1,000 if ``opponent`` is given), or, without ``opponent``, where it begins to repeat.
        """
        v = self.graph.index(start)
        if not self.winning[v]:
            raise InvalidOptionError(f"player {self.player} does not win from {start!r}")
        if limit is not None:
            limit = whole_number(limit, "limit")
        if opponent is not None and not callable(opponent):
            raise InvalidOptionError(f"opponent: expected a function, got {shown(opponent)}")
        if limit is None and opponent is not None:
            limit = 1000
        line, memory = Line([self.graph.name(v)]), self.initial
        seen = {(v, memory): 0}
        while limit is None or len(line) <= limit:
            choice = self._step(v, memory, opponent)
            if choice is None:
                return line
            v, memory = choice, int(self.after[memory, self.letter[v]])
            line.append(self.graph.name(v))
            if opponent is None:
                if (v, memory) in seen:
                    line.cycle = seen[v, memory]
                    return line
                seen[v, memory] = len(line) - 1
        return line

    def _step(
        self, v: int, memory: int, opponent: Callable[[Hashable], Hashable] | None
    ) -> int | None:
        successors = self.graph.successors(v)
        if successors.size == 0:
            return None
        assert self.graph.owner is not None
        if self.graph.owner[v] == self.player:
            return int(self.moves[memory, v])
        if opponent is None:
            return int(successors[0])
        chosen = opponent(self.graph.name(v))
        w = self.graph.index(chosen)
        if w not in successors:
            raise InvalidOptionError(f"{self.graph.name(v)!r} has no move to {chosen!r}")
        return w

    # ---------------------------------------------------------------- printing

    def used(self) -> BoolArray:
        """Which pairs (memory, position) occur in play, as an array of shape (M, n)."""
        return reachable_pairs(
            self.graph,
            self.player,
            self.winning,
            self.letter,
            self.after,
            self.moves,
            initial=self.initial,
        )

    def __str__(self) -> str:
        """The machine as text: for each memory state its moves and its transitions."""
        states = _count(len(self), "memory state")
        lines = [f"player {self.player}: {states}, first {self.initial}"]
        used = self.used()
        for m in range(len(self)):
            rows = np.flatnonzero(used[m]).tolist()
            after = self.after[m, self.letter[rows]].tolist()
            lines.append(f"memory {m}")
            moves = [
                f"{self.graph.name(v)} → {self.graph.name(w)}"
                for v in rows[: 10 * MAX_PRINTED_ENTRIES]
                if (w := int(self.moves[m, v])) != NO_MOVE
            ]
            if moves:
                lines.append(f"  moves {_some(moves)}")
            for k in sorted(set(after) - {m}):
                on = [str(self.graph.name(v)) for v, a in zip(rows, after, strict=True) if a == k]
                lines.append(f"  goes to {k} on {_some(on)}")
        return "\n".join(lines)

    def to_dot(self) -> str:
        """The machine in Graphviz' language: memory states, and arrows "position / move"."""
        used = self.used()
        lines = ["digraph machine {", "  rankdir=LR;", '  start [shape=point, label=""];']
        lines += [f'  {m} [shape=circle, label="{m}"];' for m in range(len(self))]
        lines.append(f"  start -> {self.initial};")
        for m in range(len(self)):
            rows = np.flatnonzero(used[m]).tolist()
            after = self.after[m, self.letter[rows]].tolist()
            for k in sorted(set(after)):
                on = [self._arrow(m, v) for v, a in zip(rows, after, strict=True) if a == k]
                text = "\n".join(on[:MAX_PRINTED_ENTRIES] + ["…"] * (len(on) > MAX_PRINTED_ENTRIES))
                text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
                lines.append(f'  {m} -> {k} [label="{text}"];')
        return "\n".join([*lines, "}", ""])

    def _arrow(self, m: int, v: int) -> str:
        w = int(self.moves[m, v])
        return f"{self.graph.name(v)}" + ("" if w == NO_MOVE else f" / {self.graph.name(w)}")


def reachable_pairs(
    graph: Graph,
    player: int,
    winning: BoolArray,
    letter: Int32Array,
    after: Int32Array,
    moves: Int32Array | None,
    *,
    initial: int = 0,
) -> BoolArray:
    """Which pairs (memory, position) occur from memory ``initial`` at ``winning`` positions.

    The player makes her moves, the other any; both make any where ``moves`` is None.
    """
    size, n = after.shape[0], graph.n
    only = np.full((size, n), ALL_MOVES, np.int32)
    if moves is not None:
        assert graph.owner is not None
        mine = graph.owner == player
        only[:, mine] = moves[:, mine]
    seen, queue = np.zeros(size * n, np.int8), np.empty(size * n, np.int32)
    starts = np.flatnonzero(winning) + initial * n
    seen[starts] = 1
    queue[: starts.size] = starts
    rows = Moves(graph.indptr, graph.indices)
    memory = Memory(letter, np.ascontiguousarray(after).reshape(-1), after.shape[1])
    explore(rows, memory, only.reshape(-1), seen, queue, starts.size)
    return seen.reshape(size, n).astype(bool)


def trimmed_machine(
    graph: Graph,
    player: int,
    winning: BoolArray,
    letter: Int32Array,
    after: Int32Array,
    moves: Int32Array,
) -> Machine:
    """A machine without memory states and moves that never occur in play."""
    used = reachable_pairs(graph, player, winning, letter, after, moves)
    kept = np.flatnonzero(used.any(axis=1))
    if kept.size == 0:
        kept = np.zeros(1, np.int64)
    number = np.zeros(after.shape[0], np.int32)
    number[kept] = np.arange(kept.size, dtype=np.int32)
    read = np.zeros(after.shape, bool)
    for m in kept.tolist():
        read[m, letter[used[m]]] = True
    here = np.arange(kept.size, dtype=np.int32)[:, None]
    return Machine(
        graph,
        player,
        sealed(winning.copy()),
        sealed(letter.astype(np.int32)),
        sealed(np.where(read[kept], number[after[kept]], here).astype(np.int32)),
        sealed(np.where(used[kept], moves[kept], NO_MOVE).astype(np.int32)),
    )


def _count(k: int, noun: str) -> str:
    return f"{k:,} {noun}{'' if k == 1 else 's'}"


def _some(items: list[str]) -> str:
    more = len(items) - MAX_PRINTED_ENTRIES
    return ", ".join(items[:MAX_PRINTED_ENTRIES]) + (f", … ({more:,} more)" if more > 0 else "")
