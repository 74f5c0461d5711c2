import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'

/** One step of the shutdown. */
export interface ShutdownStep {
  readonly name: string
  close(): Promise<unknown>
}

const STEP_LIMIT_MS = 1_500

/** Runs the shutdown steps in order. A step that fails or takes longer than 1.5 s is logged and skipped. */
export async function closeInOrder(steps: readonly ShutdownStep[], clock: Clock, log: Log): Promise<void> {
  for (const { name, close } of steps) {
    const limit = Promise.withResolvers<'late'>()
    const timer = clock.setTimeout(() => limit.resolve('late'), STEP_LIMIT_MS)
    try {
      const outcome = await Promise.race([close(), limit.promise])
      if (outcome === 'late') log.warn({ step: name }, 'did not close in time')
    } catch (error) {
      log.error({ err: error, step: name }, 'failed to close')
    } finally {
      timer.cancel()
    }
  }
}

/** Source of the events that end a process. */
export interface EndingProcess {
  once(event: 'SIGTERM' | 'SIGINT' | 'disconnect', listener: () => void): unknown
  /** False if the parent is already gone; absent without a parent to watch. */
  readonly connected?: boolean
}

/** Calls `end` once when the process receives a termination signal or loses its parent. */
export function onTermination(source: EndingProcess, end: (reason: string) => void): void {
  let ended = false
  const endOnce = (reason: string): void => {
    if (ended) return
    ended = true
    end(reason)
  }
  for (const event of ['SIGTERM', 'SIGINT', 'disconnect'] as const) source.once(event, () => endOnce(event))
  // A parent that was killed while this process loaded its modules sent its event before anybody listened.
  if (source.connected === false) endOnce('disconnect')
}
