import type { AlarmMark } from './alarm-marks.ts'

/** Colours of the marks, and the instant in words. */
export interface AlarmLook {
  readonly alarm: string
  readonly good: string
  readonly surface: string
  readonly instant: (ts: number) => string
}

const MARK_PX = 11
/** Where the marks stand in the height of the first panel, of 1. */
const HEIGHT = 0.06

/** An axis of its own for the marks, which have no value: unseen, from 0 to 1. */
export const toAlarmAxis = () => ({
  type: 'value' as const,
  gridIndex: 0,
  min: 0,
  max: 1,
  show: false,
})

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
    // Of its own: the tooltip of the curves goes by the nearest reading.
    tooltip: {
      trigger: 'item' as const,
      formatter: ({ dataIndex }: { readonly dataIndex: number }): HTMLElement | string => {
        const mark = marks[dataIndex]
        return mark ? drawText(mark, look) : ''
      },
    },
    data: marks.map(({ at, isBegin }) => ({
      value: [at, HEIGHT],
      symbol: isBegin ? 'triangle' : 'circle',
      itemStyle: isBegin
        ? { color: look.alarm, borderColor: look.surface, borderWidth: 1 }
        : { color: look.surface, borderColor: look.good, borderWidth: 2 },
    })),
  }
}

/** An element, never markup: names come from the registry and may hold anything. */
function drawText({ at, text }: AlarmMark, look: AlarmLook): HTMLElement {
  const box = document.createElement('div')
  const head = document.createElement('div')
  head.textContent = look.instant(at)
  const line = document.createElement('strong')
  line.textContent = text
  box.append(head, line)
  return box
}
