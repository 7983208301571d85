// The room "values".

import { h } from "../dom.js";

class Room extends HTMLElement {
  open(parameters) {
    this.replaceChildren(h("h1", {}, "values"));
  }
}

customElements.define("z-values", Room);
