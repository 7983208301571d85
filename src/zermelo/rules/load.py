"""Rules from what a user types: a game's name, or a Python file of their own."""

import contextlib
import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.rules._neighbours import Family
from zermelo.rules.base import Rules, as_rules, integers
from zermelo.rules.faults import blaming, failure, place
from zermelo.rules.games import game

_families: dict[Path, Family] = {}
"""What was loaded last of each file."""


def load_rules(text: str) -> Any:
    """The rules that ``text`` names: ``connect4:5x4``, ``my_game.py`` or ``my_game.py:Class:3,4``.

    Of a file, the class is needed only where it defines several kinds of rules; a file that
    defines none may itself have the functions ``start`` and ``moves``. What follows the last colon
    are parameters, as the rules' ``from_text`` reads them.

    What is wrong with a file, or with the class in it, is an InvalidRulesError with its line.

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
    word, more, parameters = rest.partition(":")
    if word and (more or word.isidentifier()) and word not in kinds:
        raise InvalidOptionError(f"{path}: expected a class {_names(kinds)}, got {word!r}")
    if word not in kinds:  # no class was named
        word, parameters = "", rest
        if not kinds:
            return _known(_functions(module, path, parameters), text)
        if len(kinds) > 1:
            raise InvalidOptionError(f"{path}: name one of the classes, {path}:{_names(kinds)}")
    kind = kinds.get(word) or next(iter(kinds.values()))
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
    """The classes of rules that a file defines, by name; such as lack a member, if no others.

    A class that derives from nothing of ours is one if it has the members.
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


def _made(kind: type, parameters: str) -> Any:
    """An object of a class that does not say how it reads parameters."""
    return kind(*integers(parameters, kind))


def _functions(module: ModuleType, path: str, parameters: str) -> Rules[Any]:
    """The rules that the functions of a file are."""
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
    file. It belongs to this file alone: others that import the same name get their own. As long as
    nobody edits the file or a neighbour, it is run once.
    """
    file = Path(path)
    if not file.is_file():
        raise InvalidOptionError(f"{path}: no such file")
    file = file.resolve()
    family = _families.get(file)
    if family is None or not family.is_current():
        family = Family(file, 0 if family is None else family.generation + 1)
    try:
        module = family.main()
    except BaseException as error:
        family.forget()
        if not isinstance(error, Exception | SystemExit):
            raise
        raise failure(path, error) from error
    _families[file] = family
    return module


def _known(rules: Any, text: str) -> Any:
    """The rules, with what was typed for them: a table says how to find its rules."""
    with contextlib.suppress(AttributeError, TypeError):  # nothing can be added to it: slots
        object.__setattr__(rules, "known_as", text)
    return rules


def _names(kinds: dict[str, Any]) -> str:
    return " or ".join(kinds) if kinds else "(it defines none)"
