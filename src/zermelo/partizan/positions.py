"""The values of positions of a partizan game, from its rules.

Play is explored part by part. A position is the sum of its components. Components that look alike
are one part, and so are components that look alike when Left and Right are exchanged; their values
differ by the sign. So Domineering on a board of 5×5 needs the values of a few thousand parts, not
of half a million positions. Parts are then put in order, options first, and evaluated together by
:meth:`~zermelo.partizan.store.Store.evaluate`. If play can return to a part, there is no such
order: the position is loopy, and its whole graph is explored (see
:mod:`zermelo.partizan.loopy.graph`).

:mod:`zermelo.partizan.parts` explores. O(parts × options of a part), beside the time for the
values; there is no recursion.
"""

import dataclasses
import functools
import hashlib
from collections.abc import Hashable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo._inputs.values import one_of, shown, whole_number
from zermelo._runtime.progress import Progress, Report, reporting
from zermelo.errors import (
    CertificateError,
    FormatError,
    InvalidOptionError,
    InvalidRulesError,
    UnknownPositionError,
)
from zermelo.formats.common.names import from_plain, to_plain
from zermelo.labels import NO_DISTANCE, Label, Player
from zermelo.partizan.certificate import check_rules
from zermelo.partizan.loopy.graph import PartizanGraph, Values, claimed_values
from zermelo.partizan.parts import explore_parts
from zermelo.partizan.store import STORE, ZERO
from zermelo.partizan.value import Value, value
from zermelo.rules.faults import admit, blaming, hashable, listed
from zermelo.rules.identity import plain_signature
from zermelo.rules.partizan.base import SIDE_NAMES, PartizanRules, can_read
from zermelo.solutions.answers import Answer, Answers, Line, counted

if TYPE_CHECKING:
    from typing import Self

    from zermelo.formats.common.answers import Fields
    from zermelo.partizan.loopy.value import LoopyValue


def game_value(
    rules: PartizanRules[Any], position: Any = None, *, progress: Progress = None
) -> "Value | LoopyValue":
    """The value of a position of a partizan game; by default of the one in which play starts.

    A position that the rules can read may be given as text. If play can return to a position,
    the value is loopy. ``progress`` is True for a line on stderr, or a function of (explored,
    found, what).

    >>> import zermelo as zm
    >>> print(game_value(zm.game("domineering:4x4")))
    +-{0,{{2|0},2Tiny(2)|{2|0},Miny(2)}}
    >>> print(game_value(zm.game("toads-and-frogs:t.tff")))
    ^
    """
    return game_values(rules, progress=progress).of(position)


def game_values(rules: PartizanRules[Any], *, progress: Progress = None) -> "PartizanValues":
    """The values of the positions of a partizan game, each computed when it is asked for.

    >>> from zermelo.rules.partizan.toppling_dominoes import TopplingDominoes
    >>> values = game_values(TopplingDominoes("lrl"))
    >>> print(values["lrl"], values["lr+rl"], len(values.parts))
    1/2 0 3
    >>> print(values.at("lrl", 1))
    lrl, player 1 to move: LOSE by l
    """
    if not isinstance(rules, PartizanRules):
        raise InvalidRulesError(
            f"expected rules with moves of Left and of Right (PartizanRules), got {rules!r}"
        )
    with blaming(rules):
        admit(rules)
    return PartizanValues(rules, progress)


class PartizanValues(Answers):
    """Values by position; the values of parts are remembered.

    As an answer it is about play in which Left is player 0 and Right is player 1. Counts,
    iteration, checks and files are about the parts that have been valued, with either player to
    move.
    """

    file_kind: ClassVar[str] = "partizan-values"

    def __init__(self, rules: PartizanRules[Any], progress: Progress = None) -> None:
        self.rules, self.progress = rules, progress
        self._age = STORE.age
        self._known: dict[Hashable, int] = {}
        self._claimed: dict[Hashable, str] = {}
        self._loopy: dict[Hashable, Values] = {}
        """The values of loopy positions and of all that play leads to, by where it starts."""

    @property
    def parts(self) -> tuple[Any, ...]:
        """The parts that have been valued; of loopy positions, all that play leads to."""
        loopy = (x for values in self._loopy.values() for x in values.graph.positions)
        return tuple(dict.fromkeys((*self._known, *loopy)))

    def __len__(self) -> int:
        """How many situations are known: two for each part."""
        return 2 * len(self.parts)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Answer]:
        """An answer for every part, with Left to move and with Right to move."""
        return (self.at(part, player) for part in self.parts for player in Player)

    def __repr__(self) -> str:
        return f"PartizanValues({type(self.rules).__name__}: {len(self.parts):,} parts)"

    def at(self, position: Any, player: int | None = None) -> Answer:
        """The answer at a position for the player to move, Left (0) unless given."""
        if player is not None:
            one_of(player, "player", (0, 1), InvalidOptionError)
        own, mover = self._position(position), Player(player or 0)
        value, show = self._valued(own), self.rules.show
        if (values := self._graph_of(own)) is not None:
            return dataclasses.replace(values.at(own, mover), show=show)
        label, moves = _label(value, mover), functools.partial(self._best, own, mover)
        return Answer(own, mover, label, NO_DISTANCE, value, moves, show=show)

    def _position(self, given: Any) -> Any:
        """A position of the rules, from such a position or from its text."""
        with blaming(self.rules):
            start = self.rules.start()
            if isinstance(given, str) and can_read(self.rules):
                return self.rules.parse(given)
            if not _alike(given, start):
                raise UnknownPositionError(
                    f"expected a position such as {self.rules.show(start)!r}, got {shown(given)}"
                )
            return given

    def _graph_of(self, position: Any) -> "Values | None":
        """The values of a graph of loopy play that has the position; None if there is none."""
        for values in self._loopy.values():
            if position in values.graph.positions:
                return values
        return None

    def _best(self, position: Any, player: Player) -> tuple[Any, ...]:
        """The moves that keep the label; as play must end, each of them is a best move."""
        wanted = -_label(self._valued(position), player)
        with blaming(self.rules):
            options = dict.fromkeys(listed(self.rules, SIDE_NAMES[player], position))
        return tuple(x for x in options if _label(self._valued(x), player.other) == wanted)

    def line(self, position: Any, player: int | None = None, limit: int | None = None) -> Line:
        """Best play from a position, at most ``limit`` moves; it stops where it would repeat."""
        if limit is not None:
            limit = whole_number(limit, "limit")
        here = self.at(position, player)
        if (values := self._graph_of(here.position)) is not None:
            return values.line(here.position, player, limit)
        line = Line([here.position])
        while (limit is None or len(line) <= limit) and here.best_moves:
            assert here.player is not None
            here = self.at(here.best_moves[0], here.player.other)
            line.append(here.position)
        return line

    def counts(self) -> dict[str, int]:
        """How many situations win, lose and draw; each part that has been valued has two."""
        answers = list(self)
        label = np.array([int(x.label) for x in answers], np.int8)
        return counted(label, np.array([x.distance for x in answers], np.int32))

    def verify(self) -> "Self":
        """Check every value that is known by play alone; see :mod:`zermelo.verify.partizan.values`.

        >>> import zermelo as zm
        >>> values = zm.game_values(zm.game("domineering:2x3"))
        >>> print(values.start, values.verify() is values)
        {2|-1/2} True
        """
        self._refresh()
        for part, number in self._known.items():
            try:
                check_rules(self.rules, part, number)
            except CertificateError as error:
                text = self.rules.show(part)
                raise CertificateError(f"position {text!r}: {error}") from None
        for values in self._loopy.values():
            values.verify()
        return self

    def _record(self) -> dict[str, Any]:
        """The fields of a file: the rules' digest, parts and values, loopy starts and values."""
        self._refresh()
        return {
            "rules": _digest(self.rules),
            "parts": [to_plain(part) for part in self._known],
            "values": [str(Value(number)) for number in self._known.values()],
            "loopy": [
                [to_plain(start), list(map(str, values.value))]
                for start, values in self._loopy.items()
            ],
        }

    @classmethod
    def _from_record(cls, fields: "Fields", game: Any) -> "Self":
        """The values that a file claims for a game given by its rules."""
        if not isinstance(game, PartizanRules):
            raise FormatError(f"expected the rules of a partizan game, got {shown(game)}")
        if fields.text("rules") != _digest(game):
            raise FormatError("these values are of other rules: the digests differ")
        claim = cls(game)
        with blaming(game):
            first = game.start()
        parts = [_part(x, first, f"/parts/{k}") for k, x in enumerate(fields.items("parts"))]
        texts = fields.items("values", str)
        for k, one in enumerate(claimed_values(texts, len(parts))):
            if not isinstance(one, Value):
                raise FormatError(f"/values/{k}: expected a value without loops, got {one}")
        claim._claimed = dict(zip(parts, texts, strict=True))
        claim._known = {x: _short(text) for x, text in claim._claimed.items()}
        for k, row in enumerate(fields.items("loopy", list)):
            if len(row) != 2 or not isinstance(row[1], list):
                raise FormatError(f"/loopy/{k}: expected a position and values, got {shown(row)}")
            start = _part(row[0], first, f"/loopy/{k}")
            graph = PartizanGraph.from_rules(game, start)
            claim._loopy[start] = Values(graph, claimed_values(row[1], graph.n))
        return claim

    @property
    def start(self) -> "Value | LoopyValue":
        """The value of the position in which play starts."""
        with blaming(self.rules):
            first = self.rules.start()
        return self._valued(first)

    def of(self, position: Any = None) -> "Value | LoopyValue":
        """The value of a position, given as such or as text, or of the start."""
        return self.start if position is None else self[position]

    def __getitem__(self, position: Any) -> "Value | LoopyValue":
        """The value of a position, given as such or as text."""
        return self._valued(self._position(position))

    def _valued(self, position: Any) -> "Value | LoopyValue":
        """The value of a position of the rules."""
        with blaming(self.rules):
            return self._value(hashable(self.rules, "start", position))

    def _refresh(self) -> None:
        """Forget what was known before the store was emptied; read a file's claims again."""
        if self._age != STORE.age:
            self._age, self._loopy = STORE.age, {}
            self._known = {x: _short(text) for x, text in self._claimed.items()}

    def _value(self, position: Any) -> "Value | LoopyValue":
        self._refresh()
        total = self._sum(position)
        if total is not None:
            return Value(total)
        if (values := self._graph_of(position)) is not None:
            return values[position]
        with reporting(self.progress, "game_value") as report:
            return self._explored_value(position, report)

    def _explored_value(self, position: Any, progress: Report | None) -> "Value | LoopyValue":
        parts = explore_parts(self.rules, position, progress)
        order = parts.order()
        if order is None:
            values = PartizanGraph.from_rules(self.rules, position).values()
            self._loopy[position] = values
            return values.value[0]
        if progress is not None:
            progress(len(order), len(order), "explored")
        ids = parts.evaluate(order).tolist()
        self._known.update(zip(parts.listed(), ids, strict=True))
        value = ZERO
        for term in parts.root():
            part = ids[term >> 1]
            value = STORE.add(value, STORE.negate(part) if term & 1 else part)
        return Value(value)

    def _sum(self, position: Any) -> int | None:
        """The value of a position whose parts are known, else None."""
        rules, known, total = self.rules, self._known, ZERO
        for part in listed(rules, "components", position):
            value = known.get(hashable(rules, "canonical", rules.canonical(part)))
            if value is None:
                other = hashable(rules, "opposite", rules.opposite(part))
                if other is None or (value := known.get(rules.canonical(other))) is None:
                    return None
                value = STORE.negate(value)
            total = STORE.add(total, value)
        return total


def _label(value: "Value | LoopyValue", player: Player) -> Label:
    """What the player to move gets in a game of this value."""
    outcome = value.outcome
    return Label(outcome.left_first if player == Player.ZERO else -outcome.right_first)


def _alike(position: Any, start: Any) -> bool:
    """Whether something may be a position, by its type."""
    return isinstance(position, type(start)) or (
        isinstance(start, int) and isinstance(position, np.integer)
    )


def _part(plain: Any, start: Any, where: str) -> Any:
    """A position from the data of a file."""
    position = from_plain(plain)
    if not _alike(position, start):
        raise FormatError(f"{where}: expected a position, got {shown(plain)}")
    return position


def _digest(rules: PartizanRules[Any]) -> str:
    return hashlib.sha256(plain_signature(rules).encode()).hexdigest()


def _short(text: str) -> int:
    """The number of the value that a text spells."""
    spelled = value(text)
    assert isinstance(spelled, Value)
    return spelled.id
