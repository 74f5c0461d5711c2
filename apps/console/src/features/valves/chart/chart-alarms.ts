import type { ChartPlace } from '../../../shared/chart/chart-pointer.tsx'
import type { AlarmMark } from '../curves/alarm-marks.ts'

/** Colours of the marks. */
export interface AlarmLook {
  readonly alarm: string
  readonly good: string
  readonly surface: string
}

const MARK_PX = 11
/** Where the marks stand in the height of the first panel, of 1. */
const HEIGHT = 0.06

/** Small marks at the foot of the first panel: filled where an alarm began, open where it ended. */
export function toAlarmSeries(marks: readonly AlarmMark[], yAxisIndex: number, look: AlarmLook) {
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
        ? { color: look.alarm, borderColor: look.surface, borderWidth: 1 }
        : { color: look.surface, borderColor: look.good, borderWidth: 2 },
    })),
  }
}

/** How far from the middle of a mark the pointer may be, px. */
const REACH_PX = 8

/** The mark under the pointer; `panel` is the place of the first one, px. */
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
