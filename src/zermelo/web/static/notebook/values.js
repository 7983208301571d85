// The room "values" in a notebook.

import "../rooms/values.js";
import { roomWidget } from "./room.js";

export const render = roomWidget("z-values");
