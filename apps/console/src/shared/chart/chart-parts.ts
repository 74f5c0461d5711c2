/** Colours of the parts of a chart that every chart has; it does not know the theme itself. */
export interface ChartInk {
  readonly text: string
  readonly faint: string
  readonly line: string
  readonly surface: string
  /** Of what is marked across the curves. */
  readonly mark: string
}

/** What a whole chart begins with: it does not move, and writes as the page does. */
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

/** An axis of values with few lines. */
export const toValueAxis = (ink: ChartInk) => ({
  type: 'value' as const,
  nameTextStyle: { color: ink.faint },
  splitNumber: 3,
  axisLabel: { color: ink.faint },
  splitLine: { lineStyle: { color: ink.line, opacity: 0.6 } },
})

/** Dashed lines from the bottom to the top, with a word above each. */
export const toMarkLine = <Mark>(ink: ChartInk, data: readonly Mark[]) => ({
  silent: true,
  symbol: 'none',
  lineStyle: { color: ink.mark, type: 'dashed' as const, width: 1 },
  label: { color: ink.mark, fontSize: 11, position: 'end' as const },
  data,
})
