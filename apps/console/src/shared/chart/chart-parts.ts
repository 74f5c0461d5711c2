/** Theme colours of the parts common to all charts. */
export interface ChartInk {
  readonly text: string
  readonly faint: string
  readonly line: string
  readonly surface: string
  /** Colour of marks across the curves. */
  readonly mark: string
}

/** Base option of a chart: no animation, font of the page. */
export const toChartBase = (ink: ChartInk) => ({
  animation: false,
  textStyle: { color: ink.text, fontFamily: 'inherit' },
})

/** A time axis over a span, Unix ms. */
export const toTimeAxis = (ink: ChartInk, span: { readonly from: number; readonly to: number }) => ({
  type: 'time' as const,
  min: span.from,
  max: span.to,
  axisLine: { lineStyle: { color: ink.line } },
  axisLabel: { color: ink.faint, hideOverlap: true },
})

/** A value axis with few grid lines. */
export const toValueAxis = (ink: ChartInk) => ({
  type: 'value' as const,
  nameTextStyle: { color: ink.faint },
  splitNumber: 3,
  axisLabel: { color: ink.faint },
  splitLine: { lineStyle: { color: ink.line, opacity: 0.6 } },
})

/** An invisible axis from 0 to 1, for marks without a value. */
export const toUnseenAxis = (gridIndex: number) => ({
  type: 'value' as const,
  gridIndex,
  min: 0,
  max: 1,
  show: false,
})

/** A dashed vertical line with a label above. */
export interface Mark {
  readonly at: number
  /** Label; absent for a line without one. */
  readonly text?: string
  readonly align?: 'left' | 'center' | 'right'
}

/**
 * Vertical lines, drawn as a curve on an invisible axis that goes up and down at each instant. The library's own component
 * for marks would add 6 kB.
 */
export const toMarkSeries = (ink: ChartInk, marks: readonly Mark[]) => ({
  type: 'line' as const,
  name: '',
  silent: true,
  z: 5,
  lineStyle: { color: ink.mark, type: 'dashed' as const, width: 1 },
  // A label belongs to a symbol, so each mark has an invisible symbol.
  symbol: 'circle',
  symbolSize: 0,
  showAllSymbol: true,
  emphasis: { disabled: true },
  data: marks.flatMap(({ at, text, align = 'center' as const }) => [
    { value: [at, 0] },
    {
      value: [at, 1],
      label: {
        show: text !== undefined,
        formatter: text ?? '',
        align,
        color: ink.mark,
        fontSize: 11,
        position: 'top' as const,
      },
    },
    { value: [at, null] },
  ]),
})
