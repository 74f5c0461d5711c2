import { useSyncExternalStore } from 'react'
import { live } from '../live/live.ts'

const TICK_MS = 1000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    now = Date.now()
    timer = setInterval(() => {
      now = Date.now()
      for (const each of listeners) each()
    }, TICK_MS)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const read = (): number => (timer === undefined ? Date.now() : now)

/**
 * Current time of the server, Unix ms, updated every `stepS` seconds. Use it for ages and staleness, because the local
 * clock may be wrong.
 */
export function useNow(stepS = 1): number {
  const stepMs = stepS * 1000
  return useSyncExternalStore(subscribe, () => {
    const corrected = read() + live.status().clockOffsetMs
    return corrected - (corrected % stepMs)
  })
}
