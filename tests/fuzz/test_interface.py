"""A short run of the fuzzer; CONTRIBUTING.md tells how to run it longer."""

import os

import pytest

import zermelo as zm
from tests.fuzz.examples import NOT_CALLED, calls
from tests.fuzz.interface import run
from zermelo import generators, transform


def test_every_public_name_has_an_example():
    known = set(calls())
    for name in zm.__all__:
        found = callable(getattr(zm, name)) and name not in NOT_CALLED
        assert not found or any(x.split()[0].split(".")[0] == name for x in known), name
    for module, kind in ((transform, "transform"), (generators, "generators")):
        for name in module.__all__:
            function = callable(getattr(module, name)) and name[0].islower()
            again = name in ("bisimulation", "equivalent", "anti_equivalent")
            assert not function or again or f"{kind}.{name}" in known, name


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs alarms and limits of processes")
@pytest.mark.parametrize(
    ("kernels", "seed"), [("auto", 7), pytest.param("compile", 8, marks=pytest.mark.compiled)]
)
def test_no_call_ends_in_anything_else(kernels, seed):
    findings = run(seed=seed, cases=600, kernels=kernels)
    assert findings == []
