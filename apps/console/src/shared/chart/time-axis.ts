/** A span of time, Unix ms. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Width of the chart and of the space beside the time axis, px. */
export interface AxisRoom {
  readonly leftPx: number
  readonly rightPx: number
  readonly widthPx: number
}

/** Length of the time axis, px. */
export const toLengthPx = ({ leftPx, rightPx, widthPx }: AxisRoom): number =>
  Math.max(1, widthPx - leftPx - rightPx)

/** Position of an instant, px from the left edge of the chart, clamped to the axis. */
export function toPlacePx({ from, to }: Span, at: number, axis: AxisRoom): number {
  const share = (at - from) / Math.max(1, to - from)
  return axis.leftPx + Math.min(1, Math.max(0, share)) * toLengthPx(axis)
}

/** Instant at a position, px from the left edge of the chart. */
export function toInstant(span: Span, xPx: number, axis: AxisRoom): number {
  const share = (xPx - axis.leftPx) / toLengthPx(axis)
  return span.from + Math.min(1, Math.max(0, share)) * (span.to - span.from)
}
