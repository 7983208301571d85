// The line of best play, step by step.

import { h } from "../dom.js";
import { playBadge } from "./play_values.js";

const PLAY_STEP_TIME = 1100;

/** The steps of a line; show(step) draws one, and end() is called when the line is closed. */
export class PlayLine {
  constructor({ show, end }) {
    this.show = show;
    this.end = end;
    this.timer = 0;
    const button = (text, label, action) =>
      h("button", { type: "button", "aria-label": label, title: label, onclick: action }, text);
    this.run = button("Play", "Play the line", () => this.toggle());
    this.words = h("p", { role: "status" });
    this.moves = h("ol", { class: "zp-line", start: 1 });
    this.back = button("‹", "One move back", () => this.go(this.at - 1));
    this.forth = button("›", "One move forward", () => this.go(this.at + 1));
    this.element = h("section", { class: "z-card zp-why", hidden: true, "aria-label": "The line of best play" },
      h("h2", {}, "Why: the line of best play"),
      this.words,
      h("div", { class: "z-row" },
        button("«", "To the start of the line", () => this.go(0)), this.back, this.run, this.forth,
        button("»", "To the end of the line", () => this.go(this.steps.length - 1)),
        button("Close", "Close the line and go on playing", () => this.close())),
      this.moves);
  }

  open({ steps, comes_back_to: back, whole }, sides) {
    this.steps = steps;
    this.sides = sides;
    this.note = back !== null ? ` Then play comes back to the position after ${back ? `move ${back}` : "the start"} and repeats for ever.`
      : whole ? "" : ` The line goes on after these ${steps.length - 1} moves.`;
    this.moves.replaceChildren(...steps.slice(1).map((step, k) =>
      h("li", {}, h("button", { type: "button", onclick: () => this.go(k + 1) }, step.move))));
    this.element.hidden = false;
    this.go(0);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!still && steps.length > 1) this.toggle();
  }

  go(at, byItself = false) {
    if (!byItself) this.pause();
    this.at = Math.max(0, Math.min(at, this.steps.length - 1));
    const step = this.steps[this.at];
    [...this.moves.children].forEach((item, k) => {
      if (k === this.at - 1) item.firstChild.setAttribute("aria-current", "step");
      else item.firstChild.removeAttribute("aria-current");
    });
    this.back.disabled = this.at === 0;
    this.forth.disabled = this.at === this.steps.length - 1;
    const last = this.at === this.steps.length - 1;
    this.words.replaceChildren(
      this.at ? `Move ${this.at} of ${this.steps.length - 1}: ${step.move}. ` : `${this.steps.length - 1} moves. `,
      `${this.sides[Number(step.second)]} to move: `, playBadge(step.value), last ? this.note : "");
    this.show(step);
  }

  toggle() {
    if (this.timer) {
      this.pause();
      return;
    }
    if (this.at === this.steps.length - 1) this.go(0);
    this.run.textContent = "Pause";
    this.run.setAttribute("aria-label", "Pause");
    this.timer = setInterval(() => {
      if (this.at === this.steps.length - 1) this.pause();
      else this.go(this.at + 1, true);
    }, PLAY_STEP_TIME);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.run.textContent = "Play";
    this.run.setAttribute("aria-label", "Play the line");
  }

  get opened() {
    return !this.element.hidden;
  }

  close() {
    if (!this.opened) return;
    this.pause();
    this.element.hidden = true;
    this.end();
  }
}
