"""Kernels that call methods of rules.

A *template* is a kernel that calls placeholders. :func:`bind` replaces them by the methods of a
rules object and returns a kernel like any other, interpreted or compiled:

>>> import numpy as np
>>> from zermelo._runtime.compiled.jit import kernel
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

A method becomes a function without ``self`` (see :mod:`zermelo._runtime.compiled.flatten`), in
which parameters are constants for the compiler. The *identity* of the kernel is a digest of the
text of all these functions and of the constants, so edited rules never run with old code.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any
from weakref import ReferenceType, ref

from zermelo._runtime.compiled import guards
from zermelo._runtime.compiled.flatten import Flat, Flattening, Read, named
from zermelo._runtime.compiled.identity import digest, names_in
from zermelo._runtime.compiled.jit import SMALL_CALL, Kernel, elements, mode
from zermelo._runtime.compiled.native import fault
from zermelo._runtime.forks import run_apart
from zermelo.errors import InvalidRulesError, ZermeloError
from zermelo.labels import LARGEST_POSITION

LOAD_AFTER_SECONDS, COMPILE_AFTER_SECONDS = 0.05, 1.5
"""Seconds of interpreted calls of one bound template after which it is loaded, or compiled."""

MAX_ELEMENTS_OF_SHORT_CALL = 1 << 12
"""A call whose arrays have at most this many elements together runs in the calling thread."""


class Placeholder:
    """A function that takes the place of a method of rules until :func:`bind` replaces it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: Any) -> Any:
        """Refuse the call: a template must be bound before it is called."""
        raise RuntimeError(f"bind the template to rules before it calls {self.name}")


def placeholder(name: str) -> Any:
    """The placeholder that a template calls for the method ``name`` of rules.

    >>> placeholder("moves")(3)
    Traceback (most recent call last):
    RuntimeError: bind the template to rules before it calls moves
    """
    return Placeholder(name)


class Bound(Kernel[Any, Any]):
    """A template that calls methods of rules.

    Compiling it takes seconds. So small calls are interpreted until together they have taken
    COMPILE_AFTER_SECONDS, or LOAD_AFTER_SECONDS where there is object code of an earlier process.
    """

    def __init__(self, function: Callable[..., Any], identity: str, rules: Any) -> None:
        super().__init__(function)
        self.identity = identity
        self._rules: ReferenceType[Any] = ref(rules)
        self._of = type(rules).__name__
        self._game = str(getattr(rules, "known_as", None) or self._of)
        self._seconds = 0.0

    @property
    def title(self) -> str:
        """The name of the kernel for people, with that of the game."""
        return f"{self._game} ({self.function.__name__.replace('_', ' ')})"

    def _worth_compiling(self, args: tuple[Any, ...]) -> bool:
        if mode() != "auto":
            return mode() == "compile"
        if self._ready or self._seconds > COMPILE_AFTER_SECONDS or elements(args) > SMALL_CALL:
            return True
        return self._seconds > LOAD_AFTER_SECONDS and self.kept(args)

    def worth_compiling_after(self, seconds: float, args: tuple[Any, ...]) -> bool:
        """Whether machine code is worth its time, after another way to the same took so long."""
        if mode() != "auto":
            return mode() == "compile"
        return seconds > COMPILE_AFTER_SECONDS or (seconds > LOAD_AFTER_SECONDS and self.kept(args))

    def prepared(self, *args: Any, **kwargs: Any) -> Callable[[], Any]:
        """The machine code with its arguments; rules that the compiler refuses are an error."""
        run: Callable[[], Any] = self._by_compiler(lambda: super(Bound, self).prepared(*args))
        return run

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

        Machine code does not react to signals, and rules may run for ever. So long jobs of the
        main thread run in another thread, and the main thread can be interrupted.
        """
        if elements(args) <= MAX_ELEMENTS_OF_SHORT_CALL:
            return self._compiled(*args)
        return run_apart(lambda: self._compiled(*args))

    def _compiled(self, *args: Any) -> Any:
        return self._by_compiler(lambda: super(Bound, self).compiled(*args))

    def _by_compiler(self, job: Callable[[], Any]) -> Any:
        """What a job gives; its errors are those of the rules."""
        fault.noted = None
        try:
            return job()
        except ZermeloError:
            raise
        except Exception as error:
            if not type(error).__module__.startswith("numba."):
                raise self._broken(error) from error
            message = _complaint(re.sub(r"\x1b\[[0-9;]*m", "", str(error)))
            raise InvalidRulesError(f"{self._of} cannot be compiled: {message}") from error

    def _broken(self, error: Exception) -> Exception:
        """The error to raise after an error in a call; a guard has noted faults of the rules."""
        rules, noted, fault.noted = self._rules(), fault.noted, None
        if noted is None or rules is None:
            return error
        name, position = guards.GUARDED[noted[0]], noted[1]
        message = guards.complaint(rules, name, position)
        if name in guards.OF_POSITIONS and position > LARGEST_POSITION:
            # ``fill`` checks signs only; the next member is the first to get such a position.
            name, message = "moves", f"a move leads to {position}; expected {guards.POSITIONS}"
        if message is None:
            message = f"{name}({position}) gives a wrong result when compiled, but not in Python"
        refusal = InvalidRulesError(f"{self._of}: {message}")
        refusal.member, refusal.of_kernel = "moves" if name == guards.STEADY else name, True
        return refusal


def _complaint(text: str) -> str:
    """The error and its place, taken from a long message of the compiler."""
    lines = [line.strip() for line in text.splitlines()]
    explanation = [line for line in lines if line and not line.startswith("Failed in nopython")]
    place = re.findall(r'File "([^"]+)", line (\d+)', text)
    return (f"{place[0][0]}:{place[0][1]}: " if place else "") + " ".join(explanation[:2])


@dataclass
class _Known:
    """The functions and kernels that were made from one rules object."""

    flats: dict[Any, Flat] = field(default_factory=dict)
    bounds: dict[Kernel[Any, Any], Kernel[Any, Any]] = field(default_factory=dict)
    reads: list[Read] = field(default_factory=list)


_known: dict[int, tuple[Any, _Known]] = {}
"""The records by the ``id`` of rules, because equal rules may have different methods."""


def _of(rules: Any) -> _Known:
    """The record of these rules; it is empty if they have changed."""
    key = id(rules)
    if (entry := _known.get(key)) is None or entry[0]() is not rules:
        forget = _known.pop  # the global name may be gone when the interpreter shuts down
        entry = _known[key] = ref(rules, lambda _: forget(key, None)), _Known()
    known = entry[1]
    if not all(read.holds(rules) for read in known.reads):
        known.flats, known.bounds, known.reads = {}, {}, []
    return known


def bind(template: Kernel[Any, Any], rules: Any, *, kept: bool = True) -> Kernel[Any, Any]:
    """The kernel made from ``template``, with the methods of ``rules`` for the placeholders.

    The kernel has the current values of the parameters; after a change, bind again. Without
    ``kept`` it is made and compiled anew, even if there is object code of earlier processes.
    """
    known = _of(rules)
    if not kept:
        fresh = _bind(template, rules, known)
        if fresh is None:
            return template
        fresh.reads_kept = False
        return fresh
    if (bound := known.bounds.get(template)) is None:
        bound = known.bounds[template] = _bind(template, rules, known) or template
    return bound


class Binding:
    """Templates that are bound to the same rules for one job, each of them once.

    To find out whether parameters of rules have changed takes milliseconds where these are large.

    >>> class Step:
    ...     def moves(self, position): return position + 1
    >>> rules = Step()
    >>> binding = Binding(rules)
    >>> template = Kernel(lambda: 0)
    >>> binding(template) is binding(template) is template
    True
    """

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self._bound: dict[Kernel[Any, Any], Kernel[Any, Any]] = {}

    def __call__(self, template: Kernel[Any, Any]) -> Kernel[Any, Any]:
        """The kernel made from a template."""
        if template not in self._bound:
            self._bound[template] = bind(template, self.rules)
        return self._bound[template]


def identity(rules: Any, *names: str) -> str:
    """A digest of methods of ``rules``: their text, their constants, and the functions they call.

    >>> class Step:
    ...     def __init__(self, by): self.by = by
    ...     def moves(self, position): return position + self.by
    >>> identity(Step(1), "moves") == identity(Step(1), "moves") != identity(Step(2), "moves")
    True
    """
    return digest(*(f"{name} {flat(rules, name).identity}" for name in names))


def _bind(template: Kernel[Any, Any], rules: Any, known: _Known) -> Kernel[Any, Any] | None:
    """The bound template; None if the template has no placeholders."""
    f: Any = template.function
    scope = dict(f.__globals__)
    parts, forms = [], []
    for name in names_in(f):
        called = scope.get(name)
        new: Kernel[Any, Any] | None = None
        if isinstance(called, Placeholder):
            new = Flattening(rules, known.flats, known.reads).guarded(called.name)
        elif isinstance(called, Kernel) and isinstance(called.function, FunctionType):
            new = known.bounds.get(called) or _bind(called, rules, known)
            if new is not None:
                known.bounds[called] = new
        if new is not None and new is not called:
            scope[name] = new
            parts.append(f"{name}={new.identity}")
            forms.append(f"{name}={new.form}")
    if not parts:
        return None
    copy = FunctionType(f.__code__, scope, f.__name__, f.__defaults__, f.__closure__)
    copy.__module__, copy.__doc__ = f.__module__, f.__doc__
    form = digest(*forms)
    bound = Bound(named(copy, form), digest(*parts), rules)
    bound.form, bound.inlined = form, template.inlined
    return bound


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
    known = _of(rules)
    return Flattening(rules, known.flats, known.reads).method(name)


def guarded(rules: Any, name: str) -> Kernel[Any, Any]:
    """The member ``name`` of ``rules`` as kernels call it: its results are checked.

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
    known = _of(rules)
    return Flattening(rules, known.flats, known.reads).guarded(name)
