// The room "play" in a notebook.

import "../rooms/play.js";
import { roomWidget } from "./room.js";

export const render = roomWidget("z-play");
