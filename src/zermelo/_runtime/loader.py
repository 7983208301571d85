"""Loading an object file into this process without LLVM's linker.

Importing LLVM takes longer than to solve a small game. A kept kernel needs little of a linker: its
object file refers to itself and to a few functions of the process, which are known by name. So on
Linux with an x86-64 processor this module places the sections of the file in memory, resolves the
references between them, and lets the processor execute them; on other systems, and for a file with
anything that it does not know, :func:`load` returns None, and LLVM does it.

**The format** is ELF for relocatable files: a header, a table of sections, a table of symbols, and
for each section a list of *relocations*: places whose value depends on an address. The memory
has three parts: what is only read or executed, then a table of jumps to functions of the process,
each with its address, because such a function may be too far away for a call, and, from the next
page on, what is written.
"""

import ctypes
import mmap
import os
import struct
import sys
from collections.abc import Callable
from typing import NamedTuple

ELF = b"\x7fELF\x02\x01\x01"
"""How a file begins: the format, 64 bits, the least significant byte first, version 1."""
RELOCATABLE, X86_64 = 1, 62
SYMBOLS, RELOCATIONS, ZEROS = 2, 4, 8
WRITE, ALLOCATE, THREAD = 1, 2, 0x400
UNDEFINED, RESERVED, ABSOLUTE = 0, 0xFF00, 0xFFF1
ADDRESS, RELATIVE, CALL, RELATIVE_64 = 1, 2, 4, 24
TABLE_ENTRY = (9, 41, 42)
"""Kinds of relocations: the address, the distance to it in 32 bits, the distance of a call, the
distance in 64 bits, and the distance to a place that holds the address (three kinds)."""
JUMP = b"\xff\x25\x02\x00\x00\x00\x90\x90"
"""Jump to the address that stands in the eight bytes behind these eight bytes."""
ENTRY = 16
"""The bytes of such a jump with its address."""
PAGE = mmap.PAGESIZE
LARGEST = 2**28
"""The largest section, in bytes; all distances fit into 32 bits."""
NOT_NEEDED = (b".eh_frame",)
"""Sections that only a debugger and exceptions of C++ use."""


class Unknown(Exception):
    """The file has something that this module does not know."""


class _Section(NamedTuple):
    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int


class _Symbol(NamedTuple):
    name: bytes
    section: int
    value: int


def is_supported() -> bool:
    """Whether this module can load object files on this system."""
    return sys.platform == "linux" and os.uname().machine == "x86_64" and sys.maxsize > 2**32


def load(code: bytes, symbol: str, address_of: Callable[[str], int | None]) -> int | None:
    """Load an object file; the address of one of its functions, or None if LLVM must do it.

    ``address_of`` finds functions and data of this process by their names. The memory stays until
    the process ends.

    >>> load(b"no object file", "f", lambda name: None) is None
    True
    """
    if not is_supported():
        return None
    try:
        return _Image(code, address_of).place(symbol.encode())
    except (Unknown, struct.error, OSError, ValueError, OverflowError):
        return None


_kept: list[mmap.mmap] = []
"""The memory of all files that were loaded."""


class _Image:
    """An object file, and where its sections are placed."""

    def __init__(self, code: bytes, address_of: Callable[[str], int | None]) -> None:
        self.code = code
        self.address_of = address_of
        self.sections = self._read_sections()
        self.symbols = self._read_symbols()
        self.place_of: dict[int, int] = {}
        """The place in memory of each section that stays."""
        self.entry_of: dict[int, int] = {}
        """The place of the jump to each symbol that needs one."""
        self.table = _up(self._lay_out(0, written=False), ENTRY)
        self.written = _up(self.table + ENTRY * len(self.symbols), PAGE)
        size = self._lay_out(self.written, written=True)
        self.memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.base = ctypes.addressof(ctypes.c_char.from_buffer(self.memory))

    def _read_sections(self) -> list[_Section]:
        code = self.code
        if not code.startswith(ELF):
            raise Unknown("another format")
        kind, machine = struct.unpack_from("<HH", code, 16)
        if (kind, machine) != (RELOCATABLE, X86_64):
            raise Unknown("another kind of file")
        (offset,) = struct.unpack_from("<Q", code, 40)
        size, count, self.names = struct.unpack_from("<HHH", code, 58)
        if size != 64 or not count or count >= RESERVED or self.names >= count:
            raise Unknown("the table of sections")
        sections = [
            _Section(*struct.unpack_from("<IIQQQQIIQQ", code, offset + size * k))
            for k in range(count)
        ]
        if any(s.kind != ZEROS and s.offset + s.size > len(code) for s in sections):
            raise Unknown("a section that ends after the file")
        return sections

    def _text(self, section: int, offset: int) -> bytes:
        """A text of a table of texts."""
        table = self.sections[section]
        end = self.code.find(b"\0", table.offset + offset, table.offset + table.size)
        if offset >= table.size or end < 0:
            raise Unknown("a name outside of its table")
        return self.code[table.offset + offset : end]

    def _read_symbols(self) -> list[_Symbol]:
        tables = [s for s in self.sections if s.kind == SYMBOLS]
        if len(tables) != 1 or tables[0].entry_size != 24 or tables[0].link >= len(self.sections):
            raise Unknown("the table of symbols")
        [table] = tables
        symbols = []
        for offset in range(table.offset, table.offset + table.size - 23, 24):
            name, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", self.code, offset)
            if section >= len(self.sections) and section != ABSOLUTE:
                raise Unknown("a symbol of a special section")
            symbols.append(_Symbol(self._text(table.link, name), section, value))
        return symbols

    def _lay_out(self, end: int, written: bool) -> int:
        """Give a place to each section that stays in memory; the end of the last one."""
        for k, s in enumerate(self.sections):
            stays = s.flags & ALLOCATE and self._text(self.names, s.name) not in NOT_NEEDED
            if not stays or bool(s.flags & WRITE) != written:
                continue
            if s.flags & THREAD or s.alignment > PAGE or s.size > LARGEST:
                raise Unknown("a section of a special kind")
            self.place_of[k] = _up(end, max(s.alignment, 1))
            end = self.place_of[k] + s.size
        return end

    def place(self, symbol: bytes) -> int:
        """Copy the sections into memory, resolve the references; the address of a symbol."""
        for k, place in self.place_of.items():
            s = self.sections[k]
            if s.kind != ZEROS:
                self.memory[place : place + s.size] = self.code[s.offset : s.offset + s.size]
        for s in self.sections:
            if s.kind == RELOCATIONS and s.info in self.place_of:
                self._relocate(s)
        numbers = [k for k, s in enumerate(self.symbols) if s.name == symbol]
        if len(numbers) != 1 or self.symbols[numbers[0]].section == UNDEFINED:
            raise Unknown("no such symbol")
        address = self._address(numbers[0])
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        if protect(self.base, self.written, mmap.PROT_READ | mmap.PROT_EXEC):
            raise OSError(ctypes.get_errno(), "mprotect")
        _kept.append(self.memory)
        return address

    def _relocate(self, table: _Section) -> None:
        """Resolve the references of one section."""
        target = self.sections[table.info]
        if table.entry_size != 24:
            raise Unknown("a table of relocations")
        for at in range(table.offset, table.offset + table.size - 23, 24):
            offset, kind, number, addend = struct.unpack_from("<QIIq", self.code, at)
            width = 8 if kind in (ADDRESS, RELATIVE_64) else 4
            if number >= len(self.symbols) or offset + width > target.size:
                raise Unknown("a relocation outside of its section")
            place = self.place_of[table.info] + offset
            if kind == ADDRESS:
                value, layout = self._address(number), "<Q"
            elif kind == CALL:
                value, layout = self._target(number) - self.base - place, "<i"
            elif kind in (RELATIVE, RELATIVE_64):  # data of the process may be too far away
                value = self._address(number) - self.base - place
                layout = "<q" if kind == RELATIVE_64 else "<i"
            elif kind in TABLE_ENTRY:
                value, layout = self._entry(number) + len(JUMP) - place, "<i"
            else:
                raise Unknown("a kind of relocation")
            struct.pack_into(layout, self.memory, place, value + addend)

    def _address(self, number: int) -> int:
        """The address of a symbol, of this file or of the process."""
        symbol = self.symbols[number]
        if symbol.section == UNDEFINED:
            address = self.address_of(symbol.name.decode())
            if not address:
                raise Unknown("a symbol that the process does not have")
            return address
        if symbol.section not in self.place_of or symbol.value > LARGEST:
            raise Unknown("a symbol that has no place")
        return self.base + self.place_of[symbol.section] + symbol.value

    def _target(self, number: int) -> int:
        """The address to call; functions of the process are reached by a jump from here."""
        if self.symbols[number].section == UNDEFINED:
            return self.base + self._entry(number)
        return self._address(number)

    def _entry(self, number: int) -> int:
        """The place of a jump to a symbol, which is followed by the address of the symbol."""
        if number not in self.entry_of:
            entry = self.table + ENTRY * len(self.entry_of)
            self.memory[entry : entry + ENTRY] = JUMP + struct.pack("<Q", self._address(number))
            self.entry_of[number] = entry
        return self.entry_of[number]


def _up(place: int, alignment: int) -> int:
    """The next multiple of an alignment."""
    return -(-place // alignment) * alignment
