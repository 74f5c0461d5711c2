import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'

/** One thing to close, in its turn. */
export interface ShutdownStep {
  readonly name: string
  close(): Promise<unknown>
}

const STEP_LIMIT_MS = 1_500

/**
 * Closes what runs, one step after the other. A step that fails or takes over 1.5 s is logged and passed over,
 * so that the rest is still closed in good order.
 */
export async function closeInOrder(steps: readonly ShutdownStep[], clock: Clock, log: Log): Promise<void> {
  for (const { name, close } of steps) {
    const limit = Promise.withResolvers<'late'>()
    const timer = clock.setTimeout(() => limit.resolve('late'), STEP_LIMIT_MS)
    try {
      const outcome = await Promise.race([close(), limit.promise])
      if (outcome === 'late') log.warn({ step: name }, 'did not close in time')
    } catch (error) {
      log.error({ err: error, step: name }, 'did not close well')
    } finally {
      timer.cancel()
    }
  }
}

/** What tells a process to end. */
export interface EndingProcess {
  once(event: 'SIGTERM' | 'SIGINT' | 'disconnect', heard: () => void): unknown
}

/** Calls `end` once when the process is told to stop or its parent is gone. */
export function onTermination(source: EndingProcess, end: (reason: string) => void): void {
  let ended = false
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) {
    source.once(event, () => {
      if (ended) return
      ended = true
      end(event)
    })
  }
}
