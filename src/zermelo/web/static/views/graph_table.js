// All positions as a table, for readers who prefer it, and for screen readers.

import { h } from "../dom.js";
import { graphLabel } from "./graph_model.js";

const GRAPH_TABLE_ROWS = 50;

/** The table; a click on a name selects the position. */
export class GraphTable {
  constructor(host) {
    this.host = host;
    this.page = 0;
    this.body = h("tbody");
    this.head = h("tr");
    this.before = h("button", { type: "button", onclick: () => this.#turn(-1) }, "Before");
    this.after = h("button", { type: "button", onclick: () => this.#turn(1) }, "After");
    this.count = h("span", { class: "z-quiet" });
    this.pages = h("div", { class: "z-row" }, this.before, this.after, this.count);
    this.element = h("details", { class: "z-card zg-table", ontoggle: () => this.update() },
      h("summary", {}, "Positions as a table"),
      h("div", { class: "z-scroll", tabindex: 0, role: "region", "aria-label": "Positions" }, h("table", {}, h("thead", {}, this.head), this.body)), this.pages);
  }

  #turn(step) {
    this.page += step;
    this.update();
  }

  update() {
    const { state, form, results } = this.host;
    const { positions } = state;
    if (!this.element.open) return;
    const last = Math.max(0, Math.ceil(positions.length / GRAPH_TABLE_ROWS) - 1);
    this.page = Math.min(Math.max(0, this.page), last);
    const first = this.page * GRAPH_TABLE_ROWS;
    const kinds = new Set(form.parameters.map((x) => x.kind));
    const owned = form.players === "own" || (state.owned && form.players === "either");
    const columns = ["position", owned && "owner", kinds.has("priority") && "priority", kinds.has("colour") && "colours", "moves to", "result"].filter((x) => x);
    this.head.replaceChildren(...columns.map((x) => h("th", { scope: "col" }, x)));
    const name = new Map(positions.map((p) => [p.key, graphLabel(p.name)]));
    const targets = new Map();
    for (const m of state.moves) targets.set(m.from, [...(targets.get(m.from) ?? []), name.get(m.to)]);
    this.body.replaceChildren(...positions.slice(first, first + GRAPH_TABLE_ROWS).map((p, k) => {
      const cells = {
        position: h("button", { type: "button", class: "zg-link", onclick: () => this.host.select({ key: p.key }, true) }, name.get(p.key)),
        owner: String(p.owner), priority: String(p.priority), colours: p.colours.join(", "),
        "moves to": (targets.get(p.key) ?? []).join(", ") || "–",
        result: results ? h("span", {}, results.cells[first + k].map(([text, kind]) => h("span", { class: `zg-chip zg-${kind}` }, text)), " ", h("span", { class: "zg-sentence" }, results.answers[first + k])) : "–",
      };
      return h("tr", {}, columns.map((x) => h("td", {}, cells[x])));
    }));
    this.pages.hidden = last === 0;
    this.before.disabled = this.page === 0;
    this.after.disabled = this.page === last;
    this.count.textContent = `${first + 1} to ${Math.min(positions.length, first + GRAPH_TABLE_ROWS)} of ${positions.length.toLocaleString("en")}`;
  }
}

/** The signs of a picture and their meanings. */
export function graphLegend(entries) {
  return entries.map(({ sign, text, kind, dash }) => {
    if (sign === "cell") return h("span", { class: "zg-entry" }, h("span", { class: `zg-chip zg-${kind}` }, { win: "W", lose: "L", tie: "T", draw: "D", player0: "0", player1: "1", undecided: "?" }[kind] ?? ""), text);
    if (sign === "move") return h("span", { class: "zg-entry" }, h("span", { class: `zg-stroke zg-stroke-${text.startsWith("other") ? "other" : dash || "solid"}` }), text);
    if (sign === "shape") return h("span", { class: "zg-entry" }, h("span", { class: `zg-sign zg-sign-${kind}` }), text);
    return h("span", { class: "zg-entry z-quiet" }, text);
  });
}
