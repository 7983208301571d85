"""Synthesis from the definitions: circuits that are run, and plays that are enumerated."""

import itertools
import re

import zermelo as zm
from tests import muller_oracle
from zermelo.formats.hoa.automaton import read_automaton


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


def circuit_wins(text, data, player=1, *, moore=False, chooser=1):
    """Whether a circuit wins an automaton of synthesis, by a game in which letters are enumerated.

    If several edges fit, ``chooser`` takes one of them; a chooser without any has lost. With
    ``moore`` what the circuit sets in a step must not depend on what it reads in the same step.
    """
    automaton, circuit = read_automaton(text), Simulator(data)
    names = automaton.names
    system = {names[x] for x in automaton.controllable}
    mine = system if player == 1 else set(names) - system
    if set(circuit.output_names) != mine or set(circuit.input_names) != set(names) - mine:
        return False
    start = automaton.start, circuit.first
    number, moves, owner, colours = {start: 0}, [], [], []
    for position in (waiting := [start]):
        if len(position) == 2:  # a pair: the opponent chooses a letter
            s, latches = position
            given, after = set(), []
            for chosen in subsets(sorted(set(names) - mine)):
                outputs, later = circuit.step(latches, chosen)
                given.add(outputs)
                true = {k for k, name in enumerate(names) if name in chosen | outputs}
                edges = automaton.states[s].edges
                fits = frozenset(k for k, e in enumerate(edges) if holds(e.label, true))
                after.append((s, later, fits))
            if moore and len(given) > 1:
                return False
        elif len(position) == 3:  # the edges that fit: the chooser takes one
            s, later, fits = position
            after = [(s, later, fits, k) for k in sorted(fits)]
        else:  # an edge
            s, later, _, k = position
            after = [(automaton.states[s].edges[k].target, later)]
        moves += [(number[position], number.setdefault(x, len(number))) for x in after]
        waiting += list(number)[len(waiting) :]
        owner.append(chooser if len(position) == 3 else 1 - player)
        edge = automaton.states[s].edges[position[3]] if len(position) == 4 else None
        colours.append([*automaton.states[s].sets, *edge.sets] if edge else [])
    graph = zm.Graph.from_edges(moves, n=len(waiting), owner=owner)
    (formula,) = re.findall(r"Acceptance: \d+ (.*)", text.partition("--BODY--")[0])
    refused = muller_oracle.solve(graph, zm.Muller(colours, negated(formula)))[0] == 0
    return refused == (player == 0)


def negated(formula):
    """The negation of an acceptance formula that has no ``!``."""
    swap = {"Inf": "Fin", "Fin": "Inf", "&": "|", "|": "&", "t": "f", "f": "t"}
    return re.sub(r"Inf|Fin|[&|]|\b[tf]\b", lambda m: swap[m[0]], formula)
