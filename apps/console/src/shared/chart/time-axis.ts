/** A stretch of time, Unix ms. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Where the time axis lies: the chart's width and the room beside the axis, px. */
export interface AxisRoom {
  readonly leftPx: number
  readonly rightPx: number
  readonly widthPx: number
}

/** How long the time axis is, px. */
export const toLengthPx = ({ leftPx, rightPx, widthPx }: AxisRoom): number =>
  Math.max(1, widthPx - leftPx - rightPx)

/** Where an instant stands in the chart, px from its left edge; one beside the axis at its end. */
export function toPlacePx({ from, to }: Span, at: number, axis: AxisRoom): number {
  const share = (at - from) / Math.max(1, to - from)
  return axis.leftPx + Math.min(1, Math.max(0, share)) * toLengthPx(axis)
}

/** The instant below a place in the chart, px from its left edge. */
export function toInstant(span: Span, xPx: number, axis: AxisRoom): number {
  const share = (xPx - axis.leftPx) / toLengthPx(axis)
  return span.from + Math.min(1, Math.max(0, share)) * (span.to - span.from)
}
