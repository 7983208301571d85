"""A plant: a system with labelled transitions (state, action, state) that a controller directs.

**Who moves when.** In every state the controller enables some of the controllable actions that the
plant has there. Uncontrollable actions are always enabled: no controller can disable them. Then the
environment picks one of the enabled actions, and, if the action has several outcomes, one of these.
So an uncontrollable action may always come before the controller's own.

**Waiting.** The controller may enable nothing in a state that has an uncontrollable action: one of
those happens then. In a state without uncontrollable actions she has to enable something, unless
the plant *may stop*: then nothing happens, and the plant stays in its state.

**Deadlock.** In a state without any action nobody can act. The controller has lost there, unless
the state is a goal, or the aim is safety and the plant may stop.

Without uncontrollable actions, the controller picks an action and the environment its outcome. If
every action has one outcome and the plant may stop, this is the supervisory control of
[RamadgeWonham1987].
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from zermelo._inputs.graphs import MAX_POSITIONS, distinct_names
from zermelo._inputs.values import Checked, flag, listed, owned, sealed, shown, whole_number
from zermelo._runtime import memory
from zermelo.errors import InvalidGraphError, LimitError, UnknownNameError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray, BoolArray, Int32Array, Int64Array
from zermelo.registry import unknown

Transition = tuple[Hashable, Hashable, Hashable]
"""A state, an action, and a state that the action may lead to."""


BYTES_PER_MOVE = 64
"""What a move of the game graph needs while the graph is made."""


class Pairs(NamedTuple):
    """The pairs (state, action) of a plant, in the order of its transitions."""

    state: Int32Array
    action: Int32Array
    controllable: BoolArray
    first: Int64Array
    """The outcomes of pair p are ``target[first[p] : first[p + 1]]``."""


class Arena(NamedTuple):
    """The game graph of a plant: states first, then the controller's choices.

    Choice k belongs to ``state[k]`` and enables the action of ``pair[k]`` alone, or nothing if that
    is −1.
    """

    graph: Graph
    state: Int64Array
    pair: Int64Array


@dataclass(frozen=True, eq=False, repr=False)
class Plant(Checked):
    """States and labelled transitions; some actions are uncontrollable.

    Make one with :meth:`from_transitions` or :func:`zermelo.read_plant`. Transitions are kept as
    arrays of numbers, sorted and without repetition.

    >>> import zermelo as zm
    >>> door = zm.Plant.from_transitions([("shut", "open", "ajar"), ("ajar", "push", "wide"),
    ...     ("ajar", "wind", "shut")], uncontrollable=["wind"])
    >>> door
    Plant(3 states, 3 actions (1 uncontrollable), 3 transitions, start shut)
    >>> door.outcomes("ajar", "wind"), door.actions_at("ajar")
    (('shut',), ('push', 'wind'))
    """

    states: tuple[Hashable, ...]
    actions: tuple[Hashable, ...]
    source: Int32Array
    """The number of the state in which each transition begins."""
    action: Int32Array
    target: Int32Array
    uncontrollable: BoolArray
    """Whether each action is uncontrollable."""
    start: int = 0
    """The number of the initial state."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "states", distinct_names(self.states))
        object.__setattr__(self, "actions", distinct_names(self.actions))
        n, k = len(self.states), len(self.actions)
        if n > MAX_POSITIONS:
            raise InvalidGraphError(f"expected at most {MAX_POSITIONS:,} states, got {n:,}")
        size = np.shape(self.source)
        for name, top in (("source", n), ("action", k), ("target", n)):
            array = getattr(self, name)
            good = isinstance(array, np.ndarray) and array.dtype == np.int32
            if not good or array.ndim != 1 or array.shape != size:
                raise InvalidGraphError(f"{name}: expected an array of int32, got {shown(array)}")
            if array.size and not 0 <= array.min() <= array.max() < top:
                raise InvalidGraphError(f"{name}: expected numbers 0 … {top - 1}")
            object.__setattr__(self, name, owned(array))
        flags = self.uncontrollable
        if not isinstance(flags, np.ndarray) or flags.dtype != bool or flags.shape != (k,):
            raise InvalidGraphError(
                f"uncontrollable: expected {k} Booleans, one for each action, got {shown(flags)}"
            )
        object.__setattr__(self, "uncontrollable", owned(flags))
        key = self._key()
        if (key[1:] <= key[:-1]).any():
            raise InvalidGraphError("expected transitions that are sorted, each of them once")
        if n:
            first = whole_number(self.start, "start", 0, n - 1, InvalidGraphError)
            object.__setattr__(self, "start", first)

    def _key(self) -> AnyArray:
        """Transitions as numbers in their order."""
        rows = np.stack([self.source, self.action, self.target], 1).astype(np.int64)
        order = rows[:, 0] * len(self.actions) + rows[:, 1]
        if len(self.states) and order.size and int(order.max()) >= 2**62 // len(self.states):
            raise LimitError("the plant has too many states and actions")
        keys: AnyArray = order * len(self.states) + rows[:, 2]
        return keys

    @classmethod
    def from_transitions(
        cls,
        transitions: Iterable[Transition],
        uncontrollable: Iterable[Hashable] = (),
        start: Hashable | None = None,
    ) -> "Plant":
        """A plant of triples (state, action, state); several may share the state and the action.

        ``start`` is the initial state, by default that of the first transition. The order of
        states and actions is that in which they first appear.

        >>> Plant.from_transitions([("a", "go", "b"), ("a", "go", "a")]).outcomes("a", "go")
        ('a', 'b')
        """
        states: dict[Hashable, int] = {}
        actions: dict[Hashable, int] = {}
        rows = []
        for k, given in enumerate(listed(transitions, "a list of transitions")):
            good = not isinstance(given, str | bytes) and isinstance(given, Iterable)
            row = tuple(given) if good else ()
            if len(row) != 3:
                raise InvalidGraphError(
                    f"transition {k}: expected (state, action, state), got {shown(given)}"
                )
            try:
                u = states.setdefault(row[0], len(states))
                a = actions.setdefault(row[1], len(actions))
                rows.append((u, a, states.setdefault(row[2], len(states))))
            except TypeError as error:
                raise InvalidGraphError(f"transition {k}: expected names: {error}") from None
        table = np.array(rows, np.int32).reshape(-1, 3)
        table = table[np.lexsort(table.T[::-1])]
        new = np.ones(len(table), bool)
        new[1:] = (table[1:] != table[:-1]).any(1)
        table = table[new]
        flags = np.zeros(len(actions), bool)
        for name in listed(uncontrollable, "a list of actions"):
            flags[_number(name, actions, "action")] = True
        first = 0 if start is None else _number(start, states, "state")
        source, action, target = (owned(table[:, k]) for k in range(3))
        return cls(tuple(states), tuple(actions), source, action, target, sealed(flags), first)

    # ---------------------------------------------------------------- looking at it

    @cached_property
    def _state_number(self) -> dict[Hashable, int]:
        return {name: k for k, name in enumerate(self.states)}

    @cached_property
    def _action_number(self) -> dict[Hashable, int]:
        return {name: k for k, name in enumerate(self.actions)}

    @cached_property
    def pairs(self) -> Pairs:
        """The pairs (state, action), with the places of their outcomes."""
        new = np.ones(self.source.size, bool)
        new[1:] = (np.diff(self.source) != 0) | (np.diff(self.action) != 0)
        first = np.flatnonzero(new)
        action = self.action[first]
        ends = np.append(first, self.source.size)
        return Pairs(self.source[first], action, ~self.uncontrollable[action], ends)

    def state(self, name: Hashable) -> int:
        """The number of a state."""
        return _number(name, self._state_number, "state")

    def mask(self, states: Iterable[Hashable]) -> BoolArray:
        """A set of states, by name, as a Boolean array."""
        found = np.zeros(len(self.states), bool)
        for name in listed(states, "a list of states"):
            found[self.state(name)] = True
        return found

    def pairs_of(self, state: Hashable) -> range:
        """The numbers of the pairs (state, action) of one state."""
        v = self.state(state)
        low, high = np.searchsorted(self.pairs.state, [v, v + 1]).tolist()
        return range(low, high)

    def actions_at(self, state: Hashable) -> tuple[Hashable, ...]:
        """All actions that a state has."""
        return tuple(self.actions[self.pairs.action[p]] for p in self.pairs_of(state))

    def outcomes(self, state: Hashable, action: Hashable) -> tuple[Hashable, ...]:
        """The states to which an action may lead; none if the state does not have the action."""
        a = _number(action, self._action_number, "action")
        for p in self.pairs_of(state):
            if self.pairs.action[p] == a:
                ends = self.target[self.pairs.first[p] : self.pairs.first[p + 1]]
                return tuple(self.states[w] for w in ends.tolist())
        return ()

    def __iter__(self) -> Iterator[Transition]:
        """The transitions, by name."""
        rows = zip(self.source.tolist(), self.action.tolist(), self.target.tolist(), strict=True)
        return ((self.states[u], self.actions[a], self.states[v]) for u, a, v in rows)

    def __len__(self) -> int:
        """The number of transitions."""
        return int(self.source.size)

    def __repr__(self) -> str:
        free = int(self.uncontrollable.sum())
        more = f" ({free:,} uncontrollable)" if free else ""
        start = f", start {self.states[self.start]}" if self.states else ""
        return (
            f"Plant({_count(len(self.states), 'state')}, {_count(len(self.actions), 'action')}"
            f"{more}, {_count(len(self), 'transition')}{start})"
        )

    # ---------------------------------------------------------------- the game

    def arena(self, *, may_stop: bool = False, named: bool = True) -> Arena:
        """The game graph: in a state player 0 chooses what to enable, then player 1 what happens.

        A choice enables one controllable action, or nothing where the controller may wait; to
        enable several actions at once only gives the environment more to pick from. The position
        of a choice has the name ``(state, action)``, or ``(state, None)`` for waiting.

        >>> plant = Plant.from_transitions([("a", "go", "b"), ("a", "wind", "a")], ["wind"])
        >>> plant.arena().graph.names
        ('a', 'b', ('a', 'go'), ('a', None))
        >>> plant.arena().graph.to_edges().tolist()
        [[0, 2], [0, 3], [2, 0], [2, 1], [3, 0]]
        """
        may_stop, named = flag(may_stop, "may_stop"), flag(named, "named")
        n, pairs = len(self.states), self.pairs
        free = ~pairs.controllable
        free_ends = np.repeat(free, np.diff(pairs.first))
        waits = np.zeros(n, bool)
        waits[pairs.state[free]] = True
        idle = np.zeros(n, bool) if not may_stop else ~waits
        own = np.flatnonzero(pairs.controllable)
        waiting = np.flatnonzero(waits | idle)
        state = np.concatenate([pairs.state[own].astype(np.int64), waiting])
        pair = np.concatenate([own, np.full(waiting.size, -1)])
        choices = n + np.arange(state.size)
        # What the environment can pick after each choice: outcomes of the enabled action, then
        # those of all uncontrollable actions of the state.
        own_size = np.diff(pairs.first)[own]
        each = np.repeat(own, own_size)
        inside = np.arange(each.size) - np.repeat(np.cumsum(own_size) - own_size, own_size)
        free_size = np.bincount(self.source[free_ends], minlength=n)
        size = free_size[state]
        if n + state.size > MAX_POSITIONS:
            raise LimitError(f"the game has more than {MAX_POSITIONS:,} positions")
        memory.require(
            BYTES_PER_MOVE * (2 * state.size + each.size + int(size.sum())),
            f"the game of {n:,} states and {state.size:,} choices",
            "set ZERMELO_MEMORY to allow more",
        )
        begin = np.cumsum(free_size) - free_size
        within = np.arange(int(size.sum())) - np.repeat(np.cumsum(size) - size, size)
        free_target = self.target[free_ends][np.repeat(begin[state], size) + within]
        stays = np.flatnonzero(idle[state] & (pair < 0))
        sources = [state, np.repeat(choices[: own.size], own_size), np.repeat(choices, size)]
        targets = [choices, self.target[pairs.first[each] + inside], free_target]
        sources.append(choices[stays])
        targets.append(state[stays])
        owner = np.ones(n + state.size, np.int8)
        owner[:n] = 0
        names = self._choice_names(state, pair) if named else None
        graph = Graph.from_arrays(
            np.concatenate(sources), np.concatenate(targets), n + state.size, owner, names
        )
        return Arena(graph, state, pair)

    def _choice_names(self, state: Int64Array, pair: Int64Array) -> tuple[Hashable, ...]:
        actions = self.pairs.action
        named = zip(state.tolist(), pair.tolist(), strict=True)
        return self.states + tuple(
            (self.states[s], None if p < 0 else self.actions[actions[p]]) for s, p in named
        )

    def game(
        self,
        *,
        reach: Iterable[Hashable] | None = None,
        avoid: Iterable[Hashable] = (),
        may_stop: bool = False,
    ) -> Game:
        """The game that a controller plays as player 0, for ``zm.solve`` and pictures.

        >>> import zermelo as zm
        >>> lift = zm.Plant.from_transitions([("low", "up", "high"), ("low", "up", "low")])
        >>> game = lift.game(reach=["high"])
        >>> game, zm.solve(game).winner.tolist()
        (Game(reach-avoid on Graph(3 positions, 3 moves, 1 terminal, owned), start low), [1, 0, 1])
        """
        from zermelo.objectives import ReachAvoid, Safety

        arena = self.arena(may_stop=may_stop)
        choices = np.zeros(arena.state.size, bool)
        bad = np.append(self.mask(avoid), choices)
        start = self.states[self.start] if self.states else None
        if reach is None:
            return Game(arena.graph, Safety(~bad), start)
        return Game(arena.graph, ReachAvoid(np.append(self.mask(reach), choices), bad), start)


def _number(name: Hashable, numbers: dict[Hashable, int], kind: str) -> int:
    """The number of a state or of an action."""
    try:
        if name in numbers:
            return numbers[name]
    except TypeError:
        pass
    if isinstance(name, str):
        raise unknown(kind, name, [shown(x) if not isinstance(x, str) else x for x in numbers])
    raise UnknownNameError(f"the plant has no {kind} {shown(name)}")


def _count(k: int, noun: str) -> str:
    return f"{k:,} {noun}{'' if k == 1 else 's'}"
