// Draw a Hackenbush picture: points on a grid above the ground, and edges in three colours.

import { debounce, h, s } from "../dom.js";
import { Work } from "../work.js";
import { edgesFrom, edgesText, layoutOf, spellEdges } from "./values-hackenbush-text.js";
import { positionCards } from "./values-position.js";

const MOST_COLUMNS = 14;
const NARROW_COLUMNS = 7;
const GRID_ROWS = 7;
const GRID_UNIT = 48;
const GRID_PAD = 30;
const EDGE_COLOURS = { l: "Blue, for Left", r: "Red, for Right", g: "Green, for both", x: "Erase" };
const HACKENBUSH_EXAMPLES = {
  "a stalk": "lrrl",
  "three stalks": "lr+rrl+gl",
  "a house": "4.0-4.2:l,8.0-8.2:l,4.2-6.2:r,6.2-8.2:r,4.2-6.4:g,8.2-6.4:g",
  "a flower": "5.0-5.2:g,5.2-4.3:l,5.2-6.3:r,5.2-5.4:l",
};

/** The panel; changed(parameters, isNew) is called when the address must change. */
export class HackenbushPanel {
  constructor(api, changed) {
    this.api = api;
    this.changed = changed;
    this.work = new Work();
    this.edges = [];
    this.past = [];
    this.colour = "l";
    this.cursor = [4, 0];
    this.from = null;
    this.later = debounce(300, () => this.evaluate(true));
    this.grid = s("g");
    this.scene = s("g");
    this.marks = s("g");
    this.picture = s(
      "svg",
      {
        class: "zh-picture",
        tabindex: 0, role: "application", "aria-label": "Hackenbush picture", "aria-describedby": "zh-help",
        onpointerdown: (event) => this.#down(event), onpointerup: (event) => this.#up(event), onpointermove: (event) => this.#moveTo(event),
        onkeydown: (event) => this.#key(event),
      },
      this.grid, this.scene, this.marks,
    );
    this.tools = h("div", { class: "z-row", role: "group", "aria-label": "Tool" }, Object.keys(EDGE_COLOURS).map((x) => this.#tool(x)));
    this.status = h("p", { class: "z-quiet", role: "status" });
    this.result = h("div", { class: "zv-result" });
    this.text = h("input", { class: "zv-input", type: "text", spellcheck: "false", autocomplete: "off", onchange: () => this.#take(this.text.value, true) });
    this.element = h(
      "div",
      {},
      h(
        "section",
        { class: "z-card zv-card" },
        h("div", { class: "z-row" }, this.tools,
          h("button", { type: "button", onclick: () => this.#undo() }, "Undo"),
          h("button", { type: "button", onclick: () => this.#change([]) }, "Clear")),
        h("p", { class: "z-quiet", id: "zh-help" },
          "Drag from one point to another, or press two points one after the other. With the keyboard: arrow keys move, Enter begins and ends an edge, L, R and G choose a colour, Delete erases. The thick line is the ground."),
        this.picture,
        this.status,
        h("div", { class: "zv-chips" }, h("span", { class: "z-quiet" }, "Try"),
          Object.entries(HACKENBUSH_EXAMPLES).map(([name, text]) => h("button", { type: "button", class: "zv-chip", onclick: () => this.#take(text, true) }, name))),
        h("label", { class: "zv-field" }, h("span", {}, "The picture as text: stalks such as lrg+ll, or edges such as 0-a:l,a-b:r"), this.text),
      ),
      this.work.error,
      this.work.element,
      this.result,
    );
    this.#choose("l");
  }

  open({ at }) {
    if (at === undefined ? this.edges.length : at === spellEdges(this.edges)) return;
    this.#take(at ?? HACKENBUSH_EXAMPLES["three stalks"], false);
  }

  parameters() {
    return { game: "hackenbush", at: spellEdges(this.edges) };
  }

  #tool(colour) {
    const sample = colour === "x" ? null : s("svg", { viewBox: "0 0 30 8", width: 30, height: 8, "aria-hidden": "true" }, s("path", { class: "zh-edge", "data-colour": colour, d: "M3 4H27" }));
    return h("button", { type: "button", "data-tool": colour, onclick: () => this.#choose(colour) }, sample, ` ${EDGE_COLOURS[colour]}`);
  }

  #choose(colour) {
    this.colour = colour;
    for (const tool of this.tools.children) tool.setAttribute("aria-pressed", String(tool.dataset.tool === colour));
  }

  #take(text, isNew) {
    try {
      this.past.push(this.edges);
      this.edges = layoutOf(edgesFrom(text), MOST_COLUMNS, GRID_ROWS);
      this.#draw();
      this.evaluate(isNew);
    } catch (error) {
      this.work.fail(error);
    }
  }

  #change(edges) {
    this.past.push(this.edges);
    this.edges = edges;
    this.#draw();
    this.later();
  }

  #undo() {
    if (!this.past.length) return;
    this.edges = this.past.pop();
    this.#draw();
    this.later();
  }

  // -------------------------------------------------------------------- drawing

  /** On a narrow screen the grid has no more columns than the picture needs. */
  #fit() {
    const needed = Math.max(...this.edges.flatMap(({ a, b }) => [a[0], b[0]]), matchMedia("(max-width: 600px)").matches ? NARROW_COLUMNS : MOST_COLUMNS);
    if (needed === this.columns) return;
    this.columns = needed;
    this.picture.setAttribute("viewBox", `0 0 ${2 * GRID_PAD + needed * GRID_UNIT} ${2 * GRID_PAD + GRID_ROWS * GRID_UNIT}`);
    this.grid.replaceChildren(...gridDots(needed));
    this.cursor = [Math.min(this.cursor[0], needed), this.cursor[1]];
  }

  #draw(falling = new Set()) {
    this.#fit();
    const seen = {};
    const shapes = this.edges.map((edge, k) => {
      const key = [edge.a.join("."), edge.b.join(".")].sort().join("-");
      seen[key] = (seen[key] ?? 0) + 1;
      const { path, middle } = edgePath(edge, seen[key] - 1);
      return s(
        "g",
        {},
        s("path", { class: `zh-edge${falling.has(k) ? " zh-falls" : ""}`, "data-colour": edge.c, d: path }),
        s("path", { class: "zh-hit", "data-edge": k, d: path }),
        s("text", { class: "zh-letter", x: middle[0], y: middle[1] + 5, "text-anchor": "middle", "aria-hidden": "true" }, edge.c.toUpperCase()),
      );
    });
    const points = new Set(this.edges.flatMap(({ a, b }) => [a, b]).filter(([, y]) => y > 0).map(String));
    const dots = [...points].map((p) => {
      const [x, y] = place(p.split(",").map(Number));
      return s("circle", { class: "zh-point", cx: x, cy: y, r: 5 });
    });
    this.scene.replaceChildren(...shapes, ...dots);
    this.picture.setAttribute("aria-label", `Hackenbush picture with ${this.edges.length} edges`);
    this.text.value = edgesText(this.edges);
    this.#mark();
  }

  #mark() {
    const [x, y] = place(this.cursor);
    const marks = [s("circle", { class: "zh-cursor", cx: x, cy: y, r: 9 })];
    if (this.from) {
      const [fx, fy] = place(this.from);
      marks.push(s("circle", { class: "zh-from", cx: fx, cy: fy, r: 12 }), s("path", { class: "zh-edge zh-falls", "data-colour": this.colour, d: `M${fx} ${fy}L${x} ${y}` }));
    }
    this.marks.replaceChildren(...marks);
  }

  // -------------------------------------------------------------------- pointer and keys

  #near(event) {
    const box = this.picture.getBoundingClientRect();
    const view = this.picture.viewBox.baseVal;
    const column = (((event.clientX - box.left) / box.width) * view.width - GRID_PAD) / GRID_UNIT;
    const row = GRID_ROWS - (((event.clientY - box.top) / box.height) * view.height - GRID_PAD) / GRID_UNIT;
    const clamp = (x, most) => Math.min(most, Math.max(0, Math.round(x)));
    return [clamp(column, this.columns), clamp(row, GRID_ROWS)];
  }

  #down(event) {
    const hit = event.target.dataset?.edge;
    if (hit !== undefined && (this.colour === "x" || event.button === 2)) {
      this.#change(this.edges.filter((_, k) => k !== Number(hit)));
      return;
    }
    if (this.colour === "x") return;
    this.cursor = this.#near(event);
    this.pressed = this.cursor;
    if (!this.from) this.from = this.cursor;
    this.#mark();
    this.picture.setPointerCapture?.(event.pointerId);
  }

  #moveTo(event) {
    if (!this.from) return;
    this.cursor = this.#near(event);
    this.#mark();
  }

  #up(event) {
    if (!this.from || !this.pressed) return;
    this.cursor = this.#near(event);
    const dragged = String(this.pressed) !== String(this.cursor);
    const second = String(this.from) !== String(this.pressed);
    this.pressed = null;
    if (dragged || second) this.#finish();
    else this.#say();
  }

  #finish() {
    const from = this.from;
    this.from = null;
    if (from && String(from) !== String(this.cursor)) this.#change([...this.edges, { a: from, b: this.cursor, c: this.colour === "x" ? "l" : this.colour }]);
    this.#mark();
    this.#say();
  }

  #key(event) {
    const step = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    const key = event.key.toLowerCase();
    if (step) {
      const clamp = (x, most) => Math.min(most, Math.max(0, x));
      this.cursor = [clamp(this.cursor[0] + step[0], this.columns), clamp(this.cursor[1] + step[1], GRID_ROWS)];
    } else if (key === "enter" || key === " ") {
      if (this.from) this.#finish();
      else this.from = this.cursor;
    } else if (key === "escape") {
      this.from = null;
    } else if (key === "delete" || key === "backspace") {
      const at = String(this.cursor);
      this.#change(this.edges.filter(({ a, b }) => String(a) !== at && String(b) !== at));
    } else if (key in EDGE_COLOURS && !event.ctrlKey && !event.metaKey) {
      this.#choose(key);
    } else {
      return;
    }
    event.preventDefault();
    this.#mark();
    this.#say();
  }

  #say() {
    const name = ([x, y]) => (y ? `column ${x}, height ${y}` : `column ${x} on the ground`);
    this.status.textContent = this.from ? `An edge begins at ${name(this.from)}; now choose its other end: ${name(this.cursor)}.` : `${this.edges.length} edges; the cursor is at ${name(this.cursor)}.`;
  }

  // -------------------------------------------------------------------- values

  async evaluate(isNew) {
    this.changed(this.parameters(), isNew);
    if (!this.edges.length) {
      this.work.abort();
      this.work.error.hidden = true;
      this.result.replaceChildren(h("p", { class: "z-quiet zv-wide" }, "Draw an edge that stands on the ground."));
      return;
    }
    const asked = this.edges;
    const found = await this.work.run((options) => this.api.post("/values/position", { game: "hackenbush", position: edgesText(asked) }, options));
    if (!found) {
      if (!this.work.error.hidden) this.result.replaceChildren();
      return;
    }
    const rest = (text) => remaining(asked, text);
    this.result.replaceChildren(
      ...positionCards(found, {
        choose: (text) => this.chosen?.(text),
        show: (text) => this.edges === asked && this.#draw(text === null ? new Set() : new Set([...asked.keys()].filter((k) => !rest(text).has(k)))),
        play: (text) => this.#change(asked.filter((_, k) => rest(text).has(k))),
        sketch: (text) => edgeSketch(asked, rest(text)),
        part: (text) => edgeSketch(asked.filter((_, k) => rest(text).has(k)), null),
      }),
    );
  }
}

/** The numbers of the edges that still stand, by the text of a position. */
function remaining(edges, text) {
  const stand = text ? text.split(",") : [];
  const kept = new Set();
  edges.forEach((edge, k) => {
    const at = stand.indexOf(edgesText([edge]));
    if (at >= 0) {
      stand.splice(at, 1);
      kept.add(k);
    }
  });
  return kept;
}

function place([x, y]) {
  return [GRID_PAD + x * GRID_UNIT, GRID_PAD + (GRID_ROWS - y) * GRID_UNIT];
}

function edgePath({ a, b }, copy) {
  const [[x, y], [z, w]] = [place(a), place(b)];
  const grounded = a[1] === 0 && b[1] === 0;
  const length = Math.hypot(z - x, w - y) || 1;
  const bend = grounded ? 60 + 30 * copy : 30 * Math.ceil(copy / 2) * (copy % 2 ? 1 : -1);
  const [across, up] = grounded ? [0, -1] : [(w - y) / length, (x - z) / length];
  const middle = [(x + z) / 2 + across * bend, (y + w) / 2 + up * bend];
  const control = [(x + z) / 2 + 2 * across * bend, (y + w) / 2 + 2 * up * bend];
  return { path: `M${x} ${y}Q${control[0]} ${control[1]} ${z} ${w}`, middle };
}

/** A small picture of edges; those that do not stand any more are faint. */
function edgeSketch(edges, standing) {
  const places = edges.flatMap(({ a, b }) => [place(a), place(b)]);
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - 24, Math.min(...ys) - 16];
  const [wide, tall] = [Math.max(...xs) - left + 24, Math.max(...ys) - top + 8];
  const height = Math.min(64, Math.max(24, tall / 4));
  return s(
    "svg",
    { viewBox: `${left} ${top} ${wide} ${tall}`, height, width: (wide / tall) * height, "aria-hidden": "true" },
    edges.map((edge, k) => s("path", { class: `zh-edge zh-thick${!standing || standing.has(k) ? "" : " zh-falls"}`, "data-colour": edge.c, d: edgePath(edge, 0).path })),
  );
}

function gridDots(columns) {
  const dots = [];
  for (let x = 0; x <= columns; x++) {
    for (let y = 0; y <= GRID_ROWS; y++) {
      const [cx, cy] = place([x, y]);
      dots.push(s("circle", { class: "zh-grid", cx, cy, r: 2.5 }));
    }
  }
  const [, y] = place([0, 0]);
  return [...dots, s("line", { class: "zh-ground", x1: 6, x2: 2 * GRID_PAD + columns * GRID_UNIT - 6, y1: y, y2: y })];
}
