import { isAlive } from '@isotherm/engines/process-life'

// npm forwards the Ctrl-C that the terminal has already sent to this process: both count as one request.
const sameRequestMs = 500
const parentCheckMs = 1_000

export interface EndWishes {
  /** First request to end. */
  readonly onEnd: () => void
  /** Second request: end immediately, without cleanup. */
  readonly onEndNow: () => void
}

/** Listens for Ctrl-C, SIGTERM, a closed terminal and, below npm, for the end of npm, which sends no signal if it is killed. */
export function listenForEnd({ onEnd, onEndNow }: EndWishes): void {
  let firstMs: number | undefined
  const request = () => {
    const nowMs = performance.now()
    if (firstMs === undefined) {
      firstMs = nowMs
      onEnd()
    } else if (nowMs - firstMs > sameRequestMs) onEndNow()
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, request)
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  setInterval(() => {
    if (firstMs === undefined && (process.ppid !== parent || !isAlive(parent))) request()
  }, parentCheckMs).unref()
}
