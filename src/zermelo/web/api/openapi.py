"""The OpenAPI document of the interface, made from the table of endpoints."""

from typing import Any, TypedDict

import msgspec

from zermelo._version import __version__
from zermelo.web.api import endpoints
from zermelo.web.api.call import Endpoint
from zermelo.web.api.schema import Text

REFUSALS = {
    "400": "The request is no JSON",
    "401": "The token is missing",
    "403": "The request comes from another site",
    "408": "The request does not arrive in time",
    "413": "The request is too large",
    "414": "The address is too long",
    "415": "The request is not declared as JSON",
    "421": "The request is for another host",
    "422": "The request is not valid, or its work has met a limit",
    "429": "The server is busy",
}


class Reason(TypedDict):
    """What went wrong: a keyword, and a sentence."""

    kind: Text
    message: str


class Error(TypedDict):
    """A request that was refused or failed."""

    error: Reason


def document() -> dict[str, Any]:
    """The document, version 3.1.

    >>> document()["openapi"]
    '3.1.0'
    """
    rows = endpoints.ENDPOINTS
    types = [Error, *(row.request for row in rows), *(row.answer for row in rows)]
    _, schemas = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    for schema in schemas.values():
        schema["additionalProperties"] = False
    paths: dict[str, Any] = {}
    for row in rows:
        path = paths.setdefault(endpoints.PREFIX + row.path, {})
        path[row.method.lower()] = _operation(row, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "zermelo",
            "version": __version__,
            "description": "Solve two-player games on graphs. With Accept: application/x-ndjson "
            "an answer is a stream of lines, reports of progress first.",
        },
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(row: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    refusals = {status: _content(reason, Error) for status, reason in REFUSALS.items()}
    operation: dict[str, Any] = {
        "summary": row.summary,
        "operationId": row.path[1:].replace("/", "_"),
        "responses": {"200": _content("The answer", row.answer), **refusals},
    }
    if row.method == "GET":
        request = schemas[row.request.__name__]
        operation["parameters"] = [
            {"name": name, "in": "query", "required": name in request["required"], "schema": x}
            for name, x in request["properties"].items()
        ]
    else:
        body = _content("The request", row.request)
        operation["requestBody"] = {"required": True, "content": body["content"]}
    return operation


def _content(description: str, kind: Any) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{kind.__name__}"}
    return {"description": description, "content": {"application/json": {"schema": schema}}}
