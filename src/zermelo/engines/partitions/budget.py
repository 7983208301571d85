"""How a budget of memory is divided among partitions, messages and buffers."""

import sys
from dataclasses import dataclass

from zermelo._runtime.compiled.jit import interpreting
from zermelo._runtime.memory import available, byte_count, own_share
from zermelo.engines.partitions.partition import BUFFER_BYTES

MIN_BYTES = 1 << 24
"""The least memory that is used, whatever the budget: 16 MiB."""

LINKER_BYTES = 52 << 20
"""Memory of the library that links compiled code; it is loaded with the first kernel."""


@dataclass(frozen=True)
class Budget:
    """Bytes that a job may use, beyond what the process holds already."""

    usable: int

    @classmethod
    def of(cls, memory: "int | str | Budget | None") -> "Budget":
        """The budget for a whole process of this size; by default, three quarters of the memory.

        What the process holds already is subtracted, but at least a quarter of the budget is used.

        >>> Budget.of("2GB").usable <= 2 << 30
        True
        >>> Budget.of("lots")
        Traceback (most recent call last):
        zermelo.errors.InvalidOptionError: memory: expected a size such as 8G or 500M, got 'lots'
        """
        if isinstance(memory, Budget):
            return memory
        size = available() * 3 // 4 if memory is None else byte_count(memory)
        held = own_share(size)
        if "llvmlite" not in sys.modules and not interpreting():
            held = min(held + LINKER_BYTES, size - size // 4)
        return cls(max(size - held, MIN_BYTES))

    @property
    def partition(self) -> int:
        """The largest partition; two of them can be mapped."""
        return self.usable * 5 // 16

    @property
    def residents(self) -> int:
        """All partitions whose files are mapped at a time."""
        return self.usable * 5 // 8

    @property
    def messages(self) -> int:
        """Messages that stay in memory."""
        return self.usable // 8

    @property
    def capacity(self) -> int:
        """Messages in the buffers of a step."""
        return min(max(self.usable // 8 // BUFFER_BYTES, 1 << 12), 1 << 21)

    @property
    def window(self) -> int:
        """Values and distances of the targets of moves, when moves are chosen."""
        return self.usable // 3

    @property
    def piece(self) -> int:
        """Moves that are read at a time."""
        return min(max(self.usable // 8 // 24, 1 << 12), 1 << 22)
