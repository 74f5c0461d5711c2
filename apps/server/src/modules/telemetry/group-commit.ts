import { randomUUID } from 'node:crypto'
import type { Clock, Timer } from '../../platform/clock.ts'
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
  /** Inserts that may run side by side: with two, a message does not wait for the end of one it just missed. */
  readonly parallel: number
  /** Rows that may wait; above it nothing more is taken. */
  readonly backlogRows: number
  /** First and longest pause after a failed insert, ms. */
  readonly retryMs: readonly [number, number]
}

const defaults: GroupCommitLimits = {
  batchRows: 100_000,
  intervalMs: 40,
  parallel: 2,
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
  /** Whether nothing is taken now. */
  isFull(): boolean
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
  let startedAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined
  const running = new Set<Promise<void>>()
  let healthy = true
  let closed = false
  let given = false

  const isFull = (): boolean => closed || backlog >= limits.backlogRows

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

  async function withoutStored(
    messages: readonly ReadingMessage[],
    attempt: string,
  ): Promise<readonly ReadingMessage[]> {
    const stored = await store.findStored(messages, attempt)
    return messages.filter((message) => !stored.has(toMessageKey(message)))
  }

  async function storeAll(messages: readonly ReadingMessage[]): Promise<void> {
    let missing = messages
    let attempt: string | undefined
    for (let delay = limits.retryMs[0]; ; delay = Math.min(delay * 2, limits.retryMs[1])) {
      try {
        if (attempt !== undefined) missing = await withoutStored(missing, attempt)
        attempt = randomUUID()
        if (missing.length > 0) await store.insert(missing, attempt)
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
    const beganAt = clock.now()
    const messages = batch.map(({ message }) => message)
    const rows = messages.reduce((sum, message) => sum + message.rows, 0)
    try {
      await storeAll(messages)
      options.committed(messages, { rows, durationMs: clock.now() - beganAt })
      for (const { resolve } of batch) resolve()
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      for (const { reject } of batch) reject(cause)
    } finally {
      backlog -= rows
    }
  }

  function start(): void {
    timer = undefined
    if (waiting.length === 0 || running.size >= limits.parallel) return
    startedAt = clock.now()
    const run = commit(takeBatch()).finally(() => {
      running.delete(run)
      schedule()
    })
    running.add(run)
    schedule()
  }

  function schedule(): void {
    if (timer || waiting.length === 0 || running.size >= limits.parallel) return
    const delay = closed ? 0 : Math.max(0, startedAt + limits.intervalMs - clock.now())
    timer = clock.setTimeout(start, delay)
  }

  return {
    add(message) {
      if (isFull()) return Promise.reject(new BacklogFullError())
      backlog += message.rows
      const durable = new Promise<void>((resolve, reject) => {
        waiting.push({ message, resolve, reject })
      })
      schedule()
      return durable
    },
    isFull,
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
      timer?.cancel()
      start()
      while (running.size > 0) await Promise.all(running)
      grace.cancel()
    },
  }
}
