// A large graph in groups: strong components and layers, or results; each group can be opened.

import { h } from "../dom.js";
import { GRAPH_BEND, graphCurve, graphNode, graphTextWidth } from "./graph_scene.js";
import { GraphView } from "./graph_view.js";

const GRAPH_SPREAD = 1.15;
const GRAPH_PART = 100;

/** The view of a graph that is too large to draw. */
export class GraphSummary {
  constructor(host) {
    this.host = host;
    this.inside = null;
    this.view = new GraphView(this, "The graph in groups. Arrow keys with Shift move the picture, plus and minus change its size. The list below has the same groups.");
    this.view.mode = "read";
    this.by = h("select", { "aria-label": "Groups", onchange: () => this.load() },
      h("option", { value: "components" }, "components and layers"), h("option", { value: "results" }, "results"));
    this.back = h("button", { type: "button", hidden: true, onclick: () => this.load() }, "Back to the groups");
    this.more = h("button", { type: "button", hidden: true, onclick: () => this.open(this.what, 3 * this.most) }, "Show more");
    this.find = h("input", { "aria-label": "Name of a position", placeholder: "name of a position", spellcheck: "false" });
    this.title = h("p", { class: "zg-tight", role: "status" });
    this.answer = h("p", { class: "zg-answer", hidden: true, "aria-live": "polite" });
    this.why = h("pre", { class: "zg-why", hidden: true, tabindex: 0, "aria-label": "Why" });
    this.list = h("div", { class: "z-scroll zg-groups", tabindex: 0, role: "region", "aria-label": "Groups" });
    this.element = h("div", { class: "zg-summary", hidden: true },
      h("div", { class: "z-row zg-tools" }, h("label", {}, "Groups by", this.by), this.back, this.more,
        h("form", { class: "z-row", onsubmit: (e) => { e.preventDefault(); this.open({ position: this.find.value.trim() }); } }, this.find, h("button", { type: "submit" }, "Show around it")),
        h("span", { class: "zg-group" },
          h("button", { type: "button", "aria-label": "Larger", onclick: () => this.view.zoom(1.25) }, "+"),
          h("button", { type: "button", "aria-label": "Smaller", onclick: () => this.view.zoom(0.8) }, "−"),
          h("button", { type: "button", onclick: () => this.view.fit() }, "Fit"))),
      this.title, this.view.element, this.answer, this.why, this.list);
  }

  async load() {
    const { host } = this;
    const solved = Boolean(host.solved);
    this.by.lastChild.disabled = !solved;
    if (!solved) this.by.value = "components";
    const found = await host.ask("/graphs/summary", { by: this.by.value, solved });
    if (!found) return;
    this.inside = null;
    this.back.hidden = this.more.hidden = true;
    this.answer.hidden = this.why.hidden = true;
    const { n, m } = host.large;
    this.title.textContent = `The graph has ${n.toLocaleString("en")} positions and ${m.toLocaleString("en")} moves, too many to draw. Here are its ${found.groups.length} groups, with the most frequent moves between them; open one by a click.${host.solved?.doubled ? " Results are counted by position and player to move." : ""}`;
    this.view.draw(graphGroupScene(found));
    this.view.fit();
    this.list.replaceChildren(h("table", {},
      h("thead", {}, h("tr", {}, ["group", "positions", ...(solved ? ["results"] : [])].map((x) => h("th", { scope: "col" }, x)))),
      h("tbody", {}, found.groups.map((group, k) => h("tr", {},
        h("td", {}, h("button", { type: "button", class: "zg-link", onclick: () => this.open({ group: k }) }, group.name)),
        h("td", {}, group.size.toLocaleString("en")),
        solved && h("td", {}, graphCountChips(group.counts)))))));
  }

  /** Draw a group, or the surroundings of a position. */
  async open(what, most = GRAPH_PART) {
    const { host } = this;
    const found = await host.ask("/graphs/part", { by: this.by.value, solved: Boolean(host.solved), most: Math.min(most, host.drawn), ...what });
    if (!found) return;
    this.what = what;
    this.most = most;
    this.inside = found.picture;
    this.back.hidden = false;
    const shown = found.picture.positions.length;
    this.more.hidden = shown < most || most >= host.drawn;
    this.title.textContent = shown < found.total
      ? `The first ${shown.toLocaleString("en")} of ${found.total.toLocaleString("en")} positions of this group. +2 means: two more moves, which are not drawn.`
      : `${shown.toLocaleString("en")} positions. +2 means: two more moves, which are not drawn.`;
    this.view.draw(graphPartScene(found.picture, found.places));
    this.view.fit();
  }

  // What the stage asks for.

  async tapped(target) {
    if (target?.key === undefined) return;
    if (!this.inside) return this.open({ group: target.key });
    const { answers, positions } = this.inside;
    this.answer.textContent = answers[target.key];
    this.answer.hidden = false;
    this.why.hidden = true;
    if (!this.host.solved) return;
    const found = await this.host.ask("/graphs/explain", { position: positions[target.key] });
    if (!found) return;
    this.why.textContent = found.text;
    this.why.hidden = false;
  }

  moved() {}

  linked() {}

  pressed(event) {
    if (event.key !== "Escape" || !this.inside) return false;
    this.load();
    return true;
  }
}

function graphCountChips(counts) {
  return Object.entries(counts).map(([kind, k]) => h("span", { class: `zg-chip zg-${kind}` }, `${GRAPH_KIND_NAMES[kind] ?? kind} ${k.toLocaleString("en")}`));
}

const GRAPH_KIND_NAMES = { win: "W", lose: "L", tie: "T", draw: "D", player0: "player 0", player1: "player 1", undecided: "?" };

/** The links with most moves, at most two from each group. */
function graphStrongestLinks(links) {
  const count = new Map();
  return links.filter(([a, b]) => a !== b).sort((x, y) => y[2] - x[2]).filter(([a]) => {
    count.set(a, (count.get(a) ?? 0) + 1);
    return count.get(a) <= 2;
  });
}

function graphGroupScene({ groups, links, places }) {
  const nodes = groups.map((group, k) => {
    const size = `${group.size.toLocaleString("en")} position${group.size === 1 ? "" : "s"}`;
    const total = Object.values(group.counts).reduce((a, b) => a + b, 0);
    const bar = Object.entries(group.counts).map(([kind, count]) => ({ kind, share: count / total }));
    const counts = Object.entries(group.counts).map(([kind, count]) => `${GRAPH_KIND_NAMES[kind] ?? kind} ${count.toLocaleString("en")}`).join("  ");
    const lines = [size, ...(counts ? [counts] : [])];
    const made = graphNode({ key: k, x: places[k][0], y: places[k][1], label: group.name, owner: 1, title: group.name, bar, lines });
    return { ...made, label: group.name, w: Math.max(...[group.name, ...lines].map(graphTextWidth)) + 28, h: 44 + 16 * (lines.length - 1) + (bar.length ? 10 : 0) };
  });
  const pairs = new Set();
  const strong = graphStrongestLinks(links);
  for (const [a, b] of strong) pairs.add(`${a} ${b}`);
  const edges = strong.map(([a, b, count]) => ({
    from: a, to: b, label: strong.length > 40 ? "" : count.toLocaleString("en"), best: "other", kind: "none", curve: graphCurve(nodes[a], nodes[b], pairs.has(`${b} ${a}`) ? GRAPH_BEND : 0),
  }));
  return { nodes, edges, solved: false };
}

/** The scene of some positions of a large graph. */
export function graphPartScene(picture, places) {
  const nodes = picture.positions.map((_, k) => graphNode({
    key: k, x: places[k][0] * GRAPH_SPREAD, y: places[k][1] * GRAPH_SPREAD, label: picture.names[k], owner: picture.owners[k],
    cells: picture.cells[k].map(([text, kind]) => ({ text, kind })), ends: picture.ends[k], start: picture.starts[k], cut: picture.cut[k], title: picture.answers[k],
  }));
  const solved = picture.cells.some((x) => x.length);
  const pairs = new Set(picture.moves.flatMap((row, u) => row.map((w) => `${u} ${w}`)));
  const edges = picture.moves.flatMap((row, u) => row.map((w, k) => ({
    from: u, to: w, label: picture.weights[u][k], best: solved ? (picture.best[u].some((x) => x.includes(w)) ? "one" : "other") : "plain",
    kind: picture.cells[u][0]?.[1] ?? "none", curve: graphCurve(nodes[u], nodes[w], pairs.has(`${w} ${u}`) ? GRAPH_BEND : 0),
  })));
  return { nodes, edges, solved };
}
