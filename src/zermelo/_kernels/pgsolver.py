"""PGSolver's games and solutions, byte by byte: parsing into arrays, and writing.

A text is an array of bytes whose last is a line end. Numbers, names and comments stop there, so
only the loop over blanks looks where the text ends.
"""

from zermelo._runtime.jit import kernel
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array

MAX_ID = 2**31 - 2
MAX_PRIORITY = 2**31 - 3

# What a parser says in out[CODE]; the byte is in out[OFFSET].
FINE, STOPPED = 0, 1
NO_ID, LARGE_ID = 2, 3
NO_PRIORITY, LARGE_PRIORITY = 4, 5
NO_OWNER = 6
NO_SUCCESSOR, LARGE_SUCCESSOR = 7, 8
NO_LIST, NO_COMMA, OPEN_NAME, NO_END = 9, 10, 11, 12
NO_WINNER, NO_STRATEGY = 13, 14

# Places in out.
ROWS, MOVES, CODE, OFFSET, RISING, LONG = 0, 1, 2, 3, 4, 5

_HUGE = 2**40
_SHORT = 64
_TENTH = 0xCCCCCCCD  # (x * _TENTH) >> 35 is x // 10 for every x below 2³², and quicker


@kernel
def skip_blanks(data: AnyArray, i: int, end: int) -> int:
    """The first byte from ``i`` on that is no blank and in no comment, else the last, ``end``."""
    while i < end:
        c = data[i]
        if c == 32 or 9 <= c <= 13:
            i += 1
        elif c == 47 and data[i + 1] == 47:
            while data[i] != 10:
                i += 1
        else:
            return i
    return end


@kernel
def read_number(data: AnyArray, i: int) -> tuple[int, int]:
    """The whole number that begins at ``i``, and where it ends: at ``i`` if there is none."""
    value = 0
    c = data[i]
    while 48 <= c <= 57:
        value = value * 10 + (c - 48)
        if value > _HUGE:
            value = _HUGE
        i += 1
        c = data[i]
    return value, i


@kernel
def sort_row(targets: Int32Array, low: int, high: int) -> int:
    """Sort ``targets[low:high]`` by insertion and merge what is equal; returns the new end."""
    # Invariant: targets[low:end] is strictly increasing and has the values of targets[low:k].
    end = low
    for k in range(low, high):
        x = targets[k]
        j = end
        while j > low and targets[j - 1] > x:
            j -= 1
        if j > low and targets[j - 1] == x:
            continue
        for h in range(end, j, -1):
            targets[h] = targets[h - 1]
        targets[j] = x
        end += 1
    return end


@kernel
def parse_game(
    data: AnyArray,
    begin: int,
    ids: Int32Array,
    priority: Int32Array,
    owner: Int8Array,
    indptr: Int64Array,
    targets: Int32Array,
    quotes: Int64Array,
    stop: Int64Array,
    out: Int64Array,
) -> None:
    """Parse the statements ``id priority owner successors "name";`` from byte ``begin`` on.

    ``data`` ends with a line end. Fills row by row ``ids``, ``priority``, ``owner``,
    ``indptr`` and ``targets`` (successors by identifier, increasing within each row of at most 64),
    and in ``quotes``, unless it is empty, where each name begins and ends. The arrays are as long
    as the semicolons, and the semicolons and commas, allow. ``out`` gets the number of rows and
    moves, the code and byte of an error, whether identifiers are increasing, and whether a row is
    too long to have been sorted. With ``stop`` not negative, the offset is that of row ``stop[0]``
    or of the first successor that is ``stop[1]``.
    """
    end = len(data) - 1
    rows, moves = 0, 0
    code, rising, long, last = FINE, 1, 0, -1
    stop_row, stop_value = stop[0], stop[1]
    indptr[0] = 0
    i = skip_blanks(data, begin, end)
    # Invariant: rows statements with moves successors end before byte i, which is no blank.
    while i < end:
        at = i
        if rows == stop_row:
            code = STOPPED
            break
        value, i = read_number(data, i)
        if i == at or value > MAX_ID:
            code = NO_ID if i == at else LARGE_ID
            break
        if value <= last:
            rising = 0
        last = value
        ids[rows] = value
        at = i = skip_blanks(data, i, end)
        value, i = read_number(data, i)
        if i == at or value > MAX_PRIORITY:
            code = NO_PRIORITY if i == at else LARGE_PRIORITY
            break
        priority[rows] = value
        at = i = skip_blanks(data, i, end)
        value, i = read_number(data, i)
        if i == at or value > 1:
            code = NO_OWNER
            break
        owner[rows] = value
        at = i = skip_blanks(data, i, end)
        low, before, sorted_ = moves, -1, 1
        value, i = read_number(data, i)
        if i > at:
            while True:
                if value > MAX_ID:
                    code = LARGE_SUCCESSOR
                    break
                if value == stop_value:
                    code = STOPPED
                    break
                if value <= before:
                    sorted_ = 0
                before = value
                targets[moves] = value
                moves += 1
                i = skip_blanks(data, i, end)
                if data[i] != 44:
                    break
                at = i = skip_blanks(data, i + 1, end)
                value, i = read_number(data, i)
                if i == at:
                    code = NO_SUCCESSOR
                    break
            if code != FINE:
                break
        at = i
        c = data[i]
        if c == 34:
            i += 1
            first = i
            c = data[i]
            while c != 34 and c != 10:
                i += 1
                c = data[i]
            if c != 34:
                code = OPEN_NAME
                break
            quotes[2 * rows] = first
            quotes[2 * rows + 1] = i
            at = i = skip_blanks(data, i + 1, end)
            if data[i] != 59:
                code = NO_END
                break
        elif c != 59:
            code = NO_LIST if moves == low else NO_COMMA
            break
        if sorted_ == 0:
            if moves - low <= _SHORT:
                moves = sort_row(targets, low, moves)
            else:
                long = 1
        rows += 1
        indptr[rows] = moves
        i = skip_blanks(data, i + 1, end)
    out[ROWS] = rows
    out[MOVES] = moves
    out[CODE] = code
    out[OFFSET] = i if code == FINE else at
    out[RISING] = rising
    out[LONG] = long


@kernel
def parse_solution(
    data: AnyArray,
    begin: int,
    ids: Int32Array,
    winner: Int8Array,
    strategy: Int32Array,
    stop: Int64Array,
    out: Int64Array,
) -> None:
    """Parse the statements ``id winner strategy;`` from byte ``begin`` on, as :func:`parse_game`.

    Fills ``ids``, ``winner`` and ``strategy``, an identifier or -1. With ``stop`` not negative, the
    offset is that of row ``stop[0]``, or of the strategy of row ``stop[1]``.
    """
    end = len(data) - 1
    rows, code, rising, last = 0, FINE, 1, -1
    stop_row, stop_strategy = stop[0], stop[1]
    i = skip_blanks(data, begin, end)
    # Invariant: rows statements end before byte i, which is no blank.
    while i < end:
        at = i
        if rows == stop_row:
            code = STOPPED
            break
        value, i = read_number(data, i)
        if i == at or value > MAX_ID:
            code = NO_ID if i == at else LARGE_ID
            break
        if value <= last:
            rising = 0
        last = value
        ids[rows] = value
        at = i = skip_blanks(data, i, end)
        value, i = read_number(data, i)
        if i == at or value > 1:
            code = NO_WINNER
            break
        winner[rows] = value
        at = i = skip_blanks(data, i, end)
        value, i = read_number(data, i)
        if i == at:
            strategy[rows] = -1
            if data[i] != 59:
                code = NO_STRATEGY
                break
        else:
            if rows == stop_strategy:
                code = STOPPED
                break
            if value > MAX_ID:
                code = LARGE_SUCCESSOR
                break
            strategy[rows] = value
            at = i = skip_blanks(data, i, end)
            if data[i] != 59:
                code = NO_END
                break
        rows += 1
        i = skip_blanks(data, i + 1, end)
    out[ROWS] = rows
    out[CODE] = code
    out[OFFSET] = i if code == FINE else at
    out[RISING] = rising


@kernel
def put_number(out: AnyArray, k: int, value: int) -> int:
    """Write a whole number below 2³¹ at ``out[k]``; returns where it ends."""
    end, power = k + 1, 10
    while power <= value:
        power *= 10
        end += 1
    j = end
    while j > k:
        j -= 1
        rest = (value * _TENTH) >> 35
        out[j] = 48 + (value - 10 * rest)
        value = rest
    return end


@kernel
def write_game(
    ids: Int32Array,
    priority: Int32Array,
    owner: Int8Array,
    indptr: Int64Array,
    indices: Int32Array,
    letters: AnyArray,
    ends: Int64Array,
    begin: int,
    out: AnyArray,
) -> int:
    """Write all statements of a game at ``out[begin]``, one a line; returns where they end.

    ``letters`` has all names one after another, that of position ``v`` ending at ``ends[v]``;
    empty ``ends`` is no names. ``out`` has room for 28 bytes a position, 11 a move, and the names.
    """
    k = begin
    letter = 0
    for v in range(len(ids)):
        k = put_number(out, k, ids[v])
        out[k] = 32
        k = put_number(out, k + 1, priority[v])
        out[k] = 32
        out[k + 1] = 48 + owner[v]
        out[k + 2] = 32
        k += 3
        for e in range(indptr[v], indptr[v + 1]):
            k = put_number(out, k, ids[indices[e]])
            out[k] = 44
            k += 1
        if indptr[v] < indptr[v + 1]:
            k -= 1
        if len(ends) > 0 and letter < ends[v]:
            out[k] = 32
            out[k + 1] = 34
            k += 2
            while letter < ends[v]:
                out[k] = letters[letter]
                k += 1
                letter += 1
            out[k] = 34
            k += 1
        out[k] = 59
        out[k + 1] = 10
        k += 2
    return k


@kernel
def write_solution(
    ids: Int32Array, winner: Int8Array, strategy: Int32Array, begin: int, out: AnyArray
) -> int:
    """Write the statements of a solution at ``out[begin]``, one a line; returns where they end.

    ``strategy`` is a position or -1. ``out`` has room for 26 bytes a position.
    """
    k = begin
    for v in range(len(ids)):
        k = put_number(out, k, ids[v])
        out[k] = 32
        out[k + 1] = 48 + winner[v]
        k += 2
        if strategy[v] >= 0:
            out[k] = 32
            k = put_number(out, k + 1, ids[strategy[v]])
        out[k] = 59
        out[k + 1] = 10
        k += 2
    return k
