// A board that one clicks, or moves over with the arrow keys: a picture whose places are cells.

import { h, picture, s } from "../dom.js";
import { playMeant, playNext, playRank, playSign } from "./play_values.js";

const PLAY_ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const PLAY_MARK_SIZE = 14;

/** The board; play(move) is called for a chosen move, say(text) for what a reader should hear,
 *  changed(clicked) whenever other cells are clicked. */
export class PlayBoard {
  constructor({ play, say, changed }) {
    this.play = play;
    this.say = say;
    this.changed = changed;
    this.frame = h("div", { class: "zp-board" });
    this.chooser = h("div", { class: "zp-chooser z-row", role: "group", "aria-label": "Which move?", hidden: true });
    this.element = h("div", {}, this.frame, this.chooser);
    this.cells = new Map();
    this.moves = [];
    this.clicked = [];
    this.frame.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Show a picture. Moves are those that may be played now; marked are cells to point at. */
  show(source, { moves = [], flip = false, values = false, marked = [], label = "Board" } = {}) {
    const focused = this.frame.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
    this.moves = moves;
    this.values = values;
    this.clicked = [];
    this.chooser.hidden = true;
    this.svg = picture(source);
    this.frame.replaceChildren(this.svg);
    this.cells.clear();
    this.flips = false;
    this.marks = null;
    if (this.svg.localName !== "svg") return;
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", label);
    this.#size();
    for (const cell of this.svg.querySelectorAll("[data-cell]")) this.#prepare(cell, marked);
    this.flips = this.svg.dataset.flips === "true";
    if (flip && this.flips) this.#flip();
    this.marks = s("g", { class: "zp-marks", "aria-hidden": "true" });
    this.svg.append(this.marks);
    this.refresh();
    const first = this.cells.get(focused) ?? this.#firstCell();
    first?.element.setAttribute("tabindex", "0");
    if (focused) (this.cells.get(focused) ?? first)?.element.focus();
  }

  #firstCell() {
    const next = playNext(this.moves, []).keys().next().value;
    return this.cells.get(next) ?? this.cells.values().next().value;
  }

  #size() {
    const [wide, tall] = [Number(this.svg.getAttribute("width")), Number(this.svg.getAttribute("height"))];
    if (!wide || !tall) return;
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    const most = Math.max(wide, Math.min(wide * 3, 640));
    this.svg.style.width = `min(100%, ${most}px, calc(68vh * ${wide / tall}))`;
  }

  #prepare(element, marked) {
    const name = element.dataset.cell;
    const box = element.getBBox();
    const shapes = [...element.children];
    const line = shapes.length === 1 && shapes[0].localName === "path" && shapes[0].getAttribute("fill") === "none";
    let hit;
    if (line) {
      hit = shapes[0].cloneNode();
      hit.removeAttribute("stroke");
      hit.removeAttribute("stroke-width");
      hit.setAttribute("class", "zp-hit zp-line");
    } else if (shapes.length && shapes.every((x) => x.localName === "circle" || x.localName === "text")) {
      const middle = [box.x + box.width / 2, box.y + box.height / 2];
      hit = s("circle", { class: "zp-hit", cx: middle[0], cy: middle[1], r: Math.max(8, Math.min(box.width, box.height) / 2) });
    } else {
      const [wide, tall] = [Math.max(box.width, 14), Math.max(box.height, 14)];
      const [x, y] = [box.x + (box.width - wide) / 2, box.y + (box.height - tall) / 2];
      hit = s("rect", { class: "zp-hit", x: x + 1, y: y + 1, width: wide - 2, height: tall - 2, rx: 3 });
    }
    element.append(hit);
    element.classList.add("zp-cell");
    if (marked.includes(name)) element.classList.add("zp-last");
    element.setAttribute("role", "button");
    element.setAttribute("tabindex", "-1");
    const cell = { element, line, label: element.getAttribute("aria-label") ?? name };
    this.cells.set(name, cell);
    element.addEventListener("click", () => this.click(name));
    element.addEventListener("focus", () => this.#rove(element));
  }

  #rove(element) {
    for (const other of this.cells.values()) other.element.setAttribute("tabindex", "-1");
    element.setAttribute("tabindex", "0");
  }

  #flip() {
    const { width, height } = this.svg.viewBox.baseVal;
    const turn = (element) => {
      const box = element.getBBox();
      const own = element.getAttribute("transform");
      const middle = `${box.x + box.width / 2} ${box.y + box.height / 2}`;
      element.setAttribute("transform", `rotate(180 ${middle})${own ? ` ${own}` : ""}`);
    };
    const parts = [...this.svg.childNodes].filter((x) => x.nodeType === 1 && x.localName !== "title");
    for (const part of parts) if (part.dataset.cell || part.localName === "text") turn(part);
    this.turned = s("g", { transform: `rotate(180 ${width / 2} ${height / 2})` }, ...parts);
    this.svg.append(this.turned);
  }

  /** A click on a cell, or Enter. */
  click(name) {
    if (!this.moves.length) return;
    if (this.clicked.includes(name)) {
      this.select(this.clicked.filter((x) => x !== name));
      return;
    }
    let clicked = [...this.clicked, name];
    let found = playMeant(this.moves, clicked);
    if (!found.meant.length) {
      clicked = [name];
      found = playMeant(this.moves, clicked);
    }
    if (!found.meant.length) {
      this.select([]);
      this.say(`No move uses ${name}.`);
      return;
    }
    const [only, ...more] = found.meant;
    if (!more.length && this.#complete(only, clicked)) {
      this.select([]);
      this.play(only);
      return;
    }
    this.select(clicked, found.exact);
    const next = [...playNext(found.meant, clicked).keys()];
    if (next.length) this.say(`${clicked.join(", ")} chosen. Next: ${next.slice(0, 12).join(", ")}.`);
  }

  #complete(move, clicked) {
    const ways = move.ways.filter((way) => clicked.every((x) => way.includes(x)));
    return clicked.length > 1 || ways.some((way) => clicked.includes(way.at(-1)));
  }

  /** Take these cells as clicked; the moves in exact need no other cell. */
  select(clicked, exact = []) {
    this.clicked = clicked;
    this.refresh();
    this.chooser.replaceChildren(
      h("span", { class: "z-quiet" }, exact.length > 1 ? "Which move?" : "Only this, or another cell?"),
      ...exact.map((move) =>
        h("button", { type: "button", onclick: () => { this.select([]); this.play(move); } }, move.name,
          this.values && move.value ? h("span", { class: `z-value z-${move.value.result}` }, playSign(move.value)) : null)),
    );
    this.chooser.hidden = !exact.length;
    this.changed(clicked);
    if (exact.length) this.chooser.querySelector("button").focus();
  }

  /** Draw which cells are chosen, which come next, and the values of moves. */
  refresh() {
    const next = playNext(this.moves, this.clicked);
    const others = playNext(this.moves, []);
    for (const [name, { element, label }] of this.cells) {
      const moves = next.get(name);
      const classes = element.classList;
      classes.toggle("zp-picked", this.clicked.includes(name));
      classes.toggle("zp-next", Boolean(moves));
      classes.remove("zp-hint");
      const usable = moves || others.has(name) || this.moves.some((x) => x.ways.some((way) => way.includes(name)));
      element.setAttribute("aria-disabled", String(!usable));
      const value = moves && this.values ? this.#best(moves) : null;
      const words = value ? `, ${value.words}` : "";
      element.setAttribute("aria-label", label + (this.clicked.includes(name) ? ", chosen" : "") + words);
    }
    this.marks?.replaceChildren();
    if (!this.values) return;
    for (const [name, moves] of next) this.#mark(name, moves);
  }

  #best(moves) {
    const values = moves.map((x) => x.value).filter(Boolean);
    return values.length ? values.reduce((a, b) => (playRank(b) > playRank(a) ? b : a)) : null;
  }

  #mark(name, moves) {
    const value = this.#best(moves);
    const cell = this.cells.get(name);
    if (!value || !cell) return;
    const text = playSign(value);
    const { box, pixel } = this.#boxOnPicture(cell.element);
    const space = cell.line ? Infinity : Math.min(box.height * 0.42, (box.width * 0.94) / (0.62 * text.length + 0.6));
    const size = Math.min(PLAY_MARK_SIZE * pixel, space);
    const [wide, tall] = [size * (0.62 * text.length + 0.6), size * 1.3];
    const centred = cell.line || box.width < 2.2 * wide;
    const x = box.x + (box.width - wide) * (centred ? 0.5 : 1) - (centred ? 0 : 2 * pixel);
    const y = box.y + (box.height - tall) * (cell.line || box.height < 2 * tall ? 0.5 : 1) - (centred ? 0 : 2 * pixel);
    const best = moves.some((move) => move.best);
    this.marks.append(
      s("g", { class: `zp-mark z-${value.result}${best ? " zp-best" : ""}` },
        s("rect", { x, y, width: wide, height: tall, rx: tall / 2 }),
        s("text", { x: x + wide / 2, y: y + tall * 0.78, "text-anchor": "middle", "font-size": size }, text)),
    );
  }

  #boxOnPicture(element) {
    const back = this.svg.getScreenCTM().inverse();
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const a = new DOMPoint(left, top).matrixTransform(back);
    const b = new DOMPoint(right, bottom).matrixTransform(back);
    const box = { x: a.x, y: a.y, width: b.x - a.x, height: b.y - a.y };
    return { box, pixel: Math.hypot(back.a, back.b) };
  }

  /** Point at the cells of a move. */
  point(move) {
    this.select([]);
    for (const name of move.ways[0] ?? []) this.cells.get(name)?.element.classList.add("zp-hint");
  }

  #key(event) {
    const name = event.target.dataset?.cell;
    if (event.key === "Escape") {
      this.select([]);
      this.say("Nothing is chosen.");
      return;
    }
    if (name === undefined) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.click(name);
    } else if (event.key in PLAY_ARROWS) {
      event.preventDefault();
      this.#neighbour(name, PLAY_ARROWS[event.key])?.focus();
    }
  }

  /** The nearest cell in a direction. */
  #neighbour(name, [dx, dy]) {
    const middle = ({ element }) => {
      const box = element.getBoundingClientRect();
      return [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    };
    const [x, y] = middle(this.cells.get(name));
    let found = null;
    let least = Infinity;
    for (const [other, cell] of this.cells) {
      if (other === name) continue;
      const [u, v] = middle(cell);
      const along = (u - x) * dx + (v - y) * dy;
      const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
      if (along < 1) continue;
      const far = along + 3 * aside;
      if (far < least) [least, found] = [far, cell.element];
    }
    return found;
  }
}
