"""Labels alone, for positions whose moves are generated again in every round.

The layers of :mod:`zermelo._kernels.tables.wave` are sets of equal distance. Without distances, a
position may be settled by anything that is settled, in any order, so one kernel is enough.
"""

from zermelo._kernels.tables.begin import EVEN, LOSE, WIN, Coding, Scratch, Table, note, read
from zermelo._runtime.compiled.bind import placeholder
from zermelo._runtime.compiled.jit import kernel

moves, key, slot = map(placeholder, ("moves", "key", "slot"))
position_at, turns = map(placeholder, ("position_at", "turns"))


@kernel
def look_for_labels(
    table: Table, scratch: Scratch, start: int, stop: int, coding: Coding, ties: bool
) -> None:
    """Settle the undecided positions that their moves decide now: won and lost ones, or ties.

    A position that was settled before this call is done: all undecided positions are looked at
    after it. One that is settled by this call is fresh. So nothing is fresh after a call that
    settles nothing, and no other position can be settled.
    """
    keys, entry = table
    out, _, _, tally, _ = scratch
    bits, half, fresh = coding
    none = (1 << bits) - 1
    for i in range(start, stop):
        e = read(entry, i)
        if e > none:
            kind, times = e >> bits, e & none
            if 0 < times < none and (kind == EVEN) == ties:
                entry[i] = kind << bits
                note(tally, kind, times, -1)
                note(tally, kind, 0, 1)
            continue
        if e == 0 or e >= half:
            continue
        p = position_at(keys, i)
        good, lost = False, e != half - 1
        for k in range(moves(p, out)):
            c = out[k]
            f = read(entry, slot(keys, key(c)))
            kind = f >> bits
            if kind != 0 and not turns(p, c):
                kind = 4 - kind
            good = kind == EVEN and f & none != none if ties else kind == LOSE
            if good:
                break
            lost = lost and kind == WIN
        if good or (lost and not ties):
            kind = EVEN if ties else WIN if good else LOSE
            entry[i] = kind << bits | fresh
            note(tally, kind, fresh, 1)
