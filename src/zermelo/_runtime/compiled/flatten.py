"""Methods of rules become functions without ``self``: they are *flattened*.

The syntax tree of a method is changed. ``self.x`` becomes a constant, ``self.helper(…)`` becomes a
call of the function that is made from ``helper`` in the same way, and attributes of modules and
classes become constants or functions, too. Plain functions that a method calls, and functions that
Numba compiles, are flattened as well, also those of other modules. The *identity* of a flattened
function is a digest of the text of all code that it consists of, and of all constants that it
reads. Different code must never have the same identity. So code whose values cannot be found out
here is refused.
"""

import ast
import builtins
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from zermelo._runtime.compiled import guards
from zermelo._runtime.compiled.identity import (
    NoSignature,
    belongs_elsewhere,
    described,
    digest,
    foreign_name,
    is_foreign,
    is_named_tuple,
    names_in,
    signature,
)
from zermelo._runtime.compiled.jit import Kernel
from zermelo._runtime.compiled.native import Datum, datum, is_data
from zermelo._runtime.compiled.source import (
    UNSIGNED,
    Elements,
    compiled_code,
    definition,
    first_argument,
    is_global,
    names_of,
    written,
)
from zermelo.errors import InvalidRulesError
from zermelo.labels import LARGEST_POSITION

UNSEEN = frozenset(
    ("breakpoint", "compile", "delattr", "dir", "eval", "exec", "getattr", "globals", "hasattr",
     "id", "input", "locals", "open", "setattr", "super", "vars", "__import__")
)  # fmt: skip
"""Python's own functions that read or change values that the code does not name."""

ATOMS = (bool, int, float, str, bytes, type(None), FunctionType, type, ModuleType)


HARMLESS_OPTIONS = {"nopython", "nogil", "cache", "inline", "boundscheck", "looplift", "debug"}
"""Options of Numba's compiler that leave the results of a function as they are."""

CALLS_GUARDED = "CALLS_GUARDED_MEMBERS"
"""The global name that is true in modules whose methods call guarded members of rules."""


class Flat(Kernel[Any, Any]):
    """A flattened function: a method of rules, or a plain function that a method calls.

    If it is ``checked``, its machine code checks every index: anybody may write rules, and these
    must not write to memory that is not theirs. There is no check if all classes of the rules
    belong to this package and positions come from the rules alone.
    """

    def __init__(
        self, function: FunctionType, identity: str, form: str, *, checked: bool = False
    ) -> None:
        super().__init__(function)
        self.identity, self.form, self.bounds_checked = identity, form, checked

    def _rebound(self, attribute: str) -> Callable[..., Any]:
        copy = super()._rebound(attribute)
        if attribute == "interpreted":  # plain Python indexes lists several times faster
            scope = copy.__globals__
            if UNSIGNED in scope:
                scope[UNSIGNED] = int
            for name in names_in(copy):  # type: ignore[arg-type]
                if isinstance(scope.get(name), np.ndarray):
                    scope[name] = scope[name].tolist()
        return copy


@dataclass(frozen=True)
class Read:
    """A value that a flattened function reads, and the place where the value is stored."""

    holder: Any
    """A scope or an object; None for the rules themselves."""
    chain: tuple[str, ...]
    """The keys and the attributes that lead from the holder to the value."""
    value: Any
    signature: str

    def holds(self, rules: Any) -> bool:
        """Whether the same value is still stored there."""
        try:
            current = rules if self.holder is None else self.holder
            for name in self.chain:
                current = current[name] if isinstance(current, dict) else getattr(current, name)
            if current is self.value and (isinstance(current, ATOMS) or callable(current)):
                return True
            return signature(current) == self.signature
        except (AttributeError, KeyError, NoSignature):
            return False


class Flattening:
    """The flattened methods of one rules object and of the functions they call, each made once."""

    def __init__(self, rules: Any, known: dict[Any, Flat], reads: list[Read]) -> None:
        self.rules, self.known, self.reads = rules, known, reads
        self.checked = not trusted(type(rules)) or getattr(rules, "doubtful", False)
        self._in_progress: list[FunctionType] = []

    def method(self, name: str) -> Flat:
        """The method ``name`` of the rules."""
        if name not in self.known:
            where = f"{type(self.rules).__name__}.{name}"
            member = written(inspect.getattr_static(type(self.rules), name, None))
            static = isinstance(member, staticmethod)
            function = member.__func__ if isinstance(member, staticmethod) else member
            if not isinstance(function, FunctionType):
                raise InvalidRulesError(f"{where}: expected a method, got {member!r}")
            try:
                self.known[name] = self.function(function, where, bound=not static)
            except InvalidRulesError as error:
                if not error.member:  # the error is in this member, not in one that it calls
                    error.member, error.of_kernel = name, True
                raise
        return self.known[name]

    def guarded(self, name: str) -> Kernel[Any, Any]:
        """The method ``name`` as kernels call it: its results are checked."""
        member = self.method(name)
        if name not in guards.GUARDED:
            return member  # a method of a view, which calls guarded members itself
        if (key := ("guard", name)) not in self.known:
            self.known[key] = self._guard(member, name)
        return self.known[key]

    def _guard(self, member: Flat, name: str) -> Flat:
        template: Any = guards.template(name).function
        least, most = guards.limits(self.rules, name)
        if parameter := guards.LIMITS.get(name):  # it may be an attribute of the class and change
            value = getattr(self.rules, parameter, None)
            self.reads.append(Read(None, (parameter,), value, signature(value)))
        code = guards.GUARDED.index(name)
        beyond: Any = (most,)
        if parameter in getattr(self.rules, "as_data", ()):
            beyond = datum(f"most_{name}", most)
        own = {"member": member, "least": least, "most": beyond, "code": code}
        if name in guards.OF_INDICES:
            of_index = self.rules.size if self.checked else LARGEST_POSITION
            own["size"] = (of_index,)
        copy = FunctionType(template.__code__, template.__globals__ | own, template.__name__)
        copy.__module__, copy.__doc__ = template.__module__, template.__doc__
        limit = beyond.form() if isinstance(beyond, Datum) else most
        whole = digest(member.identity, f"{least} {most} {code} {member.bounds_checked}")
        form = digest(member.form, f"{least} {limit} {code} {member.bounds_checked}")
        return Flat(named(copy, form), whole, form)

    def function(self, function: FunctionType, where: str, *, bound: bool = False) -> Flat:
        """A function of any module, flattened; if ``bound``, its first argument is the rules."""
        if not bound and function in self.known:
            return self.known[function]
        if function in self._in_progress:
            raise InvalidRulesError(f"{where} calls itself; compiled rules must not recurse")
        self._in_progress.append(function)
        flat = _Rewriting(self, function, where, bound).flat()
        self._in_progress.pop()
        if not bound:
            self.known[function] = flat
        return flat

    def constant(self, value: Any, where: str, name: str) -> tuple[Any, str]:
        """A value as flattened functions read it, and its signature."""
        if isinstance(value, Flat):
            return value, value.identity
        if isinstance(value, Kernel):
            if belongs_elsewhere(value.function.__module__):
                return value, f"kernel {value.function.__module__}.{value.function.__qualname__}"
            value = value.function
        if is_compiled_by_numba(value):
            value = without_numba(value, where, name)
        if isinstance(value, FunctionType) and not is_foreign(value):
            flat = self.function(value, f"{where}: {name}")
            return flat, flat.identity
        try:
            return value, signature(value)
        except (NoSignature, RecursionError) as error:
            raise InvalidRulesError(
                f"{where}: {name} is {error}, which compiled rules cannot read; expected numbers, "
                "tuples, arrays of numbers, or functions written in Python"
            ) from None


class _Rewriting(ast.NodeTransformer):
    """The change of one function: attributes become constants, or flattened functions."""

    def __init__(
        self, flattening: Flattening, function: FunctionType, where: str, bound: bool
    ) -> None:
        self.flattening, self.function, self.where = flattening, function, where
        self.as_data = getattr(flattening.rules, "as_data", ())
        self.tree = definition(function, where)
        self.self_name = first_argument(self.tree, where) if bound else None
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self.closure = {name: cell for name, cell in cells if name != "__class__"}
        self.scope: dict[str, Any] = dict(function.__globals__)
        for name, cell in self.closure.items():
            try:
                self.scope[name] = cell.cell_contents
            except ValueError:
                raise InvalidRulesError(f"{where}: {name} has no value yet") from None
        self.local, self.elsewhere = names_of(function.__code__)
        self.names: set[str] = set()
        self.constants: dict[tuple[str, ...], str] = {}
        self.signatures: dict[str, str] = {}
        self.numbers: set[str] = set()

    def flat(self) -> Flat:
        """The flattened function, with its identity."""
        function, where = self.function, self.where
        tree = self.visit(self._without_signature())
        text = ast.unparse(tree)
        positive = set() if self.flattening.checked or not self.as_data else self._arrays(tree)
        code = compiled_code(Elements(self.numbers, positive).visit(tree), function)
        if positive:
            self.scope[UNSIGNED] = np.uint64
        local, elsewhere = names_of(code)
        if self.self_name is not None and self.self_name in local | (elsewhere & self.names):
            self._refuse(f"{self.self_name} means the rules; use other names for other values")
        for name in sorted(elsewhere & self.names - self.signatures.keys()):
            if name not in local or is_global(code, name):
                self._read(name)
        defaults = (function.__defaults__, function.__kwdefaults__)
        signatures = [self.flattening.constant(x, where, "a default")[1] for x in defaults]
        items = [f"{name}={x}" for name, x in sorted(self.signatures.items())]
        forms = [f"{name}={self._form(name)}" for name in sorted(self.signatures)]
        whole, form = digest(text, *signatures, *items), digest(text, *signatures, *forms)
        copy = FunctionType(code, self.scope, function.__name__, function.__defaults__)
        copy.__kwdefaults__ = function.__kwdefaults__
        copy.__module__, copy.__doc__ = function.__module__, function.__doc__
        checked = self.flattening.checked
        return Flat(named(copy, f"{'checked_' * checked}{form}"), whole, form, checked=checked)

    def _arrays(self, tree: ast.AST) -> set[str]:
        """The names of arrays that are not changed."""
        names = {x.id for x in ast.walk(tree) if isinstance(x, ast.Name)} - self.local
        return {x for x in names if isinstance(self.scope.get(x), np.ndarray)}

    def _form(self, name: str) -> str:
        """What machine code knows of a value."""
        value = self.scope.get(name)
        if isinstance(value, Flat):
            return value.form
        return value.form() if isinstance(value, Datum) else self.signatures[name]

    def _without_signature(self) -> ast.FunctionDef:
        """The definition without decorators and defaults: Python has evaluated these before."""
        tree = self.tree
        tree.decorator_list = []
        nothing = ast.copy_location(ast.Constant(None), tree)
        tree.args.defaults = [nothing for _ in tree.args.defaults]
        tree.args.kw_defaults = [x and nothing for x in tree.args.kw_defaults]
        return tree

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Drop docstring and types."""
        node.returns = None
        if ast.get_docstring(node, clean=False) is not None and len(node.body) > 1:
            del node.body[0]
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Drop the type."""
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """``x: int = 3`` → ``x = 3``."""
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return self.generic_visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def _read(self, name: str) -> None:
        """Add the value of a global name to the scope, and its signature to the identity."""
        if name not in self.scope:
            if not hasattr(builtins, name):
                raise InvalidRulesError(f"{self.where}: the name {name} is not defined")
            if name in UNSEEN:
                raise InvalidRulesError(f"{self.where}: compiled rules must not use {name}()")
            self.signatures[name] = "of Python"
            return
        value = self.scope[name]
        self.scope[name], self.signatures[name] = self._constant(value, *self._home(name), name)

    def _home(self, name: str) -> tuple[Any, tuple[str, ...]]:
        """The holder and the chain of the value of a global name, see :class:`Read`."""
        if name in self.closure:
            return self.closure[name], ("cell_contents",)
        return self.function.__globals__, (name,)

    def _constant(
        self, value: Any, holder: Any, chain: tuple[str, ...], name: str
    ) -> tuple[Any, str]:
        constant, text = self.flattening.constant(value, self.where, name)
        self.flattening.reads.append(Read(holder, chain, value, text))
        return constant, text

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace an attribute of self, or of a module, a class or an object of the scope."""
        chain, root = [node], node.value
        while isinstance(root, ast.Attribute):
            chain.append(root)
            root = root.value
        if not isinstance(root, ast.Name):
            return self.generic_visit(node)
        chain.reverse()
        if root.id == self.self_name:
            return self._resolved(root.id, chain, self.flattening.rules, None, ())
        if root.id in self.scope and root.id in self.elsewhere:
            start = self.scope[root.id]
            if not has_parts(start):
                return self.generic_visit(node)
            if root.id in self.local:
                if not is_global(self.function.__code__, root.id):
                    return self.generic_visit(node)
                self._refuse(
                    f"{root.id} is {described(start)} and also a local name; rename one of them"
                )
            return self._resolved(root.id, chain, start, *self._home(root.id))
        return self.generic_visit(node)

    def _resolved(
        self, root: str, chain: list[ast.Attribute], start: Any, holder: Any, path: tuple[str, ...]
    ) -> ast.AST:
        """A chain of attributes, with a constant for as much of it as can be read now."""
        value, names = start, [root]
        for k, node in enumerate(chain):
            names.append(node.attr)
            shown = ".".join(names)
            if not isinstance(node.ctx, ast.Load):
                raise InvalidRulesError(f"{self.where} changes {shown}")
            attribute = self._mangled(node.attr) if holder is None and k == 0 else node.attr
            path = (*path, attribute)
            if holder is None and k == 0 and is_method(self.flattening.rules, attribute):
                guards_calls = self.function.__globals__.get(CALLS_GUARDED, False)
                made = self.flattening.guarded if guards_calls else self.flattening.method
                value = made(attribute)
            else:
                try:
                    value = getattr(value, attribute)
                except AttributeError:
                    raise InvalidRulesError(f"{self.where}: there is no {shown}") from None
            if not has_parts(value):
                break
        last = len(names) - 2
        name = self._name_for(tuple(names))
        if name not in self.signatures:
            if isinstance(value, Flat):
                self.scope[name], self.signatures[name] = value, value.identity
            else:
                self.scope[name], self.signatures[name] = self._constant(value, holder, path, shown)
                if isinstance(value, list):  # the compiler takes tuples as constants, but no lists
                    self.scope[name] = tuple(value)
                if holder is None and path[0] in self.as_data and is_data(value):
                    self.scope[name] = datum("_".join(path), value)
                    if isinstance(value, int):
                        self.numbers.add(name)
        new: ast.expr = ast.copy_location(ast.Name(name, ast.Load()), chain[last])
        for node in chain[last + 1 :]:
            node.value = new
            new = node
        return new

    def _mangled(self, attribute: str) -> str:
        """The attribute that Python reads for ``__x`` in the body of a class."""
        if not attribute.startswith("__") or attribute.endswith("__"):
            return attribute
        home = self.function.__qualname__.split(".")[-2:-1]
        return f"_{home[0].lstrip('_')}{attribute}" if home else attribute

    def _name_for(self, chain: tuple[str, ...]) -> str:
        """A name for the constant that a chain becomes; the function uses it for nothing else."""
        if chain not in self.constants:
            name = "_".join(chain)
            while name in self.scope or name in self.local | self.elsewhere:
                name += "_"
            self.constants[chain] = name
        return self.constants[chain]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Refuse self without an attribute."""
        if node.id == self.self_name:
            raise InvalidRulesError(
                f"{self.where}: {self.self_name} may be read for parameters and helpers only, "
                f"as in {self.self_name}.width"
            )
        self.names.add(node.id)
        return node

    def _refuse(self, what: str) -> ast.AST:
        raise InvalidRulesError(f"{self.where}: {what}")

    def visit_Import(self, node: ast.Import) -> ast.AST:
        """Refuse the statement: the code of the rules does not have its value."""
        return self._refuse(f"it imports {node.names[0].name}; import at the top of the file")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """Refuse the statement: the code of the rules does not have its value."""
        return self._refuse(f"it imports {node.names[0].name}; import at the top of the file")

    def visit_Global(self, node: ast.Global) -> ast.AST:
        """Refuse the statement: globals are constants."""
        return self._refuse(f"it changes the global {node.names[0]}; globals are constants")


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


def trusted(kind: type) -> bool:
    """Whether all classes of rules belong to this package."""
    homes = [x.__module__ for x in kind.__mro__]
    return all(x.startswith("zermelo.") or x in ("abc", "typing", "builtins") for x in homes)


def named(function: FunctionType, identity: str) -> FunctionType:
    """The function with a unique name, so that different rules never share a symbol."""
    function.__qualname__ = f"{function.__name__}_{identity[:24]}"
    return function
