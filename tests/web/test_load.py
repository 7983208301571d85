"""Clients at the same time get answers without an error; the long version is a benchmark."""

import importlib.util
import re
import time
from pathlib import Path

import pytest
from tests.web.conftest import started
from tests.web.processes import children, run_apart, seconds_of, wait_until

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).parents[2] / "benchmarks" / "explorer.py"


def benchmark():
    spec = importlib.util.spec_from_file_location("explorer_benchmark", SOURCE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_clients_at_the_same_time():
    explorer = benchmark()
    with started("--workers", 2) as (process, address):
        host, port = re.search(r"//(.+):(\d+)/", address).groups()
        place, paths = (host, int(port)), ["/api/v1/about", "/static/main.js"]
        times, errors = run_apart(explorer.load(place, paths, 8, 2))
        assert errors == []
        assert len(times) >= 8
        run_apart(explorer.leave(place, paths, 8))

        def idle():
            before = [seconds_of(pid) for pid in children(process.pid)]
            time.sleep(0.3)
            return before == [seconds_of(pid) for pid in children(process.pid)]

        wait_until(idle)
        assert run_apart(explorer.load(place, paths, 1, 0.1))[1] == []
