import { useCallback, useState } from 'react'

/** The width of an element, px; 0 before it is there. */
export function useMeasuredWidth(): readonly [
  (element: HTMLElement | null) => (() => void) | undefined,
  number,
] {
  const [widthPx, setWidthPx] = useState(0)
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      // A hidden tab has no width; its page uses the last one.
      if (entry && entry.contentRect.width > 0) setWidthPx(Math.floor(entry.contentRect.width))
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [measure, widthPx]
}
