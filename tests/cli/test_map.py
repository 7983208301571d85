"""``zermelo map``: maps between graphs from the shell."""

import json
import re
from pathlib import Path

import pytest

REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"
BIG = "a b\na c\nb d\nc e\n"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("big.txt").write_text(BIG)
    Path("game.txt").write_text("a b\nb a\na t\n")


def test_the_maps_of_the_papers(run):
    made = [
        ("unravel start=a depth=5", "z-t", "big.txt"),
        ("alternating start=a", "z-a", "big.txt"),
        ("unravel start=a depth=5", "z-t-a", "situations.json"),
    ]
    assert run("transform", "alternating", "start=a", "big.txt", "situations.json").exit_code == 0
    for words, by, image in made:
        assert run("transform", *words.split(), "big.txt", "new.json", "--force").exit_code == 0
        result = run("map", "new.json", image, "--by", by)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == f"the map from new.json to {image} is a bounded epimorphism\n"


def test_images_by_option_and_by_file(run):
    assert run("transform", "quotient", "big.txt", "small.txt").exit_code == 0
    good = run("map", "big.txt", "small.txt", "--start", "a", "--image", "a=a,b=b", "--image",
               "c=b,d=d,e=d")  # fmt: skip
    assert good.exit_code == 0
    Path("map.json").write_text('{"a": "a", "b": "b", "c": "b", "d": "d", "e": "a"}')
    bad = run("map", "big.txt", "small.txt", "--start", "a", "--images", "map.json", "--json")
    data = json.loads(bad.stdout)
    assert (bad.exit_code, data["holds"], data["what"]) == (1, False, "bounded epimorphism")
    assert data["reason"] == "condition 3: 'c' → 'e' is a move, 'b' → 'a' is none"
    moved = run("map", "big.txt", "big.txt", "--start", "a", "--other-start", "b")
    assert (moved.exit_code, "condition 1" in moved.stderr) == (1, True)


def test_equivalences(run):
    inverted = ("--equivalence", "--other-starter", "1")
    assert run("map", "game.txt", "game.txt", *inverted, "--anti").exit_code == 0
    refused = run("map", "game.txt", "game.txt", *inverted, "--objective", "asymmetric")
    assert refused.exit_code == 1
    assert "is no equivalence: 'a' is worth" in refused.stderr


def test_the_reference_shows_what_happens(run):
    section = re.search(r"^## map\n.*?^## ", REFERENCE.read_text(), re.MULTILINE | re.DOTALL)[0]
    shown = re.findall(r"^\$ zermelo (map .*)\n(.*)$", section, re.MULTILINE)
    assert len(shown) == 2
    for words, line in shown:
        result = run(*words.split())
        assert (result.stdout + result.stderr).strip() == line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("big.txt big.txt", "expected --start A"),
        ("big.txt big.txt --start z", "--start"),
        ("big.txt big.txt --start a --anti", "--anti goes with --equivalence"),
        ("big.txt big.txt --start a --equivalence", "--start does not go with --equivalence"),
        ("big.txt big.txt --start a --by z-t", "expected a walk, a tuple of positions, got 'a'"),
        ("big.txt big.txt --start a --image a=b", "b has none"),
        ("big.txt big.txt --start a --image a", "expected A=X, got 'a'"),
        ("big.txt big.txt --start a --image a=b,a=c", "'a' has two images"),
        ("big.txt big.txt --start a --image a=z", "--image"),
        ("big.txt big.txt --start a --image a=b --by name", "--by does not go with --image"),
        ("big.txt game.txt --start a", "no position is called 'c'"),
        ("big.txt big.txt --start a --images big.txt", "big.txt:1:1"),
        ("- -", "one of the graphs from standard input, got both"),
        ("big.txt big.txt --equivalence --objective parity", "parity needs priorities"),
        ("big.txt big.txt --equivalence --objective no-return", "expected a terminal-payoff game"),
    ],
)  # fmt: skip
def test_what_makes_no_sense(run, words, message):
    result = run("map", *words.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
