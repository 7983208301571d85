"""Why a player wins a value or a sum: the winning move, and the answer to every other attempt.

A sum has components; each one is a literal form, with all options as they are written, or a value
in canonical form. Who wins is found by the search of :mod:`zermelo.partizan.analysis.play`, which
does not compute the value of the sum. If the player who begins wins, one winning move is shown, and
then every reply of the other player. If the player who begins loses, every attempt is shown with an
answer that refutes it. Moves that lead to the same sum are shown once. A loopy value is explained
alone, and by its moves only if it is a stopper.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from zermelo._inputs.values import one_of, shown, whole_number
from zermelo.errors import InvalidOptionError, LimitError, UndefinedError
from zermelo.partizan.analysis.play import LIMIT, Search, state
from zermelo.partizan.analysis.thermograph import thermograph
from zermelo.partizan.dyadic import left_stop, right_stop
from zermelo.partizan.loopy.value import LoopyValue
from zermelo.partizan.outcome import Outcome
from zermelo.partizan.text.literal import Literal, identify, summands_of
from zermelo.partizan.text.literal_text import flat_length
from zermelo.partizan.text.parser import UnknownName
from zermelo.partizan.text.spelling import options_in_order
from zermelo.partizan.value import Value, value

Component: TypeAlias = Literal | Value | LoopyValue

PLAYERS = ("Left", "Right")
DEPTH, WIDTH = 4, 8
MAX_DEPTH = 40
MAX_REPEATED_TEXT = 60
"""A longer sum is not repeated after each move."""
MAX_COMPONENT_TEXT = 120
"""The end of a longer component is left out in a sentence."""
MAX_MOVES = 2_000
"""The most moves of an explanation."""
MAX_LISTED = 20
"""The most components that a sentence lists."""


@dataclass(frozen=True)
class Attempt:
    """A move in a sum, and what follows.

    ``component`` counts from 0. ``wins`` says whether the move wins. ``leaves`` is the sum after
    the move. ``replies`` are the moves of the other player after it: one that refutes it if there
    is one, else all of them; ``more`` counts those that are left out, and ``cut`` says that play
    goes on after the last move that is shown.
    """

    player: str
    component: int
    before: str
    after: str
    leaves: str
    wins: bool
    replies: tuple["Attempt", ...] = ()
    more: int = 0
    cut: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The tree as plain data (JSON types)."""
        return {
            "player": self.player,
            "component": self.component,
            "from": self.before,
            "to": self.after,
            "leaves": self.leaves,
            "wins": self.wins,
            "replies": [x.to_dict() for x in self.replies],
            "more": self.more,
            "cut": self.cut,
        }


@dataclass(frozen=True)
class Beginning:
    """What happens when a ``player`` begins: who wins, and the moves that show it.

    ``winner`` is None if nobody wins. Of a loopy value that is not a stopper no moves are shown.
    """

    player: str
    winner: str | None
    attempts: tuple[Attempt, ...]
    more: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data (JSON types)."""
        attempts = [x.to_dict() for x in self.attempts]
        return {
            "player": self.player, "winner": self.winner, "attempts": attempts, "more": self.more
        }  # fmt: skip


@dataclass(frozen=True)
class Explanation:
    """Who wins a value or a sum, and how; ``str()`` says it in sentences.

    ``has_moves`` is False for a loopy value that is not a stopper: its moves are not known.

    >>> print(explain_values(["{2|-1}"]))
    {2|-1}: the player who begins wins.
    It is hot: its temperature is 3/2. Play stops at 2 when Left begins and at -1 when Right begins.
    If Left begins, Left wins.
      Left moves to 2. Then Right has no move.
    If Right begins, Right wins.
      Right moves to -1. Then Left has no move.
    """

    components: tuple[str, ...]
    outcome: Outcome
    remarks: tuple[str, ...]
    beginnings: tuple[Beginning, ...]
    has_moves: bool = True

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain data (JSON types)."""
        return {
            "components": list(self.components),
            "outcome": self.outcome.name,
            "remarks": list(self.remarks),
            "beginnings": [x.to_dict() for x in self.beginnings],
            "text": str(self).splitlines(),
        }

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def __repr__(self) -> str:
        names = ", ".join(map(_short, self.components[:MAX_LISTED]))
        return f"Explanation({names}: {self.outcome.name})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the sentences."""
        from zermelo.partizan.page import explanation_page

        return explanation_page(self)


# -------------------------------------------------------------------- what is explained


def explain_values(
    values: Any, player: int | None = None, depth: int = DEPTH, *, width: int = WIDTH
) -> Explanation:
    """Who wins a sum of values or forms, and how.

    ``values`` is a list of components, or one value, form or text. A text is read as literal forms,
    and a sum in it as several components. ``player`` is 0 if only Left begins, 1 if only Right
    begins. ``depth`` is the number of moves that are shown, ``width`` the number of attempts.

    >>> print(explain_values("{0|1} + {0|1} - 1", 1, 2))
    The sum of 3 components, 0: 1/2, 1: 1/2, 2: -1: the player who begins loses.
    If Right begins, Left wins, because every move of Right has an answer.
      Right moves in component 0 from 1/2 to 1, which leaves 1 + 1/2 + -1. Left answers in \
component 1 from 1/2 to 0, which leaves 1 + -1, and so on.
      Right moves in component 2 from -1 to 0, which leaves 1/2 + 1/2. Left answers in component 0 \
from 1/2 to 0, which leaves 1/2, and so on.
    """
    if player is not None:
        one_of(player, "player", (0, 1), InvalidOptionError)
    depth = whole_number(depth, "depth", 1, MAX_DEPTH)
    width = whole_number(width, "width", 1)
    single = isinstance(values, str | Value | Literal) or not isinstance(values, Iterable)
    parts = tuple(x for given in ([values] if single else values) for x in components_of(given))
    if len(parts) == 1 and isinstance(parts[0], LoopyValue):
        return _explain_loopy(parts[0], player, depth, width)
    for x in parts:
        if isinstance(x, LoopyValue):
            raise UndefinedError(
                f"a sum with the loopy value {shown(str(x))} has no explanation by moves, because "
                "play may be infinite; the explanation of a loopy value alone says who wins"
            )
    explainer = _Explainer(depth, width)
    outcome = Outcome.of(*(1 if explainer.wins(parts, k) == (k == 0) else -1 for k in (0, 1)))
    starters = (0, 1) if player is None else (int(player),)
    return Explanation(
        tuple(map(_text, parts)),
        outcome,
        tuple(_remarks(parts)),
        tuple(explainer.beginning(parts, k) for k in starters),
    )


def components_of(given: Any) -> tuple[Component, ...]:
    """The components that something stands for: the summands of a text or of a form, or a value.

    >>> print(*components_of("{0|1} - 1"), *components_of("on + 1"))
    1/2 -1 on
    """
    if isinstance(given, Literal):
        return given.summands
    if isinstance(given, str):
        try:
            return summands_of(given)
        except (LimitError, UnknownName):
            pass  # too large to write out, or loopy
    return (value(given),)


# -------------------------------------------------------------------- the search


def _id(x: Component) -> int:
    return identify(x) if isinstance(x, Literal) else x.id if isinstance(x, Value) else 0


def _options(x: Component, player: int) -> Iterable[Component]:
    if isinstance(x, Value):
        return map(Value, options_in_order(x.id)[player])
    return (x.left, x.right)[player]


def _is_over(x: Component) -> bool:
    """Whether nobody can move in a component."""
    return not (x.left or x.right) if isinstance(x, Literal) else x == 0


class _Explainer:
    """Builds the tree of attempts."""

    def __init__(self, depth: int, width: int) -> None:
        self.depth, self.width, self.search = depth, width, Search(LIMIT)
        self.count = 0

    def wins(self, parts: tuple[Component, ...], player: int) -> bool:
        """Whether a player wins a sum, moving first."""
        if len(parts) == 1 and isinstance(parts[0], LoopyValue):
            outcome = parts[0].outcome
            return (outcome.right_first == -1) if player else (outcome.left_first == 1)
        return self.search.wins(state(map(_id, parts), player))

    def beginning(self, parts: tuple[Component, ...], player: int) -> Beginning:
        """What happens when a player begins."""
        wins = self.wins(parts, player)
        attempts, more = self.attempts(parts, player, self.depth, wins)
        return Beginning(PLAYERS[player], PLAYERS[player if wins else 1 - player], attempts, more)

    def attempts(
        self, parts: tuple[Component, ...], player: int, depth: int, wins: bool
    ) -> tuple[tuple[Attempt, ...], int]:
        """One winning move, or all moves if none wins; and how many of them are left out."""
        shown_moves, count = [], 0
        for k, x in self.moves(parts, player):
            after = (*parts[:k], x, *parts[k + 1 :])
            if wins and self.wins(after, 1 - player):
                continue
            count += 1
            if count <= self.width:
                shown_moves.append((k, x, after))
            if wins:
                break
        self.count += len(shown_moves)
        if self.count > MAX_MOVES:
            raise LimitError(
                f"an explanation {self.depth} moves deep has more than {MAX_MOVES:,} moves; "
                "expected a smaller depth or width"
            )
        attempts = []
        for k, x, after in shown_moves:
            replies: tuple[Attempt, ...] = ()
            more, cut = 0, False
            if depth > 1 or not wins:  # an attempt that loses is never shown without its answer
                replies, more = self.attempts(after, 1 - player, depth - 1, not wins)
            else:
                cut = any(True for part in after for _ in _options(part, 1 - player))
            before, to, leaves = _text(parts[k]), _text(x), _sum_text(after)
            move = Attempt(PLAYERS[player], k, before, to, leaves, wins, replies, more, cut)
            attempts.append(move)
        return tuple(attempts), max(count - self.width, 0)

    def moves(self, parts: tuple[Component, ...], player: int) -> Iterator[tuple[int, Component]]:
        """All moves that lead to different sums, those in the hottest component first."""
        order: Iterable[int] = range(len(parts))
        if len(parts) > 1:
            heat = [thermograph(_id(x)).temperature for x in parts]
            order = sorted(order, key=lambda k: -heat[k])
        seen = set()
        for k in order:
            for x in _options(parts[k], player):
                key = parts[k], x
                if key not in seen:
                    seen.add(key)
                    yield k, x


# -------------------------------------------------------------------- sentences


def _text(x: Component) -> str:
    """The text of a component; a long form is replaced by its value."""
    if isinstance(x, Literal):
        return x.text if flat_length(x) <= MAX_REPEATED_TEXT else f"a form of {x.value}"
    return str(x)


def _sum_text(parts: tuple[Component, ...]) -> str:
    return " + ".join(_text(x) for x in parts if not _is_over(x)) or "0"


def _remarks(parts: tuple[Component, ...]) -> Iterator[str]:
    """Stops and temperatures, as far as they help."""
    ids = list(map(_id, parts))
    heats = [thermograph(v).temperature for v in ids]
    if len(parts) > 1:
        hottest = max(range(len(ids)), key=heats.__getitem__)
        if heats[hottest] > 0:
            yield (
                f"Component {hottest} is the hottest: its temperature is {heats[hottest]}. A move "
                "there is usually, but not always, the best."
            )
        return
    if not parts:
        return
    [v], [heat] = ids, heats
    if heat < 0:
        yield (
            f"It equals the number {Value(v)}: in a sum nobody needs to move in it before all "
            "components are numbers."
        )
    elif heat == 0:
        base = left_stop(v)
        near = "infinitesimal" if base == 0 else f"infinitesimally close to {base}"
        yield f"It is {near}: play stops at {base}, whoever begins."
    else:
        yield (
            f"It is hot: its temperature is {heat}. Play stops at {left_stop(v)} when Left begins "
            f"and at {right_stop(v)} when Right begins."
        )


def _explain_loopy(x: LoopyValue, player: int | None, depth: int, width: int) -> Explanation:
    """Who wins a loopy value, and the moves of a stopper."""
    starters = (0, 1) if player is None else (int(player),)
    remarks = ["It is a loopy value, so it has no stops and no temperature."]
    beginnings = []
    if x.is_stopper:
        remarks.append("It is a stopper: when the players alternate, play in it alone always ends.")
        explainer = _Explainer(depth, width)
        beginnings = [explainer.beginning((x,), k) for k in starters]
    else:
        remarks.append("Infinite play is a draw.")
        if x.has_sides:
            remarks.append(
                f"It is worth {x.onside} to Left if infinite play is a win for Left, and "
                f"{x.offside} if it is a win for Right."
            )
        remarks.append(
            "Its moves are not shown, because only stoppers have options in canonical form."
        )
        for k in starters:
            result = (x.outcome.left_first, x.outcome.right_first)[k]
            winner = None if result == 0 else PLAYERS[0 if result > 0 else 1]
            beginnings.append(Beginning(PLAYERS[k], winner, ()))
    return Explanation((str(x),), x.outcome, tuple(remarks), tuple(beginnings), x.is_stopper)


def _lines(explanation: Explanation) -> Iterator[str]:
    names = explanation.components
    single = len(names) == 1
    if single:
        yield f"{_short(names[0])}: {explanation.outcome}."
    else:
        listed = ", ".join(f"{k}: {_short(name)}" for k, name in enumerate(names[:MAX_LISTED]))
        listed += f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
        count = f"{len(names)} components, {listed}" if names else "no components"
        yield f"The sum of {count}: {explanation.outcome}."
    yield from explanation.remarks
    for beginning in explanation.beginnings:
        yield from _beginning(beginning, single, explanation.has_moves)


def _beginning(beginning: Beginning, single: bool, explained: bool) -> Iterator[str]:
    player, winner = beginning.player, beginning.winner
    first = f"If {player} begins, {winner or 'nobody'} wins"
    if not explained:
        yield f"{first}{'' if winner else ': play is infinite'}."
    elif winner == player:
        [move] = beginning.attempts
        yield f"{first}."
        yield f"  {_move(move, single, 'moves')}.{_after(move)}"
        yield from _attempts(move.replies, move.more, single, 1)
    elif not beginning.attempts:
        yield f"{first}, because {player} has no move."
    else:
        yield f"{first}, because every move of {player} has an answer."
        yield from _attempts(beginning.attempts, beginning.more, single, 0)


def _attempts(attempts: tuple[Attempt, ...], more: int, single: bool, level: int) -> Iterator[str]:
    """A line for each attempt and the answer to it, then the next attempts below it."""
    lead = "  " * (level + 1)
    for attempt in attempts:
        line = f"{lead}{_move(attempt, single, 'moves')}"
        if not attempt.replies:
            yield f"{line}{', and so on' if attempt.cut else ''}."
            continue
        [answer] = attempt.replies
        yield f"{line}. {_move(answer, single, 'answers')}" + (
            ", and so on." if answer.cut else f".{_after(answer)}"
        )
        yield from _attempts(answer.replies, answer.more, single, level + 1)
    if more:
        yield f"{lead}{more:,} more move{'s have' if more > 1 else ' has'} an answer, too."


def _after(move: Attempt) -> str:
    """What is said after a winning move that ends play, or that is the last one shown."""
    other = PLAYERS[1 - PLAYERS.index(move.player)]
    if move.cut:
        return " And so on."
    return "" if move.replies else f" Then {other} has no move."


def _short(text: str) -> str:
    """A text in a sentence; the end of a long one is left out."""
    return text if len(text) <= MAX_COMPONENT_TEXT else text[: MAX_COMPONENT_TEXT - 1] + "…"


def _move(move: Attempt, single: bool, verb: str) -> str:
    if single:
        return f"{move.player} {verb} {'with' if verb == 'answers' else 'to'} {_short(move.after)}"
    leaves = f", which leaves {move.leaves}" if len(move.leaves) <= MAX_REPEATED_TEXT else ""
    place = f"in component {move.component} from {_short(move.before)} to {_short(move.after)}"
    return f"{move.player} {verb} {place}{leaves}"
