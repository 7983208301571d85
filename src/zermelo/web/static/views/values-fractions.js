// Dyadic numbers: the values and temperatures of games. Floating-point numbers hold them exactly.

/** The number that a text such as -3/4 spells. */
export function readFraction(text) {
  const [above, below = "1"] = text.split("/");
  return Number(above) / Number(below);
}

/** The text of a dyadic number: -0.75 is -3/4. */
export function spellFraction(x) {
  let below = 1;
  while (!Number.isInteger(x * below) && below < 2 ** 40) below *= 2;
  const above = x * below;
  return below === 1 ? `${above}` : `${above}/${below}`;
}
