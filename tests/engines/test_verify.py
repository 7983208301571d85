"""Solutions in shards are checked piece by piece, and every wrong entry is found."""

import json
import zlib

import numpy as np
import pytest
from click.testing import CliRunner
from tests.engines.test_shards import OBJECTIVES, game

import zermelo as zm
from zermelo.cli.main import cli
from zermelo.engines.partitions.budget import Budget
from zermelo.engines.shard_solution import ShardedSolution, solve_shards
from zermelo.errors import CertificateError, FormatError
from zermelo.formats.binary.npz import load_arrays, save_arrays
from zermelo.formats.binary.shards import Shards
from zermelo.verify import shards as checker


@pytest.fixture(params=[1, 3])
def windows(request, monkeypatch):
    """Targets of moves in one window or in several, and blocks of a few moves."""
    real = checker._windows

    def cut(pieces, terms, room):
        size = -(-pieces.n // request.param)
        found = real(pieces, terms, 8 * terms.width * size)
        assert 1 < len(found) <= 3 or request.param == 1
        return found

    real_blocks = checker._blocks
    monkeypatch.setattr(checker, "_windows", cut)
    monkeypatch.setattr(checker, "_blocks", lambda indptr, most: real_blocks(indptr, 7))


def solved(path, name, owned=False, objective=None):
    shards = Shards.write(game(5, OBJECTIVES[name], owned), path / "game", shards=3)
    return shards, solve_shards(shards, path / "out", objective, partitions=2)


def change(solution, k, edit):
    """Edit the arrays of a shard; its checksum follows."""
    path = solution.path / solution.manifest["shards"][k]["file"]
    content = path.read_bytes()
    arrays = load_arrays(content)
    arrays.pop("meta")
    arrays = {key: array.copy() for key, array in arrays.items()}
    edit(arrays)
    changed = save_arrays(arrays, "{}")
    path.write_bytes(changed)
    rewrite(solution, lambda record: record["shards"][k].update(checksum=zlib.crc32(changed)))
    return content


def rewrite(solution, edit):
    path = solution.path / "manifest.json"
    record = json.loads(path.read_text())
    edit(record)
    path.write_text(json.dumps(record))


@pytest.mark.slow
@pytest.mark.parametrize("owned", [False, True])
@pytest.mark.parametrize("name", OBJECTIVES)
def test_right_solutions_hold_and_wrong_entries_are_found(name, owned, windows, tmp_path):
    shards, solution = solved(tmp_path, name, owned)
    solution.verify(shards)
    whole = zm.solve(shards.game(), solver="retrograde")
    rng = np.random.default_rng(3)
    levels = len(whole.levels)
    for turn in range(24):
        k, array = int(rng.integers(0, 3)), ("level", "label", "distance", "move")[turn % 4]
        wrong = {
            "level": int(rng.integers(0, levels)),
            "label": int(rng.integers(-1, 2)),
            "distance": int(rng.integers(-1, 6)),
            "move": int(rng.integers(-1, shards.n)),
        }[array]
        before = ShardedSolution(solution.path).piece(k)
        s = int(rng.integers(0, before[array].size))
        if before[array].flat[s] == wrong:
            continue
        if array == "move" and best(shards, whole, k, s, wrong):
            continue  # another best move

        def edit(arrays, array=array, s=s, wrong=wrong):
            arrays[array].flat[s] = wrong
            if array == "level" and levels == 3:  # the label may follow
                arrays["label"].flat[s] = wrong - 1

        content = change(solution, k, edit)
        with pytest.raises(CertificateError):
            ShardedSolution(solution.path).verify(shards)
        file = solution.manifest["shards"][k]
        (solution.path / file["file"]).write_bytes(content)
        crc = zlib.crc32(content)
        rewrite(solution, lambda record, k=k, crc=crc: record["shards"][k].update(checksum=crc))
    ShardedSolution(solution.path).verify(shards)


def best(shards, whole, k, s, move):
    """Whether a move of entry s of shard k keeps the value and brings the end nearer."""
    first = sum(shard["positions"] for shard in shards.manifest["shards"][:k])
    doubled = whole.level.ndim == 2
    v, e = divmod(s, 2) if doubled else (s, 0)
    v += first
    indptr, indices = whole.graph.indptr, whole.graph.indices
    if move < 0 or move not in indices[indptr[v] : indptr[v + 1]]:
        return False
    at, after = ((v, e), (move, 1 - e)) if doubled else (v, move)
    value, reached = int(whole.level[at]), int(whole.level[after])
    reached = len(whole.levels) - 1 - reached if whole.mirrored else reached
    d, nearer = int(whole.distance[at]), int(whole.distance[after])
    return value == reached and nearer == (d if d < 0 else d - 1)


def test_labels_that_only_support_one_another(windows, tmp_path):
    """On 0 ⇄ 1 no labels but draws hold, whatever distances are claimed."""
    graph = zm.Graph.from_edges([(0, 1), (1, 0), (2, 2), (3, 4), (5, 2)])
    shards = Shards.write(zm.Game(graph), tmp_path / "game", shards=2)
    solution = solve_shards(shards, tmp_path / "out")
    for d in ((1, 2), (1, 0), (3, 2), (0, 0), (1, 1)):

        def edit(arrays, d=d):
            arrays["level"][:2], arrays["label"][:2] = (2, 0), (1, -1)
            arrays["distance"][:2] = d

        change(solution, 0, edit)
        with pytest.raises(CertificateError, match=r"position [01]: expected"):
            ShardedSolution(solution.path).verify(shards)


def test_a_tie_that_no_end_grounds(windows, tmp_path):
    """Distance 0 where play goes on, beside a move without a distance."""
    graph = zm.Graph.from_edges([(0, 1), (1, 1), (2, 3)])
    shards = Shards.write(zm.Game(graph), tmp_path / "game", shards=2)
    solution = solve_shards(shards, tmp_path / "out")
    change(solution, 0, lambda arrays: arrays["distance"].__setitem__(0, 0))
    with pytest.raises(CertificateError, match="position 0: expected another distance"):
        ShardedSolution(solution.path).verify(shards)


def test_the_rest_of_a_claim(tmp_path):
    shards, solution = solved(tmp_path, "normal")
    keep = (solution.path / "manifest.json").read_text()
    for edit, error, message in (
        (lambda r: r["counts"].update(win=1), CertificateError, "counts: expected"),
        (lambda r: r["terms"].update(levels=[-2, 0, 1]), CertificateError, "terms: expected"),
        (lambda r: r.update(game="another"), FormatError, "another game"),
        (lambda r: r["shards"].pop(), FormatError, "expected 3 shards"),
        (lambda r: r.update(shards=3), FormatError, "shards: expected a list"),
        (lambda r: r.update(shards=[3]), FormatError, "entry 0: expected an object"),
        (lambda r: r.update(version=2), FormatError, "expected the version 1"),
        (lambda r: r.pop("counts"), FormatError, "counts"),
        (lambda r: r.update(objective={}), FormatError, "objective"),
        (lambda r: r["shards"][0].update(file="../x"), FormatError, "name of a file"),
        (lambda r: r["shards"][0].update(checksum=7), FormatError, "not the one"),
    ):
        rewrite(solution, edit)
        with pytest.raises(error, match=message):
            ShardedSolution(solution.path).verify(shards)
        (solution.path / "manifest.json").write_text(keep)
    for edit, error, message in (
        (lambda a: a.update(move=a["move"][1:]), FormatError, "move: expected integers for 13"),
        (
            lambda a: a.update(label=a["label"].astype(int)),
            CertificateError,
            "label: expected int8",
        ),
        (lambda a: a["level"].__setitem__(0, 9), CertificateError, "expected level 0 … 2"),
        (lambda a: a.pop("distance"), FormatError, "expected an array 'distance'"),
    ):
        content = change(solution, 0, edit)
        with pytest.raises(error, match=message):
            ShardedSolution(solution.path).verify(shards)
        (solution.path / solution.manifest["shards"][0]["file"]).write_bytes(content)
        (solution.path / "manifest.json").write_text(keep)
    ShardedSolution(solution.path).verify(shards.path, memory=Budget(1 << 20))


def test_the_objective_of_the_solution_counts(tmp_path):
    shards, solution = solved(tmp_path, "normal", objective=zm.Misere())
    solution.verify(shards)
    rewrite(solution, lambda record: record.update(objective={"objective": "normal"}))
    with pytest.raises(CertificateError):
        ShardedSolution(solution.path).verify(shards)


def test_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shards, solution = solved(tmp_path, "reach")

    def run(*args, status=0):
        done = CliRunner().invoke(cli, ["verify", *args], prog_name="zermelo")
        assert done.exit_code == status, done.output
        return done

    assert run("game", "out").stdout == "out holds: it solves game (40 positions, reach)\n"
    assert json.loads(run("game/", "out/", "--memory", "100MB", "--json").stdout)["holds"] is True
    assert "in shards" in run("game", "game/manifest.json", "--memory", "1GB", status=2).stderr
    assert "memory: expected a size" in run("game", "out", "--memory", "much", status=2).stderr
    zm.write(shards.game(), "game.npz")
    assert "the directory of the game in shards" in run("game.npz", "out", status=2).stderr
    assert "zermelo-solution-shards" in run("game", "game", status=2).stderr
    change(solution, 2, lambda arrays: arrays["label"].__imul__(-1))
    assert run("game", "out", status=1).stderr.startswith("zermelo: out: position ")
    assert json.loads(run("game", "out", "--json", status=1).stdout)["holds"] is False
    rewrite(solution, lambda record: record.update(objective={"objective": "normal"}))
    assert "asks for another ('reach')" in run("game", "out", status=2).stderr
