import type { HeatSavingAnswer } from '@isotherm/contract/balancing/heat-saving'
import { type ChartInk, toChartBase, toValueAxis } from '../../../shared/chart/chart-parts.ts'

/** Colours and texts for the plot. */
export interface SavingStyle extends ChartInk {
  readonly before: string
  readonly after: string
  readonly beforeLabel: string
  readonly afterLabel: string
}

type Days = HeatSavingAnswer['baseline']['days']
type Line = Extract<HeatSavingAnswer['result'], { kind: 'known' }>['line']

const KWH_PER_MWH = 1000
const byWeather = (a: readonly [number, number], b: readonly [number, number]): number => a[0] - b[0]

/** Points of days: outdoor temperature, °C, and heat, MWh. */
export const toPoints = (days: Days): (readonly [number, number])[] =>
  days.map(({ outdoorC, heatKwh }) => [outdoorC, heatKwh / KWH_PER_MWH] as const).sort(byWeather)

/** A line over the weather of its days, with its bend at the change point. */
export function toLinePoints(
  { baseKwh, slopeKwhK, changePointC }: Line,
  points: readonly (readonly [number, number])[],
): (readonly [number, number])[] {
  const [coldest, warmest] = [points[0]?.[0], points.at(-1)?.[0]]
  if (coldest === undefined || warmest === undefined) return []
  const at = (outdoorC: number) =>
    [outdoorC, (baseKwh + slopeKwhK * Math.max(0, changePointC - outdoorC)) / KWH_PER_MWH] as const
  const bend = changePointC > coldest && changePointC < warmest ? [at(changePointC)] : []
  return [at(coldest), ...bend, at(warmest)]
}

/** Plot: a point for each day before and after, and the line of each period. */
export function toSavingOption({ baseline, after, result }: HeatSavingAnswer, look: SavingStyle) {
  const axis = {
    ...toValueAxis(look),
    scale: true,
    axisLine: { show: false, onZero: false },
    axisTick: { show: false },
  }
  const [before, later] = [toPoints(baseline.days), toPoints(after.days)]
  const dots = (name: string, color: string, data: (readonly [number, number])[]) => ({
    type: 'line' as const,
    name,
    data: [...data],
    symbol: 'circle',
    symbolSize: 5,
    showAllSymbol: true,
    silent: true,
    lineStyle: { width: 0 },
    itemStyle: { color, opacity: 0.55 },
  })
  const curve = (name: string, color: string, data: (readonly [number, number])[]) => ({
    type: 'line' as const,
    name,
    data: [...data],
    showSymbol: false,
    silent: true,
    z: 4,
    lineStyle: { width: 2, color },
    itemStyle: { color },
  })
  const lines =
    result.kind === 'known'
      ? [
          curve(
            look.beforeLabel,
            look.before,
            toLinePoints(result.line, [...before, ...later].sort(byWeather)),
          ),
          ...(result.lineAfter
            ? [curve(look.afterLabel, look.after, toLinePoints(result.lineAfter, later))]
            : []),
        ]
      : []
  return {
    ...toChartBase(look),
    grid: { left: 44, right: 16, top: 26, bottom: 28 },
    xAxis: {
      ...axis,
      splitNumber: 5,
      splitLine: { show: false },
      axisLabel: { color: look.faint, formatter: '{value} °C' },
    },
    yAxis: { ...axis, name: 'MWh' },
    series: [dots(look.beforeLabel, look.before, before), dots(look.afterLabel, look.after, later), ...lines],
  }
}
