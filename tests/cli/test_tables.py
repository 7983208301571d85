"""``zermelo build``, ``probe`` and ``table-info``."""

import json

import pytest

RULES = '''
from zermelo.rules.compiled import CompiledRules


class Down(CompiledRules):
    """Take one or two counters."""

    most_moves = 2

    def __init__(self, n=30):
        self.n = n

    def start(self):
        return self.n

    def moves(self, position, out):
        for k in range(min(2, position)):
            out[k] = position - 1 - k
        return min(2, position)
'''


@pytest.fixture(scope="module")
def nim(tmp_path_factory):
    import zermelo as zm

    path = tmp_path_factory.mktemp("tables") / "nim.zt"
    zm.build("nim:3,4,5", path).close()
    return path


def rows(text):
    return [tuple(line.split("\t")) for line in text.splitlines()]


def test_build_writes_what_python_writes(run, nim, tmp_path):
    out = tmp_path / "out.zt"
    done = run("build", "nim:3,4,5", "-o", out)
    assert (done.exit_code, done.output) == (0, "")
    assert out.read_bytes() == nim.read_bytes()


def test_build_in_json(run, tmp_path):
    done = run("build", "nim:3,4,5", "-o", tmp_path / "t.zt", "--json", "--memory", "1G")
    found = json.loads(done.output)
    assert found["counts"]["positions"] == 48
    assert found["bytes"] == (tmp_path / "t.zt").stat().st_size


def test_a_build_of_one_s_own_rules(run, tmp_path):
    (tmp_path / "down.py").write_text(RULES)
    out, rules = tmp_path / "down.zt", f"{tmp_path}/down.py:Down:40"
    assert run("build", rules, "-o", out).exit_code == 0
    refused = run("probe", out, "40")
    assert (refused.exit_code, "a table runs no code" in refused.stderr) == (2, True)
    found = json.loads(run("probe", out, "40", "--rules", rules, "--json").output)
    assert found == {
        "position": "40",
        "value": "win",
        "label": "WIN",
        "distance": 27,
        "best_moves": ["39"],
    }
    assert run("table-info", out, "--rules", rules, "--verify", "--json").exit_code == 0
    misere = tmp_path / "misere.zt"
    assert run("build", f"{tmp_path}/down.py", "-o", misere, "--objective", "misere").exit_code == 0
    rules = f"{tmp_path}/down.py"
    found = json.loads(run("probe", misere, "28", "--rules", rules, "--json").output)
    assert found["value"] == "lose"


def test_probe_shows_moves_and_a_line(run, nim):
    done = run("probe", nim, "3+4+5", "--line")
    found = rows(done.output)
    assert found[0] == ("what", "value")
    assert ("value", "win") in found
    assert ("distance", "11") in found
    assert ("best move", "1+4+5") in found
    line = [x for name, x in found if name == "line"]
    assert (line[0], line[1], len(line)) == ("3+4+5", "1+4+5", 12)


def test_probe_asks_for_the_start_by_itself(run, nim):
    assert run("probe", nim).output == run("probe", nim, "3+4+5").output


def test_probe_reads_positions_from_a_file(run, nim, tmp_path):
    listed = tmp_path / "positions.txt"
    listed.write_text("3+4+5\n\n 3+3 \n")
    found = rows(run("probe", nim, "--from", listed).output)
    assert found == [
        ("position", "value", "label", "distance", "best_move"),
        ("3+4+5", "win", "WIN", "11", "1+4+5"),
        ("3+3", "lose", "LOSE", "6", "2+3"),
    ]
    lines = run("probe", nim, "--from", listed, "--json").output.splitlines()
    assert [json.loads(x)["position"] for x in lines] == ["3+4+5", "3+3"]
    assert json.loads(lines[0])["best_move"] == "1+4+5"


def test_probe_reads_positions_from_standard_input(run, nim, monkeypatch):
    from zermelo.cli.rules import probe_many

    monkeypatch.setattr(probe_many, "LINES_AT_A_TIME", 2)
    done = run("probe", nim, "--from", "-", stdin="1+1\n2+2\n1+2\n")
    assert [x[1] for x in rows(done.output)] == ["value", "lose", "lose", "win"]


def test_probe_names_best_moves_as_the_game_does(run, tmp_path):
    import zermelo as zm

    zm.build("hexapawn:3x3", tmp_path / "t.zt").close()
    with zm.Table(tmp_path / "t.zt") as table:
        answers = list(table)[:20]
        texts = [table.rules.show(x.position) for x in answers]
        (tmp_path / "list.txt").write_text("\n".join(texts))
        found = rows(run("probe", tmp_path / "t.zt", "--from", tmp_path / "list.txt").output)[1:]
        for answer, text, row in zip(answers, texts, found, strict=True):
            assert row[:3] == (text, answer.outcome, answer.label.name)
            assert row[4] in ([x[0] for x in answer.move_names] or [""])


def test_table_info(run, nim):
    found = dict(rows(run("table-info", nim, "--check", "--verify", "--samples", "9").output))
    assert found["game"] == "nim:3,4,5"
    assert found["counts.positions"] == found["stored"] == "48"
    assert found["blocks_checked"] == "1"
    assert found["positions_verified"] == "9"
    assert int(found["bytes"]) == nim.stat().st_size
    assert float(found["bits_a_position"]) == round(8 * nim.stat().st_size / 48, 3)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_export(run, nim, tmp_path, suffix):
    out = tmp_path / f"nim.{suffix}"
    assert run("table-info", nim, "--export", out).exit_code == 0
    if suffix == "csv":
        found = [tuple(line.split(",")) for line in out.read_text().splitlines()]
    else:
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(out)
        columns = [table.column(k).to_pylist() for k in range(3)]
        found = [
            tuple(table.column_names),
            *(tuple(map(str, x)) for x in zip(*columns, strict=True)),
        ]
    assert found[0] == ("position", "value", "distance")
    assert ("3+4+5", "win", "11") in found
    assert len(found) == 49
    assert run("table-info", nim, "--export", "nim.txt").exit_code == 2
    assert [x.name for x in tmp_path.iterdir()] == [out.name]


@pytest.mark.slow
def test_on_a_terminal(on_terminal, nim):
    status, shown = on_terminal("probe", nim, "3+4+5")
    assert status == 0
    assert "best move" in shown
    assert "1+4+5" in shown
    status, shown = on_terminal("table-info", nim)
    assert status == 0
    assert "nim:3,4,5" in shown


@pytest.mark.sampled(cases=6)
@pytest.mark.slow("args3-no objective of a table", "args4-expected a size such as 8G")
@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (["build", "nimm:3", "-o", "t.zt"], "no game is called 'nimm'"),
        (["build", "nim:3"], "missing option '-o'"),
        (["build", "nim:3", "-o", "none/t.zt"], "none"),
        (["build", "nim:3", "-o", "t.zt", "--objective", "parity"], "no objective of a table"),
        (["build", "nim:3", "-o", "t.zt", "--memory", "much"], "expected a size such as 8G"),
        (["probe", "none.zt", "3"], "none.zt: no such file"),
        (["probe", "NIM", "7+7"], "no position '7+7'"),
        (["probe", "NIM", "3", "--rules", "nim:3"], "it is a table of nim:3,4,5, not of nim:3"),
        (["probe", "TEXT", "3"], "expected a table"),
        (["probe", "NIM", "--from", "none.txt"], "none.txt: no such file"),
        (["probe", "NIM", "3", "--from", "TEXT"], "--from goes without POSITION"),
        (["probe", "NIM", "--from", "BYTES"], "expected text in UTF-8"),
        (["table-info", "TEXT"], "expected a table"),
    ],
)
def test_every_error_is_one_sentence(process, nim, tmp_path, args, complaint):
    text = tmp_path / "text.txt"
    text.write_text("a b\n" * 20)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\n")
    names = {"NIM": str(nim), "TEXT": str(text), "BYTES": str(tmp_path / "bytes")}
    given = [names.get(x, x) for x in args]
    done = process(*given, check=2, cwd=tmp_path)
    assert done.stdout == ""
    assert done.stderr.startswith("zermelo: ")
    assert done.stderr.count("\n") == 1
    assert complaint in done.stderr


def test_the_line_that_is_no_position_is_named(process, nim, tmp_path):
    (tmp_path / "list.txt").write_text("3+4+5\n7+7\n")
    done = process("probe", str(nim), "--from", "list.txt", check=2, cwd=tmp_path)
    assert "list.txt:2: " in done.stderr
    assert "has no position '7+7'" in done.stderr


def test_a_damaged_block_is_named(run, nim, tmp_path):
    data = bytearray(nim.read_bytes())
    data[-3] ^= 16
    (tmp_path / "t.zt").write_bytes(data)
    assert run("table-info", tmp_path / "t.zt").exit_code == 0
    for args in (["table-info", tmp_path / "t.zt", "--check"], ["probe", tmp_path / "t.zt"]):
        done = run(*args)
        assert done.exit_code == 2
        assert "block 0 is damaged" in done.stderr
