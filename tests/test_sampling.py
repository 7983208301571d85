"""What the short run leaves out."""

from types import SimpleNamespace

import pytest

from tests import sampling


class Item:
    """A collected test: its name, the name of its case, and its marks."""

    def __init__(self, name, case, *marks):
        self.nodeid = f"tests/test_x.py::{name}" + ("" if case is None else f"[{case}]")
        if case is not None:
            self.callspec = SimpleNamespace(id=case)
        self.marks = [mark.mark for mark in marks]

    def iter_markers(self, name):
        return [mark for mark in self.marks if mark.name == name]

    def get_closest_marker(self, name):
        return next(iter(self.iter_markers(name)), None)


def names(items):
    return sorted(item.nodeid.partition("::")[2] for item in items)


def test_marks_of_whole_tests():
    marks = [getattr(pytest.mark, name) for name in (*sampling.MARKS, "compiled")]
    items = [Item(f"test_{mark.name}", None, mark) for mark in marks]
    assert names(sampling.left_out(items)) == ["test_browser", "test_cluster", "test_slow"]


def test_marks_of_cases():
    cases = "abcd"
    slow = pytest.mark.slow
    items = [Item("test_named", x, slow("b", "d")) for x in cases]
    items += [Item("test_example", x, slow(example="b")) for x in cases]
    items += [Item("test_all", x, slow) for x in cases]
    assert names(sampling.left_out(items)) == sorted(
        ["test_named[b]", "test_named[d]"]
        + [f"test_example[{x}]" for x in "acd"]
        + [f"test_all[{x}]" for x in cases]
    )


@pytest.mark.parametrize(("cases", "kept"), [(1, "0"), (2, "05"), (3, "036"), (20, "0123456789")])
def test_some_cases_of_a_family(cases, kept):
    items = [Item("test_x", str(k), pytest.mark.sampled(cases=cases)) for k in range(10)]
    left_out = sampling.left_out(items)
    assert "".join(item.callspec.id for item in items if item not in left_out) == kept
    assert not any(sampling.is_sampled(item) for item in items)


def test_many_cases():
    items = [Item("test_x", str(k)) for k in range(3 * sampling.MOST_CASES)]
    left_out = sampling.left_out(items)
    assert [int(x.callspec.id) for x in items if x not in left_out] == [*range(0, len(items), 3)]
    assert not sampling.left_out(items[: sampling.MOST_CASES])


def test_slow_cases_are_no_examples():
    items = [Item("test_x", x, pytest.mark.slow("a"), pytest.mark.sampled(cases=1)) for x in "abc"]
    assert names(sampling.left_out(items)) == ["test_x[a]", "test_x[c]"]


def test_a_mark_that_names_no_case():
    items = [Item("test_x", x, pytest.mark.slow("a", "z")) for x in "ab"]
    items += [Item("test_y", x, pytest.mark.slow(example="a")) for x in "ab"]
    assert sampling.cases_that_are_missing(items) == [
        "tests/test_x.py::test_x has no case 'z', which its mark names"
    ]


def test_sizes(monkeypatch):
    monkeypatch.setattr(sampling, "complete", False)
    assert [sampling.rounds(300), sampling.rounds(300, 40), sampling.rounds(7)] == [20, 40, 7]
    assert list(sampling.some(range(100), 4)) == [0, 25, 50, 75]
    assert sampling.some([]) == []
    assert sampling.examples(300).max_examples == 20
    monkeypatch.setattr(sampling, "complete", True)
    assert [sampling.rounds(300), len(sampling.some(range(100), 4))] == [300, 100]
    assert sampling.examples(300).max_examples == 300
