import { type MetricName, metrics } from '@isotherm/contract/metrics'

/** Factor from a symbol of a frame to the unit of the metrics. Sources: SI; 1 kcal = 4.1868 kJ; gallons of the USA. */
const factors: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  kWh: {
    Wh: 0.001,
    kWh: 1,
    MWh: 1000,
    J: 1 / 3_600_000,
    kJ: 1 / 3600,
    MJ: 1 / 3.6,
    GJ: 1 / 0.0036,
    Mcal: 1.163,
  },
  kW: {
    W: 0.001,
    kW: 1,
    MW: 1000,
    'J/h': 1 / 3_600_000,
    'kJ/h': 1 / 3600,
    'MJ/h': 1 / 3.6,
    'GJ/h': 1 / 0.0036,
  },
  'm³': { mL: 1e-6, L: 0.001, 'm³': 1, 'ft³': 0.028_316_846_592, gal: 0.003_785_411_784 },
  'm³/h': {
    'mL/h': 1e-6,
    'L/h': 0.001,
    'm³/h': 1,
    'm³/min': 60,
    'm³/s': 3600,
    'L/min': 0.06,
    'L/s': 3.6,
    'gal/min': 0.227_124_707_04,
    'gal/h': 0.003_785_411_784,
  },
  '°C': { '°C': 1 },
  K: { K: 1, '°F': 5 / 9 },
  kPa: { Pa: 0.001, kPa: 1, mbar: 0.1, bar: 100, MPa: 1000, mH2O: 9.806_65 },
  '%': { '%': 1 },
  V: { mV: 0.001, V: 1 },
  dBm: { dBm: 1 },
  h: { s: 1 / 3600, min: 1 / 60, h: 1, d: 24 },
  mm: { mm: 1 },
}

/** A number times a factor. Factors below 1 divide by their inverse, which is exact for tenths: 266 tenths are 26.6. */
export const scaleNumber = (value: number, factor: number): number =>
  Math.abs(factor) < 1 ? value / (1 / factor) : value * factor

/** A value in a frame's unit as the metric's unit; undefined if the unit does not measure what the metric does. */
export function toMetricUnit(metric: MetricName, value: number, unit: string): number | undefined {
  const { unit: own } = metrics[metric]
  if (own === '°C' && unit === '°F') return ((value - 32) * 5) / 9
  const factor = factors[own]?.[unit]
  return factor === undefined ? undefined : scaleNumber(value, factor)
}

/** The inverse, for commands. */
export function fromMetricUnit(metric: MetricName, value: number, unit: string): number | undefined {
  const { unit: own } = metrics[metric]
  const factor = factors[own]?.[unit]
  return factor === undefined ? undefined : value / factor
}

/** Units in which a metric can be given, its own first. */
export function listUnits(metric: MetricName): readonly string[] {
  const { unit: own } = metrics[metric]
  const others = Object.keys(factors[own] ?? {}).filter((unit) => unit !== own)
  return [own, ...others, ...(own === '°C' ? ['°F'] : [])]
}

/** Whether values of a unit can be converted to a metric. */
export const isConvertible = (metric: MetricName, unit: string): boolean =>
  toMetricUnit(metric, 1, unit) !== undefined
