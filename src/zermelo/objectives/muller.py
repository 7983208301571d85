"""Muller games: the set of colours that are seen infinitely often decides who wins.

Rabin, Streett, generalised Büchi, parity and all Emerson–Lei conditions are of this kind. Winning
may need memory: a strategy is a finite-state machine.
"""

import functools
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._inputs.values import listed, plain_array, shown
from zermelo.errors import InvalidObjectiveError
from zermelo.graph import Graph, as_graph
from zermelo.labels import BoolArray, Int64Array, read_only
from zermelo.objectives.acceptance import MAX_COLOUR, Formula
from zermelo.objectives.base import Objective, check_example, spec_of
from zermelo.objectives.infinite import check_convention, need_owners

if TYPE_CHECKING:
    from random import Random

MAX_SIGNALS = 62
"""A set of signals is a 64-bit number with one bit for each signal."""

MAX_LENGTH = 60
"""The number of characters of an acceptance condition that a description shows."""

Positions = Iterable[Hashable]


@dataclass(frozen=True, eq=False)
class Signals:
    """The signals of the positions of a graph: bit j of ``mask[v]`` is 1 if v has ``signal[j]``.

    A signal is a colour i, or ``~i`` for "does not have colour i". Only signals that some position
    has and that the acceptance condition mentions are stored.
    """

    signal: tuple[int, ...]
    mask: Int64Array
    acceptance: Formula | frozenset[frozenset[int]]

    def wins(self, masks: Any) -> BoolArray:
        """Whether player 0 wins if exactly these sets of signals are seen infinitely often."""
        masks = np.asarray(masks, np.int64)
        place = {x: j for j, x in enumerate(self.signal)}
        if isinstance(self.acceptance, Formula):
            none = np.zeros(masks.shape, bool)
            truth = {
                x: (masks >> place[x] & 1).astype(bool) if x in place else none
                for x in self.acceptance.signals
            }
            return np.broadcast_to(self.acceptance.evaluate(truth), masks.shape)
        family = [
            sum(1 << place[x] for x in chosen)
            for chosen in self.acceptance
            if all(x in place for x in chosen)
        ]
        return np.isin(masks, np.array(family, np.int64))


@dataclass(frozen=True, eq=False)
class Muller(Objective):
    """Player 0 wins iff the set of colours seen infinitely often is accepted.

    ``colour`` gives each position a colour (a number from 0), a set of colours, or none: a
    sequence by position number (``None`` for no colour), or a mapping by name in which positions
    without a colour may be left out. ``acceptance`` is a family of sets of colours, or a formula
    over ``Inf(i)`` and ``Fin(i)`` (see :mod:`zermelo.objectives.acceptance`).

    Here player 0 visits both ends of a path infinitely often:

    >>> import zermelo as zm
    >>> g = zm.Graph.from_edges([("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")],
    ...                         owner={"a": 1, "b": 0, "c": 1})
    >>> s = zm.solve(g, zm.Muller({"a": 0, "c": 1}, "Inf(0) & Inf(1)"))
    >>> machine = s.strategy_machine(0)
    >>> len(machine), sorted(machine.move("b", memory) for memory in (0, 1))
    (2, ['a', 'c'])
    """

    colour: Mapping[Any, Any] | Iterable[Any]
    acceptance: str | Iterable[Iterable[int]]
    family = "muller"
    keyword = "muller"
    marks_mean = "{…}: colours"

    def __post_init__(self) -> None:
        if not isinstance(self.colour, np.ndarray | Mapping | list | tuple):
            if isinstance(self.colour, str) or not isinstance(self.colour, Iterable):
                raise InvalidObjectiveError(
                    f"colour: expected a sequence or a mapping, got {shown(self.colour)}"
                )
            object.__setattr__(self, "colour", listed(self.colour, "colours"))
        if not isinstance(self.acceptance, str):
            if not isinstance(self.acceptance, Iterable):
                raise InvalidObjectiveError(
                    "acceptance: expected a formula or sets of colours, got "
                    f"{shown(self.acceptance)}"
                )
            sets = listed(self.acceptance, "sets of colours", InvalidObjectiveError)
            family = [colour_set(x, "acceptance") for x in sets]
            object.__setattr__(self, "acceptance", frozenset(family))
        _ = self.condition

    @functools.cached_property
    def condition(self) -> Formula | frozenset[frozenset[int]]:
        """The acceptance condition, parsed."""
        if isinstance(self.acceptance, str):
            return Formula(self.acceptance)
        return frozenset(frozenset(x) for x in self.acceptance)

    # ---------------------------------------------------------------- on a graph

    def colours(self, graph: Graph) -> list[frozenset[int]]:
        """The set of colours of each position."""
        given = self.colour
        graph = as_graph(graph)
        if isinstance(given, Mapping):
            sets: list[frozenset[int]] = [frozenset()] * graph.n
            for x, colours in given.items():
                sets[graph.index(x)] |= colour_set(colours, f"colour of {x!r}")
            return sets
        rows = given
        if isinstance(given, np.ndarray):
            rows = plain_array(given, "colour", InvalidObjectiveError).tolist()
        elif not isinstance(given, list):
            rows = listed(given, "colours", InvalidObjectiveError)
        if not isinstance(rows, list) or len(rows) != graph.n:
            got = len(rows) if isinstance(rows, list) else rows
            raise InvalidObjectiveError(
                f"colour: expected {graph.n} entries, one for each position, got {got}"
            )
        cache: dict[Any, frozenset[int]] = {}
        sets = []
        for v, x in enumerate(rows):
            plain = type(x) is int
            colours = cache.get(x) if plain else None
            if colours is None:
                colours = colour_set(x, f"colour of {graph.name(v)!r}")
                if plain:
                    cache[x] = colours
            sets.append(colours)
        return sets

    def signals(self, graph: Graph) -> Signals:
        """The signals of each position that the acceptance condition mentions."""
        need_owners(graph, self)
        rows = self.colours(graph)
        kinds = {colours: k for k, colours in enumerate(dict.fromkeys(rows))}
        occurring: set[int] = set().union(*kinds)
        condition = self.condition
        if isinstance(condition, Formula):
            known = [
                x
                for x in condition.signals
                if (x in occurring if x >= 0 else any(~x not in colours for colours in kinds))
            ]
        else:
            known = sorted(occurring)
        if len(known) > MAX_SIGNALS:
            raise InvalidObjectiveError(
                f"expected at most {MAX_SIGNALS} colours in a Muller game, got {len(known)}"
            )
        masks = [
            sum(1 << j for j, x in enumerate(known) if (x in kind if x >= 0 else ~x not in kind))
            for kind in kinds
        ]
        which = np.fromiter((kinds[colours] for colours in rows), np.int64, graph.n)
        mask = np.array(masks, np.int64)[which] if kinds else np.zeros(0, np.int64)
        return Signals(tuple(known), read_only(mask), condition)

    # ---------------------------------------------------------------- files

    def spec(self, graph: Graph) -> dict[str, Any]:
        """The colours by position number, and the formula or the family as lists."""
        rows = [sorted(x) for x in self.colours(graph)]
        condition = self.condition
        accepted: Any = str(condition)
        if not isinstance(condition, Formula):
            accepted = sorted((sorted(x) for x in condition), key=lambda x: (len(x), x))
        return {
            "objective": self.keyword,
            "colour": [x[0] if len(x) == 1 else x for x in rows],
            "acceptance": accepted,
        }

    def marks(self, graph: Graph) -> list[str]:
        """The colours of each position in braces, nothing for a position without one."""
        return [f"{{{','.join(map(str, sorted(x)))}}}" if x else "" for x in self.colours(graph)]

    def describe(self, graph: Graph) -> str:
        """The acceptance condition, cut if it is long, and the number of colours."""
        accepted = self.spec(graph)["acceptance"]
        if isinstance(accepted, list):
            accepted = ",".join(f"{{{','.join(map(str, x))}}}" for x in accepted)
        text = accepted if len(accepted) <= MAX_LENGTH else accepted[: MAX_LENGTH - 1] + "…"
        colours = set[int]().union(*self.colours(graph))
        return f"{self.keyword}, {text or 'no set'}, {len(colours):,} different colours"

    @classmethod
    def from_spec(cls, data: Mapping[str, Any], graph: Graph) -> "Muller":
        """Read colours and acceptance back."""
        colour, acceptance = spec_of(data).get("colour"), data.get("acceptance")
        if not isinstance(colour, list):
            raise InvalidObjectiveError(f"colour: expected a list, got {colour!r}")
        if not isinstance(acceptance, list | str):
            raise InvalidObjectiveError(f"acceptance: expected text or a list, got {acceptance!r}")
        objective = cls(colour, acceptance)
        objective.colours(graph)  # checks the colours
        return objective

    @classmethod
    def example(cls, graph: Graph, rng: "Random") -> "Muller":
        """Up to four colours, and a formula or a family of sets."""
        check_example(graph, rng)
        colours = range(rng.randint(1, 4))
        colour: list[Any] = [rng.choice((None, *colours)) for _ in graph]
        if rng.random() < 0.4:
            colour = [[c for c in colours if rng.random() < 0.4] for _ in graph]
        if rng.random() < 0.5:
            sets = [[c for c in colours if x >> c & 1] for x in range(1 << len(colours))]
            return cls(colour, [x for x in sets if rng.random() < 0.5])
        return cls(colour, _random_formula(colours, rng, 3))

    # ---------------------------------------------------------------- special cases

    @classmethod
    def rabin(cls, pairs: Iterable[tuple[Positions, Positions]]) -> "Muller":
        """For some pair of sets of positions, the first set is seen only finitely often and the
        second infinitely often. Player 0 needs no memory.

        >>> Muller.rabin([(["a"], ["b"]), ([], ["c"])]).acceptance
        'Fin(0) & Inf(1) | Fin(2) & Inf(3)'
        """
        sets = [chosen for pair in _pairs(pairs) for chosen in pair]
        terms = [f"Fin({j}) & Inf({j + 1})" for j in range(0, len(sets), 2)]
        return cls(_by_position(sets), " | ".join(terms) or "f")

    @classmethod
    def streett(cls, pairs: Iterable[tuple[Positions, Positions]]) -> "Muller":
        """For every pair of sets of positions, if the first set is seen infinitely often, so is
        the second. Player 1 needs no memory.

        >>> Muller.streett([(["a"], ["b"]), (["b"], ["c"])]).acceptance
        '(Fin(0) | Inf(1)) & (Fin(2) | Inf(3))'
        """
        sets = [chosen for pair in _pairs(pairs) for chosen in pair]
        terms = [f"(Fin({j}) | Inf({j + 1}))" for j in range(0, len(sets), 2)]
        return cls(_by_position(sets), " & ".join(terms) or "t")

    @classmethod
    def generalised_buchi(cls, sets: Iterable[Positions]) -> "Muller":
        """Every one of the sets of positions is seen infinitely often.

        >>> Muller.generalised_buchi([["a"], ["a", "b"]]).acceptance
        'Inf(0) & Inf(1)'
        """
        chosen = [_listed(x) for x in listed(sets, "sets of positions", InvalidObjectiveError)]
        terms = [f"Inf({j})" for j in range(len(chosen))]
        return cls(_by_position(chosen), " & ".join(terms) or "t")

    @classmethod
    def parity(
        cls, priority: Mapping[Any, int] | Iterable[int], convention: str = "max even"
    ) -> "Muller":
        """The parity condition over priorities as colours; see :class:`zermelo.Parity`.

        >>> Muller.parity([0, 1, 2]).acceptance
        'Inf(2) | (Fin(1) & (Inf(0)))'
        """
        check_convention(convention)
        colour = dict(priority) if isinstance(priority, Mapping) else _listed(priority)
        values: Iterable[Any] = colour.values() if isinstance(colour, dict) else colour
        distinct = {x for value in values for x in colour_set(value, "priority")}
        text, good = "", convention.endswith("odd")
        # The priority that counts most comes last, so it is the outermost in the formula.
        for p in sorted(distinct, reverse=convention.startswith("min")):
            head = f"Inf({p})" if p % 2 == good else f"Fin({p})"
            text = head + (f" {'|' if p % 2 == good else '&'} ({text})" if text else "")
        return cls(colour, text or "t")


def colour_set(given: Any, where: str) -> frozenset[int]:
    """A set of colours from a number, some numbers, or None."""
    if given is None:
        return frozenset()
    items = [given]
    if isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping | np.generic):
        items = listed(given, f"{where}: colours", InvalidObjectiveError)
    for x in items:
        whole = isinstance(x, int | np.integer) and not isinstance(x, bool | np.bool_)
        if not whole or not 0 <= x <= MAX_COLOUR:
            raise InvalidObjectiveError(f"{where}: expected colours 0, 1, 2, …, got {shown(x)}")
    return frozenset(int(x) for x in items)


def _listed(given: Any) -> list[Any]:
    """A set of positions as a list; a mask gives its positions."""
    if isinstance(given, np.ndarray):
        array = plain_array(given, "positions", InvalidObjectiveError)
        array = np.flatnonzero(array) if array.dtype == bool else array.reshape(-1)
        return list(array.tolist())
    return listed(given, "a set of positions", InvalidObjectiveError)


def _pair(given: Any) -> tuple[list[Any], list[Any]]:
    pair = given if isinstance(given, tuple | list) else ()
    if len(pair) != 2:
        raise InvalidObjectiveError(f"expected a pair of sets of positions, got {shown(given)}")
    return _listed(pair[0]), _listed(pair[1])


def _pairs(given: Any) -> list[tuple[list[Any], list[Any]]]:
    return [_pair(x) for x in listed(given, "pairs of sets of positions", InvalidObjectiveError)]


def _by_position(sets: list[list[Any]]) -> dict[Any, set[int]]:
    """The numbers of the sets that each position is in."""
    numbers: dict[Any, set[int]] = {}
    for j, chosen in enumerate(sets):
        for x in chosen:
            try:
                numbers.setdefault(x, set()).add(j)
            except TypeError:
                raise InvalidObjectiveError(f"expected positions, got {shown(x)}") from None
    return numbers


def _random_formula(colours: range, rng: "Random", depth: int) -> str:
    """A formula for an example."""
    kind = rng.choice(("Inf", "Fin", "|", "&") if depth else ("Inf", "Fin"))
    if kind in ("Inf", "Fin"):
        return f"{kind}({rng.choice(colours)})"
    parts = [_random_formula(colours, rng, depth - 1) for _ in range(rng.randint(2, 3))]
    return "(" + f" {kind} ".join(parts) + ")"
