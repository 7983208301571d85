// The view "graph" in a notebook.

import "../views/graph.js";
import { viewWidget } from "./view.js";

export const render = viewWidget("z-graph");
