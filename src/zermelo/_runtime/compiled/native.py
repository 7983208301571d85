"""Compiled kernels on disk as object code, which is loaded and called without Numba.

Importing Numba takes longer than most jobs. So a compiled kernel is kept as an object file. Later
processes link the file with llvmlite and call the kernel through ``ctypes``, which releases the
interpreter's lock during the call.

**The calling convention** is Numba's own: ``status f(result*, error**, arguments…)``. A
one-dimensional array is seven arguments (owner, parent, elements, bytes an element, data, shape,
stride), of which the first two may be null for memory that is not Numba's. A tuple is its items,
and a record (a NamedTuple of arrays and integers) is its fields, one after the other.

**Data.** Rules say in ``as_data`` which of their parameters machine code reads from memory, and not
as constants. Games that differ in them alone, such as chess endgames with other men, then share one
machine code: its key has the names and the types of such parameters, but not their values. The code
refers to them by symbols, and where it is loaded for a game, the linker puts in the addresses of
that game's values.

Module :mod:`zermelo._runtime.compiled.store` describes the directory and the content of the files.
"""

import contextlib
import ctypes
import functools
import importlib.util
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo._runtime.forks import run_apart
from zermelo.labels import AnyArray

PREFIX = "zermelo_data_"
"""How the symbols of data begin; LENGTH is the end of the symbol of a number of elements."""

LENGTH = "_length"

RESULTS: dict[str, Any] = {"int64": ctypes.c_int64, "bool": ctypes.c_bool, "none": ctypes.c_void_p}
"""The types that a kernel may return whose object code is kept."""

HARMLESS = ("NRT_incref", "NRT_decref", "NRT_MemInfo_call_dtor")
"""Functions that object code may call; they do nothing for memory that is not Numba's."""


OF_THIS_PROCESS = "numba.dynamic.globals"
"""How Numba names addresses that are valid in one process only."""

_BOOLS, _INTEGERS = (bool, np.bool_), (int, np.integer)

PROCESSOR = ("vendor_id", "cpu family", "model", "model name", "stepping", "flags")
"""What Linux says of an x86-64 processor; LLVM takes the same facts from the processor itself."""
PROCESSOR_BYTES = 2**14
"""The description of one processor is shorter than this."""

FAULT = "zermelo_note_fault"
"""The symbol that object code calls to note a fault of rules: a member and a position."""


class KernelError(RuntimeError):
    """An error was raised in machine code."""


class _Fault(threading.local):
    """The last fault in this thread: the member of rules, as a number, and the position."""

    noted: tuple[int, int] | None = None


fault = _Fault()


def _note(member: int, position: int) -> None:
    fault.noted = member, position


_NOTE = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(_note)


def add_fault_symbol() -> None:
    """Tell LLVM's linker the address of the function that notes faults of rules."""
    import llvmlite.binding as llvm

    llvm.add_symbol(FAULT, ctypes.cast(_NOTE, ctypes.c_void_p).value)


def is_record(value: Any) -> bool:
    """Whether a value is a record: a NamedTuple of one-dimensional arrays and integers.

    >>> is_record(ObjectCode("f", "none", "", b"")), is_record((1, 2))
    (True, False)
    """
    return isinstance(value, tuple) and type(value) is not tuple and hasattr(value, "_fields")


def signature(args: tuple[Any, ...]) -> str | None:
    """The types of the arguments in a short text; None if the convention does not cover one.

    A record is written with its class and its fields, so that two classes never share code.

    >>> signature((np.zeros(3, np.int32), 5, (1, True)))
    '[i4]i(ib)'
    >>> class Moves(NamedTuple):
    ...     indptr: np.ndarray
    ...     indices: np.ndarray
    >>> signature((Moves(np.zeros(3, np.int64), np.zeros(2, np.int32)), 5)).partition(":")[2]
    'indptr,indices:[i8][i4]}i'
    """
    parts = []
    for a in args:
        if isinstance(a, np.ndarray):
            kind = _kind_of(a.dtype)
            if a.ndim != 1 or kind is None or not a.flags.c_contiguous:
                return None
            parts.append(kind)
        elif isinstance(a, _BOOLS):
            parts.append("b")
        elif isinstance(a, _INTEGERS):
            parts.append("i")
        elif isinstance(a, float):
            parts.append("d")
        elif isinstance(a, tuple) and a:
            inner = signature(a)
            if inner is None or "(" in inner or "{" in inner:
                return None
            if is_record(a):
                parts.append(f"{_head_of(type(a))}{inner}}}")
            elif "[" in inner:
                return None
            else:
                parts.append(f"({inner})")
        else:
            return None
    return "".join(parts)


@functools.cache
def _kind_of(dtype: np.dtype[Any]) -> str | None:
    """The signature of arrays with items of a type; None if the convention does not cover it."""
    covered = dtype.kind in "iubf" and dtype.isnative and dtype.itemsize <= 8
    return f"[{dtype.str[1:]}]" if covered else None


@functools.cache
def _head_of(record: Any) -> str:
    """The beginning of the signature of a record: its class, and the names of its fields."""
    return f"{{{record.__module__}.{record.__qualname__}:{','.join(record._fields)}:"


def address_of(array: AnyArray) -> int | None:
    """The address of the elements; for empty arrays it may be any address.

    By NumPy's C interface it is the first field of an array, after the fields that every object
    has. ``array.ctypes`` finds the same address and takes forty times as long, which is most of the
    time of a short call.

    >>> array = np.arange(5)
    >>> address_of(array) == array.ctypes.data
    True
    """
    if _FIRST_FIELD is None:
        return array.ctypes.data
    return ctypes.c_void_p.from_address(id(array) + _FIRST_FIELD).value


def _first_field() -> int | None:
    """The offset in an array object of the address of its elements; None if it is not there."""
    array, offset = np.zeros(1), object.__basicsize__
    if sys.implementation.name != "cpython":
        return None
    address = ctypes.c_void_p.from_address(id(array) + offset).value
    return offset if address == array.ctypes.data else None


_FIRST_FIELD = _first_field()


def tokens(signature: str) -> list[str]:
    """The parts of a signature: arrays, ``i``, ``b``, ``d``, and brackets of tuples and records.

    >>> tokens("[i4](ib){m.Pair:left,right:[i8]i}")
    ['[i4]', '(', 'i', 'b', ')', '{m.Pair:left,right:', '[i8]', 'i', '}']
    """
    return re.findall(r"\{[^{}:]*:[^{}:]*:|[})(]|\[\w+\]|[ibd]", signature)


class Datum(np.ndarray[Any, Any]):
    """A parameter in memory: a one-dimensional array with the symbol that machine code has for it.

    >>> width = datum("width", 7)
    >>> width.symbol, width.tolist(), width.flags.writeable
    ('zermelo_data_width', [7], False)
    """

    symbol = ""
    length: Any = None
    """The number of elements, in an array of its own."""

    def addresses(self) -> dict[str, int]:
        """The addresses that the linker puts in place of symbols."""
        return {self.symbol: self.ctypes.data, self.symbol + LENGTH: self.length.ctypes.data}

    def form(self) -> str:
        """What machine code knows of it."""
        return f"data {self.symbol} {self.dtype.str}"


def datum(name: str, value: Any) -> Datum:
    """A parameter in memory: a copy of an array, or one element for a number."""
    given = np.array(value, np.int64 if isinstance(value, int) else None, ndmin=1)
    made: Datum = given.view(Datum)
    made.symbol, made.length = PREFIX + name, np.array([given.size], np.int64)
    made.flags.writeable = False
    return made


def is_data(value: Any) -> bool:
    """Whether a parameter can be data: an integer, or a one-dimensional array of integers.

    >>> is_data(3), is_data(np.zeros(2, np.int8)), is_data((1, 2)), is_data(np.zeros(2))
    (True, True, False, False)
    """
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "iu" and value.dtype.isnative
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


class ObjectCode(NamedTuple):
    """A compiled kernel before it is linked: bytes that refer to no other code."""

    symbol: str
    """The name of the function in the code."""
    result: str
    """The type that the function returns, one of RESULTS."""
    signature: str
    """The types of its arguments, in the text that :func:`signature` gives."""
    code: bytes


class Native:
    """A function of a loaded object file."""

    held: tuple[Any, ...]
    """What must live as long as the function: the linker that has its code, and its data."""

    def __init__(self, name: str, address: int, result: str, signature: str) -> None:
        flat: list[Any] = [ctypes.c_void_p, ctypes.c_void_p]
        array = [ctypes.c_void_p, ctypes.c_void_p, *[ctypes.c_ssize_t] * 2, ctypes.c_void_p]
        for token in tokens(signature):
            if token == "i":
                flat.append(ctypes.c_int64)
            elif token == "b":
                flat.append(ctypes.c_bool)
            elif token == "d":
                flat.append(ctypes.c_double)
            elif token.startswith("["):
                flat += [*array, ctypes.c_ssize_t, ctypes.c_ssize_t]
        self.name, self.held = name, ()
        self.call = ctypes.CFUNCTYPE(ctypes.c_int32, *flat)(address)
        self.result = result

    def __call__(self, *args: Any) -> Any:
        """Run it."""
        out, error = RESULTS[self.result](), ctypes.c_void_p()
        status = self.call(ctypes.addressof(out), ctypes.addressof(error), *flattened(args))
        if status:
            raise KernelError(f"kernel {self.name} failed with status {status}")
        return None if self.result == "none" else out.value

    def prepared(self, *args: Any) -> Callable[[], Any]:
        """The function with these arguments, for many calls on the same arrays.

        Only one thread at a time may call what it gives. Arrays must not move: what owns their
        memory lives as long as the result.
        """
        out, error = RESULTS[self.result](), ctypes.c_void_p()
        flat = [ctypes.addressof(out), ctypes.addressof(error), *flattened(args)]
        call, name, empty = self.call, self.name, self.result == "none"

        def run() -> Any:
            if status := call(*flat):
                raise KernelError(f"kernel {name} failed with status {status}")
            return None if empty else out.value

        run.held = self, args, error  # type: ignore[attr-defined]
        return run


def flattened(args: Iterable[Any]) -> list[Any]:
    """Arguments in the calling convention: seven for an array, and those of records in turn."""
    flat: list[Any] = []
    for a in args:
        for item in a if isinstance(a, tuple) else (a,):
            if isinstance(item, np.ndarray):
                size, width = item.size, item.itemsize
                flat += (None, None, size, width, address_of(item), size, width)
            else:
                flat.append(item)
    return flat


@functools.cache
def engine() -> Any:
    """LLVM's linker for this process."""
    return new_engine()


def new_engine() -> Any:
    """A linker of LLVM's."""
    import llvmlite.binding as llvm

    with contextlib.suppress(RuntimeError):  # newer versions do it themselves
        llvm.initialize()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # A function that does nothing if its argument is null, and these are called with null only.
    nothing = ctypes.cast(ctypes.pythonapi.Py_IncRef, ctypes.c_void_p).value
    for name in HARMLESS:
        llvm.add_symbol(name, nothing)
    add_fault_symbol()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)


def object_code(dispatcher: Any, kinds: str, records: list[type], symbol: str) -> ObjectCode | None:
    """Compile a function for arguments of these kinds; no other object code has this symbol.

    ``records`` are the classes of the records among the arguments, in order. The result is None if
    the function returns a type that is not in RESULTS, or if its code calls other functions.
    """
    from zermelo._runtime.compiled.compiler import finished, no_collection

    arguments = types_of(kinds, records)
    with no_collection():
        dispatcher.compile(arguments)
        compiled = dispatcher.overloads[arguments]
        module = finished(compiled, symbol)
    outside = {x.name for x in (*module.functions, *module.global_variables) if x.is_declaration}
    result = str(compiled.signature.return_type)
    addresses = any(x.name.startswith(OF_THIS_PROCESS) for x in module.global_variables)
    if (
        result not in RESULTS
        or addresses
        or any(not x.startswith(("llvm.", PREFIX)) and x not in (*HARMLESS, FAULT) for x in outside)
    ):
        return None
    return ObjectCode(symbol, result, kinds, compiled.library._codegen._tm.emit_object(module))


def types_of(kinds: str, records: list[type]) -> tuple[Any, ...]:
    """Numba's types of arguments; all arrays count as writable, so that one type is enough."""
    from numba import from_dtype, types

    classes = iter(records)
    inside: list[list[Any]] = [[]]
    for token in tokens(kinds):
        if token == "(" or token.startswith("{"):
            inside.append([])
        elif token in ")}":
            items = tuple(inside.pop())
            kind = next(classes) if token == "}" else None
            inside[-1].append(types.BaseTuple.from_types(items, kind))
        elif token.startswith("["):
            inside[-1].append(types.Array(from_dtype(np.dtype(token[1:-1])), 1, "C"))
        else:
            inside[-1].append({"i": types.int64, "b": types.boolean, "d": types.float64}[token])
    [arguments] = inside
    return tuple(arguments)


def link(name: str, kernel: ObjectCode, data: Iterable[Datum] = ()) -> Native:
    """Load object code into this process with LLVM's linker.

    ``data`` are the parameters that the code reads from memory. Code with data is loaded once for
    each game, by a linker of its own: LLVM finds symbols in a table of the whole process, which has
    those of this game during the call.
    """
    import llvmlite.binding as llvm

    held = tuple(data)
    linker = new_engine() if held else engine()
    for x in held:
        for symbol, place in x.addresses().items():
            llvm.add_symbol(symbol, place)
    linker.add_object_file(llvm.ObjectFileRef.from_data(kernel.code))
    linker.finalize_object()
    address = linker.get_function_address(kernel.symbol)
    if not address:
        raise RuntimeError(f"the linker does not find {kernel.symbol}")
    loaded = Native(name, address, kernel.result, kernel.signature)
    loaded.held = (linker, *held)
    return loaded


@functools.cache
def machine() -> str:
    """All that machine code depends on beside its source: versions, processor, switches."""
    switches = sorted(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_"))
    versions = [_version_file(package) for package in ("numba", "llvmlite")]
    return repr((sys.implementation.cache_tag, np.__version__, versions, _processor(), switches))


def _processor() -> tuple[str, ...]:
    """What LLVM needs to know of the processor, taken from the system if it tells it."""
    if sys.platform == "linux" and os.uname().machine == "x86_64":
        with contextlib.suppress(OSError), open("/proc/cpuinfo", "rb") as file:
            first = file.read(PROCESSOR_BYTES).decode(errors="replace").partition("\n\n")[0]
            known = dict(re.findall(r"^([\w ]*?)\s*: (.*)$", first, re.MULTILINE))
            if all(known.get(key) for key in PROCESSOR):
                return ("x86_64", *(known[key] for key in PROCESSOR))
    return run_apart(_processor_by_llvm)


def _processor_by_llvm() -> tuple[str, ...]:
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features().flatten()
    return llvm.get_default_triple(), llvm.get_host_cpu_name(), features


def _version_file(package: str) -> str:
    """The content of a package's version file, read without importing the package."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return ""
    with contextlib.suppress(OSError):
        return Path(spec.origin).with_name("_version.py").read_text()
    return spec.origin
