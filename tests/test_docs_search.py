"""The search of the site finds the words of the papers at the pages that explain them.

The search takes a text apart at ``separator`` of ``mkdocs.yml``, in small letters, and leaves out
the commonest English words. A query is taken apart in the same way; its last part may be the
beginning of a word. Here these rules are applied to the sources of the pages, so that the test
needs neither the site nor the program that builds it.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SEPARATOR = re.search(r"separator: '(.*)'", (ROOT / "mkdocs.yml").read_text())[1]
COMMON = {"a", "an", "and", "by", "for", "if", "in", "is", "of", "or", "the", "to", "with"}
PLACES = {
    "bilabelling": ["papers.md: Gale–Stewart games", "theory.md: Terminal-payoff games"],
    "bounded epimorphism": ["papers.md: Pointed graphs", "theory.md: Structure"],
    "ConCom": ["papers.md: Pointed graphs", "theory.md: Terminal-payoff games"],
    "G_s*": ["papers.md: Gale–Stewart games", "reference/cli.md: transform"],
    "pointed graph": ["papers.md: Pointed graphs", "theory.md: Terminal-payoff games"],
    "nonlosing": ["papers.md: Games, values", "howto/verify.md: Check a labelling"],
    "A-sound": ["papers.md: Gale–Stewart games", "theory.md: Terminal-payoff games"],
    "Gale–Stewart": ["papers.md: Gale–Stewart games"],
    "Gale-Stewart": ["papers.md: Gale–Stewart games"],
    "controller": [
        "papers.md: Attractors, controllers",
        "howto/control.md: Find a controller",
        "howto/verify.md: Attractors",
    ],
    "lasso": ["papers.md: Games, lassos", "howto/geography.md: As other games"],
    "debut": ["papers.md: Games, lassos", "howto/geography.md: As other games"],
    "arborescence": ["papers.md: Kernels", "howto/geography.md: As other games"],
    "symacyclic": ["papers.md: Symmetric", "howto/geography.md: What is easy"],
}


def words(text):
    """The words of a text, as the search takes it apart."""
    return [word for word in re.split(SEPARATOR, text.lower()) if word and word not in COMMON]


def sections(path):
    """The sections of a page: headings and texts, without the marks of Markdown."""
    found, fenced = [("", [])], False
    for line in path.read_text().splitlines():
        fenced ^= line.lstrip().startswith("```")
        if line.startswith("#") and not fenced:
            found.append((line.lstrip("# "), []))
        found[-1][1].append(re.sub(r"\]\([^)]*\)|[`*_]{2,}|`|\*(?=\w)|(?<=\w)\*(?=\w)", " ", line))
    return [(heading, "\n".join(lines)) for heading, lines in found]


def finds(query, text):
    """Whether a query hits a text: all its words are there, the last perhaps as a beginning."""
    *parts, last = words(query)
    known = set(words(text))
    return known.issuperset(parts) and any(word.startswith(last.rstrip("*")) for word in known)


@pytest.mark.parametrize("query", PLACES)
def test_a_word_is_found_at_the_right_places(query):
    for place in PLACES[query]:
        page, heading = place.split(": ")
        hits = [title for title, text in sections(DOCS / page) if finds(query, text)]
        assert any(title.startswith(heading) for title in hits), (place, hits)


@pytest.mark.parametrize("query", PLACES)
def test_the_page_from_the_papers_has_the_word_in_a_heading(query):
    """Words in headings count most, so that this page comes first or nearly so."""
    assert any(finds(query, title) for title, _ in sections(DOCS / "papers.md") if title)


def test_how_texts_are_taken_apart():
    assert words("the A-sound bilabelling of ⟨G, s⟩") == ["sound", "bilabelling", "g", "s"]
    assert words("Gale–Stewart") == words("gale-stewart") == ["gale", "stewart"]
    assert words("ConCom(G, v); G_s*") == ["concom", "g", "v", "g_s*"]
    assert words("§7.1.") == ["§7.1"]
    assert finds("symacyc", "A symacyclic digraph")
    assert not finds("acyclic", "A symacyclic digraph")
    assert not finds("bounded epimorphism", "a bounded search")
