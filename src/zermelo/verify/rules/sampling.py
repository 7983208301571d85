"""Templates that call one member of rules on a list of arguments, compiled or in Python.

They are bound to rules (:mod:`zermelo._runtime.compiled.bind`), to compare the results of the
compiler with those of Python.
"""

from types import FunctionType
from typing import Any

from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import Kernel, kernel
from zermelo.labels import Int64Array

member = placeholder("member")


@kernel
def each_number(values: Int64Array, results: Int64Array) -> None:
    """The number that the member gives for each argument."""
    for i in range(len(values)):
        results[i] = member(values[i])


@kernel
def each_list(values: Int64Array, out: Int64Array, results: Int64Array) -> None:
    """For each argument how many numbers the member fills in, then these numbers."""
    at = 0
    for x in values:
        count = member(x, out)
        results[at] = count
        for k in range(count):
            results[at + 1 + k] = out[k]
        at += 1 + len(out)


def template_of(name: str, *, filling: bool) -> Kernel[Any, Any]:
    """The template that calls a member of this name, which fills an array or gives a number."""
    function: Any = (each_list if filling else each_number).function
    scope = {**function.__globals__, "member": placeholder(name)}
    template = FunctionType(function.__code__, scope, f"each_{name}")
    template.__module__ = __name__
    return Kernel(template)
