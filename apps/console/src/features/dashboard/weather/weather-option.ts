import type { OutdoorValue } from '@isotherm/contract/network/weather'
import {
  type ChartInk,
  toChartBase,
  toMarkSeries,
  toTimeAxis,
  toUnseenAxis,
  toValueAxis,
} from '../../../shared/chart/chart-parts.ts'

/** Colours and texts for the chart. */
export interface WeatherStyle extends ChartInk {
  readonly measured: string
  readonly forecast: string
  readonly measuredLabel: string
  readonly forecastLabel: string
  readonly nowLabel: string
}

const toRows = (values: readonly OutdoorValue[]) => values.map(({ at, outdoorC }) => [at, outdoorC] as const)

/** Instants from the first value to the last; undefined without at least two. */
export function toSpan(...lists: readonly (readonly OutdoorValue[])[]) {
  const instants = lists.flat().map(({ at }) => at)
  const span = { from: Math.min(...instants), to: Math.max(...instants) }
  return span.to > span.from ? span : undefined
}

/** The lowest and the highest value; undefined without values. */
export function findExtremes(
  values: readonly OutdoorValue[],
): { readonly low: OutdoorValue; readonly high: OutdoorValue } | undefined {
  const ascending = values.toSorted((left, right) => left.outdoorC - right.outdoorC)
  const [low, high] = [ascending[0], ascending.at(-1)]
  return low && high ? { low, high } : undefined
}

/** Chart: the measured curve, the forecast dashed after it, and a mark at the present. */
export function toWeatherOption(
  { measured, forecast }: Readonly<Record<'measured' | 'forecast', readonly OutdoorValue[]>>,
  span: { readonly from: number; readonly to: number },
  now: number,
  look: WeatherStyle,
) {
  const line = { type: 'line' as const, silent: true, showSymbol: false, emphasis: { disabled: true } }
  const marks = now > span.from && now < span.to ? [{ at: now, text: look.nowLabel }] : []
  return {
    ...toChartBase(look),
    grid: { left: 40, right: 16, top: 26, bottom: 26 },
    xAxis: toTimeAxis(look, span),
    yAxis: [{ ...toValueAxis(look), name: '°C', scale: true }, toUnseenAxis(0)],
    series: [
      {
        ...line,
        name: look.measuredLabel,
        data: toRows(measured),
        lineStyle: { color: look.measured, width: 2 },
        itemStyle: { color: look.measured },
      },
      {
        ...line,
        name: look.forecastLabel,
        data: toRows(forecast),
        lineStyle: { color: look.forecast, width: 2, type: 'dashed' as const },
        itemStyle: { color: look.forecast },
      },
      { ...toMarkSeries(look, marks), yAxisIndex: 1 },
    ],
  }
}
