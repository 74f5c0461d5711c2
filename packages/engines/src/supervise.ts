import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE_MS } from '@isotherm/kernel/durations'

/** What is kept alive: an engine or any process of ours. */
export interface Running {
  /** Resolves when it has ended, whatever the reason. */
  readonly exited: Promise<number | null>
  stop(): Promise<void>
}

export interface SuperviseOptions<T extends Running> {
  readonly name: string
  /** Starts it again from nothing; a rejection counts as an exit. */
  readonly start: () => Promise<T>
  /** The first one, already started. */
  readonly first: T
  /** Each unexpected end or failed start, with the time until the next start in ms. */
  readonly onExit?: (name: string, reason: string, restartInMs: number) => void
  readonly onRestart?: (name: string, running: T) => void
  /** Too many ends in a short time: it stays down. */
  readonly onGiveUp: (error: Error) => void
  readonly policy?: RestartPolicy
}

export interface RestartPolicy {
  readonly firstDelayMs: number
  readonly maxDelayMs: number
  /** Ends within this time count together. */
  readonly windowMs: number
  /** As many ends within the window are one too many. */
  readonly maxExits: number
}

export const defaultRestartPolicy: RestartPolicy = {
  firstDelayMs: 100,
  maxDelayMs: 5_000,
  windowMs: MINUTE_MS,
  maxExits: 8,
}

/**
 * Decides after an end at which time to start again: at once after a long life, later and later within the
 * window. Times in ms on any one clock, the ends in order, the newest last.
 */
export function planRestart(
  policy: RestartPolicy,
  endsMs: readonly number[],
): { readonly kind: 'restart'; readonly delayMs: number } | { readonly kind: 'give-up' } {
  const newest = endsMs.at(-1) ?? 0
  const recent = endsMs.filter((end) => newest - end < policy.windowMs).length
  if (recent >= policy.maxExits) return { kind: 'give-up' }
  return { kind: 'restart', delayMs: Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (recent - 1)) }
}

export interface Supervised<T extends Running> {
  /** The one running now, or the last one. */
  current(): T
  /** Ends it for good. */
  stop(): Promise<void>
}

/** Keeps a process alive until stop. */
export function supervise<T extends Running>(options: SuperviseOptions<T>): Supervised<T> {
  const policy = options.policy ?? defaultRestartPolicy
  const ends: number[] = []
  const stopping = new AbortController()
  let current = options.first

  /** Starts until it holds; undefined when stopped or given up. */
  const startAgain = async (code: number | null): Promise<T | undefined> => {
    let reason = code === null ? 'killed' : `exit code ${code}`
    for (;;) {
      ends.push(performance.now())
      const plan = planRestart(policy, ends)
      if (plan.kind === 'give-up') {
        options.onGiveUp(
          new Error(`${options.name} ended ${policy.maxExits} times in a short time, last: ${reason}`),
        )
        return undefined
      }
      options.onExit?.(options.name, reason, plan.delayMs)
      await delay(plan.delayMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return undefined
      try {
        return await options.start()
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
      }
    }
  }

  const watch = async () => {
    while (!stopping.signal.aborted) {
      const code = await current.exited
      if (stopping.signal.aborted) return
      const next = await startAgain(code)
      if (!next) return
      current = next
      if (!stopping.signal.aborted) options.onRestart?.(options.name, next)
    }
  }
  const watching = watch()

  return {
    current: () => current,
    async stop() {
      stopping.abort()
      await current.stop()
      await watching
      // One that was just starting while we stopped.
      await current.stop()
    },
  }
}
