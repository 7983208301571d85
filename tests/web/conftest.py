"""A server of its own process, and a browser that complains about every error of a page."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.limits import HANG

from zermelo.cli.main import cli

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
VIEWPORT = {"width": 1200, "height": 900}


COMMAND = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-browser"]
TROUBLED = [sys.executable, str(Path(__file__).parent / "trouble.py"), *COMMAND[3:]]
"""The command with endpoints that crash or never end."""


@contextlib.contextmanager
def started(*arguments, command=COMMAND, **options):
    """The process of a server that was started with these arguments, and its address."""
    process = subprocess.Popen(
        [*command, *map(str, arguments)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip
    try:
        line = process.stdout.readline()
        found = re.search(r"http://[^\s\"]+", line)
        assert found, line + process.stderr.read()
        yield process, found[0].partition("#")[0]
    finally:
        process.terminate()
        process.communicate(timeout=HANG)


@contextlib.contextmanager
def serving(*arguments, cwd=None):
    """The address of a server that was started with these arguments."""
    with started(*arguments, cwd=cwd) as (_, address):
        yield address


@pytest.fixture
def run():
    """Run the command in this process; the browser of other tests has the main thread's loop."""

    def call(*args):
        with ThreadPoolExecutor(1) as thread:
            arguments = [str(x) for x in args]
            return thread.submit(CliRunner().invoke, cli, arguments, prog_name="zermelo").result()

    return call


@pytest.fixture(scope="session")
def server():
    with serving() as address:
        yield address


@pytest.fixture(scope="session")
def browser():
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("CI must have Chromium: apt-get install chromium")
        pytest.skip("needs Chromium (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser, request):
    """A page; an error on its console or in its scripts fails the test.

    A test that provokes refused requests has the mark ``console_errors``.
    """
    errors = []
    context = browser.new_context(viewport=VIEWPORT, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(1000 * HANG)
    page.on("console", lambda message: message.type == "error" and errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    if folder := os.environ.get("ZERMELO_SCREENSHOTS"):
        name = re.sub(r"\W+", "-", request.node.name)
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)
    context.close()
    if request.node.get_closest_marker("console_errors") is None:
        assert not errors
