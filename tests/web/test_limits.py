"""Requests that are too large, or no exact JSON, are refused with a sentence before any work."""

import json
import re
import socket
from typing import Annotated, Literal

import httpx
import pytest
from msgspec import Meta, field
from tests.limits import HANG
from tests.web import trouble
from tests.web.conftest import TROUBLED, started

from zermelo.errors import InvalidOptionError
from zermelo.web.api.endpoints import ENDPOINTS
from zermelo.web.api.schema import Integer, Natural, Request, check, from_query
from zermelo.web.api.strict_json import parse
from zermelo.web.settings import Limits

MIB = 1 << 20


@pytest.fixture(scope="module")
def troubled():
    with started("--workers", 1, "--seconds", 20, command=TROUBLED) as (process, address):
        yield process, f"{address}api/v1/trouble"


def peak(pid):
    """The largest memory that a process has had, in bytes."""
    with open(f"/proc/{pid}/status") as file:
        return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) * 1024


def chunks(size):
    block = b"x" * MIB
    for _ in range(size // MIB):
        yield block


@pytest.mark.parametrize("announced", [True, False])
def test_a_large_upload_is_refused_and_not_kept(troubled, announced):
    process, address = troubled
    headers = {"content-type": "application/json"}
    if announced:
        headers["content-length"] = str(100 * MIB)
    before = peak(process.pid)
    response = httpx.post(
        f"{address}/remember", content=chunks(100 * MIB), headers=headers, timeout=HANG
    )
    assert response.status_code == 413
    assert response.json()["error"] == {
        "kind": "limit", "message": f"the request has more than {Limits().body:,} bytes",
    }  # fmt: skip
    assert peak(process.pid) - before < 40 * MIB
    assert httpx.post(f"{address}/remember", json={}, timeout=HANG).status_code == 200


def test_a_client_that_asks_first_sends_nothing(troubled):
    _, address = troubled
    host, port = re.search(r"//(.+):(\d+)/", address).groups()
    with socket.create_connection((host, int(port)), timeout=HANG) as sock:
        head = (
            f"POST /api/v1/trouble/remember HTTP/1.1\r\nHost: {host}\r\nExpect: 100-continue\r\n"
            f"Content-Type: application/json\r\nContent-Length: {100 * MIB}\r\n\r\n"
        )
        sock.sendall(head.encode())
        assert sock.recv(4096).startswith(b"HTTP/1.1 413")


def test_a_request_of_the_largest_size(troubled):
    _, address = troubled
    body = json.dumps({"key": ""})
    body = body[:-2] + "x" * (Limits().body - len(body)) + body[-2:]
    headers = {"content-type": "application/json"}
    response = httpx.post(f"{address}/remember", content=body, headers=headers, timeout=HANG)
    assert response.status_code == 422  # the text is too long for its schema
    assert "expected a text of at most" in response.json()["error"]["message"]
    response = httpx.post(f"{address}/remember", content=body + " ", headers=headers, timeout=HANG)
    assert response.status_code == 413


BAD = {
    b"": 400,
    b"{": 400,
    b"null": 422,
    b"[]": 422,
    b'"x"': 422,
    b"1": 422,
    b"{}{}": 400,
    b"\xff": 400,
    b'{"key": NaN}': 400,
    b'{"key": Infinity}': 400,
    b'{"key": 1e999}': 400,
    b'{"key": -1e999}': 400,
    b'{"key": "a", "key": "b"}': 400,
    b'{"key": "\\ud800"}': 400,
    b'{"key": "\\udc00\\ud800"}': 400,
    b'{"\\ud800": 1}': 400,
    b'{"key": "\xed\xa0\x80"}': 400,
    b"\xef\xbb\xbf{}": 400,
    '{"key": "a"}'.encode("utf-16"): 400,
    b"[" * 100_000: 400,
    b'{"key":' * 100_000: 400,
    b'{"key": ' + b"9" * 5000 + b"}": 400,
    b'{"key": ' + b"[" * 900 + b"]" * 900 + b"}": 422,
    b'{"key": 3}': 422,
    b'{"key": null}': 422,
    b'{"other": 1}': 422,
    b'{"key": "a",}': 400,
    b"{'key': 'a'}": 400,
    b'{"key": "a\nb"}': 400,
    b'{"key": "a"}\0': 400,
    b'{"__proto__": {}}': 422,
    b'{"key": "\\u0000"}': 200,
    b'{"key": "\\ud83d\\ude00"}': 200,
    b' {"key": "a"} ': 200,
    b"{}": 200,
    '{"key": "Ä\U0001f600"}'.encode(): 200,
}


@pytest.mark.parametrize("body", BAD, ids=lambda x: repr(x[:30]))
def test_bodies(troubled, body):
    _, address = troubled
    headers = {"content-type": "application/json"}
    response = httpx.post(f"{address}/remember", content=body, headers=headers, timeout=HANG)
    assert response.status_code == BAD[body]
    if BAD[body] != 200:
        message = response.json()["error"]["message"]
        assert "\n" not in message
        assert len(message) < 400


@pytest.mark.parametrize(
    "kind",
    ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "a" * 999],
)
def test_other_types_are_refused(troubled, kind):
    _, address = troubled
    headers = {"content-type": kind} if kind else {}
    response = httpx.post(f"{address}/remember", content=b"{}", headers=headers)
    assert response.status_code == 415
    assert len(response.text) < 300


def test_types_with_a_character_set(troubled):
    _, address = troubled
    headers = {"content-type": "Application/JSON; charset=utf-8"}
    response = httpx.post(f"{address}/remember", content=b"{}", headers=headers, timeout=HANG)
    assert response.status_code == 200


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("x=1", "there is no member 'x'"),
        ("x=1&x=2", "the parameter 'x' stands twice"),
        ("%00=%ff", "there is no member"),
        ("&".join(f"a{k}=1" for k in range(3000)), "stands twice"),
        ("x=" + "y" * 50_000, "there is no member 'x'"),
    ],
)
def test_parameters_of_an_address(server, query, message):
    response = httpx.get(f"{server}api/v1/about?{query}", timeout=HANG)
    assert response.status_code == 422
    assert message in response.json()["error"]["message"]


class Parameters(Request):
    n: Integer
    x: float
    b: bool
    t: str
    m: int | None


def test_values_of_parameters_have_the_types_of_the_schema():
    given = {"n": "-3", "x": "2.5e1", "b": "true", "t": "3", "m": "null"}
    assert from_query(given, Parameters) == Parameters(n=-3, x=25, b=True, t="3", m=None)
    for name, value in [
        ("n", "٣"), ("n", "1_000"), ("n", " 3"), ("n", "+3"), ("n", "0x3"), ("n", "9" * 30),
        ("n", ""),
        ("x", "nan"), ("x", "inf"), ("x", "1e999"), ("b", "True"), ("b", "1"), ("m", "x"),
    ]:  # fmt: skip
        with pytest.raises(InvalidOptionError, match="expected"):
            from_query({**given, name: value}, Parameters)


def test_numbers_such_as_3_0_are_integers():
    found = parse(b'{"a": 3.0, "b": -0.0, "c": 1e15, "d": 0.5, "e": 1e300}')
    assert found == {"a": 3, "b": 0, "c": 10**15, "d": 0.5, "e": 1e300}
    assert [type(found[x]) for x in "abcde"] == [int, int, int, float, float]


LARGE = {
    "a list": [[]] * 10**6,
    "an object": {str(k): 0 for k in range(10**5)},
    "a text": "x" * 10**7,
    "a number": 10**5000,
}


@pytest.mark.slow("a number")
@pytest.mark.parametrize("name", LARGE)
def test_messages_about_large_values_are_short(name):
    short, choice = Annotated[str, Meta(max_length=5)], Literal["a", "b"]
    for kind in (bool, Integer, list[bool], Parameters, short, choice):
        with pytest.raises(InvalidOptionError) as caught:
            check(LARGE[name], kind)
        assert len(str(caught.value)) < 300


class Wish(Request):
    side: Literal["left", "right"] | None = None
    text: Annotated[str, Meta(max_length=4)] = ""
    places: Annotated[list[Natural], Meta(min_length=1, max_length=2)] = field(default_factory=list)
    numbers: dict[str, Annotated[int, Meta(le=9)] | list[bool]] = field(default_factory=dict)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"side": "up"}, "side: expected one of 'left', 'right', got 'up'"),
        ({"text": "seven!!"}, "text: expected a text of at most 4 characters, got 7"),
        ({"places": [1, 2, 3]}, "places: expected a list of at most 2 elements, got 3"),
        ({"places": []}, "places: expected a list of at least 1 element, got 0"),
        ({"places": [4, -5]}, "places[1]: expected an integer of at least 0, got -5"),
        ({"numbers": {"a": 1, "b": 10}}, "numbers['b']: expected an integer of at most 9, got 10"),
        ({"numbers": {"a": [True, 1]}}, "numbers['a'][1]: expected true or false, got an integer"),
        ({"numbers": {str(k): "" for k in range(999)}},
         "numbers[...]: expected an integer or a list, got a text"),
        ({"x - at `$.side[...]`": 1}, None),
        ({"\ud800": 1}, r"the request: expected characters of Unicode, got half of a pair in "
                        r"'\ud800'"),
    ],
)  # fmt: skip
def test_messages_say_what_was_expected_what_came_and_where(given, message):
    with pytest.raises(InvalidOptionError) as caught:
        check(given, Wish)
    assert message in (None, str(caught.value))


@pytest.mark.slow
def test_the_rows_of_trouble_are_not_in_the_package():
    assert not {row.path for row in trouble.ROWS} & {row.path for row in ENDPOINTS}
