// Hackenbush pictures as text: stalks, edges between named points, or edges between points of a grid.

const GRID_EDGE = /^(\d+)\.(\d+)-(\d+)\.(\d+):([lrg])$/;
const NAMED_EDGE = /^(\w+)-(\w+):([lrg])$/;
const STALKS = /^[lrg]+(\+[lrg]+)*$/;
const GRID_NAME = /^p(\d+)_(\d+)$/;

/** Edges {a, b, c}; an end is a point [x, y] of the grid, or a name that has no place yet. */
export function edgesFrom(text) {
  const given = text.trim().toLowerCase();
  if (!given) return [];
  if (STALKS.test(given)) return stalks(given);
  return given.split(",").map((part) => {
    const grid = GRID_EDGE.exec(part.trim());
    if (grid) return { a: [Number(grid[1]), Number(grid[2])], b: [Number(grid[3]), Number(grid[4])], c: grid[5] };
    const named = NAMED_EDGE.exec(part.trim());
    if (!named) throw new Error(`Expected stalks such as lrg+ll, or edges such as 0-a:l, got ${part.trim().slice(0, 40)}.`);
    return { a: placeOf(named[1]), b: placeOf(named[2]), c: named[3] };
  });
}

function placeOf(name) {
  const grid = GRID_NAME.exec(name);
  return grid ? [Number(grid[1]), Number(grid[2])] : name;
}

function stalks(text) {
  const parts = text.split("+");
  const gap = parts.length > 5 ? 1 : 2;
  return parts.flatMap((stalk, i) => [...stalk].map((c, k) => ({ a: [2 + i * gap, k], b: [2 + i * gap, k + 1], c })));
}

/** The edges with a place for every name: its distance from the ground above its first neighbour. */
export function layoutOf(edges, columns, rows) {
  const level = { 0: 0 };
  const column = {};
  let next = 2;
  let row = ["0"];
  while (row.length) {
    const above = [];
    for (const below of row) {
      for (const { a, b } of edges) {
        for (const [near, far] of [[a, b], [b, a]]) {
          if (near !== below || typeof far !== "string" || far in level) continue;
          level[far] = level[below] + 1;
          const taken = above.some((x) => column[x] === column[below]);
          column[far] = below === "0" || taken ? (next += 2) - 2 : column[below];
          above.push(far);
        }
      }
    }
    row = above;
  }
  const settle = (end, other) => {
    if (typeof end !== "string") return [Math.min(end[0], columns), Math.min(end[1], rows)];
    if (end === "0") return [typeof other === "string" ? (column[other] ?? 1) : other[0], 0];
    return [Math.min(column[end] ?? columns, columns), Math.min(level[end] ?? rows, rows)];
  };
  return edges.map(({ a, b, c }) => ({ a: settle(a, b), b: settle(b, a), c }));
}

/** The edges as the server reads them; every point on the ground is the vertex 0. */
export function edgesText(edges) {
  const name = ([x, y]) => (y === 0 ? "0" : `p${x}_${y}`);
  return edges.map(({ a, b, c }) => `${name(a)}-${name(b)}:${c}`).join(",");
}

/** The edges for an address, which keeps their places on the ground. */
export function spellEdges(edges) {
  return edges.map(({ a, b, c }) => `${a.join(".")}-${b.join(".")}:${c}`).join(",");
}
