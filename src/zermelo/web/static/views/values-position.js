// The value of a position that was drawn: its parts, and the moves of both players.

import { h } from "../dom.js";
import { componentTable, resultMark, shortened, valueCards } from "./values-result.js";

/** The cards of a position. Handlers: choose(text) opens a value, show(text or null) previews a
 *  move on the picture, sketch(text, player) is a small picture of it, play(text) makes it,
 *  part(text) is a small picture of a part. If beside is true, the moves stand beside the thermograph. */
export function positionCards(found, handlers) {
  const parts = found.components.length > 1 || found.components[0]?.count > 1;
  return [
    ...valueCards(found.value, handlers.choose),
    h(
      "section",
      { class: `z-card zv-card${handlers.beside && found.value.thermograph ? "" : " zv-wide"}` },
      h("h2", {}, "Moves"),
      h("p", { class: "z-quiet" }, "Point at a move to see it in the picture; press it to make it. The value behind it is that of the position it leads to."),
      h("div", { class: "zv-sides" }, positionMoves("Left", "zv-left", found.left, handlers), positionMoves("Right", "zv-right", found.right, handlers)),
      found.more ? h("p", { class: "z-quiet" }, `${found.more} more moves are left out.`) : null,
    ),
    parts
      ? h(
          "section",
          { class: "z-card zv-card zv-wide" },
          h("h2", {}, "Parts"),
          h("p", { class: "z-quiet" }, "The position is the sum of these parts; parts of the same value are listed once."),
          componentTable(found.components, handlers.part),
        )
      : null,
  ].filter(Boolean);
}

const RESULT_ORDER = { wins: 0, draws: 1, loses: 2 };

function positionMoves(player, name, moves, handlers) {
  const sorted = [...moves].sort((a, b) => RESULT_ORDER[a.result] - RESULT_ORDER[b.result]);
  return h(
    "div",
    {},
    h("h3", { class: name }, `${player} moves`),
    moves.length ? null : h("p", {}, `${player} has no move.`),
    h(
      "ul",
      { class: "zv-moves" },
      sorted.map((move) => {
        const show = () => handlers.show(move.text);
        const hide = () => handlers.show(null);
        return h(
          "li",
          { onpointerenter: show, onpointerleave: hide },
          resultMark(move.result),
          h(
            "button",
            { type: "button", class: "zv-chip", "aria-label": `${player} moves to ${move.text || "nothing"}`, onfocus: show, onblur: hide, onclick: () => handlers.play(move.text) },
            handlers.sketch(move.text, player),
          ),
          h("span", { class: "z-mono" }, shortened(move.value, 60)),
        );
      }),
    ),
  );
}
