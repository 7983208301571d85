"""``zermelo serve`` as a process: its address, its errors, its end, and who may reach it."""

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx
import pytest
from tests.limits import HANG
from tests.web.conftest import COMMAND, TROUBLED, started
from tests.web.processes import children, exists, wait_until

import zermelo as zm
from zermelo.web.server import run as servers
from zermelo.web.server.app import create_app
from zermelo.web.settings import Limits, Served, Settings

TOKEN = "a-token-of-the-tests"


def post(address, name, **options):
    return httpx.post(f"{address}api/v1/trouble/{name}", json={}, timeout=HANG, **options)


def in_background(function, *args):
    """Run a function in a thread; an error of the connection is expected and forgotten."""

    def run():
        with contextlib.suppress(httpx.HTTPError):
            function(*args)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("name", ["remember", "stubborn"])
def test_a_signal_ends_everything(number, name):
    with started("--workers", 2, command=TROUBLED) as (process, address):
        post(address, "remember")
        threads = [
            in_background(post, address, name) for _ in range(3 if name == "stubborn" else 0)
        ]
        if threads:
            wait_until(lambda: len(children(process.pid)) == 2)
            time.sleep(0.5)
        workers = children(process.pid)
        assert workers
        process.send_signal(number)
        out, err = process.communicate(timeout=HANG)
        for thread in threads:
            thread.join()
        assert process.returncode == (0 if number == signal.SIGINT else -signal.SIGTERM)
        assert (out, err) == ("", "")
        wait_until(lambda: not any(map(exists, workers)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["remember", "stubborn"])
def test_workers_end_with_a_server_that_is_killed(name):
    with started("--workers", 1, command=TROUBLED) as (process, address):
        post(address, "remember")
        if name == "stubborn":
            thread = in_background(post, address, name)
            time.sleep(0.5)
        workers = children(process.pid)
        assert workers
        process.kill()
        wait_until(lambda: not any(map(exists, workers)))
        if name == "stubborn":
            thread.join()


@pytest.fixture(scope="module")
def troubled():
    """The process and the address of a server with one worker."""
    with started("--workers", 1, command=TROUBLED) as found:
        yield found


def leave(address, name, headers):
    """Ask, and go after half a second, or when a report has come."""
    url = f"{address}api/v1/trouble/{name}"
    with httpx.stream("POST", url, json={}, timeout=0.5, headers=headers) as response:
        for line in response.iter_lines():
            assert json.loads(line)["progress"]["stage"] == "steps"
            raise httpx.ReadTimeout("this is enough")


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("name", ["steps", "stubborn"])
def test_a_client_that_disconnects_leaves_no_work(troubled, name, streamed):
    headers = {"accept": "application/x-ndjson"} if streamed else {}
    process, address = troubled
    first = post(address, "remember").json()["done"]
    for _ in range(2):
        with pytest.raises(httpx.ReadTimeout):
            leave(address, name, headers)
        again = post(address, "remember").json()["done"]
        assert again[0] == first[0] if name == "steps" else again[1] == 1
    assert len(children(process.pid)) == 1


@pytest.mark.slow
def test_a_stream_has_reports_and_an_answer():
    with started("--workers", 1, "--seconds", 1, command=TROUBLED) as (_, address):
        wait_until(lambda: post(address, "remember").status_code == 200)  # the worker has started
        headers = {"accept": "application/x-ndjson"}
        url = f"{address}api/v1/trouble/steps"
        response = httpx.post(url, json={"seconds": 0}, headers=headers, timeout=HANG)
        assert response.headers["content-type"] == "application/x-ndjson"
        assert "answer" in json.loads(response.text.splitlines()[-1])
        response = httpx.post(url, json={}, headers=headers, timeout=HANG)
        *reports, last = map(json.loads, response.text.splitlines())
        assert reports
        assert all(x["progress"]["stage"] == "steps" for x in reports)
        assert last["error"]["message"] == "the work was stopped after 1 seconds"
        response = httpx.post(url, json={}, timeout=HANG)
        assert response.status_code == 422
        assert response.json() == last


@pytest.mark.slow
def test_the_address_is_the_first_line_and_json_on_demand():
    with started("--json", "--token", TOKEN) as (_, address):
        assert address.endswith(f"/?token={TOKEN}")
    process = subprocess.Popen([*COMMAND, "--json"], stdout=subprocess.PIPE, text=True)
    found = json.loads(process.stdout.readline())
    assert found == {
        "address": f"http://127.0.0.1:{found['port']}/", "port": found["port"], "token": None,
    }  # fmt: skip
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=HANG)[0] == ""
    assert process.returncode == 0


@pytest.mark.slow
def test_a_reader_of_the_address_that_goes_does_not_end_the_server():
    process = subprocess.Popen(
        [*COMMAND, "--token", TOKEN], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    address = re.search(r"http://\S+", process.stdout.readline())[0]
    process.stdout.close()
    bearer = {"authorization": f"Bearer {TOKEN}"}
    for _ in range(2):
        assert httpx.get(address.partition("?")[0], headers=bearer).status_code == 200
    process.send_signal(signal.SIGINT)
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(60) in (0, 141)


@pytest.mark.slow
def test_what_is_named_opens_its_view(tmp_path):
    (tmp_path / "game.txt").write_text("a b\nb a\na t\n")
    zm.build("nim:1,2", tmp_path / "nim.zt").close()
    (tmp_path / "my_rules.py").write_text(
        "def start():\n    return 3\n\n\n"
        "def moves(n):\n    return [n - k for k in (1, 2) if k <= n]\n"
    )
    for source, view, served in [
        ("game.txt", "graph", {"kind": "graph", "name": "game.txt"}),
        ("nim.zt", "play", {"kind": "table", "name": "nim.zt"}),
        ("my_rules.py", "play", {"kind": "rules", "name": "my_rules.py"}),
        ("nim:1,2", "play", {"kind": "game", "name": "nim:1,2"}),
    ]:
        command = [*COMMAND, source]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
        line = process.stdout.readline()
        assert f"/#/{view} " in line
        address = re.search(r"http://[^#]+", line)[0]
        assert httpx.get(address + "api/v1/about", timeout=HANG).json()["served"] == served
        process.terminate()
        process.communicate(timeout=HANG)


BAD = {
    "no such file": (["nowhere.json"], "nowhere.json: no such file"),
    "a directory": (["."], ""),
    "a damaged table": (["bad.zt"], "bad.zt"),
    "a game that is not there": (["chess99"], "chess99"),
    "no host": (["--host", ""], "expected a host such as 127.0.0.1"),
    "a bad host": (["--host", "no.such.host.invalid"], "cannot listen at the host"),
    "an odd host": (["--host", "a..b"], "cannot listen at the host 'a..b'"),
    "a host of elsewhere": (["--host", "192.0.2.1"], "cannot listen at the host '192.0.2.1'"),
    "a port": (["--port", "70000"], "70000"),
    "a short token": (["--token", "abc"], "expected a token of 8 to 200"),
    "an odd token": (["--token", "with blanks in it"], "expected a token"),
    "little memory": (["--memory", "1M"], "at least 512M"),
    "no size": (["--memory", "much"], "expected a size such as 8G"),
    "no time": (["--seconds", "0"], "--seconds"),
    "no workers": (["--workers", "0"], "--workers"),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_are_one_sentence(run, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.zt").write_bytes(b"\x89ZMT" + bytes(100))
    arguments, message = BAD[name]
    result = run("serve", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("zermelo: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


@pytest.mark.slow
def test_wrong_rules_are_refused_by_a_worker(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(servers, "CHECK_SECONDS", 600.0)
    mistakes = {
        "fails.py": ("return 1 / 0", "fails.py:2: start fails: ZeroDivisionError"),
        "gone.py": (None, "gone.py: no such file"),
        "leaves.py": ("raise SystemExit(3)", "leaves.py:2: start fails: SystemExit: 3"),
    }
    for name, (body, message) in mistakes.items():
        if body is not None:
            text = f"def start():\n    {body}\n\n\ndef moves(n): return []\n"
            (tmp_path / name).write_text(text)
        result = run("serve", name, "--port", 0, "--no-browser")
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr.startswith(f"zermelo: {message}")
        assert result.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("place", ["in moves", "when they are imported"])
def test_rules_that_never_end_do_not_keep_the_server_from_listening(tmp_path, monkeypatch, place):
    monkeypatch.setattr(servers, "CHECK_SECONDS", 0.2)
    endless = "while True:\n        pass\n"
    path = tmp_path / "endless.py"
    path.write_text(
        f"def start():\n    return 3\n\n\ndef moves(n):\n    {endless}"
        if place == "in moves"
        else f"if True:\n    {endless}"
    )
    app = create_app(
        Settings(
            served=Served("rules", str(path), "endless.py"), workers=1, limits=Limits(seconds=0.3)
        )
    )
    announced = threading.Event()
    server = servers._Server(servers.configure(app), app.state.pool, announced.set)
    sock = servers.listen("127.0.0.1", 0)
    address = f"http://127.0.0.1:{sock.getsockname()[1]}/api/v1/"
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})

    def position():
        found = httpx.get(f"{address}play/position", params={"game": "@endless.py"}, timeout=60)
        return found.json()["error"]["message"]

    thread.start()
    try:
        assert announced.wait(60)
        wait_until(lambda: "stopped after 0.3 seconds" in position())  # a busy worker says so
    finally:
        server.should_exit = True
        thread.join()


def test_a_port_that_is_taken(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("serve", "--port", port)
    assert result.exit_code == 2
    assert result.stderr == (
        f"zermelo: cannot listen at the host '127.0.0.1', port {port}: Address already in use; "
        "--port chooses another port, and 0 any free one\n"
    )


def test_packages_that_are_not_installed(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "starlette", None)
    result = run("serve")
    assert result.exit_code == 2
    assert "pip install 'zermelo[web]'" in result.stderr


def test_the_document_is_printed(run):
    result = run("serve", "--openapi")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["openapi"] == "3.1.0"


def test_the_browser_is_opened_from_a_terminal_only(monkeypatch):
    opened = []

    def run(settings, sock, say, browse, as_json):
        sock.close()
        opened.append(browse)

    monkeypatch.setattr(servers, "run", run)
    from zermelo.cli.rules import serve

    for terminal, arguments, expected in [
        (False, [], False), (False, ["--browser"], True), (True, [], True),
        (True, ["--no-browser"], False), (True, ["--token", TOKEN], False),
    ]:  # fmt: skip
        monkeypatch.setattr(sys.stdout, "isatty", lambda terminal=terminal: terminal, raising=False)
        serve.command.main(["--port", "0", *arguments], standalone_mode=False)
        assert opened.pop() is expected


@pytest.mark.slow
def test_other_machines_need_the_token():
    with started("--host", "0.0.0.0") as (process, address):
        base, _, token = address.partition("?token=")
        assert base.startswith("http://127.0.0.1:")
        assert len(token) >= 32
        assert "from other machines too" in process.stdout.readline()
        assert httpx.get(base).status_code == 401
        assert httpx.get(f"{base}?token=wrong").status_code == 401
        assert httpx.get(f"{base}static/style.css").status_code == 401
        assert httpx.get(f"{base}api/v1/about").status_code == 401
        assert httpx.get(f"{base}api/v1/about?token={token}").status_code == 401
        bearer = {"authorization": f"Bearer {token}"}
        assert httpx.get(f"{base}api/v1/about", headers=bearer, timeout=HANG).status_code == 200
        with httpx.Client(follow_redirects=True) as client:
            page = client.get(address)
            assert page.status_code == 200
            assert page.url == base
            assert client.get(f"{base}api/v1/openapi.json").status_code == 200
        process.send_signal(signal.SIGINT)
        assert token not in "".join(process.communicate(timeout=HANG))


def _has_six():
    try:
        with socket.socket(socket.AF_INET6) as sock:
            sock.bind(("::1", 0))
        return True
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.2", *(["::1", "[::1]"] if _has_six() else [])]
)
def test_hosts_of_this_machine(host):
    with started("--host", host) as (_, address):
        assert "token" not in address
        assert httpx.get(address).status_code == 200
        foreign = httpx.get(address, headers={"host": "example.org"})
        assert foreign.status_code == 421


def _slowly(address, sent):
    """Send bytes, and wait until the server closes the connection; what it has answered."""
    host, port = re.fullmatch(r"http://(.+):(\d+)/", address).groups()
    with socket.create_connection((host, int(port)), timeout=HANG) as sock:
        sock.sendall(sent)
        found = b""
        try:
            while part := sock.recv(65536):
                found += part
        except ConnectionResetError:
            pass
        return found


@pytest.fixture
def hasty(monkeypatch):
    """A server in this process that waits for slow clients half a second only."""
    import uvicorn

    from zermelo.web.server import app

    monkeypatch.setattr(servers, "MAX_CLIENT_SECONDS", 0.5)
    monkeypatch.setattr(app, "MAX_CLIENT_SECONDS", 0.5)
    sock = servers.listen("127.0.0.1", 0)
    config = servers.configure(create_app(), 1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    wait_until(lambda: server.started)
    yield f"http://127.0.0.1:{sock.getsockname()[1]}/"
    server.should_exit = True
    thread.join()


HEAD = b" HTTP/1.1\r\nHost: 127.0.0.1\r\n"
ODD = {
    "nothing": (b"", b""),
    "half a head": (b"GET /" + HEAD + b"X-Slow: ", b""),
    "half a second head": (b"GET /static/icon.svg" + HEAD + b"\r\nGET /", b"HTTP/1.1 200"),
    "half a body": (b"POST /api/v1/about" + HEAD + b"Content-Length: 9\r\n\r\n{", b"HTTP/1.1 405"),
    "a long address": (b"GET /" + b"x" * 600_000 + HEAD + b"\r\n", b"HTTP/1.1 414"),
    "a long head": (b"GET /" + HEAD + b"X: " + b"x" * 3_000_000, b"HTTP/1.1 400"),
    "nonsense": (b"\0\1\2 nonsense\r\n\r\n", b"HTTP/1.1 400"),
}


@pytest.mark.slow("a long address", "a long head", "nonsense")
@pytest.mark.parametrize("name", ODD)
def test_slow_and_odd_clients_are_let_go(hasty, name):
    sent, status = ODD[name]
    found = _slowly(hasty, sent)
    assert found[:12] == status or (name in ("a long head", "a long address") and not found)
    assert httpx.get(hasty).status_code == 200


@pytest.mark.slow
def test_a_worker_runs_no_file_of_the_directory(tmp_path):
    for name in ("json", "zermelo", "queue", "starlette"):
        (tmp_path / f"{name}.py").write_text(
            "raise SystemExit('a file of the directory was run')\n"
        )
    environment = {**os.environ, "PYTHONPATH": str(Path(zm.__file__).parents[1])}
    command = [sys.executable, "-P", *COMMAND[1:]]
    with started(command=command, cwd=tmp_path, env=environment) as (_, address):
        assert httpx.get(f"{address}api/v1/about", timeout=HANG).status_code == 200
