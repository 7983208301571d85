// The value of each position of a play: a chart, and the same as a table.

import { h, s } from "../dom.js";
import { playBadge, playSign } from "./play_values.js";

const PLAY_CHART = { tall: 160, right: 16, top: 14, bottom: 28, letter: 6.6, longest: 18 };

/** The height of a value on the chart, from −1 to 1: quick wins are high. */
function playHeight(value, longest) {
  if (value.result !== "win" && value.result !== "lose") return 0;
  const near = value.distance === null ? 0 : 1 - value.distance / (longest + 1);
  return (value.result === "win" ? 1 : -1) * (0.35 + 0.65 * near);
}

/** The chart of a history with values, so wide; sides are the names of the players. */
export function playChart(history, sides, wide) {
  const { tall, right, top, bottom, letter, longest: most } = PLAY_CHART;
  const short = (text) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const names = sides.map((side) => short(`${side} wins`));
  const left = 12 + letter * Math.max(...names.map((x) => x.length), 4);
  const longest = Math.max(1, ...history.map((x) => x.value.distance ?? 0));
  const step = (wide - left - right) / Math.max(1, history.length - 1);
  const middle = top + (tall - top - bottom) / 2;
  const points = history.map(({ value }, ply) => ({
    x: left + ply * step,
    y: middle - ((tall - top - bottom) / 2) * playHeight(value, longest),
    value,
    ply,
  }));
  const rows = [[top, names[0]], [middle, "even"], [tall - bottom, names[1]]];
  const every = Math.max(1, Math.ceil((history.length * 28) / (wide - left - right)));
  return s(
    "svg",
    { class: "zp-chart", viewBox: `0 0 ${wide} ${tall}`, role: "img",
      "aria-label": "The value of each position so far; the table below has the same values." },
    ...rows.map(([y, text]) => s("g", {},
      s("line", { x1: left, x2: wide - right, y1: y, y2: y, class: "zp-rule" }),
      s("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, text))),
    s("polyline", { class: "zp-trend", points: points.map(({ x, y }) => `${x},${y}`).join(" ") }),
    ...points.map(({ x, y, value, ply }) =>
      s("g", { class: `zp-point z-${value.result}` },
        s("title", {}, `ply ${ply}: ${playSign(value)}`),
        s("circle", { cx: x, cy: y, r: 4.5 }),
        ply % every ? null : s("text", { x, y: tall - 8, "text-anchor": "middle" }, String(ply)))),
  );
}

/** The same as a table. */
export function playHistory(history, sides) {
  const rows = history.map(({ move, value, second }, ply) =>
    h("tr", {},
      h("td", {}, String(ply)),
      h("td", {}, ply ? sides[Number(history[ply - 1].second)] : ""),
      h("td", {}, move ?? "start"),
      value ? h("td", {}, h("span", { class: `z-value z-${value.result}` }, playSign(value)),
        ` ${sides[Number(second)]} to move: ${value.words}`) : null));
  const valued = history.some((x) => x.value);
  return h("table", { class: "zp-history" },
    h("thead", {}, h("tr", {}, ...["ply", "player", "move", ...(valued ? ["value"] : [])].map((x) => h("th", { scope: "col" }, x)))),
    h("tbody", {}, ...rows));
}

/** Moves as buttons, the best first if they have values. */
export function playMoveList(moves, { values, meant, choose, active }) {
  const buttons = moves.map((move) =>
    h("li", {},
      h("button", {
        type: "button", class: `zp-move${meant.includes(move) ? "" : " zp-faint"}`, "data-number": move.number,
        disabled: !active, onclick: () => choose(move),
      },
        h("span", { class: "zp-name" }, move.name,
          move.other ? h("small", { class: "z-quiet" }, ` ${move.other}`) : null),
        values && move.value ? h("span", { class: "zp-worth" },
          move.best ? h("span", { class: "zp-star", title: "best move" }, "★ best") : null,
          playBadge(move.value)) : null)));
  return h("ul", { class: `zp-moves${values ? " zp-valued" : ""}` }, ...buttons);
}
