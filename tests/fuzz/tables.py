"""A fuzzer of tables that signs what it changes, so that no checksum hides the code behind it.

``python -m tests.fuzz.tables --count 20000 --seed 1`` runs it longer than the tests do. A finding
is an exception that is not of zermelo, or memory far beyond that of the table. With ``--kernels
compile``, machine code gets the changed numbers.
"""

import argparse
import contextlib
import copy
import hashlib
import json
import os
import random
import struct
import tempfile
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from unittest import mock

import zstandard

import zermelo as zm
from tests.tables.stairs import Stairs
from tests.tables.test_build import Backed, Indexed, Owned, Plain, Sparse, Tiered, Walk
from zermelo._kernels.tables.pack import Shape
from zermelo._runtime.compiled.jit import interpreting
from zermelo.errors import ZermeloError
from zermelo.tables.storage import key_shape as shape
from zermelo.tables.storage import packing
from zermelo.tables.storage.file import TableFile

PREAMBLE = struct.Struct("<8sIIQ8s")
NUMBERED = ("indices", "positions")
MOST_MEMORY = 32 << 20
"""Bytes that work on one of these tables may take, which have less than 100 entries each."""

PACKED = "packed"
"""The seed whose blocks are packed."""

STRANGE: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 16384, 2**31 - 1, 2**31, 2**62, 2**63, 10**30, 1.5, 1e300,
    "", "win", "index", "texts", "positions", "misere", "conversion", "a" * 5000, "\0", "\x1b[2J",
    "no_such_rules.py", "nim:9,9,9,9,9,9,9,9", "tictactoe", "..", "../t.zt",
    [], {}, ["win"], [0, 1, 2], [-1, 0, 0], [0, 10**30, 1], {"a": 1}, [[[[[[]]]]]],
)  # fmt: skip
"""What a field of a header is replaced by."""


@dataclass
class Parts:
    """A table in its parts, which may be changed."""

    version: int
    header: Any
    planes: list[list[bytes]]
    """The planes of each block."""
    first: list[int]

    @classmethod
    def of(cls, data: bytes) -> "Parts":
        """The parts of a sound table."""
        _, version, length, _, _ = PREAMBLE.unpack(data[: PREAMBLE.size])
        at = PREAMBLE.size + length
        header = json.loads(data[PREAMBLE.size : at])
        blocks = -(-header["entries"] // header["block"])
        keyed = header["keys"] != "index"
        count = 2 if "packed" in header else 1 + len(header["distances"]) + keyed
        lengths = struct.unpack_from(f"<{blocks * count}I", data, at)
        at += (4 * count + 8) * blocks
        first: list[int] = []
        if header["keys"] in NUMBERED:
            first = list(struct.unpack_from(f"<{blocks}q", data, at))
            at += 8 * blocks
        planes = []
        for k in range(blocks):
            planes.append([])
            for length in lengths[k * count : (k + 1) * count]:
                planes[-1].append(data[at : at + length])
                at += length
        assert at == len(data)
        return cls(version, header, planes, first)

    def signed(self) -> bytes:
        """The table with right lengths and checksums."""
        text = json.dumps(self.header).encode()
        lengths = [len(plane) for block in self.planes for plane in block]
        first = struct.pack(f"<{len(self.first)}q", *self.first)
        at = begin = (
            PREAMBLE.size + len(text) + 4 * len(lengths) + 8 * len(self.planes) + len(first)
        )
        sums = b""
        for number, block in enumerate(self.planes):
            content = b"".join(block)
            sums += _digest(struct.pack("<QQ", number, at), content)
            at += len(content)
        directory = struct.pack(f"<{len(lengths)}I", *lengths) + sums + first
        magic = b"\x89ZMT\r\n\x1a\n"
        front = PREAMBLE.pack(magic, self.version, len(text), at, bytes(8))[:-8]
        whole = front + _digest(front, text, directory) + text + directory
        assert len(whole) == begin
        return whole + b"".join(plane for block in self.planes for plane in block)


def _digest(*parts: bytes) -> bytes:
    return hashlib.blake2b(b"".join(parts), digest_size=8).digest()


# -------------------------------------------------------------------- changes


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a header."""
    found = [path] if path else []
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in items:
            found += places(inner, (*path, key))
    return found


def replaced(header: Any, path: tuple[Any, ...], value: Any, *, gone: bool = False) -> Any:
    """A copy of a header with another value at a path, or with none."""
    made = copy.deepcopy(header)
    inner = made
    for key in path[:-1]:
        inner = inner[key]
    if gone:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return made


def change_header(parts: Parts, choose: random.Random) -> None:
    path = choose.choice(places(parts.header))
    kind = choose.randrange(6)
    value = choose.choice(STRANGE)
    if kind == 1:
        other = parts.header
        for key in choose.choice(places(parts.header)):
            other = other[key]
        value = copy.deepcopy(other)
    elif kind == 2:
        value = choose.randrange(-5, 200)
    parts.header = replaced(parts.header, path, value, gone=kind == 0)


def change_plane(parts: Parts, choose: random.Random) -> None:
    block = choose.randrange(len(parts.planes))
    number = choose.randrange(len(parts.planes[block]))
    plane = parts.planes[block][number]
    kind = choose.randrange(8)
    prefix = b""
    if "packed" in parts.header and number == 1 and choose.random() < 0.5:
        prefix, plane = bytes([choose.choice((0, 0, 0, 1, 2))]), plane[1:]
    if kind == 0:
        made = BOMB if choose.random() < 0.5 else NAMELESS_BOMB
    elif kind == 1:
        made = _noise(plane, choose)  # the frame itself
    elif kind == 2:
        made = b""
    else:
        try:
            content = zstandard.decompress(plane) if plane else b""
        except zstandard.ZstdError:
            content = plane
        made = zstandard.compress(_noise(content, choose))
    parts.planes[block][number] = prefix + made


def _noise(data: bytes, choose: random.Random) -> bytes:
    """Data with bytes that are changed, omitted, repeated or added."""
    at = choose.randrange(len(data) + 1)
    more = choose.randbytes(choose.choice((1, 1, 2, 8, 40)))
    return choose.choice(
        (
            data[:at] + more + data[at + len(more) :],
            data[:at] + data[at + len(more) :],
            data[:at] + more + data[at:],
            data + data,
            data[::-1],
            more * 100,
        )
    )


def change_first(parts: Parts, choose: random.Random) -> None:
    if parts.first:
        at = choose.randrange(len(parts.first))
        parts.first[at] = choose.choice((-(2**63), -1, 0, 1, 5, 2**31, 2**62, 2**63 - 1))
    else:
        change_header(parts, choose)


def change_version(parts: Parts, choose: random.Random) -> None:
    parts.version = choose.choice((0, 1, 2, 3, 4, 5, 6, 7, 2**32 - 1))


CHANGES = (change_header,) * 5 + (change_plane,) * 5 + (change_first, change_version)

BOMB = zstandard.compress(bytes(256 << 20))
NAMELESS_BOMB = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(64 << 20))
"""Frames of some kilobytes that are large inside; the second one does not say so."""


# -------------------------------------------------------------------- use


def use(path: Path, rules: Any) -> None:
    """Do with a table what users do; a fault of the table is a ZermeloError."""
    with contextlib.suppress(ZermeloError), TableFile(path) as file:
        file.counts(), file.plane_sizes()
        file.check()
    with contextlib.suppress(ZermeloError), zm.Table(path, rules) as table:
        str(table), table.counts(), len(table), table.tier_counts()
        for work in (
            lambda: table.at(table.rules.start()),
            lambda: table.line(table.rules.start()),
            lambda: [(x.label, x.distance, x.best_moves) for x in islice(table, 20)],
            lambda: list(table.sample(5)),
            table.verify,
        ):
            with contextlib.suppress(ZermeloError):
                work()


@dataclass
class Seed:
    """A sound table, its rules, and the other files that it needs."""

    rules: Any
    name: str
    files: dict[str, bytes]


def seeds(folder: Path) -> dict[str, Seed]:
    """Small tables of all kinds."""
    found = {}
    n = 24
    for kind in (Walk, Indexed, Sparse, Backed, Owned, Plain, Tiered):
        for more in ({}, {"distances": "conversion" if kind is Tiered else False}):
            name = f"{kind.__name__}{'-other' if more else ''}"
            zm.build(kind(n, 17), folder / f"{name}.zt", check=False, **more).close()
            found[name] = Seed(kind(n, 17), "t.zt", {"t.zt": (folder / f"{name}.zt").read_bytes()})
    zm.build(Stairs(2), f"{folder}/stairs/", check=False).close()
    files = {x.name: x.read_bytes() for x in (folder / "stairs").iterdir()}
    found["Stairs"] = Seed(Stairs(2), "Stairs-2.zt", files)
    for name in ("nim:2,3", "hexapawn:2x3"):
        zm.build(name, folder / "game.zt").close()
        found[name] = Seed(None, "t.zt", {"t.zt": (folder / "game.zt").read_bytes()})
    one_shape = [Shape(2, 1, 5, 15, 15)]
    with (
        mock.patch.object(packing, "PACKED_FROM", 0),
        mock.patch.object(shape, "filter", create=True, return_value=one_shape),
    ):
        zm.build(Walk(n, 17), folder / "packed.zt", check=False).close()
    found[PACKED] = Seed(Walk(n, 17), "t.zt", {"t.zt": (folder / "packed.zt").read_bytes()})
    return found


def run(known: dict[str, Seed], count: int, seed: int) -> Iterator[str]:
    """What is found in so many changed tables."""
    with tempfile.TemporaryDirectory(prefix="zermelo-fuzz-") as folder:
        home = Path(folder)
        for case in range(count):
            choose = random.Random(f"{seed}-{case}")
            name = choose.choice(list(known))
            if name == PACKED and choose.random() < 0.8:  # interpreted, it takes seconds
                continue
            given = known[name]
            changed = choose.choice(list(given.files))
            parts = Parts.of(given.files[changed])
            for _ in range(choose.choice((1, 1, 1, 2, 3))):
                choose.choice(CHANGES)(parts, choose)
            for file, data in given.files.items():
                Path(home, file).write_bytes(parts.signed() if file == changed else data)
            tracemalloc.start()
            try:
                use(home / given.name, given.rules)
            except Exception as error:
                yield f"{name}, case {seed}-{case}: {type(error).__name__}: {error}"
            finally:
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
            # The compiler takes more, and so do the lists of interpreted kernels that unpack.
            if peak > MOST_MEMORY and interpreting() and name != PACKED:
                yield f"{name}, case {seed}-{case}: it takes {peak:,} bytes"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", default="interpret")
    given = parser.parse_args()
    os.environ["ZERMELO_KERNELS"] = given.kernels
    findings = 0
    with tempfile.TemporaryDirectory(prefix="zermelo-fuzz-") as folder:
        known = seeds(Path(folder))
    for finding in run(known, given.count, given.seed):
        findings += 1
        print(finding, flush=True)
    print(f"{findings} findings in {given.count:,} tables")
    raise SystemExit(findings > 0)


if __name__ == "__main__":
    main()
