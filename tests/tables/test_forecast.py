"""Memory is asked for before a table of positions is large."""

import warnings

import pytest

import zermelo as zm
from zermelo._runtime import memory
from zermelo._runtime.threads import Team
from zermelo.errors import EngineWarning, MemoryLimitError
from zermelo.tables.solving import forecast
from zermelo.tables.solving.estimates import Estimate
from zermelo.tables.solving.forecast import Forecast, table_peak
from zermelo.tables.solving.job import Job
from zermelo.tables.solving.solve import solve_rules


@pytest.fixture
def early(monkeypatch):
    """Tables of a few positions ask for an estimate, from samples that are small, too."""
    monkeypatch.setattr(forecast, "MAX_UNASKED_BYTES", 1 << 14)
    monkeypatch.setattr(forecast, "MAX_SAMPLES", 300)


def asked(monkeypatch, count, budget, larger=1 << 26):
    monkeypatch.setattr(forecast, "estimate_positions", lambda rules, symmetry: count)
    with Team(1) as team:
        return Forecast(zm.game("connect4:4x3"), True, Job(team, budget), 2)(larger // 2, larger)


@pytest.mark.slow
def test_a_game_that_cannot_fit_is_refused_at_once(early):
    reports = []
    with pytest.raises(
        MemoryLimitError, match=r"a table of about [\d,]+ \([\d,]+ to [\d,]+\) posi"
    ):
        solve_rules(zm.game("connect4:4x4"), memory=200_000, progress=lambda *x: reports.append(x))
    assert all(found < 4000 for _, found, _ in reports)


def test_the_message_has_the_estimate_and_the_ways_out(monkeypatch, early):
    with pytest.raises(MemoryLimitError) as error:
        asked(monkeypatch, Estimate(10**9, 9 * 10**8, 11 * 10**8), 1 << 30)
    assert "about 1e+09 (9e+08 to 1.1e+09) positions needs about 2" in str(error.value)
    for way_out in ("--memory", "engine='disk'", "a smaller game"):
        assert way_out in str(error.value)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (Estimate(10**9, 10**6, None), "a guess says"),
        (Estimate(10**8, 10**6, 10**9), "an estimate says"),
    ],
)
def test_an_uncertain_estimate_is_a_warning(monkeypatch, early, count, text):
    with pytest.warns(EngineWarning, match=f"may not suffice: {text} .* end before all positions"):
        assert asked(monkeypatch, count, 1 << 29)


@pytest.mark.parametrize("larger", [1 << 13, 1 << 20])
def test_what_fits_is_not_mentioned(monkeypatch, early, larger):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = asked(monkeypatch, Estimate(10**5, 9 * 10**4, 2 * 10**5), 1 << 24, larger)
    assert made == (larger > 1 << 14)


def test_an_estimate_changes_nothing_in_a_table(early):
    plain = solve_rules(zm.game("connect4:3x3,3"))
    solved = solve_rules(zm.game("connect4:3x3,3"), memory=1 << 24)
    assert (solved.storage.positions == plain.storage.positions).all()
    assert (solved.entry == plain.entry).all()


@pytest.mark.slow
def test_the_peak_covers_what_a_job_held(early):
    rules = zm.game("connect4:4x3")
    solved = solve_rules(rules, memory=1 << 24)
    peak = solved.stats["peak_bytes"]
    assert peak <= table_peak(2 * solved.entries, 4, 2)
    assert table_peak(solved.entries, 4, 2) <= 2 * peak


def test_what_python_itself_holds_counts(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "resident", lambda: 1 << 40)
    assert memory.own_share(4 << 20) == 3 << 20
    with pytest.raises(MemoryLimitError, match=r"beside the 3\.0 MiB already in use, and 4\.0 MiB"):
        zm.build("dao", tmp_path / "t.zt", memory=4 << 20)
    monkeypatch.setattr(memory, "resident", lambda: 1 << 10)
    assert memory.own_share(4 << 20) == 1 << 10


def test_a_limit_of_the_environment_counts_what_is_held(monkeypatch):
    monkeypatch.setenv("ZERMELO_MEMORY", "1M")
    with Team(1) as team:
        job = Job(team)
    job.held = 1 << 19
    assert job.fits(1 << 19)
    with pytest.raises(MemoryLimitError, match=r"512\.0 KiB already in use, and 1\.0 MiB are"):
        job.require((1 << 19) + 1, "a test", "stop")
