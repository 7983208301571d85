"""One source, two ways to run it: a kernel is interpreted while jobs are small, compiled beyond.

Compiling takes seconds, and loading what was compiled before a tenth of one (see
:mod:`zermelo._kernels._native`), in which plain Python labels many thousand positions. So
``@kernel`` keeps the Python function and compiles it at the first call that is worth it; small
calls run the same source on lists (which plain Python indexes several times faster than arrays)
and copy the results back.

What a kernel may do, so that both ways agree: index one-dimensional arrays, call other kernels,
use plain loops and integers. It must not slice arrays, rely on wrap-around, or call NumPy on its
arguments. Output arrays are the writable ones; the caller allocates them.

Switches: ``ZERMELO_KERNELS`` is ``auto`` (the default), ``interpret`` or ``compile``;
``NUMBA_DISABLE_JIT=1`` interprets, too. ``ZERMELO_CACHE_DIR`` moves the disk cache.
"""

import functools
import os
import re
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from zermelo._kernels._native import (
    FAULT,
    HARMLESS,
    RESULTS,
    add_fault_symbol,
    fault,
    file_of,
    link,
    read,
    signature,
    write,
)
from zermelo.errors import InvalidOptionError

P = ParamSpec("P")
R = TypeVar("R")

SMALL_CALL = 1 << 16
"""A call whose arrays hold at most this many elements together may be interpreted."""

PATIENCE = 1 << 18
"""Interpreted calls of one process handle at most this many elements together, then compile."""


_loading = threading.Lock()
"""Held while machine code is made or loaded: neither the compiler nor the linker is for two."""


class _Budget:
    """How many array elements have gone through interpreted calls in this process."""

    spent = 0


def interpreting() -> bool:
    """Whether no kernel is compiled at all."""
    return mode() == "interpret"


def mode() -> str:
    """``auto``, ``interpret`` or ``compile``."""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "interpret"
    given = os.environ.get("ZERMELO_KERNELS", "auto")
    if given not in ("auto", "interpret", "compile"):
        raise InvalidOptionError(
            f"ZERMELO_KERNELS: expected auto, interpret or compile, got {given!r}"
        )
    return given


class Kernel(Generic[P, R]):
    """A plain Python function that runs interpreted or compiled, whichever is sooner done."""

    bounds_checked = False
    """Whether machine code checks every index, also where the environment does not ask for it."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        self.identity = ""
        self._ready: dict[str | None, Callable[..., R]] = {}
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
        size = sum(a.size for a in args if isinstance(a, np.ndarray))
        if size > SMALL_CALL or _Budget.spent + size > PATIENCE:
            return True
        _Budget.spent += size
        return False

    def _on_lists(self, args: tuple[Any, ...]) -> R:
        lists = [a.tolist() if isinstance(a, np.ndarray) and a.ndim == 1 else a for a in args]
        result = self.interpreted(*lists)
        for array, filled in zip(args, lists, strict=True):
            if isinstance(filled, list) and array.flags.writeable:
                array[:] = filled
        return result

    @functools.cached_property
    def interpreted(self) -> Callable[..., R]:
        """The function with the kernels that it calls bound to their interpreted selves."""
        return self._rebound("interpreted")

    @functools.cached_property
    def inner(self) -> Callable[..., R]:
        """The function jitted for the kernels that call it, with no door for Python."""
        import numba

        options = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        if self.bounds_checked:
            options["boundscheck"] = True
        return numba.njit(**options)(self._rebound("inner"))  # type: ignore[no-any-return]

    @functools.cached_property
    def outer(self) -> Callable[..., R]:
        """The function jitted for calls with arguments that object code is not kept for."""
        import numba

        return numba.njit(nogil=True)(self._rebound("inner"))  # type: ignore[no-any-return]

    def compiled(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel as machine code, kept from an earlier process where there is one."""
        word = signature(args)
        run = self._ready.get(word)
        if run is None:
            with _loading:
                run = self._ready.get(word)
                if run is None:
                    run = self._ready[word] = self._machine_code(word)
        return run(*args)

    @property
    def ready(self) -> bool:
        """Whether there is machine code of it in this process."""
        return bool(self._ready)

    def kept(self, args: tuple[Any, ...]) -> bool:
        """Whether there is object code of an earlier process for such arguments."""
        word, directory = signature(args), cache_directory()
        if word is None or directory is None:
            return False
        return file_of(self.function, word, Path(directory), self.identity).exists()

    def _machine_code(self, word: str | None) -> Callable[..., R]:
        directory = cache_directory()
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        if word is None or directory is None or not name.startswith(__package__):
            return self.outer
        path = file_of(self.function, word, Path(directory), self.identity)
        if (found := read(path, name, word)) is not None:
            return found
        made = _object_code(self.inner, word)
        if made is None:
            return self.outer
        write(path, made[0], made[1], word, made[2])
        return link(name, made[0], made[1], word, made[2])

    def _rebound(self, attribute: str) -> Callable[..., R]:
        f = self.function
        assert isinstance(f, FunctionType)
        scope = dict(f.__globals__)
        for name in f.__code__.co_names:
            if isinstance(called := scope.get(name), Kernel):
                scope[name] = getattr(called, attribute)
        copy = FunctionType(f.__code__, scope, f.__name__, f.__defaults__, f.__closure__)
        copy.__qualname__, copy.__module__, copy.__doc__ = f.__qualname__, f.__module__, f.__doc__
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


class Intrinsic(Kernel[P, R]):
    """A kernel whose compiled self is made of machine instructions that Python has no name for."""

    def __init__(self, function: Callable[P, R], build: Callable[[], Callable[..., R]]) -> None:
        super().__init__(function)
        self._build = build

    @functools.cached_property
    def inner(self) -> Callable[..., R]:
        """The instruction itself."""
        return self._build()


def _object_code(dispatcher: Any, word: str) -> tuple[str, str, bytes] | None:
    """Compile for arguments of these kinds: the symbol, the result's kind and the object code.

    None where the result has no kind here, or the code needs more than itself.
    """
    from numba import from_dtype, types

    kinds = {"i": types.int64, "b": types.boolean}
    arguments: list[Any] = []
    for array, items, item in re.findall(r"\[(\w+)\]|\((\w+)\)|(\w)", word):
        if array:
            arguments.append(types.Array(from_dtype(np.dtype(array)), 1, "C"))
        else:
            arguments.append(types.Tuple([kinds[k] for k in items]) if items else kinds[item])
    dispatcher.compile(tuple(arguments))
    made = dispatcher.overloads[tuple(arguments)]
    module = made.library._final_module
    outside = {x.name for x in (*module.functions, *module.global_variables) if x.is_declaration}
    result = str(made.signature.return_type)
    if result not in RESULTS or any(
        not x.startswith("llvm.") and x not in (*HARMLESS, FAULT) for x in outside
    ):
        return None
    code = made.library._codegen._tm.emit_object(module)
    return made.fndesc.llvm_func_name, result, code


@functools.cache
def cache_directory() -> str | None:
    """The directory for compiled kernels; None where none is writable or bounds are checked."""
    if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0"):
        return None
    directory = _cache_home() / "kernels"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError:
        return None
    return str(directory)


def _cache_home() -> Path:
    if given := os.environ.get("ZERMELO_CACHE_DIR"):
        return Path(given)
    home = Path(os.path.expanduser("~"))
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "zermelo"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home)) / "zermelo" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "zermelo"


def _build_prefetch() -> Callable[..., None]:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator,unused-ignore]
    def prefetch_line(typingctx: Any, array: Any, index: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array_type, index_type = signature.args
            struct = context.make_array(array_type)(context, builder, args[0])
            i = context.cast(builder, args[1], index_type, types.intp)
            pointer = builder.gep(struct.data, [i])
            byte = builder.bitcast(pointer, cgutils.voidptr_t)
            word = ir.IntType(32)
            function = cgutils.get_or_insert_function(
                builder.module,
                ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word]),
                "llvm.prefetch.p0i8" if not getattr(ir, "_opaque", False) else "llvm.prefetch.p0",
            )
            # to read (0) or write (1): write; locality 3 = keep; cache 1 = data
            builder.call(function, [byte, word(1), word(3), word(1)])
            return context.get_dummy_value()

        return types.void(array, index), codegen

    return prefetch_line  # type: ignore[no-any-return]


def _build_atomic(operation: str) -> Callable[[], Callable[..., int]]:
    def build() -> Callable[..., int]:
        from numba import types
        from numba.extending import intrinsic

        @intrinsic  # type: ignore[untyped-decorator,unused-ignore]
        def exchange(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                array_type, index_type, value_type = signature.args
                struct = context.make_array(array_type)(context, builder, args[0])
                i = context.cast(builder, args[1], index_type, types.intp)
                operand = context.cast(builder, args[2], value_type, array_type.dtype)
                pointer = builder.gep(struct.data, [i])
                return builder.atomic_rmw(operation, pointer, operand, "monotonic")

            return array.dtype(array, index, value), codegen

        return exchange  # type: ignore[no-any-return]

    return build


def _build_note_fault() -> Callable[..., None]:
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    add_fault_symbol()

    @intrinsic  # type: ignore[untyped-decorator,unused-ignore]
    def call_note(typingctx: Any, member: Any, position: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = ir.IntType(64)
            kind = ir.FunctionType(ir.VoidType(), [word, word])
            function = cgutils.get_or_insert_function(builder.module, kind, FAULT)
            given = zip(args, signature.args, strict=True)
            builder.call(function, [context.cast(builder, x, t, types.int64) for x, t in given])
            return context.get_dummy_value()

        return types.void(member, position), codegen

    return call_note  # type: ignore[no-any-return]


def _note_fault(member: int, position: int) -> None:
    """Note for this thread which member of rules went wrong, and at which position."""
    fault.noted = member, position


note_fault: Intrinsic[[int, int], None] = Intrinsic(_note_fault, _build_note_fault)


def _fetch_sub(array: Any, index: int, value: int) -> int:
    """Subtract from ``array[index]`` and return what it was, both at once for all threads."""
    old: int = array[index]
    array[index] = old - value
    return old


def _swap(array: Any, index: int, value: int) -> int:
    """Set ``array[index]`` and return what it was, both at once for all threads."""
    old: int = array[index]
    array[index] = value
    return old


fetch_sub: Intrinsic[[Any, int, int], int] = Intrinsic(_fetch_sub, _build_atomic("sub"))
swap: Intrinsic[[Any, int, int], int] = Intrinsic(_swap, _build_atomic("xchg"))


def _prefetch(array: Any, index: int) -> None:
    """Ask for the cache line of ``array[index]`` ahead of its use; any index is harmless."""


prefetch: Intrinsic[[Any, int], None] = Intrinsic(_prefetch, _build_prefetch)
