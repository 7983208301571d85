"""``progress=True`` shows a line on stderr where work may be long; None and False show nothing."""

import io

import pytest

import zermelo as zm
from zermelo._runtime import progress as module
from zermelo._runtime.progress import ProgressLine, is_live, reporting
from zermelo.errors import InvalidOptionError

PATH = zm.Graph.from_edges([(v, v + 1) for v in range(30)])
STAR = zm.Graph.from_edges([(0, v) for v in range(1, 9)] + [(v, 0) for v in range(1, 9)])


def pile(n):
    return [n - 1] if n else []


WORK = {
    "solve": lambda folder, p: zm.solve(PATH, progress=p),
    "solve parity": lambda folder, p: zm.solve(zm.generators.jurdzinski(2, 2), progress=p),
    "solve rules": lambda folder, p: zm.solve(zm.game("nim:2,3"), progress=p),
    "solve in memory": lambda folder, p: zm.solve(zm.game("tictactoe"), progress=p),
    "explore": lambda folder, p: zm.explore(zm.game("nim:2,3"), progress=p),
    "build": lambda folder, p: zm.build("nim:2,3", folder / "nim.zt", progress=p),
    "nim_sequence": lambda folder, p: zm.heap("0.007").nim_sequence(200, progress=p),
    "nim_sequence rule": lambda folder, p: zm.heap(rule=pile).nim_sequence(20, progress=p),
    "period": lambda folder, p: zm.heap("0.77").period(progress=p),
    "grundy": lambda folder, p: zm.grundy(PATH, progress=p),
    "kernel": lambda folder, p: zm.kernel(PATH, progress=p),
    "maximum_matching": lambda folder, p: zm.maximum_matching(STAR, progress=p),
    "gallai_edmonds": lambda folder, p: zm.gallai_edmonds(STAR, progress=p),
    "misere_quotient": lambda folder, p: zm.misere_quotient("0.77", 4, progress=p),
    "game_value": lambda folder, p: zm.game_value(zm.game("domineering:2x2"), progress=p),
    "game_values": lambda folder, p: zm.game_values(zm.game("domineering:2x2"), progress=p).start,
    "verify": lambda folder, p: zm.build("nim:2,3", folder / "v.zt").verify(progress=p),
}


@pytest.fixture(params=WORK, ids=str)
def work(request):
    return WORK[request.param]


class Screen(io.StringIO):
    def isatty(self):
        return True


def test_true_shows_how_the_work_ended(work, tmp_path, capsys):
    work(tmp_path, True)
    out, err = capsys.readouterr()
    assert out == ""
    last = err.splitlines()[-1]
    assert "done after" in last
    assert last.endswith(" s")


def test_nothing_is_shown_unasked(work, tmp_path, capsys):
    work(tmp_path, None)
    (tmp_path / "two").mkdir()
    work(tmp_path / "two", False)
    assert capsys.readouterr() == ("", "")


def test_a_function_gets_the_reports(work, tmp_path, capsys):
    reports = []
    work(tmp_path, lambda *report: reports.append(report))
    assert capsys.readouterr().err == ""
    assert all(type(done) is int and type(stage) is str for done, _, stage in reports)


def test_other_things_are_refused(work, tmp_path):
    with pytest.raises(InvalidOptionError, match="progress: expected True, False, None or"):
        work(tmp_path, "yes")


def test_an_error_ends_the_line(capsys):
    with pytest.raises(InvalidOptionError):
        zm.solve(PATH, progress=True, quotient=3)
    assert "solve: stopped after" in capsys.readouterr().err


def test_a_terminal_sees_one_line_that_changes(monkeypatch):
    monkeypatch.setattr(module, "SECONDS_BETWEEN_UPDATES", 0.0)
    screen = Screen()
    with ProgressLine("count", screen) as report:
        for k in range(3):
            report(k, 2, "counted")
        report(7, 0, "waiting")
    text = screen.getvalue()
    assert text.count("\n") == 1
    assert text.endswith("\n")
    versions = text.rstrip("\n").split("\r")[1:]
    assert versions[0] == "count: started"
    assert versions[2].startswith("count: counted, 1 of 2 (50 %), ")
    assert versions[4].startswith("count: waiting, 7, ")
    assert versions[5].startswith("count: waiting, 7, done after ")
    lengths = [len(version.rstrip()) for version in versions]
    for k in range(1, len(versions)):  # what was longer is covered
        assert len(versions[k]) >= lengths[k - 1]


def test_a_log_gets_whole_lines_now_and_then():
    log = io.StringIO()
    with ProgressLine("count", log) as report:
        for k in range(1_000):
            report(k, 1_000, "counted")
    assert "\r" not in log.getvalue()
    assert log.getvalue().count("\n") == 1


def test_a_notebook_is_live():
    kind = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})
    assert is_live(kind())
    closed = io.StringIO()
    closed.close()
    assert not is_live(closed)


def test_a_closed_stderr_does_not_end_the_work(monkeypatch):
    closed = Screen()
    closed.close()
    monkeypatch.setattr("sys.stderr", closed)
    assert zm.solve(PATH, progress=True).label.size == 31
    monkeypatch.setattr("sys.stderr", None)
    assert zm.solve(PATH, progress=True).label.size == 31


def test_one_line_for_nested_work(capsys):
    with reporting(True, "outer") as report:
        zm.solve(zm.game("nim:2,3"), progress=report)
    assert capsys.readouterr().err.count("done after") == 1
