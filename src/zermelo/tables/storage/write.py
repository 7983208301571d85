"""Write a ``.zt`` file: the entries block by block, then the header before them."""

import json
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._inputs.values import optional_module
from zermelo._kernels.tables.pack import Shape
from zermelo._kernels.tables.write import (
    COUNT,
    EVEN,
    GREATEST,
    LEAST,
    PLANE,
    ROW,
    SYMBOL,
    WIDE,
    Codes,
    encode_entries,
    tally_entries,
)
from zermelo._runtime.progress import Report
from zermelo._runtime.threads import in_order
from zermelo.errors import LimitError
from zermelo.labels import Int64Array
from zermelo.tables.storage.codes import KIND_ABSENT, KIND_FREE, KINDS, STORED, Chunk, Scale
from zermelo.tables.storage.file import (
    BLOCK,
    MAGIC,
    MAX_HEADER_BYTES,
    PREAMBLE,
    block_digest,
    digest,
    shuffle,
)
from zermelo.tables.storage.key_shape import choose_shape
from zermelo.tables.storage.layout import NUMBERED, TIERS, Layout, directory_size, measured
from zermelo.tables.storage.packing import can_pack, decided_entries, pack_block
from zermelo.tables.storage.planes import width_of

LEVEL = 6
"""Zstandard's level. Level 15 takes eight times as long for files that are 5 per cent smaller, and
it would take a third of the time of building a chess table."""

LEVEL_OF_TEXTS = 15
"""The level for keys that are texts: they compress better, and their rules take more time."""

BLOCKS_BETWEEN_REPORTS = 128
"""Blocks between two reports of progress."""

SURVEYED_TOGETHER = 1 << 16
"""Entries that are surveyed at a time."""

Source = Callable[[int, int, bool], Chunk]
"""``source(start, stop, rough)`` gives entries ``start … stop − 1``; called from several threads.

If ``rough``, an ``absent`` entry may be given as ``free``.
"""


def survey(
    entries: int, source: Source, keys: str, alone: bool = False, conversion: bool = False
) -> Layout:
    """The layout for the kinds of entries and the distances that occur."""
    found = np.tile(np.array([0, 1 << 31, -1, 0, 0], np.int64), (len(KINDS), 1))
    empty = found.reshape(-1).copy()

    def tally(start: int) -> Int64Array:
        rough = bool(found[KIND_ABSENT, COUNT])
        chunk, own = source(start, min(start + SURVEYED_TOGETHER, entries), rough), empty.copy()
        tally_entries(chunk.kind, chunk.distance, own)
        return own.reshape(len(KINDS), ROW)

    for own in in_order(tally, range(0, entries, SURVEYED_TOGETHER)):
        np.minimum(found[:, LEAST], own[:, LEAST], out=found[:, LEAST])
        np.maximum(found[:, GREATEST], own[:, GREATEST], out=found[:, GREATEST])
        found[:, COUNT] += own[:, COUNT]
        found[:, EVEN:] += own[:, EVEN:]
    found[KIND_FREE] = 0
    kinds = tuple(np.flatnonzero(found[:, COUNT]).tolist())
    scales = {}
    for kind in (kind for kind in STORED if kind in kinds):
        _, least, greatest, even, odd = found[kind].tolist()
        scales[kind] = Scale.covering(least, greatest, {x for x, n in ((0, even), (1, odd)) if n})
    return Layout(entries, keys, kinds, scales, alone, conversion)


def codes_of(layout: Layout) -> Codes:
    """The codes of a layout for the kernel that encodes.

    A free entry becomes an entry of the first kind; a win costs no distance.
    """
    rows = np.full((len(KINDS), WIDE), -1, np.int64)
    rows[list(layout.kinds), SYMBOL] = np.arange(len(layout.kinds))
    for plane, (kind, scale) in enumerate(layout.scales.items()):
        rows[kind, PLANE:] = plane, scale.base, scale.step - 1
    rows[KIND_FREE] = rows[layout.kinds[0]]
    return Codes(rows.reshape(-1), layout.bits)


def encode(
    layout: Layout, codes: Codes, chunk: Chunk, keys: Any, compress: Callable[[bytes], bytes]
) -> list[bytes]:
    """The planes of a block, compressed."""
    if layout.shape is not None:
        return pack_block(chunk, keys, layout.kinds, layout.scales, layout.shape, compress)
    n, parts = chunk.kind.size, len(layout.scales)
    packed, stored = np.zeros(-(-n * layout.bits // 8), np.uint8), np.zeros(n * parts, np.int32)
    counts = np.zeros(parts, np.int64)
    encode_entries(chunk.kind, chunk.distance, codes, packed, stored, counts)
    planes = [packed.tobytes()]
    for k, scale in enumerate(layout.scales.values()):
        planes.append(shuffle(stored[k * n : k * n + counts[k]], scale.width))
    if layout.keys == "texts" and keys is not None:
        planes.append("\0".join(keys).encode())
    elif keys is not None:
        steps = np.diff(keys, prepend=keys[:1])
        planes.append(shuffle(steps, width_of(steps)))
    return [compress(plane) if plane else b"" for plane in planes]


def write_table(
    path: Path,
    header: Mapping[str, Any],
    source: Source,
    entries: int,
    key_kind: str,
    keys: Any = None,
    progress: Report | None = None,
) -> None:
    """Write a table to ``path``, and wait until it is on the disk.

    ``header`` has the fields beside the layout; ``key_kind`` is the kind of the sorted ``keys``,
    ``index`` for none. Keys may be in a file, and are read slice by slice. The same
    entries make the same bytes.
    """
    zstandard = optional_module("zstandard", "zstd")
    layout = survey(entries, source, key_kind, *measured(header))
    layout = replace(layout, tier=bool(header.get(TIERS)))
    if key_kind in NUMBERED and can_pack(keys, entries, len(layout.kinds)):

        def size_of(start: int, stop: int, fields: Int64Array, shape: Shape) -> int:
            chunk = source(start, stop, False)
            return len(decided_entries(chunk, fields, layout.kinds, layout.scales, shape))

        shape = choose_shape(keys, entries, size_of)
        layout = replace(layout, shape=shape)
    whole = {**header, **layout.to_json()}
    if key_kind == "texts" and keys is not None:
        whole["first"] = list(keys[::BLOCK])
    text = json.dumps(whole, sort_keys=True, ensure_ascii=False).encode()
    if len(text) > MAX_HEADER_BYTES:
        raise LimitError(
            f"{path.name}: expected a header of at most {MAX_HEADER_BYTES:,} bytes, got "
            f"{len(text):,}, because the texts of positions are long"
        )
    base = PREAMBLE.size + len(text) + directory_size(layout)
    bounds = [(k, min(k + BLOCK, entries)) for k in range(0, entries, BLOCK)]

    codes, local = codes_of(layout), threading.local()

    def make(bound: tuple[int, int]) -> list[bytes]:
        start, stop = bound
        own = None if keys is None else keys[start:stop]
        if not hasattr(local, "compressor"):  # it serves one thread at a time
            level = LEVEL_OF_TEXTS if key_kind == "texts" else LEVEL
            local.compressor = zstandard.ZstdCompressor(level=level)
        return encode(layout, codes, source(start, stop, False), own, local.compressor.compress)

    lengths: list[int] = []
    sums: list[bytes] = []
    with path.open("wb") as file:
        file.seek(offset := base)
        for planes in in_order(make, bounds):
            data = b"".join(planes)
            lengths += map(len, planes)
            sums.append(block_digest(len(sums), offset, data))
            offset += file.write(data)
            if progress is not None and (
                len(sums) % BLOCKS_BETWEEN_REPORTS == 0 or len(sums) == len(bounds)
            ):
                progress(bounds[len(sums) - 1][1], entries, "written")
        directory = np.array(lengths, "<u4").tobytes() + b"".join(sums)
        if keys is not None and key_kind != "texts":
            directory += keys[::BLOCK].astype("<i8").tobytes()
        front = PREAMBLE.pack(MAGIC, layout.version, len(text), offset, bytes(8))[:-8]
        file.seek(0)
        file.write(front + digest(front, text + directory) + text + directory)
        file.flush()
        os.fsync(file.fileno())
