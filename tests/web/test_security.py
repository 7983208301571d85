"""Who may talk to the server, and that no file of the machine is readable through it."""

import os
import re
import socket

import httpx
import pytest
from tests.limits import HANG
from tests.web.conftest import serving
from tests.web.processes import run_apart

from zermelo._runtime.progress import compiling
from zermelo.web.api.call import Endpoint
from zermelo.web.api.endpoints import ENDPOINTS
from zermelo.web.api.schema import Nothing
from zermelo.web.bundle import STATIC
from zermelo.web.server.app import create_app
from zermelo.web.server.security import HEADERS, host_of
from zermelo.web.server.static_files import TYPES
from zermelo.web.server.worker import answer
from zermelo.web.settings import Settings

TOKEN = "a-token-of-the-tests"
HERE = "http://127.0.0.1:8642"
OPENAPI = "/api/v1/openapi.json"


class Client:
    """Requests to an application in this process."""

    def __init__(self, **settings):
        self.app = create_app(Settings(**settings))

    def request(self, method, path, **options):
        async def ask():
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport) as client:
                return await client.request(method, HERE + path, **options)

        return run_apart(ask())

    def get(self, path, **options):
        return self.request("GET", path, **options)


HOSTS = {
    "127.0.0.1": True, "127.0.0.1:8642": True, "localhost": True, "LOCALHOST:8642": True,
    "localhost.": True, "[::1]:8642": True, "127.0.0.7": True,
    "": False, "example.org": False, "localhost.example.org": False, "127.0.0.1.example.org": False,
    "example.org:8642": False, "192.168.1.5": False, "0.0.0.0": False, "[::]": False, "[": False,
    "localhost@example.org": False, "example.org@localhost": False, "localhost/": False,
    "localhost, example.org": False, "localhost:99999": False, "localhost:x": False,
    "127.1": False, "2130706433": False, "0x7f.1": False, "localhost\\example.org": False,
    "localhost#": False, "localhost?": False,
}  # fmt: skip
"""Names of the host, and whether a server at 127.0.0.1 answers to them (DNS rebinding)."""


@pytest.mark.parametrize("host", HOSTS)
def test_foreign_hosts_are_refused(host):
    response = Client().get("/", headers={"host": host})
    assert response.status_code == (200 if HOSTS[host] else 421)


def test_the_name_of_the_machine_is_for_servers_of_the_network():
    name = socket.gethostname()
    outside = {"host": "0.0.0.0", "address": "0.0.0.0", "token": TOKEN}
    bearer = {"authorization": f"bearer {TOKEN}"}
    for host, here, there in [
        (name, 421, 200), (f"{name}:80", 421, 200), ("192.0.2.7", 421, 200),
        ("[2001:db8::1]", 421, 200),
        ("example.org", 421, 421), (f"{name}.example.org", 421, 421), ("", 421, 421),
    ]:  # fmt: skip
        headers = {"host": host, **bearer}
        if name not in ("localhost", "127.0.0.1"):
            assert Client().get("/", headers=headers).status_code == here
        assert Client(**outside).get("/", headers=headers).status_code == there


def test_two_hosts_are_refused():
    headers = [("host", "127.0.0.1"), ("host", "example.org")]
    assert Client().get("/", headers=headers).status_code == 421


def test_hosts_without_a_name():
    assert {host_of(x) for x in ("", ":", "[::1", "::1]", " localhost", "a@b", "a:b")} == {""}


ORIGINS = {
    HERE: True, "http://127.0.0.1:8643": False, "https://127.0.0.1:8642": True, "null": False,
    "": False, "http://localhost:8642": False, "http://example.org": False, "http://[": False,
    "file://": False,
    "http://127.0.0.1:8642.example.org": False, "http://user@127.0.0.1:8642": False,
    "http://127.0.0.1:8642/": False, "127.0.0.1:8642": False, "chrome-extension://abc": False,
}  # fmt: skip


@pytest.mark.parametrize("origin", ORIGINS)
@pytest.mark.parametrize("path", ["/", OPENAPI, "/static/main.js"])
def test_foreign_origins_are_refused(origin, path):
    response = Client().get(path, headers={"origin": origin})
    assert response.status_code == (200 if ORIGINS[origin] else 403)
    assert "access-control-allow-origin" not in response.headers


@pytest.mark.parametrize("site", ["cross-site", "same-site", "same-origin", "none", "nonsense"])
@pytest.mark.parametrize("mode", ["navigate", "no-cors", "cors", None])
@pytest.mark.parametrize("path", ["/", OPENAPI, "/static/main.js"])
def test_what_browsers_say_of_the_site(site, mode, path):
    headers = {"sec-fetch-site": site, **({"sec-fetch-mode": mode} if mode else {})}
    good = site in ("same-origin", "none") or (path == "/" and mode == "navigate")
    assert Client().get(path, headers=headers).status_code == (200 if good else 403)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("HEAD", "/", 200), ("HEAD", OPENAPI, 200), ("HEAD", "/static/main.js", 200),
        ("HEAD", "/nowhere", 404), ("POST", "/", 405), ("PUT", OPENAPI, 405), ("DELETE", "/", 405),
        ("OPTIONS", OPENAPI, 405), ("TRACE", "/", 405), ("PATCH", "/static/main.js", 405),
        ("PROPFIND", "/", 405), ("POST", "/api/v1/about", 405), ("GET", "/api/v2/about", 404),
        ("GET", "/api/v1/about/", 404), ("GET", "/api/v1/ABOUT", 404), ("GET", "//", 404),
        ("GET", "/static", 404), ("GET", "/static/", 404), ("GET", "/static/views", 404),
    ],
)  # fmt: skip
def test_methods_and_addresses(method, path, status):
    response = Client().request(method, path)
    assert response.status_code == status
    if method != "HEAD":
        assert set(response.json()["error"]) == {"kind", "message"}
    if status == 405:
        assert response.headers["allow"] == "GET, HEAD" or "GET" in response.headers["allow"]


def test_every_answer_has_the_headers():
    with_token = Client(token=TOKEN)
    for response in (
        Client().get("/"), Client().get("/nowhere"), Client().get("/", headers={"host": "x"}),
        Client().request("POST", "/"), with_token.get("/"), with_token.get(f"/?token={TOKEN}"),
        Client().get("/static/icon.svg"),
    ):  # fmt: skip
        assert {name: response.headers[name] for name in HEADERS} == HEADERS
        assert response.headers["cache-control"] in ("no-store", "no-cache")
        assert "server" not in response.headers


def test_the_token():
    asked = Client(token=TOKEN)
    for headers in (
        {}, {"authorization": "Bearer wrong"}, {"authorization": f"Basic {TOKEN}"},
        {"authorization": TOKEN}, {"authorization": "Bearer"},
        {"cookie": "zermelo_token_8642=wrong"},
        {"cookie": f"zermelo_token_1={TOKEN}"}, {"cookie": b";;==;\x80"},
    ):  # fmt: skip
        for path in ("/", OPENAPI, "/static/main.js", "/nowhere", f"{OPENAPI}?token={TOKEN}"):
            response = asked.get(path, headers=headers)
            assert response.status_code == 401
            assert TOKEN not in response.text
            assert response.headers["www-authenticate"] == "Bearer"
    for headers in (
        {"authorization": f"Bearer {TOKEN}"}, {"authorization": f"bearer  {TOKEN} "},
        {"cookie": f"a=[; zermelo_token_8642={TOKEN}; b"},
    ):  # fmt: skip
        assert asked.get("/static/main.js", headers=headers).status_code == 200


def test_the_token_in_the_address_becomes_a_cookie():
    response = Client(token=TOKEN).get(f"/?x=1&token={TOKEN}")
    assert response.status_code == 303
    assert response.headers["location"] == "/"
    cookie = response.headers["set-cookie"].lower()
    assert cookie.startswith(f"zermelo_token_8642={TOKEN};")
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    for path in (f"//example.org/?token={TOKEN}", f"/static/main.js?token={TOKEN}"):
        assert Client(token=TOKEN).get(path).status_code == 401
    assert Client(token=TOKEN).request("POST", f"/?token={TOKEN}").status_code == 401


TRAVERSALS = [
    "/static/../app.py", "/static/../../errors.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py",
    "/static/%2e%2e%2fapp.py", "/static/..%5capp.py", "/static/..\\app.py", "/static//etc/passwd",
    "/static/%2fetc%2fpasswd", "/static/%252e%252e%252fapp.py", "/static/....//app.py",
    "/static/views/../../app.py", "/static/./../app.py", "/static/.%2e/app.py", "/static/%00",
    "/static/main.js%00.py", "/static/%c0%ae%c0%ae/app.py", "/static/..;/app.py",
    "/../../etc/passwd",
    "/..%2f..%2fetc/passwd", "//etc/passwd", "/etc/passwd", "/static/../../../../../../etc/passwd",
    "/api/v1/../../static/../app.py", "/static/C:/Windows/win.ini", "/static/~root/.bashrc",
    "/static/proc/self/environ", "/static/%ff", "/static/main.js/", "/static/main.js/.", "/%2e%2e/",
]  # fmt: skip


@pytest.fixture(scope="module")
def raw(server_of_module):
    """Send a request line as it is; the status and the body."""
    host, port = re.fullmatch(r"http://(.+):(\d+)/", server_of_module).groups()

    def ask(path):
        with socket.create_connection((host, int(port)), timeout=HANG) as sock:
            head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            sock.sendall(head.encode("latin-1"))
            found = b""
            while part := sock.recv(65536):
                found += part
        head, _, body = found.partition(b"\r\n\r\n")
        return int(head.split()[1]), body

    return ask


@pytest.fixture(scope="module")
def server_of_module():
    with serving() as address:
        yield address


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_address_leads_to_a_file_of_the_machine(raw, path):
    status, body = raw(path)
    assert status in (400, 404)
    assert b"root:" not in body
    assert b"import" not in body


@pytest.mark.slow
def test_the_files_of_the_page(raw):
    names = [
        os.path.relpath(os.path.join(folder, name), STATIC).replace(os.sep, "/")
        for folder, _, files in os.walk(STATIC)
        for name in files
    ]
    assert {os.path.splitext(name)[1] for name in names} <= set(TYPES)
    asked = Client()
    for name in names:
        assert raw(f"/static/{name}")[0] == 200
        response = asked.get(f"/static/{name}")
        assert response.headers["content-type"] == TYPES[os.path.splitext(name)[1]]
        with open(STATIC / name, "rb") as file:
            assert response.content == file.read()
        tag = {"if-none-match": response.headers["etag"]}
        again = asked.get(f"/static/{name}", headers=tag)
        assert (again.status_code, again.content) == (304, b"")
    ranges = {"range": "bytes=" + ",".join("0-" for _ in range(10_000))}
    assert asked.get("/static/main.js", headers=ranges).status_code == 200


@pytest.mark.slow
def test_no_answer_names_a_path_of_the_machine(server_of_module):
    for row in ENDPOINTS:
        url = f"{server_of_module}api/v1{row.path}"
        response = httpx.request(row.method, url, json={"path": "/etc/passwd"}, timeout=HANG)
        assert str(STATIC.parent) not in response.text
        assert "root:" not in response.text


@pytest.mark.slow
def test_progress_names_no_folder_of_this_machine():
    """Compiling tells the terminal where kernels are kept; a client does not learn this."""

    def work(call):
        with compiling("retrograde.settle", "/home/ada/kernels"):
            return {}

    sent, row = [], Endpoint("GET", "/work", work)
    assert answer(row, Nothing(), Settings(), sent.append) == {"answer": {}}
    assert sent[0]["progress"]["stage"] == "compiling retrograde.settle, once"
