"""Machine instructions that Python has no name for, as functions that kernels call.

A function ``build_…`` imports Numba and builds the function that compiled kernels call. Beside it
is a plain Python function that does the same in interpreted kernels. An
:class:`~zermelo._runtime.compiled.jit.Intrinsic` is both.
"""

from collections.abc import Callable
from typing import Any

from zermelo._runtime.compiled.jit import Intrinsic
from zermelo._runtime.compiled.native import FAULT, add_fault_symbol, fault


def build_prefetch() -> Callable[..., None]:
    """The instruction that asks for a cache line ahead of its use."""
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
            integer = ir.IntType(32)
            function = cgutils.get_or_insert_function(
                builder.module,
                ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, integer, integer, integer]),
                "llvm.prefetch.p0i8" if not getattr(ir, "_opaque", False) else "llvm.prefetch.p0",
            )
            # to read (0) or write (1): write; locality 3 = keep; cache 1 = data
            builder.call(function, [byte, integer(1), integer(3), integer(1)])
            return context.get_dummy_value()

        return types.void(array, index), codegen

    return prefetch_line  # type: ignore[no-any-return]


def build_atomic(operation: str) -> Callable[[], Callable[..., int]]:
    """A function that builds an atomic instruction: it changes an item of an array in one step."""

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


def build_lowest() -> Callable[..., int]:
    """The instruction that counts the zeros below the lowest bit that is set."""
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator,unused-ignore]
    def trailing_zeros(typingctx: Any, mask: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            word = context.cast(builder, args[0], signature.args[0], types.int64)
            return builder.cttz(word, ir.Constant(ir.IntType(1), 1))

        return types.int64(mask), codegen

    return trailing_zeros  # type: ignore[no-any-return]


def build_on_words(operation: str) -> Callable[[], Callable[..., int]]:
    """A function that builds an instruction on words of 64 bits, named as in LLVM."""

    def build() -> Callable[..., int]:
        from numba import types
        from numba.extending import intrinsic

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            typed = zip(args, signature.args, strict=True)
            words = [context.cast(builder, x, t, types.int64) for x, t in typed]
            return getattr(builder, operation)(*words)

        @intrinsic  # type: ignore[untyped-decorator,unused-ignore]
        def on_word(typingctx: Any, mask: Any) -> Any:
            return types.int64(mask), codegen

        @intrinsic  # type: ignore[untyped-decorator,unused-ignore]
        def on_two_words(typingctx: Any, mask: Any, number: Any) -> Any:
            return types.int64(mask, number), codegen

        return on_two_words if operation in ("shl", "lshr") else on_word  # type: ignore[no-any-return]

    return build


def build_note_fault() -> Callable[..., None]:
    """The call with which machine code notes a fault of rules: the member and the position."""
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    add_fault_symbol()

    @intrinsic  # type: ignore[untyped-decorator,unused-ignore]
    def call_note(typingctx: Any, member: Any, position: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            integer = ir.IntType(64)
            function_type = ir.FunctionType(ir.VoidType(), [integer, integer])
            function = cgutils.get_or_insert_function(builder.module, function_type, FAULT)
            typed = zip(args, signature.args, strict=True)
            builder.call(function, [context.cast(builder, x, t, types.int64) for x, t in typed])
            return context.get_dummy_value()

        return types.void(member, position), codegen

    return call_note  # type: ignore[no-any-return]


def _note_fault(member: int, position: int) -> None:
    """Note a fault of rules for this thread: the member, as a number, and the position."""
    fault.noted = member, position


note_fault: Intrinsic[[int, int], None] = Intrinsic(_note_fault, build_note_fault)


def _fetch_sub(array: Any, index: int, value: int) -> int:
    """Subtract from ``array[index]`` and return the old value, in one step for all threads."""
    old: int = array[index]
    array[index] = old - value
    return old


def _swap(array: Any, index: int, value: int) -> int:
    """Set ``array[index]`` and return the old value, in one step for all threads."""
    old: int = array[index]
    array[index] = value
    return old


fetch_sub: Intrinsic[[Any, int, int], int] = Intrinsic(_fetch_sub, build_atomic("sub"))
swap: Intrinsic[[Any, int, int], int] = Intrinsic(_swap, build_atomic("xchg"))


def _prefetch(array: Any, index: int) -> None:
    """Ask for the cache line of ``array[index]`` ahead of its use; any index is harmless."""


prefetch: Intrinsic[[Any, int], None] = Intrinsic(_prefetch, build_prefetch)
