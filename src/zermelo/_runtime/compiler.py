"""Numba's compiler up to LLVM's language, for kernels that are kept as object code.

Numba optimises every function, makes machine code of it and loads that into the process, also where
a function is only called by others, which then take it in whole. And it compiles a function again
for each constant that it is called with. A kernel needs none of this: its own code, with that of
the functions it calls, is optimised once, and machine code is made of it once. That takes three
fifths of the time.

This module imports Numba, so only what compiles imports it. The names of Numba that are used here
are not public, see docs/decisions/0005-object-code.md.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba import _dynfunc
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.errors import TypingError
from numba.core.typed_passes import NativeLowering
from numba.core.types.misc import unliteral


class Library(CPUCodeLibrary):  # type: ignore[misc]
    """The code of a function in LLVM's language, with that of the functions that it calls."""

    def _optimize_final_module(self) -> None:
        """Leave the code as it is, see :func:`finished`."""

    def _finalize_final_module(self) -> None:
        """Load nothing into this process."""
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class Lowering(NativeLowering):  # type: ignore[misc]
    """The translation into LLVM's language."""

    _name = "zermelo_lowering"

    def run_pass(self, state: Any) -> bool:
        """Translate a function. Calls of it refer to an object that Python must not call."""
        state.library = Library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        lowered = state["cr"]
        about, library = lowered.fndesc, (state.library,)
        reference = _dynfunc.make_function(
            about.lookup_module(), about.qualname.split(".")[-1], "", 0, lowered.env, library
        )
        state.targetctx.insert_user_function(reference, about, library)
        state["cr"] = lowered._replace(cfunc=reference)
        return True


class Pipeline(CompilerBase):  # type: ignore[misc]
    """All steps of Numba's compiler, with this translation as the last one."""

    def define_pipelines(self) -> list[Any]:
        """The steps."""
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps = [(Lowering if step is NativeLowering else step, text)
                 for step, text in manager.passes]  # fmt: skip
        manager.passes, manager._finalized = steps, False
        manager.finalize()
        return [manager]


def for_types(dispatcher: Any) -> Any:
    """A function that is compiled for each kind of arguments, and not for each constant."""
    resolve = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        try:
            return resolve(tuple(map(unliteral, args)), kws)
        except TypingError:  # an index of a tuple of several types must be a constant
            return resolve(args, kws)

    dispatcher.get_call_template = get_call_template
    return dispatcher


def finished(library: Library) -> Any:
    """LLVM's module of a kernel, optimised."""
    with global_compiler_lock:
        library._ensure_finalized()
        CPUCodeLibrary._optimize_final_module(library)
        return library._final_module


@contextmanager
def no_collection() -> Iterator[None]:
    """Let Python not search for unused objects meanwhile: compilers make millions that are used."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
