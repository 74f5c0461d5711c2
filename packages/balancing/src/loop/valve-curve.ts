import { createLearnedCurve } from '@isotherm/hydraulics/elements/learned-curve'
import type { ValveCharacteristic } from '@isotherm/hydraulics/elements/valve'
import { flowCoefficient } from '@isotherm/kernel/quantities'

/** Minimum rangeability of an equal-percentage valve. */
const MIN_RANGEABILITY = 1.5

/** A valve with every Kv multiplied by a factor. */
export function raiseValve(valve: ValveCharacteristic, factor: number): ValveCharacteristic {
  const kvs = flowCoefficient(valve.kvs * factor)
  if (valve.kind !== 'learned') return { ...valve, kvs }
  return { ...valve, kvs, points: valve.points.map((kv) => flowCoefficient(kv * factor)) }
}

/**
 * Corrects the curve of a valve by a level κ and a slope ρ: Kv(u)·e^(κ + ρ·(u − 1)). Linear and quick-opening valves only
 * get the level, and so does a learned curve where the slope would make it decrease. Worked example: valve-curve.test.ts.
 */
export function bendValve(valve: ValveCharacteristic, kappa: number, rho: number): ValveCharacteristic {
  const raised = raiseValve(valve, Math.exp(kappa))
  if (raised.kind === 'equal-percentage') {
    const rangeability = Math.max(MIN_RANGEABILITY, raised.rangeability * Math.exp(rho))
    return { ...raised, rangeability }
  }
  if (raised.kind !== 'learned') return raised
  const last = raised.points.length - 1
  const turned = createLearnedCurve(
    raised.points.map((kv, index) => flowCoefficient(kv * Math.exp(rho * (index / last - 1)))),
  )
  return turned.kind === 'learned' ? turned : raised
}
