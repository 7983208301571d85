// The view "values" in a notebook.

import "../views/values.js";
import { viewWidget } from "./view.js";

export const render = viewWidget("z-values");
