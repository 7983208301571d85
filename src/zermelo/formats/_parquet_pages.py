"""What the pages of a Parquet file become when they are unpacked, from their headers alone.

The metadata at the end of a file say how many bytes and values each column has, and pyarrow
believes the header of each page instead, which may say two gigabytes. So the pages are counted
before they are unpacked. Their headers are structs in the compact protocol of Thrift.
"""

from typing import Any

from zermelo._runtime import memory
from zermelo.errors import FormatError

MAX_DEPTH = 16
"""Structs within structs that are read; those of Parquet have three."""

UNPACKED, PACKED, DATA, DATA_V2, VALUES = 2, 3, 5, 8, 1
"""Fields: bytes of a page before and after compression, its header, the number of its values."""

STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(13)
"""The types of fields; 0 ends a struct."""

WHOLE = (I16, I32, I64)


def check_pages(data: bytes, metadata: Any) -> None:
    """Refuse a file that becomes more than its metadata say, or more than memory holds."""
    size = values = 0
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for number in range(row_group.num_columns):
            chunk = row_group.column(number)
            found = _Pages(data).total(chunk)
            if found[0] > chunk.total_uncompressed_size or found[1] > chunk.num_values:
                raise FormatError(
                    f"the Parquet file is damaged: column {number} has {found[0]:,} bytes in its "
                    f"pages, and {chunk.total_uncompressed_size:,} in its metadata"
                )
            size, values = size + found[0], values + chunk.num_values
    need = 2 * size + 16 * values + 64 * metadata.num_rows
    memory.require(need, f"a table of {metadata.num_rows:,} rows", "use a larger machine")


class _Pages:
    """Reads the headers of pages; anything that is no header is a FormatError."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def total(self, chunk: Any) -> tuple[int, int]:
        """The bytes and values of all pages of a column."""
        first = chunk.dictionary_page_offset or chunk.data_page_offset
        self.at = min(first, chunk.data_page_offset)
        end, size, values = self.at + chunk.total_compressed_size, 0, 0
        if not 0 <= self.at <= end <= len(self.data):
            raise FormatError("the Parquet file is damaged: a column lies outside of it")
        while self.at < end and values < chunk.num_values:
            try:
                page = self.struct(0)
            except IndexError:
                raise FormatError("the Parquet file is damaged: a page is cut short") from None
            head = page.get(DATA) or page.get(DATA_V2) or {}
            count = head.get(VALUES, 0) if isinstance(head, dict) else -1
            numbers = page.get(UNPACKED, -1), page.get(PACKED, -1), count
            if not all(isinstance(x, int) and x >= 0 for x in numbers):
                raise FormatError("the Parquet file is damaged: a page has no length")
            size, values = size + numbers[0], values + numbers[2]
            self.at += numbers[1]
        return size, values

    def struct(self, depth: int) -> dict[int, Any]:
        """The fields of a struct that are whole numbers or structs, by their numbers."""
        found, name = {}, 0
        while kind := self.data[self.at]:
            self.at += 1
            name = name + (kind >> 4) if kind >> 4 else self.zigzag()
            value = self.value(kind & 15, depth)
            if value is not None:
                found[name] = value
        self.at += 1
        return found

    def value(self, kind: int, depth: int) -> Any:
        """One value; None if it is neither a whole number nor a struct."""
        if depth > MAX_DEPTH or not STOP < kind <= STRUCT:
            raise FormatError("the Parquet file is damaged: the header of a page is unknown")
        if kind in WHOLE:
            return self.zigzag()
        if kind == STRUCT:
            return self.struct(depth + 1)
        if kind in (BYTE, DOUBLE):
            self.at += 1 if kind == BYTE else 8
        elif kind == BINARY:
            length = self.varint()
            self.at += length
        elif kind in (LIST, SET):
            head = self.data[self.at]
            self.at += 1
            for _ in range(head >> 4 if head >> 4 < 15 else self.varint()):
                self.element(head & 15, depth)
        elif kind == MAP and (count := self.varint()):
            kinds = self.data[self.at]
            self.at += 1
            for _ in range(count):
                self.element(kinds >> 4, depth)
                self.element(kinds & 15, depth)
        return None

    def element(self, kind: int, depth: int) -> None:
        """Skip an element of a list, where truths have a byte of their own."""
        if kind in (TRUE, FALSE):
            self.at += 1
        else:
            self.value(kind, depth + 1)
        if self.at > len(self.data):
            raise IndexError

    def varint(self) -> int:
        """A number in bytes of seven bits."""
        number = shift = 0
        while shift < 64:
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
        raise FormatError("the Parquet file is damaged: a number has too many bytes")

    def zigzag(self) -> int:
        """A signed number."""
        number = self.varint()
        return number >> 1 ^ -(number & 1)
