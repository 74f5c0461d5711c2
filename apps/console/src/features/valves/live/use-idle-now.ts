import { useEffect, useRef, useState } from 'react'
import { useNow } from '../../../shared/format/use-now.ts'

/** The page is idle after this time without scrolling, ms. */
const IDLE_AFTER_MS = 300
/** Longest time that the instant is frozen, ms. */
const MAX_FROZEN_MS = 10_000

/** The current instant, Unix ms; while the page scrolls, the frozen one, unless it is too old. */
export const freezeWhileScrolling = (frozenMs: number, nowMs: number, isScrolling: boolean): number =>
  isScrolling && nowMs - frozenMs < MAX_FROZEN_MS ? frozenMs : nowMs

/**
 * The server's current instant from `useNow`, frozen while the page scrolls. So expensive updates do not run during a
 * scroll, and rows do not move under the reader.
 */
export function useIdleNow(stepS: number): number {
  const now = useNow(stepS)
  const scrolledAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const leaving = new AbortController()
    const note = () => {
      scrolledAt.current = performance.now()
    }
    document.addEventListener('scroll', note, { capture: true, passive: true, signal: leaving.signal })
    return () => leaving.abort()
  }, [])
  const [frozen, setFrozen] = useState(now)
  const shown = freezeWhileScrolling(frozen, now, performance.now() - scrolledAt.current < IDLE_AFTER_MS)
  if (shown !== frozen) setFrozen(shown)
  return shown
}
