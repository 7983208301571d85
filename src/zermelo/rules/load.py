"""Rules from what a user types: a game's name, or a Python file of their own."""

import inspect
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.rules._neighbours import Family
from zermelo.rules.base import Rules, as_rules
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.games import game

_families: dict[Path, Family] = {}
"""What was loaded last of each file."""


def load_rules(text: str) -> Any:
    """The rules that ``text`` names: ``connect4:5x4``, ``my_game.py`` or ``my_game.py:Class:3,4``.

    Of a file, the class is needed only where it defines several kinds of rules; a file that
    defines none may itself have the functions ``start`` and ``moves``. What follows the last colon
    are parameters, as the rules' ``from_text`` reads them.

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
    kinds = {
        name: kind
        for name, kind in vars(module).items()
        if inspect.isclass(kind)
        and issubclass(kind, Rules | CompiledRules)
        and not inspect.isabstract(kind)
        and kind.__module__ == module.__name__
    }
    word, more, parameters = rest.partition(":")
    if word and (more or word.isidentifier()) and word not in kinds:
        raise InvalidOptionError(f"{path}: expected a class {_names(kinds)}, got {word!r}")
    if word not in kinds:  # no class was named
        word, parameters = "", rest
        if not kinds:
            return _known(as_rules(module), text)
        if len(kinds) > 1:
            raise InvalidOptionError(f"{path}: name one of the classes, {path}:{_names(kinds)}")
    kind = kinds.get(word) or next(iter(kinds.values()))
    try:
        return _known(kind.from_text(parameters), text)
    except InvalidOptionError as error:
        raise InvalidOptionError(f"{text}: {error}") from None


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
        where = path
        if isinstance(error, SyntaxError):
            other = Path(error.filename or file).resolve()
            where = f"{path if other == file else other}:{error.lineno}"
        raise InvalidRulesError(
            f"{where}: it does not run: {type(error).__name__}: {error}"
        ) from error
    _families[file] = family
    return module


def _known(rules: Any, text: str) -> Any:
    """The rules, with what was typed for them: a table says how to find its rules."""
    rules.known_as = text
    return rules


def _names(kinds: dict[str, Any]) -> str:
    return " or ".join(kinds) if kinds else "(it defines none)"
