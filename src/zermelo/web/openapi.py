"""The OpenAPI document of the interface, made from the table of endpoints."""

from typing import Any

from zermelo._version import __version__
from zermelo.web.endpoints import ERROR, PREFIX, Endpoint, all_endpoints

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


def document() -> dict[str, Any]:
    """The document, version 3.1.

    >>> document()["openapi"]
    '3.1.0'
    """
    paths: dict[str, Any] = {}
    for row in all_endpoints():
        paths.setdefault(PREFIX + row.path, {})[row.method.lower()] = _operation(row)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "zermelo",
            "version": __version__,
            "description": "Solve two-player games on graphs. With Accept: application/x-ndjson "
            "an answer is a stream of lines, reports of progress first.",
        },
        "paths": paths,
        "components": {"schemas": {"Error": ERROR}},
    }


def _operation(row: Endpoint) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": row.summary,
        "operationId": row.target.replace(":", "_"),
        "responses": {
            "200": {
                "description": "The answer",
                "content": {"application/json": {"schema": row.answer}},
            },
            **{
                status: {
                    "description": reason,
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Error"}}
                    },
                }
                for status, reason in REFUSALS.items()
            },
        },
    }
    if row.method == "GET":
        required = row.request["required"]
        operation["parameters"] = [
            {"name": name, "in": "query", "required": name in required, "schema": schema}
            for name, schema in row.request["properties"].items()
        ]
    else:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": row.request}},
        }
    return operation
