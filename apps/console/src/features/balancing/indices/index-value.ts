import { type IndexName, indexMeanings } from '@isotherm/balancing/indices/index-meanings'

/** Display unit of an index, factor from its own unit, and decimals. */
interface Shown {
  readonly unit: string
  readonly factor: number
  readonly decimals: number
}

type IndexUnit = (typeof indexMeanings)[IndexName]['unit']

/** By unit of the index; shares are 0 to 1. */
const shownUnits: Readonly<Record<string, Shown>> = {
  K: { unit: 'K', factor: 1, decimals: 2 },
  '%': { unit: '%', factor: 100, decimals: 1 },
  '1': { unit: '', factor: 1, decimals: 2 },
  'kg/s': { unit: 't/h', factor: 3.6, decimals: 1 },
  Pa: { unit: 'kPa', factor: 1e-3, decimals: 1 },
  W: { unit: 'kW', factor: 1e-3, decimals: 2 },
  'kWh/m²': { unit: 'kWh/m²', factor: 1, decimals: 3 },
  'W/m²': { unit: 'W/m²', factor: 1, decimals: 1 },
  'W/(m²·K)': { unit: 'W/(m²·K)', factor: 1, decimals: 2 },
  '1/d': { unit: '1/d', factor: 1, decimals: 2 },
  h: { unit: 'h', factor: 1, decimals: 2 },
  strokes: { unit: '', factor: 1, decimals: 2 },
} satisfies Readonly<Record<string, Shown>>

const isIndexName = (name: string): name is IndexName => Object.hasOwn(indexMeanings, name)

/** All indices in display order. */
export const indexNames: readonly IndexName[] = Object.keys(indexMeanings).filter(isIndexName)

/** Display format of an index; the unit is empty for a plain number. */
export function toShown(name: IndexName): Shown {
  const unit: IndexUnit = indexMeanings[name].unit
  return shownUnits[unit] ?? { unit, factor: 1, decimals: 2 }
}

/** Direction of improvement: 1 if higher is better, -1 if lower is better; absent if neutral. */
const better: Readonly<Partial<Record<IndexName, 1 | -1>>> = {
  sigmaReturnK: -1,
  sigmaReturnPerDrop: -1,
  spreadReturnK: -1,
  withinOneK: 1,
  withinHalfK: 1,
  sigmaRoomK: -1,
  under18: -1,
  over24: -1,
  balanceDegreePass: 1,
  flowBalance: 1,
  heatIntensityVariation: -1,
  hydraulicStability: 1,
  loopPressureDifference: -1,
}

/** Whether a change is an improvement; undefined if neutral or too small to see. */
export function findBetter(name: IndexName, from: number, to: number): boolean | undefined {
  const way = better[name]
  const { factor, decimals } = toShown(name)
  const change = (to - from) * factor
  if (way === undefined || Math.abs(change) < 0.5 * 10 ** -decimals) return undefined
  return Math.sign(change) === way
}
