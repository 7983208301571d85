"""Take the pictures of the explorer that the README shows.

    python docs/images/explorer.py [--all FOLDER]

A server starts on a free port, and Chromium opens a room at a time. ``--all`` also takes every room
in light and dark colours and on a narrow screen, into a folder.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent

GRAPH = "".join(
    f"{position} {target}\n"
    for position, targets in zip(
        "abcdefghijk",
        ("cfk", "cj", "df", "e", "dh", "g", "f", "j", "h", "kl", "h"),
        strict=True,
    )
    for target in targets
)
"""The game of the README's first picture, as an edge list."""

POSITION = "8/8/8/3k4/8/8/2K5/7R w - - 0 1"

PICTURES = {
    "explorer-play": (f"#/play?game=chess%3AKRvK&at={quote(POSITION)}&values=1", ".z-value"),
    "explorer-graph": (f"#/graph?text={quote(GRAPH)}&trace=retrograde&step=4", "z-graph svg text"),
    "explorer-values": ("#/values?expr=%7B3%7C1%7C%7C-2%7D", "z-values svg"),
}
"""By name: the address of a room, and what must be there before the picture is taken."""

ROOMS = {
    "play": "#/play?game=chess%3AKRvK&values=1",
    "graph": f"#/graph?text={quote(GRAPH)}&solve=1",
    "values": "#/values?expr=%7B3%7C1%7C%7C-2%7D",
    "learn": "#/learn",
}

SETTLING = 2000
"""Milliseconds until everything is drawn."""

WIDE, NARROW = {"width": 1200, "height": 760}, {"width": 360, "height": 740}


def take(browser, address, path, selector=None, scheme="light", size=WIDE):
    """One picture."""
    context = browser.new_context(
        viewport=size, color_scheme=scheme, reduced_motion="reduce", device_scale_factor=1
    )
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(address)
    page.wait_for_selector(selector or "main h1:visible")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(SETTLING)
    page.screenshot(path=path)
    context.close()
    print(path)


def main():
    """Take them all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", metavar="FOLDER", type=Path, help="every room, in every way")
    args = parser.parse_args()
    command = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-browser", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = json.loads(server.stdout.readline())["address"]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            for name, (room, selector) in PICTURES.items():
                take(browser, address + room, HERE / f"{name}.png", selector)
            if args.all:
                args.all.mkdir(parents=True, exist_ok=True)
                for name, room in ROOMS.items():
                    for scheme in ("light", "dark"):
                        path = args.all / f"{name}-{scheme}.png"
                        take(browser, address + room, path, scheme=scheme)
                    take(browser, address + room, args.all / f"{name}-narrow.png", size=NARROW)
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
