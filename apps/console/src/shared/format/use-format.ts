import { findCampaignOrder } from '@isotherm/contract/balancing/campaign-order'
import { type MetricName, metrics } from '@isotherm/contract/metrics'
import { i18n, useLanguage } from '../i18n/i18n.ts'
import type { Language } from '../i18n/language.ts'
import { formatDay, formatInstant, formatMoment, formatTime, toAge } from './instants.ts'
import { ABSENT, formatMetric, formatMetricValue, formatNumber } from './numbers.ts'

export interface Format {
  readonly number: (value: number | undefined, decimals: number) => string
  /** With unit. */
  readonly metric: (name: MetricName, value: number | undefined) => string
  /** Without unit. */
  readonly metricValue: (name: MetricName, value: number | undefined) => string
  readonly metricName: (name: MetricName) => string
  readonly instant: (instantMs: number | undefined) => string
  readonly time: (instantMs: number | undefined) => string
  /** Date in an IANA time zone. */
  readonly day: (instantMs: number | undefined, timeZone: string) => string
  /** Weekday, date, hour and minute in an IANA time zone. */
  readonly moment: (instantMs: number | undefined, timeZone: string) => string
  /** Reason of a command or hold: a text of a user, or a description of the campaign's wave. */
  readonly reason: (reason: string) => string
  readonly age: (instantMs: number | undefined, nowMs: number) => string
}

function createFormat(language: Language): Format {
  const t = i18n.getFixedT(language, 'common')
  return {
    number: (value, decimals) => formatNumber(value, decimals, language),
    metric: (name, value) => formatMetric(name, value, language),
    metricValue: (name, value) => formatMetricValue(name, value, language),
    metricName: (name) => metrics[name][language],
    instant: (instantMs) => formatInstant(instantMs, language),
    time: (instantMs) => formatTime(instantMs, language),
    day: (instantMs, timeZone) => formatDay(instantMs, language, timeZone),
    moment: (instantMs, timeZone) => formatMoment(instantMs, language, timeZone),
    reason: (reason) => {
      const order = findCampaignOrder(reason)
      return order ? t('order.campaign', { ...order, kind: t(`order.wave.${order.kind}`) }) : reason
    },
    age: (instantMs, nowMs) => {
      if (instantMs === undefined) return ABSENT
      const age = toAge(instantMs, nowMs)
      return age.unit === 'now' ? t('age.now') : t(`age.${age.unit}`, { value: age.value })
    },
  }
}

const formats = new Map<Language, Format>()

/** Formatters for the current language; the same object until it changes. */
export function useFormat(): Format {
  const language = useLanguage()
  const format = formats.get(language) ?? createFormat(language)
  formats.set(language, format)
  return format
}
