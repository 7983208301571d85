// The view "play": a game against perfect play, or with a friend.

import { h, picture } from "../dom.js";
import { routeLink, writeRoute } from "../route.js";
import { Work } from "../work.js";
import { PlayBoard } from "./play_board.js";
import { playChart, playHistory, playMoveList } from "./play_chart.js";
import { PlayGames } from "./play_games.js";
import { PlayLine } from "./play_line.js";
import { playBadge, playMeant, playRank } from "./play_values.js";

const PLAY_SIDES = ["first", "second", "both"];
const PLAY_REPLY_TIME = 450;

class PlayPage extends HTMLElement {
  connectedCallback() {
    if (this.work) return;
    this.work = new Work();
    this.extra = new Work();
    this.state = null;
    this.solved = new Set();
    this.refused = new Map();
    this.games = new PlayGames({ choose: (game) => this.#sit({ game }, false) });
    this.board = new PlayBoard({
      play: (move) => this.#play(move.number),
      say: (text) => { this.said.textContent = text; },
      changed: () => this.#listMoves(),
    });
    this.line = new PlayLine({ show: (step) => this.#showStep(step), end: () => this.#draw() });
    this.#build();
    this.replaceChildren(this.work.error, this.games.element, this.table);
  }

  disconnectedCallback() {
    clearTimeout(this.reply);
    this.line?.pause();
    this.work?.abort();
    this.extra?.abort();
  }

  #build() {
    const button = (text, action, more = {}) => h("button", { type: "button", onclick: action, ...more }, text);
    this.heading = h("h1", {});
    this.about = h("p", { class: "z-quiet" });
    this.turn = h("p", { class: "zp-turn", role: "status" });
    this.said = h("p", { class: "zp-said z-quiet", role: "status" });
    this.side = h("select", { id: "zp-side", onchange: () => this.#change({ side: this.side.value }) });
    this.values = button("Show values", () => this.#change({ values: !this.state.values }), { "aria-pressed": "false" });
    this.flip = button("Flip the board", () => this.#change({ flip: !this.state.flip }), { "aria-pressed": "false" });
    this.back = button("Take back", () => this.#takeBack());
    this.hint = button("Hint", () => this.#hint());
    this.why = button("Why?", () => this.#why());
    this.again = button("Restart", () => this.#change({ moves: [] }));
    this.copy = button("Copy link", () => this.#copy());
    this.copy.hidden = !routeLink();
    this.solve = button("Solve this game", () => this.#solve(), { hidden: true });
    this.moves = h("div", { class: "zp-list", role: "region", "aria-label": "Moves", tabindex: "0" });
    this.text = h("input", { id: "zp-position", class: "z-mono", autocomplete: "off", spellcheck: "false" });
    this.chart = h("div", {});
    this.history = h("details", {}, h("summary", {}, "Moves so far"));
    this.facts = h("details", { ontoggle: () => this.#openFacts() }, h("summary", {}, "About this game: counts, hardest positions"));
    const position = h("form", { class: "z-row zp-text", onsubmit: (event) => this.#setPosition(event) },
      h("label", { for: "zp-position" }, "Position"), this.text, h("button", { type: "submit" }, "Set"));
    this.table = h("section", { class: "zp-table", hidden: true },
      h("div", { class: "z-row zp-head" }, h("div", {}, this.heading, this.about), button("Other games", () => this.#leave())),
      h("div", { class: "z-split" },
        h("div", { class: "z-card zp-stage" }, this.turn, this.board.element, this.said, this.work.element),
        h("div", { class: "zp-side" },
          h("div", { class: "z-card" },
            h("div", { class: "z-row" }, h("label", { for: "zp-side" }, "You play"), this.side, this.values),
            h("div", { class: "z-row zp-tools" }, this.back, this.hint, this.why, this.again, this.flip, this.copy, this.solve),
            position),
          this.line.element,
          h("div", { class: "z-card" }, h("h2", {}, "Moves"), this.moves))),
      h("div", { class: "z-card zp-below" }, this.chart, this.history, this.facts));
  }

  /** Show what an address says. */
  async open({ game, at = "", moves = "", side = "first", values = "", flip = "" }) {
    if (!this.listed) {
      this.listed = this.api.get("/play/games").then((found) => {
        this.games.fill(found);
        this.#describe();
        return found;
      });
      this.listed.catch((error) => this.work.fail(error));
    }
    if (game) {
      this.#sit({ game, at, side, values: values === "1", flip: flip === "1",
        moves: moves ? moves.split(".").map(Number) : [] }, true);
      return;
    }
    const found = await this.listed.catch(() => null);
    if (!this.isConnected) return;
    if (found?.served && !this.state && !this.left) this.#sit({ game: found.served.game }, true);
    else this.#leave();
  }

  /** What the game is about, under its name. */
  #describe() {
    const name = this.state?.game.split(":")[0];
    const row = this.games.rows.find((x) => x.name === name);
    this.about.textContent = row ? `${row.summary[0].toUpperCase()}${row.summary.slice(1)}.` : "";
  }

  #leave() {
    clearTimeout(this.reply);
    this.left = true;
    this.line.close();
    this.work.abort();
    this.work.error.hidden = true;
    this.state = null;
    this.games.element.hidden = false;
    this.table.hidden = true;
    writeRoute("play", {}, false);
  }

  /** Sit down at a game. */
  #sit({ game, at = "", moves = [], side = "first", values = false, flip = false }, replace) {
    const other = this.state?.game !== game || this.state?.at !== at;
    this.state = { game, at, moves, side: PLAY_SIDES.includes(side) ? side : "first", values, flip };
    if (other) {
      this.scene = null;
      this.lastCells = [];
      this.facts.open = false;
      this.facts.replaceChildren(this.facts.firstChild);
    }
    this.games.element.hidden = true;
    this.#describe();
    this.#address(replace);
    return this.#load();
  }

  #change(some) {
    if ("moves" in some) this.lastCells = [];
    this.line.close();
    this.state = { ...this.state, ...some };
    this.#address(!("moves" in some));
    return this.#load();
  }

  #address(replace) {
    const { game, at, moves, side, values, flip } = this.state;
    writeRoute("play", { game, at, moves: moves.join("."), side: side === "first" ? "" : side,
      values: values ? "1" : "", flip: flip ? "1" : "" }, replace);
  }

  /** The game and the start of play, by which it is remembered that there are no values. */
  get #place() {
    return `${this.state.game} ${this.state.at}`;
  }

  /** The side that the person plays; both, if the game is not solved. */
  get #mine() {
    return this.refused.has(this.#place) ? "both" : this.state.side;
  }

  get #wantsValues() {
    return this.#mine !== "both" || this.state.values;
  }

  /** Get the position of the state from the server and show it. */
  async #load() {
    clearTimeout(this.reply);
    const [state, place] = [this.state, this.#place];
    const where = { game: state.game, at: state.at || undefined, moves: state.moves.join(".") || undefined };
    const get = (solve, options) => this.api.get("/play/position", { ...where, solve }, options);
    const wants = this.#wantsValues && !this.refused.has(this.#place);
    if (!wants || !this.solved.has(state.game)) {
      const found = await this.work.run((options) => get(false, options));
      if (!found || state !== this.state) return this.#failed(state);
      this.#show(found);
    }
    if (!wants) return undefined;
    let stopped = true;
    const found = await this.work.run((options) => get(true, options).catch((error) => {
      stopped = error.name === "AbortError";
      if (stopped || error.kind === "gone") throw error;
      const table = error.kind === "limit" && !state.game.startsWith("@") && !error.message.includes("zermelo build")
        ? ` A table may take longer: zermelo build ${state.game} -o game.zt, then zermelo serve game.zt.` : "";
      this.refused.set(place, `There are no values: ${error.message}.${table} You can play both sides.`);
    }));
    if (state !== this.state || !this.isConnected) return undefined;
    if (found) {
      this.solved.add(state.game);
      this.#show(found);
      this.#answer();
    } else {
      if (stopped) this.refused.set(place, "Solving was stopped. You can play both sides.");
      if (this.shown === state) this.#draw();
      else if (this.refused.has(place)) return this.#load(); // the position is shown without its values
      else this.#failed(state);
    }
    return undefined;
  }

  /** A position that the server does not give: back to the one before, or to the list of games. */
  #failed(state) {
    if (state !== this.state) return;
    if (this.scene) {
      this.state = this.shown;
      this.#address(true);
      this.#draw();
      return;
    }
    this.table.hidden = true;
    this.games.element.hidden = false;
  }

  #show(scene) {
    this.scene = scene;
    this.shown = this.state;
    this.table.hidden = false;
    this.line.close();
    this.#draw();
  }

  get #solvedHere() {
    return this.scene?.solved ?? false;
  }

  /** Whether values are wanted that are not there yet. */
  get #isSolving() {
    return this.#wantsValues && !this.refused.has(this.#place) && !this.#solvedHere;
  }

  /** Whether the person may move now. */
  get #active() {
    if (!this.scene || this.scene.over || this.line.opened || this.#isSolving) return false;
    return this.#mine === "both" || this.scene.second === (this.#mine === "second");
  }

  #draw() {
    const { state, scene } = this;
    if (!state || !scene) return;
    const values = state.values && this.#solvedHere;
    this.dataset.ply = String(scene.history.length - 1);
    this.dataset.turn = scene.over ? "over" : this.#active ? "you" : "other";
    this.heading.textContent = state.game.replace(/^@/, "");
    this.board.show(scene.picture, {
      moves: this.#active ? scene.moves : [], flip: state.flip, values,
      marked: this.lastCells ?? [], label: `Board, ${scene.position}`,
    });
    this.flip.hidden = !this.board.flips;
    this.flip.setAttribute("aria-pressed", String(state.flip));
    this.values.setAttribute("aria-pressed", String(state.values));
    this.side.replaceChildren(
      ...[`${scene.sides[0]}`, `${scene.sides[1]}`, "both sides"].map((text, k) =>
        h("option", { value: PLAY_SIDES[k], selected: this.#mine === PLAY_SIDES[k] }, text)));
    this.text.value = scene.position;
    this.back.disabled = !state.moves.length;
    this.again.disabled = !state.moves.length;
    this.hint.disabled = this.why.disabled = Boolean(scene.over) || this.#isSolving || this.refused.has(this.#place);
    this.solve.hidden = !this.refused.has(this.#place);
    this.#sayTurn();
    this.#listMoves();
    this.history.replaceChildren(this.history.firstChild, h("div", { class: "z-scroll" }, playHistory(scene.history, scene.sides)));
    const charted = scene.solved && scene.history.length > 1;
    this.chart.replaceChildren(...(charted ? [h("h2", {}, "The value over the game"), playChart(scene.history, scene.sides, this.#chartWidth)] : []));
  }

  get #chartWidth() {
    return Math.max(280, Math.min(1100, this.chart.clientWidth || 640));
  }

  #sayTurn() {
    const { scene, state } = this;
    const mover = scene.sides[Number(scene.second)];
    const parts = [];
    if (scene.over) {
      parts.push(scene.over.words);
      if (this.#mine !== "both" && scene.value && scene.over.reason === "end" && scene.value.result !== "tie") {
        const wins = (scene.value.result === "win") === (scene.second === (this.#mine === "second"));
        parts.push(wins ? " You win." : " You lose.");
      }
    } else {
      const name = /^[a-z]{2}/.test(mover) ? mover[0].toUpperCase() + mover.slice(1) : mover;
      const you = this.#mine !== "both" && this.#active;
      parts.push(`${name} to move`, you ? " (you)" : this.#isSolving ? "; the game is being solved" : "");
      if (scene.value && state.values) parts.push(": ", playBadge(scene.value));
      else parts.push(".");
    }
    this.turn.replaceChildren(...parts);
    this.said.textContent = this.refused.get(this.#place) ?? scene.left_out;
  }

  #listMoves() {
    const { scene, state } = this;
    if (!scene || !state) return;
    const values = state.values && this.#solvedHere;
    const { meant } = playMeant(scene.moves, this.board.clicked);
    let moves = this.board.clicked.length ? meant : [...scene.moves];
    if (values) moves = [...moves].sort((a, b) => playRank(b.value) - playRank(a.value));
    const empty = h("p", { class: "z-quiet" }, scene.over ? "Play is over." : "There is no move.");
    this.moves.replaceChildren(moves.length
      ? playMoveList(moves, { values, meant: moves, active: this.#active, choose: (move) => this.#play(move.number) })
      : empty);
  }

  #play(number) {
    if (!this.#active) return;
    this.#step(number, false);
  }

  #step(number, replace) {
    const move = this.scene.moves.find((x) => x.number === number);
    this.lastCells = move?.ways.length === 1 ? move.ways[0] : [];
    this.state = { ...this.state, moves: [...this.state.moves, number] };
    this.#address(replace);
    this.#load();
  }

  /** The other player's move, if it is their turn. */
  #answer() {
    const { scene, state } = this;
    if (this.#mine === "both" || scene.over || scene.second === (state.side === "second")) return;
    const best = scene.moves.filter((x) => x.best);
    const move = best[Math.floor(Math.random() * best.length)];
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.reply = setTimeout(() => {
      this.#step(move.number, true);
      this.replied = move.name;
    }, still ? 0 : PLAY_REPLY_TIME);
  }

  #takeBack() {
    const { history } = this.scene;
    let ply = this.state.moves.length - 1;
    const mine = (k) => history[k].second === (this.state.side === "second");
    if (this.#mine !== "both" && this.#solvedHere) while (ply > 0 && !mine(ply)) ply -= 1;
    this.#change({ moves: this.state.moves.slice(0, Math.max(ply, 0)) });
  }

  async #withValues() {
    if (this.#solvedHere) return true;
    const { game, at, moves } = this.state;
    const state = this.state;
    const found = await this.work.run((options) =>
      this.api.get("/play/position", { game, at: at || undefined, moves: moves.join(".") || undefined, solve: true }, options));
    if (!found || state !== this.state) return false;
    this.solved.add(game);
    this.#show(found);
    return true;
  }

  async #hint() {
    if (!(await this.#withValues())) return;
    const best = this.scene.moves.filter((x) => x.best);
    if (!best.length) return;
    this.board.point(best[0]);
    this.said.replaceChildren(`Hint: ${best[0].name}, `, playBadge(best[0].value));
  }

  async #why() {
    const { game, at, moves } = this.state;
    const found = await this.work.run((options) =>
      this.api.get("/play/line", { game, at: at || undefined, moves: moves.join(".") || undefined }, options));
    if (!found) return;
    clearTimeout(this.reply);
    this.line.open(found, this.scene.sides);
    this.#listMoves();
  }

  #showStep(step) {
    this.turn.textContent = "The line of best play";
    this.board.show(step.picture, { flip: this.state.flip, marked: step.changed, label: `Board, ${step.position}` });
  }

  #solve() {
    this.refused.delete(this.#place);
    this.#change({ values: true });
  }

  async #copy() {
    const link = routeLink();
    try {
      await navigator.clipboard.writeText(link);
      this.said.textContent = "The link is copied; it restores this position.";
    } catch {
      this.said.textContent = `The link is ${link}`;
    }
  }

  async #setPosition(event) {
    event.preventDefault();
    const at = this.text.value.trim();
    const before = this.state;
    const found = await this.work.run((options) =>
      this.api.get("/play/position", { game: before.game, at, solve: false }, options));
    if (!found || before !== this.state) return;
    this.#sit({ ...before, at, moves: [] }, false);
  }

  async #openFacts() {
    if (!this.facts.open || this.facts.children.length > 1) return;
    const { game } = this.state;
    this.facts.append(h("div", {}, this.extra.element, this.extra.error));
    const found = await this.extra.run(async (options) => [
      await this.api.get("/play/counts", { game }, options),
      await this.api.get("/play/hardest", { game }, options),
    ]);
    if (!found || this.state?.game !== game) {
      if (this.extra.error.hidden) this.facts.replaceChildren(this.facts.firstChild);
      return;
    }
    const [counts, hardest] = found;
    const number = (x) => (x === null ? "none" : x.toLocaleString("en"));
    const plies = counts.distances === "conversion" ? "in plies to conversion" : "in plies";
    const rows = [["positions", counts.positions], ["won by the player to move", counts.win], ["lost", counts.lose],
      ["tied", counts.tie], ["drawn for ever", counts.draw], [`longest win, ${plies}`, counts.longest_win],
      [`longest loss, ${plies}`, counts.longest_lose]];
    this.facts.replaceChildren(this.facts.firstChild,
      h("div", { class: "zp-facts" },
        h("table", {}, h("caption", {}, "Positions of the game"), h("tbody", {}, ...rows.map(([name, count]) =>
          h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, number(count)))))),
        hardest.positions.length ? h("div", {},
          h("h2", {}, "The longest wins and losses"),
          h("ul", { class: "zp-games" }, ...hardest.positions.map((row) => this.#hard(row)))) : null));
  }

  #hard({ position, picture: source, value }) {
    return h("li", {}, h("button", { type: "button", class: "zp-card",
      onclick: () => this.#sit({ ...this.state, at: position, moves: [] }, false) },
    h("span", { class: "zp-thumb", "aria-hidden": "true" }, picture(source)),
    h("span", { class: "zp-about" }, h("span", { class: "z-mono" }, position), playBadge(value))));
  }
}

customElements.define("z-play", PlayPage);
