// The view "play" in a notebook.

import "../views/play.js";
import { viewWidget } from "./view.js";

export const render = viewWidget("z-play");
