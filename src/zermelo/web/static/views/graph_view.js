// The stage: a picture with a camera, a pointer and keys. What a gesture means is its owner's matter.

import { h } from "../dom.js";
import { GraphCanvas } from "./graph_canvas.js";
import { graphCurvePoint, graphBounds } from "./graph_scene.js";
import { GraphSvg } from "./graph_svg.js";

/** With more positions than this the picture is painted on a canvas (docs/decisions/0010). */
export const GRAPH_SVG_POSITIONS = 300;

const GRAPH_DRAG = 5;
const GRAPH_CLOSEST = 4;
const GRAPH_FARTHEST = 0.02;

/** A stage. The owner has tapped(target, point), moved(key, point, phase), linked(from, to),
 *  pressed(event), hovered(target); target is {key}, {from, to} or null. */
export class GraphView {
  constructor(owner, label) {
    this.owner = owner;
    this.mode = "draw";
    this.camera = { x: 0, y: 0, k: 1 };
    this.scene = { nodes: [], edges: [] };
    this.pointers = new Map();
    this.gesture = null;
    this.picture = new GraphSvg();
    this.element = h("div", {
      class: "zg-stage", tabindex: 0, role: "application", "aria-label": label,
      onpointerdown: (e) => this.#down(e), onpointermove: (e) => this.#move(e), onpointerup: (e) => this.#up(e),
      onpointercancel: (e) => this.#up(e), onkeydown: (e) => this.#key(e),
    }, this.picture.element);
    this.element.addEventListener("wheel", (e) => this.#wheel(e), { passive: false });
    this.observer = new ResizeObserver(() => this.#resize());
    this.observer.observe(this.element);
    this.theme = new MutationObserver(() => this.picture.draw(this.scene));
    this.theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  }

  get size() {
    return [this.element.clientWidth || 600, this.element.clientHeight || 400];
  }

  draw(scene) {
    const wanted = scene.nodes.length > GRAPH_SVG_POSITIONS ? GraphCanvas : GraphSvg;
    if (!(this.picture instanceof wanted)) {
      const picture = new wanted();
      this.picture.element.replaceWith(picture.element);
      this.picture = picture;
      picture.resize(...this.size);
      picture.look(this.camera);
    }
    this.scene = scene;
    this.picture.draw(scene);
  }

  look(camera, fitted = false) {
    this.camera = camera;
    this.fitted = fitted;
    this.picture.look(camera);
  }

  /** Show everything; until the picture is moved, fitted is true. */
  fit() {
    const { left, top, right, bottom } = graphBounds(this.scene);
    const [width, height] = this.size;
    const k = Math.min((width - 40) / Math.max(right - left, 1), (height - 40) / Math.max(bottom - top, 1), 1.25);
    this.look({ k, x: width / 2 - (k * (left + right)) / 2, y: height / 2 - (k * (top + bottom)) / 2 }, true);
  }

  /** Show everything again if it was in sight before and something is cut off now. */
  refit() {
    const { left, top, right, bottom } = graphBounds(this.scene);
    const { x, y, k } = this.camera;
    const [width, height] = this.size;
    const cut = x + k * left < 0 || y + k * top < 0 || x + k * right > width || y + k * bottom > height;
    if (this.fitted && cut && this.scene.nodes.length) this.fit();
  }

  /** Bring a place into sight. */
  show(x, y) {
    const [width, height] = this.size;
    const { k } = this.camera;
    const at = [this.camera.x + k * x, this.camera.y + k * y];
    if (at[0] > 40 && at[0] < width - 40 && at[1] > 30 && at[1] < height - 30) return;
    this.look({ k, x: width / 2 - k * x, y: height / 2 - k * y });
  }

  zoom(factor, at = null) {
    const [width, height] = this.size;
    const [cx, cy] = at ?? [width / 2, height / 2];
    const k = Math.min(GRAPH_CLOSEST, Math.max(GRAPH_FARTHEST, this.camera.k * factor));
    const share = k / this.camera.k;
    this.look({ k, x: cx - share * (cx - this.camera.x), y: cy - share * (cy - this.camera.y) });
  }

  pan(dx, dy) {
    this.look({ ...this.camera, x: this.camera.x + dx, y: this.camera.y + dy });
  }

  middle() {
    const [width, height] = this.size;
    return this.world([width / 2, height / 2]);
  }

  world([x, y]) {
    return [(x - this.camera.x) / this.camera.k, (y - this.camera.y) / this.camera.k];
  }

  /** The position or move at a point of the picture. */
  hit([x, y]) {
    const spare = 4 / this.camera.k;
    for (let k = this.scene.nodes.length - 1; k >= 0; k--) {
      const node = this.scene.nodes[k];
      if (Math.abs(x - node.x) <= node.w / 2 + spare && Math.abs(y - node.y) <= node.h / 2 + spare) return { key: node.key };
    }
    const near = 7 / this.camera.k;
    for (const edge of this.scene.edges) {
      const { p, q } = edge.curve;
      const count = Math.min(80, Math.max(8, Math.ceil(Math.hypot(p[0] - q[0], p[1] - q[1]) / near)));
      for (let t = 0; t <= count; t++) {
        const [a, b] = graphCurvePoint(edge.curve, t / count);
        if (Math.hypot(a - x, b - y) <= near) return { from: edge.from, to: edge.to };
      }
    }
    return null;
  }

  // ---------------------------------------------------------------- pointers

  #point(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #down(event) {
    if (event.button > 0) return;
    this.element.setPointerCapture(event.pointerId);
    this.element.focus({ preventScroll: true });
    const at = this.#point(event);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 2) {
      this.#cancel();
      this.gesture = { kind: "pinch", ...this.#span() };
      return;
    }
    const target = this.hit(this.world(at));
    this.gesture = { kind: "press", at, target, camera: this.camera };
    event.preventDefault();
  }

  #move(event) {
    const at = this.#point(event);
    if (!this.pointers.has(event.pointerId)) return;
    this.pointers.set(event.pointerId, at);
    const gesture = this.gesture;
    if (!gesture) return;
    if (gesture.kind === "pinch") {
      const span = this.#span();
      this.zoom(span.apart / gesture.apart, span.centre);
      this.pan(span.centre[0] - gesture.centre[0], span.centre[1] - gesture.centre[1]);
      this.gesture = { kind: "pinch", ...span };
      return;
    }
    if (gesture.kind === "press" && Math.hypot(at[0] - gesture.at[0], at[1] - gesture.at[1]) > GRAPH_DRAG) {
      const on = gesture.target?.key !== undefined;
      gesture.kind = on && this.mode === "draw" ? "link" : on && this.mode === "move" ? "carry" : "pan";
      if (gesture.kind === "carry") this.owner.moved(gesture.target.key, null, "begin");
    }
    if (gesture.kind === "pan") {
      this.look({ ...gesture.camera, x: gesture.camera.x + at[0] - gesture.at[0], y: gesture.camera.y + at[1] - gesture.at[1] });
    } else if (gesture.kind === "carry") this.owner.moved(gesture.target.key, this.world(at), "go");
    else if (gesture.kind === "link") this.picture.rubber(this.scene.nodes.find((n) => n.key === gesture.target.key), this.world(at));
  }

  #up(event) {
    const at = this.pointers.get(event.pointerId) ?? this.#point(event);
    this.pointers.delete(event.pointerId);
    const gesture = this.gesture;
    this.gesture = null;
    if (!gesture || event.type === "pointercancel") return this.#cancel();
    const point = this.world(at);
    if (gesture.kind === "press") this.owner.tapped(gesture.target, point);
    else if (gesture.kind === "carry") this.owner.moved(gesture.target.key, point, "end");
    else if (gesture.kind === "link") {
      this.picture.rubber(null);
      this.owner.linked(gesture.target.key, this.hit(point)?.key, point);
    }
  }

  #cancel() {
    this.picture.rubber(null);
    this.gesture = null;
  }

  #span() {
    const [a, b] = [...this.pointers.values()];
    return { apart: Math.max(10, Math.hypot(a[0] - b[0], a[1] - b[1])), centre: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
  }

  #wheel(event) {
    event.preventDefault();
    const step = event.deltaMode === 1 ? 30 : 1;
    this.zoom(Math.exp(-Math.max(-300, Math.min(300, event.deltaY * step)) / 400), this.#point(event));
  }

  #key(event) {
    const arrows = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.shiftKey && event.key in arrows) this.pan(...arrows[event.key].map((x) => 60 * x));
    else if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "0") this.fit();
    else if (!this.owner.pressed(event)) return;
    event.preventDefault();
  }

  #resize() {
    this.picture.resize(...this.size);
    this.picture.look(this.camera);
  }
}

/** The position that an arrow key leads to: the nearest one in this direction. */
export function nextGraphNode(nodes, from, key) {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null;
  for (const node of nodes) {
    if (node.key === from.key) continue;
    const along = (node.x - from.x) * dx + (node.y - from.y) * dy;
    const aside = Math.abs((node.x - from.x) * dy) + Math.abs((node.y - from.y) * dx);
    if (along <= 0 || aside > 3 * along) continue;
    const cost = along + 2 * aside;
    if (!best || cost < best.cost) best = { node, cost };
  }
  return best?.node ?? null;
}
