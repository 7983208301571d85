"""The picture of a graph in the browser: SVG elements beside a canvas, and beside cytoscape.js.

    python benchmarks/explorer_graph.py [--sizes 500 1000 2000 5000] [--cytoscape cytoscape.min.js]

Needs Playwright, Chromium and the package with its extra ``web``. A random graph with three moves a
position is drawn with results on every position. Printed is the processor time of all processes
of the browser, in milliseconds: until the first picture is there; and a frame while the whole
picture is moved, while a part of it is moved that one can read, and while its size changes. After
each of them comes the median time between two frames, which depends on what else the machine does.
A page is smooth if a frame takes less than 16.7 ms. Without a graphics card the processor paints
everything, so most machines are faster. cytoscape.js is not part of this repository: ``npm pack
cytoscape`` fetches it.
"""

import argparse
import contextlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

SCENE = """
async ({ n, seed }) => {
  const { graphNode, graphCurve } = await import("/static/views/graph_scene.js");
  let state = seed;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  const across = Math.ceil(Math.sqrt(n));
  const kinds = ["win", "lose", "draw"];
  const nodes = Array.from({ length: n }, (_, v) => graphNode({
    key: v, x: 110 * (v % across) + 40 * random(), y: 80 * Math.floor(v / across) + 30 * random(),
    label: String(v), owner: v % 2, cells: [{ text: "W" + (v % 30), kind: kinds[v % 3] }],
    ends: v % 11 === 0, title: "position " + v,
  }));
  const edges = [];
  for (let v = 0; v < n; v++) for (let k = 0; k < 3; k++) {
    const near = Math.min(n - 1, Math.max(0, v + Math.floor((random() - 0.5) * 8 * across)));
    edges.push({ from: v, to: near, label: "", best: k ? "other" : "one", kind: kinds[v % 3],
      curve: graphCurve(nodes[v], nodes[near], 0) });
  }
  const unique = new Map(edges.map((e) => [e.from + " " + e.to, e]));
  return (globalThis.scene = { nodes, edges: [...unique.values()], solved: true });
}
"""

OWN = """
async ({ source, name, size }) => {
  const { scene } = globalThis;
  const made = new (await import(source))[name]();
  const room = document.createElement("z-graph");
  const box = document.createElement("div");
  box.className = "zg-stage";
  box.style.width = size[0] + "px";
  box.style.height = size[1] + "px";
  box.append(made.element);
  room.append(box);
  document.getElementById("main").replaceChildren(room);
  const right = Math.max(...scene.nodes.map((x) => x.x));
  const low = Math.max(...scene.nodes.map((x) => x.y));
  const fit = Math.min(size[0] / right, size[1] / low);
  globalThis.trial = { fit, look: (x, y, k) => made.look({ x, y, k }) };
  made.resize(...size);
  made.draw(scene);
  made.look({ x: 0, y: 0, k: fit });
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
}
"""

CYTOSCAPE = """
async ({ size }) => {
  const { scene } = globalThis;
  const box = document.createElement("div");
  box.style.width = size[0] + "px";
  box.style.height = size[1] + "px";
  document.body.replaceChildren(box);
  const colours = { win: "#b5dcf5", lose: "#fbbd91", draw: "#e3e3e3" };
  const node = {
    label: "data(text)", "text-valign": "center", width: "data(w)", height: 44,
    "text-wrap": "wrap", "font-size": 12, "background-color": "data(colour)", "border-width": 1.5,
  };
  const edge = { width: 1.3, "target-arrow-shape": "triangle", "curve-style": "bezier" };
  const made = cytoscape({
    container: box, layout: { name: "preset" },
    style: [{ selector: "node", style: node }, { selector: "edge", style: edge }],
    elements: [
      ...scene.nodes.map((x) => ({
        data: { id: String(x.key), w: x.w, text: x.label + "\\n" + x.cells[0].text,
          colour: colours[x.cells[0].kind] },
        position: { x: x.x, y: x.y },
      })),
      ...scene.edges.map((e) => ({ data: { source: String(e.from), target: String(e.to) } })),
    ],
  });
  made.fit();
  globalThis.trial = {
    fit: made.zoom(), look: (x, y, zoom) => made.viewport({ zoom, pan: { x, y } }),
  };
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
}
"""

FRAMES = """
async ({ phase, count }) => {
  const { fit, look } = globalThis.trial;
  const steps = {
    all: (j) => look(3 * j, 2 * j, fit),
    part: (j) => look(-3 * j - 300, -2 * j - 300, 0.9),
    zoom: (j) => look(0, 0, fit * 1.05 ** j),
  };
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let k = 0; k < count; k++) {
    steps[phase](k);
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times.sort((a, b) => a - b)[count >> 1];
}
"""

COUNT = 40
"""Frames of one measurement."""

SIZE = (900, 560)


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of a server."""
    command = [sys.executable, "-m", "zermelo", "serve", "--port", "0", "--no-browser"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        yield found[0]
    finally:
        process.terminate()
        process.wait()


class Trial:
    """A browser, and the processor time that all of its processes have taken."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.session = browser.new_browser_cdp_session()

    def processor(self) -> float:
        """Milliseconds so far."""
        found = self.session.send("SystemInfo.getProcessInfo")["processInfo"]
        return 1000 * sum(float(x["cpuTime"]) for x in found)

    def measure(self, name: str, n: int, page: Any, script: str, given: dict[str, Any]) -> None:
        """Draw and move a picture, and print a line."""
        began = self.processor()
        page.evaluate(script, given)
        line = f"{n:9,}  {name:9}  {self.processor() - began:9.0f}"
        for phase in ("all", "part", "zoom"):
            began = self.processor()
            median = page.evaluate(FRAMES, {"phase": phase, "count": COUNT})
            line += f"  {(self.processor() - began) / COUNT:7.1f} /{median:6.1f}"
        print(line, flush=True)


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[500, 1000, 2000, 5000])
    parser.add_argument("--cytoscape", help="the file cytoscape.min.js, to be measured, too")
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    print("positions  picture    first, ms  all moved, ms    part moved, ms   zoomed, ms")
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        trial = Trial(browser)
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        page.set_default_timeout(600_000)
        page.goto(f"{address}#/learn")
        page.wait_for_selector("z-learn")
        for n in options.sizes:
            scene = page.evaluate(SCENE, {"n": n, "seed": 7})
            given: dict[str, Any] = {"size": SIZE}
            for name in ("Svg", "Canvas"):
                source = f"/static/views/graph_{name.lower()}.js"
                more = {"source": source, "name": f"Graph{name}"}
                trial.measure(name, n, page, OWN, {**given, **more})
            if options.cytoscape:
                other = browser.new_page(viewport={"width": 1000, "height": 800})
                other.add_script_tag(path=options.cytoscape)
                other.evaluate("scene => { globalThis.scene = scene; }", scene)
                trial.measure("cytoscape", n, other, CYTOSCAPE, given)
                other.close()
        browser.close()


if __name__ == "__main__":
    main()
