"""Sums of misère geography, by search: a player without a fresh move in any component wins.

The state of a component is its token and the open positions that this reaches; components whose
token has no fresh move are left out, and equal components may change places. Exponential.
"""

from zermelo.errors import LimitError
from zermelo.sums.geography.blossoms import bits
from zermelo.sums.geography.values import GeographyValues

State = tuple[tuple[int, int, int], ...]
"""For each component that can move: its kind, the token, and the open positions in reach."""


class MisereSearch:
    """A search in a sum of games of misère geography, given by their arenas."""

    def __init__(self, games: list[GeographyValues], bound: int | None) -> None:
        self.games, self.bound = games, bound
        kinds: dict[int, int] = {}
        self.kind = [kinds.setdefault(id(game), len(kinds)) for game in games]
        self.moves: list[list[int]] = []
        for kind in range(len(kinds)):
            arena = games[self.kind.index(kind)].arena
            rows = (arena.successors(v).tolist() for v in range(arena.n))
            self.moves.append([sum(1 << w for w in row) for row in rows])
        self.known: dict[State, bool] = {}

    def solve(self, walks: list[list[int]]) -> tuple[bool, list[tuple[int, int]]]:
        """Whether the player to move wins, and all winning moves: a component and a position."""
        here = []
        for game, kind, walk in zip(self.games, self.kind, walks, strict=True):
            nodes = game.nodes(walk)
            free = (1 << game.arena.n) - 1
            for v in nodes:
                free &= ~(1 << v)
            here.append((kind, nodes[-1], free))
        steps, fresh = [], False
        for k, (kind, v, free) in enumerate(here):
            game = self.games[k]
            for w in bits(self.moves[kind][v] & free):
                fresh = True
                after = [*here]
                after[k] = (kind, w, free & ~(1 << w))
                if not self._wins(self._state(after)):
                    steps.append((k, int(game.graph.indices[w]) if game.objective.arcs else w))
        return not fresh or bool(steps), steps

    def _state(self, parts: list[tuple[int, int, int]]) -> State:
        found = []
        for kind, v, free in parts:
            moves = self.moves[kind]
            reached = layer = moves[v] & free
            while layer:
                successors = 0
                for w in bits(layer):
                    successors |= moves[w]
                layer = successors & free & ~reached
                reached |= layer
            if reached:
                found.append((kind, v, reached))
        return tuple(sorted(found))

    def _after(self, state: State) -> list[State]:
        """The states after all moves, those with the fewest open positions last."""
        found = set()
        for k, (kind, v, free) in enumerate(state):
            for w in bits(self.moves[kind][v] & free):
                found.add(self._state([*state[:k], (kind, w, free & ~(1 << w)), *state[k + 1 :]]))
        return sorted(found, key=lambda x: -sum(free.bit_count() for _, _, free in x))

    def _wins(self, start: State) -> bool:
        stack = [(start, self._after(start))]
        # Invariant: every state on the stack has only options that are won among those it no longer
        # lists, except that the next entry of the stack is the option that it waits for.
        while stack:
            state, left = stack[-1]
            if state in self.known:
                stack.pop()
                continue
            while left and self.known.get(left[-1]) is True:
                left.pop()
            if not state:
                self.known[state] = True
            elif not left:
                self.known[state] = False
            elif left[-1] in self.known:
                self.known[state] = True
            else:
                if self.bound is not None and len(self.known) >= self.bound:
                    raise LimitError(
                        f"the search in a sum of misère geography has examined {self.bound:,} "
                        "states without an end; a larger bound nodes allows more"
                    )
                stack.append((left[-1], self._after(left[-1])))
        return self.known[start]
