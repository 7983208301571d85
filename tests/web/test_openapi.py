"""The OpenAPI document is the table of endpoints, and what is served is what it promises."""

import functools
import json
import re

import httpx
import pytest
from tests.limits import HANG

from zermelo.web.api.endpoints import ENDPOINTS, PREFIX
from zermelo.web.api.openapi import REFUSALS, document
from zermelo.web.api.schema import check

ROWS = ENDPOINTS


def ids(row):
    return f"{row.method} {row.path}"


@functools.cache
def schemas():
    return document()["components"]["schemas"]


def schema_of(kind):
    return schemas()[kind.__name__]


@pytest.mark.slow
def test_the_served_document_is_the_table(server):
    served = httpx.get(f"{server}api/v1/openapi.json").json()
    assert served == json.loads(json.dumps(document()))
    assert {
        (method.upper(), path) for path, methods in served["paths"].items() for method in methods
    } == {(row.method, PREFIX + row.path) for row in ROWS}


def test_names_are_unique():
    functions = [row.function for row in ROWS]
    assert len(set(functions)) == len(functions)
    paths = document()["paths"].values()
    names = [operation["operationId"] for methods in paths for operation in methods.values()]
    assert len(set(names)) == len(names) == len(ROWS)
    assert len({(row.method, row.path) for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_a_row(row):
    assert row.method in ("GET", "POST")
    assert re.fullmatch(r"(/[a-z0-9-]+)+", row.path)
    assert row.summary
    assert not row.summary.endswith(".")
    request = schema_of(row.request)
    assert request["type"] == "object"
    assert request["additionalProperties"] is False
    assert row.key is None or row.key in request["properties"]
    assert schema_of(row.answer)["additionalProperties"] is False
    if row.method == "GET":  # an address holds texts, which become numbers and truth values
        for schema in request["properties"].values():
            assert schema["type"] not in ("array", "object")


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_examples_satisfy_their_types(row):
    properties = schema_of(row.request)["properties"]
    examples = {k: x["examples"] for k, x in properties.items() if "examples" in x}
    for name, values in examples.items():
        for value in values:
            check({**example_of(schema_of(row.request)), name: value}, row.request)


def example_of(schema):
    """Some data of a schema: its example, its default, or the least."""
    for name in ("default", "examples", "enum"):
        if name in schema:
            return schema[name] if name == "default" else schema[name][0]
    if "$ref" in schema:
        return example_of(schemas()[schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema:
        return example_of(schema["anyOf"][0])
    kind = schema.get("type")
    if kind == "object":
        return {name: example_of(schema["properties"][name]) for name in schema.get("required", ())}
    if kind == "array":
        return [example_of(schema["items"]) for _ in range(schema.get("minItems", 0))]
    if kind in ("integer", "number"):
        return max(schema.get("minimum", 1), min(1, schema.get("maximum", 1)))
    return {"string": "1" * max(1, schema.get("minLength", 0)), "boolean": False}.get(kind)


@pytest.mark.sampled(cases=13)
@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_every_endpoint_answers(server, row):
    """An example of the schema gets an answer of the schema, or a documented error."""
    request = example_of(schema_of(row.request))
    check(request, row.request)
    url = f"{server}{PREFIX[1:]}{row.path}"
    if row.method == "GET":
        query = {k: json.dumps(v) if isinstance(v, bool) else v for k, v in request.items()}
        response = httpx.get(url, params=query, timeout=HANG)
    else:
        response = httpx.post(url, json=request, timeout=HANG)
    if response.status_code == 200:
        assert check(response.json(), row.answer) == response.json()
    else:
        assert str(response.status_code) in REFUSALS
        assert set(response.json()["error"]) == {"kind", "message"}
    streamed = httpx.request(
        row.method, url, timeout=HANG, headers={"accept": "application/x-ndjson"},
        **({"params": query} if row.method == "GET" else {"json": request}),
    )  # fmt: skip
    last = json.loads(streamed.text.splitlines()[-1])
    assert ("answer" in last) == (response.status_code == 200)
