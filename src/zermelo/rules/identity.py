"""The signature of plain rules: a digest of the text of their modules, and of their parameters.

Plain rules may use all of Python, so their signature covers whole files: those of their classes,
and the user's own files that these import. Comments and docstrings do not count.
"""

import ast
import functools
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from zermelo._runtime.compiled.identity import (
    NoSignature,
    belongs_elsewhere,
    code_signature,
    digest,
    foreign_name,
    is_foreign,
    is_named_tuple,
    signature,
)
from zermelo._runtime.compiled.source import definition, module_text, tree_of, written
from zermelo.errors import InvalidRulesError
from zermelo.rules.base import Rules

FORMER_MODULES = {"zermelo._inputs.values": "zermelo._door.inputs"}
"""Modules under the names that they had when the first tables were made: a digest of rules covers
the text of their imports, and tables stay valid when a module of the package is renamed."""

BUILTIN: tuple[Any, ...] = (str, bytes, int, float, tuple, list, dict, set, frozenset)


def plain_signature(rules: Any) -> str:
    """The signature of plain rules, or of a module that has the members of rules.

    >>> from zermelo.rules.impartial.nim import Nim
    >>> plain_signature(Nim(1, 2)) == plain_signature(Nim(1, 2)) != plain_signature(Nim(1, 3))
    True
    """
    _known.clear()  # a module may have been loaded anew
    try:
        return signature(rules, _follow)
    except NoSignature as error:
        name = type(rules).__name__
        raise InvalidRulesError(
            f"{name}: one of its parameters is {error}, which a table cannot recognise again"
        ) from None


def _follow(value: Any, above: tuple[int, ...]) -> str | None:
    """The signatures of values that plain rules may have beyond numbers and arrays."""
    if isinstance(value, str | bytes | int | float | tuple | list | np.ndarray | np.generic):
        if type(value).__module__ in ("builtins", "numpy") or is_named_tuple(type(value)):
            return None
    elif value is None or isinstance(value, np.dtype | set | frozenset | range | complex):
        return None
    if id(value) in above:
        return f"again {above[::-1].index(id(value))}"
    inside = (*above, id(value))
    if isinstance(value, Mapping) and type(value).__module__ == "builtins":
        items = [
            (signature(k, _follow, inside), signature(x, _follow, inside)) for k, x in value.items()
        ]
        return f"dict {sorted(items)}"
    if isinstance(value, ModuleType):
        return f"module {_files(value)}"
    if isinstance(value, type):
        return _of_class(value)
    if isinstance(value, functools._lru_cache_wrapper):
        return signature(value.__wrapped__, _follow, inside)
    if isinstance(value, FunctionType):
        return _of_function(value, inside)
    if foreign_name(value) is not None:
        return None
    if isinstance(found := getattr(value, "digest", None), str):
        return f"{_of_class(type(value))} {found}"  # a graph
    return _of_object(value, inside)


def _of_object(value: Any, inside: tuple[int, ...]) -> str:
    """The signature of an object: its class and its attributes, without cached values."""
    kind = type(value)
    held = getattr(value, "__dict__", None)
    if held is None:
        try:
            parts = value.__reduce_ex__(2)
        except Exception:
            raise NoSignature(f"an object of type {kind.__name__}") from None
        made = signature(parts, _follow, inside) if isinstance(parts, tuple) else parts
        return f"made of {made}"
    own = {
        name: x
        for name, x in held.items()
        if name != "known_as" and not isinstance(_of_mro(kind, name), cached_property)
    }
    for base in kind.__mro__:
        for name in _slots(base):
            if hasattr(value, name):
                own[f"{base.__qualname__}.{name}"] = getattr(value, name)
    own |= {plain.__name__: plain(value) for plain in BUILTIN if isinstance(value, plain)}
    return f"{_of_class(kind)} {signature(own, _follow, inside)}"


def _of_mro(kind: type, name: str) -> Any:
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


def _slots(kind: type) -> list[str]:
    given = vars(kind).get("__slots__", ())
    names = [given] if isinstance(given, str) else list(given)
    return [x for x in names if x not in ("__dict__", "__weakref__")]


def _of_function(function: FunctionType, inside: tuple[int, ...]) -> str:
    name = f"{function.__module__}.{function.__qualname__}"
    if is_foreign(function) or belongs_elsewhere(function.__module__ or ""):
        return f"function {name}"
    code = function.__code__
    text = (
        code_signature(code)
        if code.co_name == "<lambda>"
        else _dumped(ast.Module([definition(function, name)], []))
    )
    cells = [x.cell_contents for x in function.__closure__ or ()]
    held = (function.__defaults__, function.__kwdefaults__, cells)
    module = sys.modules.get(function.__module__)
    return f"function {text} {_files(module) if module else ''} {signature(held, _follow, inside)}"


def _of_class(kind: type) -> str:
    """The signature of a class: the files of its bases, without those of all rules."""
    parts = [kind.__qualname__]
    for base in kind.__mro__:
        module = sys.modules.get(base.__module__)
        ours = base.__module__.partition(".")[0] == "zermelo"
        of_python = belongs_elsewhere(base.__module__) and not ours
        if "is_root" in vars(base) or base in Rules.__mro__ or of_python:
            parts.append(f"{base.__module__}.{base.__qualname__}")
            continue
        if module is None:
            raise NoSignature(f"an object of the class {kind.__name__}, whose module is gone")
        parts.append(_files(module))
        for member in map(written, vars(base).values()):
            function = getattr(member, "__func__", member)
            if isinstance(function, FunctionType) and _is_elsewhere(function, module):
                tree = definition(function, f"{base.__qualname__}.{function.__name__}")
                parts.append(_dumped(ast.Module([tree], [])))
    return digest(*parts)


def _is_elsewhere(function: FunctionType, module: ModuleType) -> bool:
    """Whether a method was defined elsewhere than in the file of its module."""
    file, home = function.__code__.co_filename, getattr(module, "__file__", None)
    if file == "<string>":  # made by Python itself, for a dataclass
        return False
    same = home is not None and os.path.abspath(file) == os.path.abspath(home)
    return not same and function.__module__ == module.__name__


_known: WeakKeyDictionary[ModuleType, str] = WeakKeyDictionary()


def _files(module: ModuleType) -> str:
    """A digest of the text of a module, and of the user's modules that it imports."""
    if (known := _known.get(module)) is None:
        found: dict[str, str] = {}
        _gather(module, found, "")
        known = _known[module] = digest(*(f"{name} {found[name]}" for name in sorted(found)))
    return known


def _gather(module: ModuleType, found: dict[str, str], name: str) -> None:
    tree = tree_of(module_text(module))
    found[name] = _dumped(tree)
    if belongs_elsewhere(module.__name__):
        return
    for other in _imported(module, tree):
        if other.__name__ != module.__name__ and _is_a_users(other):
            own = _name(other)
            if own not in found:
                _gather(other, found, own)


def _name(module: ModuleType) -> str:
    """The name of a module, wherever the folder is that it belongs to."""
    family = getattr(getattr(module, "__loader__", None), "family", None)
    return module.__name__ if family is None else module.__name__.removeprefix(f"{family.package}.")


def _imported(module: ModuleType, tree: ast.AST) -> Iterator[ModuleType]:
    """The modules that a module imports, at its top or when it runs."""
    family = getattr(getattr(module, "__loader__", None), "family", None)
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            home = node.module or ""
            if node.level:
                home = importlib.util.resolve_name(
                    "." * node.level + home, module.__package__ or module.__name__
                )
            names = [home, *(f"{home}.{alias.name}" for alias in node.names)]
        for name in dict.fromkeys(above for x in names for above in _packages(x)):
            if family is not None and (inner := family.module(name)) is not None:
                yield inner
            elif name in sys.modules:
                yield sys.modules[name]


def _packages(name: str) -> Iterator[str]:
    """The packages that a module is in, and the module.

    >>> list(_packages("a.b.c"))
    ['a', 'a.b', 'a.b.c']
    """
    parts = name.split(".")
    return (".".join(parts[: k + 1]) for k in range(len(parts)))


def _is_a_users(module: ModuleType) -> bool:
    """Whether a module is a file of the user, not of an installed package."""
    file = getattr(module, "__file__", None)
    return (
        file is not None
        and file.endswith(".py")
        and not belongs_elsewhere(module.__name__)
        and not {"site-packages", "dist-packages"} & set(Path(file).parts)
    )


def _dumped(tree: ast.Module) -> str:
    """A syntax tree without comments and docstrings."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, documented) and ast.get_docstring(node) is not None:
            del node.body[0]
        elif isinstance(node, ast.ImportFrom):
            node.module = FORMER_MODULES.get(node.module or "", node.module)
    return digest(ast.dump(tree))
