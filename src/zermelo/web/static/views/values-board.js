// An editor of boards: rows of letters, for every partizan game that is played on squares.

import { debounce, h, s } from "../dom.js";
import { Work } from "../work.js";
import { positionCards } from "./values-position.js";
import { shortened } from "./values-result.js";

const LEFT_LETTERS = "lt";
const RIGHT_LETTERS = "rf";
const MOST_SIDE = 12;
const MOST_ROWS = 40;

/** The panel; changed(parameters, isNew) is called when the address must change. */
export class BoardPanel {
  constructor(api, changed) {
    this.api = api;
    this.changed = changed;
    this.work = new Work();
    this.games = null;
    this.rows = [];
    this.focus = [0, 0];
    this.later = debounce(350, () => this.evaluate(true));
    this.select = h("select", { onchange: () => this.#start(this.select.value, null, true) });
    this.tall = this.#number("rows");
    this.wide = this.#number("columns");
    this.text = h("input", { class: "zv-input", type: "text", spellcheck: "false", autocomplete: "off", onchange: () => this.#read(this.text.value) });
    this.board = h("div", { class: "zb-board", role: "grid", onkeydown: (event) => this.#key(event) });
    this.summary = h("p", { class: "z-quiet" });
    this.letters = h("p", { class: "z-quiet" });
    this.status = h("p", { class: "z-status", role: "status" });
    this.editor = h(
      "section",
      { class: "z-card zv-card" },
      h("div", { class: "z-row" }, h("label", {}, "Game", this.select), h("label", {}, "rows", this.tall), h("label", {}, "columns", this.wide),
        h("button", { type: "button", onclick: () => this.#start(this.game.name, null, true) }, "Example"),
        h("button", { type: "button", onclick: () => this.#clear() }, "Clear")),
      this.summary,
      h("div", { class: "z-scroll zb-frame" }, this.board),
      this.letters,
      h("label", { class: "zv-field" }, h("span", {}, "The position as text"), this.text),
      this.work.error,
      this.work.element,
    );
    this.result = h("div", { class: "zv-result" }, this.editor);
    this.element = h("div", {}, this.status, this.result);
  }

  async open({ game, at }) {
    if (!this.games) {
      const found = await this.work.run((options) => this.api.get("/values/games", {}, options));
      if (!found) return;
      this.games = found.games.filter((x) => x.kind !== "graph");
      this.select.replaceChildren(...this.games.map((x) => h("option", { value: x.name }, x.name)));
    }
    if (this.game && game === undefined && at === undefined) return;
    if (this.game && game === this.game.name && at === this.#spell()) return;
    const known = game === undefined || this.games.some((x) => x.name === game);
    this.#start(game, known ? at ?? null : null, false);
    if (!known) this.work.fail(new Error(`There is no board game '${game}' here, so this is ${this.game.name}.`));
  }

  parameters() {
    return this.game ? { game: this.game.name, at: this.#spell() } : { tab: "board" };
  }

  #start(name, at, isNew) {
    this.game = this.games.find((x) => x.name === name) ?? this.games[0];
    this.select.value = this.game.name;
    const summary = this.game.summary;
    this.summary.textContent = `${summary[0].toUpperCase()}${summary.slice(1)}.`;
    const meanings = this.game.letters.map(({ letter, meaning }) => `${letter} is ${meaning}`);
    this.letters.textContent = `Press a square to change it, or type a letter: ${meanings.join(", ")}. The arrow keys move.`;
    const strip = this.game.kind === "strip";
    this.tall.disabled = strip;
    this.focus = [0, 0];
    if (this.#take(at ?? this.game.example)) this.evaluate(isNew);
    else this.#show(this.game.example.split("/"));
  }

  #number(name) {
    return h("input", { class: "zb-number", type: "number", min: 1, max: MOST_SIDE, "aria-label": name, onchange: () => this.#resize() });
  }

  /** Show a board that is given as text; a sentence if it has too many rows. */
  #take(text) {
    const rows = text.toLowerCase().split("/");
    if (rows.length <= MOST_ROWS) this.#show(rows);
    else this.work.fail(new Error(`Expected a board of at most ${MOST_ROWS} rows, got ${rows.length.toLocaleString("en")}.`));
    return rows.length <= MOST_ROWS;
  }

  #show(rows) {
    const wide = Math.max(1, ...rows.map((x) => x.length));
    this.rows = rows.map((row) => [...row.padEnd(wide, this.#blank())]);
    this.#draw();
  }

  #read(text) {
    if (this.#take(text.trim() || this.game.example)) this.evaluate(true);
  }

  #blank() {
    return this.game.letters.find((x) => x.letter === ".")?.letter ?? this.game.letters[0].letter;
  }

  #clear() {
    this.rows = this.rows.map((row) => row.map(() => this.#blank()));
    this.#draw();
    this.evaluate(true);
  }

  #resize() {
    const size = (input, most) => Math.min(most, Math.max(1, Math.trunc(Number(input.value)) || 1));
    const strip = this.game.kind === "strip";
    const tall = strip ? 1 : size(this.tall, MOST_SIDE);
    const wide = size(this.wide, strip ? 30 : MOST_SIDE);
    const blank = this.#blank();
    this.rows = Array.from({ length: tall }, (_, i) => Array.from({ length: wide }, (_, j) => this.rows[i]?.[j] ?? blank));
    this.focus = [0, 0];
    this.#draw();
    this.later();
  }

  #spell() {
    return this.rows.map((row) => row.join("")).join("/");
  }

  /** Draw the board, or a move of it: squares that differ are marked. */
  #draw(preview = null) {
    const shown = preview ? preview.split("/").map((row) => [...row]) : this.rows;
    const wide = this.rows[0].length;
    this.board.style.gridTemplateColumns = `repeat(${wide}, max-content)`;
    this.board.className = `zb-board${wide > 10 ? " zb-tiny" : wide > 7 ? " zb-small" : ""}`;
    this.board.setAttribute("aria-label", `Board of ${this.game.name}, ${this.rows.length} rows, ${wide} columns`);
    this.board.replaceChildren(
      ...this.rows.map((row, i) => h("div", { role: "row", class: "zb-row" }, row.map((letter, j) => this.#square(i, j, shown[i]?.[j] ?? letter, letter)))),
    );
    if (preview) return;
    this.text.value = this.#spell();
    this.tall.value = this.rows.length;
    this.wide.value = wide;
  }

  #square(i, j, letter, before) {
    const meaning = this.game.letters.find((x) => x.letter === letter)?.meaning ?? letter;
    const side = LEFT_LETTERS.includes(letter) ? "left" : RIGHT_LETTERS.includes(letter) ? "right" : letter === "e" ? "both" : null;
    return h(
      "button",
      {
        type: "button", role: "gridcell", class: `zb-square${letter === before ? "" : " zb-changed"}`, "data-letter": letter, "data-side": side,
        tabindex: i === this.focus[0] && j === this.focus[1] ? 0 : -1,
        "aria-label": `row ${i + 1}, column ${j + 1}: ${meaning}`, onclick: () => this.#press(i, j),
      },
      ".#".includes(letter) ? "" : letter.toUpperCase(),
    );
  }

  #press(i, j, letter = null) {
    const cycle = this.game.letters.map((x) => x.letter);
    this.focus = [i, j];
    this.rows[i][j] = letter ?? cycle[(cycle.indexOf(this.rows[i][j]) + 1) % cycle.length];
    this.#draw();
    this.#focus();
    this.later();
  }

  #focus() {
    const [i, j] = this.focus;
    this.board.children[i]?.children[j]?.focus();
  }

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [i, j] = this.focus;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (step) {
      event.preventDefault();
      const clamp = (x, n) => Math.min(n - 1, Math.max(0, x));
      this.focus = [clamp(i + step[0], this.rows.length), clamp(j + step[1], this.rows[0].length)];
      for (const square of this.board.querySelectorAll("button")) square.tabIndex = -1;
      const [a, b] = this.focus;
      this.board.children[a].children[b].tabIndex = 0;
      this.#focus();
    } else if (this.game.letters.some((x) => x.letter === event.key.toLowerCase())) {
      event.preventDefault();
      this.#press(i, j, event.key.toLowerCase());
    }
  }

  /** Put cards behind the editor, which stays where it is and keeps the focus. */
  #answer(...cards) {
    while (this.result.lastElementChild !== this.editor) this.result.lastElementChild.remove();
    this.result.append(...cards);
  }

  async evaluate(isNew) {
    const [game, position] = [this.game.name, this.#spell()];
    this.changed({ game, at: position }, isNew);
    const found = await this.work.run((options) => this.api.post("/values/position", { game, position }, options));
    if (!found) {
      if (!this.work.error.hidden) this.#answer();
      return;
    }
    this.status.textContent = `The value is ${shortened(found.value.text, 200)}. ${found.value.outcome.sentence}`;
    this.#answer(
      ...positionCards(found, {
        choose: (text) => this.chosen?.(text),
        show: (text) => this.#draw(text),
        sketch: (text, player) => boardSketch(this.rows, text, player),
        part: (text) => boardSketch(text.split("/").map((row) => [...row]), text, ""),
        beside: true,
        play: (text) => this.#read(text),
      }),
    );
  }
}

const SKETCH_UNIT = 9;

/** A small picture of a move: the squares that it changes are filled, with the player's initial. */
function boardSketch(rows, text, player) {
  const after = text.split("/");
  const [tall, wide] = [rows.length, rows[0].length];
  const squares = rows.flatMap((row, i) =>
    row.map((letter, j) => {
      const changed = (after[i]?.[j] ?? letter) !== letter;
      const name = changed ? `zb-mini zb-mini-${player.toLowerCase()}` : letter === "#" ? "zb-mini zb-mini-none" : "zb-mini";
      return s("rect", { class: name, x: j * SKETCH_UNIT + 1, y: i * SKETCH_UNIT + 1, width: SKETCH_UNIT - 1, height: SKETCH_UNIT - 1 });
    }),
  );
  const size = { width: wide * SKETCH_UNIT + 1, height: tall * SKETCH_UNIT + 1 };
  return s("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}`, "aria-hidden": "true" }, squares);
}
