"""Workers of a real cluster find the positions and prepare the partitions, and survive faults."""

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from tests.limits import HANG
from tests.tables.games import arrays, random_game

import zermelo as zm
from zermelo.engines.cluster import preparing_driver as prepare_on_cluster
from zermelo.engines.cluster import solve as on_cluster
from zermelo.engines.cluster.solve import table_on_cluster
from zermelo.engines.moves.shard_source import ShardSource
from zermelo.errors import InvalidRulesError
from zermelo.rules.compiled import OPEN
from zermelo.rules.loading.load import load_rules
from zermelo.tables.storage.save import header_of

from .clusters import ROOT, Cluster
from .test_tables import finish

pytestmark = pytest.mark.cluster

KINDS = [("ends", "twins"), ("players",), ("index", "ends"), ("index", "twins", "tiers")]

DRIVER = """
    import sys
    sys.path.insert(0, sys.argv[4])
    from tests.engines.test_exploring_on_dask import made, solve

    solve(made(), sys.argv[1], sys.argv[2], sys.argv[3], snapshot_layers=1)
"""


FILE = """
    from zermelo.rules.compiled import CompiledRules

    from steps import STEPS

    class Sticks(CompiledRules):
        most_moves = 3

        def __init__(self, sticks):
            self.sticks, self.steps = sticks, STEPS

        def start(self):
            return 1000 * self.sticks

        def moves(self, position, out):
            count = 0
            for k in range(3):
                if position >= 1000 * self.steps[k]:
                    out[count] = position - 1000 * self.steps[k]
                    count += 1
            return count
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    started = Cluster(tmp_path_factory.mktemp("cluster"), mail=0)
    try:
        started.start_scheduler()
        started.start_worker()
        started.start_worker(nanny=True)
        yield started
    finally:
        started.stop()


@pytest.fixture(scope="module")
def client(cluster):
    from distributed import Client

    with Client(cluster.address, set_as_default=False, timeout=HANG) as connected:
        connected.wait_for_workers(2, timeout=HANG)
        yield connected


def made(*members):
    """A game whose positions are found in about ten rounds."""
    given = random_game(np.random.default_rng(5), 60, twins=4, degree=3.0)
    given["ends"][0] = given["ends"][1] = OPEN
    return arrays(*(members or KINDS[0]), **given)


def solve(rules, scheduler, folder, path, partitions=3, **options):
    """Build a table on a cluster; what it took."""
    header = header_of(rules, None, True)
    target = Path(path)
    options |= {"scheduler": scheduler, "workdir": folder, "partitions": partitions}
    with table_on_cluster(rules, None, True, header, target, None, **options) as job:
        finish(job, target, header)
    return job.statistics


@pytest.fixture
def folder(tmp_path):
    made_folder = tmp_path / "files"
    made_folder.mkdir()
    return made_folder


def check(cluster, client, folder, rules=None, **options):
    """Build a table, and compare its bytes with those of the table that memory gives."""
    rules = made() if rules is None else rules
    zm.build(rules, folder.parent / "memory.zt", check=False, verify=False).close()
    took = solve(rules, client, folder, folder.parent / "dask.zt", **options)
    assert (folder.parent / "dask.zt").read_bytes() == (folder.parent / "memory.zt").read_bytes()
    assert list(folder.iterdir()) == []
    assert list(cluster.traps.glob("*@*")) == []
    return took


@pytest.mark.parametrize(
    ("partitions", "kinds"), [(1, KINDS[2:3]), (2, KINDS), (3, KINDS[:1]), (7, KINDS[1:3])]
)
def test_the_same_bytes(partitions, kinds, cluster, client, folder):
    for members in kinds:
        took = check(cluster, client, folder, made(*members), partitions=partitions)
        explored = took["explored"]
        assert explored["partitions"] == took["partitions"] == partitions
        assert explored["rounds"] > 3
        assert (explored["rebuilt"], explored["recovered"], took["recovered"]) == (0, 0, 0)


def test_rules_with_all_indices_are_not_explored(cluster, client, folder):
    rules = made("index", "ends")
    rules.reachable = False
    assert "explored" not in check(cluster, client, folder, rules)


@pytest.mark.parametrize("fault", ["visit-3", "deal-2", "sort-1"])
def test_a_killed_worker(fault, cluster, client, folder):
    cluster.set_trap("worker", fault)
    took = check(cluster, client, folder, snapshot_layers=2)
    if fault == "visit-3":
        assert took["explored"]["rebuilt"] > 0
    while sum(process.poll() is None for process in cluster.processes) < 3:
        cluster.start_worker()
    client.wait_for_workers(2, timeout=HANG)


@pytest.mark.parametrize("fault", ["visit-4", "sort-2"])
def test_lost_files(fault, cluster, client, folder):
    cluster.set_trap("lose", fault)
    took = check(cluster, client, folder)
    assert "x" in (cluster.traps / "lost").read_text()
    assert (took["explored"] if fault == "visit-4" else took)["recovered"] > 0


@pytest.mark.parametrize("fault", ["visit-5", "sort-0"])
def test_a_killed_driver(fault, cluster, client, folder):
    arguments = [cluster.address, str(folder), str(folder.parent / "dask.zt"), str(ROOT)]
    driver = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(DRIVER), *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    cluster.set_trap("kill", fault, driver.pid)
    assert driver.wait(HANG) == -9
    driver.communicate()
    assert list(folder.iterdir()) != []
    took = check(cluster, client, folder)
    if fault == "visit-5":
        assert took["explored"]["resumed"]
    else:
        assert took["resumed"]
        assert "explored" not in took


def test_a_file_on_the_command_line(cluster, client, folder):
    """The workers have another working directory, and cannot see the user's files."""
    (folder.parent / "steps.py").write_text("STEPS = 1, 3, 4\n")
    (folder.parent / "sticks.py").write_text(textwrap.dedent(FILE))
    for engine in (["memory"], ["dask", "--scheduler", cluster.address, "--workdir", "files"]):
        done = subprocess.run(
            [sys.executable, "-m", "zermelo", "build", "sticks.py:40", "-o", f"{engine[0]}.zt",
             "--engine", *engine],
            capture_output=True, text=True, timeout=HANG, check=False, cwd=folder.parent,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    tables = [folder.parent / "memory.zt", folder.parent / "dask.zt"]
    assert tables[0].read_bytes() == tables[1].read_bytes()
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("objective", ["normal", "payoffs"])
def test_workers_prepare_shards(objective, cluster, client, monkeypatch, folder):
    rng = np.random.default_rng(8)
    graph = zm.Graph.from_arrays(rng.integers(0, 90, 150), rng.integers(0, 90, 150), 90)
    payoffs = zm.TerminalPayoff(rng.integers(-3, 4, 90), infinite=1)
    game = zm.Game(graph, zm.NormalPlay() if objective == "normal" else payoffs)
    shards = zm.Shards.write(game, folder.parent / "game", shards=5)
    wanted = zm.solve(*game, solver="retrograde")
    cluster.set_trap("lose", "sort-1")
    options = {"engine": "dask", "scheduler": client, "workdir": folder, "partitions": 3}
    with monkeypatch.context() as patch:
        patch.setattr(on_cluster, "prepared", None)  # what the driver would do
        patch.setattr(ShardSource, "terms_of", None)
        ours = zm.solve_shards(shards, folder.parent / "solved", **options)
    # Where workers do not see the shards, the driver reads them.
    monkeypatch.setattr(prepare_on_cluster, "sees_shards", lambda *_: False)
    again = zm.solve_shards(shards, folder.parent / "again", **options)
    for name in ("label", "distance", "move"):
        assert ours.array(name).tobytes() == getattr(wanted, name).tobytes()
        assert again.array(name).tobytes() == getattr(wanted, name).tobytes()
    assert list(folder.iterdir()) == []
    assert list(cluster.traps.glob("*@*")) == []


WRONG = """
    def outcome(self, position):
        return 3 // (position // 1000 - 17) - 3 // (position // 1000 - 17) + 2
"""


def test_wrong_rules(cluster, client, folder):
    """The workers find the fault; the message is that of one machine, with the user's file."""
    (folder.parent / "steps.py").write_text("STEPS = 1, 3, 4\n")
    text = textwrap.dedent(FILE) + textwrap.indent(textwrap.dedent(WRONG), "    ")
    (folder.parent / "sticks.py").write_text(text)
    rules = load_rules(f"{folder.parent}/sticks.py:40")
    tiered = made("index", "tiers")
    tiered.tiers = np.arange(tiered.n)  # many moves lead to higher tiers
    for game, part in ((tiered, "a move leads to a position of a higher tier"), (rules, "outcome")):
        messages = []
        for options in ({"engine": "disk"}, {"engine": "dask", "scheduler": client}):
            with pytest.raises(InvalidRulesError, match=part) as caught:
                zm.build(game, folder / "wrong.zt", check=False, **options)
            messages.append(str(caught.value))
        place = messages[0].partition(": ")[0]
        assert messages[1].startswith(place), messages
    assert "sticks.py:" in place
    assert list(folder.iterdir()) == []
