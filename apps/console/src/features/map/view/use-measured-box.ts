import { useCallback, useState } from 'react'
import type { Size } from './mercator.ts'

/** The size of an element; undefined before it exists. A hidden element keeps its last size. */
export function useMeasuredBox(): readonly [(element: HTMLElement | null) => void, Size | undefined] {
  const [size, setSize] = useState<Size>()
  const measure = useCallback((element: HTMLElement | null) => {
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      if (width > 0 && height > 0) setSize({ widthPx: Math.round(width), heightPx: Math.round(height) })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [measure, size]
}
