import { isAlive } from '@isotherm/engines/process-life'

// npm passes on the Ctrl-C that the terminal has already sent us: that is one wish, not two.
const sameWishMs = 500
const parentCheckMs = 1_000

export interface EndWishes {
  /** The first wish to end. */
  readonly onEnd: () => void
  /** A second one: at once, whatever is lost. */
  readonly onEndNow: () => void
}

/** Listens for Ctrl-C, SIGTERM, a closed terminal and, below npm, for its end: npm killed outright tells nobody. */
export function listenForEnd({ onEnd, onEndNow }: EndWishes): void {
  let firstMs: number | undefined
  const wish = () => {
    const nowMs = performance.now()
    if (firstMs === undefined) {
      firstMs = nowMs
      onEnd()
    } else if (nowMs - firstMs > sameWishMs) onEndNow()
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, wish)
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (firstMs === undefined && (process.ppid !== parent || !isAlive(parent))) wish()
  }, parentCheckMs).unref()
}
