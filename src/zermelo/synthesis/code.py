"""Machines as programs: a module of Python, and a file of C; each stands alone."""

import re
from collections.abc import Iterable
from importlib import resources

from zermelo.synthesis.mealy import MealyMachine


def write_python(machine: MealyMachine) -> bytes:
    """A machine as a module with the class ``Controller`` and its method ``step``.

    >>> import zermelo as zm
    >>> copy = zm.MealyMachine(("in",), ("out",), ((0, -1, -2),), (((), 0), ((0,), 0)), (0,))
    >>> module = {}
    >>> exec(write_python(copy).decode(), module)
    >>> module["Controller"]().step(["in"])
    {'out': True}
    """
    text = _template("controller.py.txt").format(
        kind=_kind(machine),
        states=_states(machine),
        inputs=machine.inputs,
        outputs=machine.outputs,
        nodes=_rows(machine.nodes),
        steps=_rows(machine.steps),
        roots=_rows(machine.roots),
    )
    return text.encode()


def write_c(machine: MealyMachine) -> bytes:
    """A machine as a file of C, with ``controller_reset`` and ``controller_step``."""
    count = len(machine.outputs)
    values = ["{" + ", ".join(str(int(k in true)) for k in range(count)) + "}" if count else "{0}"
              for true, _ in machine.steps]  # fmt: skip
    nodes = ["{" + ", ".join(map(str, node)) + "}" for node in machine.nodes]
    text = _template("controller.c.txt").format(
        kind=_kind(machine),
        states=_states(machine),
        input_count=len(machine.inputs),
        output_count=count,
        width=max(1, count),
        inputs=_entries(map(_c_text, machine.inputs), '""'),
        outputs=_entries(map(_c_text, machine.outputs), '""'),
        nodes=_entries(nodes, "{0, 0, 0}"),
        targets=_entries((str(target) for _, target in machine.steps), "0"),
        values=_entries(values, "{0}"),
        roots=_entries(map(str, machine.roots), "0"),
    )
    return text.encode()


def _template(name: str) -> str:
    """A program with fields in braces, which stands beside this module."""
    return resources.files("zermelo.synthesis").joinpath("templates", name).read_text("utf-8")


def _kind(machine: MealyMachine) -> str:
    return "controller" if machine.player == 1 else "strategy of the environment"


def _states(machine: MealyMachine) -> str:
    return f"{len(machine):,} state{'' if len(machine) == 1 else 's'}"


def _rows(rows: Iterable[object]) -> str:
    """A tuple as source code, with an entry on each line."""
    return "(\n" + "".join(f"    {row!r},\n" for row in rows) + ")"


def _entries(entries: Iterable[str], empty: str) -> str:
    """The entries of an array of C, which must not be empty."""
    return "\n    " + (",\n    ".join(entries) or empty) + "\n"


def _c_text(name: str) -> str:
    """A text of C; letters other than those of ASCII are spelled by their bytes.

    >>> _c_text('a"é')
    '"a\\\\"\\\\303\\\\251"'
    """
    data = name.encode()
    plain = re.compile(rb"[A-Za-z0-9_ .,:;()<>=+*/&|!@$%^~{}\[\]'-]")
    letters = []
    for k in range(len(data)):
        one = data[k : k + 1]
        if one in (b'"', b"\\"):
            letters.append("\\" + one.decode())
        else:
            letters.append(one.decode() if plain.match(one) else f"\\{one[0]:03o}")
    return '"' + "".join(letters) + '"'
