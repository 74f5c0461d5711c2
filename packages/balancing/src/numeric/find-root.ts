const MAX_STEPS = 100
/** After this many steps without halving the bracket, one bisection step is made. */
const PATIENCE = 3

/**
 * Root of a function that is positive at `low` and negative at `high`; otherwise the end that is nearer to its root.
 * Secant method with a bracket (Illinois), never nearer to an end than half the tolerance, so that both ends
 * converge. A smooth function takes about ten calls; a strongly curved one is bisected.
 */
export function findRoot(
  low: number,
  high: number,
  tolerance: number,
  falling: (x: number) => number,
): number {
  let [from, to] = [low, high]
  let atFrom = falling(from)
  if (!(atFrom > 0)) return from
  let atTo = falling(to)
  if (!(atTo < 0)) return to
  let side = 0
  let width = to - from
  let waited = 0
  for (let step = 0; step < MAX_STEPS && to - from > tolerance; step++) {
    const secant = (from * atTo - to * atFrom) / (atTo - atFrom)
    const inside = Math.min(to - tolerance / 2, Math.max(from + tolerance / 2, secant))
    const at = waited >= PATIENCE ? (from + to) / 2 : inside
    const here = falling(at)
    if (here === 0) return at
    if (here > 0) {
      from = at
      atFrom = here
      if (side === 1) atTo /= 2
      side = 1
    } else {
      to = at
      atTo = here
      if (side === -1) atFrom /= 2
      side = -1
    }
    const isHalved = to - from <= width / 2
    waited = isHalved ? 0 : waited + 1
    if (isHalved) width = to - from
  }
  return (from + to) / 2
}
