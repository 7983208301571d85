// The room "graph".

import { h } from "../dom.js";

class Room extends HTMLElement {
  open(parameters) {
    this.replaceChildren(h("h1", {}, "graph"));
  }
}

customElements.define("z-graph", Room);
