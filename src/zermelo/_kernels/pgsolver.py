"""PGSolver's games and solutions, byte by byte: parsing into arrays, and writing.

A text is an array of bytes whose last is a line end. Numbers, names and comments stop there, so
only the loop over blanks looks where the text ends.
"""

from typing import NamedTuple

from zermelo._kernels.graphs.records import Moves
from zermelo._runtime.compiled.jit import kernel, part
from zermelo.labels import AnyArray, Int8Array, Int32Array, Int64Array

MAX_ID = 2**31 - 2
MAX_PRIORITY = 2**31 - 3


class Statements(NamedTuple):
    """The statements ``id priority owner successors "name";`` of a game, one row each."""

    ids: Int32Array
    priority: Int32Array
    owner: Int8Array
    indptr: Int64Array
    targets: Int32Array
    """The identifiers of the successors of row r: ``targets[indptr[r]:indptr[r + 1]]``."""
    quotes: Int64Array
    """The bytes at which the name of each row begins and ends; empty where there are no names."""


class Decisions(NamedTuple):
    """The statements ``id winner strategy;`` of a solution, one row each."""

    ids: Int32Array
    winner: Int8Array
    strategy: Int32Array
    """The identifier of the successor to move to, or −1."""


class Stop(NamedTuple):
    """A place before the end at which a parser stops, to report the byte; −1 means nowhere."""

    row: int
    """The parser stops at this row."""
    move: int
    """In games, the parser stops at the first successor with this identifier; in solutions, at the
    strategy of this row."""


class Names(NamedTuple):
    """The names of the positions of a game that is to be written."""

    letters: AnyArray
    """All names, one after another."""
    ends: Int64Array
    """Where the name of each position ends in ``letters``; empty where there are no names."""


# Slots of ``report``, the result of a parser: how many rows and moves it has read, its code (see
# below) and the byte at which it stopped, whether identifiers are increasing, and whether a row of
# successors was too long to be sorted.
ROWS, MOVES, CODE, OFFSET, RISING, LONG = range(6)
REPORT_SIZE = 6

# The codes.
FINE, STOPPED = 0, 1
NO_ID, LARGE_ID = 2, 3
NO_PRIORITY, LARGE_PRIORITY = 4, 5
NO_OWNER = 6
NO_SUCCESSOR, LARGE_SUCCESSOR = 7, 8
NO_LIST, NO_COMMA, OPEN_NAME, NO_END = 9, 10, 11, 12
NO_WINNER, NO_STRATEGY = 13, 14

_TAB, _LINE_END, _RETURN, _BLANK = 9, 10, 13, 32
_QUOTE, _COMMA, _SLASH, _ZERO, _NINE, _SEMICOLON = 34, 44, 47, 48, 57, 59

_HUGE = 2**40
_SHORT = 64
_TENTH = 0xCCCCCCCD  # (x * _TENTH) >> 35 is x // 10 for every x below 2³², and faster


@kernel
def skip_blanks(data: AnyArray, i: int, end: int) -> int:
    """The first byte from ``i`` on that is no blank and in no comment, else the last, ``end``."""
    while i < end:
        c = data[i]
        if c == _BLANK or _TAB <= c <= _RETURN:
            i += 1
        elif c == _SLASH and data[i + 1] == _SLASH:
            while data[i] != _LINE_END:
                i += 1
        else:
            return i
    return end


@kernel
def read_number(data: AnyArray, i: int) -> tuple[int, int]:
    """The whole number that begins at ``i``, and where it ends: at ``i`` if there is none."""
    value = 0
    c = data[i]
    while _ZERO <= c <= _NINE:
        value = value * 10 + (c - _ZERO)
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
    data: AnyArray, begin: int, statements: Statements, stop: Stop, report: Int64Array
) -> None:
    """Parse the statements ``id priority owner successors "name";`` from byte ``begin`` on.

    ``data`` ends with a line end. Fills ``statements`` row by row, the successors increasing within
    each row of at most 64; the arrays are as long as the semicolons, and the semicolons and commas,
    allow. Fills ``report``.
    """
    ids, priority, owner, indptr, targets, quotes = statements
    end = len(data) - 1
    rows, moves = 0, 0
    code, rising, long, last = FINE, 1, 0, -1
    indptr[0] = 0
    at = i = skip_blanks(data, begin, end)
    # Invariant: rows statements with moves successors end before byte i, which is no blank; at is
    # the byte that an error is about.
    while i < end:
        if rows == stop.row:
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
        # The successors are read here, because a function of its own would take a tenth longer.
        beyond, before, in_order = moves, -1, True
        value, i = read_number(data, i)
        more = i > at
        while more:
            if value > MAX_ID or value == stop.move:
                code = STOPPED if value == stop.move else LARGE_SUCCESSOR
                break
            if value <= before:
                in_order = False
            before = value
            targets[beyond] = value
            beyond += 1
            i = skip_blanks(data, i, end)
            more = data[i] == _COMMA
            if more:
                at = i = skip_blanks(data, i + 1, end)
                value, i = read_number(data, i)
                if i == at:
                    code = NO_SUCCESSOR
                    break
        if code == FINE:
            code, at, i = read_end(data, i, end, quotes, rows, beyond > moves)
        if code != FINE:
            break
        if not in_order:
            if beyond - moves <= _SHORT:
                beyond = sort_row(targets, moves, beyond)
            else:
                long = 1
        rows += 1
        moves = beyond
        indptr[rows] = moves
        at = i = skip_blanks(data, i + 1, end)
    report[ROWS] = rows
    report[MOVES] = moves
    report[CODE] = code
    report[OFFSET] = at
    report[RISING] = rising
    report[LONG] = long


@part
def read_end(
    data: AnyArray, i: int, end: int, quotes: Int64Array, row: int, has_successors: bool
) -> tuple[int, int, int]:
    """Read a name in quotes, if there is one, and go to the semicolon.

    Returns the code, the byte that it is about, and the byte of the semicolon.
    """
    at = i
    c = data[i]
    if c == _SEMICOLON:
        return FINE, at, i
    if c != _QUOTE:
        return NO_COMMA if has_successors else NO_LIST, at, i
    i += 1
    first = i
    c = data[i]
    while c != _QUOTE and c != _LINE_END:
        i += 1
        c = data[i]
    if c != _QUOTE:
        return OPEN_NAME, at, i
    quotes[2 * row] = first
    quotes[2 * row + 1] = i
    i = skip_blanks(data, i + 1, end)
    return FINE if data[i] == _SEMICOLON else NO_END, i, i


@kernel
def parse_solution(
    data: AnyArray, begin: int, decisions: Decisions, stop: Stop, report: Int64Array
) -> None:
    """Parse the statements ``id winner strategy;`` from byte ``begin`` on, as :func:`parse_game`.

    Fills ``decisions`` and, except MOVES and LONG, ``report``.
    """
    ids, winner, strategy = decisions
    end = len(data) - 1
    rows, code, rising, last = 0, FINE, 1, -1
    at = i = skip_blanks(data, begin, end)
    # Invariant: rows statements end before byte i, which is no blank; at is the byte that an error
    # is about.
    while i < end:
        if rows == stop.row:
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
            if data[i] != _SEMICOLON:
                code = NO_STRATEGY
                break
        else:
            if rows == stop.move:
                code = STOPPED
                break
            if value > MAX_ID:
                code = LARGE_SUCCESSOR
                break
            strategy[rows] = value
            at = i = skip_blanks(data, i, end)
            if data[i] != _SEMICOLON:
                code = NO_END
                break
        rows += 1
        at = i = skip_blanks(data, i + 1, end)
    report[ROWS] = rows
    report[CODE] = code
    report[OFFSET] = at
    report[RISING] = rising


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
        out[j] = _ZERO + (value - 10 * rest)
        value = rest
    return end


@kernel
def write_game(
    ids: Int32Array,
    priority: Int32Array,
    owner: Int8Array,
    moves: Moves,
    names: Names,
    begin: int,
    out: AnyArray,
) -> int:
    """Write all statements of a game at ``out[begin]``, one a line; returns where they end.

    ``out`` has room for 28 bytes a position, 11 a move, and the names.
    """
    indptr, indices = moves
    letters, ends = names
    k = begin
    letter = 0
    for v in range(len(ids)):
        k = put_number(out, k, ids[v])
        out[k] = _BLANK
        k = put_number(out, k + 1, priority[v])
        out[k] = _BLANK
        out[k + 1] = _ZERO + owner[v]
        out[k + 2] = _BLANK
        k += 3
        for e in range(indptr[v], indptr[v + 1]):
            k = put_number(out, k, ids[indices[e]])
            out[k] = _COMMA
            k += 1
        if indptr[v] < indptr[v + 1]:
            k -= 1
        if len(ends) > 0 and letter < ends[v]:
            out[k] = _BLANK
            out[k + 1] = _QUOTE
            k += 2
            while letter < ends[v]:
                out[k] = letters[letter]
                k += 1
                letter += 1
            out[k] = _QUOTE
            k += 1
        out[k] = _SEMICOLON
        out[k + 1] = _LINE_END
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
        out[k] = _BLANK
        out[k + 1] = _ZERO + winner[v]
        k += 2
        if strategy[v] >= 0:
            out[k] = _BLANK
            k = put_number(out, k + 1, ids[strategy[v]])
        out[k] = _SEMICOLON
        out[k + 1] = _LINE_END
        k += 2
    return k
