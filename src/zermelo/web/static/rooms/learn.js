// The room "learn".

import { h } from "../dom.js";

class Room extends HTMLElement {
  open(parameters) {
    this.replaceChildren(h("h1", {}, "learn"));
  }
}

customElements.define("z-learn", Room);
