import { z } from 'zod'

/** The part of the chart library's zoom state we read; positions in %, values in Unix ms. */
const zoomState = z
  .array(z.object({ start: z.number(), end: z.number(), startValue: z.number(), endValue: z.number() }))
  .min(1)

/** The span a chart is zoomed to, Unix ms; undefined when it shows everything. */
export function readZoom(state: unknown): { readonly from: number; readonly to: number } | undefined {
  const [zoom] = zoomState.safeParse(state).data ?? []
  if (!zoom || (zoom.start <= 0 && zoom.end >= 100)) return undefined
  return { from: zoom.startValue, to: zoom.endValue }
}
