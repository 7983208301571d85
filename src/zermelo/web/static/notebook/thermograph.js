// The interactive thermograph of a value.

import { thermographView } from "../views/values-thermograph.js";
import { widgetFrame } from "./view.js";

export function render({ model, el }) {
  const { data, name } = model.get("parameters");
  widgetFrame(el).append(thermographView(data, name));
}
