import type { MetricName } from '@isotherm/contract/metrics'
import { theme } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reading, ReadingLine } from '../../../shared/chart/chart-pointer.tsx'
import { useChartInk } from '../../../shared/chart/use-chart-ink.ts'
import { type Format, useFormat } from '../../../shared/format/use-format.ts'
import { useConsoleSettings } from '../../../shared/installation/console-settings.ts'
import { qualityFlags } from '../../../shared/ui/quality-flags.ts'
import type { AlarmMark } from '../curves/alarm-marks.ts'
import type { ChartTheme } from './chart-option.ts'
import type { CurveReading, readCurves } from './curve-reading.ts'

/** Colours of the curves. They differ in light and dark themes and for colour-blind users. */
const metricColors: Partial<Record<MetricName, string>> = {
  'temp.room': '#b0812a',
  'temp.outdoor': '#5b7fa8',
  'heat.power': '#b05a83',
  'temp.supply': '#d0533a',
  'temp.return': '#3f7fbf',
  'valve.opening': '#16877f',
  'valve.target': '#5aa9a2',
  'heat.flow': '#8a63b8',
  'pressure.diff': '#b0812a',
  'pressure.supply': '#b05a83',
  'pressure.return': '#7c6a4f',
  'soil.moisture': '#4f8f6b',
  'bat.v': '#6f8f3a',
  rssi: '#7a828c',
}
const deviceColors = [
  '#16877f',
  '#d0533a',
  '#3f7fbf',
  '#b0812a',
  '#8a63b8',
  '#6f8f3a',
  '#b05a83',
  '#7a828c',
  '#4f8f6b',
  '#a0522d',
] as const

/** Colours and names of the history chart in the current theme and language. */
export function useChartTheme(deviceLabel: (deviceId: number) => string): ChartTheme {
  const { token } = theme.useToken()
  const format = useFormat()
  const { t } = useTranslation(['common', 'history'])
  const { colorError, colorSuccess } = token
  const ink = useChartInk()
  return useMemo(
    () => ({
      ...ink,
      alarm: colorError,
      good: colorSuccess,
      metricColor: (metric) => metricColors[metric] ?? ink.text,
      deviceColor: (index) => deviceColors[index % deviceColors.length] ?? ink.text,
      metricLabel: format.metricName,
      deviceLabel,
      yearBeforeLabel: (label) => t('history.yearBefore', { label, ns: 'history' }),
      replacedLabel: (name, imei) => t('history.replacedName', { name, imei, ns: 'history' }),
      replacedMark: t('history.replacedMark', { ns: 'history' }),
    }),
    [ink, colorError, colorSuccess, format, t, deviceLabel],
  )
}

/** Pointer texts for curve values and alarm marks, in the current language. */
export function useReadings() {
  const format = useFormat()
  const { t } = useTranslation('common')
  const { timeZone } = useConsoleSettings()
  const toQuality = (bits: number) => qualityFlags(bits).map((flag) => t(`quality.${flag}`))
  return {
    ofCurves: ({ rows, ts, isDaily }: NonNullable<ReturnType<typeof readCurves>>): Reading => ({
      at: ts,
      head: isDaily ? format.day(ts, timeZone) : format.instant(ts),
      lines: rows.map((row) => toReadingLine(row, format, toQuality)),
    }),
    ofAlarm: ({ at, text }: AlarmMark): Reading => ({
      at,
      head: format.instant(at),
      lines: [{ value: text }],
    }),
  }
}

const toReadingLine = (
  { label, color, metric, value, band, quality }: CurveReading,
  format: Format,
  toQuality: (bits: number) => readonly string[],
): ReadingLine => {
  const range = band?.map((edge) => format.metricValue(metric, edge)).join('–')
  const parts = [format.metric(metric, value), range && `(${range})`, ...toQuality(quality)]
  return { label, color, value: parts.filter((part) => part !== undefined).join(' · ') }
}
