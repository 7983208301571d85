"""Whether kernels are interpreted or compiled: the switch, and what is small."""

import os
from typing import Any

import numpy as np

from zermelo._runtime.compiled.native import is_record
from zermelo._runtime.compiled.store import warn_once
from zermelo._runtime.forks import compiler
from zermelo.errors import InvalidOptionError


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
        elif is_record(a):
            size += elements(a)
    return size
