// The view "graph": draw or open a graph, choose an objective, solve it, step through an algorithm.
//
// Addresses: #/graph?g=… is a graph with its places, packed; ?text=…&format=… is a text of any
// format; ?game=nim:3,4 explores a game; ?solve=1 solves it; ?trace=nmfl opens the steps, ?step=3.

import { debounce, h } from "../dom.js";
import { Work } from "../work.js";
import { GraphDesk } from "./graph_desk.js";
import { GraphExportPanel } from "./graph_export.js";
import { GraphObjectiveForm, GraphSelectionForm, graphByName } from "./graph_forms.js";
import {
  emptyGraphState, graphLabel, keyOfName, patchPosition, withMove, withPosition, withoutMove, withoutPosition,
} from "./graph_model.js";
import { GraphOpenPanel } from "./graph_open.js";
import { graphScene } from "./graph_scene.js";
import { GraphStepper } from "./graph_stepper.js";
import { GraphSummary } from "./graph_summary.js";
import { GraphTable, graphLegend } from "./graph_table.js";
import { GraphView, nextGraphNode } from "./graph_view.js";

const GRAPH_STAGE_HELP = "The graph. Arrow keys go from position to position, N adds a position, M begins a move, Enter selects or ends a move, Delete deletes, Shift with arrows moves the picture, plus and minus change its size.";

const graphCount = (k, noun) => `${k.toLocaleString("en")} ${noun}${k === 1 ? "" : "s"}`;

class GraphPage extends GraphDesk {
  async open(parameters) {
    if (!this.ready) this.ready = this.#build();
    await this.ready;
    if (!this.forms) return;
    if (parameters.g && parameters.g === this.packed) return;
    this.sentence.hidden = true;
    if (parameters.example) {
      await this.#openExample(parameters.example);
      return;
    }
    if (parameters.g) await this.openPacked(parameters.g);
    else if (parameters.text) await this.load((o) => this.api.post("/graphs/parse", { text: parameters.text, format: parameters.format ?? null }, o));
    else if (parameters.game) await this.load((o) => this.api.post("/graphs/explore", { game: parameters.game }, o), parameters.game);
    else if (GraphDesk.last && !this.opened) {
      this.edit(GraphDesk.last);
      requestAnimationFrame(() => this.view.fit());
    }
    else if (this.served && !this.opened) await this.load((o) => this.api.get("/graphs/served", {}, o), this.served.name);
    this.opened = true;
    if (parameters.solve || parameters.trace) await this.solve();
    if (parameters.trace) {
      this.stepper.method.value = parameters.trace;
      await this.stepper.open();
      if (parameters.step) await this.stepper.go(Number(parameters.step) || 0);
    }
  }

  /** A worked example of the view Learn, solved, with its sentence. */
  async #openExample(name) {
    const found = await this.work.run((o) => this.api.get("/learn/example", { name }, o));
    if (!found) return;
    await this.load((o) => this.api.post("/graphs/parse", { text: found.text, format: found.format }, o), found.title);
    this.opened = true;
    this.sentence.textContent = `${found.sentence} (${found.source})`;
    this.sentence.hidden = false;
    await this.solve();
    if (!found.trace) return;
    if (found.solver) this.stepper.method.value = found.solver;
    await this.stepper.open();
  }

  // ---------------------------------------------------------------- the page

  async #build() {
    this.work = new Work();
    this.live = h("div", { class: "z-status", role: "status", "aria-live": "polite" });
    this.replaceChildren(h("h1", {}, "Graph"), this.work.element, this.work.error);
    const found = await this.work.run((o) => Promise.all([this.api.get("/graphs/catalogue", {}, o), this.api.get("/about", {}, o)]));
    if (!found) return;
    const [catalogue, about] = found;
    this.forms = catalogue.objectives;
    this.drawn = catalogue.drawn;
    this.limits = about.limits;
    this.served = about.served?.kind === "graph" ? about.served : null;
    this.view = new GraphView(this, GRAPH_STAGE_HELP);
    this.summary = new GraphSummary(this);
    this.objective = new GraphObjectiveForm(this);
    this.selection = new GraphSelectionForm(this);
    this.stepper = new GraphStepper(this);
    this.table = new GraphTable(this);
    this.exporter = new GraphExportPanel(this);
    this.opener = new GraphOpenPanel(this);
    this.objective.fill(this.forms);
    this.opener.fill(catalogue);
    this.byName = graphByName(this);
    this.#layOut(catalogue);
    this.saveLink = debounce(400, () => this.writeLink());
    this.solveLater = debounce(350, () => this.solve());
    this.refresh();
    requestAnimationFrame(() => this.view.fit());
  }

  #layOut(catalogue) {
    const button = (text, action, more = {}) => h("button", { type: "button", onclick: action, ...more }, text);
    this.modes = {
      draw: button("Draw", () => this.#mode("draw"), { title: "Click to add a position, drag from one position to another to add a move" }),
      move: button("Move", () => this.#mode("move"), { title: "Drag positions to other places" }),
    };
    this.undoButton = button("Undo", () => this.history.undo());
    this.redoButton = button("Redo", () => this.history.redo());
    this.deleteButton = button("Delete", () => this.removeSelected());
    this.layout = h("select", { "aria-label": "Lay out", onchange: () => { this.arrange(this.layout.value); this.layout.value = ""; } },
      h("option", { value: "" }, "Lay out…"), catalogue.layouts.map((x) => h("option", { value: x }, x)));
    this.hint = h("p", { class: "zg-hint" }, "Click to add a position. Drag from one position to another to add a move. Or open a graph.");
    this.legend = h("div", { class: "zg-legend", hidden: true });
    this.caption = h("span", { class: "zg-title" });
    this.sentence = h("p", { class: "zg-example", hidden: true });
    this.openBox = h("details", { class: "z-card zg-openbox" }, h("summary", {}, "Open a graph"), this.opener.element);
    this.verdict = h("p", { class: "zg-verdict", role: "status" });
    this.reason = h("pre", { class: "zg-why", hidden: true, tabindex: 0, "aria-label": "Why" });
    this.player = h("select", { "aria-label": "Player to move", hidden: true, onchange: () => this.selected?.key !== undefined && this.why(this.selected.key) },
      h("option", { value: 0 }, "player 0 to move"), h("option", { value: 1 }, "player 1 to move"));
    const tools = h("div", { class: "z-row zg-tools", role: "toolbar", "aria-label": "Tools" },
      h("span", { class: "zg-group" }, this.modes.draw, this.modes.move),
      h("span", { class: "zg-group" }, this.undoButton, this.redoButton, this.deleteButton),
      this.layout,
      h("span", { class: "zg-group" }, button("+", () => this.view.zoom(1.25), { "aria-label": "Larger" }), button("−", () => this.view.zoom(0.8), { "aria-label": "Smaller" }), button("Fit", () => this.view.fit())),
      button("New", () => this.#fresh()));
    this.drawing = h("div", {}, tools, h("div", { class: "zg-frame" }, this.view.element, this.hint), this.legend, this.byName.element);
    const solve = button("Solve", () => this.solve(), { class: "z-main" });
    this.selectedCard = h("section", { class: "z-card" }, h("h2", {}, "Selected"), this.selection.element, this.player, this.reason);
    const side = h("div", { class: "zg-side" },
      h("section", { class: "z-card" }, h("h2", {}, "Objective"), this.objective.element, h("div", { class: "z-row zg-solve" }, solve), this.verdict, this.stepper.element),
      this.selectedCard,
      h("section", { class: "z-card" }, h("h2", {}, "Export"), this.exporter.element));
    this.replaceChildren(
      h("h1", {}, "Graph ", this.caption), this.sentence, this.openBox, this.work.element, this.work.error,
      h("div", { class: "z-split zg-split" }, h("div", { class: "zg-main" }, this.drawing, this.summary.element, this.table.element), side), this.live);
    this.#mode("draw");
  }

  refresh() {
    if (!this.view) return;
    const { state, large } = this;
    this.drawing.hidden = Boolean(large);
    this.table.element.hidden = this.selectedCard.hidden = Boolean(large);
    this.summary.element.hidden = !large;
    if (!large) {
      const chosen = this.choosing ? new Set(state.objective.sets[this.choosing] ?? []) : this.#allChosen();
      const options = { form: this.form, results: this.results, step: this.stepper.view(), selected: this.selected, focus: this.focused, chosen, line: this.line };
      this.view.draw(graphScene(state, options));
    }
    const [n, m] = large ? [large.n, large.m] : [state.positions.length, state.moves.length];
    this.caption.textContent = n ? `${this.named ? `${this.named}: ` : ""}${graphCount(n, "position")}, ${graphCount(m, "move")}` : "";
    this.hint.hidden = state.positions.length > 0;
    this.undoButton.disabled = !this.history.past.length;
    this.redoButton.disabled = !this.history.future.length;
    this.deleteButton.disabled = !this.selected;
    const marked = this.line && this.stepper.total === null ? [{ sign: "move", text: "best play from here", kind: "", dash: "hot" }] : [];
    const entries = [...(this.results?.legend ?? []), ...marked];
    this.player.hidden = !this.solved?.doubled || this.selected?.key === undefined;
    this.legend.replaceChildren(...graphLegend(entries));
    this.legend.hidden = !entries.length;
    this.objective.update();
    this.selection.update();
    this.stepper.update();
    this.table.update();
    this.byName.update();
  }

  #allChosen() {
    const sets = this.form.parameters.filter((x) => x.kind === "positions").map((x) => this.state.objective.sets[x.name] ?? []);
    return new Set(sets.flat());
  }

  fail(error) {
    this.work.fail(error);
  }

  say(text) {
    this.live.textContent = text;
  }

  // ---------------------------------------------------------------- changes

  edit(next, kind = "game", merge = false) {
    this.history.change(next, kind, merge);
  }

  changed(kind) {
    GraphDesk.last = this.state;
    if (kind === "game") this.#forget();
    this.work.error.hidden = true;
    if (this.selected && !this.#exists(this.selected)) this.selected = null;
    if (!this.state.positions.some((p) => p.key === this.focused)) this.focused = null;
    this.refresh();
    this.saveLink?.();
  }

  /** The results are those of another game now; they come again if one wants to see them. */
  #forget() {
    const again = Boolean(this.solved);
    this.results = this.solved = this.line = null;
    this.reason.hidden = true;
    this.verdict.textContent = "";
    this.exporter.hide();
    this.stepper.close();
    if (again && !this.large) this.solveLater();
    else if (this.large) this.summary.load();
  }

  #exists({ key, from, to }) {
    const { positions, moves } = this.state;
    return key !== undefined ? positions.some((p) => p.key === key) : moves.some((m) => m.from === from && m.to === to);
  }

  #mode(name) {
    this.view.mode = name;
    this.choosing = null;
    for (const [key, button] of Object.entries(this.modes)) button.setAttribute("aria-pressed", String(key === name));
    this.refresh();
  }

  #fresh() {
    this.named = "";
    this.solved = null;
    this.edit({ ...emptyGraphState(), objective: { name: this.form.name, values: {}, sets: {} } });
    this.view.fit();
    this.view.element.focus();
  }

  chooseObjective(name) {
    this.choosing = null;
    this.edit({ ...this.state, objective: { ...this.state.objective, name } });
  }

  setValue(name, value) {
    const { objective } = this.state;
    this.edit({ ...this.state, objective: { ...objective, values: { ...objective.values, [name]: value } } });
  }

  namesOfSet(name) {
    const keys = this.state.objective.sets[name] ?? [];
    if (this.large) return keys.slice(0, 100).map((v) => this.large.label(v));
    const labels = new Map(this.state.positions.map((p) => [p.key, graphLabel(p.name)]));
    return keys.map((key) => labels.get(key));
  }

  setSet(name, names) {
    const keys = names.map((x) => (this.large ? this.large.find(x) : keyOfName(this.state, x)));
    const missing = names.find((_, k) => keys[k] === undefined);
    if (missing !== undefined) this.fail(new Error(`There is no position ${missing}.`));
    else this.#putSet(name, [...new Set(keys)]);
  }

  #putSet(name, keys) {
    const { objective } = this.state;
    this.edit({ ...this.state, objective: { ...objective, sets: { ...objective.sets, [name]: keys } } });
  }

  /** Positions are picked for a set until this is called with null. */
  choose(name) {
    this.choosing = name;
    this.say(name ? "Click positions, or go to them with the arrow keys and press Enter." : "");
    this.refresh();
  }

  #toggleChosen(key) {
    const keys = this.state.objective.sets[this.choosing] ?? [];
    this.#putSet(this.choosing, keys.includes(key) ? keys.filter((x) => x !== key) : [...keys, key]);
  }

  select(target, show = false) {
    this.selected = target;
    this.line = null;
    this.reason.hidden = true;
    if (target?.key !== undefined) this.focused = target.key;
    this.refresh();
    const node = this.view.scene.nodes.find((n) => n.key === target?.key);
    if (node && show) this.view.show(node.x, node.y);
    if (node) this.say(this.#described(node));
    if (node && this.results && this.stepper.total === null) this.why(node.key);
  }

  #described(node) {
    const result = this.resultText(node.key);
    const moves = this.state.moves.filter((m) => m.from === node.key).map((m) => graphLabel(this.state.positions.find((p) => p.key === m.to).name));
    return result || `${node.label}${node.owner === null ? "" : `, player ${node.owner}`}, ${moves.length ? `moves to ${moves.join(", ")}` : "no moves"}`;
  }

  /** The result of a position as a sentence; empty if there is none. */
  resultText(key) {
    if (!this.results || key === undefined) return "";
    const v = this.state.positions.findIndex((p) => p.key === key);
    return v < 0 ? "" : this.results.answers[v];
  }

  removeSelected() {
    if (!this.selected) return;
    const { key, from, to } = this.selected;
    this.edit(key !== undefined ? withoutPosition(this.state, key) : withoutMove(this.state, from, to));
  }

  /** Whether one more position may be added. */
  #hasSpace() {
    if (this.state.positions.length < this.drawn) return true;
    this.fail(new Error(`A graph that is drawn by hand has at most ${this.drawn.toLocaleString("en")} positions.`));
    return false;
  }

  #add(x, y, name) {
    if (!this.#hasSpace()) return null;
    const next = withPosition(this.state, { x: Math.round(x), y: Math.round(y), ...(name ? { name } : {}) });
    const { key } = next.positions.at(-1);
    this.selected = { key };
    this.focused = key;
    this.edit(next);
    return key;
  }

  addNamed(name) {
    if (name && keyOfName(this.state, name) !== undefined) {
      this.fail(new Error(`Another position is called ${name}.`));
      return false;
    }
    const key = this.#add(...this.#freePlace(this.view.middle()), name);
    if (key === null) return false;
    this.view.show(...this.#placeOf(key));
    this.say(`added ${name || "a position"}`);
    return true;
  }

  #placeOf(key) {
    const { x, y } = this.state.positions.find((p) => p.key === key);
    return [x, y];
  }

  /** A place near a point where no position is. */
  #freePlace([x, y]) {
    for (let k = 0; ; k++) {
      const [radius, angle] = [28 * Math.sqrt(k) * 1.6, 2.4 * k];
      const at = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
      if (!this.state.positions.some((p) => Math.abs(p.x - at[0]) < 90 && Math.abs(p.y - at[1]) < 64)) return at;
    }
  }

  moveByNames(from, to) {
    const keys = [from, to].map((x) => keyOfName(this.state, x));
    const missing = [from, to].find((_, k) => keys[k] === undefined);
    if (missing !== undefined) {
      this.fail(new Error(missing ? `There is no position ${missing}.` : "A move needs two names."));
      return false;
    }
    this.edit(withMove(this.state, ...keys));
    this.say(`added the move from ${from} to ${to}`);
    return true;
  }

  // ---------------------------------------------------------------- what the stage asks for

  tapped(target, point) {
    if (this.choosing && target?.key !== undefined) this.#toggleChosen(target.key);
    else if (target) this.select(target);
    else if (this.view.mode === "draw" && !this.choosing) this.#add(...point);
    else this.select(null);
  }

  moved(key, point, phase) {
    if (phase === "begin") this.edit({ ...this.state }, "picture");
    else this.edit(patchPosition(this.state, key, { x: Math.round(point[0]), y: Math.round(point[1]) }), "picture", true);
  }

  linked(from, to) {
    if (to === undefined) return;
    this.selected = { from, to };
    this.edit(withMove(this.state, from, to));
    this.refresh();
  }

  pressed(event) {
    if (event.key.startsWith("Arrow")) return this.#walk(event);
    const at = this.view.scene.nodes.find((n) => n.key === this.focused);
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey) {
      if (key === "z" && !event.shiftKey) this.history.undo();
      else if (key === "y" || key === "z") this.history.redo();
      else return false;
    } else if (key === "n") {
      const spot = this.#freePlace(at ? [at.x + 110, at.y] : this.view.middle());
      const made = this.#add(...spot);
      if (made !== null) this.view.show(...spot);
      this.say(`added ${this.view.scene.nodes.find((n) => n.key === made)?.label ?? ""}`);
    } else if (key === "m" && at) {
      this.linking = at.key;
      this.say(`a move from ${at.label}: go to its target with the arrow keys and press Enter`);
    } else if (key === "enter" || key === " ") this.#enter(at);
    else if (key === "delete" || key === "backspace") {
      if (!this.selected && at) this.selected = { key: at.key };
      this.removeSelected();
    } else if (key === "escape") {
      this.linking = null;
      this.choosing = null;
      this.select(null);
    } else return false;
    return true;
  }

  #enter(at) {
    if (!at) return;
    if (this.linking !== null) {
      const from = this.linking;
      this.linking = null;
      this.linked(from, at.key);
      this.say("added the move");
    } else if (this.choosing) this.#toggleChosen(at.key);
    else this.select({ key: at.key });
  }

  #walk(event) {
    const { nodes } = this.view.scene;
    if (!nodes.length) return false;
    const at = nodes.find((n) => n.key === this.focused);
    if (event.altKey && at) {
      const [dx, dy] = { ArrowLeft: [-20, 0], ArrowRight: [20, 0], ArrowUp: [0, -20], ArrowDown: [0, 20] }[event.key];
      this.edit(patchPosition(this.state, at.key, { x: at.x + dx, y: at.y + dy }), "picture");
      return true;
    }
    const next = at ? nextGraphNode(nodes, at, event.key) : nodes[0];
    if (!next) return true;
    this.focused = next.key;
    this.refresh();
    this.view.show(next.x, next.y);
    this.say(this.#described(next));
    return true;
  }

  stepped() {
    this.refresh();
  }

  // ---------------------------------------------------------------- what comes from the server

  titled(title) {
    this.named = title;
    this.openBox.open = false;
    requestAnimationFrame(() => this.view.fit());
  }

  solvedNow({ verdict, note, solver, objective }) {
    const forgotten = note && h("strong", { class: "zg-note" }, ` ${note}`);
    this.verdict.replaceChildren(h("strong", {}, `${verdict}.`), ` Solved by ${solver}: ${objective}.`, forgotten);
    this.refresh();
    this.view.refit();
    this.saveLink();
    if (this.large) this.summary.load();
    else if (this.selected?.key !== undefined && this.stepper.total === null) this.why(this.selected.key);
  }

  explained({ text }, line) {
    this.reason.textContent = text;
    this.reason.hidden = false;
    this.line = line;
    this.refresh();
  }
}

customElements.define("z-graph", GraphPage);
