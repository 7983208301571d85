"""Kernels have one source and run in two ways: small jobs are interpreted, large ones compiled.

Compiling a kernel takes seconds. Loading a kernel that was compiled before takes a tenth of a
second (see :mod:`zermelo._runtime.compiled.native`); in this time plain Python labels many thousand
positions. So ``@kernel`` keeps the Python function and compiles it only at the first large call.
Small calls run the same source on lists, which plain Python indexes several times faster than
arrays, and copy the results back.

Both ways must give the same results. So a kernel may index one-dimensional arrays, call other
kernels, and use plain loops and integers. It must not slice arrays, rely on integer overflow, or
call NumPy on its arguments. Output arrays are the writable ones; the caller allocates them.

**Records.** A NamedTuple of one-dimensional arrays and integers may be an argument, too. A kernel
reads its fields by name, changes the items of its arrays, and passes the record on to other
kernels. The class and the names and types of its fields are part of the key of the object code.

Switches: ``ZERMELO_KERNELS`` is ``auto`` (the default), ``interpret`` or ``compile``;
``NUMBA_DISABLE_JIT=1`` interprets, too. ``ZERMELO_CACHE_DIR`` moves the disk cache.
"""

import functools
import importlib.util
import os
from collections.abc import Callable
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from zermelo._runtime.compiled.identity import (
    NoSignature,
    code_signature,
    digest,
    function_signature,
    names_in,
)
from zermelo._runtime.compiled.identity import signature as value_signature
from zermelo._runtime.compiled.native import (
    Datum,
    Native,
    flattened,
    is_record,
    link,
    machine,
    object_code,
    signature,
    tokens,
    types_of,
)
from zermelo._runtime.compiled.store import (
    cache_directory,
    checks_bounds,
    file_of,
    read,
    warn_once,
    write,
)
from zermelo._runtime.forks import compiler, run_apart
from zermelo._runtime.progress import compiling
from zermelo.errors import InvalidOptionError, ZermeloError

P = ParamSpec("P")
R = TypeVar("R")

SMALL_CALL = 1 << 16
"""A call whose arrays hold at most this many elements together may be interpreted."""

KEPT_FROM = "zermelo."
"""Kernels of modules whose names begin so are kept as object code."""

MAX_INTERPRETED_ELEMENTS = 1 << 18
"""After this many elements in interpreted calls of one process, kernels are compiled."""


class _Budget:
    """The number of array elements in all interpreted calls of this process."""

    spent = 0


class _Process:
    """The abilities of this process."""

    private = True
    """Whether this version of Numba has the private functions that make object code."""


def interpreting() -> bool:
    """Whether no kernel is compiled at all."""
    return mode() == "interpret"


def mode() -> str:
    """``auto``, ``interpret`` or ``compile``.

    Only interpreting is left where this process was forked while another thread compiled.
    """
    if compiler.lost:
        warn_once(
            "kernels are interpreted, which is slow: this process was forked while another thread "
            "compiled; fork before threads start, or start processes by spawn"
        )
        return "interpret"
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "interpret"
    given = os.environ.get("ZERMELO_KERNELS", "auto")
    if given not in ("auto", "interpret", "compile"):
        raise InvalidOptionError(
            f"ZERMELO_KERNELS: expected auto, interpret or compile, got {given!r}"
        )
    return given


def elements(args: tuple[Any, ...]) -> int:
    """How many elements the arrays among the arguments have together, those in records included.

    >>> elements((np.zeros(3), 7, (1, 2)))
    3
    """
    size = 0
    for a in args:
        if isinstance(a, np.ndarray):
            size += a.size
        elif isinstance(a, tuple):
            size += elements(a)
    return size


class Kernel(Generic[P, R]):
    """A plain Python function that is interpreted for small calls and compiled for large ones."""

    reads_kept = True
    """Whether object code of earlier processes may be used."""

    bounds_checked = False
    """Whether machine code checks every index, also where the environment does not ask for it."""

    inlined = False
    """Whether its machine code is copied into the kernels that call it, see :func:`part`."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        self.identity = self.form = ""
        self._ready: dict[str | None, Callable[..., R]] = {}
        self._forms: dict[str, Callable[..., R]] = {}
        self._fingerprint: str | None = None
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel; positional arguments only."""
        if self._worth_compiling(args):
            return self.compiled(*args, **kwargs)
        return self._on_lists(args)

    def _worth_compiling(self, args: tuple[Any, ...]) -> bool:
        if (chosen := mode()) != "auto":
            return chosen == "compile"
        if self._ready:
            return True
        size = elements(args)
        if size > SMALL_CALL or _Budget.spent + size > MAX_INTERPRETED_ELEMENTS:
            return True
        _Budget.spent += size
        return False

    def _on_lists(self, args: tuple[Any, ...]) -> R:
        arrays: dict[int, tuple[Any, list[Any]]] = {}

        def listed(value: Any) -> Any:
            """A value with lists in place of arrays, one list for each array."""
            if isinstance(value, np.ndarray) and value.ndim == 1:
                return arrays.setdefault(id(value), (value, value.tolist()))[1]
            if hasattr(value, "_fields"):  # a record
                return type(value)(*map(listed, value))
            return value

        result = self.interpreted(*[listed(a) for a in args])
        for array, filled in arrays.values():
            if array.flags.writeable:
                array[:] = filled
        return result

    @property
    def interpreted(self) -> Callable[..., R]:
        """The function, with the interpreted form of each kernel that it calls."""
        return self._form("interpreted", None)

    @property
    def inner(self) -> Callable[..., R]:
        """The function compiled for the kernels that call it; Python cannot call it."""
        return self._form("inner", {"no_cpython_wrapper": True, "no_cfunc_wrapper": True})

    @property
    def plain(self) -> Callable[..., R]:
        """The function compiled with only the documented options of Numba."""
        return self._form("plain", {})

    def _form(self, name: str, options: dict[str, Any] | None) -> Callable[..., R]:
        """One of the forms in which the kernel runs, made once."""
        if name not in self._forms:
            function = self._rebound(name)
            if options is not None:
                import numba

                checks = {"boundscheck": True} if self.bounds_checked else {}
                inlining = {"forceinline": True} if self.inlined and name == "inner" else {}
                if name != "inner":
                    function = numba.njit(nogil=True, **options, **checks, **inlining)(function)
                else:
                    from zermelo._runtime.compiled.compiler import Pipeline, for_types

                    options = {**options, **checks, **inlining, "pipeline_class": Pipeline}
                    function = for_types(numba.njit(nogil=True, **options)(function))
            self._forms[name] = function
        return self._forms[name]

    def compiled(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel as machine code, if possible with object code of an earlier process."""
        return (self._ready.get(signature(args)) or self._made(args))(*args)

    def _made(self, args: tuple[Any, ...]) -> Callable[..., R]:
        """Machine code for such arguments; plain Python where nothing can be compiled."""
        assert isinstance(self.function, FunctionType)
        wanted = self.function.__code__.co_argcount
        if len(args) != wanted:
            raise TypeError(f"kernel {self._name()}: expected {wanted} arguments, got {len(args)}")
        if compiler.lost:
            return lambda *given: self._on_lists(given)

        def load() -> Callable[..., R]:
            with compiler:
                kinds = signature(args)
                run = self._ready.get(kinds)
                if run is None:
                    run = self._ready[kinds] = self._machine_code(kinds, args)
            return run

        return run_apart(load)

    def prepared(self, *args: P.args, **kwargs: P.kwargs) -> Callable[[], R]:
        """The kernel as machine code with its arguments; one thread at a time may call it."""
        run = self._ready.get(signature(args)) or self._made(args)
        return run.prepared(*args) if isinstance(run, Native) else functools.partial(run, *args)

    def code_for(self, *args: Any) -> Callable[..., R] | None:
        """The machine code for arguments of these kinds, if this process has it.

        For many short calls: it takes arguments of the same kinds only, without a check.
        """
        return self._ready.get(signature(args)) if self._ready and mode() == "auto" else None

    @property
    def ready(self) -> bool:
        """Whether this process has machine code of the kernel."""
        return bool(self._ready)

    def kept(self, args: tuple[Any, ...]) -> bool:
        """Whether there is object code of an earlier process for such arguments."""
        kinds, directory = signature(args), cache_directory()
        if kinds is None or directory is None or not self.reads_kept:
            return False
        key = self._key(kinds)
        return key is not None and file_of(directory, self._name(), key).exists()

    def data(self) -> dict[str, Datum]:
        """The parameters that it and the kernels it calls read from memory, by their symbols."""
        assert isinstance(self.function, FunctionType)
        found: dict[str, Datum] = {}
        for name in names_in(self.function):
            value = self.function.__globals__.get(name)
            if isinstance(value, Datum):
                found[value.symbol] = value
            elif isinstance(value, Kernel) and not isinstance(value, Intrinsic):
                found |= value.data()
        return found

    def fingerprint(self) -> str:
        """A digest of the code in memory that runs, and of all values that it reads."""
        if self._fingerprint is None:
            assert isinstance(self.function, FunctionType)
            text = function_signature(self.function, _kernels_by_fingerprint)
            text = digest("inlined", text) if self.inlined else text
            self._fingerprint = digest("checked", text) if self.bounds_checked else text
        return self._fingerprint

    @property
    def title(self) -> str:
        """The name of the kernel for people."""
        return self._name()

    def _name(self) -> str:
        return f"{self.function.__module__.rsplit('.', 1)[-1]}.{self.function.__qualname__}"

    def _key(self, kinds: str) -> str | None:
        """The key of its object code for arguments of these kinds; None if there can be none."""
        try:
            return digest(self.fingerprint(), self._name(), kinds, machine(), _maker())
        except NoSignature:
            return None

    def _machine_code(self, kinds: str | None, args: tuple[Any, ...]) -> Callable[..., R]:
        """Machine code for arguments of these kinds, loaded from a file where that is possible.

        Loading it uses functions of Numba and LLVM that other versions may not have.
        """
        ours = self.function.__module__.startswith(KEPT_FROM)
        if kinds is None or not ours or not _Process.private or checks_bounds():
            return _ByNumba(self, self.plain)
        try:
            return self._object_code(kinds, args) or _ByNumba(self, self.plain)
        except (ZermeloError, MemoryError, Warning):
            raise
        except Exception as error:
            if type(error).__module__.startswith("numba."):  # the kernel cannot be compiled
                raise
            _Process.private = False
            warn_once(
                "compiled kernels are not kept: this version of Numba or llvmlite lacks functions "
                f"that are needed for that ({type(error).__name__}: {error})"
            )
            return _ByNumba(self, self.plain)

    def _object_code(self, kinds: str, args: tuple[Any, ...]) -> Native | None:
        """Machine code from a file, which is written if it is missing; None if it cannot be."""
        directory, key = cache_directory(), self._key(kinds)
        if key is None:
            return None
        path = None if directory is None else file_of(directory, self._name(), key)
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        compiled = read(path, key, kinds) if self.reads_kept and path is not None else None
        if compiled is None:
            records = [type(a) for a in args if is_record(a)]
            with compiling(self.title, directory):
                compiled = object_code(self.inner, kinds, records, f"zermelo_{key}")
            if compiled is None:
                return None
            if path is not None:
                write(path, key, compiled)
        return link(name, compiled, self.data().values())

    def _rebound(self, attribute: str) -> Callable[..., R]:
        f = self.function
        assert isinstance(f, FunctionType)
        scope = dict(f.__globals__)
        for name in names_in(f):
            if isinstance(called := scope.get(name), Kernel):
                scope[name] = getattr(called, attribute)
        copy = FunctionType(f.__code__, scope, f.__name__, f.__defaults__, f.__closure__)
        copy.__kwdefaults__ = f.__kwdefaults__
        copy.__qualname__, copy.__doc__ = f.__qualname__, f.__doc__
        # Numba imports the module of a function, and would wait for ever for one that is being
        # imported by the thread that waits for the compiler.
        copy.__module__ = None  # type: ignore[assignment]
        return copy


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Decorate a kernel: the only way in which this package uses Numba's compiler.

    >>> import numpy as np
    >>> @kernel
    ... def total(values, out):
    ...     for v in values:
    ...         out[0] += v
    >>> out = np.zeros(1, np.int64)
    >>> total(np.arange(5), out); int(out[0])
    10
    """
    return Kernel(function)


def part(function: Callable[P, R]) -> Kernel[P, R]:
    """Decorate a part of a long kernel that is a separate function only for its readers.

    Its machine code replaces each call. A real call would pass seven numbers for every array,
    including those in records, and this takes longer than a short part itself.

    >>> @part
    ... def twice(x):
    ...     return 2 * x
    >>> twice(4)
    8
    """
    inlined = Kernel(function)
    inlined.inlined = True
    return inlined


class Intrinsic(Kernel[P, R]):
    """A kernel whose compiled form consists of machine instructions that Python has no name for."""

    def __init__(self, function: Callable[P, R], build: Callable[[], Callable[..., R]]) -> None:
        super().__init__(function)
        self._build = build

    def _worth_compiling(self, args: tuple[Any, ...]) -> bool:
        """Never for a call from Python, where only kernels that are compiled have instructions."""
        return False

    def _form(self, name: str, options: dict[str, Any] | None) -> Callable[..., R]:
        """The instruction itself in all compiled forms."""
        if options is None:
            return super()._form(name, options)
        if "instruction" not in self._forms:
            self._forms["instruction"] = self._build()
        return self._forms["instruction"]

    def fingerprint(self) -> str:
        """A digest of the function that builds the instruction."""
        build: Any = self._build
        values = [value_signature(cell.cell_contents) for cell in build.__closure__ or ()]
        return digest("instruction", code_signature(build.__code__), *values)


class _ByNumba:
    """A function that Numba compiles, at the first call with arguments of each kind."""

    def __init__(self, kernel: Kernel[Any, Any], dispatcher: Any) -> None:
        self.kernel, self.dispatcher = kernel, dispatcher
        self._known: set[Any] = set()

    def __call__(self, *args: Any) -> Any:
        """Run the function; as in all of this module, only one thread at a time compiles."""
        import numba  # the dispatcher has imported it

        kinds = tuple(numba.typeof(x) for x in args)
        if kinds not in self._known:
            if compiler.lost:
                return self.kernel._on_lists(args)

            def compile_for_kinds() -> None:
                with compiler, compiling(self.kernel.title, None):
                    self.dispatcher.compile(kinds)
                self._known.add(kinds)

            run_apart(compile_for_kinds)
        return self.dispatcher(*args)


def _kernels_by_fingerprint(value: Any, above: tuple[int, ...]) -> str | None:
    if isinstance(value, Datum):
        return value.form()
    return value.fingerprint() if isinstance(value, Kernel) else None


@functools.cache
def _maker() -> str:
    """A digest of the functions of this package that make and call object code."""
    parts = (object_code, types_of, tokens, Kernel._form, link, Native.__init__, flattened)
    compiler: Any = importlib.util.find_spec("zermelo._runtime.compiled.compiler")
    codes = (compiler.loader.get_code(compiler.name), *(part.__code__ for part in parts))
    return digest(*map(code_signature, codes))
