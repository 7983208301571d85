"""Requests that schemathesis makes from the OpenAPI document: no answer is a fault of ours.

The cases are drawn from a fixed seed, and their number is bounded. Every endpoint of the table is
taken in. Answers must have a documented status, the declared type, and the declared schema.
"""

import hypothesis
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)  # fmt: skip
from tests.limits import HANG

from zermelo.web.api.endpoints import ENDPOINTS, PREFIX

from .conftest import serving

pytestmark = pytest.mark.slow

CASES = 8
"""Requests of an endpoint, of each kind."""

CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance,
    response_schema_conformance,
]  # fmt: skip


@pytest.fixture(scope="module")
def schema():
    with serving("--seconds", "5") as address:
        yield schemathesis.openapi.from_url(f"{address}api/v1/openapi.json")


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("row", ENDPOINTS, ids=lambda row: f"{row.method} {row.path}")
def test_requests_of_the_document_and_requests_against_it(schema, row, mode):
    operation = schema[PREFIX + row.path][row.method]
    asked = []

    @seed(20)
    @settings(
        max_examples=CASES, deadline=None, database=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(case=operation.as_strategy(generation_mode=mode))
    def test(case):
        asked.append(case)
        case.call_and_validate(checks=CHECKS, timeout=HANG)

    try:
        test()
    except hypothesis.errors.Unsatisfiable:
        assert not row.request.__struct_fields__  # a request without members cannot be wrong
    else:
        assert asked
