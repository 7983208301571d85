// The picture as SVG elements; only what has changed is touched.

import { s } from "../dom.js";

const graphRound = (x) => Math.round(x * 10) / 10;

/** Shapes and arrows as elements; the camera is one transform. */
export class GraphSvg {
  constructor() {
    this.edges = s("g", {});
    this.nodes = s("g", {});
    this.extra = s("g", {});
    this.world = s("g", {}, this.edges, this.nodes, this.extra);
    this.element = s("svg", { class: "zg-picture", "aria-hidden": "true" }, this.world);
    this.shown = { nodes: new Map(), edges: new Map() };
  }

  resize() {}

  look({ x, y, k }) {
    this.world.setAttribute("transform", `translate(${graphRound(x)} ${graphRound(y)}) scale(${k.toFixed(4)})`);
  }

  draw(scene) {
    this.#update(this.nodes, this.shown.nodes, scene.nodes, (n) => n.key, svgNode);
    this.#update(this.edges, this.shown.edges, scene.edges, (e) => `${e.from} ${e.to}`, (e) => svgEdge(e, scene.solved));
  }

  /** A line that follows the pointer while a move is drawn. */
  rubber(from, to) {
    this.extra.replaceChildren(...(from ? [s("line", { class: "zg-rubber", x1: from.x, y1: from.y, x2: to[0], y2: to[1] })] : []));
  }

  #update(parent, shown, items, keyOf, make) {
    const left = new Set(shown.keys());
    for (const item of items) {
      const key = keyOf(item);
      const { title, ...rest } = item;
      const signature = JSON.stringify(rest) + title;
      const old = shown.get(key);
      left.delete(key);
      if (old?.signature === signature) continue;
      const element = make(item);
      if (old) old.element.replaceWith(element);
      else parent.append(element);
      shown.set(key, { element, signature });
    }
    for (const key of left) {
      shown.get(key).element.remove();
      shown.delete(key);
    }
  }
}

function svgNode(node) {
  const { w, h, cells } = node;
  const kind = cells.length === 1 ? cells[0].kind : "none";
  const parts = [graphOutline(node, w, h, `zg-shape zg-${kind}`)];
  if (node.ends) parts.unshift(graphOutline(node, w + 8, h + 8, "zg-rim"));
  if (node.chosen) parts.unshift(graphOutline(node, w + 16, h + 16, "zg-chosen"));
  if (node.selected || node.focus) parts.unshift(graphOutline(node, w + 14, h + 14, node.selected ? "zg-selected" : "zg-focus"));
  if (node.hot) parts.unshift(graphOutline(node, w + 10, h + 10, "zg-hot"));
  if (node.start) parts.push(s("path", { class: "zg-start", d: `M${-w / 2 - 20} -7L${-w / 2 - 7} 0L${-w / 2 - 20} 7Z` }));
  if (node.cut) parts.push(s("text", { class: "zg-cut", x: w / 2 + 4, y: -h / 2 + 8 }, `+${node.cut}`));
  if (cells.length > 1) {
    const half = w / 2;
    for (const [k, cell] of cells.entries()) {
      parts.push(s("rect", { class: `zg-half zg-${cell.kind}`, x: k ? 0 : -half, y: 1, width: half, height: h / 2 - 1 }));
      parts.push(s("text", { class: "zg-text zg-small", x: k ? half / 2 : -half / 2, y: h / 4 + 1 }, `${k}: ${cell.text || "–"}`));
    }
    parts.push(s("text", { class: "zg-text zg-name", y: -h / 4 }, node.label));
  } else if (cells.length) {
    parts.push(s("text", { class: "zg-text zg-name", y: -8 }, node.label));
    parts.push(s("text", { class: "zg-text zg-result", y: 10 }, cells[0].text));
  } else parts.push(s("text", { class: "zg-text zg-name", y: node.lines ? -h / 2 + 14 : 0 }, node.label));
  for (const [k, line] of (node.lines ?? []).entries()) parts.push(s("text", { class: "zg-text zg-small", y: -h / 2 + 31 + 16 * k }, line));
  let left = -w / 2 + 8;
  for (const { kind, share } of node.bar ?? []) {
    parts.push(s("rect", { class: `zg-half zg-${kind}`, x: graphRound(left), y: h / 2 - 11, width: graphRound(share * (w - 16)), height: 6 }));
    left += share * (w - 16);
  }
  const title = s("title", {}, node.title ?? node.label);
  return s("g", { class: node.dim ? "zg-node zg-dim" : "zg-node", transform: `translate(${graphRound(node.x)} ${graphRound(node.y)})`, "data-key": node.key, "data-name": node.label }, title, parts);
}

function graphOutline({ shape }, w, h, look) {
  if (shape === "round") return s("ellipse", { class: look, rx: graphRound(w / 2), ry: graphRound(h / 2) });
  return s("rect", { class: look, x: graphRound(-w / 2), y: graphRound(-h / 2), width: graphRound(w), height: graphRound(h), rx: shape === "card" ? 8 : 3 });
}

const graphDots = (point) => `${graphRound(point[0])} ${graphRound(point[1])}`;

function svgEdge(edge, solved) {
  const { p, c, d, neck, head, middle } = edge.curve;
  const line = d ? `M${graphDots(p)}C${graphDots(c)} ${graphDots(d)} ${graphDots(neck)}` : `M${graphDots(p)}Q${graphDots(c)} ${graphDots(neck)}`;
  const looks = ["zg-edge", `zg-edge-${edge.hot ? "hot" : edge.best}`];
  if (edge.best === "one" && !edge.hot) looks.push(`zg-line-${edge.kind}`);
  if (edge.selected) looks.push("zg-edge-selected");
  if (edge.dim) looks.push("zg-dim");
  const parts = [s("path", { class: "zg-line", d: line }), s("path", { class: "zg-head", d: `M${head.map(graphDots).join("L")}Z` })];
  if (edge.label !== "") {
    parts.push(s("text", { class: "zg-weight", x: graphRound(middle[0]), y: graphRound(middle[1]) }, edge.label));
  }
  return s("g", { class: looks.join(" "), "data-from": edge.from, "data-to": edge.to, "data-best": solved ? edge.best : null }, parts);
}
