// Type a value: it is evaluated while one types.

import { debounce, h } from "../dom.js";
import { Work } from "../work.js";
import { shortened, sumCard, valueCards, wideTable } from "./values-result.js";

const EXPRESSION_EXAMPLES = ["{3|1||-2}", "{0|1} + {0|1} - 1", "^* + v", "{2|-1} + {0|{0|-2}}", "5.{3|-3} - {4|1}", "*2 + *3", "+_2", "over"];
const NOTATION = [
  ["3, -3/4", "numbers; denominators are powers of two"],
  ["*, *3", "nimbers"],
  ["^, ^^, ^3, v, v4", "ups and downs"],
  ["{2,*|-1}", "options of Left and of Right; either side may be empty"],
  ["{2||1|0}", "{2 | {1|0}}: more bars bind less"],
  ["+-1", "{1|-1}"],
  ["+_2, -_2", "tiny and miny"],
  ["a + b, a - b, 3.a", "sums, differences, multiples"],
  ["on, off, over, under, dud", "loopy values"],
];
const LONGEST_HISTORY = 20;

/** The panel; changed(parameters, isNew) is called when the address must change. */
export class ExpressionPanel {
  constructor(api, changed) {
    this.api = api;
    this.changed = changed;
    this.past = [];
    this.work = new Work();
    this.input = h("input", {
      class: "zv-input", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
      "aria-describedby": "zv-caret", oninput: debounce(300, () => this.evaluate(false)),
      onkeydown: (event) => event.key === "Enter" && this.evaluate(true),
    });
    this.caret = h("pre", { class: "zv-caret", id: "zv-caret", hidden: true });
    this.summary = h("p", { class: "z-status", role: "status" });
    this.result = h("div", { class: "zv-result" });
    this.folds = h("div");
    this.history = h("div", { class: "zv-chips" });
    this.element = h(
      "div",
      {},
      h("label", { class: "zv-field" }, h("span", {}, "A value, or a sum of values"), this.input),
      this.caret,
      this.work.error,
      this.work.element,
      h("div", { class: "zv-chips" }, h("span", { class: "z-quiet" }, "Try"), EXPRESSION_EXAMPLES.map((x) => this.#chip(x))),
      h("details", {}, h("summary", {}, "How values are written"), notationTable()),
      this.summary,
      this.result,
      this.folds,
      this.history,
    );
  }

  open({ expr }) {
    const text = expr ?? (this.input.value || EXPRESSION_EXAMPLES[0]);
    if (text === this.shown) return;
    this.input.value = text;
    this.evaluate(false);
  }

  parameters() {
    return { expr: this.input.value };
  }

  choose(text) {
    this.input.value = text;
    this.evaluate(true);
    this.input.focus();
  }

  async evaluate(isNew) {
    const expression = this.input.value.trim();
    this.caret.hidden = true;
    if (!expression) {
      this.work.abort();
      this.work.error.hidden = true;
      return;
    }
    this.shown = expression;
    this.changed({ expr: expression }, isNew);
    const found = await this.work.run((options) => this.api.post("/values/evaluate", { expression }, options));
    if (!found) {
      this.#mark(expression);
      return;
    }
    if (expression !== this.input.value.trim()) return;
    this.#remember(expression);
    this.#fade(false);
    this.summary.textContent = `${expression} has the value ${shortened(found.value.text, 200)}. ${found.value.outcome.sentence}`;
    this.result.replaceChildren(...valueCards(found.value, (text) => this.choose(text)));
    this.#fold(expression, found.value.kind === "loopy");
    if (found.value.kind !== "loopy") await this.#moves(expression);
  }

  async #moves(expression) {
    const place = h("div", { class: "zv-wide" });
    this.result.append(place);
    try {
      const found = await this.work.run((options) => this.api.post("/values/moves", { expression }, options).catch((error) => noteOf(error)));
      if (found) place.replaceWith(found.note ? h("p", { class: "z-quiet zv-wide" }, found.note) : sumCard(found, (text) => this.choose(text)));
    } finally {
      if (!place.childNodes.length) place.remove();
    }
  }

  /** A result that is not that of the text above it is faint, and hidden from screen readers. */
  #fade(stale) {
    for (const part of [this.result, this.folds]) {
      part.classList.toggle("zv-stale", stale);
      part.inert = stale;
    }
  }

  /** The place of an error in the expression, under its text. */
  #mark(expression) {
    const message = this.work.error.hidden ? "" : this.work.error.textContent;
    const column = Number(/^column (\d+):/.exec(message)?.[1] ?? 0);
    this.caret.hidden = !column;
    if (column) this.caret.textContent = `${expression}\n${" ".repeat(column - 1)}↑`;
    if (message) this.#fade(true);
  }

  #chip(text) {
    return h("button", { type: "button", class: "zv-chip", onclick: () => this.choose(text) }, shortened(text, 60));
  }

  #remember(expression) {
    this.past = [expression, ...this.past.filter((x) => x !== expression)].slice(0, LONGEST_HISTORY);
    const earlier = this.past.slice(1);
    this.history.replaceChildren(...(earlier.length ? [h("span", { class: "z-quiet" }, "Earlier"), ...earlier.map((x) => this.#chip(x))] : []));
  }

  #fold(expression, loopy) {
    const folds = [this.#lazy("Who wins, by which moves, and why others fail", "/values/explain", expression, explanation)];
    if (!loopy) folds.unshift(this.#lazy("Steps of simplification", "/values/steps", expression, simplification));
    this.folds.replaceChildren(...folds);
  }

  /** A fold whose content is asked for when it is opened. */
  #lazy(title, path, expression, show) {
    const work = new Work();
    const body = h("div");
    let asked = false;
    const open = async (event) => {
      if (!event.target.open || asked) return;
      asked = true;
      const found = await work.run((options) => this.api.post(path, { expression }, options));
      if (found) body.replaceChildren(...show(found));
    };
    return h("details", { ontoggle: open }, h("summary", {}, title), work.element, work.error, body);
  }
}

function noteOf(error) {
  if (error.name === "AbortError") throw error;
  return { note: error.message };
}

function notationTable() {
  return wideTable(
    "Notation",
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "text"), h("th", { scope: "col" }, "value"))),
      h("tbody", {}, NOTATION.map(([text, value]) => h("tr", {}, h("td", { class: "z-mono" }, text), h("td", {}, value)))),
    ),
  );
}

function simplification(found) {
  const rows = found.steps.map((x) =>
    h("tr", {}, h("td", { class: "z-mono" }, x.before), h("td", {}, x.reason), h("td", { class: "z-mono" }, x.after)),
  );
  return [
    h("p", {}, `The form as it is written has ${found.positions.toLocaleString("en")} position${found.positions === 1 ? "" : "s"}:`),
    h("pre", { class: "z-scroll", tabindex: 0 }, found.form.join("\n")),
    h("p", {}, found.number),
    rows.length
      ? wideTable(
          "Steps",
          h(
            "table",
            { class: "zv-steps" },
            h("thead", {}, h("tr", {}, ["position", "step", "leaves"].map((x) => h("th", { scope: "col" }, x)))),
            h("tbody", {}, rows),
          ),
        )
      : h("p", {}, "No option is dominated or reversible: the form is canonical as it is written."),
    found.more ? h("p", { class: "z-quiet" }, `${found.more.toLocaleString("en")} more steps are left out.`) : "",
  ];
}

function explanation(found) {
  const lines = found.lines.map(({ level, text }) => {
    const line = h("li", {}, text);
    line.style.marginLeft = `${1.5 * level}em`;
    return line;
  });
  return [h("ul", { class: "zv-lines" }, lines), found.more ? h("p", { class: "z-quiet" }, `${found.more} more sentences are left out.`) : ""];
}
