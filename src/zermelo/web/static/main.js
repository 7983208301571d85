// The page: it shows one room at a time, as the address says.

import { Api } from "./api.js";
import { h } from "./dom.js";
import { enterRoom, readRoute } from "./route.js";

const ROOMS = {
  play: ["./rooms/play.js", "z-play", "Play"],
  graph: ["./rooms/graph.js", "z-graph", "Graph"],
  values: ["./rooms/values.js", "z-values", "Values"],
  learn: ["./rooms/learn.js", "z-learn", "Learn"],
};

const main = document.getElementById("main");
const api = new Api();
let current = null;
let visits = 0; // a room that was asked for earlier may still be loading

async function show() {
  const { room, parameters } = readRoute();
  const name = Object.hasOwn(ROOMS, room) ? room : "learn";
  const [source, tag, title] = ROOMS[name];
  for (const link of document.querySelectorAll("[data-room]")) {
    if (link.dataset.room === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${title} · zermelo`;
  enterRoom(name);
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
    const sentence = "This room cannot be opened. Is the server still running? Reload the page to try again.";
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
