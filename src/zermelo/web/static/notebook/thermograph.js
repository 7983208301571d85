// The interactive thermograph of a value.

import { thermographView } from "../rooms/values-thermograph.js";
import { widgetFrame } from "./room.js";

export function render({ model, el }) {
  const { data, name } = model.get("parameters");
  widgetFrame(el).append(thermographView(data, name));
}
