import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Span } from '../../../shared/chart/time-axis.ts'

/** Shortest visible span, ms: readings come minutes apart. */
const MIN_MS = MINUTE_MS

/** A span of the given width inside the whole, starting as near to `from` as possible. */
function place(from: number, widthMs: number, whole: Span): Span {
  const width = Math.min(Math.max(widthMs, MIN_MS), whole.to - whole.from)
  const start = Math.min(Math.max(from, whole.from), whole.to - width)
  return { from: start, to: start + width }
}

/** Makes a span `factor` times as wide, inside the whole. The instant `at` keeps its place. */
export function zoomAround(span: Span, whole: Span, at: number, factor: number): Span {
  const widthMs = (span.to - span.from) * factor
  const share = (at - span.from) / (span.to - span.from)
  return place(at - share * Math.max(widthMs, MIN_MS), widthMs, whole)
}

/** Moves a span in time, inside the whole. */
export const moveSpan = (span: Span, whole: Span, byMs: number): Span =>
  place(span.from + byMs, span.to - span.from, whole)
