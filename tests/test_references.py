"""The bibliography: every entry is whole and cited, and every citation has an entry."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "references.bib").read_text()
ENTRY = re.compile(r"@(\w+)\{(\w+),\n(.*?)\n\}\n", re.DOTALL)
FIELD = re.compile(r"  (\w+) *= \{(.*)\},")
CITED = re.compile(r"\[([A-Z][A-Za-z]+(?:19|20)\d\d|GamesOnGraphs|CGSuite)\]")
NEEDED = {
    "article": {"author", "title", "journal", "year"},
    "book": {"author", "title", "publisher", "year"},
    "incollection": {"author", "title", "booktitle", "year"},
    "inproceedings": {"author", "title", "booktitle", "year"},
    "misc": {"title"},
    "phdthesis": {"author", "title", "school", "year"},
    "techreport": {"author", "title", "institution", "year"},
    "unpublished": {"author", "title", "year"},
}


def entries():
    """The kind and the fields of every entry, by key."""
    return {
        key: (kind, dict(FIELD.findall(body + "\n"))) for kind, key, body in ENTRY.findall(TEXT)
    }


def sources():
    """The text of every page and program that may cite something."""
    folders = ("src", "docs", "tests", "benchmarks", "examples")
    paths = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    kept = {".py", ".md", ".txt", ".tsv", ".cnf"}
    return {path: path.read_text() for path in paths if path.suffix in kept and path.is_file()}


def test_the_file_is_nothing_but_whole_entries():
    assert not ENTRY.sub("", TEXT).strip()
    assert len(entries()) == len(ENTRY.findall(TEXT)) == TEXT.count("\n@") + 1
    for key, (kind, fields) in entries().items():
        assert fields.keys() >= NEEDED[kind], key
        lines = next(body for _, name, body in ENTRY.findall(TEXT) if name == key).splitlines()
        assert all(FIELD.fullmatch(line) for line in lines), key
        for value in fields.values():
            assert value.count("{") == value.count("}"), (key, value)


def test_fields_are_well_formed():
    for key, (_, fields) in entries().items():
        if year := re.search(r"(?:19|20)\d\d$", key):
            assert fields["year"] == year[0], key
        assert re.fullmatch(r"[\d:]+(?:--[\d:]+)?", fields.get("pages", "1")), key
        assert re.fullmatch(r"10\.\d{4,}/\S+", fields.get("doi", "10.1000/x")), key
        first, _, last = fields.get("pages", "1--2").partition("--")
        if first.isdigit() and last.isdigit():
            assert int(first) <= int(last), key
    found = [fields["doi"] for _, fields in entries().values() if "doi" in fields]
    assert len(found) == len(set(found)) > 25


@pytest.mark.slow
def test_every_entry_is_cited_and_every_citation_has_an_entry():
    texts = sources()
    everything = "\n".join(texts.values())
    assert [key for key in entries() if key not in everything] == []
    missing = {
        (path.name, key)
        for path, text in texts.items()
        for key in CITED.findall(text)
        if key not in entries()
    }
    assert missing == set()
