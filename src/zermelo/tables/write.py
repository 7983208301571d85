"""Write a ``.zt`` file: the entries block by block, then the header before them."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from zermelo._door.graphs import optional_module
from zermelo._runtime.threads import thread_count
from zermelo.labels import Int64Array
from zermelo.tables.codes import KIND_ABSENT, KIND_FREE, KINDS, STORED, Chunk, Scale
from zermelo.tables.file import (
    BLOCK,
    MAGIC,
    PREAMBLE,
    TIERS,
    Layout,
    block_digest,
    digest,
    directory_size,
    pack,
    shuffle,
)
from zermelo.tables.measure import measured

LEVEL = 15
"""Zstandard's level: high, since a table is written once; higher levels take much longer and save
little."""

BATCH = 128
"""Blocks between two reports of progress."""

Source = Callable[[int, int, bool], Chunk]
"""``source(start, stop, rough)`` gives entries ``start … stop − 1``; called from several threads.

If ``rough``, an ``absent`` entry may be given as ``free``.
"""

Progress = Callable[[int, int, str], object]


def survey(
    entries: int, source: Source, keys: str, alone: bool = False, conversion: bool = False
) -> Layout:
    """The layout for the kinds of entries and the distances that occur."""
    seen = np.zeros(len(KINDS), bool)
    low, high = dict.fromkeys(STORED, 1 << 31), dict.fromkeys(STORED, -1)
    parities: dict[int, set[int]] = {kind: set() for kind in STORED}
    for start in range(0, entries, 1 << 20):
        chunk = source(start, min(start + (1 << 20), entries), bool(seen[KIND_ABSENT]))
        seen[np.unique(chunk.kind)] = True
        for kind in STORED:
            distances = chunk.distance[chunk.kind == kind]
            if distances.size:
                low[kind] = min(low[kind], int(distances.min()))
                high[kind] = max(high[kind], int(distances.max()))
                parities[kind].update(np.unique(distances & 1).tolist())
    seen[KIND_FREE] = False
    kinds = tuple(np.flatnonzero(seen).tolist())
    scales = {k: Scale.covering(low[k], high[k], parities[k]) for k in STORED if k in kinds}
    return Layout(entries, keys, kinds, scales, alone, conversion)


def encode(layout: Layout, chunk: Chunk, keys: Int64Array | Sequence[str] | None) -> list[bytes]:
    """The planes of a block.

    A free entry becomes a win, which costs no distance.
    """
    kind = np.where(chunk.kind == KIND_FREE, layout.kinds[0], chunk.kind)
    symbol = np.zeros(len(KINDS), np.uint8)
    symbol[list(layout.kinds)] = np.arange(len(layout.kinds), dtype=np.uint8)
    planes = [pack(symbol[kind], layout.bits)]
    for code, scale in layout.scales.items():
        far = np.where(chunk.kind == KIND_FREE, scale.base, chunk.distance)[kind == code]
        planes.append(shuffle((far.astype(np.int64) - scale.base) // scale.step, scale.width))
    if layout.keys == "texts" and keys is not None:
        planes.append("\0".join(keys).encode())
    elif keys is not None:
        steps = np.diff(keys, prepend=keys[:1])
        planes.append(shuffle(steps, -(-int(steps.max()).bit_length() // 8) or 1))
    return planes


def write_table(
    path: Path,
    header: Mapping[str, Any],
    source: Source,
    entries: int,
    key_kind: str,
    keys: Any = None,
    progress: Progress | None = None,
) -> None:
    """Write a table to ``path``, and wait until it is on the disk.

    ``header`` has the fields beside the layout; ``key_kind`` is the kind of the sorted ``keys``,
    ``index`` for none. Keys may be in a file, and are read slice by slice. The same
    entries make the same bytes.
    """
    zstandard = optional_module("zstandard", "zstd")
    layout = survey(entries, source, key_kind, *measured(header))
    layout = replace(layout, tier=bool(header.get(TIERS)))
    whole = {**header, **layout.to_json()}
    if key_kind == "texts" and keys is not None:
        whole["first"] = list(keys[::BLOCK])
    text = json.dumps(whole, sort_keys=True, ensure_ascii=False).encode()
    base = PREAMBLE.size + len(text) + directory_size(layout)
    bounds = [(k, min(k + BLOCK, entries)) for k in range(0, entries, BLOCK)]

    def make(bound: tuple[int, int]) -> list[bytes]:
        start, stop = bound
        own = None if keys is None else keys[start:stop]
        # A compressor serves one thread at a time, so each call makes its own.
        compressor = zstandard.ZstdCompressor(level=LEVEL)
        planes = encode(layout, source(start, stop, False), own)
        return [compressor.compress(plane) if plane else b"" for plane in planes]

    lengths: list[int] = []
    sums: list[bytes] = []
    with path.open("wb") as file, ThreadPoolExecutor(thread_count()) as pool:
        file.seek(offset := base)
        for k in range(0, len(bounds), BATCH):
            for planes in pool.map(make, bounds[k : k + BATCH]):
                data = b"".join(planes)
                lengths += map(len, planes)
                sums.append(block_digest(len(sums), offset, data))
                offset += file.write(data)
            if progress is not None:
                progress(bounds[len(sums) - 1][1], entries, "written")
        directory = np.array(lengths, "<u4").tobytes() + b"".join(sums)
        if keys is not None and key_kind != "texts":
            directory += keys[::BLOCK].astype("<i8").tobytes()
        front = PREAMBLE.pack(MAGIC, layout.version, len(text), offset, bytes(8))[:-8]
        file.seek(0)
        file.write(front + digest(front, text + directory) + text + directory)
        file.flush()
        os.fsync(file.fileno())
