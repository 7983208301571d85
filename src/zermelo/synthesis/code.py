"""Machines as programs: a module of Python, and a file of C; each stands alone."""

import re
from collections.abc import Iterable

from zermelo.synthesis.mealy import MealyMachine

_PYTHON = '''"""A {kind}, as a Mealy machine with {states}."""

INPUTS = {inputs!r}
OUTPUTS = {outputs!r}

# A node tests an input, and leads on if it is false, and if it is true. A number below 0 is a
# step: -1 is the first, -2 the second. A step has the outputs that are true, and the next state.
NODES = {nodes}
STEPS = {steps}
STATES = {roots}


class Controller:
    """The machine; it starts in state 0."""

    def __init__(self):
        self.state = 0

    def reset(self):
        """Return to the first state."""
        self.state = 0

    def step(self, inputs):
        """Take the names of the inputs that are true, or a mapping; return all outputs by name."""
        names = [x for x in inputs if not hasattr(inputs, "keys") or inputs[x]]
        true = {{INPUTS.index(name) for name in names}}
        at = STATES[self.state]
        while at >= 0:
            test, low, high = NODES[at]
            at = high if test in true else low
        outputs, self.state = STEPS[-1 - at]
        return {{name: k in outputs for k, name in enumerate(OUTPUTS)}}
'''

_C = """/* A {kind}, as a Mealy machine with {states}.

   controller_step reads one array and fills the other; their entries are in the order of
   controller_input_names and controller_output_names. With -DCONTROLLER_MAIN this file is a
   program: it reads lines of 0 and 1, one digit for each input, and answers with the outputs. */

#include <stddef.h>

enum {{ CONTROLLER_INPUTS = {input_count}, CONTROLLER_OUTPUTS = {output_count} }};

const char *const controller_input_names[] = {{{inputs}}};
const char *const controller_output_names[] = {{{outputs}}};

/* A node tests an input, and leads on if it is false, and if it is true. A number below 0 is a
   step: -1 is the first, -2 the second. */
static const int controller_nodes[][3] = {{{nodes}}};

/* The next state, and the outputs. */
static const int controller_next[] = {{{targets}}};
static const unsigned char controller_values[][{width}] = {{{values}}};

/* What each state does first. */
static const int controller_states[] = {{{roots}}};

typedef struct {{ int state; }} controller;

void controller_reset(controller *machine) {{ machine->state = 0; }}

void controller_step(controller *machine, const unsigned char *inputs, unsigned char *outputs)
{{
    int at = controller_states[machine->state];
    size_t k;
    while (at >= 0)
        at = controller_nodes[at][inputs[controller_nodes[at][0]] ? 2 : 1];
    for (k = 0; k < CONTROLLER_OUTPUTS; k++)
        outputs[k] = controller_values[-1 - at][k];
    machine->state = controller_next[-1 - at];
}}

#ifdef CONTROLLER_MAIN
#include <stdio.h>

int main(void)
{{
    controller machine;
    unsigned char inputs[CONTROLLER_INPUTS + 1], outputs[CONTROLLER_OUTPUTS + 1];
    int letter, k, count = 0;
    controller_reset(&machine);
    while ((letter = getchar()) != EOF) {{
        if ((letter == '0' || letter == '1') && count < CONTROLLER_INPUTS)
            inputs[count++] = letter == '1';
        if (letter != '\\n')
            continue;
        if (count < CONTROLLER_INPUTS)
            return 1;
        controller_step(&machine, inputs, outputs);
        for (k = 0; k < CONTROLLER_OUTPUTS; k++)
            putchar(outputs[k] ? '1' : '0');
        putchar('\\n');
        count = 0;
    }}
    return 0;
}}
#endif
"""


def write_python(machine: MealyMachine) -> bytes:
    """A machine as a module with the class ``Controller`` and its method ``step``.

    >>> import zermelo as zm
    >>> copy = zm.MealyMachine(("in",), ("out",), ((0, -1, -2),), (((), 0), ((0,), 0)), (0,))
    >>> module = {}
    >>> exec(write_python(copy).decode(), module)
    >>> module["Controller"]().step(["in"])
    {'out': True}
    """
    text = _PYTHON.format(
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
    text = _C.format(
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
