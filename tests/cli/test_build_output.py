"""What ``zermelo build`` and ``zermelo value --thermograph`` may replace."""

import os
import stat

import pytest


def test_a_build_replaces_a_table_and_nothing_else(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert run("build", "nim:1,2", "-o", "nim.zt").exit_code == 0
    (tmp_path / "game.txt").write_text("a b\n")
    refused = run("build", "nim:1,2", "-o", "game.txt")
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert (tmp_path / "game.txt").read_text() == "a b\n"
    assert run("build", "nim:1,2", "-o", "game.txt", "--force").exit_code == 0
    assert run("probe", "game.txt", "1+2").exit_code == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_build_does_not_replace_what_is_no_file(run, tmp_path):
    pipe = tmp_path / "pipe.zt"
    os.mkfifo(pipe)
    refused = run("build", "nim:1,2", "-o", pipe, "--force")
    assert refused.exit_code == 2
    assert "expected a place for a file" in refused.stderr
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_thermograph_replaces_a_picture_and_nothing_else(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        assert run("value", "{2|-1}", "--thermograph", "out.svg").exit_code == 0
    (tmp_path / "notes.svg").write_text("a b\n")
    refused = run("value", "{2|-1}", "--thermograph", "notes.svg")
    assert refused.exit_code == 2
    assert "--force" in refused.stderr
    assert run("value", "{2|-1}", "--thermograph", "notes.svg", "--force").exit_code == 0
