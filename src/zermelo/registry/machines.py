"""The table of formats in which the machines of synthesis are written."""

import os
from dataclasses import dataclass

from zermelo.errors import InvalidOptionError
from zermelo.registry.table import Row, Table


@dataclass(frozen=True)
class MachineRow(Row):
    """A format of machines; ``target`` is the function that gives the bytes of a machine."""

    suffixes: tuple[str, ...] = ()


MACHINES: Table[MachineRow] = Table(
    "format of machines",
    "zermelo.machines",
    (
        MachineRow(
            "aag", "AIGER, a circuit as text", "zermelo.synthesis.circuit:write_aag", (".aag",)
        ),
        MachineRow(
            "aig", "AIGER, a circuit in binary", "zermelo.synthesis.circuit:write_aig", (".aig",)
        ),
        MachineRow(
            "hoa", "an automaton in HOA", "zermelo.synthesis.text:write_hoa", (".hoa", ".ehoa")
        ),
        MachineRow(
            "dot", "Graphviz' language", "zermelo.synthesis.text:write_dot", (".dot", ".gv")
        ),
        MachineRow("json", "JSON", "zermelo.synthesis.text:write_json", (".json",)),
        MachineRow("python", "a Python module", "zermelo.synthesis.code:write_python", (".py",)),
        MachineRow("c", "a program in C", "zermelo.synthesis.code:write_c", (".c",)),
    ),
)


def machine_row(name: str | None, format: str | None) -> MachineRow:
    """The format of that name or suffix, or else that of a file's name.

    >>> machine_row("controller.aag", None).name, machine_row(None, "py").name
    ('aag', 'python')
    """
    if format is not None:
        suffix = f".{format}".lower() if isinstance(format, str) else ""
        found = next((row for row in MACHINES if suffix in row.suffixes), None)
        return MACHINES[format] if found is None else found
    suffixes = " ".join(x for row in MACHINES for x in row.suffixes)
    if name is None:
        known = ", ".join(row.name for row in MACHINES)
        raise InvalidOptionError(f"writing to standard output needs a format: {known}")
    ending = os.path.splitext(name)[1].lower()
    found = next((row for row in MACHINES if ending in row.suffixes), None)
    if found is None:
        raise InvalidOptionError(
            f"{name}: no format for a machine has this suffix; known: {suffixes}"
        )
    return found
