"""The OpenAPI document is the table of endpoints, and what is served is what it promises."""

import json
import re

import httpx
import pytest
from tests.limits import HANG

from zermelo.web.endpoints import PREFIX, all_endpoints
from zermelo.web.openapi import REFUSALS, document
from zermelo.web.schema import KEYWORDS, check

ROWS = all_endpoints()


def ids(row):
    return f"{row.method} {row.path}"


def parts(schema):
    """A schema and all schemas in it."""
    yield schema
    inner = [schema.get("items"), schema.get("additionalProperties"), *schema.get("anyOf", ())]
    for part in [*inner, *schema.get("properties", {}).values()]:
        if isinstance(part, dict):
            yield from parts(part)


@pytest.mark.slow
def test_the_served_document_is_the_table(server):
    served = httpx.get(f"{server}api/v1/openapi.json").json()
    assert served == json.loads(json.dumps(document()))
    assert {
        (method.upper(), path) for path, methods in served["paths"].items() for method in methods
    } == {(row.method, PREFIX + row.path) for row in ROWS}


def test_names_are_unique():
    names = [row.target for row in ROWS]
    assert len(set(names)) == len(names)
    assert len({(row.method, row.path) for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_a_row(row):
    assert row.method in ("GET", "POST")
    assert re.fullmatch(r"(/[a-z0-9-]+)+", row.path)
    assert row.summary
    assert not row.summary.endswith(".")
    assert callable(row.function())
    assert row.request["type"] == "object"
    assert row.request["additionalProperties"] is False
    assert row.key is None or row.key in row.request["properties"]


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_schemas_use_known_keywords(row):
    for schema in (*parts(row.request), *parts(row.answer)):
        assert set(schema) <= KEYWORDS
    if row.method == "GET":  # an address holds texts, which become numbers and truth values
        for schema in row.request["properties"].values():
            assert not {part.get("type") for part in parts(schema)} & {"array", "object"}


@pytest.mark.parametrize("row", ROWS, ids=ids)
def test_examples_and_defaults_satisfy_their_schemas(row):
    for schema in (*parts(row.request), *parts(row.answer)):
        for example in [
            *schema.get("examples", ()),
            *([schema["default"]] if "default" in schema else []),
        ]:
            check(example, schema)  # fmt: skip


def example_of(schema):
    """Some data of a schema: its example, its default, or the least."""
    for name in ("default", "examples", "enum"):
        if name in schema:
            return schema[name] if name == "default" else schema[name][0]
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
    request = example_of(row.request)
    check(request, row.request)
    url = f"{server}{PREFIX[1:]}{row.path}"
    if row.method == "GET":
        query = {k: json.dumps(v) if isinstance(v, bool) else v for k, v in request.items()}
        response = httpx.get(url, params=query, timeout=HANG)
    else:
        response = httpx.post(url, json=request, timeout=HANG)
    if response.status_code == 200:
        check(response.json(), row.answer, "the answer")
    else:
        assert str(response.status_code) in REFUSALS
        assert set(response.json()["error"]) == {"kind", "message"}
    streamed = httpx.request(
        row.method, url, timeout=HANG, headers={"accept": "application/x-ndjson"},
        **({"params": query} if row.method == "GET" else {"json": request}),
    )  # fmt: skip
    last = json.loads(streamed.text.splitlines()[-1])
    assert ("answer" in last) == (response.status_code == 200)
