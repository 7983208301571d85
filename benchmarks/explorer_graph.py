"""The picture of a graph in the browser: SVG elements beside a canvas, and beside cytoscape.js.

    python benchmarks/explorer_graph.py [--sizes 500 1000 2000 5000] [--cytoscape cytoscape.min.js]

Needs Playwright, Chromium and the package with its extra ``web``. A random graph with three moves a
position is drawn with results on every position. Printed are the milliseconds until the first
picture is there, and the milliseconds of a frame while the picture is moved and while its size
changes, as median and 95th percentile of 60 frames. A page is smooth if a frame takes 16.7 ms; 33
ms are still pleasant. Without a graphics card the processor paints everything, so real machines
are faster. cytoscape.js is not part of this repository: ``npm pack cytoscape`` fetches it.
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
async ({ n, seed, size }) => {
  const { graphNode, graphCurve } = await import("/static/rooms/graph_scene.js");
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
      curve: graphCurve(nodes[v], nodes[near], false) });
  }
  const unique = new Map(edges.map((e) => [e.from + " " + e.to, e]));
  return { nodes, edges: [...unique.values()], solved: true };
}
"""

FRAMES = """
  const frames = async (step) => {
    const times = [];
    let last = await new Promise(requestAnimationFrame);
    for (let k = 0; k < 60; k++) {
      step(k);
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    times.sort((a, b) => a - b);
    return [times[30], times[56]];
  };
"""

OWN = f"""
async ({{ source, name, scene, size }}) => {{
  {FRAMES}
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
  const k = Math.min(size[0] / right, size[1] / low);
  const began = performance.now();
  made.resize(...size);
  made.draw(scene);
  made.look({{ x: 0, y: 0, k }});
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const first = performance.now() - began;
  const pan = await frames((j) => made.look({{ x: 3 * j, y: 2 * j, k }}));
  const near = await frames((j) => made.look({{ x: -3 * j - 300, y: -2 * j - 300, k: 0.9 }}));
  const zoom = await frames((j) => made.look({{ x: 0, y: 0, k: k * 1.04 ** j }}));
  return {{ first, pan, near, zoom }};
}}
"""

CYTOSCAPE = f"""
async ({{ scene, size }}) => {{
  {FRAMES}
  const box = document.createElement("div");
  box.style.width = size[0] + "px";
  box.style.height = size[1] + "px";
  document.body.replaceChildren(box);
  const colours = {{ win: "#b5dcf5", lose: "#fbbd91", draw: "#e3e3e3" }};
  const began = performance.now();
  const made = cytoscape({{
    container: box, layout: {{ name: "preset" }},
    style: [
      {{ selector: "node", style: {{ label: "data(text)", "text-valign": "center", width: "data(w)", height: 44,
        "text-wrap": "wrap", "font-size": 12, "background-color": "data(colour)", "border-width": 1.5 }} }},
      {{ selector: "edge", style: {{ width: 1.3, "target-arrow-shape": "triangle", "curve-style": "bezier" }} }},
    ],
    elements: [
      ...scene.nodes.map((x) => ({{ data: {{ id: String(x.key), w: x.w, text: x.label + "\\n" + x.cells[0].text,
        colour: colours[x.cells[0].kind] }}, position: {{ x: x.x, y: x.y }} }})),
      ...scene.edges.map((e) => ({{ data: {{ source: String(e.from), target: String(e.to) }} }})),
    ],
  }});
  made.fit();
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const first = performance.now() - began;
  const k = made.zoom();
  const pan = await frames((j) => made.pan({{ x: 3 * j, y: 2 * j }}));
  made.zoom(0.9);
  const near = await frames((j) => made.pan({{ x: -3 * j - 300, y: -2 * j - 300 }}));
  const zoom = await frames((j) => made.zoom(k * 1.04 ** j));
  made.destroy();
  return {{ first, pan, near, zoom }};
}}
"""  # noqa: E501

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


def show(name: str, n: int, found: dict[str, Any]) -> None:
    def pair(key: str) -> str:
        return f"{found[key][0]:6.1f} /{found[key][1]:6.1f}"

    print(
        f"{n:6,}  {name:10}  {found['first']:9.0f}  {pair('pan')}  {pair('near')}  {pair('zoom')}",
        flush=True,
    )


def main() -> None:
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[500, 1000, 2000, 5000])
    parser.add_argument("--cytoscape", help="the file cytoscape.min.js, to be measured, too")
    options = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    print("positions  picture     first, ms  all moved, ms    part moved, ms   zoomed, ms")
    with serving() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1000, "height": 800})
        page.set_default_timeout(600_000)
        page.goto(f"{address}#/learn")
        page.wait_for_selector("z-learn")
        for n in options.sizes:
            scene = page.evaluate(SCENE, {"n": n, "seed": 7, "size": SIZE})
            for name, room in (("GraphSvg", "graph_svg"), ("GraphCanvas", "graph_canvas")):
                given = {"source": f"/static/rooms/{room}.js", "name": name, "scene": scene}
                found = page.evaluate(OWN, {**given, "size": SIZE})
                show(name.removeprefix("Graph"), n, found)
            if options.cytoscape:
                other = browser.new_page(viewport={"width": 1000, "height": 800})
                other.add_script_tag(path=options.cytoscape)
                show("cytoscape", n, other.evaluate(CYTOSCAPE, {"scene": scene, "size": SIZE}))
                other.close()
        browser.close()


if __name__ == "__main__":
    main()
