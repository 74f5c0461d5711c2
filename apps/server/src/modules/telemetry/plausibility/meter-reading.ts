import type { FindingDetail } from '@isotherm/contract/alarms/finding'
import { HOUR_MS } from '@isotherm/kernel/durations'

/**
 * Values of a device at one instant, as input of the rules. A missing value is NaN: comparisons with NaN are false, so
 * a rule does not apply to it.
 */
export interface MeterReading {
  /** Unix ms. */
  ts: number
  energyKwh: number
  volumeM3: number
  powerKw: number
  flowM3h: number
  supplyC: number
  returnC: number
  roomC: number
  openingPct: number
  hoursH: number
  /** The meter's own clock, Unix ms. */
  meterTime: number
}

export const emptyReading: Readonly<MeterReading> = {
  ts: Number.NaN,
  energyKwh: Number.NaN,
  volumeM3: Number.NaN,
  powerKw: Number.NaN,
  flowM3h: Number.NaN,
  supplyC: Number.NaN,
  returnC: Number.NaN,
  roomC: Number.NaN,
  openingPct: Number.NaN,
  hoursH: Number.NaN,
  meterTime: Number.NaN,
}

/** Sets all fields of a reading to NaN. */
export function clear(reading: MeterReading): void {
  reading.ts = Number.NaN
  reading.energyKwh = Number.NaN
  reading.volumeM3 = Number.NaN
  reading.powerKw = Number.NaN
  reading.flowM3h = Number.NaN
  reading.supplyC = Number.NaN
  reading.returnC = Number.NaN
  reading.roomC = Number.NaN
  reading.openingPct = Number.NaN
  reading.hoursH = Number.NaN
  reading.meterTime = Number.NaN
}

/** Properties of a meter model. */
export interface MeterProfile {
  /** Minimum flow q_i and maximum flow q_s, m³/h. */
  readonly minFlowM3h: number
  readonly maxFlowM3h: number
  /** Maximum temperature difference, K. */
  readonly maxDifferenceK: number
  /** Resolution of its registers. */
  readonly energyStepKwh: number
  readonly volumeStepM3: number
  readonly hoursStepH: number
  /** Energies at which its register may roll over to 0, kWh. */
  readonly energyCapacitiesKwh: readonly number[]
  readonly volumeCapacitiesM3: readonly number[]
}

/** 1 GJ, 1 MWh in kWh. */
const GJ = 1 / 0.0036
const MWH = 1_000

/**
 * A meter of unknown model, in a household or a building. Its energy register may have steps of 0.01 GJ (2.8 kWh) and
 * may roll over after six digits of kWh, GJ or MWh (CJ/T 188-2004: 10⁶ units).
 */
export const unknownMeter: MeterProfile = {
  minFlowM3h: 0.02,
  maxFlowM3h: 400,
  maxDifferenceK: 120,
  energyStepKwh: 3,
  volumeStepM3: 0.1,
  hoursStepH: 1,
  energyCapacitiesKwh: [1e6, 1e6 * GJ, 1e6 * MWH],
  volumeCapacitiesM3: [1e5, 1e6],
}

/** Result of a rule. Undefined if the reading is not sufficient for it. */
export type Verdict = 'good' | { readonly bad: FindingDetail } | undefined

export const judge = (isBad: boolean, detail: () => FindingDetail): Verdict =>
  isBad ? { bad: detail() } : 'good'

/** Time from one reading to the next, h. */
export const hoursBetween = (before: Pick<MeterReading, 'ts'>, now: Pick<MeterReading, 'ts'>): number =>
  (now.ts - before.ts) / HOUR_MS
