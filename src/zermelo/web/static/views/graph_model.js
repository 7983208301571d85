// The graph that one edits, and its way to and from zermelo's JSON format of games.
//
// A state is never changed; every edit makes a new one, so that undo is a step back in a list:
//   positions  [{ key, name, x, y, owner, priority, colours, payoff }]
//   moves      [{ from, to, weight }], by keys of positions
//   start      a key or null; owned, weighted: whether owners and weights count
//   objective  { name, values: {parameter: value}, sets: {parameter: [keys]} }

const GRAPH_UNDO = 200;

/** A graph without positions, for normal play. */
export function emptyGraphState() {
  return {
    positions: [], moves: [], start: null, owned: false, weighted: false, impartial: true, nextKey: 0,
    objective: { name: "normal", values: {}, sets: {} },
  };
}

/** A new position; what is not given has its default. */
export function graphPosition(key, name, given = {}) {
  return { key, name, x: 0, y: 0, owner: 0, priority: 0, colours: [], payoff: "0", ...given };
}

/** The states that were, and those that were taken back; opening a graph can be taken back, too. */
export class GraphHistory {
  constructor(state, changed) {
    this.state = state;
    this.past = [];
    this.future = [];
    this.changed = changed;
  }

  /** Take over a new state; kind says what it changes: "game", or "picture" if only places. */
  change(next, kind = "game", merge = false) {
    if (next === this.state) return;
    if (!merge) {
      this.past.push(this.state);
      if (this.past.length > GRAPH_UNDO) this.past.shift();
    }
    this.future = [];
    this.state = next;
    this.changed(kind);
  }

  undo() {
    this.#step(this.past, this.future);
  }

  redo() {
    this.#step(this.future, this.past);
  }

  #step(from, to) {
    if (!from.length) return;
    to.push(this.state);
    this.state = from.pop();
    this.changed("game");
  }
}

// ------------------------------------------------------------------ edits

/** The first name a, b, …, z, p26, p27, … that no position has. */
export function freshGraphName(state) {
  const taken = new Set(state.positions.map((p) => String(p.name)));
  for (let k = 0; ; k++) {
    const name = k < 26 ? String.fromCharCode(97 + k) : `p${k}`;
    if (!taken.has(name)) return name;
  }
}

export function withPosition(state, given = {}) {
  const key = state.nextKey;
  const position = graphPosition(key, given.name ?? freshGraphName(state), given);
  return { ...state, positions: [...state.positions, position], nextKey: key + 1 };
}

export function withoutPosition(state, key) {
  const sets = Object.fromEntries(
    Object.entries(state.objective.sets).map(([name, keys]) => [name, keys.filter((x) => x !== key)]),
  );
  return {
    ...state,
    positions: state.positions.filter((p) => p.key !== key),
    moves: state.moves.filter((m) => m.from !== key && m.to !== key),
    start: state.start === key ? null : state.start,
    objective: { ...state.objective, sets },
  };
}

/** The same graph with one more move; a move that is there already changes nothing. */
export function withMove(state, from, to, weight = 0) {
  if (state.moves.some((m) => m.from === from && m.to === to)) return state;
  return { ...state, moves: [...state.moves, { from, to, weight }] };
}

export function withoutMove(state, from, to) {
  return { ...state, moves: state.moves.filter((m) => m.from !== from || m.to !== to) };
}

export function patchPosition(state, key, patch) {
  return { ...state, positions: state.positions.map((p) => (p.key === key ? { ...p, ...patch } : p)) };
}

export function patchMove(state, from, to, patch) {
  const moves = state.moves.map((m) => (m.from === from && m.to === to ? { ...m, ...patch } : m));
  return { ...state, moves, weighted: state.weighted || "weight" in patch };
}

export function withPlaces(state, places) {
  return { ...state, positions: state.positions.map((p, v) => ({ ...p, x: places[v][0], y: places[v][1] })) };
}

/** The key of the position with this name; undefined if there is none. */
export function keyOfName(state, name) {
  return state.positions.find((p) => graphLabel(p.name) === name)?.key;
}

/** A name of a file as text: lists are tuples there. */
export function graphLabel(name) {
  if (!Array.isArray(name)) return name === null ? "None" : String(name);
  const parts = name.map((x) => (typeof x === "string" ? `'${x}'` : graphLabel(x)));
  return `(${parts.join(", ")}${parts.length === 1 ? "," : ""})`;
}

// ------------------------------------------------------------------ JSON

/** The game of a state as JSON; form is the objective's row of the catalogue. */
export function gameOfState(state, form) {
  const place = new Map(state.positions.map((p, v) => [p.key, v]));
  const rows = state.positions.map(() => []);
  const weights = state.positions.map(() => []);
  const sorted = [...state.moves].sort((a, b) => place.get(a.to) - place.get(b.to));
  for (const move of sorted) {
    rows[place.get(move.from)].push(place.get(move.to));
    weights[place.get(move.from)].push(move.weight);
  }
  const game = { format: "zermelo-game", version: 1, n: rows.length };
  if (state.positions.some((p, v) => p.name !== v)) game.names = state.positions.map((p) => p.name);
  game.moves = rows;
  const owned = form.players === "own" || (state.owned && form.players !== "alternate");
  if (owned) game.owner = state.positions.map((p) => p.owner);
  const needsWeights = form.parameters.some((x) => x.kind === "weight");
  if (needsWeights || state.weighted) game.weight = weights;
  const spec = graphObjectiveSpec(state, form, place, rows);
  if (form.name !== "normal") game.objective = spec;
  if (state.start !== null) game.start = place.get(state.start);
  if (!state.impartial) game.impartial = false;
  return JSON.stringify(game);
}

function graphObjectiveSpec(state, form, place, rows) {
  const spec = { objective: form.name };
  for (const { name, kind, default: standard } of form.parameters) {
    const value = state.objective.values[name] ?? standard;
    if (kind === "positions") {
      spec[name] = (state.objective.sets[name] ?? []).map((key) => place.get(key)).sort((a, b) => a - b);
    } else if (kind === "priority") spec[name] = state.positions.map((p) => p.priority);
    else if (kind === "colour") spec[name] = state.positions.map((p) => p.colours);
    else if (kind === "payoff") {
      const ends = state.positions.map((p, v) => [String(v), graphNumber(p.payoff)]);
      spec[name] = Object.fromEntries(ends.filter((_, v) => !rows[v].length));
    } else if (kind === "flag") {
      if (value) spec[name] = true;
    } else if (kind === "player") spec[name] = Number(value ?? 0);
    else if (kind === "integer" || kind === "number") {
      if (value !== null && value !== "") spec[name] = kind === "integer" ? graphInteger(value) : graphNumber(value);
    } else if (kind === "json") {
      if (value !== null && value !== "") spec[name] = graphJson(value);
    } else if (kind !== "weight") spec[name] = value ?? "";
  }
  return spec;
}

function graphInteger(value) {
  return /^\s*-?\d{1,15}\s*$/.test(value) ? Number(value) : value;
}

/** An integer as a number, a fraction as text. */
function graphNumber(value) {
  return typeof value === "number" ? value : graphInteger(String(value).trim());
}

function graphJson(value) {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The state of a game in JSON; forms are the objectives of the catalogue. */
export function stateOfGame(text, forms, places = null) {
  const game = JSON.parse(text);
  const names = game.names ?? game.moves.map((_, v) => v);
  const spec = game.objective ?? { objective: "normal" };
  const form = forms.find((x) => x.name === spec.objective) ?? forms[0];
  const positions = names.map((name, v) =>
    graphPosition(v, name, {
      owner: game.owner?.[v] ?? 0, x: places?.[v]?.[0] ?? 0, y: places?.[v]?.[1] ?? 0,
    }),
  );
  const values = {};
  const sets = {};
  for (const { name, kind } of form.parameters) {
    const given = spec[name];
    if (given === undefined || given === null) continue;
    if (kind === "positions") sets[name] = given;
    else if (kind === "priority") given.forEach((x, v) => (positions[v].priority = x));
    else if (kind === "colour") given.forEach((x, v) => (positions[v].colours = Array.isArray(x) ? x : [x]));
    else if (kind === "payoff") for (const [v, x] of Object.entries(given)) positions[v].payoff = Array.isArray(x) ? x : String(x);
    else if (kind === "json" || (kind === "text" && typeof given !== "string")) values[name] = typeof given === "string" ? given : JSON.stringify(given);
    else values[name] = kind === "flag" ? given : String(given);
  }
  const moves = game.moves.flatMap((row, v) => row.map((w, k) => ({ from: v, to: w, weight: game.weight?.[v][k] ?? 0 })));
  return {
    positions, moves, start: game.start ?? null, owned: Boolean(game.owner), weighted: Boolean(game.weight),
    impartial: game.impartial ?? true, nextKey: positions.length, objective: { name: form.name, values, sets },
  };
}

// ------------------------------------------------------------------ large graphs

/** The state of a game that is not drawn: its objective can be changed, its graph cannot. */
export function largeStateOfGame(text, forms) {
  const game = JSON.parse(text);
  const spec = game.objective ?? { objective: "normal" };
  const form = forms.find((x) => x.name === spec.objective) ?? forms[0];
  const values = {};
  const sets = {};
  for (const { name, kind } of form.parameters) {
    const given = spec[name];
    if (kind === "positions") sets[name] = given ?? [];
    else if (given !== undefined && !GRAPH_LARGE_DATA.has(kind)) values[name] = kind === "flag" ? given : typeof given === "string" ? given : JSON.stringify(given);
  }
  const label = (v) => graphLabel(game.names ? game.names[v] : v);
  let places = null;
  const find = (name) => {
    places ??= new Map(game.moves.map((_, v) => [label(v), v]));
    return places.get(name);
  };
  const m = game.moves.reduce((sum, row) => sum + row.length, 0);
  const large = { game, n: game.moves.length, m, label, find };
  return { ...emptyGraphState(), large, owned: Boolean(game.owner), weighted: Boolean(game.weight), objective: { name: form.name, values, sets } };
}

const GRAPH_LARGE_DATA = new Set(["priority", "colour", "payoff", "weight"]);

/** A large game as JSON, with the objective that was chosen. */
export function largeGameText(state, form) {
  const { game } = state.large;
  const spec = { objective: form.name };
  for (const { name, kind, default: standard } of form.parameters) {
    const given = game.objective?.objective === form.name ? game.objective[name] : undefined;
    const value = state.objective.values[name] ?? standard;
    if (kind === "weight") {
      if (!game.weight) throw new Error("This objective needs a weight for each move, and the file has none.");
    } else if (GRAPH_LARGE_DATA.has(kind)) {
      if (given === undefined) throw new Error(`This objective needs data of each position (${name}), and the file has none.`);
      spec[name] = given;
    } else if (kind === "positions") spec[name] = state.objective.sets[name] ?? [];
    else if (kind === "flag") {
      if (value) spec[name] = true;
    } else if (kind === "player") spec[name] = Number(value ?? 0);
    else if (kind === "integer" || kind === "number") {
      if (value !== null && value !== "") spec[name] = graphNumber(value);
    } else spec[name] = kind === "json" ? graphJson(value) : value ?? "";
  }
  const made = { ...game };
  if (form.name === "normal") delete made.objective;
  else made.objective = spec;
  if (form.players === "alternate") delete made.owner;
  return JSON.stringify(made);
}
