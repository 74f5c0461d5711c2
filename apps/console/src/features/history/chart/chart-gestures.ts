import { type Span, toInstant } from '../../../shared/chart/time-axis.ts'
import { moveSpan, zoomAround } from './chart-zoom.ts'

/** Zoom factor of one wheel notch. */
const NOTCH = 1.25

export interface GestureTarget {
  readonly box: HTMLElement
  /** Margins left and right of the time axis, px. */
  readonly leftPx: number
  readonly rightPx: number
  /** The visible span, and the largest span that may be shown. */
  readonly span: () => Span
  readonly whole: () => Span
  readonly onChange: (span: Span) => void
}

const distance = ([a, b]: readonly Touch[]): number => (a && b ? Math.abs(a.clientX - b.clientX) : 0)

/** Zooms by Ctrl + wheel and by pinching, moves by Shift + drag. Returns a function that removes the listeners. */
export function listenForZoom({ box, leftPx, rightPx, span, whole, onChange }: GestureTarget): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const axis = () => ({ leftPx, rightPx, widthPx: box.clientWidth })
  const zoom = (clientX: number, factor: number) => {
    const at = toInstant(span(), clientX - box.getBoundingClientRect().left, axis())
    onChange(zoomAround(span(), whole(), at, factor))
  }
  const turn = (event: WheelEvent) => {
    if (!event.ctrlKey) return
    event.preventDefault()
    zoom(event.clientX, event.deltaY > 0 ? NOTCH : 1 / NOTCH)
  }
  const drag = (event: PointerEvent) => {
    if (!event.shiftKey || event.buttons !== 1) return
    const { from, to } = span()
    const msPerPx = (to - from) / Math.max(1, box.clientWidth - leftPx - rightPx)
    onChange(moveSpan(span(), whole(), -event.movementX * msPerPx))
  }
  let distancePx = 0
  const touch = (event: TouchEvent) => {
    distancePx = distance([...event.touches])
  }
  const pinch = (event: TouchEvent) => {
    const [first, second] = event.touches
    const nowPx = distance([...event.touches])
    if (!first || !second || distancePx === 0 || nowPx === 0) return
    event.preventDefault()
    zoom((first.clientX + second.clientX) / 2, distancePx / nowPx)
    distancePx = nowPx
  }
  box.addEventListener('wheel', turn, { passive: false, signal })
  box.addEventListener('pointermove', drag, { signal })
  box.addEventListener('touchstart', touch, { passive: true, signal })
  box.addEventListener('touchmove', pinch, { passive: false, signal })
  return () => stop.abort()
}
