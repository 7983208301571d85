// A plot of nim-values: a point for each heap; one walks along it by pointer or by keys.

import { h, s } from "../dom.js";

const PLOT = { wide: 900, tall: 300, left: 56, right: 16, top: 16, bottom: 48 };
const NARROW = "(max-width: 600px)";

/** The plot of {values, period}, with a sentence about the heap that one points at. */
export function sequencePlot({ values, period }) {
  PLOT.wide = matchMedia(NARROW).matches ? 420 : 900;
  const last = Math.max(1, values.length - 1);
  const high = Math.max(1, ...values);
  const inner = { wide: PLOT.wide - PLOT.left - PLOT.right, tall: PLOT.tall - PLOT.top - PLOT.bottom };
  const x = (n) => PLOT.left + (n / last) * inner.wide;
  const y = (value) => PLOT.top + inner.tall * (1 - value / high);
  const exceptions = new Set(period?.exceptions.map((e) => e.heap));
  const size = Math.min(4, Math.max(1.3, 450 / values.length));
  const dots = values.map((value, n) => s("circle", { class: `zs-dot${exceptions.has(n) ? " zs-exception" : ""}`, cx: x(n).toFixed(1), cy: y(value).toFixed(1), r: exceptions.has(n) ? size + 1 : size }));
  const cursor = s("g");
  const readout = h("p", { class: "zt-readout" });
  const picture = s(
    "svg",
    { class: "zs-picture", viewBox: `0 0 ${PLOT.wide} ${PLOT.tall}`, tabindex: 0, role: "slider", "aria-label": "Nim-values: heap", "aria-valuemin": 0, "aria-valuemax": values.length - 1 },
    band(period, last, x, inner),
    plotAxes(last, high, x, y, inner),
    dots,
    cursor,
  );
  let current = 0;
  const go = (n) => {
    current = Math.min(values.length - 1, Math.max(0, n));
    const sentence = `The heap of ${current} has the nim-value ${values[current]}${exceptions.has(current) ? ", an exception to the period" : ""}.`;
    cursor.replaceChildren(
      s("line", { class: "zs-cursor", x1: x(current), x2: x(current), y1: PLOT.top, y2: PLOT.top + inner.tall }),
      s("circle", { class: "zs-ring", cx: x(current), cy: y(values[current]), r: size + 4 }),
    );
    readout.textContent = sentence;
    picture.setAttribute("aria-valuenow", current);
    picture.setAttribute("aria-valuetext", sentence);
  };
  const point = (event) => {
    const box = picture.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * PLOT.wide;
    go(Math.round(((at - PLOT.left) / inner.wide) * last));
  };
  picture.addEventListener("pointermove", point);
  picture.addEventListener("pointerdown", point);
  picture.addEventListener("keydown", (event) => {
    const step = period?.period ?? 10;
    const to = { ArrowRight: current + 1, ArrowUp: current + 1, ArrowLeft: current - 1, ArrowDown: current - 1, PageUp: current + step, PageDown: current - step, Home: 0, End: values.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  });
  go(0);
  const legend = exceptions.size ? "Exceptions to the period are larger and orange. " : "";
  const shaded = period && period.preperiod < last ? "The shaded part is the first period. " : "";
  return h("div", {}, picture, readout, h("p", { class: "z-quiet zt-hint" }, `${legend}${shaded}Point at the plot, or use the arrow keys.`));
}

/** The first period, shaded. */
function band(period, last, x, inner) {
  if (!period || period.preperiod >= last) return [];
  const end = Math.min(last, period.preperiod + period.period - 1);
  return [s("rect", { class: "zs-band", x: x(period.preperiod) - 3, y: PLOT.top, width: x(end) - x(period.preperiod) + 6, height: inner.tall })];
}

function plotAxes(last, high, x, y, inner) {
  const parts = [];
  for (const n of roundSteps(last, PLOT.wide > 500 ? 10 : 5)) {
    parts.push(s("line", { class: "zt-grid", x1: x(n), x2: x(n), y1: PLOT.top, y2: PLOT.top + inner.tall }));
    parts.push(s("text", { x: x(n), y: PLOT.top + inner.tall + 18, "text-anchor": "middle" }, n));
  }
  for (const value of roundSteps(high, 6)) {
    parts.push(s("line", { class: "zt-grid", x1: PLOT.left, x2: PLOT.left + inner.wide, y1: y(value), y2: y(value) }));
    parts.push(s("text", { x: PLOT.left - 8, y: y(value) + 4, "text-anchor": "end" }, value));
  }
  parts.push(s("text", { x: PLOT.left + inner.wide / 2, y: PLOT.tall - 6, "text-anchor": "middle" }, "heap"));
  parts.push(s("text", { transform: `translate(12 ${PLOT.top + inner.tall / 2}) rotate(-90)`, "text-anchor": "middle" }, "nim-value"));
  return parts;
}

/** 0 and round numbers up to a greatest one, at most so many steps. */
function roundSteps(most, steps) {
  let step = 1;
  for (let k = 0; most / step > steps; k++) step *= k % 3 === 1 ? 2.5 : 2;
  const found = [];
  for (let x = 0; x <= most; x += step) found.push(x);
  return found;
}
