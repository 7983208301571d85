// The address of a room: #/play?game=tictactoe&at=… ; a link restores what one sees.

/** The room and the parameters of the current address. */
export function readRoute() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { room: path || "", parameters: Object.fromEntries(new URLSearchParams(query)) };
}

let entered = null;

/** Only the room that is on the screen writes the address; a room that was left and still waits for
 *  an answer does not. */
export function enterRoom(room) {
  entered = room;
}

/** Write the address; a new entry of the history, unless replace is true. */
export function writeRoute(room, parameters, replace = true) {
  if (entered !== null && entered !== room) return;
  const given = Object.entries(parameters).filter(([, x]) => x !== undefined && x !== null && x !== "");
  const query = new URLSearchParams(given).toString();
  const hash = `#/${room}${query ? "?" + query : ""}`;
  if (hash === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", hash);
}

/** The whole address of what one sees; empty in a notebook, whose address is not ours. */
export function routeLink() {
  return location.href;
}
