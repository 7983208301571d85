// What is known of a value: its canonical form, who wins, its properties, its options, its picture.

import { h } from "../dom.js";
import { thermographView } from "./values-thermograph.js";

const KIND_SENTENCES = {
  number: "It is a number: nobody wants to move in it.",
  infinitesimal: "It is infinitesimal: smaller than every positive number, and greater than every negative one.",
  near: "It is infinitesimally close to a number.",
  hot: "It is hot: both players want to move in it.",
  loopy: "It is loopy: play in it need not end, so it has no stops and no temperature.",
};

/** The cards of a value; choose(text) is called when an option is clicked. */
export function valueCards(value, choose) {
  const cards = [formCard(value, choose)];
  if (value.thermograph) {
    cards.push(
      h("section", { class: "z-card zv-card" }, h("h2", {}, "Thermograph"), thermographView(value.thermograph, value.text)),
    );
  }
  return cards;
}

function formCard(value, choose) {
  const { outcome } = value;
  return h(
    "section",
    { class: "z-card zv-card" },
    h("h2", {}, "Canonical form"),
    h("p", { class: "zv-form", tabindex: 0, role: "group", "aria-label": "Canonical form" }, value.text),
    value.whole ? null : h("p", { class: "z-quiet" }, "The text is longer; its end is left out."),
    h("p", { class: "zv-outcome" }, h("span", { class: "zv-badge" }, outcome.name), outcome.sentence),
    h("p", { class: "z-quiet" }, `Left begins: ${whoGets("Left", outcome.left)} Right begins: ${whoGets("Right", outcome.right)}`),
    h("p", {}, KIND_SENTENCES[value.kind]),
    h("dl", { class: "zv-facts" }, value.facts.flatMap(({ name, text }) => [h("dt", {}, name), h("dd", {}, text)])),
    h(
      "div",
      { class: "zv-sides" },
      optionList("Left's options", "zv-left", value.left, choose),
      optionList("Right's options", "zv-right", value.right, choose),
    ),
    value.more ? h("p", { class: "z-quiet" }, `${value.more} more options are left out.`) : null,
  );
}

function whoGets(player, result) {
  const other = player === "Left" ? "Right" : "Left";
  return { wins: `${player} wins.`, loses: `${other} wins.`, draws: "a draw." }[result];
}

function optionList(title, name, options, choose) {
  const long = ({ text, whole }) => !whole || text.length > 2000;
  return h(
    "div",
    {},
    h("h3", { class: name }, title),
    options.length
      ? h(
          "div",
          { class: "zv-chips" },
          options.map((x) => h("button", { type: "button", class: "zv-chip", disabled: long(x), onclick: () => choose(x.text) }, shortened(x.text))),
        )
      : h("p", { class: "z-quiet" }, "none"),
  );
}

/** A text of which the middle is left out if it is long. */
export function shortened(text, most = 160) {
  return text.length <= most ? text : `${text.slice(0, most - 41)} … ${text.slice(-38)}`;
}

/** A mark that says whether a move wins: a sign, a word and a colour. */
export function resultMark(result) {
  const [sign, name] = { wins: ["+", "z-win"], draws: ["=", "z-draw"], loses: ["−", "z-lose"] }[result];
  return h("span", { class: `z-value ${name}` }, `${sign} ${result}`);
}

/** A table that may be wider than the page: one can scroll it, by keys, too. */
export function wideTable(name, table) {
  return h("div", { class: "z-scroll", tabindex: 0, role: "region", "aria-label": name }, table);
}

/** The table of the components of a sum; draw(text) is a small picture of a component. */
export function componentTable(components, draw = null) {
  const titles = ["", "component", "copies", "mean", "temperature"];
  return wideTable(
    "Components",
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, titles.map((x) => (x ? h("th", { scope: "col" }, x) : h("td", {}))))),
      h(
        "tbody",
        {},
        components.map((x, k) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, k + 1),
            h("td", { class: "z-mono" }, h("span", { class: "zv-part" }, draw ? [draw(x.text), h("span", {}, "=")] : null, h("span", {}, shortened(x.value)))),
            h("td", {}, x.count),
            h("td", {}, x.mean ?? "–"),
            h("td", {}, x.temperature ?? "–", x.hottest ? h("strong", {}, " hottest") : null),
          ),
        ),
      ),
    ),
  );
}

/** The moves of both players in a sum, as the server lists them. */
export function sumCard(found, choose) {
  const many = found.components.length > 1 || found.components[0]?.count > 1;
  return h(
    "section",
    { class: "z-card zv-card zv-wide" },
    h("h2", {}, many ? "Best moves in the sum" : "Best moves"),
    many ? componentTable(found.components) : null,
    many && found.components.some((x) => x.hottest)
      ? h("p", { class: "z-quiet" }, "A move in the hottest component is usually, but not always, the best; the signs below are exact.")
      : null,
    h(
      "div",
      { class: "zv-sides" },
      sumMoves("Left", "zv-left", found.left, many, choose),
      sumMoves("Right", "zv-right", found.right, many, choose),
    ),
  );
}

function sumMoves(player, name, side, many, choose) {
  const { moves, more } = side;
  const verdict = side.wins ? `${player} wins if ${player} begins.` : `${player} loses if ${player} begins.`;
  return h(
    "div",
    {},
    h("h3", { class: name }, `${player} moves`),
    h("p", {}, moves.length ? verdict : `${player} has no move.`),
    h(
      "ul",
      { class: "zv-moves" },
      moves.map((move) =>
        h(
          "li",
          {},
          resultMark(move.wins ? "wins" : "loses"),
          many ? h("span", { class: "z-quiet" }, `in ${move.component + 1}:`) : null,
          h("span", { class: "z-mono" }, `${shortened(move.from, 60)} → `, h("button", { type: "button", class: "zv-chip", onclick: () => choose(move.to) }, shortened(move.to, 60))),
        ),
      ),
    ),
    more ? h("p", { class: "z-quiet" }, `${more} more moves are left out.`) : null,
  );
}
