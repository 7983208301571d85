// Values of positions and moves: a sign, a number, a colour and words.

import { h } from "../dom.js";

const PLAY_SIGNS = { win: "+", lose: "−", tie: "=", draw: "∞" };

/** The sign and the number of a value, as in +5. */
export function playSign(value) {
  return PLAY_SIGNS[value.result] + (value.distance ?? "");
}

/** A value as a coloured mark with its words. */
export function playBadge(value) {
  return h("span", { class: `z-value z-${value.result}` }, `${PLAY_SIGNS[value.result]} ${value.words}`);
}

/** A number that is larger for a better value: quick wins first, slow losses before quick ones. */
export function playRank(value) {
  const distance = value.distance ?? 0;
  if (value.result === "win") return value.distance === null ? 1e6 : 2e6 - distance;
  if (value.result === "lose") return value.distance === null ? -1e6 : -2e6 + distance;
  return 0;
}

/** The moves that can be meant by clicked cells, and those whose cells are these exactly. */
export function playMeant(moves, clicked) {
  const fits = (way) => clicked.every((cell) => way.includes(cell));
  const meant = moves.filter((move) => move.ways.some(fits));
  const exact = meant.filter((move) => move.ways.some((way) => fits(way) && way.length === clicked.length));
  return { meant, exact };
}

/** The cells that may be clicked next, each with the moves that it leads to. */
export function playNext(moves, clicked) {
  const found = new Map();
  for (const move of moves) {
    for (const way of move.ways) {
      if (!clicked.every((cell) => way.includes(cell))) continue;
      const cell = way.find((x) => !clicked.includes(x));
      if (cell === undefined) continue;
      if (!found.has(cell)) found.set(cell, []);
      found.get(cell).push(move);
    }
  }
  return found;
}
