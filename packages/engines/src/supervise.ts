import { setTimeout as delay } from 'node:timers/promises'
import { MINUTE_MS } from '@isotherm/kernel/durations'

/** A supervised process: an engine or another process of this product. */
export interface Running {
  /** Resolves when it has ended for any reason. */
  readonly exited: Promise<number | null>
  stop(): Promise<void>
}

export interface SuperviseOptions<T extends Running> {
  readonly name: string
  /** Starts it again; a rejection counts as an exit. */
  readonly start: () => Promise<T>
  /** The first one, already started. */
  readonly first: T
  /** Each unexpected end or failed start, with the time until the next start in ms. */
  readonly onExit?: (name: string, reason: string, restartInMs: number) => void
  readonly onRestart?: (name: string, running: T) => void
  /**
   * Why a start would be of no use now, for example a full disk. It is started when there is no reason any more; the exits
   * meanwhile do not count.
   */
  readonly findObstacle?: () => Promise<string | undefined>
  /** Called once when it waits for the end of an obstacle. */
  readonly onWait?: (name: string, obstacle: string) => void
  /** Called when it ended too often in a short time and is not started again. */
  readonly onGiveUp: (error: Error) => void
  readonly policy?: RestartPolicy
}

export interface RestartPolicy {
  readonly firstDelayMs: number
  readonly maxDelayMs: number
  /** Time window in which exits are counted. */
  readonly windowMs: number
  /** This many exits within the window are too many. */
  readonly maxExits: number
}

export const defaultRestartPolicy: RestartPolicy = {
  firstDelayMs: 100,
  maxDelayMs: 5_000,
  windowMs: MINUTE_MS,
  maxExits: 8,
}

/**
 * Decides when to start again after an exit: immediately after a long run, with growing delays within the window. Times in ms
 * of one clock; exits in order, newest last.
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
  /** The present process, or the last one. */
  current(): T
  /** Ends it without a restart. */
  stop(): Promise<void>
}

/** Keeps a process alive until stop. */
export function supervise<T extends Running>(options: SuperviseOptions<T>): Supervised<T> {
  const policy = options.policy ?? defaultRestartPolicy
  const ends: number[] = []
  const stopping = new AbortController()
  let current = options.first

  /** Resolves when nothing prevents a start: whether it had to wait. */
  const waitForObstacle = async (): Promise<boolean> => {
    for (let waits = 0; !stopping.signal.aborted; waits += 1) {
      const obstacle = await options.findObstacle?.()
      if (obstacle === undefined) return waits > 0
      if (waits === 0) options.onWait?.(options.name, obstacle)
      await delay(policy.maxDelayMs, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
    return true
  }

  /** Retries until the start succeeds; undefined if it was stopped or gave up. */
  const startAgain = async (code: number | null): Promise<T | undefined> => {
    let reason = code === null ? 'killed' : `exit code ${code}`
    for (;;) {
      if (await waitForObstacle()) ends.length = 0
      if (stopping.signal.aborted) return undefined
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
      // A process that was starting during the stop.
      await current.stop()
    },
  }
}
