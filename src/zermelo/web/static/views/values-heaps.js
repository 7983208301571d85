// Heap games: nim-values as a plot, the period, and the winning moves in a position.

import { debounce, h } from "../dom.js";
import { Work } from "../work.js";
import { sequencePlot } from "./values-sequence.js";

const HEAP_EXAMPLES = ["kayles", "dawsons-chess", "0.137", "1,2,5", "all-but:2", "treblecross", "grundy", "lasker-nim"];

/** The panel; changed(parameters, isNew) is called when the address must change. */
export class HeapPanel {
  constructor(api, changed) {
    this.api = api;
    this.changed = changed;
    this.work = new Work();
    const later = debounce(350, () => this.evaluate(false));
    const enter = (event) => event.key === "Enter" && this.evaluate(true);
    this.game = h("input", { class: "zv-input", type: "text", list: "zv-heap-games", spellcheck: "false", autocomplete: "off", oninput: later, onkeydown: enter });
    this.to = h("input", { class: "zb-number", type: "number", min: 1, max: 5000, value: 100, onchange: () => this.evaluate(true) });
    this.heaps = h("input", { class: "zv-input", type: "text", inputmode: "numeric", autocomplete: "off", oninput: later, onkeydown: enter });
    this.names = h("datalist", { id: "zv-heap-games" });
    this.status = h("p", { class: "z-status", role: "status" });
    this.result = h("div", { class: "zv-result" });
    this.element = h(
      "div",
      {},
      h(
        "section",
        { class: "z-card zv-card" },
        h("label", { class: "zv-field" }, h("span", {}, "The game: a code such as 0.77, numbers that may be taken such as 1,2,5, all-but:2, or a name"), this.game),
        this.names,
        h("div", { class: "zv-chips" }, h("span", { class: "z-quiet" }, "Try"), HEAP_EXAMPLES.map((x) => h("button", { type: "button", class: "zv-chip", onclick: () => this.#choose(x) }, x))),
        h("label", { class: "zv-field" }, h("span", {}, "A position: heaps, such as 5, 4, 3 (may be empty)"), this.heaps),
        h("label", {}, "Values up to heap", this.to),
        h("details", {}, h("summary", {}, "What the digits of a code mean"), codeTable()),
      ),
      this.status,
      this.work.error,
      this.work.element,
      this.result,
    );
  }

  async open({ heap, heaps, to }) {
    if (heap === undefined && this.game.value) return;
    const limit = to ?? "100";
    if (heap === this.game.value && (heaps ?? "") === this.heaps.value && limit === this.to.value) return;
    this.game.value = heap ?? "kayles";
    this.heaps.value = heaps ?? (heap === undefined ? "5, 4, 3" : "");
    this.to.value = limit;
    await this.evaluate(false);
    if (this.names.childNodes.length) return;
    const found = await this.api.get("/values/heaps").catch(() => null);
    if (found) this.names.replaceChildren(...found.games.map(({ name, code }) => h("option", { value: name }, code)));
  }

  parameters() {
    return { heap: this.game.value.trim(), heaps: this.heaps.value.trim(), to: this.to.value === "100" ? "" : this.to.value };
  }

  #choose(name) {
    this.game.value = name;
    this.evaluate(true);
  }

  async evaluate(isNew) {
    const { heap, heaps } = this.parameters();
    if (!heap) return;
    this.changed(this.parameters(), isNew);
    const listed = heaps.split(/[\s,;+]+/).filter(Boolean);
    const wrong = listed.find((x) => !/^\d{1,5}$/.test(x) || Number(x) > 20000);
    if (wrong !== undefined || listed.length > 30) {
      this.work.abort();
      this.work.fail(new Error(wrong === undefined ? "Expected at most 30 heaps." : `Expected heaps of 0 to 20,000 tokens, such as 5, 4, 3, got ${wrong.slice(0, 20)}.`));
      return;
    }
    const to = Math.min(5000, Math.max(1, Math.trunc(Number(this.to.value)) || 100));
    const request = { game: heap, to, ...(listed.length ? { heaps: listed.map(Number) } : {}) };
    const found = await this.work.run((options) => this.api.post("/values/heap", request, options));
    if (!found) {
      if (!this.work.error.hidden) this.result.replaceChildren();
      return;
    }
    const sentence = periodSentence(found);
    this.status.textContent = `${found.code}: ${sentence}`;
    this.result.replaceChildren(
      h("section", { class: "z-card zv-card zv-wide" }, h("h2", {}, `Nim-values of ${found.game === found.code ? found.code : `${found.game}, code ${found.code}`}`), h("p", {}, sentence), sequencePlot(found), valueTable(found)),
      ...(found.position ? [this.#position(found.position)] : []),
    );
  }

  #position({ heaps, values, value, moves, more }) {
    const play = ({ heap, to }) => {
      const rest = [...heaps.slice(0, heap), ...to, ...heaps.slice(heap + 1)].filter((x) => x > 0);
      this.heaps.value = rest.join(", ");
      this.evaluate(true);
    };
    const verdict = value ? "The player who moves wins." : "The player who moves loses: every move has an answer.";
    return h(
      "section",
      { class: "z-card zv-card zv-wide" },
      h("h2", {}, "Winning moves"),
      h("p", {}, `The heaps ${heaps.join(", ")} have the nim-values ${values.join(" ⊕ ")} = ${value}. ${verdict}`),
      h(
        "ul",
        { class: "zv-moves" },
        moves.map((move) =>
          h("li", {}, h("span", { class: "z-value z-win" }, "+ wins"), h("button", { type: "button", class: "zv-chip", onclick: () => play(move) }, `${move.from} → ${move.to.filter((x) => x).join(" and ") || "nothing"}`)),
        ),
      ),
      more ? h("p", { class: "z-quiet" }, `${more} more winning moves are left out.`) : null,
    );
  }
}

function periodSentence({ period, searched }) {
  if (!period) return `The heaps up to ${searched.toLocaleString("en")} prove no period.`;
  const grows = period.saltus ? `, and grow by ${period.saltus} each time` : "";
  const count = period.exceptions.length;
  const exceptions = count ? ` ${count} heap${count === 1 ? " is an exception" : "s are exceptions"}.` : "";
  return `The values repeat with period ${period.period.toLocaleString("en")} from heap ${period.preperiod.toLocaleString("en")} on${grows}, for ever; this is proved.${exceptions}`;
}

function codeTable() {
  const rows = [["1", "take all of a heap: nothing is left"], ["2", "one heap is left"], ["4", "two heaps are left"], ["8", "three heaps are left"]];
  return h(
    "div",
    {},
    h("p", {}, "The digit at place i after the point says what may be left of a heap when i tokens are taken. It is the sum of:"),
    h("table", {}, h("tbody", {}, rows.map(([digit, meaning]) => h("tr", {}, h("th", { scope: "row" }, digit), h("td", {}, meaning))))),
    h("p", {}, "So 0.77 is Kayles: take one or two tokens, and split what is left if you like. Three points repeat the last digit: 0.333... is Nim."),
  );
}

function valueTable({ values, period }) {
  const exceptions = new Set(period?.exceptions.map((x) => x.heap));
  const rows = [];
  for (let k = 0; k < values.length; k += 10) {
    rows.push(h("tr", {}, h("th", { scope: "row" }, k), values.slice(k, k + 10).map((x, i) => h("td", {}, exceptions.has(k + i) ? h("strong", {}, `${x}!`) : x))));
  }
  const title = period?.exceptions.length ? "The values as a table; exceptions have an exclamation mark" : "The values as a table";
  return h(
    "details",
    {},
    h("summary", {}, title),
    h(
      "div",
      { class: "zs-table", tabindex: 0, role: "region", "aria-label": "Nim-values" },
      h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "heap"), Array.from({ length: 10 }, (_, k) => h("th", { scope: "col" }, `+${k}`)))), h("tbody", {}, rows)),
    ),
  );
}
