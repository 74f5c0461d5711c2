import type { FindingDetail } from '@isotherm/contract/alarms/finding'
import { HOUR_MS } from '@isotherm/kernel/durations'

/**
 * What a device reported at one instant, as the rules look at it. What it did not report is NaN: no comparison with it
 * holds, so a rule says nothing about what is not there.
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

/** Makes a reading one of which nothing is known. */
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

/** What is known of a meter. */
export interface MeterProfile {
  /** Least flow at which it is accurate, q_i, and the most it may measure, q_s, m³/h. */
  readonly leastFlowM3h: number
  readonly mostFlowM3h: number
  /** Greatest temperature difference it is used at, K. */
  readonly mostDifferenceK: number
  /** Steps of its registers. */
  readonly energyStepKwh: number
  readonly volumeStepM3: number
  readonly hoursStepH: number
  /** Energies at which its register may begin anew, kWh. */
  readonly energyCapacitiesKwh: readonly number[]
  readonly volumeCapacitiesM3: readonly number[]
}

/** 1 GJ, 1 MWh in kWh. */
const GJ = 1 / 0.0036
const MWH = 1_000

/**
 * A meter of which nothing is known: any of a household or a building. Its energy may be counted in hundredths of a GJ
 * (2.8 kWh), and begin anew after six digits of kWh, GJ or MWh (CJ/T 188-2004: 10⁶ units).
 */
export const unknownMeter: MeterProfile = {
  leastFlowM3h: 0.02,
  mostFlowM3h: 400,
  mostDifferenceK: 120,
  energyStepKwh: 3,
  volumeStepM3: 0.1,
  hoursStepH: 1,
  energyCapacitiesKwh: [1e6, 1e6 * GJ, 1e6 * MWH],
  volumeCapacitiesM3: [1e5, 1e6],
}

/** The rule holds, with its figures; or it does not. Nothing at all where the reading cannot tell. */
export type Verdict = 'good' | { readonly bad: FindingDetail } | undefined

export const judge = (isBad: boolean, detail: () => FindingDetail): Verdict =>
  isBad ? { bad: detail() } : 'good'

/** Time from one reading to the next, h. */
export const hoursBetween = (before: Pick<MeterReading, 'ts'>, now: Pick<MeterReading, 'ts'>): number =>
  (now.ts - before.ts) / HOUR_MS
