// The page: it shows one view at a time, as the address says.

import { Api } from "./api.js";
import { h } from "./dom.js";
import { enterView, readRoute } from "./route.js";

const VIEWS = {
  play: ["./views/play.js", "z-play", "Play"],
  graph: ["./views/graph.js", "z-graph", "Graph"],
  values: ["./views/values.js", "z-values", "Values"],
  learn: ["./views/learn.js", "z-learn", "Learn"],
};

const main = document.getElementById("main");
const api = new Api();
let current = null;
let visits = 0; // a view that was asked for earlier may still be loading

async function show() {
  const { view, parameters } = readRoute();
  const name = Object.hasOwn(VIEWS, view) ? view : "learn";
  const [source, tag, title] = VIEWS[name];
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${title} · zermelo`;
  enterView(name);
  const visit = ++visits;
  if (current?.localName === tag) {
    current.open(parameters);
    return;
  }
  try {
    await import(source);
  } catch (error) {
    if (visit !== visits) return;
    current = null;
    const sentence = "This view cannot be opened. Is the server still running? Reload the page to try again.";
    main.replaceChildren(h("p", { class: "z-error", role: "alert", title: error.message }, sentence));
    return;
  }
  if (visit !== visits) return;
  current = document.createElement(tag);
  current.api = api;
  main.replaceChildren(current);
  current.open(parameters);
}

const THEMES = ["light", "dark"];

function theme() {
  const saved = localStorage.getItem("zermelo-theme");
  if (THEMES.includes(saved)) document.documentElement.dataset.theme = saved;
  document.querySelector(".z-theme").addEventListener("click", () => {
    const dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    const next = dark ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    localStorage.setItem("zermelo-theme", next);
  });
}

theme();
addEventListener("hashchange", show);
show();
