// A thermograph to look into: at each temperature, the scores when Left and when Right begins.

import { h, s } from "../dom.js";
import { readFraction, spellFraction } from "./values-fractions.js";

const GRAPH_WIDTH = 420;
const GRAPH_HEIGHT = 300;
const GRAPH_MARGIN = { left: 64, right: 24, top: 20, bottom: 46 };
const LOWEST_TEMPERATURE = -1;
const MOST_TICKS = 6;

/** The view of {left, right, mean, temperature}, as the server describes a thermograph. */
export function thermographView(data, name = "") {
  const walls = {
    left: data.left.map(({ t, x }) => [readFraction(t), readFraction(x)]),
    right: data.right.map(({ t, x }) => [readFraction(t), readFraction(x)]),
  };
  const frame = new ThermographFrame(walls, readFraction(data.temperature));
  const cursor = s("g", { class: "zt-cursor" });
  const readout = h("p", { class: "zt-readout" });
  const picture = s(
    "svg",
    {
      viewBox: `0 0 ${frame.wide} ${frame.tall}`,
      class: "zt-picture",
      tabindex: 0,
      role: "slider",
      "aria-orientation": "vertical",
      "aria-label": `Thermograph${name ? " of " + name : ""}: temperature`,
      "aria-valuemin": LOWEST_TEMPERATURE,
      "aria-valuemax": frame.top,
    },
    axes(frame),
    wallLine(frame, walls.left, "zt-left"),
    wallLine(frame, walls.right, "zt-right"),
    wallLine(frame, [walls.left.at(-1), [frame.top, frame.mean]], "zt-mast"),
    ["left", "right"].map((side) => walls[side].slice(0, -1).map(([t, x]) => dot(frame, t, x, `zt-${side}`))),
    dot(frame, frame.temperature, frame.mean, "zt-mast"),
    cursor,
  );
  const view = { frame, walls, cursor, readout, picture };
  const corners = [...new Set([...walls.left, ...walls.right].map(([t]) => t))].sort((a, b) => a - b);
  let current = Math.min(0, frame.temperature);
  const go = (t) => {
    current = Math.min(frame.top, Math.max(LOWEST_TEMPERATURE, t));
    showTemperature(view, current);
  };
  picture.addEventListener("pointermove", (event) => go(frame.temperatureAt(event, picture)));
  picture.addEventListener("pointerdown", (event) => go(frame.temperatureAt(event, picture)));
  picture.addEventListener("keydown", (event) => {
    const to = {
      ArrowUp: () => current + frame.step,
      ArrowRight: () => current + frame.step,
      ArrowDown: () => current - frame.step,
      ArrowLeft: () => current - frame.step,
      PageUp: () => corners.find((t) => t > current) ?? frame.top,
      PageDown: () => corners.findLast((t) => t < current) ?? LOWEST_TEMPERATURE,
      Home: () => LOWEST_TEMPERATURE,
      End: () => frame.temperature,
    }[event.key];
    if (!to) return;
    event.preventDefault();
    go(to());
  });
  go(current);
  return h(
    "div",
    { class: "zt-view" },
    picture,
    readout,
    h(
      "p",
      { class: "z-quiet zt-hint" },
      `The mast stands at the mean ${data.mean} from the temperature ${data.temperature} on. ` +
        "Point at the picture, or use the arrow keys; Page up and Page down go to the corners.",
    ),
    cornerTable(data),
  );
}

class ThermographFrame {
  constructor(walls, temperature) {
    const scores = [...walls.left, ...walls.right].map(([, x]) => x);
    const pad = Math.max(0.25, (Math.max(...scores) - Math.min(...scores)) / 20);
    this.temperature = temperature;
    this.mean = walls.left.at(-1)[1];
    this.high = Math.max(...scores) + pad;
    this.low = Math.min(...scores) - pad;
    const above = Math.max(0.5, (temperature - LOWEST_TEMPERATURE) / 5);
    this.top = Math.max(0.5, Math.ceil((temperature + above) * 8) / 8);
    const range = this.top - LOWEST_TEMPERATURE;
    this.unit = Math.min(GRAPH_WIDTH / (this.high - this.low), GRAPH_HEIGHT / range);
    this.shift = (GRAPH_WIDTH - (this.high - this.low) * this.unit) / 2;
    this.height = range * this.unit;
    this.wide = GRAPH_MARGIN.left + GRAPH_WIDTH + GRAPH_MARGIN.right;
    this.tall = GRAPH_MARGIN.top + this.height + GRAPH_MARGIN.bottom;
    this.step = 2 ** Math.floor(Math.log2(range / 24));
  }

  x(value) {
    return GRAPH_MARGIN.left + this.shift + (this.high - value) * this.unit;
  }

  y(t) {
    return GRAPH_MARGIN.top + (this.top - t) * this.unit;
  }

  temperatureAt(event, picture) {
    const box = picture.getBoundingClientRect();
    const y = ((event.clientY - box.top) / box.height) * this.tall;
    const t = this.top - (y - GRAPH_MARGIN.top) / this.unit;
    return Math.round(t / this.step) * this.step;
  }
}

/** The score of a wall at a temperature; constant above its last corner. */
function scoreAt(wall, t) {
  const k = wall.findIndex(([corner]) => corner > t);
  if (k < 0) return wall.at(-1)[1];
  if (k === 0) return wall[0][1];
  const [[t0, x0], [t1, x1]] = [wall[k - 1], wall[k]];
  return x0 + ((x1 - x0) * (t - t0)) / (t1 - t0);
}

function showTemperature({ frame, walls, cursor, readout, picture }, t) {
  const [left, right] = [scoreAt(walls.left, t), scoreAt(walls.right, t)];
  const y = frame.y(t);
  cursor.replaceChildren(
    s("line", { x1: GRAPH_MARGIN.left, x2: GRAPH_MARGIN.left + GRAPH_WIDTH, y1: y, y2: y, class: "zt-level" }),
    s("circle", { cx: frame.x(left), cy: y, r: 6, class: "zt-left" }),
    s("circle", { cx: frame.x(right), cy: y, r: left === right ? 3 : 6, class: "zt-right" }),
  );
  const [shownT, shownLeft, shownRight] = [t, left, right].map(spellFraction);
  const sentence =
    t >= frame.temperature
      ? `At temperature ${shownT} nobody wants to move: the score is ${shownLeft}.`
      : `At temperature ${shownT} the score is ${shownLeft} if Left begins, and ${shownRight} if Right begins.`;
  readout.textContent = sentence;
  picture.setAttribute("aria-valuenow", t);
  picture.setAttribute("aria-valuetext", sentence);
}

function wallLine(frame, wall, name) {
  const points = wall.map(([t, x]) => `${frame.x(x).toFixed(1)},${frame.y(t).toFixed(1)}`).join(" ");
  return s("polyline", { class: name, points });
}

function dot(frame, t, x, name) {
  return s("circle", { class: name, cx: frame.x(x), cy: frame.y(t), r: 3.5 });
}

function axes(frame) {
  const parts = [];
  const ends = [GRAPH_MARGIN.left, GRAPH_MARGIN.left + GRAPH_WIDTH];
  const bottom = GRAPH_MARGIN.top + frame.height;
  for (const t of axisTicks(LOWEST_TEMPERATURE, frame.top)) {
    const y = frame.y(t);
    parts.push(s("line", { x1: ends[0], x2: ends[1], y1: y, y2: y, class: t === 0 ? "zt-zero" : "zt-grid" }));
    parts.push(s("text", { x: ends[0] - 8, y: y + 4, "text-anchor": "end" }, spellFraction(t)));
  }
  const spread = GRAPH_WIDTH / frame.unit;
  const high = frame.high + (spread - (frame.high - frame.low)) / 2;
  for (const x of axisTicks(high - spread, high)) {
    const at = frame.x(x);
    parts.push(s("line", { x1: at, x2: at, y1: GRAPH_MARGIN.top, y2: bottom, class: x === 0 ? "zt-zero" : "zt-grid" }));
    parts.push(s("text", { x: at, y: bottom + 18, "text-anchor": "middle" }, spellFraction(x)));
  }
  const middle = (GRAPH_MARGIN.top + bottom) / 2;
  parts.push(
    s("text", { x: (ends[0] + ends[1]) / 2, y: bottom + 38, "text-anchor": "middle" }, "score (Left's side is on the left)"),
    s("text", { transform: `translate(12 ${middle}) rotate(-90)`, "text-anchor": "middle" }, "temperature"),
  );
  return parts;
}

function axisTicks(low, high) {
  let step = 2 ** Math.ceil(Math.log2((high - low) / MOST_TICKS));
  if (!(step > 0)) step = 1;
  const found = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) found.push(k * step);
  return found;
}

function cornerTable(data) {
  const rows = ["left", "right"].flatMap((side) =>
    data[side].map(({ t, x }) => h("tr", {}, h("td", {}, side === "left" ? "Left" : "Right"), h("td", {}, t), h("td", {}, x))),
  );
  return h(
    "details",
    {},
    h("summary", {}, "The corners as a table"),
    h(
      "table",
      {},
      h("thead", {}, h("tr", {}, ["wall", "temperature", "score"].map((x) => h("th", { scope: "col" }, x)))),
      h("tbody", {}, rows),
    ),
  );
}
