// Where a graph comes from: pasted text, a file, a generator, a built-in game, an example.

import { h } from "../dom.js";
import { graphField } from "./graph_forms.js";

const GRAPH_EXAMPLES = [
  ["A game that ends", "# Who cannot move loses.\na b\nb a\nb t\nc b\nc c\nd c\nd e\ne d\n"],
  ["A parity game", 'parity 5;\n0 2 0 1,3 "a";\n1 1 1 0,2 "b";\n2 3 0 2,4 "c";\n3 4 1 1,4 "d";\n4 0 0 3,5 "e";\n5 5 1 5,0 "f";\n'],
  ["An energy game", "[energy]\na [0]\nb [1]\nc [0]\na b -2\nb a 4\nb c -3\nc a 6\n"],
  ["Play without return", "a b\nb a\nb c\nc b\nd a\nd e\ne f\nf d\n"],
];

/** The panel; load(action) shows the graph that an action of the interface answers. */
export class GraphOpenPanel {
  constructor(host) {
    this.host = host;
    this.text = h("textarea", { rows: 8, spellcheck: "false", "aria-label": "A graph as text", placeholder: "a b\nb a\nb t" });
    this.format = h("select", { "aria-label": "Format" });
    this.file = h("input", { type: "file", "aria-label": "A file with a graph", onchange: () => this.#upload() });
    this.family = h("select", { "aria-label": "Family of graphs", onchange: () => this.#family() });
    this.parameters = h("div", { class: "zg-parameters" });
    this.game = h("input", { "aria-label": "A built-in game", value: "nim:3,4", list: "zg-games", spellcheck: "false" });
    this.games = h("datalist", { id: "zg-games" });
    this.element = h("div", { class: "zg-open" },
      h("section", {}, h("h2", {}, "Paste"), this.text,
        h("div", { class: "z-row" }, this.format, h("button", { type: "button", class: "z-main", onclick: () => this.#paste() }, "Open text")),
        h("div", { class: "z-row" }, GRAPH_EXAMPLES.map(([name, text]) => h("button", { type: "button", class: "zg-link", onclick: () => this.#example(text) }, name)))),
      h("section", {},
        h("h2", {}, "A file"), this.file,
        h("h2", {}, "A family of graphs"), this.family, this.parameters,
        h("button", { type: "button", onclick: () => this.#generate() }, "Generate"),
        h("h2", {}, "The positions of a game"), h("div", { class: "z-row" }, this.game, h("button", { type: "button", onclick: () => this.#explore() }, "Explore")), this.games));
  }

  fill(catalogue) {
    this.catalogue = catalogue;
    const formats = catalogue.formats.filter((x) => !x.binary);
    this.format.replaceChildren(h("option", { value: "" }, "any format"), ...formats.map((x) => h("option", { value: x.name, title: x.summary }, x.name)));
    this.family.replaceChildren(...catalogue.generators.map((x) => h("option", { value: x.name, title: x.summary }, x.name)));
    this.games.replaceChildren(...catalogue.games.map((x) => h("option", { value: x.example }, x.summary)));
    this.#family();
  }

  #paste() {
    const format = this.format.value || null;
    this.host.load((options) => this.host.api.post("/graphs/parse", { text: this.text.value, format }, options));
  }

  #example(text) {
    this.text.value = text;
    this.format.value = "";
    this.#paste();
  }

  async #upload() {
    const [file] = this.file.files;
    if (!file) return;
    const row = this.catalogue.formats.find((x) => x.suffixes.some((suffix) => file.name.toLowerCase().endsWith(suffix)));
    const most = this.host.limits?.body ?? 8 << 20;
    if (file.size > most) {
      this.host.fail(new Error(`${file.name} is too large: this server takes files of at most ${(most >> 20).toLocaleString("en")} MiB.`));
      return;
    }
    if (row?.binary) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      let text = "";
      for (let k = 0; k < bytes.length; k += 0x8000) text += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
      this.host.load((options) => this.host.api.post("/graphs/parse", { text: btoa(text), format: row.name, binary: true }, options), file.name);
    } else {
      const text = await file.text();
      this.host.load((options) => this.host.api.post("/graphs/parse", { text, format: row?.name ?? null }, options), file.name);
    }
    this.file.value = "";
  }

  #family() {
    const row = this.catalogue.generators.find((x) => x.name === this.family.value);
    this.parameters.replaceChildren(...row.parameters.map(({ name, kind, default: standard }) => {
      const input = kind === "bool"
        ? h("input", { type: "checkbox", checked: Boolean(standard), "data-name": name, "data-kind": kind })
        : h("input", { value: standard ?? (name === "n" ? 20 : ""), size: 8, "data-name": name, "data-kind": kind, spellcheck: "false" });
      return graphField(name, input);
    }));
  }

  #generate() {
    const parameters = {};
    for (const input of this.parameters.querySelectorAll("input")) {
      const { name, kind } = input.dataset;
      if (kind === "bool") parameters[name] = input.checked;
      else if (input.value.trim() !== "") {
        const number = Number(input.value);
        parameters[name] = kind !== "str" && Number.isFinite(number) ? number : input.value.trim();
      }
    }
    this.host.load((options) => this.host.api.post("/graphs/generate", { family: this.family.value, parameters }, options));
  }

  #explore() {
    const game = this.game.value.trim();
    this.host.load((options) => this.host.api.post("/graphs/explore", { game }, options));
  }
}
