// The room "play".

import { h } from "../dom.js";

class Room extends HTMLElement {
  open(parameters) {
    this.replaceChildren(h("h1", {}, "play"));
  }
}

customElements.define("z-play", Room);
