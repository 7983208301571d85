"""From rules to the graph of all positions that play can reach."""

import sys
from array import array
from collections.abc import Hashable
from typing import Any

import numpy as np

from zermelo._inputs.values import flag
from zermelo._runtime.memory import require
from zermelo._runtime.progress import Progress, Report, SoFar, reporting
from zermelo.errors import InvalidGraphError, InvalidOptionError, InvalidRulesError, LimitError
from zermelo.game import Game
from zermelo.graph import Graph
from zermelo.labels import AnyArray
from zermelo.rules.base import Rules, as_rules, is_rules
from zermelo.rules.compiled import CompiledRules, first_position, room_for
from zermelo.rules.faults import (
    admit,
    blaming,
    each_option,
    hashable,
    integer_of,
    player_of,
    text_of,
    unwrapped,
)

POSITIONS_BETWEEN_REPORTS = 4096
"""The number of positions between two calls of ``progress``."""

ENTRY_BYTES = 180
"""The memory of a position beside itself: entries of a dictionary, a list and a tuple."""


def explore(
    rules: Any,
    start: Hashable | None = None,
    limit: int | None = None,
    *,
    symmetry: bool = False,
    progress: Progress = None,
) -> Game:
    """The game on all positions that can be reached, breadth first; position 0 is the start.

    ``rules`` are :class:`~zermelo.rules.base.Rules`, or any object with ``start()`` and
    ``moves(position)``. The names of the graph are the positions, and the objective is that of the
    rules; positions have owners if the rules' ``player`` says who moves. ``start`` is another
    position to start from. More than ``limit`` positions are an error, as are more than memory
    holds. With ``symmetry`` only canonical positions are kept. ``progress`` is True for a line on
    stderr, or a function that is called with (explored, found, what).

    >>> from zermelo.rules.impartial.nim import Nim
    >>> game = explore(Nim(1, 2))
    >>> game
    Game(normal on Graph(5 positions, 7 moves, 1 terminal), start (1, 2))
    >>> game.graph.names
    ((1, 2), (2,), (1,), (1, 1), ())
    """
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise InvalidOptionError(f"limit: expected a number of positions, got {limit!r}")
    flag(symmetry, "symmetry")
    with reporting(progress, "explore") as report, blaming(rules):
        rules = as_rules(rules)
        admit(rules)
        if isinstance(rules, CompiledRules):
            return _explore_compiled(rules, start, limit, symmetry, report)
        return _explore_plain(rules, start, limit, symmetry, report)


def _explore_plain(
    rules: Rules[Any], start: Any, limit: int | None, symmetry: bool, progress: Report | None
) -> Game:
    first = hashable(rules, "start", rules.start() if start is None else start)
    first = hashable(rules, "canonical", rules.canonical(first)) if symmetry else first
    found = [first]
    place = {first: 0}
    targets, ends = array("i"), array("q", [0])
    # Invariant: place[found[v]] = v, and targets holds the moves of the positions numbered below
    # v, row by row, the row of u ending at ends[u + 1]; all their targets are in found.
    for v, position in enumerate(found):
        for option in each_option(rules, position):
            x = hashable(rules, "canonical", rules.canonical(option)) if symmetry else option
            w = place.setdefault(x, len(found))
            if w == len(found):
                if w == limit:
                    raise LimitError(
                        f"there are more than {limit:,} positions; {v:,} of them were explored"
                    )
                found.append(x)
                if w % POSITIONS_BETWEEN_REPORTS == 0:
                    _report(found, v, 0, progress)  # one position may have all the others
            targets.append(w)
        ends.append(len(targets))
        if v % POSITIONS_BETWEEN_REPORTS == 0:
            _report(found, v, len(targets), progress)
    graph = Graph.from_csr(np.asarray(ends), np.asarray(targets), _owners(rules, found), found)
    return Game(graph, rules.objective(), first, impartial=rules.impartial)


def explored(given: Any, progress: Report | None = None) -> Any:
    """The game of rules after exploring them; any other object is returned unchanged.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> explored(Nim(1)).graph.n, explored("no rules")
    (2, 'no rules')
    """
    if isinstance(given, Game | Graph) or not is_rules(given):
        return given
    return explore(given, progress=progress)


def _owners(rules: Rules[Any], positions: list[Any]) -> list[Any] | None:
    """The player to move in each position; None if the rules do not say it."""
    if rules.player(positions[0]) is None:
        return None
    return [player_of(rules, x) for x in positions]


def _report(found: list[Any], v: int, moves: int, progress: Report | None) -> None:
    """Report progress, and stop before memory runs out: waiting positions need memory, too."""
    each = ENTRY_BYTES + sys.getsizeof(found[-1]) + (16 * moves // v if v else 0)
    require(
        each * (len(found) - v),
        f"{len(found):,} positions were found, {v:,} of them explored, and exploring more",
        "explore a smaller game (limit= in Python stops earlier)",
    )
    if progress is not None:
        progress(v, SoFar(len(found)), "explored")


STEP = 1 << 18
"""The number of positions in one call of the kernel: about a tenth of a second."""


def _explore_compiled(
    rules: CompiledRules, start: Any, limit: int | None, symmetry: bool, progress: Report | None
) -> Game:
    """Explore compiled rules, by a kernel."""
    from zermelo._kernels.positions.graph import number_moves, renumber
    from zermelo._runtime.compiled.bind import bind
    from zermelo.rules.views import Doubtful, Unreduced, view

    first, most = first_position(rules, start), room_for(rules, "moves")
    if symmetry:
        first = first_position(rules, integer_of(rules, "canonical", first))
    seen = rules if symmetry else view(rules, Unreduced)
    seen = seen if start is None else view(seen, Doubtful)
    number = bind(number_moves, seen)
    found, slots = np.zeros(1 << 10, np.int64), np.zeros(1 << 11, np.int32)
    indptr, indices = np.zeros(found.size + 1, np.int64), np.zeros(1 << 12, np.int32)
    state, out = np.array([0, 1, 0], np.int64), np.zeros(most, np.int64)
    found[0] = first
    renumber(found, 1, slots)
    done = False
    while not done:
        done = number(found, slots, indptr, indices, out, state, STEP)
        v, n, m = state.tolist()
        if limit is not None and n > limit:
            raise LimitError(
                f"there are more than {limit:,} positions; {v:,} of them were explored"
            )
        if progress is not None:
            progress(v, SoFar(n), "explored")
        if n + most > found.size:
            found, indptr = _longer(found, n + most), _longer(indptr, n + most + 1)
        if m + most > indices.size:
            indices = _longer(indices, m + most)
        if 4 * (n + most) > 3 * slots.size:
            size = max(2 * slots.size, 2 * (n + most))
            _require_room(4 * size, n, v)
            slots = np.zeros(size, np.int32)
            renumber(found, n, slots)
    names = found[:n].tolist()
    owner = [player_of(rules, x) for x in names] if rules.has("player") else None
    graph = Graph.from_csr(indptr[: n + 1], indices[:m], owner, names)
    return Game(graph, rules.objective(), first, impartial=rules.impartial)


def _longer(array: AnyArray, needed: int) -> AnyArray:
    """A copy of an array with twice its capacity, or more if more is needed."""
    size = max(2 * array.size, 2 * needed)
    _require_room(array.itemsize * size, 0, 0)
    longer = np.zeros(size, array.dtype)
    longer[: array.size] = array
    return longer


def _require_room(size: int, n: int, v: int) -> None:
    require(
        size,
        f"a table of positions ({n:,} were found, {v:,} of them explored)"
        if n
        else "a longer list",
        "explore a smaller game; zermelo build (zm.build in Python) solves games without storing "
        "their moves",
    )


def shown_game(rules: Any, limit: int | None = None, *, progress: Progress = None) -> Game:
    """The game of rules, as :func:`explore` gives it, with positions named as the rules show them.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> shown_game(Nim(1, 2)).graph.names
    ('1+2', '2', '1', '1+1', '0')
    """
    rules = as_rules(rules)
    game = explore(rules, limit=limit, progress=progress)
    with blaming(rules):
        return with_shown_names(rules, game)


def with_shown_names(rules: Any, game: Game) -> Game:
    """The game with positions named as the rules show them; equal texts are an error."""
    graph, objective = game
    texts = [text_of(rules, x) for x in graph.names or ()]
    try:
        named = graph.with_names(texts)
    except InvalidGraphError as error:
        name = getattr(rules, "known_as", None) or type(unwrapped(rules)).__qualname__
        raise InvalidRulesError(
            f"{name}: show() must give different texts to different positions: {error}"
        ) from None
    objective = objective.from_spec(objective.spec(graph), named)
    start = None if game.start is None else named.name(graph.index(game.start))
    return Game(named, objective, start, impartial=game.impartial)
