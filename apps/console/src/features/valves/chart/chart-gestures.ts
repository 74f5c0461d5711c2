import { type Span, toInstant } from '../../../shared/chart/time-axis.ts'
import { moveSpan, zoomAround } from './chart-zoom.ts'

/** One notch of a wheel shows so much less or more. */
const NOTCH = 1.25

export interface GestureTarget {
  readonly box: HTMLElement
  /** Room left and right of the time axis, px. */
  readonly leftPx: number
  readonly rightPx: number
  /** What is shown now and what may be shown at most. */
  readonly span: () => Span
  readonly whole: () => Span
  readonly onChange: (span: Span) => void
}

const distance = ([a, b]: readonly Touch[]): number => (a && b ? Math.abs(a.clientX - b.clientX) : 0)

/** Ctrl and wheel zoom, Shift and drag move, two fingers pinch. Returns what takes the listeners away. */
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
  let apart = 0
  const touch = (event: TouchEvent) => {
    apart = distance([...event.touches])
  }
  const pinch = (event: TouchEvent) => {
    const [first, second] = event.touches
    const now = distance([...event.touches])
    if (!first || !second || apart === 0 || now === 0) return
    event.preventDefault()
    zoom((first.clientX + second.clientX) / 2, apart / now)
    apart = now
  }
  box.addEventListener('wheel', turn, { passive: false, signal })
  box.addEventListener('pointermove', drag, { signal })
  box.addEventListener('touchstart', touch, { passive: true, signal })
  box.addEventListener('touchmove', pinch, { passive: false, signal })
  return () => stop.abort()
}
