"""One source, two ways to run it: a kernel is interpreted while jobs are small, compiled beyond.

Importing Numba and loading the first cached kernel cost more than half a second, in which plain
Python labels a hundred thousand positions. So ``@kernel`` keeps the Python function and compiles
it at the first call that is worth it; small calls run the same source on lists (which plain
Python indexes several times faster than arrays) and copy the results back.

What a kernel may do, so that both ways agree: index one-dimensional arrays, call other kernels,
use plain loops and integers. It must not slice arrays, rely on wrap-around, or call NumPy on its
arguments. Output arrays are the writable ones; the caller allocates them.

Switches: ``ZERMELO_KERNELS`` is ``auto`` (the default), ``interpret`` or ``compile``;
``NUMBA_DISABLE_JIT=1`` interprets, too. ``ZERMELO_CACHE_DIR`` moves the disk cache.
"""

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

from zermelo.errors import InvalidOptionError

P = ParamSpec("P")
R = TypeVar("R")

SMALL_CALL = 1 << 16
"""A call whose arrays hold at most this many elements together may be interpreted."""

PATIENCE = 1 << 18
"""Interpreted calls of one process handle at most this many elements together, then compile."""


class _Budget:
    """How many array elements have gone through interpreted calls in this process."""

    spent = 0


def interpreting() -> bool:
    """Whether no kernel is compiled at all."""
    return _mode() == "interpret"


def _mode() -> str:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "interpret"
    mode = os.environ.get("ZERMELO_KERNELS", "auto")
    if mode not in ("auto", "interpret", "compile"):
        raise InvalidOptionError(
            f"ZERMELO_KERNELS: expected auto, interpret or compile, got {mode!r}"
        )
    return mode


class Kernel(Generic[P, R]):
    """A plain Python function that runs interpreted or compiled, whichever is sooner done."""

    def __init__(self, function: Callable[P, R]) -> None:
        self.function = function
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the kernel; positional arguments only."""
        if self._worth_compiling(args):
            return self.compiled(*args)
        return self._on_lists(args)

    def _worth_compiling(self, args: tuple[Any, ...]) -> bool:
        mode = _mode()
        if mode != "auto":
            return mode == "compile"
        if "compiled" in self.__dict__:
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
    def compiled(self) -> Callable[..., R]:
        """The function with the kernels that it calls bound to their compiled selves, jitted."""
        return _compile(self._rebound("compiled"))

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
    def compiled(self) -> Callable[..., R]:
        """The instruction itself."""
        return self._build()


def _compile(function: Callable[..., R]) -> Callable[..., R]:
    import numba

    directory = cache_directory()
    if directory is None:
        return numba.njit(nogil=True)(function)  # type: ignore[no-any-return]
    previous = numba.config.CACHE_DIR
    try:  # Numba chooses the cache's place while it decorates; give others their own back.
        numba.config.CACHE_DIR = directory
        return numba.njit(nogil=True, cache=True)(function)  # type: ignore[no-any-return]
    except RuntimeError:
        return numba.njit(nogil=True)(function)  # type: ignore[no-any-return]
    finally:
        numba.config.CACHE_DIR = previous


@functools.cache
def cache_directory() -> str | None:
    """The directory for compiled kernels, named by their sources; None where none is writable.

    Numba notices an edit of the file that holds a function, not of the files that it imports, and
    not a change of the bounds-check mode: hence a directory of our own for each state of
    ``_kernels/`` and each mode.
    """
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    mode = "checked" if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0") else "fast"
    directory = _cache_home() / "kernels" / f"{digest.hexdigest()[:16]}-{mode}"
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
