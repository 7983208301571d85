"""Lines of numbers or names, read with NumPy: a million lines take a few tenths of a second."""

from typing import NamedTuple

import numpy as np

from zermelo.labels import AnyArray, BoolArray, Int32Array, Int64Array

_ALPHABET = b"0123456789 \t\r\n[]"
_CHUNK = 1 << 23
_LONGEST = 18
_NEWLINE, _OPEN, _CLOSE, _ZERO = b"\n[]0"

_SOLID = np.ones(256, bool)
_SOLID[list(b" \t\n\r\f\v")] = False


class DigitLines(NamedTuple):
    """The numbers of a text in order, their count per line, and the lines ``number [owner]``."""

    numbers: Int64Array
    counts: Int32Array
    owned: BoolArray


def read_digit_lines(data: bytes, *, owners: bool = False) -> DigitLines | None:
    """The numbers by line, or None if the text is not simple enough for this reader.

    Simple texts have numbers of at most 18 digits without leading zeros, blanks and, with
    ``owners``, lines such as ``7 [1]``, which have the numbers 7 and 1.

    >>> read_digit_lines(b"0 1\\n12\\n").counts.tolist()
    [2, 1]
    >>> read_digit_lines(b"a b") is None
    True
    """
    if data.translate(None, _ALPHABET if owners else _ALPHABET[:-2]):
        return None
    parts: list[DigitLines] = []
    place = 0
    while place < len(data):
        end = place + _CHUNK
        if end < len(data):
            end = data.find(b"\n", end) + 1 or len(data)
        part = _read_chunk(data[place:end])
        if part is None:
            return None
        parts.append(part)
        place = end
    if not parts:
        return DigitLines(np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, bool))
    return DigitLines(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def read_token_lines(data: bytes) -> tuple[list[bytes], Int32Array]:
    """All tokens of a text in order, and their count on each line.

    >>> read_token_lines(b"a b\\nc")
    ([b'a', b'b', b'c'], array([2, 1], dtype=int32))
    """
    counts: list[Int32Array] = []
    place = 0
    while place < len(data):
        end = place + _CHUNK
        end = data.find(b"\n", end) + 1 or len(data) if end < len(data) else len(data)
        chunk = data[place:end]
        letters = np.frombuffer(chunk if chunk.endswith(b"\n") else chunk + b"\n", np.uint8)
        solid = np.ones(letters.size + 1, bool)
        solid[0] = False
        solid[1:] = _SOLID[letters]
        start = np.flatnonzero(solid[1:] & ~solid[:-1])
        counts.append(_count(start, np.flatnonzero(letters == _NEWLINE)))
        place = end
    return data.split(), np.concatenate(counts) if counts else np.empty(0, np.int32)


def _read_chunk(chunk: bytes) -> DigitLines | None:
    if not chunk.endswith(b"\n"):
        chunk += b"\n"
    letters = np.frombuffer(chunk, np.uint8)
    digit = np.empty(letters.size + 1, bool)
    digit[0] = False
    np.less(letters - np.uint8(_ZERO), 10, out=digit[1:])
    change = np.flatnonzero(digit[1:] != digit[:-1])
    start, stop = change[0::2], change[1::2]
    length = stop - start
    if start.size and length.max() > _LONGEST:
        return None
    if ((letters[start] == _ZERO) & (length > 1)).any():
        return None
    newline = np.flatnonzero(letters == _NEWLINE)
    counts, owned = _count(start, newline), np.zeros(newline.size, bool)
    if b"[" in chunk or b"]" in chunk:
        marks = _marked_lines(letters, start, newline, counts)
        if marks is None:
            return None
        owned[marks] = True
        chunk = chunk.translate(bytes.maketrans(b"[]", b"  "))
    if start.size == 0:
        numbers = np.empty(0, np.int64)
    else:
        numbers = np.fromstring(chunk.decode("ascii"), np.int64, sep=" ")
    return DigitLines(numbers, counts, owned)


def _count(start: Int64Array, newline: Int64Array) -> Int32Array:
    """The count of numbers that begin on each line."""
    if (
        start.size == 2 * newline.size
        and (start[1::2] < newline).all()
        and (start[2::2] > newline[:-1]).all()
    ):
        return np.full(newline.size, 2, np.int32)
    before = np.searchsorted(start, newline)
    return np.diff(before, prepend=0).astype(np.int32)


def _marked_lines(
    text: AnyArray, start: Int64Array, newline: Int64Array, counts: Int32Array
) -> Int64Array | None:
    """The lines ``number [owner]``, or None if brackets are used in any other way."""
    opened, closed = np.flatnonzero(text == _OPEN), np.flatnonzero(text == _CLOSE)
    if opened.size != closed.size or (closed != opened + 2).any() or opened[0] == 0:
        return None
    blank = text <= ord(" ")
    owner = text[opened + 1]
    fine = blank[opened - 1] & blank[closed + 1] & ((owner == _ZERO) | (owner == _ZERO + 1))
    line = np.searchsorted(newline, opened)
    first = np.searchsorted(start, np.where(line > 0, newline[line - 1], 0))
    single = line.size < 2 or bool((np.diff(line) > 0).all())
    if not (fine.all() and single and (counts[line] == 2).all()):
        return None
    return line if (start[first] < opened).all() else None
