// Step through an algorithm, forward and back; the steps come in pages from the server.

import { h } from "../dom.js";

const GRAPH_STEP_PAGE = 200;
const GRAPH_PLAY_EVERY = 900;

/** The stepper. Place k is after k steps; the host draws view(), which is null if it is closed. */
export class GraphStepper {
  constructor(host) {
    this.host = host;
    this.total = null;
    this.place = 0;
    this.pages = new Map();
    this.playing = 0;
    const button = (text, label, action) => h("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
    this.method = h("select", { "aria-label": "Method", onchange: () => this.open() });
    this.start = h("button", { type: "button", onclick: () => (this.total === null ? this.open() : this.close()) }, "Step through it");
    this.first = button("|◀", "First step", () => this.go(0));
    this.back = button("◀", "Back", () => this.go(this.place - 1));
    this.forward = button("▶", "Forward", () => this.go(this.place + 1));
    this.last = button("▶|", "Last step", () => this.go(this.total));
    this.play = h("button", { type: "button", onclick: () => this.#toggle() }, "Play");
    this.slider = h("input", { type: "range", min: 0, value: 0, step: 1, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.count = h("span", { class: "zg-count" });
    this.rule = h("span", { class: "zg-rule" });
    this.text = h("span", { class: "zg-step-text" });
    this.controls = h("div", { hidden: true },
      h("div", { class: "z-row zg-steps" }, this.first, this.back, this.forward, this.last, this.play, this.slider, this.count),
      h("p", { class: "zg-step", "aria-live": "polite" }, this.rule, " ", this.text));
    this.element = h("div", { class: "zg-stepper" }, h("div", { class: "z-row" }, this.start, this.method), this.controls);
  }

  /** The methods of the objective. */
  update() {
    const { form } = this.host;
    if (this.known === form.name) return;
    this.known = form.name;
    this.method.replaceChildren(...form.traces.map((x) => h("option", { value: x }, x)));
    this.method.hidden = form.traces.length < 2;
    this.start.hidden = !form.traces.length;
  }

  async open() {
    this.#stop();
    this.pages.clear();
    const solver = this.method.value || "auto";
    const found = await this.#load(0, solver);
    if (!found) return;
    this.total = found.total;
    this.slider.max = this.total;
    this.controls.hidden = false;
    this.start.textContent = "Leave the steps";
    await this.go(0);
  }

  close() {
    this.#stop();
    if (this.total === null) return;
    this.total = null;
    this.pages.clear();
    this.controls.hidden = true;
    this.start.textContent = "Step through it";
    this.host.stepped();
  }

  async go(place) {
    if (this.total === null) return;
    const next = Math.max(0, Math.min(this.total, place));
    this.place = next;
    const page = Math.floor(Math.max(0, next - 1) / GRAPH_STEP_PAGE);
    if (!this.pages.has(page) && !(await this.#load(page, this.method.value || "auto"))) return;
    if (this.place !== next || this.total === null) return;
    this.#show();
    this.host.stepped();
  }

  async #load(page, solver) {
    const found = await this.host.ask("/graphs/trace", { solver, first: page * GRAPH_STEP_PAGE, count: GRAPH_STEP_PAGE });
    if (found) {
      if (this.pages.size > 20) this.pages.clear();
      this.pages.set(page, found);
    }
    return found;
  }

  #current() {
    const page = this.pages.get(Math.floor(Math.max(0, this.place - 1) / GRAPH_STEP_PAGE));
    return page && { page, step: this.place ? page.steps[this.place - 1 - page.first] : null };
  }

  #show() {
    const { step } = this.#current();
    this.slider.value = this.place;
    this.slider.setAttribute("aria-valuetext", `step ${this.place} of ${this.total}`);
    this.count.textContent = `${this.place.toLocaleString("en")} of ${this.total.toLocaleString("en")}`;
    this.rule.textContent = step?.rule ?? "";
    this.rule.hidden = !step?.rule;
    this.text.textContent = step ? step.text : this.total ? "Before the first step." : "There is nothing to do.";
    this.first.disabled = this.back.disabled = this.place === 0;
    this.last.disabled = this.forward.disabled = this.place === this.total;
    if (this.place === this.total) this.#stop();
  }

  #toggle() {
    if (this.playing) return this.#stop();
    this.play.textContent = "Pause";
    if (this.place === this.total) this.go(0);
    this.playing = setInterval(() => this.go(this.place + 1), GRAPH_PLAY_EVERY);
  }

  #stop() {
    clearInterval(this.playing);
    this.playing = 0;
    this.play.textContent = "Play";
  }

  /** What the picture shows at this place; null if the stepper is closed. */
  view() {
    if (this.total === null) return null;
    const current = this.#current();
    if (!current) return null;
    const { page, step } = current;
    const results = new Map();
    const take = ([v, player, text, kind]) => {
      if (player === null) results.set(v, [{ text, kind }]);
      else {
        const both = results.get(v) ?? [null, null];
        results.set(v, both.map((x, k) => (k === player ? { text, kind } : x)));
      }
    };
    page.before.forEach(take);
    for (let k = 0; k < this.place - page.first; k++) page.steps[k].results.forEach(take);
    return {
      results, positions: new Set(step?.positions ?? []), moves: new Set((step?.moves ?? []).map(([u, w]) => `${u} ${w}`)),
      within: step?.within ? new Set(step.within) : null,
    };
  }
}
