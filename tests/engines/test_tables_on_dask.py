"""Tables that the workers of a cluster solve have the same bytes, too."""

import numpy as np
import pytest
from tests.tables.games import arrays, random_game

import zermelo as zm
from zermelo.engines.partitions.disk import DiskExecutor
from zermelo.engines.tiers.build import table_on_disk
from zermelo.rules.compiled import OPEN
from zermelo.tables.storage.save import header_of

from .clusters import Cluster
from .test_tables import finish

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        cluster.start_scheduler()
        for _ in range(2):
            cluster.start_worker()
        yield cluster.address
    finally:
        cluster.stop()


@pytest.mark.parametrize(
    ("members", "distances"),
    [
        (("ends", "twins"), True),
        (("players",), True),
        (("index", "ends"), True),
        (("ends",), False),
        (("tiers", "ends", "twins"), True),
        (("tiers", "players", "index", "back"), True),
    ],
)
def test_random_rules(members, distances, address, tmp_path):
    several = 3 if "tiers" in members else 1
    given = random_game(np.random.default_rng(5), 60, several, twins=4, degree=3.0)
    given["ends"][0] = given["ends"][1] = OPEN
    rules = arrays(*members, **given)
    given = {"check": False, "distances": distances}
    zm.build(rules, tmp_path / "memory.zt", **given).close()
    options = {"engine": "dask", "scheduler": address, "partitions": 3}
    zm.build(rules, tmp_path / "dask.zt", **given, **options).close()
    assert (tmp_path / "dask.zt").read_bytes() == (tmp_path / "memory.zt").read_bytes()
    assert sorted(x.name for x in tmp_path.iterdir()) == ["dask.zt", "memory.zt"]


@pytest.mark.parametrize("members", [("ends", "tiers"), ("index", "ends", "back")], ids=" ".join)
def test_a_job_that_was_begun_on_disk(members, address, monkeypatch, tmp_path):
    """Tiers are separate there, and un-moves take the place of stored moves; here they do not."""
    given = random_game(np.random.default_rng(5), 60, 3 if "tiers" in members else 1, degree=3.0)
    given["ends"][0] = OPEN
    rules = arrays(*members, **given)
    snapshot = DiskExecutor.snapshot

    def ended(self):
        snapshot(self)
        raise KeyboardInterrupt

    header, target = header_of(rules, None, True), tmp_path / "dask.zt"
    options = {"partitions": 3, "snapshot_layers": 1}
    with monkeypatch.context() as patched:
        patched.setattr(DiskExecutor, "snapshot", ended)
        job = table_on_disk(rules, None, True, header, target, None, **options)
        with pytest.raises(KeyboardInterrupt), job:
            finish(job, target, header)
    (directory,) = tmp_path.iterdir()
    assert (directory / "journal.json").exists()
    zm.build(rules, tmp_path / "memory.zt", check=False).close()
    options = {"engine": "dask", "scheduler": address, "partitions": 3}
    zm.build(rules, target, check=False, **options).close()
    assert target.read_bytes() == (tmp_path / "memory.zt").read_bytes()
    assert sorted(x.name for x in tmp_path.iterdir()) == ["dask.zt", "memory.zt"]
