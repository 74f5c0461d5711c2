import { judge, type MeterProfile, type MeterReading, type Verdict } from './meter-reading.ts'

/** The registers at the first suspicious reading. */
export interface Anchor {
  readonly ts: number
  readonly energyKwh: number
  readonly volumeM3: number
}

const SWAPPED_K = 0.5

/** R7, one reading: the return is warmer than the supply while water flows. */
export function checkSwapped(now: MeterReading, profile: MeterProfile): Verdict {
  if (!(now.flowM3h > profile.minFlowM3h)) return undefined
  const excessK = now.returnC - now.supplyC
  return Number.isNaN(excessK) ? undefined : judge(excessK > SWAPPED_K, () => ({ excessK }))
}

/** R7, over several readings: a meter with swapped sensors counts water but no heat. */
export const isHeatFlat = (now: MeterReading, anchor: Anchor, profile: MeterProfile): boolean =>
  now.volumeM3 - anchor.volumeM3 > profile.volumeStepM3 &&
  Math.abs(now.energyKwh - anchor.energyKwh) <= profile.energyStepKwh

const HOT_SUPPLY_C = 35
const OPEN_PCT = 20

/** R8: water flows backwards, or no water is counted although the valve is open and the supply is hot. */
export function checkReversed(now: MeterReading, before: MeterReading, profile: MeterProfile): Verdict {
  if (now.flowM3h < -profile.minFlowM3h) return { bad: { flowM3h: now.flowM3h } }
  if (now.supplyC >= HOT_SUPPLY_C && now.openingPct >= OPEN_PCT) {
    const isFlat = now.energyKwh === before.energyKwh && now.volumeM3 === before.volumeM3
    return judge(isFlat && !(now.flowM3h > profile.minFlowM3h), () => ({
      supplyC: now.supplyC,
      openingPct: now.openingPct,
    }))
  }
  return Number.isNaN(now.flowM3h) ? undefined : 'good'
}

const NO_HEAT_K = 1

/** R9, one reading: water flows but gives no heat. */
export function checkNoHeat(now: MeterReading, profile: MeterProfile): Verdict {
  const differenceK = now.supplyC - now.returnC
  if (!(now.flowM3h > profile.minFlowM3h) || Number.isNaN(differenceK)) return undefined
  return judge(Math.abs(differenceK) < NO_HEAT_K, () => ({ differenceK, flowM3h: now.flowM3h }))
}

/** R9, over its day: the volume register grew. */
export const hasVolumeGrown = (now: MeterReading, anchor: Anchor, profile: MeterProfile): boolean =>
  now.volumeM3 - anchor.volumeM3 > profile.volumeStepM3

const CLOSED_PCT = 2

/** R10: water flows although the valve reports that it is closed. */
export function checkClosedValve(now: MeterReading, profile: MeterProfile): Verdict {
  if (Number.isNaN(now.openingPct) || Number.isNaN(now.flowM3h)) return undefined
  const isBad = now.openingPct <= CLOSED_PCT && now.flowM3h > profile.minFlowM3h
  return judge(isBad, () => ({ openingPct: now.openingPct, flowM3h: now.flowM3h }))
}
