"""Rules from what a user types: a game's name, or a Python file of their own."""

import contextlib
import inspect
import threading
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo._runtime.forks import keep_whole
from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.rules.base import Rules, as_rules, integers
from zermelo.rules.faults import blaming, failure, place
from zermelo.rules.loading.games import game
from zermelo.rules.loading.neighbours import Family

families: dict[Path, Family] = {}
"""The last family that was loaded for each file."""


class _Turn:
    """A file of rules; one thread at a time loads it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        keep_whole(self, "a file of rules")


_turns: dict[Path, _Turn] = {}


def load_rules(text: str) -> Any:
    """The rules that ``text`` names: ``connect4:5x4``, ``my_game.py`` or ``my_game.py:Class:3,4``.

    The class need be named only if the file defines several classes of rules; a file without a
    class may have the functions ``start`` and ``moves``. After the last colon are parameters, as
    the rules' ``from_text`` reads them.

    A mistake in a file, or in its class, raises an InvalidRulesError with the line.

    >>> load_rules("nim:3,4").start()
    (3, 4)
    >>> load_rules("nowhere.py")
    Traceback (most recent call last):
    zermelo.errors.InvalidOptionError: nowhere.py: no such file
    """
    path, colon, rest = text.partition(".py:")
    if not (colon or text.endswith(".py")):
        return game(text)
    path = f"{path}.py" if colon else text
    module = load_module(path)
    kinds = _kinds(module)
    name, more, parameters = rest.partition(":")
    named = more or (name.isidentifier() and not _reads_words(kinds))
    if name and named and name not in kinds:
        raise InvalidOptionError(f"{path}: expected a class {_names(kinds)}, got {name!r}")
    if name not in kinds:  # no class was named
        name, parameters = "", rest
        if not kinds:
            return _known(_functions(module, path, parameters), text)
        if len(kinds) > 1:
            raise InvalidOptionError(f"{path}: name one of the classes, {path}:{_names(kinds)}")
    kind = kinds.get(name) or next(iter(kinds.values()))
    if missing := sorted(getattr(kind, "__abstractmethods__", ())):
        raise InvalidRulesError(f"{place(kind)}: it lacks {' and '.join(missing)}")
    try:
        with blaming():
            made = (
                kind.from_text(parameters) if issubclass(kind, Rules) else _made(kind, parameters)
            )
    except InvalidOptionError as error:
        raise InvalidOptionError(f"{text}: {error}") from None
    if not isinstance(made, kind):
        raise InvalidRulesError(
            f"{place(kind, 'from_text')}: expected a {kind.__name__}, got {made!r}"
        )
    return _known(made, text)


def _kinds(module: ModuleType) -> dict[str, type]:
    """The classes of rules that a file defines, by name; incomplete ones only if all are.

    A class that does not derive from ours is a class of rules if it has their members.
    """
    own = {
        name: kind
        for name, kind in vars(module).items()
        if inspect.isclass(kind) and kind.__module__ == module.__name__
    }
    derived = {name: kind for name, kind in own.items() if issubclass(kind, Rules)}
    whole = {name: kind for name, kind in derived.items() if not inspect.isabstract(kind)}
    alike = {
        name: kind
        for name, kind in own.items()
        if all(callable(getattr(kind, member, None)) for member in ("start", "moves"))
    }
    return whole or derived or ({} if callable(getattr(module, "start", None)) else alike)


def _reads_words(kinds: dict[str, type]) -> bool:
    """Whether there is one class and it parses its own parameters, which may then be any text."""
    if len(kinds) != 1:
        return False
    (kind,) = kinds.values()
    reader = getattr(getattr(kind, "from_text", None), "__func__", None)
    return reader is not None and reader is not Rules.from_text.__func__  # type: ignore[attr-defined]


def _made(kind: type, parameters: str) -> Any:
    """An object of a class without ``from_text``."""
    return kind(*integers(parameters, kind))


def _functions(module: ModuleType, path: str, parameters: str) -> Rules[Any]:
    """The rules that consist of the functions of a file."""
    if not all(callable(getattr(module, name, None)) for name in ("start", "moves")):
        raise InvalidRulesError(
            f"{path}: expected rules, a class derived from zermelo.Rules, CompiledRules or "
            "PartizanRules, or the functions start() and moves(position); it has neither"
        )
    if parameters:
        raise InvalidOptionError(f"{path}: its functions take no parameters, got {parameters!r}")
    return as_rules(module)


def load_module(path: str) -> ModuleType:
    """The module of a file, which may import its neighbours: files and packages in its folder.

    A neighbour comes before an installed package of the same name, as when Python itself runs the
    file. It belongs to this file alone: others that import the same name get their own. The file
    is run once, and again only if it or a neighbour has been edited.
    """
    file = Path(path)
    if not file.is_file():
        raise InvalidOptionError(f"{path}: no such file")
    file = file.resolve()
    turn = _turns.get(file) or _turns.setdefault(file, _Turn())
    with turn.lock:
        family = families.get(file)
        if family is None or not family.is_current():
            family = Family(file, 0 if family is None else family.generation + 1)
        try:
            module = family.main()
        except BaseException as error:
            family.forget()
            if not isinstance(error, Exception | SystemExit):
                raise
            raise failure(path, error) from error
        families[file] = family
        return module


def _known(rules: Any, text: str) -> Any:
    """The rules, with the text that was typed for them, which a table stores."""
    with contextlib.suppress(AttributeError, TypeError):  # nothing can be added to it: slots
        object.__setattr__(rules, "known_as", text)
    return rules


def _names(kinds: dict[str, Any]) -> str:
    return " or ".join(kinds) if kinds else "(it defines none)"
