import { findKnown } from '../../shared/url/url-words.ts'

export const heatUnits = ['kWh', 'MWh', 'GJ'] as const
export type HeatUnit = (typeof heatUnits)[number]

/** kWh of a unit; 1 GJ = 1/0.0036 kWh exactly. */
const kwhOf: Readonly<Record<HeatUnit, number>> = { kWh: 1, MWh: 1_000, GJ: 1 / 0.0036 }
const decimals: Readonly<Record<HeatUnit, number>> = { kWh: 0, MWh: 3, GJ: 3 }

export const toHeatUnit = (word: string | undefined): HeatUnit => findKnown(word ?? '', heatUnits) ?? 'kWh'

/** Converts kWh to a unit. */
export const toUnit = (kwh: number, unit: HeatUnit): number => kwh / kwhOf[unit]

/** Converts a price per unit to a price per kWh. */
export const toPricePerKwh = (price: number, unit: HeatUnit): number => price / kwhOf[unit]

/** Decimals of a heat, with `more` for a heat per area. */
export const decimalsOf = (unit: HeatUnit, more = 0): number => decimals[unit] + more
