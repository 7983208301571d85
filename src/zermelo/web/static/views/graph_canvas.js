// The picture of a large graph on a canvas: only what is in sight is painted.

import { h } from "../dom.js";

/** If the picture is smaller than this, shapes are plain spots and moves are plain lines. */
const GRAPH_FAR = 0.3;

const GRAPH_CANVAS_KINDS = ["win", "lose", "tie", "draw", "player0", "player1", "undecided", "none"];

/** The same as GraphSvg, painted. */
export class GraphCanvas {
  constructor() {
    this.element = h("canvas", { class: "zg-picture", "aria-hidden": "true" });
    this.scene = { nodes: [], edges: [] };
    this.camera = { x: 0, y: 0, k: 1 };
    this.line = null;
    this.waiting = false;
    this.size = [0, 0];
  }

  resize(width, height) {
    const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
    this.size = [width, height];
    this.element.width = Math.max(1, Math.round(width * ratio));
    this.element.height = Math.max(1, Math.round(height * ratio));
    this.ratio = ratio;
    this.colours = null;
    this.#later();
  }

  look(camera) {
    this.camera = camera;
    this.#later();
  }

  draw(scene) {
    this.scene = scene;
    this.colours = null;
    this.#later();
  }

  rubber(from, to) {
    this.line = from ? [[from.x, from.y], to] : null;
    this.#later();
  }

  #later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  #read() {
    if (this.colours) return this.colours;
    const style = getComputedStyle(this.element);
    const read = (name) => style.getPropertyValue(name).trim();
    const kinds = Object.fromEntries(GRAPH_CANVAS_KINDS.map((k) => [k, [read(`--zg-${k}`), read(`--zg-${k}-line`)]]));
    this.colours = { kinds, ink: read("--zg-text"), faint: read("--zg-faint"), strong: read("--zg-strong"), hot: read("--zg-hot"), focus: read("--focus"), paper: read("--ground"), mark: read("--mark") };
    return this.colours;
  }

  paint() {
    const pen = this.element.getContext("2d");
    if (!pen || !this.size[0]) return;
    const { x, y, k } = this.camera;
    const look = this.#read();
    const ratio = this.ratio ?? 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, ...this.size);
    pen.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
    const sight = [-x / k, -y / k, (this.size[0] - x) / k, (this.size[1] - y) / k];
    paintGraphEdges(pen, this.scene.edges, sight, k, look);
    paintGraphNodes(pen, this.scene.nodes, sight, k, look);
    if (this.line) {
      pen.strokeStyle = look.mark;
      pen.lineWidth = 2 / k;
      pen.beginPath();
      pen.moveTo(...this.line[0]);
      pen.lineTo(...this.line[1]);
      pen.stroke();
    }
  }
}

function graphEdgeLook(edge, look) {
  if (edge.hot) return [look.hot, 3.2];
  if (edge.selected) return [look.mark, 3];
  if (edge.best === "one") return [look.kinds[edge.kind]?.[1] ?? look.strong, 2];
  if (edge.best === "other") return [look.faint, 1];
  return [look.strong, edge.best === "plain" ? 1.2 : 2.2];
}

function paintGraphEdges(pen, edges, [left, top, right, bottom], k, look) {
  const groups = new Map();
  for (const edge of edges) {
    const { p, q, c } = edge.curve;
    if (Math.max(p[0], q[0], c[0]) < left || Math.min(p[0], q[0], c[0]) > right) continue;
    if (Math.max(p[1], q[1], c[1]) < top || Math.min(p[1], q[1], c[1]) > bottom) continue;
    const [colour, width] = graphEdgeLook(edge, look);
    const name = `${colour} ${width} ${edge.dim}`;
    if (!groups.has(name)) groups.set(name, { colour, width, dim: edge.dim, edges: [] });
    groups.get(name).edges.push(edge);
  }
  for (const group of [...groups.values()].sort((a, b) => a.width - b.width)) {
    pen.globalAlpha = group.dim ? 0.2 : k < GRAPH_FAR && group.width < 3 ? 0.4 : 1;
    pen.strokeStyle = pen.fillStyle = group.colour;
    pen.lineWidth = Math.max(group.width, 0.7 / k);
    pen.beginPath();
    for (const { curve } of group.edges) {
      pen.moveTo(...curve.p);
      if (k < GRAPH_FAR) pen.lineTo(...curve.q);
      else if (curve.d) pen.bezierCurveTo(...curve.c, ...curve.d, ...curve.neck);
      else pen.quadraticCurveTo(...curve.c, ...curve.neck);
    }
    pen.stroke();
    if (k >= GRAPH_FAR) {
      pen.beginPath();
      for (const { curve } of group.edges) {
        pen.moveTo(...curve.head[0]);
        pen.lineTo(...curve.head[1]);
        pen.lineTo(...curve.head[2]);
        pen.closePath();
      }
      pen.fill();
    }
    if (k > 0.45) for (const edge of group.edges) paintGraphWeight(pen, edge, look);
  }
  pen.globalAlpha = 1;
}

function paintGraphWeight(pen, edge, look) {
  if (edge.label === "") return;
  pen.font = "12px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineWidth = 3;
  pen.strokeStyle = look.paper;
  pen.strokeText(edge.label, ...edge.curve.middle);
  pen.fillStyle = look.ink;
  pen.fillText(edge.label, ...edge.curve.middle);
}

function traceGraphShape(pen, node, grow) {
  const a = node.w / 2 + grow;
  const b = node.h / 2 + grow;
  if (node.shape === "round") {
    pen.moveTo(node.x + a, node.y);
    pen.ellipse(node.x, node.y, a, b, 0, 0, 2 * Math.PI);
  } else pen.rect(node.x - a, node.y - b, 2 * a, 2 * b);
}

function paintGraphNodes(pen, nodes, [left, top, right, bottom], k, look) {
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const spots = new Map();
  for (const node of nodes) {
    if (node.x + node.w < left || node.x - node.w > right || node.y + node.h < top || node.y - node.h > bottom) continue;
    if (k < GRAPH_FAR && !(node.hot || node.selected || node.focus || node.chosen || node.dim)) {
      const kind = node.cells.length ? node.cells[0].kind : "none";
      if (!spots.has(kind)) spots.set(kind, []);
      spots.get(kind).push(node);
      continue;
    }
    const [fill, line] = look.kinds[node.cells.length ? node.cells[0].kind : "none"] ?? look.kinds.none;
    pen.globalAlpha = node.dim ? 0.3 : 1;
    const ring = (colour, grow, width) => {
      pen.strokeStyle = colour;
      pen.lineWidth = Math.max(width, 1.5 / k);
      pen.beginPath();
      traceGraphShape(pen, node, grow);
      pen.stroke();
    };
    if (node.chosen) ring(look.mark, 8, 3);
    if (node.hot) ring(look.hot, 6, 5);
    if (node.selected || node.focus) ring(node.selected ? look.mark : look.focus, 7, 3);
    pen.fillStyle = fill;
    pen.strokeStyle = line;
    pen.lineWidth = Math.max(1.4, 0.6 / k);
    pen.beginPath();
    traceGraphShape(pen, node, 0);
    pen.fill();
    pen.stroke();
    if (node.cells.length > 1) {
      pen.fillStyle = (look.kinds[node.cells[1].kind] ?? look.kinds.none)[0];
      pen.fillRect(node.x, node.y - node.h / 2 + 1, node.w / 2 - 1, node.h - 2);
    }
    if (node.ends && k > 0.25) ring(line, 4, 1.2);
    if (k >= GRAPH_FAR) paintGraphTexts(pen, node, look);
  }
  pen.globalAlpha = 1;
  paintGraphSpots(pen, spots, k, look);
}

function paintGraphSpots(pen, spots, k, look) {
  for (const [kind, nodes] of spots) {
    const [fill, line] = look.kinds[kind] ?? look.kinds.none;
    pen.fillStyle = fill;
    pen.strokeStyle = line;
    pen.lineWidth = 0.8 / k;
    pen.beginPath();
    for (const { x, y, w, h: height } of nodes) pen.rect(x - w / 2, y - height / 2, w, height);
    pen.fill();
    pen.stroke();
  }
}

function paintGraphTexts(pen, node, look) {
  pen.fillStyle = look.ink;
  pen.font = "600 13px system-ui, sans-serif";
  const texts = node.cells.map((cell, k) => (node.cells.length > 1 ? `${k}: ${cell.text}` : cell.text)).filter((x) => x);
  pen.fillText(node.label, node.x, node.y - (texts.length ? 8 : 0));
  pen.font = "12px system-ui, sans-serif";
  if (texts.length) pen.fillText(texts.join("   "), node.x, node.y + 10);
}
