"""Parts of the rewriting of methods: questions about functions, values and syntax trees.

See :mod:`zermelo._runtime.compiled.flatten`.
"""

import ast
import dis
import inspect
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from zermelo._runtime.compiled.identity import (
    NoSignature,
    belongs_elsewhere,
    foreign_name,
    is_named_tuple,
    nested,
    signature,
)
from zermelo._runtime.compiled.jit import Kernel
from zermelo.errors import InvalidRulesError

HARMLESS_OPTIONS = {"nopython", "nogil", "cache", "inline", "boundscheck", "looplift", "debug"}
"""Options of Numba's compiler that leave the results of a function as they are."""

UNSIGNED = "unsigned_index"
"""The name of the function that makes an index unsigned."""


class Elements(ast.NodeTransformer):
    """Numbers that are data become elements, and indices of arrays that are data unsigned.

    A number that is data is an array of one element. An unsigned index needs no test for negative
    ones, which count from the end: with it, code for data is nearly as fast as that for constants.
    """

    def __init__(self, names: set[str], arrays: set[str]) -> None:
        self.names, self.arrays = names, arrays

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``men[k]`` → ``men[unsigned(k)]``."""
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id in self.arrays:
            place = ast.Name(UNSIGNED, ast.Load())
            node.slice = ast.copy_location(ast.Call(place, [node.slice], []), node.slice)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """``width`` → ``width[0]``."""
        if node.id not in self.names:
            return node
        found = ast.Subscript(node, ast.Constant(0), ast.Load())
        return ast.copy_location(found, node)


def has_parts(value: Any) -> bool:
    """Whether attributes are read of a value now: of modules, classes and plain objects."""
    if isinstance(value, ModuleType):
        return True
    if isinstance(value, np.ndarray | np.generic | tuple | list | dict | int | float | str):
        return False
    if isinstance(value, type):
        return not (is_named_tuple(value) or belongs_elsewhere(value.__module__))
    if isinstance(value, Kernel) or callable(value) or foreign_name(value) is not None:
        return False
    try:
        signature(value)
    except NoSignature:
        return hasattr(value, "__dict__") and not belongs_elsewhere(type(value).__module__)
    return False


def is_method(rules: Any, name: str) -> bool:
    return name not in getattr(rules, "__dict__", {}) and isinstance(
        inspect.getattr_static(type(rules), name, None), FunctionType | staticmethod
    )


def is_compiled_by_numba(value: Any) -> bool:
    return type(value).__module__.startswith("numba.") and hasattr(value, "py_func")


def without_numba(value: Any, where: str, name: str) -> FunctionType:
    """The plain function in one that Numba compiles."""
    given = {k for k, x in getattr(value, "targetoptions", {}).items() if x}
    if given - HARMLESS_OPTIONS or not isinstance(value.py_func, FunctionType):
        options = ", ".join(sorted(given - HARMLESS_OPTIONS)) or "others"
        raise InvalidRulesError(
            f"{where}: {name} is compiled by Numba with options ({options}) that the rules' own "
            "code does not have; expected @njit without them, or a plain function"
        )
    return value.py_func


def first_argument(tree: ast.FunctionDef, where: str) -> str:
    """Take the first argument out of a definition: its name."""
    for arguments in (tree.args.posonlyargs, tree.args.args):
        if arguments:
            return arguments.pop(0).arg
    raise InvalidRulesError(f"{where}: expected a method with the first argument self")


def compiled_code(tree: ast.FunctionDef, function: FunctionType) -> CodeType:
    """The code of a definition."""
    whole = ast.fix_missing_locations(ast.Module([tree], []))
    made = compile(whole, function.__code__.co_filename, "exec", dont_inherit=True)
    return next(x for x in made.co_consts if isinstance(x, CodeType))


def names_of(code: CodeType) -> tuple[set[str], set[str]]:
    """The names that are local somewhere in code, and those that are looked up elsewhere.

    The latter are those of attributes, too. Names of an enclosing function are not local.
    """
    local: set[str] = set()
    elsewhere = set(code.co_freevars)
    for inner in nested(code):
        local |= {*inner.co_varnames, *inner.co_cellvars, *inner.co_freevars}
        elsewhere |= set(inner.co_names)
    return local - set(code.co_freevars), elsewhere


def is_global(code: CodeType, name: str) -> bool:
    """Whether a name that is local in one place of the code is read as a global in another."""
    return any(
        x.argval == name and x.opname in ("LOAD_GLOBAL", "LOAD_NAME")
        for inner in nested(code)
        for x in dis.get_instructions(inner)
    )


def trusted(kind: type) -> bool:
    """Whether all classes of rules belong to this package."""
    homes = [x.__module__ for x in kind.__mro__]
    return all(x.startswith("zermelo.") or x in ("abc", "typing", "builtins") for x in homes)


def named(function: FunctionType, identity: str) -> FunctionType:
    """The function with a unique name, so that different rules never share a symbol."""
    function.__qualname__ = f"{function.__name__}_{identity[:24]}"
    return function
