import { useEffect, useRef, useState } from 'react'
import { useNow } from '../../../shared/format/use-now.ts'

/** So long after the last movement the page is at rest again, ms. */
const REST_MS = 300
/** What is shown does not get older than this, however long somebody scrolls, ms. */
const MOST_HELD_MS = 10_000

/** An instant that goes on, Unix ms; while the page moves it stays the one that is held, unless that has become old. */
export const holdWhileMoving = (heldMs: number, nowMs: number, isMoving: boolean): number =>
  isMoving && nowMs - heldMs < MOST_HELD_MS ? heldMs : nowMs

/**
 * The server's present instant as `useNow` has it, held while something on the page is scrolled: what takes longer than
 * a frame is not done anew then, and rows do not change places under the reader.
 */
export function useNowAtRest(stepS: number): number {
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
  const [held, setHeld] = useState(now)
  const taken = holdWhileMoving(held, now, performance.now() - scrolledAt.current < REST_MS)
  if (taken !== held) setHeld(taken)
  return taken
}
