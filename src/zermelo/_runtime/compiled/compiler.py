"""Numba's compiler up to LLVM's language, for kernels that are kept as object code.

Numba optimises every function by itself, makes machine code of it and loads this code into the
process, even if only other functions call it and contain a copy of its code. It also compiles a
function again for each constant that it is called with. A kernel needs none of this. Here the code
of a kernel and of the functions that it calls is optimised together, once, and machine code is made
of it once. This takes three quarters of the time.

This module imports Numba, so only code that compiles imports this module. The names of Numba that
are used here are not public, see docs/decisions/0005-object-code.md.
"""

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from llvmlite.ir import ArrayType
from numba import _dynfunc
from numba.core.cgutils import add_global_variable, normalize_ir_text, pack_array
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.errors import TypingError
from numba.core.typed_passes import NativeLowering, NopythonRewrites
from numba.core.types import intp
from numba.core.types.misc import unliteral

from zermelo._runtime.compiled.native import LENGTH, Datum

_COUNTING = re.compile(r'^ *(?:tail )?call void @"?NRT_(?:inc|dec)ref"?\(.*$', re.MULTILINE)
"""Calls in LLVM's language that count references. A kernel allocates nothing, and the memory of its
arguments does not belong to Numba, so there is nothing to count. Without these calls a kernel that
passes records on to other kernels is up to a third faster."""


EFFORT = 2
"""How much LLVM optimises. With 3, the default of Numba, tables of chess endgames take a fifth more
time, and no kernel was faster."""


class Library(CPUCodeLibrary):  # type: ignore[misc]
    """The code of a function in LLVM's language, with that of the functions that it calls."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Add a module of LLVM's language, without the calls that count references."""
        module = llvm.parse_assembly(_COUNTING.sub("", normalize_ir_text(str(ir_module))))
        module.name = ir_module.name
        self.add_llvm_module(module)

    def _optimize_final_module(self) -> None:
        """Do not optimise yet: :func:`finished` optimises the whole kernel at once."""

    def _finalize_final_module(self) -> None:
        """Do not load the code into this process."""
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(NativeLowering):  # type: ignore[misc]
    """The translation into LLVM's language."""

    _name = "zermelo_lowering"

    def run_pass(self, state: Any) -> bool:
        """Translate a function; kernels refer to it by an object that Python must not call."""
        state.library = Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        with _data_outside(state.targetctx):
            super().run_pass(state)
        lowered = state["cr"]
        about, library = lowered.fndesc, (state.library,)
        reference = _dynfunc.make_function(
            about.lookup_module(), about.qualname.split(".")[-1], "", 0, lowered.env, library
        )
        state.targetctx.insert_user_function(reference, about, library)
        state["cr"] = lowered._replace(cfunc=reference)
        return True


@contextmanager
def _data_outside(context: Any) -> Iterator[None]:
    """Let code refer to data by symbols; all other arrays, even large ones, become constants."""
    make_constant = context.make_constant_array

    def make_array(builder: Any, kind: Any, array: Any) -> Any:
        if not isinstance(array, Datum):
            context.allow_dynamic_globals = False  # else code has the addresses of large arrays
            try:
                return make_constant(builder, kind, array)
            finally:
                del context.allow_dynamic_globals
        item, size = context.get_data_type(kind.dtype), context.get_value_type(intp)
        symbols = (array.symbol, item), (array.symbol + LENGTH, size)
        data, length = (_outside(builder.module, *symbol) for symbol in symbols)
        width = context.get_constant(intp, array.dtype.itemsize)
        made = context.make_array(kind)(context, builder)
        context.populate_array(
            made,
            data=builder.bitcast(data, made.data.type),
            shape=pack_array(builder, [builder.load(builder.bitcast(length, size.as_pointer()))]),
            strides=pack_array(builder, [width]),
            itemsize=width,
            parent=None,
            meminfo=None,
        )
        return made._getvalue()

    context.make_constant_array = make_array
    try:
        yield
    finally:
        del context.make_constant_array


def _outside(module: Any, symbol: str, kind: Any) -> Any:
    """A constant that is defined elsewhere, under a symbol."""
    if symbol in module.globals:
        return module.globals[symbol]
    found = add_global_variable(module, ArrayType(kind, 0), symbol)
    found.linkage, found.global_constant = "external", True
    return found


class Pipeline(CompilerBase):  # type: ignore[misc]
    """The steps of Numba's compiler, with :class:`Lowering` as the last one."""

    def define_pipelines(self) -> list[Any]:
        """The list of steps."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps = [
            (Lowering if step is NativeLowering else step, text)
            for step, text in manager.passes
            if step is not NopythonRewrites  # it joins operations on whole arrays
        ]
        manager.passes, manager._finalized = steps, False
        manager.finalize()
        return [manager]


def for_types(dispatcher: Any) -> Any:
    """The same function, but compiled once for each type of arguments, not for each constant."""
    resolve = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        try:
            return resolve(tuple(map(unliteral, args)), kws)
        except TypingError:  # an index of a tuple of several types must be a constant
            return resolve(args, kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def finished(compiled: Any, symbol: str) -> Any:
    """LLVM's module of a kernel, optimised; the kernel gets a symbol that no other code has.

    Numba makes the names of functions from the names of classes and from numbers that start anew in
    each process. So two functions of different files could have the same name. Therefore all names
    except that of the kernel are local to the file. The optimiser can then also replace a call by
    the code of the function, where this is the only call.
    """
    library = compiled.library
    with global_compiler_lock:
        library._ensure_finalized()
        module = library._final_module.clone()
        for function in module.functions:
            if function.name == compiled.fndesc.llvm_func_name:
                function.name = symbol
            elif not function.is_declaration:
                function.linkage = "internal"
        for variable in module.global_variables:
            if not variable.is_declaration:
                variable.linkage = "internal"
        passes = library._codegen._module_pass_manager(opt=EFFORT)
        if isinstance(passes, tuple):
            passes[0].run(module, passes[1])
        else:  # up to version 0.60 of Numba
            passes.run(module)
        return module


@contextmanager
def no_collection() -> Iterator[None]:
    """Switch off the garbage collector: a compiler makes millions of objects that are in use."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
