"""The pages of ``docs/uses`` show what happens: each is run as it stands there."""

from pathlib import Path

import pytest

from tests.transcripts import Session, agree, run_page, shell, steps

PAGES = sorted((Path(__file__).parents[1] / "docs" / "uses").glob("*.md"))
USES = {"graph", "parity", "values", "rules", "notebook", "chess", "bad-files"}


def test_every_use_has_a_page():
    assert {page.stem for page in PAGES} == USES


@pytest.mark.slow("bad-files", "chess", "graph", "parity", "rules", "values")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_is_as_it_happens(page):
    wrong, text = run_page(page)
    assert not wrong, "\n\n".join(wrong)
    assert text == page.read_text()
    assert "$ zermelo" in text or ">>> " in text


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        (["a … b"], ["a 1 b"], True),
        (["a … b"], ["a 1 c"], False),
        (["a", "…", "b"], ["a", "x", "y", "b"], True),
        (["a", "…", "b"], ["a", "b"], True),
        (["a"], ["a", "b"], False),
        (["a.c"], ["abc"], False),
        (["a", "", "b"], ["a", "b", ""], True),
    ],
)
def test_what_agrees(expected, got, same):
    assert agree(expected, got) is same


def test_a_page_that_is_wrong_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```console\n$ echo one\ntwo\n```\n\n```pycon\n>>> 1 + 1\n3\n```\n")
    wrong, text = run_page(page)
    assert len(wrong) == 2
    assert text == "```console\n$ echo one\none\n```\n\n```pycon\n>>> 1 + 1\n2\n```\n"


def test_steps_shell_and_python(tmp_path):
    [step] = steps("$ a \\\n> b\nout\n", "$", ">")
    assert (step.source, step.lines) == ("$ a \\\n> b", ["out"])
    assert shell("echo x; exit 3", tmp_path) == ["x", "[status 3]"]
    session = Session()
    assert session.run(">>> x = 5") == []
    assert session.run(">>> x\n") == ["5"]
    assert session.run(">>> int('y')")[-1].startswith("ValueError: invalid literal")
    with pytest.raises(ValueError, match="begins"):
        steps("out\n", "$", ">")
