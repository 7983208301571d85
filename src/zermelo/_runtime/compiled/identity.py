"""Signatures of values: texts that are the same in every process, and differ for other values.

Machine code and tables are found by digests of everything that they were made from: numbers,
arrays, classes, and functions with the values that they read. ``repr`` is not enough for that: it
shortens arrays and omits types, and for many objects it shows the address. A value for which no
faithful signature is known here is refused with :class:`NoSignature`.

Functions of C (NumPy's, Python's own) are known by name; the versions of the packages that they
belong to are part of the key of machine code (see :mod:`zermelo._runtime.compiled.native`).
"""

import builtins
import enum
import hashlib
import struct
import sys
from collections.abc import Callable, Iterator
from functools import cache
from types import (
    BuiltinFunctionType,
    CodeType,
    EllipsisType,
    FunctionType,
    MethodType,
    ModuleType,
    NoneType,
)
from typing import Any

import numpy as np

Follow = Callable[[Any, tuple[int, ...]], "str | None"]
"""A function that returns the signatures of some values that only the caller knows, else None."""

GENERATED = frozenset(
    ("__module__", "__qualname__", "__doc__", "__dict__", "__weakref__", "__annotations__",
     "__annotate__", "__annotate_func__", "__annotations_cache__", "__firstlineno__",
     "__static_attributes__", "__abstractmethods__", "_abc_impl", "__orig_bases__",
     "__parameters__", "__type_params__", "__match_args__", "__slots__", "__hash__")
)  # fmt: skip
"""Members of classes that do not affect what the class does."""

OF_NAMED_TUPLES = frozenset(
    ("__new__", "__repr__", "__getnewargs__", "_make", "_replace", "__replace__", "_asdict")
)


class NoSignature(Exception):
    """A value has no faithful signature; the message describes the value."""


def digest(*parts: str) -> str:
    """One digest of several texts.

    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    return hashlib.sha256("\0".join((str(len(parts)), *parts)).encode()).hexdigest()


def signature(value: Any, follow: Follow | None = None, above: tuple[int, ...] = ()) -> str:
    """The signature of a value; ``follow`` is called first, for the value and for its parts.

    >>> signature((1, True, 2.0)), signature(np.int8(1))
    ('tuple(int 1,bool True,float 4000000000000000)', 'scalar |i1 01')
    >>> signature(object())
    Traceback (most recent call last):
    zermelo._runtime.compiled.identity.NoSignature: an object of type object
    """
    if follow is not None and (text := follow(value, above)) is not None:
        return text
    kind = type(value)
    if kind is int:
        return f"int {value:x}"  # Python limits the length of decimal texts
    if kind in (bool, str, bytes, range, NoneType, EllipsisType):
        return f"{kind.__name__} {value!r}"
    if kind is float:
        return f"float {struct.pack('>d', value).hex()}"  # distinguishes −0 from 0, and all NaNs
    if kind is complex:
        return f"complex {struct.pack('>dd', value.real, value.imag).hex()}"
    if isinstance(value, np.generic) and kind.__module__ == "numpy":
        return f"scalar {_dtype(value.dtype)} {value.tobytes().hex()}"
    if isinstance(value, np.dtype):
        return f"dtype {_dtype(value)}"
    if kind is np.ndarray:
        kind_of_items, items = _dtype(value.dtype), hashlib.sha256(value.tobytes()).hexdigest()
        return f"array {kind_of_items} {value.shape} {items}"
    if id(value) in above:
        return f"again {above[::-1].index(id(value))}"
    return _signature_by_parts(value, follow, (*above, id(value)))


def _signature_by_parts(value: Any, follow: Follow | None, inside: tuple[int, ...]) -> str:
    kind = type(value)
    if isinstance(value, enum.Enum):
        class_signature = signature(kind, follow, inside)
        return f"{class_signature}.{value.name}={signature(value.value, follow, inside)}"
    if kind in (tuple, list):
        return f"{kind.__name__}({','.join(signature(x, follow, inside) for x in value)})"
    if kind is dict:
        pairs = (
            f"{signature(k, follow, inside)}:{signature(x, follow, inside)}"
            for k, x in value.items()
        )
        return f"dict({','.join(pairs)})"
    if kind in (set, frozenset):
        return f"{kind.__name__}({','.join(sorted(signature(x, follow, inside) for x in value))})"
    if kind is slice:
        return f"slice{signature((value.start, value.stop, value.step), follow, inside)}"
    if is_named_tuple(kind):
        items = ",".join(signature(x, follow, inside) for x in value)
        return f"{signature(kind, follow, inside)}({items})"
    if isinstance(value, CodeType):
        return code_signature(value)
    if isinstance(value, type):
        return _class(value, follow, inside)
    if isinstance(value, FunctionType) and not is_foreign(value):
        return function_signature(value, follow, inside)
    if (name := foreign_name(value)) is not None:
        return name
    raise NoSignature(described(value))


def described(value: Any) -> str:
    """A description of a value without a signature, for a message."""
    if isinstance(value, ModuleType):
        return f"the module {value.__name__.rpartition('.')[2]}"
    if isinstance(value, MethodType) or (
        isinstance(value, BuiltinFunctionType) and not isinstance(value.__self__, ModuleType)
    ):
        return f"the bound method {value.__name__}"
    if isinstance(value, type):
        return f"the class {value.__name__}"
    if isinstance(value, np.ndarray) and type(value) is np.ndarray:
        return "an array of Python objects"
    return f"an object of type {type(value).__name__}"


def is_named_tuple(kind: type) -> bool:
    """Whether a class was made by NamedTuple or namedtuple."""
    return kind.__bases__ == (tuple,) and isinstance(getattr(kind, "_fields", None), tuple)


def _dtype(dtype: Any) -> str:
    if dtype.hasobject:
        raise NoSignature("an array of Python objects")
    return str(dtype.str) if dtype.names is None else repr(dtype)


# ------------------------------------------------------------ functions and classes


def nested(code: CodeType) -> Iterator[CodeType]:
    """A code object, and all code objects in it: of functions, lambdas and comprehensions.

    >>> [x.co_name for x in nested((lambda a: lambda b: [b for _ in a]).__code__)][:2]
    ['<lambda>', '<lambda>']
    """
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested(constant)


def names_in(function: FunctionType) -> dict[str, None]:
    """All names that a function, or a function in it, looks up in its globals or as attributes."""
    return {name: None for code in nested(function.__code__) for name in code.co_names}


def code_signature(code: CodeType) -> str:
    """The signature of a code object; it does not depend on where the code was read from."""
    return digest(
        code.co_code.hex(),
        code.co_exceptiontable.hex(),
        *(signature(x) for x in code.co_consts),
        repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)),
        repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)),
    )


def function_signature(
    function: FunctionType, follow: Follow | None = None, above: tuple[int, ...] = ()
) -> str:
    """The signature of a function: its code, and all values that the code may read."""
    inside = (*above, id(function))
    names = names_in(function)
    parts = [code_signature(function.__code__)]
    parts += [
        signature(x, follow, inside) for x in (function.__defaults__, function.__kwdefaults__)
    ]
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    scope = {**function.__globals__, **{name: _content(cell) for name, cell in cells}}
    for name in (*names, *function.__code__.co_freevars):
        if name in scope:
            parts.append(f"{name}={_read(scope[name], names, follow, inside)}")
        elif hasattr(builtins, name):
            parts.append(f"{name} of Python")
    return digest(*parts)


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        raise NoSignature("a name that has no value yet") from None


def _read(value: Any, names: Any, follow: Follow | None, inside: tuple[int, ...]) -> str:
    """The signature of a value; that of a module has the members with these names."""
    if not isinstance(value, ModuleType):
        return signature(value, follow, inside)
    if belongs_elsewhere(value.__name__):
        return f"module {value.__name__}"
    if id(value) in inside:
        return "again"
    own, inside = vars(value), (*inside, id(value))
    read = (f"{x}={_read(own[x], names, follow, inside)}" for x in names if x in own)
    return f"module({','.join(read)})"


def _class(kind: type, follow: Follow | None, inside: tuple[int, ...]) -> str:
    """The signature of a class, with all members of it and of its bases."""
    if belongs_elsewhere(kind.__module__):
        name = f"class {kind.__module__}.{kind.__qualname__}"
        if not is_named_tuple(kind):
            return name
        record: Any = kind  # kernels make such records, and the order of the fields matters
        return f"{name} {record._fields!r} {signature(record._field_defaults, follow, inside)}"
    if type(kind).__module__.partition(".")[0] not in ("builtins", "abc", "enum"):
        raise NoSignature(described(kind))
    left_out = GENERATED
    parts = [kind.__qualname__, *(signature(base, follow, inside) for base in kind.__bases__)]
    if is_named_tuple(kind):
        fields: Any = kind._fields  # type: ignore[attr-defined]
        left_out = GENERATED | OF_NAMED_TUPLES | set(fields)
        parts.append(repr(fields))
    if isinstance(kind, enum.EnumMeta):
        members: dict[str, Any] = dict(kind.__members__)
        parts += [f"{x}={signature(m.value, follow, inside)}" for x, m in members.items()]
        own = {x: f for x, f in vars(kind).items() if isinstance(f, FunctionType | property)}
    else:
        own = dict(vars(kind))
    for name in sorted(own.keys() - left_out):
        parts += [name, *(signature(x, follow, inside) for x in _opened(own[name]))]
    return f"class {digest(*parts)}"


def _opened(member: Any) -> tuple[Any, ...]:
    """The functions in a member of a class, or the member itself."""
    if isinstance(member, staticmethod | classmethod):
        return type(member), member.__func__
    if isinstance(member, property):
        return property, member.fget, member.fset, member.fdel
    if type(member).__name__ == "member_descriptor":  # a slot
        return ("slot",)
    return (member,)


# ------------------------------------------------------------------ other packages


def foreign_name(value: Any) -> str | None:
    """The signature of a function of C, or of Numba, by its name; None for any other value."""
    kind = type(value)
    module, name = getattr(value, "__module__", None), getattr(value, "__name__", "")
    if isinstance(value, np.ufunc):
        return f"ufunc {name}" if getattr(np, name, None) is value else None
    if isinstance(value, BuiltinFunctionType):
        if not (value.__self__ is None or isinstance(value.__self__, ModuleType | type)):
            return None
        if isinstance(value.__self__, type):
            return f"{signature(value.__self__)}.{name}"
        return f"function {module}.{name}" if module and belongs_elsewhere(module) else None
    if is_foreign(value) or (kind.__module__.partition(".")[0] == "numpy" and callable(value)):
        return f"function {module}.{name}" if module and belongs_elsewhere(module) else None
    if any(base.__module__ == "numba.core.types.abstract" for base in kind.__mro__):
        return f"Numba's {value!r}"
    return None


def is_foreign(value: Any) -> bool:
    """Whether a Python function is NumPy's or Numba's: Numba has versions of its own for those."""
    module = getattr(value, "__module__", None) or ""
    return (
        isinstance(value, FunctionType)
        and module.partition(".")[0] in ("numpy", "numba")
        and belongs_elsewhere(module)
    )


@cache
def belongs_elsewhere(module: str) -> bool:
    """Whether a module is Python's own, NumPy's, Numba's or this package's, not a user's.

    >>> belongs_elsewhere("math"), belongs_elsewhere("my_rules")
    (True, False)
    """
    top = module.partition(".")[0]
    if top in ("numpy", "numba", "llvmlite", "zermelo"):
        return True
    if top not in sys.stdlib_module_names and top != "builtins":
        return False
    import sysconfig  # imported here, since small jobs do not need it

    file = getattr(sys.modules.get(top), "__file__", None)
    homes = (sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib"))
    return file is None or any(file.startswith(home) for home in homes if home)
