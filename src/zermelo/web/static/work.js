// One piece of work at a time: its progress, its errors, and a way to stop it.

import { h } from "./dom.js";

/** A line under a view that shows what is at work; run(action) aborts what ran before. */
export class Work {
  constructor() {
    this.bar = h("progress", { max: 1, "aria-label": "Progress" });
    this.text = h("span");
    this.stop = h("button", { type: "button", onclick: () => this.abort() }, "Stop");
    this.element = h("div", { class: "z-work", hidden: true, role: "status" }, this.bar, this.text, this.stop);
    this.error = h("p", { class: "z-error", role: "alert", hidden: true });
    this.controller = null;
  }

  abort() {
    this.controller?.abort();
  }

  /** Run an action with {signal, progress}; its result, or undefined if it was stopped or failed. */
  async run(action) {
    this.abort();
    const controller = (this.controller = new AbortController());
    this.error.hidden = true;
    const later = setTimeout(() => this.#show("working …", null), 200);
    const progress = ({ done, total, stage }) => {
      clearTimeout(later);
      const count = total ? `${done.toLocaleString("en")} of ${total.toLocaleString("en")}` : done ? done.toLocaleString("en") : "";
      if (this.controller === controller) this.#show(`${stage} ${count}`, total ? done / total : null);
    };
    try {
      return await action({ signal: controller.signal, progress });
    } catch (error) {
      if (error.name !== "AbortError" && this.controller === controller) this.fail(error);
      return undefined;
    } finally {
      clearTimeout(later);
      if (this.controller === controller) this.element.hidden = true;
    }
  }

  fail(error) {
    this.error.textContent = error.message;
    this.error.hidden = false;
  }

  #show(text, share) {
    this.element.hidden = false;
    this.text.textContent = text;
    if (share === null) this.bar.removeAttribute("value");
    else this.bar.value = share;
  }
}
