import type { CountedHeat } from '@isotherm/contract/endpoints/monitoring/meters'
import type { RegisterCount } from './count-register.ts'
import type { DayRange } from './plant-days.ts'

/** A guess without a register difference may be wrong by this factor. */
const GUESS_FACTOR = 2

/**
 * Heat of a range of days. A gap inside the range is exact, because the register difference covers it; the days of a gap
 * across an end of the range have equal shares, and the bounds say that all of it or nothing may belong to the range.
 */
export function sumHeat({ measured, gaps }: RegisterCount, { from, to }: DayRange): CountedHeat {
  let measuredKwh = 0
  let knownDays = 0
  for (const [day, kwh] of measured) {
    if (day < from || day >= to) continue
    measuredKwh += kwh
    knownDays += 1
  }
  let [estimatedKwh, lowKwh, highKwh, bridged] = [0, measuredKwh, measuredKwh, 0]
  for (const gap of gaps) {
    const days = Math.min(to, gap.to) - Math.max(from, gap.from)
    if (days <= 0) continue
    const isInside = days === gap.to - gap.from
    const share = (gap.kwh * days) / (gap.to - gap.from)
    estimatedKwh += share
    bridged += days
    if (gap.isGuess) highKwh += GUESS_FACTOR * share
    else if (isInside) {
      lowKwh += gap.kwh
      highKwh += gap.kwh
    } else highKwh += gap.kwh
  }
  const missingDays = to - from - knownDays
  return {
    heatKwh: measuredKwh + estimatedKwh,
    estimatedKwh,
    lowKwh,
    highKwh,
    missingDays,
    uncountedDays: Math.max(0, missingDays - bridged),
  }
}
