import { weightedMean } from '@isotherm/balancing/statistics'
import type { Loop } from './loop.ts'

/** Where no household of a loop has an area: all the same, m². */
const ASSUMED_AREA_M2 = 500

/** Heated floor behind each consumer, m²: where the registry does not know it, as much as the others have. */
export function areasOf({ consumers }: Loop): Float64Array {
  const given = Float64Array.from(consumers, ({ areaM2 }) =>
    areaM2 !== null && areaM2 > 0 ? areaM2 : Number.NaN,
  )
  const usual = weightedMean(given) ?? ASSUMED_AREA_M2
  return given.map((area) => (Number.isNaN(area) ? usual : area))
}
