// The room "graph" in a notebook.

import "../rooms/graph.js";
import { roomWidget } from "./room.js";

export const render = roomWidget("z-graph");
