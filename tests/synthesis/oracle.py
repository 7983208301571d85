"""Synthesis from the definitions: circuits that are run, and plays that are enumerated."""

import itertools
import re

from zermelo.formats._hoa_automaton import read_automaton


def holds(label, true):
    """Whether a label in postfix order holds where these propositions are true."""
    stack = []
    for item in label:
        if isinstance(item, int):
            stack.append(item in true)
        elif item in ("t", "f"):
            stack.append(item == "t")
        elif item == "!":
            stack.append(not stack.pop())
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(left and right if item == "&" else left or right)
    return stack.pop()


def subsets(items):
    return [
        {x for x, on in zip(items, pair, strict=True) if on}
        for pair in itertools.product((False, True), repeat=len(items))
    ]


class Simulator:
    """An AIGER circuit in its text form, run gate by gate."""

    def __init__(self, data):
        lines = data.decode().splitlines()
        _, inputs, latches, outputs, gates = map(int, lines[0].split()[1:6])
        rows = [
            [int(x) for x in line.split()]
            for line in lines[1 : 1 + inputs + latches + outputs + gates]
        ]
        self.inputs = [row[0] for row in rows[:inputs]]
        self.latches = rows[inputs : inputs + latches]
        self.outputs = [row[0] for row in rows[inputs + latches :][:outputs]]
        self.gates = rows[inputs + latches + outputs :]
        symbols = lines[1 + len(rows) :]
        names = dict(line.split(" ", 1) for line in symbols)
        self.input_names = [names[f"i{k}"] for k in range(inputs)]
        self.output_names = [names[f"o{k}"] for k in range(outputs)]
        self.first = tuple(row[2] if len(row) > 2 else 0 for row in self.latches)

    def step(self, latches, true):
        """The outputs that are true, and the next latches."""
        value = {0: 0, 1: 1}

        def store(literal, bit):
            value[literal], value[literal + 1] = bit, 1 - bit

        for literal, name in zip(self.inputs, self.input_names, strict=True):
            store(literal, int(name in true))
        for row, bit in zip(self.latches, latches, strict=True):
            store(row[0], bit)
        waiting = list(self.gates)
        while waiting:
            ready = [row for row in waiting if row[1] in value and row[2] in value]
            for row in ready:
                store(row[0], value[row[1]] & value[row[2]])
            waiting = [row for row in waiting if row not in ready]
        pairs = zip(self.outputs, self.output_names, strict=True)
        outputs = frozenset(name for literal, name in pairs if value[literal])
        return outputs, tuple(value[row[1]] for row in self.latches)


def accepted(formula, seen):
    """Whether an acceptance formula holds if exactly these sets are seen infinitely often."""
    text = re.sub(r"Inf\((\d+)\)", lambda m: str(int(m[1]) in seen), formula)
    text = re.sub(r"Fin\((\d+)\)", lambda m: str(int(m[1]) not in seen), text)
    text = re.sub(r"\bt\b", "True", re.sub(r"\bf\b", "False", text))
    return eval(text.replace("&", " and ").replace("|", " or ").replace("!", " not "))


def cycles(edges, colours):
    """The sets that some closed walk sees exactly; edges are (source, sets, target)."""
    found = set()
    for some in subsets(range(colours)):
        left = [e for e in edges if set(e[1]) <= some]
        after = {}
        for u, _, v in left:
            after.setdefault(u, set()).add(v)
        reach = {}
        for u in after:
            seen, waiting = set(), [u]
            while waiting:
                for v in after.get(waiting.pop(), ()):
                    if v not in seen:
                        seen.add(v)
                        waiting.append(v)
            reach[u] = seen
        for u in after:
            inside = [
                e for e in left
                if e[0] in reach[u] and u in reach.get(e[0], ()) and u in reach[e[0]]
                and (e[2] == u or u in reach.get(e[2], ()))
            ]  # fmt: skip
            if inside and {x for e in inside for x in e[1]} == some:
                found.add(frozenset(some))
    return found


def circuit_wins(text, data, player=1, *, moore=False):
    """Whether a circuit wins an automaton of synthesis in which labels exclude each other.

    With ``moore`` what it sets in a step must not depend on what it reads in the same step.
    """
    automaton, circuit = read_automaton(text), Simulator(data)
    names = automaton.names
    system = {names[x] for x in automaton.controllable}
    mine = system if player == 1 else set(names) - system
    if set(circuit.output_names) != mine or set(circuit.input_names) != set(names) - mine:
        return False
    start = automaton.start, circuit.first
    edges, seen, waiting = [], {start}, [start]
    while waiting:
        s, latches = pair = waiting.pop()
        given = set()
        for chosen in subsets(sorted(set(names) - mine)):
            outputs, after = circuit.step(latches, chosen)
            given.add(outputs)
            true = {k for k, name in enumerate(names) if name in chosen | outputs}
            state = automaton.states[s]
            moves = [e for e in state.edges if holds(e.label, true)]
            assert len(moves) <= 1
            if not moves:
                if player == 1:
                    return False
                continue
            later = moves[0].target, after
            edges.append((pair, {*state.sets, *moves[0].sets}, later))
            if later not in seen:
                seen.add(later)
                waiting.append(later)
        if moore and len(given) > 1:
            return False
    (formula,) = re.findall(r"Acceptance: \d+ (.*)", text.partition("--BODY--")[0])
    return all(accepted(formula, x) == (player == 1) for x in cycles(edges, automaton.colours))
