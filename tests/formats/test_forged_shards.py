"""Shards whose manifest or arrays were changed, with checksums that are right."""

import json
import random
import zlib

import numpy as np
import pytest

import zermelo as zm
from tests.engines.forged import all_changes
from zermelo.errors import CertificateError, FormatError, ZermeloError
from zermelo.formats.binary.npz import load_arrays, save_arrays

FEW, MANY = 60, 2000
"""Changed manifests, and those of the slow test."""


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """Shards of a game with payoffs, and their solution."""
    folder = tmp_path_factory.mktemp("shards")
    graph = zm.Graph.from_edges([(0, 1), (1, 2), (2, 3), (0, 3), (3, 0), (1, 4)])
    game = zm.Game(graph, zm.TerminalPayoff({4: 2}, infinite=1))
    shards = zm.Shards.write(game, folder / "game", shards=2)
    zm.solve_shards(shards, folder / "solved")
    return folder


def read_all(folder):
    """Everything that reads shards and their solutions; the error that refused them, or None."""
    try:
        shards = zm.Shards(folder / "game")
        shards.game()
        zm.plan(str(folder / "game"))
        zm.ShardedSolution(folder / "solved").verify(shards)
    except ZermeloError as error:
        return error
    return None


@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", ["game", "solved"])
def test_changed_manifests(name, count, solved):
    path = solved / name / "manifest.json"
    kept = path.read_text()
    changes = list(all_changes(json.loads(kept)))
    random.Random(0).shuffle(changes)
    no = 0
    try:
        for place, forged in changes[:count]:
            path.write_text(json.dumps(forged))
            try:
                no += read_all(solved) is not None
            except Exception as error:
                raise AssertionError(f"{name}, {place}") from error
    finally:
        path.write_text(kept)
    assert read_all(solved) is None
    assert no >= 0.8 * min(count, len(changes))


CHANGES = {
    "a number": lambda a: np.array(3),
    "no array": lambda a: None,
    "uint64": lambda a: a.astype(np.uint64) if a.dtype.kind in "iu" else a.astype(np.float16),
    "float": lambda a: a.astype(float),
    "text": lambda a: a.astype(str),
    "too short": lambda a: a[:-1],
    "too large": lambda a: a + a.dtype.type(100) if a.dtype.kind in "iu" else a[:-1],
    "three dimensions": lambda a: a.reshape(1, 1, -1),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["game", "solved"])
def test_changed_arrays(name, change, solved):
    """An array that a reader accepts is one that means the same."""
    path, part = solved / name / "manifest.json", solved / name / "part-00000.npz"
    kept, content = path.read_text(), part.read_bytes()
    arrays = load_arrays(content)
    del arrays["meta"]
    try:
        for key in arrays:
            forged = {**arrays, key: CHANGES[change](arrays[key])}
            forged = {x: array for x, array in forged.items() if array is not None}
            part.write_bytes(save_arrays(forged, "{}"))
            record = json.loads(kept)
            record["shards"][0]["checksum"] = zlib.crc32(part.read_bytes())
            path.write_text(json.dumps(record))
            error = read_all(solved)
            same = change in ("uint64", "float")
            assert isinstance(error, FormatError | CertificateError) or same, key
    finally:
        path.write_text(kept)
        part.write_bytes(content)


def test_a_solution_that_names_no_game(solved):
    path = solved / "solved" / "manifest.json"
    kept = path.read_text()
    record = json.loads(kept)
    del record["game"]
    path.write_text(json.dumps(record))
    try:
        assert "game: expected the digest of a game, got None" in str(read_all(solved))
    finally:
        path.write_text(kept)
