"""Pages of other sites, large uploads and tokens, as a real browser meets them."""

import http.server
import threading

import pytest

from zermelo.web.settings import Limits

from .conftest import TROUBLED, started

pytestmark = pytest.mark.browser

PAGE = b"<!doctype html><title>another site</title><p>another site</p>"


class Handler(http.server.BaseHTTPRequestHandler):
    """A page of another site."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture
def another_site():
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    yield f"http://localhost:{site.server_port}/"
    site.shutdown()
    thread.join()
    site.server_close()


TRY = """async ([url, options]) => {
  try {
    const response = await fetch(url, options);
    return response.type === "opaque" ? "opaque" : response.status;
  } catch { return "refused"; }
}"""


@pytest.mark.console_errors
def test_a_page_of_another_origin_gets_nothing(server, page, another_site):
    page.goto(another_site)
    json = {"content-type": "application/json"}
    for options in ({}, {"method": "POST", "body": "{}", "headers": json},
                    {"method": "POST", "body": "{}", "headers": {"content-type": "text/plain"}},
                    {"mode": "no-cors"}, {"mode": "no-cors", "method": "POST", "body": "{}"},
                    {"credentials": "include"}):  # fmt: skip
        assert page.evaluate(TRY, [f"{server}api/v1/about", options]) == "refused"
        assert page.evaluate(TRY, [server, options]) == "refused"
    script = """(url) => new Promise((resolve) => {
      const script = document.createElement("script");
      script.type = "module";
      script.onload = () => resolve("loaded");
      script.onerror = () => resolve("refused");
      script.src = url;
      document.head.append(script);
    })"""
    assert page.evaluate(script, f"{server}static/main.js") == "refused"
    frame = """async (url) => {
      const frame = document.createElement("iframe");
      frame.src = url;
      document.body.append(frame);
      await new Promise((resolve) => (frame.onload = resolve));
      try { return frame.contentDocument.title; } catch { return "refused"; }
    }"""
    assert page.evaluate(frame, server) in ("refused", "")


def test_a_page_of_another_origin_may_link_to_the_page(server, page, another_site):
    page.goto(another_site)
    page.evaluate("(url) => { location.href = url; }", f"{server}#/learn")
    page.wait_for_selector("z-learn h1")


@pytest.mark.console_errors
def test_a_document_without_origin_gets_nothing(server, page):
    page.goto("data:text/html,<p>no origin</p>")
    assert page.evaluate(TRY, [f"{server}api/v1/about", {}]) == "refused"


@pytest.mark.console_errors
def test_an_upload_of_100_megabytes_is_refused(page):
    with started(command=TROUBLED) as (_, address):
        page.goto(address)
        found = page.evaluate(
            """async () => {
              const body = new Blob(Array(100).fill("x".repeat(1 << 20)));
              const headers = { "content-type": "application/json" };
              const request = { method: "POST", body, headers };
              const response = await fetch("/api/v1/trouble/remember", request);
              return [response.status, (await response.json()).error.message];
            }"""
        )
        assert found == [413, f"the request has more than {Limits().body:,} bytes"]


def test_the_token_is_taken_from_the_address_and_leaves_it(page):
    with started("--host", "0.0.0.0", "nim:1,2") as (_, address):
        page.goto(address + "#/learn")
        page.wait_for_selector("z-learn h1")
        base = address.partition("?")[0]
        assert page.url == f"{base}#/learn"
        assert page.evaluate("document.cookie") == ""
        assert page.evaluate(TRY, ["/api/v1/about", {}]) == 200
        page.reload()
        page.wait_for_selector("z-learn h1")


@pytest.mark.console_errors
def test_without_the_token_there_is_a_sentence(page):
    with started("--token", "a-token-of-the-tests") as (_, address):
        page.goto(address.partition("?")[0])
        assert "expected the token that zermelo serve has printed" in page.content()
