"""Mistakes in a user's rules are reported with file, line and member.

An exception from the code of rules becomes an InvalidRulesError in :func:`blaming`. :func:`admit`
checks once what rules *are*; the values that their members return are checked where they enter the
library, by :func:`listed` and the functions after it. The rules of this package are trusted: its
tests check them.
"""

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from traceback import walk_tb
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from zermelo._inputs.values import shown
from zermelo.errors import InvalidRulesError, ZermeloError
from zermelo.labels import LARGEST_POSITION, OPEN

PACKAGE = str(Path(__file__).parents[1]) + os.sep
KERNELS = tuple(PACKAGE + room + os.sep for room in ("_kernels", "_runtime"))

LARGEST = LARGEST_POSITION
"""The largest position of compiled rules."""

MOST_MOVES = 1 << 24
"""The most moves of a position: a generator that gives more is taken to be endless."""

ARGUMENTS = {
    "start": 0, "left": 1, "right": 1, "outcome": 1, "canonical": 1, "components": 1,
    "opposite": 1, "rank": 1, "unrank": 1, "orbit": 1, "tier": 1, "player": 1, "show": 1,
    "parse": 1, "draw": 1, "moves_differ": 1, "converts": 2,
}  # fmt: skip
"""The members of rules, and the number of their arguments; for moves and unmoves see below."""

NAMES = {*ARGUMENTS, "moves", "unmoves", "most_moves", "most_unmoves", "size", "from_text",
         "__init__", "__new__", "__post_init__", "as_rules", "objective", "describe", "diagram",
         "draw_for", "move_cells", "move_names", "parse_move", "write_line", "verdict", "remarks",
         "turn", "fill", "image", "alive", "grow", "setup", "unmoves_by_index"}  # fmt: skip
"""The members that the package calls."""

LACKS_MOST_MOVES = "it lacks most_moves, the room that moves may fill"


def place_in_rules(error: BaseException) -> tuple[str, int] | None:
    """The file and the line of a user's rules in which an error was raised, if it was there.

    >>> place_in_rules(ValueError("not in rules")) is None
    True
    """
    trace, found = error.__traceback__, None
    while trace is not None:
        frame = trace.tb_frame
        if str(frame.f_globals.get("__name__", "")).startswith("zermelo_rules_"):
            found = frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return found


def own(rules: Any) -> bool:
    """Whether rules were written by a user and are not part of the package.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> own(Nim(3)), own(type("MyNim", (Nim,), {"__module__": "mine"})(3))
    (False, True)
    """
    rules = unwrapped(rules)
    if isinstance(rules, ModuleType):
        return True
    return any(
        kind.__module__.partition(".")[0] not in ("zermelo", "builtins", "abc", "typing")
        for kind in type(rules).__mro__
    )


def unwrapped(rules: Any) -> Any:
    """The object of a user from which rules were made."""
    while name := getattr(type(rules), "_wraps", None):
        rules = getattr(rules, name)
    return rules


def place(rules: Any, member: str = "") -> str:
    """The place where a member of rules is defined: file, line, class and name, if known."""
    rules = unwrapped(rules)
    module = isinstance(rules, ModuleType)
    kind = rules if module or isinstance(rules, type) else type(rules)
    name = member if module or not member else f"{kind.__name__}.{member}"
    found = None
    if member:
        found = inspect.getattr_static(kind, member, None)
        found = getattr(rules, "__dict__", {}).get(member) if found is None else found
    found = getattr(found, "__func__", found)
    found = found.fget if isinstance(found, property) else found
    code = getattr(inspect.unwrap(found) if callable(found) else found, "__code__", None)
    if code is not None and not (own(rules) and _of_package(code.co_filename)):
        return f"{_at(code.co_filename, code.co_firstlineno)}{name}"
    if module:
        return f"{_file(kind.__file__ or kind.__name__)}{f': {name}' if name else ''}"
    try:
        path, line = inspect.getsourcefile(kind) or "", inspect.getsourcelines(kind)[1]
    except (OSError, TypeError):
        return name or kind.__name__
    return f"{_at(path, line)}{name or kind.__name__}"


def _at(path: str, line: int) -> str:
    """File and line, for the beginning of a message; empty where there is no file."""
    return "" if path.startswith("<") else f"{_file(path)}:{line}: "


def _file(path: str) -> str:
    """A path for messages, relative to the current folder if it is inside."""
    return path.removeprefix(os.getcwd() + os.sep)


@contextmanager
def blaming(rules: Any = None) -> Iterator[None]:
    """Turn an exception from the code of rules into an InvalidRulesError.

    >>> import zermelo as zm
    >>> class Wrong(zm.Rules):
    ...     def start(self): return 1 // 0
    ...     def moves(self, position): return []
    >>> zm.explore(Wrong())
    Traceback (most recent call last):
    zermelo.errors.InvalidRulesError: Wrong.start fails: ZeroDivisionError: integer division ...
    """
    try:
        yield
    except InvalidRulesError as error:
        if not error.of_kernel or rules is None:
            raise
        raise located(error, rules) from error
    except (ZermeloError, MemoryError, BrokenPipeError):
        raise
    except (Exception, SystemExit) as error:
        fault = blamed(error, rules)
        if fault is None:
            raise
        raise fault from error


def located(error: InvalidRulesError, rules: Any) -> InvalidRulesError:
    """The error message of a kernel about a member of rules, with the place of the member."""
    file, colon, _ = place(rules, error.member).partition(": ")
    return _fault(f"{file}: {error}" if colon else str(error), error.member)


def blamed(error: BaseException, rules: Any = None) -> InvalidRulesError | None:
    """The InvalidRulesError for an exception; None if the exception is not from rules.

    It is from rules if code of this package called a member of theirs, and that failed.
    """
    message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    frames = list(walk_tb(error.__traceback__))
    users = [k for k, (x, _) in enumerate(frames) if _is_a_users(x.f_code.co_filename)]
    if users:
        before = frames[users[0] - 1][0] if users[0] else None
        if before is not None and before.f_code is listed.__code__:  # a generator, of any name
            kind = type(unwrapped(before.f_locals["rules"])).__name__
            member: str | None = _joined(kind, before.f_locals["member"])
        else:
            member = _member(frames[users[0]][0].f_code, rules)
        if member is None:
            return None
        frame, line = frames[users[-1]]
        where = _at(frame.f_code.co_filename, line)
        return _fault(f"{where}{member} fails: {message}", member.rpartition(".")[2])
    files = [x.f_code.co_filename for x, _ in frames]
    last = next((path for path in reversed(files) if _of_package(path)), "")
    return _in_a_kernel(message, rules) if last.startswith(KERNELS) else None


def _in_a_kernel(message: str, rules: Any) -> InvalidRulesError | None:
    """The error for a kernel that fails while it runs a user's rules: they are probably wrong."""
    if rules is None or not own(rules):
        return None
    from zermelo.verify.rules.check import check_rules

    wrong = [x for x in check_rules(rules, compiled=False) if not x.holds]
    if wrong:
        return _fault(wrong[0].message, wrong[0].member)
    return _fault(
        f"{place(rules)}: a kernel with these rules fails: {message}; a check of samples finds "
        "no mistake in the rules, so a member may fail at rare positions; if none does, this is "
        "a mistake of the library",
        "moves",
    )


def failure(path: str, error: BaseException) -> InvalidRulesError:
    """The error for a file of rules that does not run."""
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        at, message = _at(os.path.abspath(error.filename), error.lineno), error.msg
    else:
        frames = [(x.f_code.co_filename, line) for x, line in walk_tb(error.__traceback__)]
        found = next((x for x in reversed(frames) if _is_a_users(x[0])), None)
        at, message = _at(*found) if found else f"{path}: ", str(error)
    return InvalidRulesError(f"{at}it does not run: {type(error).__name__}: {message}".rstrip(": "))


def _fault(message: str, member: str) -> InvalidRulesError:
    made = InvalidRulesError(message)
    made.member = member
    return made


def _member(code: CodeType, rules: Any) -> str | None:
    """The member that code belongs to, with its class; None if it belongs to none."""
    names = code.co_qualname.split(".")
    at = next((k for k, name in enumerate(names) if name in NAMES), None)
    kind = "" if rules is None else type(unwrapped(rules)).__name__
    if at is None:  # a member may be a lambda
        own_code = {name: getattr(getattr(rules, name, None), "__code__", None) for name in NAMES}
        member = next((name for name, found in own_code.items() if found is code), None)
        if member is None:
            return None
    else:
        member = names[at]
        kind = names[at - 1] if at and names[at - 1] != "<locals>" else kind
    return _joined(kind, member)


def _joined(kind: str, member: str) -> str:
    return member if kind in ("", "module") else f"{kind}.{member}"


def _of_package(path: str) -> bool:
    return path.startswith(PACKAGE)


def _is_a_users(path: str) -> bool:
    """Whether a file belongs to a user and not to an installed package."""
    return not (_of_package(path) or path.startswith((*_libraries(), "<frozen ", "<string>")))


@functools.cache
def _libraries() -> tuple[str, ...]:
    """The folders of Python and of installed packages."""
    import sysconfig

    names = ("stdlib", "platstdlib", "purelib", "platlib")
    return tuple({sysconfig.get_path(name) + os.sep for name in names})


def wrong(rules: Any, member: str, message: str, *given: Any) -> InvalidRulesError:
    """An error of a member: its place, the arguments of the call, and the message."""
    called = f"({', '.join(map(shown, given))})" if given or member == "start" else ""
    return _fault(f"{place(rules, member)}{called}: {message}", member)


# -------------------------------------------------------------------- values of members


def listed(rules: Any, member: str, position: Any) -> Iterator[Any]:
    """The positions that a member of rules gives for one; each is checked to be hashable.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> list(listed(Nim(2), "moves", (1,)))
    [()]
    """
    given = getattr(rules, member)(position)
    if not isinstance(given, Iterable) or _one_text(given, position):
        raise wrong(rules, member, f"expected positions, got {shown(given)}", position)
    count = 0
    for x in islice(given, MOST_MOVES):
        count += 1
        try:
            hash(x)
        except TypeError:
            message = f"expected positions that are hashable, got {shown(x)}"
            raise wrong(rules, member, message, position) from None
        yield x
    if count == MOST_MOVES:
        message = f"expected at most {MOST_MOVES:,} positions, got more and no end"
        raise wrong(rules, member, message, position)


def _one_text(given: Any, position: Any) -> bool:
    """Whether a text is one position, and not a list of letters each of which is a position."""
    return isinstance(given, str) and not (isinstance(position, str) and len(position) == 1)


def hashable(rules: Any, member: str, given: Any) -> Any:
    """The value of a member, if it can be a position of plain rules."""
    try:
        hash(given)
    except TypeError:
        raise wrong(
            rules, member, f"expected positions that are hashable, got {shown(given)}"
        ) from None
    return given


def outcome_of(rules: Any, position: Any) -> int:
    """What the player to move gets in a position where play is over, and OPEN where it goes on.

    >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
    >>> rules = TicTacToe()
    >>> outcome_of(rules, rules.start()), outcome_of(rules, rules.parse("xxx/oo./..."))
    (2, -1)
    """
    found = rules.outcome(position)
    if found is None:
        return OPEN
    if not integer(found) or not (-1 <= found <= 1 or found == OPEN):
        message = f"expected −1, 0, 1 or OPEN ({OPEN}), got {shown(found)}"
        raise wrong(rules, "outcome", message, position)
    return int(found)


def options_of(rules: Any, position: Any) -> list[Any]:
    """The positions that one move leads to, without repeats; none where play is over.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> options_of(Nim(2), (2,))
    [(), (1,)]
    """
    return list(dict.fromkeys(each_option(rules, position)))


def each_option(rules: Any, position: Any) -> Iterator[Any]:
    """The same positions one by one, perhaps with repeats, for callers that may stop early."""
    if outcome_of(rules, position) == OPEN:
        yield from listed(rules, "moves", position)


def integer_of(rules: Any, member: str, *given: Any) -> int:
    """The integer that a member of compiled rules gives.

    >>> from zermelo.rules.boards.rows.tictactoe import TicTacToe
    >>> integer_of(TicTacToe(), "orbit", TicTacToe().start())
    1
    """
    found = getattr(rules, member)(*given)
    if not integer(found):
        raise wrong(rules, member, f"expected an integer, got {shown(found)}", *given)
    return int(found)


def player_of(rules: Any, position: Any) -> int:
    """The player to move as the rules give it, checked to be 0 or 1.

    >>> from zermelo.rules.partizan.toads_and_frogs import ToadsAndFrogs
    >>> turns = ToadsAndFrogs("t.f").as_rules()
    >>> player_of(turns, turns.start())
    0
    """
    found = rules.player(position)
    if not integer(found) or found not in (0, 1):
        raise wrong(rules, "player", f"expected 0 or 1, got {shown(found)}", position)
    return int(found)


def text_of(rules: Any, position: Any) -> str:
    """A position as the rules show it, checked to be text."""
    text = rules.show(position)
    if not isinstance(text, str):
        raise wrong(rules, "show", f"expected text, got {shown(text)}", position)
    return text


# -------------------------------------------------------------------- members of rules


def admit(rules: Any) -> None:
    """Refuse rules that lack a required member, or have one with other arguments."""
    rules = unwrapped(rules)
    if not own(rules):
        return
    compiled = _is_compiled(rules)
    fills = compiled or (hasattr(rules, "most_moves") and not _can_take(rules.moves, 1))
    for member, count in (*ARGUMENTS.items(), ("moves", 1 + fills), ("unmoves", 2)):
        found = getattr(rules, member, None)
        if callable(found):
            _takes(rules, member, found, count)
        elif _needs(rules, member):
            raise wrong(rules, "", f"{member}: expected a method, got {shown(found)}")
    if not compiled:
        hashable(rules, "start", _start(rules))
        return
    for member, most in (
        ("most_moves", MOST_MOVES),
        ("size", LARGEST),
        ("most_unmoves", MOST_MOVES),
    ):
        try:
            found = getattr(rules, member)
        except AttributeError:
            if inspect.getattr_static(rules, member, None) is not None:
                raise  # by what stands in the user's own property
            raise wrong(rules, "", LACKS_MOST_MOVES) from None
        if not integer(found) or not 0 <= found <= most:
            raise wrong(
                rules, "", f"{member}: expected an integer from 0 to {most:,}, got {shown(found)}"
            )
    first = _start(rules)
    if not integer(first) or not 0 <= first <= LARGEST:
        raise wrong(rules, "start", f"expected an integer from 0 to {LARGEST}, got {shown(first)}")


def _needs(rules: Any, member: str) -> bool:
    """Whether the package calls a member: a class of the package has it, too."""
    classes = type(rules).__mro__
    return any(member in vars(x) for x in classes if x.__module__.startswith("zermelo."))


def _is_compiled(rules: Any) -> bool:
    return hasattr(type(rules), "most_unmoves")


def integer(given: Any) -> bool:
    """Whether a value is an integer, and not a bool.

    >>> integer(3), integer(3.0), integer(True)
    (True, False, False)
    """
    return isinstance(given, int | np.integer) and not isinstance(given, bool | np.bool_)


def _start(rules: Any) -> Any:
    found = rules.start()
    if found is None:
        raise wrong(rules, "start", "expected a position, got None; is there a return?")
    return found


def _can_take(member: Callable[..., Any], count: int) -> bool:
    """Whether a member can be called with a given number of arguments."""
    try:
        inspect.signature(member).bind(*(None,) * count)
    except (TypeError, ValueError):
        return False
    return True


def _takes(rules: Any, member: str, found: Callable[..., Any], count: int) -> None:
    """Refuse a member that cannot be called with a given number of arguments."""
    if inspect.iscoroutinefunction(found) or inspect.isasyncgenfunction(found):
        raise wrong(rules, member, "expected a plain function, got an async one")
    try:
        inspect.signature(found).bind(*(None,) * count)
    except TypeError as error:
        form = ", ".join(["position", "out"][:count])
        expected = {"unrank": "index", "parse": "text"}.get(member, form)
        raise wrong(rules, member, f"expected {member}({expected}): {error}") from None
    except ValueError:  # a function that is not written in Python may have no signature
        return
