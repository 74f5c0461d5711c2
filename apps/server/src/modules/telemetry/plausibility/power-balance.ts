import { celsius } from '@isotherm/kernel/quantities'
import { heatCoefficient } from '@isotherm/thermal/water'
import { judge, type MeterProfile, type MeterReading, type Verdict } from './meter-reading.ts'

/** Smallest temperature difference for the check, K. Below it the sensor errors dominate the ratio. */
const MIN_DIFFERENCE_K = 3
/** Below this temperature difference the wider band applies, K. */
const SMALL_DIFFERENCE_K = 10
const BAND = [0.9, 1.1] as const
const WIDE_BAND = [0.8, 1.25] as const

/** Heat coefficient, kWh/(m³·K). The flow is measured in the return, usually the cooler of the two pipes. */
export const coefficientOf = ({ supplyC, returnC }: Pick<MeterReading, 'supplyC' | 'returnC'>): number =>
  heatCoefficient(celsius(Math.min(supplyC, returnC)), celsius((supplyC + returnC) / 2))

/** Reported power divided by the power from flow and temperatures; 1 if they agree, NaN if a value is missing or no power is expected. */
export function toPowerRatio(now: MeterReading): number {
  const expectedKw = coefficientOf(now) * now.flowM3h * (now.supplyC - now.returnC)
  return expectedKw === 0 ? Number.NaN : now.powerKw / expectedKw
}

const isMeasurable = (now: MeterReading, profile: MeterProfile): boolean =>
  now.flowM3h > profile.minFlowM3h && now.supplyC - now.returnC >= MIN_DIFFERENCE_K

/** R2: power against flow and temperatures. */
export function checkPowerBalance(now: MeterReading, profile: MeterProfile): Verdict {
  if (!isMeasurable(now, profile)) return undefined
  const ratio = toPowerRatio(now)
  if (Number.isNaN(ratio)) return undefined
  const [min, max] = now.supplyC - now.returnC < SMALL_DIFFERENCE_K ? WIDE_BAND : BAND
  return judge(ratio < min || ratio > max, () => ({ ratio }))
}

/** Ratios caused by a wrong decimal place, or by a confusion of GJ and MWh. */
const SCALES: readonly (readonly [name: string, ratio: number])[] = [
  ['0.001', 1e-3],
  ['0.01', 1e-2],
  ['0.1', 1e-1],
  ['10', 10],
  ['100', 100],
  ['1000', 1_000],
  ['GJ-MWh', 3.6],
  ['MWh-GJ', 1 / 3.6],
]
const SCALE_BAND = 0.15

/** The scale error that a ratio indicates. */
export const findScale = (ratio: number): string | undefined =>
  SCALES.find(([, scale]) => Math.abs(ratio / scale - 1) <= SCALE_BAND)?.[0]

/** R3: a ratio near a power of ten or 3.6. */
export function checkScale(now: MeterReading, profile: MeterProfile): Verdict {
  if (!isMeasurable(now, profile)) return undefined
  const ratio = toPowerRatio(now)
  if (Number.isNaN(ratio)) return undefined
  const scale = findScale(ratio)
  return scale === undefined ? 'good' : { bad: { ratio, scale } }
}
