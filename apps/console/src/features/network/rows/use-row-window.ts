import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { type Extent, placeAt, type ScrollPlace, scrollFrom, toContentPx } from './scroll-scale.ts'

/** Rows rendered above and below the view, so that a fast scroll shows no gap. */
const OVERSCAN = 10

/** The rendered rows, from `first` to before `last`, at the offset `basePx`. */
export interface RowWindow {
  readonly first: number
  readonly last: number
  readonly basePx: number
  readonly contentPx: number
  readonly onScroll: () => void
  /** Scrolls a row into view: by the smallest distance, or to the middle. */
  readonly showRow: (row: number, align?: 'nearest' | 'center') => void
  /** Rows that fit completely into the view. */
  readonly pageRows: number
}

const START: ScrollPlace = { topPx: 0, virtualPx: 0 }

function toWindow(place: ScrollPlace, { viewPx }: Extent, count: number, rowPx: number) {
  const rowsInView = Math.ceil(viewPx / rowPx) + 1
  const start = Math.max(0, Math.min(Math.floor(place.virtualPx / rowPx), count - rowsInView))
  const first = Math.max(0, start - OVERSCAN)
  const last = Math.min(count, start + rowsInView + OVERSCAN)
  return { first, last, basePx: place.topPx - place.virtualPx + first * rowPx }
}

/** The rows to render of `count` rows of height `rowPx` in a scrolling element. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  rowPx: number,
): RowWindow {
  const [viewPx, setViewPx] = useState(0)
  const [window, setWindow] = useState({ first: 0, last: 0, basePx: 0 })
  const place = useRef(START)
  const extent: Extent = { totalPx: count * rowPx, viewPx }

  const settle = (next: ScrollPlace): void => {
    const element = scroller.current
    if (element && Math.abs(element.scrollTop - next.topPx) >= 1) element.scrollTop = next.topPx
    place.current = element ? { ...next, topPx: element.scrollTop } : next
    const now = toWindow(place.current, extent, count, rowPx)
    setWindow((before) =>
      before.first === now.first && before.last === now.last && before.basePx === now.basePx ? before : now,
    )
  }
  const latest = useRef(settle)
  latest.current = settle

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    setViewPx(element.clientHeight)
    const observer = new ResizeObserver(() => setViewPx(element.clientHeight))
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])

  // The first visible row stays in place; the thumb moves to its position in the new length.
  useLayoutEffect(() => {
    latest.current(placeAt({ totalPx: count * rowPx, viewPx }, place.current.virtualPx))
  }, [count, rowPx, viewPx])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element) latest.current(scrollFrom(extentRef.current, place.current, element.scrollTop))
  }, [scroller])
  const extentRef = useRef(extent)
  extentRef.current = extent

  const showRow = (row: number, align: 'nearest' | 'center' = 'nearest'): void => {
    const top = row * rowPx
    const { virtualPx } = place.current
    const isAbove = top < virtualPx
    if (!isAbove && top + rowPx <= virtualPx + viewPx) return
    const nearest = isAbove ? top : top + rowPx - viewPx
    settle(placeAt(extent, align === 'center' ? top - (viewPx - rowPx) / 2 : nearest))
  }

  return {
    ...window,
    first: Math.min(window.first, count),
    last: Math.min(Math.max(window.last, window.first), count),
    contentPx: toContentPx(extent),
    onScroll,
    showRow,
    pageRows: Math.max(1, Math.floor(viewPx / rowPx)),
  }
}
