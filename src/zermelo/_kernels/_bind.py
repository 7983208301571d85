"""Rules written as methods, made part of a kernel.

A *template* is a kernel that calls placeholders; :func:`bind` puts methods of a rules object in
their place and gives a kernel like any other, interpreted or compiled:

>>> import numpy as np
>>> from zermelo._kernels._jit import kernel
>>> moves = placeholder("moves")
>>> @kernel
... def count_moves(position, out):
...     return moves(position, out)
>>> class Countdown:
...     most = 3
...     def moves(self, position, out):
...         count = min(self.most, position)
...         for k in range(count):
...             out[k] = position - k - 1
...         return count
>>> bind(count_moves, Countdown())(2, np.zeros(3, np.int64))
2

**How.** A method becomes a function of its own by rewriting its syntax tree: ``self.x`` turns into
a constant, ``self.helper(…)`` into a call of the function that ``helper`` becomes in the same way,
and plain functions of its module into kernels. So parameters are constants for the compiler. The
text of all that went in, with the constants, is the kernel's *identity*: object code is kept on
disk under it, and edited rules never meet old code.
"""

import ast
import builtins
import functools
import hashlib
import inspect
import re
import textwrap
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from types import FunctionType, ModuleType
from typing import Any
from weakref import ReferenceType, WeakKeyDictionary, ref

import numpy as np

from zermelo._kernels import guards
from zermelo._kernels._jit import SMALL_CALL, Kernel, mode
from zermelo._kernels._native import fault
from zermelo.errors import InvalidRulesError, ZermeloError

MOMENT, PATIENCE = 0.05, 1.5
"""Seconds of interpreted calls of one bound template before it is loaded, and compiled."""

QUICK = 1 << 12
"""A call whose arrays have at most so many elements together is done at once."""


class Placeholder:
    """A method that rules have yet to give."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any) -> Any:
        """Refuse: a template is not called itself."""
        raise RuntimeError(f"bind the template to rules before it calls {self.name}")


def placeholder(name: str) -> Any:
    """What a template calls in place of the method ``name`` of rules.

    >>> placeholder("moves")(3)
    Traceback (most recent call last):
    RuntimeError: bind the template to rules before it calls moves
    """
    return Placeholder(name)


class Flat(Kernel[Any, Any]):
    """A function made of a method of rules, or of a plain function that one calls.

    Machine code of it checks every index unless all classes of the rules are this package's: rules
    are anybody's, and must not break what is not theirs.
    """

    def _rebound(self, attribute: str) -> Callable[..., Any]:
        copy = super()._rebound(attribute)
        if attribute == "interpreted":  # plain Python indexes lists several times faster
            scope = copy.__globals__
            for name in self.function.__code__.co_names:
                if isinstance(scope.get(name), np.ndarray):
                    scope[name] = scope[name].tolist()
        return copy

    def __init__(self, function: Callable[..., Any], identity: str, *, checked: bool) -> None:
        super().__init__(function)
        self.identity, self.bounds_checked = identity, checked


class Bound(Kernel[Any, Any]):
    """A template with rules in it.

    Compiling one takes seconds, so small calls are interpreted until they have taken PATIENCE
    together, or only a moment where there is object code from an earlier process.
    """

    def __init__(self, function: Callable[..., Any], identity: str, rules: Any) -> None:
        super().__init__(function)
        self.identity = identity
        self._rules: ReferenceType[Any] = ref(rules)
        self._name = type(rules).__name__
        self._seconds = 0.0

    def _worth_compiling(self, args: tuple[Any, ...]) -> bool:
        if mode() != "auto":
            return mode() == "compile"
        size = sum(a.size for a in args if isinstance(a, np.ndarray))
        if self._ready or size > SMALL_CALL or self._seconds > PATIENCE:
            return True
        return self._seconds > MOMENT and self.kept(args)

    def _on_lists(self, args: tuple[Any, ...]) -> Any:
        begun = time.monotonic()
        fault.noted = None
        try:
            return super()._on_lists(args)
        except ZermeloError:
            raise
        except Exception as error:
            raise self._broken(error) from error
        finally:
            self._seconds += time.monotonic() - begun

    def compiled(self, *args: Any, **kwargs: Any) -> Any:
        """Run as machine code; rules that the compiler refuses are an InvalidRulesError.

        Machine code does not listen to signals, and rules may go on for ever. So long jobs of the
        main thread run in another one, and the main thread can be interrupted.
        """
        size = sum(a.size for a in args if isinstance(a, np.ndarray))
        if size <= QUICK or threading.current_thread() is not threading.main_thread():
            return self._compiled(*args)
        result: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()

        def work() -> None:
            try:
                result.put((self._compiled(*args), None))
            except BaseException as error:
                result.put((None, error))

        threading.Thread(target=work, daemon=True).start()
        found, error = result.get()
        if error is not None:
            raise error
        return found

    def _compiled(self, *args: Any) -> Any:
        fault.noted = None
        try:
            return super().compiled(*args)
        except ZermeloError:
            raise
        except Exception as error:
            if not type(error).__module__.startswith("numba."):
                raise self._broken(error) from error
            words = _complaint(re.sub(r"\x1b\[[0-9;]*m", "", str(error)))
            raise InvalidRulesError(f"{self._name} cannot be compiled: {words}") from error

    def _broken(self, error: Exception) -> Exception:
        """What to raise for an error in a call: rules went wrong where a guard has noted it."""
        rules, noted, fault.noted = self._rules(), fault.noted, None
        if noted is None or rules is None:
            return error
        name, position = guards.GUARDED[noted[0]], noted[1]
        words = guards.complaint(rules, name, position)
        if words is None:
            words = f"{name}({position}) goes wrong when compiled, and not in Python"
        return InvalidRulesError(f"{self._name}: {words}")


def _complaint(text: str) -> str:
    """What the compiler found wrong, and where, of the much that it says."""
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not line.startswith("Failed in nopython")]
    place = re.findall(r'File "([^"]+)", line (\d+)', text)
    return (f"{place[0][0]}:{place[0][1]}: " if place else "") + " ".join(said[:2])


_flats: WeakKeyDictionary[Any, dict[str, Flat]] = WeakKeyDictionary()
_guards: WeakKeyDictionary[Any, dict[str, Kernel[Any, Any]]] = WeakKeyDictionary()
_bounds: WeakKeyDictionary[Any, dict[int, Kernel[Any, Any]]] = WeakKeyDictionary()

VIEWS = "zermelo.rules.views"
"""The module whose methods are the library's own, so that they call members guarded."""


def bind(template: Kernel[Any, Any], rules: Any) -> Kernel[Any, Any]:
    """The kernel that ``template`` is with the methods of ``rules`` in place of placeholders.

    Bound once, parameters stay as they were: rules are not to be changed afterwards.
    """
    known = _bounds.setdefault(rules, {})
    if (found := known.get(id(template))) is None:
        found = known[id(template)] = _bind(template, rules) or template
    return found


def identity(rules: Any, *names: str) -> str:
    """A digest of what methods of ``rules`` are: text, constants, and functions they call.

    >>> class Step:
    ...     def __init__(self, by): self.by = by
    ...     def moves(self, position): return position + self.by
    >>> identity(Step(1), "moves") == identity(Step(1), "moves") != identity(Step(2), "moves")
    True
    """
    return _digest(*(flat(rules, name).identity for name in names))


def _bind(template: Kernel[Any, Any], rules: Any) -> Kernel[Any, Any] | None:
    """The bound template; None where nothing in it waits for rules."""
    f: Any = template.function
    scope = dict(f.__globals__)
    parts = []
    for name in f.__code__.co_names:
        called = scope.get(name)
        new: Kernel[Any, Any] | None = None
        if isinstance(called, Placeholder):
            new = guarded(rules, called.name)
        elif isinstance(called, Kernel) and isinstance(called.function, FunctionType):
            known = _bounds.setdefault(rules, {})
            new = known.get(id(called)) or _bind(called, rules)
            if new is not None:
                known[id(called)] = new
        if new is not None and new is not called:
            scope[name] = new
            parts.append(f"{name}={new.identity}")
    if not parts:
        return None
    copy = FunctionType(f.__code__, scope, f.__name__, f.__defaults__, f.__closure__)
    copy.__module__, copy.__doc__ = f.__module__, f.__doc__
    return Bound(_named(copy, whole := _digest(*parts)), whole, rules)


def guarded(rules: Any, name: str) -> Kernel[Any, Any]:
    """The member ``name`` of ``rules`` as kernels call it: what it gives back is checked.

    >>> class Step:
    ...     most_moves = 2
    ...     def moves(self, position, out):
    ...         return position
    >>> guarded(Step(), "moves").interpreted(2, [0, 0])
    2
    >>> guarded(Step(), "moves").interpreted(3, [0, 0])
    Traceback (most recent call last):
    ValueError: the rules are wrong
    """
    known = _guards.setdefault(rules, {})
    if name not in known:
        known[name] = _guard(rules, name)
    return known[name]


def _guard(rules: Any, name: str) -> Kernel[Any, Any]:
    member = flat(rules, name)
    if name not in guards.GUARDED:
        return member  # of a view, which calls guarded members itself
    template: Any = (guards.fill if name in guards.FILLING else guards.give).function
    least, most = guards.limits(rules, name)
    code = guards.GUARDED.index(name)
    scope = template.__globals__ | {"member": member, "least": least, "most": most, "code": code}
    copy = FunctionType(template.__code__, scope, template.__name__)
    copy.__module__, copy.__doc__ = template.__module__, template.__doc__
    whole = _digest(member.identity, f"{least} {most} {code} {member.bounds_checked}")
    made: Kernel[Any, Any] = Kernel(_named(copy, whole))
    made.identity = whole
    return made


def flat(rules: Any, name: str) -> Flat:
    """The method ``name`` of ``rules`` as a kernel without ``self``.

    >>> class Step:
    ...     by = 2
    ...     def next(self, position):
    ...         return position + self.by
    ...     def moves(self, position):
    ...         return self.next(self.next(position))
    >>> flat(Step(), "moves").interpreted(1)
    5
    """
    known = _flats.setdefault(rules, {})
    if name not in known:
        known[name] = _Flattening(rules).method(name)
    return known[name]


class _Flattening:
    """Methods of one object and the functions they call, each made once."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.checked = not _trusted(type(rules))
        self.under_way: list[str] = []

    def method(self, name: str) -> Flat:
        known = _flats.setdefault(self.rules, {})
        if name in known:
            return known[name]
        where = f"{type(self.rules).__name__}.{name}"
        found = inspect.getattr_static(type(self.rules), name, None)
        alone = isinstance(found, staticmethod)
        function = found.__func__ if isinstance(found, staticmethod) else found
        if not isinstance(function, FunctionType):
            raise InvalidRulesError(f"{where}: expected a method, got {found!r}")
        known[name] = self.function(function, where, bound=not alone)
        return known[name]

    def function(self, function: FunctionType, where: str, bound: bool = False) -> Flat:
        if where in self.under_way:
            raise InvalidRulesError(f"{where} calls itself; compiled rules must not recurse")
        self.under_way.append(where)
        definition = _definition(function, where)
        outside = inspect.getclosurevars(function)
        scope: dict[str, Any] = {**function.__globals__, **outside.nonlocals}
        if bound:
            me = definition.args.args.pop(0).arg
            rewrite = _WithoutSelf(me, self, where, guarding=function.__module__ == VIEWS)
            definition = rewrite.visit(definition)
            scope |= rewrite.constants
        definition.name = function.__name__
        tree = ast.fix_missing_locations(ast.Module([definition], []))
        made: dict[str, Any] = {}
        exec(compile(tree, inspect.getsourcefile(function) or where, "exec"), made)
        plain: FunctionType = made[function.__name__]
        parts = [ast.unparse(definition)]
        for name in plain.__code__.co_names:
            if name not in scope and not hasattr(builtins, name):
                continue  # an attribute, or an error that the compiler explains
            value = scope.get(name, getattr(builtins, name, None))
            if isinstance(value, FunctionType):
                value = scope[name] = self.function(value, value.__qualname__)
            parts.append(f"{name}={_constant(value)}")
        copy = FunctionType(plain.__code__, scope, plain.__name__, plain.__defaults__)
        copy.__module__, copy.__doc__ = function.__module__, function.__doc__
        self.under_way.pop()
        whole = _digest(*parts)
        named = _named(copy, f"{'checked_' * self.checked}{whole}")
        return Flat(named, whole, checked=self.checked)


def _trusted(kind: type) -> bool:
    """Whether rules are of this package's making alone."""
    homes = [x.__module__ for x in kind.__mro__]
    return all(x.startswith("zermelo.") or x in ("abc", "typing", "builtins") for x in homes)


class _WithoutSelf(ast.NodeTransformer):
    """``self.x`` → a constant, ``self.helper(…)`` → a call of the flattened helper."""

    def __init__(self, me: str, flattening: _Flattening, where: str, *, guarding: bool) -> None:
        self.me, self.flattening, self.where, self.guarding = me, flattening, where, guarding
        self.constants: dict[str, Any] = {}

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Replace an attribute of self."""
        if not (isinstance(node.value, ast.Name) and node.value.id == self.me):
            return self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load):
            raise InvalidRulesError(f"{self.where} changes self.{node.attr}")
        name = f"self_{node.attr}"
        rules = self.flattening.rules
        found = inspect.getattr_static(type(rules), node.attr, None)
        value: Any
        if isinstance(found, FunctionType | staticmethod):
            make = functools.partial(guarded, rules) if self.guarding else self.flattening.method
            value = make(node.attr)
        else:
            value = getattr(rules, node.attr)
            if isinstance(value, list):
                value = tuple(value)
        self.constants[name] = value
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Refuse self by itself."""
        if node.id == self.me:
            raise InvalidRulesError(
                f"{self.where}: {self.me} may be read for parameters and helpers only, "
                f"as in {self.me}.width"
            )
        return node


def _definition(function: FunctionType, where: str) -> ast.FunctionDef:
    """The syntax tree of a function, without decorators, types and docstring."""
    try:
        text = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        raise InvalidRulesError(
            f"{where}: its source cannot be read; write the rules into a file"
        ) from None
    definition = ast.parse(text).body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise InvalidRulesError(f"{where}: expected a function defined by def")
    ast.increment_lineno(definition, function.__code__.co_firstlineno - 1)
    definition.decorator_list, definition.returns = [], None
    for argument in definition.args.args:
        argument.annotation = None
    if ast.get_docstring(definition) is not None and len(definition.body) > 1:
        del definition.body[0]
    return _WithoutTypes().visit(definition)  # type: ignore[no-any-return]


class _WithoutTypes(ast.NodeTransformer):
    """``x: int = 3`` → ``x = 3``."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """Drop the annotation."""
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], node.value), node)


def _constant(value: Any) -> str:
    """A word for a value that a function refers to, the same in every process."""
    if isinstance(value, Kernel):
        return value.identity or f"{value.__module__}.{value.function.__qualname__}"
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, ModuleType | type) or callable(value):
        return str(getattr(value, "__name__", type(value).__name__))
    return f"{type(value).__name__} {value!r}"


def _named(function: FunctionType, identity: str) -> FunctionType:
    """The function with a name of its own, so that symbols of different rules never meet."""
    function.__qualname__ = f"{function.__name__}_{identity[:24]}"
    return function


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
