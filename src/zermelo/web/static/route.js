// The address of a view: #/play?game=tictactoe&at=… ; a link restores what one sees.

/** The view and the parameters of the current address. */
export function readRoute() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: path || "", parameters: Object.fromEntries(new URLSearchParams(query)) };
}

let entered = null;

/** Only the view that is on the screen writes the address; a view that was left and still waits for
 *  an answer does not. */
export function enterView(view) {
  entered = view;
}

/** Write the address; a new entry of the history, unless replace is true. */
export function writeRoute(view, parameters, replace = true) {
  if (entered !== null && entered !== view) return;
  const given = Object.entries(parameters).filter(([, x]) => x !== undefined && x !== null && x !== "");
  const query = new URLSearchParams(given).toString();
  const hash = `#/${view}${query ? "?" + query : ""}`;
  if (hash === location.hash) return;
  history[replace ? "replaceState" : "pushState"](null, "", hash);
}

/** The whole address of what one sees; empty in a notebook, whose address is not ours. */
export function routeLink() {
  return location.href;
}
