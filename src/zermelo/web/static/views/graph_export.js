// A graph as a file, as a picture, as lines of Python, and as a link.

import { download, h } from "../dom.js";
import { routeLink } from "../route.js";

const GRAPH_FILES = [["JSON", "json"], ["Edge list", "edgelist"], [".pg (PGSolver)", "pgsolver"], ["Graphviz", "dot"], ["GraphML", "graphml"], ["SVG", "svg"], ["PNG", "png"]];

/** A link longer than this is not made. */
export const GRAPH_LONGEST_LINK = 6000;

/** The panel with one button for each kind of file. */
export class GraphExportPanel {
  constructor(host) {
    this.host = host;
    this.note = h("p", { class: "z-quiet zg-tight", role: "status" });
    this.code = h("pre", { class: "zg-code", hidden: true, tabindex: 0, "aria-label": "Lines of Python" });
    this.element = h("div", { class: "zg-fields" },
      h("div", { class: "z-row" }, GRAPH_FILES.map(([text, to]) => h("button", { type: "button", onclick: () => this.#file(to) }, text))),
      h("div", { class: "z-row" },
        h("button", { type: "button", onclick: () => this.#python() }, "Python lines"),
        h("button", { type: "button", hidden: !routeLink(), onclick: () => this.#link() }, "Copy link")),
      this.note, this.code);
  }

  hide() {
    this.code.hidden = true;
    this.note.textContent = "";
  }

  async #ask(to) {
    const { host } = this;
    const places = to === "svg" && !host.large ? host.state.positions.map((p) => [p.x, p.y]) : null;
    const found = await host.ask("/graphs/export", { to, places, solved: Boolean(host.results) });
    if (found) this.note.textContent = found.note;
    return found;
  }

  async #file(to) {
    const found = await this.#ask(to === "png" ? "svg" : to);
    if (!found) return;
    if (to === "png") download("game.png", await graphPng(found.text), "image/png");
    else download(found.name, found.text, found.type);
  }

  async #python() {
    const found = await this.#ask("python");
    if (!found) return;
    this.code.textContent = found.text;
    this.code.hidden = false;
    await this.#copy(found.text, "The lines are copied.", "These lines give the same answers.");
  }

  async #link() {
    const address = await this.host.address();
    if (!address) this.note.textContent = "This graph is too large for a link; export it as a file instead.";
    else await this.#copy(address, "The link is copied.", "The address of this page is the link.");
  }

  async #copy(text, done, otherwise) {
    try {
      await navigator.clipboard.writeText(text);
      this.note.textContent = done;
    } catch {
      this.note.textContent = otherwise;
    }
  }
}

/** A picture in SVG as a PNG of twice its size, on white. */
async function graphPng(source) {
  const url = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    await new Promise((resolve, reject) => {
      image.onload = resolve;
      image.onerror = () => reject(new Error("The picture cannot be drawn."));
      image.src = url;
    });
    const share = Math.min(2, 8000 / Math.max(image.width, image.height, 1));
    const canvas = h("canvas", { width: Math.max(1, Math.round(image.width * share)), height: Math.max(1, Math.round(image.height * share)) });
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#ffffff";
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** A text in a few letters that an address may have. */
export async function packGraph(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (let k = 0; k < bytes.length; k += 0x8000) letters += String.fromCharCode(...bytes.subarray(k, k + 0x8000));
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The inverse; an error if the letters are damaged. */
export async function unpackGraph(letters) {
  if (letters.length > 1_000_000) throw new Error("This link is too long: its graph cannot be read.");
  try {
    const bytes = Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (x) => x.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await new Response(stream).text();
  } catch {
    throw new Error("This link is damaged: its graph cannot be read.");
  }
}
