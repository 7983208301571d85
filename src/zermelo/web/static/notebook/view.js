// A view, or a part of one, as a widget of a notebook.

import { h } from "../dom.js";
import { ModelApi } from "./model-api.js";

/** Whether the notebook around us is dark, where it says so: JupyterLab, VS Code. */
function notebookTheme() {
  const { jpThemeLight, vscodeThemeKind } = document.body.dataset;
  if (jpThemeLight !== undefined) return jpThemeLight === "false" ? "dark" : "light";
  if (vscodeThemeKind !== undefined) return vscodeThemeKind.includes("light") ? "light" : "dark";
  return null;
}

/** The frame of a widget; the styles are for what is in it. */
export function widgetFrame(el) {
  const frame = h("div", { class: "zermelo-widget", "data-theme": notebookTheme() });
  el.append(frame);
  return frame;
}

/** The function render of a widget that shows a view. */
export function viewWidget(tag) {
  return ({ model, el }) => {
    const api = new ModelApi(model);
    const view = document.createElement(tag);
    view.api = api;
    widgetFrame(el).append(view);
    view.open(model.get("parameters"));
    return () => api.close();
  };
}
