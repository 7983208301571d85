// The view "learn", which is also the first page: what the views are, and worked examples.

import { h } from "../dom.js";
import { writeRoute } from "../route.js";
import { Work } from "../work.js";

const VIEW_CARDS = [
  ["play", "Play", "Play a solved game against perfect play or a friend, and see what every move is worth."],
  ["graph", "Graph", "Draw or load a graph, choose what winning means, and step through the algorithm."],
  ["values", "Values", "Type a sum of games, or draw one: canonical forms, thermographs, best moves, nim-values."],
  ["learn", "Learn", "The worked examples of the sources, each a click away in the right view; they are below."],
];
const VIEW_NAMES = { play: "Play", graph: "Graph", values: "Values" };

class LearnPage extends HTMLElement {
  #groups = null;
  #list = null;
  #count = null;
  #search = null;
  #work = new Work();

  async open({ find }) {
    if (!this.#list) this.#build();
    this.#search.value = find ?? "";
    if (!this.#groups) {
      const found = await this.#work.run((options) => this.api.get("/learn/list", {}, options));
      if (!found) return;
      this.#groups = found.groups;
    }
    this.#filter();
  }

  #build() {
    this.#list = h("div", { class: "zl-groups" });
    this.#count = h("p", { class: "z-quiet", role: "status" });
    this.#search = h("input", { type: "search", class: "zl-search", oninput: () => this.#filter() });
    this.replaceChildren(
      h("h1", {}, "Games, solved and explained"),
      h(
        "p",
        { class: "zl-welcome" },
        "zermelo finds out who wins a two-player game, how, and how fast, and proves it. This is its explorer. It has four views:",
      ),
      h("div", { class: "zl-views" }, VIEW_CARDS.map(([name, title, sentence]) => viewCard(name, title, sentence))),
      h("h2", { id: "zl-examples", tabindex: -1 }, "Worked examples"),
      h("label", { class: "zl-find" }, "Find an example", this.#search),
      this.#count,
      this.#work.element,
      this.#work.error,
      this.#list,
    );
  }

  #filter() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    writeRoute("learn", { find: this.#search.value.trim() });
    const fits = (group, x) => {
      const text = `${group.title} ${x.title} ${x.sentence} ${x.room}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const shown = this.#groups
      .map((group) => ({ ...group, examples: group.examples.filter((x) => fits(group, x)) }))
      .filter((group) => group.examples.length);
    const count = shown.reduce((sum, group) => sum + group.examples.length, 0);
    this.#count.textContent = count === 1 ? "One example." : `${count} examples.`;
    const wide = matchMedia("(min-width: 700px)").matches;
    this.#list.replaceChildren(...shown.map((group, k) => exampleGroup(group, wide || k === 0 || words.length > 0)));
  }
}

function viewCard(name, title, sentence) {
  const below = name === "learn";
  const link = below
    ? h("button", { type: "button", onclick: () => showExamples() }, title)
    : h("a", { href: `#/${name}` }, title);
  return h("section", { class: "z-card zl-view" }, h("h2", {}, link), h("p", {}, sentence));
}

function showExamples() {
  const heading = document.getElementById("zl-examples");
  heading.scrollIntoView();
  heading.focus();
}

/** A group that one can fold; on a narrow screen only the first one is open. */
function exampleGroup({ title, summary, examples }, open) {
  return h(
    "details",
    { class: "z-card zl-group", open },
    h("summary", {}, h("h3", {}, title)),
    h("p", { class: "z-quiet" }, summary),
    h(
      "ul",
      {},
      examples.map((x) =>
        h(
          "li",
          {},
          h("a", { href: x.link }, x.title),
          h("span", { class: "zl-view-name" }, VIEW_NAMES[x.room]),
          h("p", {}, x.sentence),
        ),
      ),
    ),
  );
}

customElements.define("z-learn", LearnPage);
