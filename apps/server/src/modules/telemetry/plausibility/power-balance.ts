import { celsius } from '@isotherm/kernel/quantities'
import { heatCoefficient } from '@isotherm/thermal/water'
import { judge, type MeterProfile, type MeterReading, type Verdict } from './meter-reading.ts'

/** Below it the error of the difference itself spoils the ratio, K. */
const LEAST_DIFFERENCE_K = 3
/** Below it the wider band holds, K. */
const SMALL_DIFFERENCE_K = 10
const BAND = [0.9, 1.1] as const
const WIDE_BAND = [0.8, 1.25] as const

/** kWh/(m³·K) where the flow is measured in the return, as the cooler of the two usually is. */
export const coefficientOf = ({ supplyC, returnC }: Pick<MeterReading, 'supplyC' | 'returnC'>): number =>
  heatCoefficient(celsius(Math.min(supplyC, returnC)), celsius((supplyC + returnC) / 2))

/** Reported power to that of flow and temperatures, 1 where they agree; NaN without them. */
export function toPowerRatio(now: MeterReading): number {
  const expectedKw = coefficientOf(now) * now.flowM3h * (now.supplyC - now.returnC)
  return expectedKw === 0 ? Number.NaN : now.powerKw / expectedKw
}

const isMeasurable = (now: MeterReading, profile: MeterProfile): boolean =>
  now.flowM3h > profile.leastFlowM3h && now.supplyC - now.returnC >= LEAST_DIFFERENCE_K

/** R2: power against flow and temperatures. */
export function checkPowerBalance(now: MeterReading, profile: MeterProfile): Verdict {
  if (!isMeasurable(now, profile)) return undefined
  const ratio = toPowerRatio(now)
  if (Number.isNaN(ratio)) return undefined
  const [least, most] = now.supplyC - now.returnC < SMALL_DIFFERENCE_K ? WIDE_BAND : BAND
  return judge(ratio < least || ratio > most, () => ({ ratio }))
}

/** Ratios that a wrong place of the decimal point, or GJ taken for MWh, make. */
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

/** The error of scale a ratio is the sign of. */
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
