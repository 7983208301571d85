"""What the pages of a Parquet file become when they are unpacked, from their headers alone.

The metadata at the end of a file say how many bytes and values each column has, and pyarrow
believes the header of each page instead, which may say two gigabytes. So the pages are counted
before they are unpacked. The metadata, too, are read here: if those of a column contradict the
schema, asking pyarrow for them ends the process. Both are structs in the compact protocol of
Thrift. What Thrift might understand in another way than this module is refused.
"""

from typing import Any, NamedTuple

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

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, STRUCT = 1, 2, 3, 4, 5, 6, 7, 8, 9, 12
"""The types of fields; 0 ends a struct."""

IN_PAGES = frozenset((TRUE, FALSE, I32, I64, BINARY, STRUCT))
"""The types of fields that occur in headers of pages."""

ROW_GROUPS, COLUMNS, METADATA, STATISTICS, LARGEST = 4, 1, 3, 12, 5
"""Fields of the metadata: groups of rows, their columns, and what is known of each."""

INTEGERS = {1: 4, 2: 8}
"""The types of columns that are integers, and their bytes."""


class Column(NamedTuple):
    """What the metadata say of one column in one group of rows."""

    num_values: int
    total_uncompressed_size: int
    total_compressed_size: int
    data_page_offset: int
    dictionary_page_offset: int | None
    largest: int | None
    """The largest integer of the column, if it is known."""


def columns_of(footer: bytes) -> list[list[Column]]:
    """The columns of each group of rows, from the end of a file: its metadata and 8 bytes more."""
    length = int.from_bytes(footer[-8:-4], "little")
    if footer[-4:] != b"PAR1" or length + 8 > len(footer):
        raise FormatError("the Parquet file is damaged: it does not end with its metadata")
    try:
        found = _Compact(footer[-8 - length : -8]).struct(0)
    except IndexError:
        raise FormatError("the Parquet file is damaged: its metadata are cut short") from None
    groups = found.get(ROW_GROUPS)
    if not isinstance(groups, list) or not all(isinstance(x, dict) for x in groups):
        raise FormatError("the Parquet file is damaged: it has no list of its rows")
    return [[_column(x) for x in _listed(group.get(COLUMNS))] for group in groups]


def _listed(found: Any) -> list[Any]:
    return found if isinstance(found, list) else []


def _column(chunk: Any) -> Column:
    meta = chunk.get(METADATA) if isinstance(chunk, dict) else None
    if not isinstance(meta, dict):
        raise FormatError("the Parquet file is damaged: a column has no metadata of its own")
    numbers = [meta.get(field) for field in (5, 6, 7, 9)]
    dictionary = meta.get(11)
    if not all(isinstance(x, Long) and x >= 0 for x in numbers) or not (
        dictionary is None or (isinstance(dictionary, Long) and dictionary >= 0)
    ):
        raise FormatError("the Parquet file is damaged: a column has no size or place")
    statistics = meta.get(STATISTICS)
    most = statistics.get(LARGEST) if isinstance(statistics, dict) else None
    exact = isinstance(most, bytes) and len(most) == INTEGERS.get(meta.get(1, 0), -1)
    largest = int.from_bytes(most, "little", signed=True) if exact and most else None
    return Column(*numbers, dictionary, largest)  # type: ignore[call-arg,arg-type]


def check_pages(data: bytes, metadata: Any, columns: list[str] | None = None) -> None:
    """Refuse columns that become more than their metadata say, or more than memory holds."""
    size = values = entries = 0
    for row_group in columns_of(data):
        if len(row_group) != metadata.num_columns:
            raise FormatError("the Parquet file is damaged: rows lack some of its columns")
        for number, chunk in enumerate(row_group):
            name = metadata.schema.column(number).path
            if columns is not None and name not in columns:
                continue
            pages = _Pages(data)
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


class Long(int):
    """A number of 64 bits; Thrift does not take it for one of 32."""


class _Compact:
    """Reads structs in the compact protocol of Thrift."""

    kinds = IN_PAGES | {BYTE, I16, DOUBLE, LIST}
    """The types of fields that are read."""
    unknown = "a field of its metadata is unknown"

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def struct(self, depth: int) -> dict[int, Any]:
        """The fields of a struct; their numbers must increase."""
        found: dict[int, Any] = {}
        last = 0
        while kind := self.data[self.at]:
            self.at += 1
            name = last + (kind >> 4) if kind >> 4 else self.zigzag(32)
            if not last < name < 1 << 15 or depth > MAX_DEPTH:
                raise FormatError(f"the Parquet file is damaged: {self.unknown}")
            last = name
            found[name] = self.value(kind & 15, depth)
        self.at += 1
        return found

    def value(self, kind: int, depth: int) -> Any:
        """The value of a field or of an entry of a list."""
        if kind not in self.kinds:
            raise FormatError(f"the Parquet file is damaged: {self.unknown}")
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind in (I16, I32):
            return self.zigzag(32)
        if kind == I64:
            return Long(self.zigzag(64))
        if kind == STRUCT:
            return self.struct(depth + 1)
        if kind == LIST:
            return self.list(depth + 1)
        return self.take({BYTE: 1, DOUBLE: 8}.get(kind) or self.varint(32) * (kind == BINARY))

    def list(self, depth: int) -> list[Any]:
        """The entries of a list; each truth value has a byte."""
        head = self.take(1)[0]
        size = head >> 4 if head >> 4 < 15 else self.varint(32)
        if head & 15 in (TRUE, FALSE):
            return list(self.take(size))
        return [self.value(head & 15, depth) for _ in range(size)]

    def take(self, size: int) -> bytes:
        """Some bytes as they are."""
        self.at += size
        if self.at > len(self.data):
            raise IndexError
        return self.data[self.at - size : self.at]

    def varint(self, bits: int) -> int:
        """A number in bytes of seven bits; Thrift would cut off what is too long."""
        number = 0
        for shift in range(0, 70, 7):
            byte = self.data[self.at]
            self.at += 1
            number |= (byte & 127) << shift
            if byte < 128 and number >> bits == 0:
                return number
            if byte < 128:
                break
        raise FormatError("the Parquet file is damaged: a number has too many bytes")

    def zigzag(self, bits: int) -> int:
        """A signed number."""
        number = self.varint(bits)
        return number >> 1 ^ -(number & 1)


class _Pages(_Compact):
    """Counts the pages of a column; anything that is no header of a page is a FormatError."""

    kinds = IN_PAGES
    unknown = "the header of a page is unknown"

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.size = self.values = self.entries = 0
        """Bytes of all pages, values, and entries of dictionaries."""
        self.encodings: set[int] = set()

    def count(self, chunk: Column) -> None:
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
        if type(page.get(KIND)) is not int or (page[KIND], structs) not in HEADS:
            raise FormatError("the Parquet file is damaged: a page lacks the header of its type")
        field = structs[0]
        count, encoding = page[field].get(VALUES), page[field].get(ENCODING[field])
        unpacked, packed = page.get(UNPACKED, -1), page.get(PACKED, -1)
        if not all(type(x) is int and x >= 0 for x in (unpacked, packed, count, encoding)):
            raise FormatError("the Parquet file is damaged: a page has no length or encoding")
        if field == DICTIONARY:
            self.entries += count
        else:
            self.values += count
            self.encodings.add(encoding)
        self.size += unpacked
        self.at += packed
