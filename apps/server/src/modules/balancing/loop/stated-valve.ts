import type { ValveCharacteristic as Stated } from '@isotherm/contract/valve-characteristic'
import { createLearnedCurve } from '@isotherm/hydraulics/elements/learned-curve'
import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient } from '@isotherm/kernel/quantities'

const FULLY_OPEN_PCT = 100

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b))

type Points = Extract<Stated, { readonly kind: 'measured' }>['points']

/** Kv at an opening, m³/h: straight lines between the points, from zero at 0 % to the first one. */
function kvBetween(points: Points, openingPct: number): number {
  const after = points.findIndex((point) => point.openingPct >= openingPct)
  const to = points[after]
  if (!to) return points.at(-1)?.kvM3H ?? 0
  if (to.openingPct === openingPct) return to.kvM3H
  const from = points[after - 1] ?? { openingPct: 0, kvM3H: 0 }
  return (
    from.kvM3H +
    ((to.kvM3H - from.kvM3H) * (openingPct - from.openingPct)) / (to.openingPct - from.openingPct)
  )
}

/**
 * A stated characteristic as the physics use it. The points of a measured curve get equal distances, the largest at which
 * every point stays where it is. Worked example: stated-valve.test.ts. Throws RangeError for points that are no curve.
 */
export function toStatedValve(stated: Stated): ValveCharacteristic {
  if (stated.kind === 'measured') {
    const stepPct = stated.points.reduce(
      (step, { openingPct }) => commonDivisor(step, openingPct),
      FULLY_OPEN_PCT,
    )
    const count = FULLY_OPEN_PCT / stepPct + 1
    const kvs = Array.from({ length: count }, (_, index) => kvBetween(stated.points, index * stepPct))
    const curve = createLearnedCurve(kvs.map(flowCoefficient))
    if (curve.kind !== 'learned') throw new RangeError(`the stated points are no curve: ${curve.kind}`)
    return curve
  }
  const kvs = flowCoefficient(stated.kvsM3H)
  return stated.kind === 'equal-percentage'
    ? { kind: stated.kind, kvs, rangeability: stated.rangeability }
    : { kind: stated.kind, kvs }
}
