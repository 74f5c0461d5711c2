import type { ChartPlace } from '../../../shared/chart/chart-pointer.tsx'
import type { AlarmMark } from '../curves/alarm-marks.ts'

/** Colours of the marks. */
export interface AlarmTheme {
  readonly alarm: string
  readonly good: string
  readonly surface: string
}

const MARK_PX = 11
/** Height of the marks in the first panel: 0 is its bottom, 1 its top. */
const HEIGHT = 0.06

/** Small marks at the bottom of the first panel: filled where an alarm began, open where it ended. */
export function toAlarmSeries(marks: readonly AlarmMark[], yAxisIndex: number, theme: AlarmTheme) {
  return {
    type: 'line' as const,
    name: '',
    xAxisIndex: 0,
    yAxisIndex,
    lineStyle: { opacity: 0 },
    showSymbol: true,
    symbolSize: MARK_PX,
    emphasis: { scale: 1.4 },
    data: marks.map(({ at, isBegin }) => ({
      value: [at, HEIGHT],
      symbol: isBegin ? 'triangle' : 'circle',
      itemStyle: isBegin
        ? { color: theme.alarm, borderColor: theme.surface, borderWidth: 1 }
        : { color: theme.surface, borderColor: theme.good, borderWidth: 2 },
    })),
  }
}

/** Largest distance from the pointer to the centre of a mark, px. */
const REACH_PX = 8

/** The mark under the pointer, if any. `panel`: position of the first panel, px. */
export function findMark(
  marks: readonly AlarmMark[],
  { at, yPx, msPerPx }: ChartPlace,
  panel: { readonly top: number; readonly height: number },
): AlarmMark | undefined {
  if (Math.abs(yPx - (panel.top + panel.height * (1 - HEIGHT))) > REACH_PX) return undefined
  const toDistance = (mark: AlarmMark) => Math.abs(mark.at - at)
  const [nearest] = marks.toSorted((a, b) => toDistance(a) - toDistance(b))
  return nearest && toDistance(nearest) <= REACH_PX * msPerPx ? nearest : undefined
}
