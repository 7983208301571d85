// What the view "graph" asks of the server: graphs, places, results, reasons; and its address.

import { routeLink, writeRoute } from "../route.js";
import { GRAPH_LONGEST_LINK, packGraph, unpackGraph } from "./graph_export.js";
import {
  GraphHistory, emptyGraphState, gameOfState, largeGameText, largeStateOfGame, stateOfGame, withPlaces,
} from "./graph_model.js";

const GRAPH_PLACE_SCALE = 1.1;

/** The state of the view and its requests; the class below it has the page. */
export class GraphDesk extends HTMLElement {
  /** The last state; it is there again when one comes back from another view. */
  static last = null;

  history = new GraphHistory(emptyGraphState(), (kind) => this.changed(kind));
  session = Math.random().toString(36).slice(2);
  selected = null;
  focused = null;
  linking = null;
  choosing = null;
  results = null;
  solved = null;
  loading = null;
  line = null;
  packed = "";

  get state() {
    return this.history.state;
  }

  /** The game of a graph that is too large to draw; null for others. */
  get large() {
    return this.state.large ?? null;
  }

  get form() {
    return this.forms.find((x) => x.name === this.state.objective.name) ?? this.forms[0];
  }

  gameText() {
    return this.large ? largeGameText(this.state, this.form) : gameOfState(this.state, this.form);
  }

  /** Ask about the game as it is now; undefined if it failed, and then the error is shown. */
  async ask(path, more = {}) {
    await this.loading;
    return this.work.run(async (options) => this.api.post(path, { game: this.gameText(), session: this.session, ...more }, options));
  }

  /** Show the graph that an action answers; its places may be known. What is asked meanwhile waits for it. */
  load(action, title = "", places = null) {
    this.loading = this.#load(action, title, places);
    return this.loading;
  }

  async #load(action, title, places) {
    const found = await this.work.run(async (options) => {
      const graph = await action(options);
      const drawn = graph.n <= this.drawn;
      if (places?.length === graph.n || !drawn || !graph.n) return { graph, places };
      const layout = await this.api.post("/graphs/layout", { game: graph.game, session: this.session }, options);
      return { graph, places: layout.places.map(([x, y]) => [GRAPH_PLACE_SCALE * x, GRAPH_PLACE_SCALE * y]) };
    });
    if (!found) return false;
    this.show(found.graph, found.places, title);
    return true;
  }

  show(graph, places, title) {
    const drawn = graph.n <= this.drawn;
    const state = drawn ? stateOfGame(graph.game, this.forms, places) : largeStateOfGame(graph.game, this.forms);
    this.selected = this.focused = this.solved = null;
    this.titled(title || graph.title);
    this.edit(state);
  }

  async arrange(engine) {
    if (!engine || !this.state.positions.length) return;
    const found = await this.ask("/graphs/layout", { engine });
    if (!found) return;
    this.edit(withPlaces(this.state, found.places.map(([x, y]) => [GRAPH_PLACE_SCALE * x, GRAPH_PLACE_SCALE * y])), "picture");
    this.view.fit();
  }

  async solve() {
    await this.loading;
    const { state } = this;
    const found = await this.ask("/graphs/solve");
    if (!found || state !== this.state) return;
    this.solved = found;
    this.results = found.picture;
    this.solvedNow(found);
  }

  /** Why a position has its result; the game is solved first if it is not. */
  async why(key) {
    if (!this.solved) await this.solve();
    const { state } = this;
    const position = state.positions.findIndex((p) => p.key === key);
    if (!this.solved || position < 0) return;
    const player = this.solved.doubled ? Number(this.player.value) : null;
    const found = await this.ask("/graphs/explain", { position, player });
    if (!found || state !== this.state) return;
    this.explained(found, found.line.map((v) => state.positions[v].key));
  }

  // ---------------------------------------------------------------- the address

  async openPacked(letters) {
    let given;
    try {
      given = JSON.parse(await unpackGraph(letters));
    } catch (error) {
      this.fail(error instanceof SyntaxError ? new Error("This link is damaged: its graph cannot be read.") : error);
      return;
    }
    const places = Array.isArray(given.xy) && given.xy.every((p) => Array.isArray(p) && p.every(Number.isFinite)) ? given.xy : null;
    await this.load((options) => this.api.post("/graphs/parse", { text: String(given.game), format: "json" }, options), "", places);
  }

  async writeLink() {
    const { state } = this;
    if (this.large || !state.positions.length) {
      this.packed = "";
      writeRoute("graph", {});
      return;
    }
    const packed = await packGraph(JSON.stringify({ game: this.gameText(), xy: state.positions.map((p) => [p.x, p.y].map(Math.round)) }));
    if (state !== this.state || !this.isConnected) return;
    this.packed = packed.length <= GRAPH_LONGEST_LINK ? packed : "";
    writeRoute("graph", { g: this.packed, solve: this.packed && this.solved ? 1 : null });
  }

  /** The link to what is shown; empty if the graph is too large for one. */
  async address() {
    await this.writeLink();
    return this.packed ? routeLink() : "";
  }
}
