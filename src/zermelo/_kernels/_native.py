"""Compiled kernels on disk as object code, loaded and called without Numba.

Importing Numba takes longer than most jobs. So what it has compiled once is kept as an object
file: later processes load that with LLVM's linker alone and call it through ``ctypes``, which gives
up the interpreter's lock meanwhile.

**The calling convention** is Numba's own: ``status f(result*, error**, arguments…)``. A
one-dimensional array is seven arguments (owner, parent, elements, bytes an element, data, shape,
stride), of which the first two may be null for memory that is not Numba's; a tuple is its items.

**A file** is a line of JSON that names the function, its result and the digest of the object code
behind it. Files are written whole or not at all, and one that is damaged is not run.
"""

import contextlib
import ctypes
import functools
import hashlib
import importlib.util
import json
import os
import re
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

RESULTS: dict[str, Any] = {"int64": ctypes.c_int64, "bool": ctypes.c_bool, "none": ctypes.c_void_p}
"""What a kernel that is kept may return."""

HARMLESS = ("NRT_incref", "NRT_decref", "NRT_MemInfo_call_dtor")
"""What object code may call: memory that is not Numba's has no count of references."""


FAULT = "zermelo_note_fault"
"""The symbol that object code calls where rules went wrong, with a member and a position."""


class KernelError(RuntimeError):
    """Machine code that ended before it was done: an error was raised in it."""


class _Fault(threading.local):
    """What went wrong in this thread: the member of rules, as a number, and its position."""

    noted: tuple[int, int] | None = None


fault = _Fault()


def _note(member: int, position: int) -> None:
    fault.noted = member, position


_NOTE = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(_note)


def add_fault_symbol() -> None:
    """Let machine code of this process find what it calls where rules went wrong."""
    import llvmlite.binding as llvm

    llvm.add_symbol(FAULT, ctypes.cast(_NOTE, ctypes.c_void_p).value)


def signature(args: tuple[Any, ...]) -> str | None:
    """What the arguments are, in a word; None for what the convention here does not cover.

    >>> signature((np.zeros(3, np.int32), 5, (1, True)))
    '[i4]i(ib)'
    """
    parts = []
    for a in args:
        if isinstance(a, np.ndarray):
            if a.ndim != 1 or not a.flags.c_contiguous or a.dtype.kind not in "iub":
                return None
            parts.append(f"[{a.dtype.str[1:]}]")
        elif isinstance(a, bool | np.bool_):
            parts.append("b")
        elif isinstance(a, int | np.integer):
            parts.append("i")
        elif isinstance(a, tuple) and a:
            inner = signature(a)
            if inner is None or "[" in inner or "(" in inner:
                return None
            parts.append(f"({inner})")
        else:
            return None
    return "".join(parts)


class Native:
    """A function of a loaded object file."""

    def __init__(self, name: str, address: int, result: str, word: str) -> None:
        flat: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]
        array = [ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_ssize_t] * 2, ctypes.c_void_p]
        for part in re.findall(r"\[\w+\]|[ib]", word):
            if part == "i":
                flat.append(ctypes.c_int64)
            elif part == "b":
                flat.append(ctypes.c_bool)
            else:
                flat += [*array, ctypes.c_ssize_t, ctypes.c_ssize_t]
        self.name = name
        self.call = ctypes.CFUNCTYPE(ctypes.c_int32, *flat)(address)
        self.result = result

    def __call__(self, *args: Any) -> Any:
        """Run it."""
        out, error = RESULTS[self.result](), ctypes.c_void_p()
        flat: list[Any] = [ctypes.addressof(out), ctypes.addressof(error)]
        for a in args:
            if isinstance(a, np.ndarray):
                size, width = a.size, a.itemsize
                flat += (None, None, size, width, a.ctypes.data, size, width)
            elif isinstance(a, tuple):
                flat += a
            else:
                flat.append(a)
        status = self.call(*flat)
        if status:
            raise KernelError(f"kernel {self.name} failed with status {status}")
        return None if self.result == "none" else out.value


@functools.cache
def engine() -> Any:
    """LLVM's linker for this process."""
    import llvmlite.binding as llvm

    with contextlib.suppress(RuntimeError):  # newer versions do it themselves
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    nothing = ctypes.cast(ctypes.pythonapi.Py_IncRef, ctypes.c_void_p).value
    for name in HARMLESS:  # called with null, if at all
        llvm.add_symbol(name, nothing)
    add_fault_symbol()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def link(name: str, symbol: str, result: str, word: str, code: bytes) -> Native:
    """Load object code into this process."""
    import llvmlite.binding as llvm

    linker = engine()
    linker.add_object_file(llvm.ObjectFileRef.from_data(code))
    linker.finalize_object()
    return Native(name, linker.get_function_address(symbol), result, word)


def read(path: Path, name: str, word: str) -> Native | None:
    """The kernel of a file; None where there is none, or not a whole one."""
    try:
        head, _, code = path.read_bytes().partition(b"\n")
        about = json.loads(head)
        if about["digest"] != hashlib.sha256(code).hexdigest() or about["word"] != word:
            return None
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return link(name, about["symbol"], about["result"], word, code)


def write(path: Path, symbol: str, result: str, word: str, code: bytes) -> None:
    """Keep object code; a place that cannot be written keeps nothing."""
    about = {
        "symbol": symbol,
        "result": result,
        "word": word,
        "digest": hashlib.sha256(code).hexdigest(),
    }
    with contextlib.suppress(OSError):
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(json.dumps(about).encode() + b"\n" + code)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise


def file_of(function: Callable[..., Any], word: str, directory: Path, identity: str = "") -> Path:
    """Where the object code of a kernel is kept: named by all that it was made from.

    ``identity`` stands for what is in it beside the sources of its module: rules, say.
    """
    digest = hashlib.sha256()
    for source in sources(function.__module__):
        digest.update(source.encode() + b"\0")
    digest.update(f"{word}\0{function.__qualname__}\0{_machine()}\0{identity}".encode())
    stem = function.__module__.rsplit(".", 1)[-1]
    return directory / f"{stem}.{function.__qualname__}-{digest.hexdigest()[:24]}.o"


@functools.cache
def sources(module: str) -> tuple[str, ...]:
    """The text of a module and of all of this package's that it imports, in a fixed order."""
    found: dict[str, str] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            file = getattr(sys.modules.get(name), "__file__", None)
            found[name] = Path(file).read_text() if file else ""
            waiting += re.findall(r"^from (zermelo[\w.]*) import", found[name], re.MULTILINE)
    return tuple(found[name] for name in sorted(found))


@functools.cache
def _machine() -> str:
    import llvmlite
    import llvmlite.binding as llvm

    switches = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_"))
    return repr(
        (
            sys.implementation.cache_tag,
            _numba_version(),
            llvmlite.__version__,
            llvm.get_default_triple(),
            llvm.get_host_cpu_name(),
            llvm.get_host_cpu_features().flatten(),
            switches,
        )
    )


def _numba_version() -> str:
    """What Numba's version file says, without importing Numba."""
    spec = importlib.util.find_spec("numba")
    if spec is None or spec.origin is None:
        return ""
    with contextlib.suppress(OSError):
        return Path(spec.origin).with_name("_version.py").read_text()
    return spec.origin
