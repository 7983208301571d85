// What is drawn: shapes and arrows with their places and looks, made from a graph and its results.

import { graphLabel } from "./graph_model.js";

const GRAPH_LABEL = 18;
const GRAPH_ARROW = 9;

/** The bends of two opposite moves, and of a move around a position. */
export const GRAPH_BEND = 0.16;
const GRAPH_DETOUR = 0.24;

/** The width of a text of the picture, nearly. */
export function graphTextWidth(text) {
  let width = 0;
  for (const letter of text) width += /[ilj.,:;'|!()[\]]/.test(letter) ? 4 : /[mwMW→∞]/.test(letter) ? 11 : letter > "\u2E7F" ? 14 : 7.6;
  return width;
}

export function cutGraphLabel(text, most = GRAPH_LABEL) {
  const line = text.replace(/\s*\n\s*/g, " / ");
  return line.length > most ? line.slice(0, most - 1) + "…" : line;
}

/** A shape: round for player 0, a box for player 1, a card if there are two results. */
export function graphNode(given) {
  const { cells = [], owner = null } = given;
  const label = cutGraphLabel(given.label);
  const shape = cells.length > 1 ? "card" : owner === 1 ? "box" : "round";
  const texts = cells.map((c, k) => (cells.length > 1 ? `${k}: ${c.text}` : c.text));
  const wide = cells.length > 1
    ? Math.max(graphTextWidth(label) + 20, 2 * Math.max(...texts.map(graphTextWidth)) + 14, 76)
    : Math.max(graphTextWidth(label), ...texts.map(graphTextWidth)) * (shape === "round" ? 1.18 : 1) + 20;
  return { ...given, label, shape, cells, w: Math.max(wide, 48), h: shape === "card" ? 48 : 44 };
}

/** Where a ray from the centre leaves the shape, as a multiple of (dx, dy). */
function graphBorder(node, dx, dy) {
  const rim = node.ends ? 4 : 0;
  const a = node.w / 2 + rim;
  const b = node.h / 2 + rim;
  if (node.shape === "round") return 1 / Math.hypot(dx / a, dy / b);
  return Math.min(a / Math.max(Math.abs(dx), 1e-9), b / Math.max(Math.abs(dy), 1e-9));
}

/** The curve of a move: from p by the control points to q, where the arrowhead points. It bends by a
 *  share of its length; a loop is on the side that the angle points to. */
export function graphCurve(source, target, bend, angle = -Math.PI / 2) {
  if (source === target) {
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    const far = graphBorder(source, x, y);
    const at = (out, aside) => [source.x + x * (far + out) - y * aside, source.y + y * (far + out) + x * aside];
    return graphWithHead({ p: at(-3, -11), c: at(34, -26), d: at(34, 26), q: at(-3, 11) });
  }
  let dx = target.x - source.x;
  let dy = target.y - source.y;
  if (!dx && !dy) dx = 1;
    const c = [source.x + dx / 2 - dy * bend, source.y + dy / 2 + dx * bend];
  const out = graphBorder(source, c[0] - source.x, c[1] - source.y);
  const back = graphBorder(target, c[0] - target.x, c[1] - target.y);
  const p = [source.x + (c[0] - source.x) * Math.min(out, 0.95), source.y + (c[1] - source.y) * Math.min(out, 0.95)];
  const q = [target.x + (c[0] - target.x) * Math.min(back, 0.95), target.y + (c[1] - target.y) * Math.min(back, 0.95)];
  return graphWithHead({ p, c, d: null, q });
}

function graphWithHead(curve) {
  const before = curve.d ?? curve.c;
  const angle = Math.atan2(curve.q[1] - before[1], curve.q[0] - before[0]);
  const [x, y] = curve.q;
  const neck = [x - GRAPH_ARROW * Math.cos(angle), y - GRAPH_ARROW * Math.sin(angle)];
  const wing = (turn) => [neck[0] + 4 * Math.cos(angle + turn), neck[1] + 4 * Math.sin(angle + turn)];
  return { ...curve, neck, head: [curve.q, wing(Math.PI / 2), wing(-Math.PI / 2)], middle: graphCurvePoint(curve, 0.5) };
}

export function graphCurvePoint({ p, c, d, q }, t) {
  const s = 1 - t;
  const at = (k) => d
    ? s * s * s * p[k] + 3 * s * s * t * c[k] + 3 * s * t * t * d[k] + t * t * t * q[k]
    : s * s * p[k] + 2 * s * t * c[k] + t * t * q[k];
  return [at(0), at(1)];
}

/** The box around all shapes. */
export function graphBounds(scene) {
  if (!scene.nodes.length) return { left: -200, top: -150, right: 200, bottom: 150 };
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const node of scene.nodes) {
    left = Math.min(left, node.x - node.w / 2 - 6);
    right = Math.max(right, node.x + node.w / 2 + 6);
    top = Math.min(top, node.y - node.h / 2 - 8);
    bottom = Math.max(bottom, node.y + node.h / 2 + 6);
  }
  for (const { from, to, curve } of scene.edges) {
    if (from !== to) continue;
    left = Math.min(left, curve.middle[0] - 4);
    right = Math.max(right, curve.middle[0] + 4);
    top = Math.min(top, curve.middle[1] - 4);
    bottom = Math.max(bottom, curve.middle[1] + 4);
  }
  return { left, top, right, bottom };
}

/** The side of a position, as an angle, that is farthest from the moves to its neighbours. */
function graphFreeSide(node, neighbours) {
  const used = neighbours.map((other) => Math.atan2(other.y - node.y, other.x - node.x));
  const apart = (a, b) => Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));
  const sides = [-Math.PI / 2, Math.PI / 2, 0, Math.PI];
  const gaps = sides.map((side) => Math.min(Math.PI, ...used.map((x) => apart(x, side))));
  return sides[gaps.indexOf(Math.max(...gaps))];
}

/** How much a move must bend so that it does not pass through another position, which is looked at in
 *  small graphs only; 0 if it may be straight. */
function graphDetour(nodes, source, target) {
  if (nodes.length > 120) return 0;
  const [dx, dy] = [target.x - source.x, target.y - source.y];
  const square = dx * dx + dy * dy || 1;
  for (const node of nodes) {
    if (node === source || node === target) continue;
    const t = ((node.x - source.x) * dx + (node.y - source.y) * dy) / square;
    const away = Math.hypot(source.x + t * dx - node.x, source.y + t * dy - node.y);
    if (t <= 0 || t >= 1 || away > 0.55 * node.h) continue;
    return dx * (node.y - source.y) - dy * (node.x - source.x) > 0 ? -GRAPH_DETOUR : GRAPH_DETOUR;
  }
  return 0;
}

/** The scene of a graph. Options: form (the objective), results (the picture of a solution), step
 *  ({results, positions, moves, within}), selected, focus, chosen (keys of a set), line (keys). */
export function graphScene(state, options) {
  const { form, results, step } = options;
  const place = new Map(state.positions.map((p, v) => [p.key, v]));
  const leaves = new Set(state.moves.map((m) => m.from));
  const owned = form.players === "own" || (state.owned && form.players !== "alternate");
  const nodes = state.positions.map((p, v) => {
    const mark = graphMark(p, form, !leaves.has(p.key));
    const cells = step ? graphStepCells(step, v, mark) : results ? results.cells[v].map(([text, kind]) => ({ text, kind })) : mark ? [{ text: mark, kind: "none" }] : [];
    return graphNode({
      key: p.key, x: p.x, y: p.y, label: graphLabel(p.name), cells, owner: owned ? p.owner : null,
      ends: results ? results.ends[v] : !leaves.has(p.key), start: state.start === p.key,
      title: results && !step ? results.answers[v] : graphLabel(p.name),
      selected: options.selected?.key === p.key, focus: options.focus === p.key,
      hot: Boolean(step?.positions.has(v)), chosen: options.chosen?.has(p.key) ?? false,
      dim: Boolean(step?.within && !step.within.has(v)),
    });
  });
  const weighted = state.weighted || form.parameters.some((x) => x.kind === "weight");
  const line = graphLinePairs(step ? null : options.line);
  const pairs = new Set(state.moves.map((m) => `${m.from} ${m.to}`));
  const near = new Map();
  const loops = new Set(state.moves.filter((m) => m.from === m.to).map((m) => m.from));
  for (const m of loops.size ? state.moves : []) {
    for (const [a, b] of m.from === m.to ? [] : [[m.from, m.to], [m.to, m.from]]) {
      if (loops.has(a)) near.set(a, [...(near.get(a) ?? []), nodes[place.get(b)]]);
    }
  }
  const edges = state.moves.map((m) => {
    const [u, w] = [place.get(m.from), place.get(m.to)];
    const best = results && !step ? graphBestFor(results.best[u], w) : "plain";
    return {
      from: m.from, to: m.to, label: weighted ? String(m.weight) : "", best, kind: best === "one" ? (results.cells[u][0]?.[1] ?? "none") : "none",
      curve: u === w
        ? graphCurve(nodes[u], nodes[u], 0, graphFreeSide(nodes[u], near.get(m.from) ?? []))
        : graphCurve(nodes[u], nodes[w], pairs.has(`${m.to} ${m.from}`) ? GRAPH_BEND : graphDetour(nodes, nodes[u], nodes[w])),
      hot: Boolean(step?.moves.has(`${u} ${w}`)) || line.has(`${m.from} ${m.to}`),
      selected: options.selected?.from === m.from && options.selected?.to === m.to,
      dim: Boolean(step?.within && !(step.within.has(u) && step.within.has(w))),
    };
  });
  return { nodes, edges, solved: Boolean(results) && !step };
}

function graphMark(position, form, ends) {
  for (const { kind } of form.parameters) {
    if (kind === "priority") return `p${position.priority}`;
    if (kind === "colour") return position.colours.length ? `{${position.colours.join(",")}}` : "";
    if (kind === "payoff" && ends) return `pays ${position.payoff}`;
  }
  return "";
}

function graphStepCells(step, v, mark) {
  const found = step.results.get(v) ?? [];
  const shown = found.filter((x) => x && x.text);
  if (!shown.length) return mark ? [{ text: mark, kind: "none" }] : [];
  if (found.length > 1) return [0, 1].map((k) => found[k] ?? { text: "", kind: "none" });
  return [{ text: mark && !mark.startsWith("pays") ? `${mark}, ${shown[0].text}` : shown[0].text, kind: shown[0].kind }];
}

function graphBestFor(best, target) {
  const hits = best.map((targets) => targets.includes(target));
  if (best.length === 1) return hits[0] ? "one" : "other";
  return hits[0] && hits[1] ? "both" : hits[0] ? "zero" : hits[1] ? "two" : "other";
}

function graphLinePairs(line) {
  const found = new Set();
  for (let k = 0; line && k + 1 < line.length; k++) found.add(`${line[k]} ${line[k + 1]}`);
  return found;
}
