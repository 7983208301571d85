"""Rules reach processes that have neither the user's files nor their paths."""

import os
import subprocess
import sys
import textwrap

import pytest

import zermelo as zm
from zermelo.engines.cluster.rules_transfer import Given, pack_given
from zermelo.errors import InvalidRulesError
from zermelo.rules.loading.load import load_rules

CLASS = """
    from zermelo.rules.compiled import CompiledRules

    class Sticks(CompiledRules):
        most_moves = 3

        def __init__(self, sticks):
            self.sticks, self.steps = sticks, (1, 3, 4)

        def start(self):
            return self.sticks

        def moves(self, position, out):
            count = 0
            for k in range(3):
                if position >= self.steps[k]:
                    out[count] = position - self.steps[k]
                    count += 1
            return count
"""

UNPACK = """
    import sys
    from pathlib import Path
    from zermelo.engines.cluster.rules_transfer import file_digest, unpack_given
    from zermelo.errors import JobError
    from zermelo.tables.probing.access import rules_digest
    try:
        content = Path(sys.argv[1]).read_bytes()
        given = unpack_given(content, file_digest(content))
    except JobError as error:
        print(error)
    else:
        print(given.rules.start(), given.rules.moves(given.rules.start()), given.header["a"])
"""

PACK = """
    import sys
    from pathlib import Path
    from zermelo.engines.cluster.rules_transfer import Given, pack_given
    Path(sys.argv[1]).write_bytes(pack_given(Given(Sticks(9), None, True, {"a": 2})))
"""


def run(*arguments, path=""):
    """Run Python with one more directory of modules; what it prints."""
    paths = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(path)]))
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run([sys.executable, *map(str, arguments)], env=environment, text=True,
                          capture_output=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def unpacked(content, folder, path=""):
    """What another process says of the content of a file."""
    (folder / "parcel").write_bytes(content)
    return run("-c", textwrap.dedent(UNPACK), folder / "parcel", path=path)


def test_a_users_file_and_its_neighbour(tmp_path):
    (tmp_path / "steps.py").write_text("MORE = (1, 3, 4)\n")
    text = textwrap.dedent(CLASS).replace("(1, 3, 4)", "MORE")
    (tmp_path / "sticks.py").write_text(f"from steps import MORE\n{text}")
    content = pack_given(Given(load_rules(f"{tmp_path}/sticks.py:9"), None, True, {"a": 2}))
    for name in ("steps.py", "sticks.py"):
        (tmp_path / name).unlink()
    assert unpacked(content, tmp_path) == "9 [8, 6, 5] 2\n"


@pytest.mark.slow
def test_rules_of_a_script(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(CLASS) + textwrap.dedent(PACK))
    run(script, tmp_path / "parcel")
    script.unlink()
    assert unpacked((tmp_path / "parcel").read_bytes(), tmp_path) == "9 [8, 6, 5] 2\n"


@pytest.mark.slow
def test_modules_that_are_installed(tmp_path):
    for version in ("here", "there"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "sticks_of_a_package.py").write_text(textwrap.dedent(CLASS))
    code = "from sticks_of_a_package import Sticks\n" + textwrap.dedent(PACK)
    run("-c", code, tmp_path / "parcel", path=tmp_path / "here")
    content = (tmp_path / "parcel").read_bytes()
    assert unpacked(content, tmp_path, tmp_path / "there") == "9 [8, 6, 5] 2\n"
    message = unpacked(content, tmp_path)
    assert "cannot load the rules of Sticks: No module named 'sticks_of_a_package'" in message
    assert message.endswith("must be installed on all machines\n")
    edited = textwrap.dedent(CLASS).replace("position >= ", "position > ")
    (tmp_path / "there" / "sticks_of_a_package.py").write_text(edited)
    message = unpacked(content, tmp_path, tmp_path / "there")
    assert "has another version of the rules of Sticks than the driver; install" in message
    assert message.count("\n") == 1


def test_rules_that_cannot_be_sent(tmp_path):
    rules = zm.game("connect4:4x4")
    rules.file = (tmp_path / "open").open("w")
    with rules.file, pytest.raises(InvalidRulesError, match="cannot be sent to the workers"):
        pack_given(Given(rules, None, True, {}))
