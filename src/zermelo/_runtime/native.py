"""Compiled kernels on disk as object code, loaded and called without Numba.

Importing Numba takes longer than most jobs. So what it has compiled once is kept as an object
file: later processes load that with LLVM's linker alone and call it through ``ctypes``, which gives
up the interpreter's lock meanwhile.

**The calling convention** is Numba's own: ``status f(result*, error**, arguments…)``. A
one-dimensional array is seven arguments (owner, parent, elements, bytes an element, data, shape,
stride), of which the first two may be null for memory that is not Numba's; a tuple is its items.

Where the files are, and what they hold, is said in :mod:`zermelo._runtime.store`.
"""

import contextlib
import ctypes
import functools
import importlib.util
import os
import re
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple

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


class ObjectCode(NamedTuple):
    """A compiled kernel before it is linked: bytes that need nothing but themselves."""

    symbol: str
    """The name of the function in the code."""
    result: str
    """What it returns, one of RESULTS."""
    signature: str
    """What its arguments are, as :func:`signature` says."""
    code: bytes


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


def object_code(dispatcher: Any, kinds: str) -> ObjectCode | None:
    """Compile for arguments of these kinds.

    None where the result has no kind here, or the code needs more than itself.
    """
    from numba import from_dtype, types

    by_letter = {"i": types.int64, "b": types.boolean}
    arguments: list[Any] = []
    for array, items, item in re.findall(r"\[(\w+)\]|\((\w+)\)|(\w)", kinds):
        if array:
            arguments.append(types.Array(from_dtype(np.dtype(array)), 1, "C"))
        else:
            arguments.append(
                types.Tuple([by_letter[k] for k in items]) if items else by_letter[item]
            )
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
    return ObjectCode(made.fndesc.llvm_func_name, result, kinds, code)


def link(name: str, made: ObjectCode) -> Native:
    """Load object code into this process."""
    import llvmlite.binding as llvm

    linker = engine()
    linker.add_object_file(llvm.ObjectFileRef.from_data(made.code))
    linker.finalize_object()
    address = linker.get_function_address(made.symbol)
    if not address:
        raise RuntimeError(f"the linker does not find {made.symbol}")
    return Native(name, address, made.result, made.signature)


@functools.cache
def machine() -> str:
    """All that machine code depends on beside its source: versions, processor, switches."""
    import llvmlite
    import llvmlite.binding as llvm

    switches = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_"))
    return repr(
        (
            sys.implementation.cache_tag,
            np.__version__,
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
