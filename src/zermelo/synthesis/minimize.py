"""The smallest machine with the same behaviour: states that are bisimilar become one.

Two states are bisimilar if all inputs get the same outputs and lead to bisimilar states. The states
are split by what they do, until the blocks no longer change. A state's behaviour is a decision
diagram whose values are outputs and blocks; the diagrams are canonical, so two behaviours are equal
exactly if their diagrams are. Every round takes time linear in the machine, and there are at most
as many rounds as states.
"""

from zermelo._diagrams import Diagrams
from zermelo.synthesis.mealy import MealyMachine


def minimized(machine: MealyMachine) -> MealyMachine:
    """The machine with as few states as possible, of those that can be reached.

    >>> import zermelo as zm
    >>> twice = zm.MealyMachine((), ("out",), (), (((0,), 1), ((0,), 0)), (-1, -2))
    >>> minimized(twice)
    MealyMachine(1 state, 0 inputs, 1 output)
    """
    block = [0] * len(machine)
    count = 1
    while True:
        _, roots = _behaviours(machine, block)
        number: dict[int, int] = {}
        block = [number.setdefault(root, len(number)) for root in roots]
        if len(number) == count:
            break
        count = len(number)
    # Invariant of the loop: bisimilar states are in one block. In the end states of one block do
    # the same and go to the same blocks, so they are bisimilar.
    return _merged(machine, block)


def _behaviours(machine: MealyMachine, block: list[int]) -> tuple[Diagrams, list[int]]:
    """The diagram of each state whose values are outputs and the block of the next state."""
    diagrams = Diagrams()
    ends = [diagrams.leaf((outputs, block[target])) for outputs, target in machine.steps]
    found: list[int] = []
    for variable, low, high in machine.nodes:
        ways = (found[x] if x >= 0 else ends[-1 - x] for x in (low, high))
        found.append(diagrams.node(variable, *ways))
    return diagrams, [found[x] if x >= 0 else ends[-1 - x] for x in machine.roots]


def _merged(machine: MealyMachine, block: list[int]) -> MealyMachine:
    """The machine of blocks; those that cannot be reached are dropped, the others numbered."""
    some = {b: state for state, b in reversed(list(enumerate(block)))}
    number = {block[0]: 0}
    order = [block[0]]
    for b in order:
        for end in machine.ends(some[b]):
            target = block[machine.steps[end][1]]
            if target not in number:
                number[target] = len(number)
                order.append(target)
    diagrams, roots = _behaviours(machine, [number.get(b, 0) for b in block])
    return MealyMachine._of_diagrams(
        machine.inputs,
        machine.outputs,
        diagrams,
        [roots[some[b]] for b in order],
        player=machine.player,
    )
