import { createLearnedCurve } from '@isotherm/hydraulics/elements/learned-curve'
import { kvAtOpening, type ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient, openingRatio } from '@isotherm/kernel/quantities'

/** Assumed rangeability of an unknown equal-percentage plug; usual values are 30 to 50. */
const USUAL_RANGEABILITY = 40
/** Shares of the basis curves among motor valves of heating loops: equal-percentage, linear, quick-opening. */
export const USUAL_SHARES: readonly number[] = [0.6, 0.25, 0.15]
/** Number of intervals of a mixed curve. */
const INTERVALS = 20
/** A mixture in which one curve has more than this share is replaced by that curve. */
const ALMOST_ALL = 0.98

/**
 * Possible curves of a valve without a stated curve, in the order of USUAL_SHARES: equal-percentage (with the
 * rangeability of `valve`, if it has one), linear and quick-opening, all with its Kvs.
 */
export function basisCurves(valve: ValveCharacteristic): readonly ValveCharacteristic[] {
  const { kvs } = valve
  const rangeability = valve.kind === 'equal-percentage' ? valve.rangeability : USUAL_RANGEABILITY
  return [
    { kind: 'equal-percentage', kvs, rangeability },
    { kind: 'linear', kvs },
    { kind: 'quick-opening', kvs },
  ]
}

/** Weighted mean of logarithms. Curves without weight are left out, because the logarithm for a shut valve is infinite. */
const logMean = (kvs: readonly number[], weights: readonly number[]): number => {
  let sum = 0
  kvs.forEach((kv, at) => {
    const weight = weights[at] ?? 0
    if (weight > 0) sum += weight * Math.log(kv)
  })
  return Math.exp(sum)
}

/**
 * Weighted mean of curves: a learned curve whose ln Kv is the mean of theirs at every opening. If one curve has almost
 * the whole weight, it is returned unchanged. Worked example: valve-shapes.test.ts.
 */
export function mixCurves(
  curves: readonly ValveCharacteristic[],
  weights: readonly number[],
): ValveCharacteristic {
  const only = curves[weights.findIndex((weight) => weight > ALMOST_ALL)]
  if (only?.kind === 'equal-percentage' || only?.kind === 'learned') return only
  const points = Array.from({ length: INTERVALS + 1 }, (_, point) => {
    const opening = openingRatio(point / INTERVALS)
    return flowCoefficient(
      logMean(
        curves.map((curve) => kvAtOpening(curve, opening)),
        weights,
      ),
    )
  })
  const mixed = createLearnedCurve(points)
  if (mixed.kind !== 'learned') throw new RangeError(`curves cannot be mixed: ${mixed.kind}`)
  return mixed
}
