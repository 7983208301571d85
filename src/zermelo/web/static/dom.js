// Elements, and pictures that come from the server.

/** An element with attributes, listeners (onclick and the like) and children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children.flat().filter((x) => x !== null && x !== undefined && x !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** The same for an element of a picture. */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  element.append(...children.flat().filter((x) => x !== null && x !== undefined && x !== false));
  return element;
}

function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
}

const ELEMENTS = new Set(
  ("svg g path rect circle ellipse line polyline polygon text tspan title desc defs marker use " +
    "clipPath linearGradient radialGradient stop pattern symbol").split(" "),
);
const REFUSED = /^(on|href$|xlink:|style$|xml:base)/i;

/** A picture from the server as elements: only shapes and text, nothing that runs or loads. */
export function picture(source) {
  const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
  if (parsed.querySelector("parsererror") || parsed.documentElement.localName !== "svg") {
    return h("pre", {}, source);
  }
  return copy(parsed.documentElement);
}

function copy(node) {
  if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
  if (node.nodeType !== Node.ELEMENT_NODE || !ELEMENTS.has(node.localName)) return null;
  const made = document.createElementNS(SVG, node.localName);
  for (const { name, value } of node.attributes) {
    if (name === "href" && value.startsWith("#")) made.setAttribute(name, value);
    else if (!REFUSED.test(name) && !/javascript:|url\((?!#)/i.test(value) && !name.startsWith("xmlns")) {
      made.setAttribute(name, value);
    }
  }
  for (const child of node.childNodes) {
    const found = copy(child);
    if (found) made.append(found);
  }
  return made;
}

/** Save text or a blob as a file of the user. */
export function download(name, content, type = "text/plain") {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Wait until the last call is some milliseconds ago. */
export function debounce(wait, action) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), wait);
  };
}
