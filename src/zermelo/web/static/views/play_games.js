// The choice of a game: pictures of the starts, and a field for a name with parameters.

import { h, picture } from "../dom.js";

/** The games as cards, with a field that finds one; choose(game) opens it. */
export class PlayGames {
  constructor({ choose }) {
    this.choose = choose;
    this.rows = [];
    this.field = h("input", { type: "search", id: "zp-find", autocomplete: "off", spellcheck: "false",
      placeholder: "nim:3,4,5", "aria-describedby": "zp-find-help" });
    this.help = h("p", { id: "zp-find-help", class: "z-quiet" });
    this.list = h("ul", { class: "zp-games" });
    this.field.addEventListener("input", () => this.#filter());
    const form = h("form", { class: "z-row", onsubmit: (event) => this.#submit(event) },
      h("label", { for: "zp-find" }, "Game"), this.field, h("button", { class: "z-main", type: "submit" }, "Play"));
    this.element = h("section", { class: "zp-choice" },
      h("h1", {}, "Play"),
      h("p", {}, "Choose a game. Its values are computed on this machine, so you can play against a player who makes no mistakes, or see what each move is worth."),
      form, this.help, this.list);
    this.#filter();
  }

  fill({ games, served }) {
    this.rows = games;
    const cards = games.map((row) =>
      h("li", { "data-name": row.name }, this.#card(row.example, row.name, row.summary, row.picture)));
    if (served) {
      const kind = { rules: "rules of your own", table: "a table", game: "a game" }[served.kind];
      cards.unshift(h("li", { "data-name": served.name },
        this.#card(served.game, served.name, `${kind}, named on the command line`, null)));
    }
    this.list.replaceChildren(...cards);
    this.#filter();
  }

  #card(game, name, summary, source) {
    const thumb = h("span", { class: "zp-thumb", "aria-hidden": "true" });
    if (source) thumb.append(picture(source));
    else thumb.append("▶");
    return h("button", { type: "button", class: "zp-card", onclick: () => this.choose(game) },
      thumb, h("span", { class: "zp-about" }, h("strong", {}, name), h("span", { class: "z-quiet" }, summary)));
  }

  #filter() {
    const text = this.field.value.trim().toLowerCase();
    const [name] = text.split(":");
    for (const card of this.list.children) {
      card.hidden = name !== "" && !card.textContent.toLowerCase().includes(name);
    }
    const row = this.rows.find((x) => x.name === name);
    this.help.textContent = row
      ? row.parameters ? `${row.name}:${row.parameters}, for example ${row.example}` : `${row.name} has no parameters.`
      : "Type a name to find a game; parameters come after a colon.";
  }

  #submit(event) {
    event.preventDefault();
    const text = this.field.value.trim();
    if (!text) return;
    const shown = [...this.list.children].filter((x) => !x.hidden);
    const row = this.rows.find((x) => x.name === text);
    if (row) this.choose(row.parameters && !/^\[/.test(row.parameters) ? row.example : row.name);
    else if (!text.includes(":") && shown.length === 1) shown[0].querySelector("button").click();
    else this.choose(text);
  }
}
