import type { MetricName } from '@isotherm/contract/metrics'
import { theme } from 'antd'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Format, useFormat } from '../../shared/format/use-format.ts'
import { qualityFlags } from '../../shared/ui/quality-flags.ts'
import type { ChartLook, TooltipRow } from './chart-option.ts'

/** Colours of the curves, told apart in light and dark and by eyes that mix red and green. */
const metricColors: Partial<Record<MetricName, string>> = {
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
const deviceColors = ['#16877f', '#d0533a', '#3f7fbf', '#b0812a'] as const

/** Colours, names and tooltip of the history chart in the theme and language in force. */
export function useChartLook(deviceLabel: (deviceId: number) => string): ChartLook {
  const { token } = theme.useToken()
  const format = useFormat()
  const { t } = useTranslation(['common', 'valves'])
  const { colorText, colorTextTertiary, colorBorderSecondary, colorBgElevated } = token
  const { colorWarning, colorError, colorSuccess } = token
  return useMemo(
    () => ({
      text: colorText,
      faint: colorTextTertiary,
      line: colorBorderSecondary,
      surface: colorBgElevated,
      mark: colorWarning,
      alarm: colorError,
      good: colorSuccess,
      instant: format.instant,
      metricColor: (metric) => metricColors[metric] ?? colorText,
      deviceColor: (index) => deviceColors[index % deviceColors.length] ?? colorText,
      metricLabel: format.metricName,
      deviceLabel,
      yearBeforeLabel: (label) => t('history.yearBefore', { label, ns: 'valves' }),
      tooltip: (rows, ts) => {
        const toQuality = (bits: number) => qualityFlags(bits).map((flag) => t(`quality.${flag}`))
        return drawTooltip(rows, ts, format, toQuality)
      },
    }),
    [
      colorText,
      colorTextTertiary,
      colorBorderSecondary,
      colorBgElevated,
      colorWarning,
      colorError,
      colorSuccess,
      format,
      t,
      deviceLabel,
    ],
  )
}

/** Built of elements, never of markup: names come from the registry and may hold anything. */
function drawTooltip(
  rows: readonly TooltipRow[],
  ts: number,
  format: Format,
  toQuality: (bits: number) => readonly string[],
): HTMLElement {
  const box = document.createElement('div')
  const head = document.createElement('div')
  head.textContent = format.instant(ts)
  head.style.marginBottom = '4px'
  box.append(head)
  for (const row of rows) {
    const line = document.createElement('div')
    line.style.cssText =
      'display:flex;gap:12px;justify-content:space-between;font-variant-numeric:tabular-nums'
    const name = document.createElement('span')
    name.textContent = `● ${row.label}`
    name.style.color = row.color
    const value = document.createElement('strong')
    const band = row.band?.map((edge) => format.metricValue(row.metric, edge)).join('–')
    const parts = [format.metric(row.metric, row.value), band && `(${band})`, ...toQuality(row.quality)]
    value.textContent = parts.filter((part) => part !== undefined).join(' · ')
    line.append(name, value)
    box.append(line)
  }
  return box
}
