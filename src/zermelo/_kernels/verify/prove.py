"""Proving labels that no distance proves, one position after the other.

A table of *labels alone* has no distances, and labels that fit to those after the moves may still
support one another in a circle. So a position whose value is not that of infinite play, and a tie,
is WAITING until it is PROVED: at an end; by one move that keeps the value and leads to a proved
position, if the value is above that of infinite play or a tie; by all such moves, if the value is
below. :func:`prove_by_moves` goes through the waiting positions as often as some are proved. If the
rules have ``unmoves``, :func:`prove_onward` looks at once at the positions before one that is
proved. It looks at a position that needs all its moves when so many of them have been found. This
only saves time: what ``unmoves`` leaves out is found by a later pass, and what it gives is proved
by its moves like any other position.
"""

from zermelo._kernels.verify.records import (
    MAX_COUNTED_MOVES,
    PROVED,
    SPREAD,
    UNPROVED,
    WAITING,
    Notes,
    Table,
    entry_at,
)
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.instructions import fetch_sub, swap
from zermelo._runtime.compiled.jit import kernel

moves, unmoves, mover = map(placeholder, ("moves", "unmoves", "mover"))
moves_again, position_in = map(placeholder, ("moves_again", "position_in"))


@kernel
def is_proved(table: Table, notes: Notes, p: int, i: int) -> bool:
    """Whether the label of a waiting position follows now; then it is marked as proved.

    That the label fits to those after the moves was examined before.
    """
    if table.state[i] != WAITING:
        return False
    out, value = notes.out, table.label[i] + 0
    every, unproved, found = needs_all(table, p, value), 0, False
    for k in range(moves(p, out)):
        c = out[k]
        j = entry_at(table, c)
        if j < 0:
            return False
        if (table.label[j] if moves_again(p, c) else -table.label[j]) == value:
            found |= table.state[j] >= PROVED
            unproved += table.state[j] < PROVED
            if found and not every:
                break
    if every:
        table.left[i] = min(unproved, MAX_COUNTED_MOVES)
        found = unproved == 0
    if not found or swap(table.state, i, PROVED) != WAITING:
        return False
    notes.totals[UNPROVED] -= 1
    return True


@kernel
def needs_all(table: Table, p: int, value: int) -> bool:
    """Whether a value is proved by all moves that keep it, and not by one."""
    return value < (-table.infinite if mover(p) == 1 else table.infinite)


@kernel
def waiting_at(table: Table, x: int) -> int:
    """The position that waits at a place of the queue, or of the entries if there is no queue; −1.

    A proved position waits, too, until the positions before it were looked at. A position that no
    longer waits leaves the queue.
    """
    if len(table.queue) == 0:
        waits = WAITING <= table.state[x] <= PROVED
        return position_in(table.keys, x) if waits else -1
    p: int = table.queue[x]
    if p >= 0 and WAITING <= table.state[entry_at(table, p)] <= PROVED:
        return p
    table.queue[x] = -1
    return -1


@kernel
def prove_by_moves(table: Table, notes: Notes, start: int, stop: int, backward: bool) -> None:
    """Prove what can be proved now, among the positions ``start … stop − 1`` that wait."""
    for k in range(start, stop):
        p = waiting_at(table, start + stop - 1 - k if backward else k)
        if p >= 0:
            is_proved(table, notes, p, entry_at(table, p))


@kernel
def prove_onward(table: Table, notes: Notes, start: int, stop: int, looking: bool) -> None:
    """Look at the positions before those that are proved, as far as the stack has room.

    If ``looking``, the positions that wait are also looked at by their own moves.
    """
    back, stack = notes.back, notes.stack
    for x in range(start, stop):
        p = waiting_at(table, x)
        if p < 0:
            continue
        i = entry_at(table, p)
        if table.state[i] == WAITING and not (looking and is_proved(table, notes, p, i)):
            continue
        if swap(table.state, i, SPREAD) != PROVED:
            continue
        stack[0], top = p, 1
        # Invariant: the positions of the stack are SPREAD, and those before them have still to be
        # looked at.
        while top > 0:
            top -= 1
            q = stack[top]
            value = table.label[entry_at(table, q)] + 0
            for b in range(unmoves(q, back)):
                j = entry_at(table, back[b])
                if (
                    j >= 0
                    and is_told(table, q, value, back[b], j)
                    and is_proved(table, notes, back[b], j)
                    and top < len(stack)
                    and swap(table.state, j, SPREAD) == PROVED
                ):
                    stack[top] = back[b]
                    top += 1


@kernel
def is_told(table: Table, q: int, value: int, p: int, i: int) -> bool:
    """Whether the label of ``p`` may follow now that the value of ``q`` after a move is proved.

    If ``p`` needs all moves that keep its value, the number of those that are left is decreased.
    """
    if table.state[i] != WAITING:
        return False
    own = table.label[i] + 0
    if (value if moves_again(p, q) else -value) != own:
        return False
    return not needs_all(table, p, own) or fetch_sub(table.left, i, 1) <= 1
