import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { type Language, toLocaleTag } from '../i18n/language.ts'

/** Text for an absent value. */
export const ABSENT = '—'

const formats = new Map<string, Intl.NumberFormat>()

function numberFormat(language: Language, decimals: number): Intl.NumberFormat {
  const key = `${language} ${decimals}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(toLocaleTag(language), {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  formats.set(key, made)
  return made
}

/** A number with fixed decimals; — if absent or not finite. Never "-0". */
export function formatNumber(value: number | undefined, decimals: number, language: Language): string {
  if (value === undefined || !Number.isFinite(value)) return ABSENT
  const text = numberFormat(language, decimals).format(value)
  return /^-[0.,]+$/.test(text) ? text.slice(1) : text
}

/** A metric's value with its decimals, without the unit: for table cells whose heading names it. */
export const formatMetricValue = (name: MetricName, value: number | undefined, language: Language): string =>
  formatNumber(value, metrics[name].decimals, language)

/** A metric's value with its decimals and unit: 47.3 °C. — when absent. */
export function formatMetric(name: MetricName, value: number | undefined, language: Language): string {
  const text = formatMetricValue(name, value, language)
  return text === ABSENT ? text : withUnit(text, metrics[name].unit)
}

/** A formatted number and its unit, joined by a no-break space; no space before a percent sign. A count has no unit. */
export const withUnit = (text: string, unit: string): string =>
  unit === '%' || unit === '' ? `${text}${unit}` : `${text}\u00a0${unit}`
