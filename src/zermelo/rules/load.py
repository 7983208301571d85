"""Rules from what a user types: a game's name, or a Python file of their own."""

import hashlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo.errors import InvalidOptionError, InvalidRulesError
from zermelo.rules.base import Rules, as_rules
from zermelo.rules.compiled import CompiledRules
from zermelo.rules.games import game


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
    """The module of a file, run once; methods of its classes keep their source."""
    file = Path(path)
    if not file.is_file():
        raise InvalidOptionError(f"{path}: no such file")
    name = f"zermelo_rules_{hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        where = f":{error.lineno}" if isinstance(error, SyntaxError) else ""
        raise InvalidRulesError(
            f"{path}{where}: it does not run: {type(error).__name__}: {error}"
        ) from error
    return module


def _known(rules: Any, text: str) -> Any:
    """The rules, with what was typed for them: a table says how to find its rules."""
    rules.known_as = text
    return rules


def _names(kinds: dict[str, Any]) -> str:
    return " or ".join(kinds) if kinds else "(it defines none)"
