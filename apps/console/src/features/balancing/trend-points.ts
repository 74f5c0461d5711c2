/** Longest gap, in usual steps, that a line bridges. */
const GAP_STEPS = 3

/** A value at an instant, Unix ms. */
interface Measured {
  readonly at: number
}

/** Splits sorted points into runs without gaps. */
export function toRuns<Point extends Measured>(points: readonly Point[]): readonly (readonly Point[])[] {
  const steps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? at))
  const usual = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0
  const runs: Point[][] = []
  for (const [index, point] of points.entries()) {
    const step = steps[index - 1]
    const run = runs.at(-1)
    if (run === undefined || step === undefined || step > GAP_STEPS * usual) runs.push([point])
    else run.push(point)
  }
  return runs
}

/** The point nearest to an instant; undefined without points. */
export const findNearest = <Point extends Measured>(
  points: readonly Point[],
  at: number,
): Point | undefined =>
  points.reduce<Point | undefined>(
    (best, point) => (best && Math.abs(best.at - at) <= Math.abs(point.at - at) ? best : point),
    undefined,
  )
