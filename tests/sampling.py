"""What the short run of the tests leaves out, and how many examples it takes.

``@pytest.mark.slow`` leaves out a test, or all cases of a parametrised one;
``slow("a", "b")`` leaves out the cases with these names alone, ``slow(example="a")`` all others.
Of a test with more than ``MOST_CASES`` cases it takes so many, evenly; after
``@pytest.mark.sampled(cases=8)`` only these. A test that calls ``rounds`` or ``some`` has the mark
``sampled``, too.
"""

from hypothesis import settings

MARKS = ("slow", "browser", "cluster")
"""The marks of the tests that the short run leaves out."""

SHORT = 20
"""The examples of a property in the short run."""

MOST_CASES = 50
"""The cases of a parametrised test in the short run: as many as there are games."""

complete = False
"""Whether this run takes all examples; ``conftest.py`` sets it before tests are imported."""


def rounds(size, short=SHORT):
    """How often a loop over random games runs: so often, or less in the short run.

    Its test has the mark ``sampled``.

    >>> rounds(5)
    5
    """
    return size if complete else min(size, short)


def some(things, short=60):
    """All of a list, or some of it, evenly, in the short run; the test has the mark ``sampled``.

    >>> len(some(range(50)))
    50
    """
    return things if complete else things[:: -(-len(things) // short) or 1]


def examples(size):
    """Settings for a property that is tried on so many examples."""
    return settings(max_examples=rounds(size))


def name_of(item):
    """The name of a test without that of its case."""
    return item.nodeid.partition("[")[0]


def case_of(item):
    """The name of a case of a parametrised test, else None."""
    return item.callspec.id if hasattr(item, "callspec") else None


def is_slow(item):
    """Whether marks say of a test by itself that the short run leaves it out."""
    case = case_of(item)
    for mark in item.iter_markers("slow"):
        if mark.args:
            slow = case in mark.args
        else:
            slow = "example" not in mark.kwargs or case != mark.kwargs["example"]
        if slow:
            return True
    return any(item.get_closest_marker(mark) for mark in MARKS if mark != "slow")


def left_out(items):
    """The tests among ``items`` that the short run leaves out."""
    found, families = set(), {}
    for item in items:
        mark = item.get_closest_marker("sampled")
        if is_slow(item):
            found.add(item)
        elif case_of(item) is not None:
            size = MOST_CASES if mark is None else mark.kwargs.get("cases", MOST_CASES)
            families.setdefault(name_of(item), (size, []))[1].append(item)
    for size, cases in families.values():
        step = max(1, len(cases) / size)
        kept = {int(k * step) for k in range(min(size, len(cases)))}
        found.update(case for k, case in enumerate(cases) if k not in kept)
    return found


def is_sampled(item):
    """Whether the short run tries a test on fewer examples."""
    mark = item.get_closest_marker("sampled")
    is_property = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return is_property or (mark is not None and "cases" not in mark.kwargs)


def cases_that_are_missing(items):
    """Cases that marks name and that no test has, as texts."""
    named, found = {}, {}
    for item in items:
        test = name_of(item)
        found.setdefault(test, set()).add(case_of(item))
        for mark in item.iter_markers("slow"):
            named.setdefault(test, set()).update(mark.args, mark.kwargs.values())
    return [
        f"{test} has no case {case!r}, which its mark names"
        for test, cases in named.items()
        for case in sorted(cases - found[test])
    ]
