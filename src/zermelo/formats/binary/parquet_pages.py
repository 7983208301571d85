"""What the pages of a Parquet file become when they are unpacked, from their headers alone.

The metadata at the end of a file say how many bytes and values each column has, and pyarrow
believes the header of each page instead, which may say two gigabytes. So the pages are counted
before they are unpacked. Their headers are structs in the compact protocol of Thrift. A header
that Thrift might understand in another way than this module is refused.
"""

from typing import Any

from zermelo._runtime import memory
from zermelo.errors import FormatError

MAX_DEPTH = 16
"""Structs within structs that are read; those of Parquet have three."""

KIND, UNPACKED, PACKED, VALUES = 1, 2, 3, 1
"""Fields: the type of a page, its bytes before and after compression; the number of its values."""

DATA, DICTIONARY, DATA_V2 = 5, 7, 8
"""Fields: the header that belongs to the type of a page."""

HEADS = ((0, [DATA]), (2, [DICTIONARY]), (3, [DATA_V2]))
"""The types of pages with their only struct; nobody writes type 1, which is for an index."""

ENCODING = {DATA: 2, DICTIONARY: 2, DATA_V2: 4}
"""The field of each header that has the encoding of the values."""

UNBOUNDED = {6: "DELTA_LENGTH_BYTE_ARRAY", 7: "DELTA_BYTE_ARRAY"}
"""Encodings of texts that say within a page how many values it becomes."""

TRUE, FALSE, I32, I64, BINARY, STRUCT = 1, 2, 5, 6, 8, 12
"""The types of fields that occur in headers; 0 ends a struct."""


def check_pages(data: bytes, metadata: Any, columns: list[str] | None = None) -> None:
    """Refuse columns that become more than their metadata say, or more than memory holds."""
    size = values = entries = 0
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for number in range(min(row_group.num_columns, metadata.num_columns)):
            name = metadata.schema.column(number).path
            if columns is not None and name not in columns:
                continue
            chunk, pages = row_group.column(number), _Pages(data)
            pages.count(chunk)
            if pages.size > chunk.total_uncompressed_size or pages.values != chunk.num_values:
                raise FormatError(
                    f"the Parquet file is damaged: column {number} has {pages.size:,} bytes and "
                    f"{pages.values:,} values in its pages, and {chunk.total_uncompressed_size:,} "
                    f"and {chunk.num_values:,} in its metadata"
                )
            for encoding in pages.encodings & UNBOUNDED.keys():
                raise FormatError(
                    f"column {name} is encoded as {UNBOUNDED[encoding]}, in which a small file may "
                    "become any size; write the table again with another encoding, which "
                    "pyarrow.parquet.write_table does if it is not told otherwise"
                )
            size, values = size + pages.size, values + pages.values
            entries += pages.entries
    need = 2 * size + 16 * values + 64 * (entries + metadata.num_rows)
    memory.require(need, f"a table of {metadata.num_rows:,} rows", "use a larger machine")


class _Pages:
    """Counts the pages of a column; anything that is no header of a page is a FormatError."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0
        self.size = self.values = self.entries = 0
        """Bytes of all pages, values, and entries of dictionaries."""
        self.encodings: set[int] = set()

    def count(self, chunk: Any) -> None:
        """Count all pages of a column; the last one must end where the column ends."""
        if chunk.num_values == 0:
            return  # pyarrow reads no page then, and writes a place of pages that are not there
        first = chunk.dictionary_page_offset or chunk.data_page_offset
        self.at = min(first, chunk.data_page_offset)
        end = self.at + chunk.total_compressed_size
        if not 0 <= self.at <= end <= len(self.data):
            raise FormatError("the Parquet file is damaged: a column lies outside of it")
        while self.at < end:
            try:
                self.page(self.struct(0))
            except IndexError:
                raise FormatError("the Parquet file is damaged: a page is cut short") from None
        if self.at > end:
            raise FormatError("the Parquet file is damaged: a page is longer than its column")

    def page(self, page: dict[int, Any]) -> None:
        """Count a page, and go to the next one."""
        structs = [field for field, value in page.items() if isinstance(value, dict)]
        if (page.get(KIND), structs) not in HEADS:
            raise FormatError("the Parquet file is damaged: a page lacks the header of its type")
        field = structs[0]
        count, encoding = page[field].get(VALUES), page[field].get(ENCODING[field])
        unpacked, packed = page.get(UNPACKED, -1), page.get(PACKED, -1)
        if not all(isinstance(x, int) and x >= 0 for x in (unpacked, packed, count, encoding)):
            raise FormatError("the Parquet file is damaged: a page has no length or encoding")
        if field == DICTIONARY:
            self.entries += count
        else:
            self.values += count
            self.encodings.add(encoding)
        self.size += unpacked
        self.at += packed

    def struct(self, depth: int) -> dict[int, Any]:
        """The fields of a struct that are numbers of 32 bits or structs; others are skipped."""
        found: dict[int, Any] = {}
        last = 0
        while kind := self.data[self.at]:
            self.at += 1
            name = last + (kind >> 4) if kind >> 4 else self.zigzag()
            kind &= 15
            if not last < name < 1 << 15 or depth > MAX_DEPTH:
                raise FormatError("the Parquet file is damaged: the header of a page is unknown")
            last = name
            if kind == STRUCT:
                found[name] = self.struct(depth + 1)
            elif kind == I32:
                found[name] = self.zigzag()
            elif kind == I64:
                self.varint(64)
            elif kind == BINARY:
                length = self.varint(32)
                self.at += length
            elif kind not in (TRUE, FALSE):
                raise FormatError("the Parquet file is damaged: the header of a page is unknown")
        self.at += 1
        return found

    def varint(self, bits: int) -> int:
        """A number in bytes of seven bits; Thrift would cut off what is too long."""
        number = 0
        for shift in range(0, 64, 7):
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 127) << shift
            if byte < 128 and number >> bits == 0:
                return number
            if byte < 128:
                break
        raise FormatError("the Parquet file is damaged: a number has too many bytes")

    def zigzag(self) -> int:
        """A signed number of 32 bits."""
        number = self.varint(32)
        return number >> 1 ^ -(number & 1)
