"""The rules of a game: what positions there are, where play starts, and what its moves are.

:class:`Rules` is the root of all rules. Positions are any hashable Python objects. Two members are
needed; the others have defaults:

============== ======== ============================================================
member                  default
============== ======== ============================================================
``start``      REQUIRED
``moves``      REQUIRED
``outcome``    OPTIONAL always OPEN: play ends where there is no move, and the player who
                        cannot move loses
``show``       OPTIONAL ``str(position)``
``parse``      OPTIONAL reads numbers, texts, tuples and the like that ``str`` wrote
``draw``       OPTIONAL the text of ``show`` as a picture
``canonical``  OPTIONAL no symmetry is known
``components`` OPTIONAL a position is one game, not a sum
``player``     OPTIONAL the rules do not say which player is to move
``impartial``  OPTIONAL True: a position has the same moves for both players
``from_text``  OPTIONAL parameters are integers, written ``3,4`` or ``3x4``
============== ======== ============================================================

Names of moves, diagrams and results in words are in :mod:`zermelo.rules.notation`; all are
OPTIONAL.

:class:`~zermelo.rules.compiled.CompiledRules` are rules on integers that become machine code, and
:class:`~zermelo.rules.partizan.base.PartizanRules` have moves of Left and of Right; both derive
from the root and say what they can do beyond it.
"""

import ast
import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from zermelo._runtime.compiled.source import tree_of
from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.labels import OPEN, Label
from zermelo.objectives import NormalPlay, Objective, TerminalPayoff
from zermelo.rules.faults import options_of, outcome_of
from zermelo.rules.forms import complete, is_fill_form, positions_filled
from zermelo.rules.notation import Notation
from zermelo.rules.picture import draw_text

P = TypeVar("P", bound=Hashable)
"""The type of a position."""

NOT_A_LITERAL = (ValueError, SyntaxError, MemoryError, RecursionError)
"""The exceptions that Python raises for a text that is no literal."""

MAX_SQUARES = 10_000
"""The most squares of a board whose game has no index."""


class Rules(Notation, ABC, Generic[P]):
    """The rules of a game: derive from this class, or write any object with the same members.

    >>> class Countdown(Rules[int]):
    ...     def start(self):
    ...         return 10
    ...     def moves(self, n):
    ...         return [n - k for k in (1, 2) if k <= n]
    >>> sorted(Countdown().moves(10))
    [8, 9]
    """

    impartial: bool = True
    """OPTIONAL. Whether a position has the same moves for both players, so that it has a Grundy
    value; False where each player has pieces of their own."""

    is_root: ClassVar[bool] = True
    """Whether the members of this class itself, not of a class below it, are defaults."""
    moves_may_fill: ClassVar[bool] = True
    """Whether ``moves`` may have the fill form (see :mod:`zermelo.rules.forms`)."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.moves_may_fill and is_fill_form(inspect.getattr_static(cls, "moves", None)):
            from zermelo.rules.compiled import CompiledRules  # which derives from this class

            complete(cls, CompiledRules)

    @abstractmethod
    def start(self) -> P:
        """REQUIRED. The position in which play starts."""

    if TYPE_CHECKING:
        moves: Callable[..., Any]  # either form may be written
    else:

        @abstractmethod
        def moves(self, position: P) -> Iterable[P]:
            """REQUIRED. The positions that one move leads to, in any order; repeats do no harm.

            It may also be written as ``moves(position, out)``, which puts them into the array
            ``out`` and returns how many they are; then these are compiled rules, and positions are
            integers. A call with the position alone gives the positions all the same.
            """

    def outcome(self, position: P) -> int | None:
        """OPTIONAL. What the player to move gets where play is over, and OPEN where it goes on.

        A :class:`~zermelo.labels.Label`, or −1, 0, +1; None means OPEN. A position with an outcome
        has no moves, whatever ``moves`` says. Default: OPEN; the player who cannot move loses.
        """
        return OPEN

    def show(self, position: P) -> str:
        """OPTIONAL. A position as text, different for different positions. Default: ``str``."""
        return str(position)

    def parse(self, text: str) -> P:
        """OPTIONAL. The position that ``show`` shows as ``text``.

        Default: the number, text, tuple or other literal that ``show`` shows so.
        """
        return read_literal(self, text)  # type: ignore[no-any-return]

    def draw(self, position: P) -> str:
        """OPTIONAL. A picture of a position, in SVG. Default: the text of ``show``."""
        return draw_text(self.show(position))

    def canonical(self, position: P) -> P:
        """OPTIONAL. The representative of positions that are equal by symmetry. Default: itself."""
        return position

    def components(self, position: P) -> Sequence[P]:
        """OPTIONAL. Positions whose sum this one is, as small as possible. Default: itself.

        A part that is worth nothing, such as one without a move, may be left out.
        """
        return (position,)

    def player(self, position: P) -> int | None:
        """OPTIONAL. The player to move, 0 or 1, where the players' moves or aims differ.

        Default: None; then the rules do not say which player is to move.
        """
        return None

    def _repr_html_(self) -> str:
        """What a notebook shows: the name of the game, and its start."""
        from zermelo.rules.page import rules_page

        return rules_page(self)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """OPTIONAL. The game with the parameters ``text``. Default: integers between , or x.

        A text without a meaning raises an :class:`~zermelo.errors.InvalidOptionError`.
        """
        return cls(*integers(text, cls))

    def objective(self) -> Objective:
        """What winning means in these rules, for the graph that exploring gives.

        >>> from zermelo.rules.impartial.nim import Nim
        >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
        >>> Nim(3, 4, 5).objective().keyword, TicTacToe().objective().keyword
        ('normal', 'terminal-payoff')
        """
        if not defines(self, "outcome"):
            return NormalPlay()
        return TerminalPayoff(self._payoff_at_the_end, view="mover")

    def _payoff_at_the_end(self, position: Any) -> int:
        """What the player to move gets in a position without a move."""
        found = outcome_of(self, position)
        return Label.LOSE if found == OPEN else found

    def options(self, position: P) -> list[P]:
        """The positions that one move leads to, without repeats; none where play is over.

        >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
        >>> rules = TicTacToe()
        >>> len(rules.options(rules.start())), rules.options(rules.parse("xxx/oo./..."))
        (9, [])
        """
        return options_of(self, position)


def defines(rules: Any, member: str) -> bool:
    """Whether rules, or a class of rules, have an optional member that is not the default.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> defines(Nim(3), "components"), defines(Nim, "outcome"), defines(Nim, "unmoves")
    (True, False, False)
    """
    if isinstance(rules, Borrowed):
        return callable(getattr(rules.given, member, None))
    if not isinstance(rules, type) and member in getattr(rules, "__dict__", ()):
        return True
    kind = rules if isinstance(rules, type) else type(rules)
    found = getattr(kind, member, None)
    roots = (base for base in kind.__mro__ if vars(base).get("is_root", False))
    return found is not None and all(found is not getattr(root, member, None) for root in roots)


def read_literal(rules: Rules[Any], text: str) -> Any:
    """The position that rules show as a given text; it is a literal of Python, or the text itself.

    >>> class Pair(Rules[tuple[int, int]]):
    ...     def start(self): return 2, 3
    ...     def moves(self, pair): return []
    >>> read_literal(Pair(), "(1, 3)")
    (1, 3)
    >>> read_literal(Pair(), "one and three")
    Traceback (most recent call last):
    zermelo.errors.InvalidRulesError: Pair cannot read positions: no parse(), and 'one and three'...
    """
    try:
        names = isinstance(rules.start(), str)
        found = text if names else ast.literal_eval(tree_of(text.strip(), "eval"))
        hash(found)
        if rules.show(found).strip() == text.strip():
            return found
    except (*NOT_A_LITERAL, ArithmeticError, LookupError, TypeError, AttributeError):
        pass  # it is no literal, or show() was not written for this one
    raise InvalidRulesError(
        f"{type(rules).__name__} cannot read positions: no parse(), and {text!r} is not what str() "
        "makes of a number, a text or a tuple of such"
    )


def integers(text: str, make: Any = None) -> list[int]:
    """Parameters that are integers, as many as ``make`` takes.

    >>> integers("3,4,5"), integers("5x4"), integers("")
    ([3, 4, 5], [5, 4], [])
    >>> integers("3;4")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: expected integers with commas between, got '3;4'
    """
    parts = re.split("[,x]", text) if text else []
    if not all(re.fullmatch(r"\s*-?[0-9]{1,18}\s*", part) for part in parts):
        raise InvalidOptionError(f"expected integers with commas between, got {text!r}")
    numbers = [int(part) for part in parts]
    if make is not None:
        try:
            inspect.signature(make).bind(*numbers)
        except TypeError as error:
            raise InvalidOptionError(f"{error}, got {text!r}") from None
    return numbers


def require_board(rows: int, columns: int) -> None:
    """Refuse a board without squares, and one that is too large for any use.

    >>> require_board(3, 5000)
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: expected a board of 1 to 10,000 squares, got 3x5000
    """
    if min(rows, columns) < 1 or rows * columns > MAX_SQUARES:
        raise InvalidOptionError(
            f"expected a board of 1 to {MAX_SQUARES:,} squares, got {rows}x{columns}"
        )


class Borrowed(Rules[Any]):
    """An object that has the members of :class:`Rules`, with the defaults of those it lacks.

    Its ``moves`` may have either form; it is not compiled.
    """

    _wraps = "given"
    FORWARDED = (
        "outcome", "show", "parse", "draw", "canonical", "components", "player", "objective",
        "describe", "move_names", "parse_move", "write_line", "diagram", "draw_for", "move_cells",
        "verdict", "remarks",
    )  # fmt: skip

    def __init__(self, given: Any) -> None:
        self.given = given
        self.known_as = getattr(given, "known_as", None)
        for name in self.FORWARDED:
            if callable(member := getattr(given, name, None)):
                setattr(self, name, member)
        self.impartial = bool(getattr(given, "impartial", True))
        self._fills = is_fill_form(given.moves, of_class=False)

    def start(self) -> Any:
        """The start of the object given."""
        return self.given.start()

    def moves(self, position: Any) -> Iterable[Any]:
        """The moves of the object given."""
        if self._fills:
            return positions_filled(self.given, self.given.moves, position)
        found: Iterable[Any] = self.given.moves(position)
        return found


def is_rules(given: Any) -> bool:
    """Whether an object is meant as rules: it has moves, or a method that makes rules of it.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> is_rules(Nim(1, 2)), is_rules(3)
    (True, False)
    """
    return any(callable(getattr(given, name, None)) for name in ("moves", "as_rules"))


def as_rules(given: Any) -> Rules[Any]:
    """Rules as they are played, from rules or from any object with ``start`` and ``moves``.

    An object, a module for example, need not derive from :class:`Rules`. One with a method
    ``as_rules()`` says itself which rules it is: those of a partizan game are rules of pairs of a
    position and the player to move.

    >>> from zermelo.rules.partizan.toads_and_frogs import ToadsAndFrogs
    >>> as_rules(ToadsAndFrogs("t.f")).start()
    ('t.f', 0)
    >>> as_rules(3)
    Traceback (most recent call last):
    zermelo.errors.InvalidRulesError: expected rules, with start() and moves(position), got 3
    """
    if not isinstance(given, type) and callable(make := getattr(given, "as_rules", None)):
        made: Rules[Any] = make()
        return made
    if isinstance(given, Rules):
        return given
    members = (getattr(given, name, None) for name in ("start", "moves"))
    if isinstance(given, type) or not all(map(callable, members)):
        kind = f"; call {given.__name__} to make some" if isinstance(given, type) else ""
        raise InvalidRulesError(
            f"expected rules, with start() and moves(position), got {given!r}{kind}"
        )
    return Borrowed(given)
