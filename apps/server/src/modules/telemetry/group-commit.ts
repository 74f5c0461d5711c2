import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { ReadingMessage } from './sample.ts'
import { type ReadingStore, toMessageKey } from './store.ts'

export interface GroupCommitOptions {
  readonly store: Pick<ReadingStore, 'insert' | 'findStored'>
  readonly clock: Clock
  readonly log: Log
  /** Called with the messages of each commit once they are durable, before they are acknowledged. */
  readonly committed: (
    messages: readonly ReadingMessage[],
    commit: { rows: number; durationMs: number },
  ) => void
  readonly limits?: Partial<GroupCommitLimits>
}

export interface GroupCommitLimits {
  /** Rows of one insert; a single message may exceed it. */
  readonly batchRows: number
  /** Shortest time from the beginning of one insert to that of the next, ms: few big parts, not many small. */
  readonly intervalMs: number
  /** Rows that may wait; above it nothing more is taken. */
  readonly backlogRows: number
  /** First and longest pause after a failed insert, ms. */
  readonly retryMs: readonly [number, number]
}

const defaults: GroupCommitLimits = {
  batchRows: 100_000,
  intervalMs: 40,
  backlogRows: 400_000,
  retryMs: [200, 5_000],
}

/** The message could not be taken now; its node keeps it and sends it again. */
export class BacklogFullError extends Error {
  constructor() {
    super('the backlog of readings is full')
    this.name = 'BacklogFullError'
  }
}

interface Waiting {
  readonly message: ReadingMessage
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * Writes messages to the store in groups: while one insert runs, the next group gathers. A message resolves
 * once it is durable. An insert that failed may have been stored all the same (the connection broke after
 * it), so it is never repeated blindly: the store is asked which messages it has, and only the others go again.
 */
export interface GroupCommit {
  add(message: ReadingMessage): Promise<void>
  backlogRows(): number
  /** Whether the store took the last insert. */
  isHealthy(): boolean
  /** Takes nothing more and waits up to `graceMs` for what was taken. */
  close(graceMs: number): Promise<void>
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { store, clock, log } = options
  const limits = { ...defaults, ...options.limits }
  let waiting: Waiting[] = []
  let backlog = 0
  let running: Promise<void> | undefined
  let healthy = true
  let closed = false
  let given = false

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      clock.setTimeout(resolve, ms)
    })

  function takeBatch(): Waiting[] {
    let rows = 0
    const end = waiting.findIndex(({ message }) => {
      rows += message.rows
      return rows > limits.batchRows
    })
    return waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end))
  }

  async function withoutStored(messages: readonly ReadingMessage[]): Promise<readonly ReadingMessage[]> {
    const stored = await store.findStored(messages)
    return messages.filter((message) => !stored.has(toMessageKey(message)))
  }

  async function storeAll(messages: readonly ReadingMessage[]): Promise<void> {
    let missing = messages
    let isUncertain = false
    for (let delay = limits.retryMs[0]; ; delay = Math.min(delay * 2, limits.retryMs[1])) {
      try {
        if (isUncertain) missing = await withoutStored(missing)
        isUncertain = true
        if (missing.length > 0) await store.insert(missing)
        healthy = true
        return
      } catch (error) {
        if (healthy) log.error({ err: error, messages: missing.length }, 'cannot store readings, retrying')
        healthy = false
        if (given) throw error
        await pause(delay)
      }
    }
  }

  async function commit(batch: readonly Waiting[]): Promise<void> {
    const startedAt = clock.now()
    const messages = batch.map(({ message }) => message)
    const rows = messages.reduce((sum, message) => sum + message.rows, 0)
    try {
      await storeAll(messages)
      options.committed(messages, { rows, durationMs: clock.now() - startedAt })
      for (const { resolve } of batch) resolve()
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      for (const { reject } of batch) reject(cause)
    } finally {
      backlog -= rows
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const startedAt = clock.now()
      await commit(takeBatch())
      const rest = limits.intervalMs - (clock.now() - startedAt)
      if (rest > 0 && !closed) await pause(rest)
    }
    running = undefined
  }

  return {
    add(message) {
      if (closed || backlog >= limits.backlogRows) return Promise.reject(new BacklogFullError())
      backlog += message.rows
      const durable = new Promise<void>((resolve, reject) => {
        waiting.push({ message, resolve, reject })
      })
      // A turn later, so that what arrived in the same chunk goes into the same insert.
      running ??= Promise.resolve().then(run)
      return durable
    },
    backlogRows: () => backlog,
    isHealthy: () => healthy,
    async close(graceMs) {
      closed = true
      const grace = clock.setTimeout(() => {
        given = true
        const late = waiting
        waiting = []
        for (const { reject, message } of late) {
          backlog -= message.rows
          reject(new BacklogFullError())
        }
      }, graceMs)
      await running
      grace.cancel()
    },
  }
}
