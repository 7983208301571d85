// The view "values": type a value, draw a position of a partizan game, or look at heaps.

import { h } from "../dom.js";
import { writeRoute } from "../route.js";
import { BoardPanel } from "./values-board.js";
import { ExpressionPanel } from "./values-expression.js";
import { HackenbushPanel } from "./values-hackenbush.js";
import { HeapPanel } from "./values-heaps.js";

const VALUE_TABS = {
  expression: ["Expression", ExpressionPanel],
  board: ["Board", BoardPanel],
  hackenbush: ["Hackenbush", HackenbushPanel],
  heaps: ["Heaps", HeapPanel],
};

/** Which tab an address is for. */
function tabOf({ tab, expr, game, heap }) {
  if (Object.hasOwn(VALUE_TABS, tab ?? "")) return tab;
  if (expr !== undefined) return "expression";
  if (heap !== undefined) return "heaps";
  if (game === "hackenbush") return "hackenbush";
  return game === undefined ? "expression" : "board";
}

class ValuesPage extends HTMLElement {
  #tabs = {};
  #panels = {};
  #body = null;
  #current = null;
  #isNew = false;

  open(parameters) {
    if (!this.#body) this.#build();
    this.#show(tabOf(parameters), parameters);
  }

  #build() {
    this.#body = h("div", { role: "tabpanel", id: "zv-panel" });
    for (const [name, [title]] of Object.entries(VALUE_TABS)) {
      this.#tabs[name] = h(
        "button",
        { type: "button", role: "tab", id: `zv-tab-${name}`, "aria-controls": "zv-panel", onclick: () => this.#choose(name) },
        title,
      );
    }
    const bar = h("div", { class: "zv-tabs", role: "tablist", "aria-label": "What to value", onkeydown: (event) => this.#key(event) }, Object.values(this.#tabs));
    this.replaceChildren(h("h1", {}, "Values"), bar, this.#body);
  }

  #choose(name) {
    this.#isNew = true; // the first address of the tab is a new entry of the history
    this.#show(name, {});
    this.#write(name, this.#panels[name].parameters(), false);
  }

  #show(name, parameters) {
    for (const [other, tab] of Object.entries(this.#tabs)) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
    }
    this.#body.setAttribute("aria-labelledby", `zv-tab-${name}`);
    this.#panels[name] ??= new VALUE_TABS[name][1](this.api, (given, isNew) => this.#write(name, given, !isNew));
    this.#panels[name].chosen = (text) => this.#evaluate(text);
    if (this.#current !== name) this.#body.replaceChildren(this.#panels[name].element);
    this.#current = name;
    this.#panels[name].open(parameters);
  }

  /** Open a value of a picture as an expression. */
  #evaluate(text) {
    writeRoute("values", { expr: text }, false);
    this.#show("expression", { expr: text });
  }

  #write(name, parameters, replace) {
    if (this.#current !== name) return;
    const implied = tabOf(parameters) === name;
    writeRoute("values", implied ? parameters : { tab: name, ...parameters }, replace && !this.#isNew);
    this.#isNew = false;
  }

  #key(event) {
    const names = Object.keys(VALUE_TABS);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = names[(names.indexOf(this.#current) + step + names.length) % names.length];
    this.#choose(next);
    this.#tabs[next].focus();
  }
}

customElements.define("z-values", ValuesPage);
