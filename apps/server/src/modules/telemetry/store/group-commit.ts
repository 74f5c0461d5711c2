import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { ReadingMessage } from '../messages/sample.ts'
import { BacklogFullError } from './backlog-full.ts'
import type { ReadingStore } from './reading-store.ts'
import { isRefusedRows } from './refused-rows.ts'
import { createSteadyStore } from './retrying-store.ts'

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

/** Messages of up to 64 KiB that are on their way to another place at once. */
const APART_AT_ONCE = 100

interface Waiting {
  readonly message: ReadingMessage
  readonly setApart: () => Promise<void>
  readonly resolve: (rows: number) => void
  readonly reject: (error: Error) => void
}

const countRows = (messages: readonly ReadingMessage[]): number =>
  messages.reduce((sum, { rows }) => sum + rows, 0)

/**
 * Writes messages to the store in groups: while one insert runs, the next group gathers. A message resolves
 * once it is durable.
 */
export interface GroupCommit {
  /**
   * Resolves with how many rows are stored: all of the message's but for those the store refuses for what they hold.
   * When there are such, `setApart` has kept the message elsewhere before; it is called until it resolves.
   */
  add(message: ReadingMessage, setApart: () => Promise<void>): Promise<number>
  /** Whether nothing is taken now. */
  isFull(): boolean
  backlogRows(): number
  /** Whether the store took the last insert. */
  isHealthy(): boolean
  /** Takes nothing more and waits up to `graceMs` for what was taken. */
  close(graceMs: number): Promise<void>
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { clock, log } = options
  const limits = { ...defaults, ...options.limits }
  let waiting: Waiting[] = []
  let backlog = 0
  let startedAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined
  const running = new Set<Promise<void>>()
  let closed = false
  const steady = createSteadyStore({ store: options.store, clock, log, retryMs: limits.retryMs })

  const isFull = (): boolean => closed || backlog >= limits.backlogRows

  function takeBatch(): Waiting[] {
    let rows = 0
    const end = waiting.findIndex(({ message }) => {
      rows += message.rows
      return rows > limits.batchRows
    })
    return waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end))
  }

  /** Keeps elsewhere what the store refused some of; answers those that could not be, as nobody takes them. */
  async function setApart(refused: readonly Waiting[]): Promise<ReadonlyMap<Waiting, Error>> {
    const failed = new Map<Waiting, Error>()
    for (let start = 0; start < refused.length; start += APART_AT_ONCE) {
      const some = refused.slice(start, start + APART_AT_ONCE).map(async (one) => {
        try {
          await steady.repeat(one.setApart)
        } catch (error) {
          if (!isRefusedRows(error)) throw error
          failed.set(one, error)
        }
      })
      await Promise.all(some)
    }
    return failed
  }

  async function commit(batch: readonly Waiting[]): Promise<void> {
    const beganAt = clock.now()
    try {
      const kept = await steady.store(batch.map(({ message }) => message))
      const failed = await setApart(batch.filter(({ message }) => kept.has(message)))
      const taken = batch.filter((one) => !failed.has(one))
      const stored = taken.map(({ message }) => kept.get(message) ?? message)
      const messages = stored.filter(({ rows }) => rows > 0)
      options.committed(messages, { rows: countRows(messages), durationMs: clock.now() - beganAt })
      for (const [index, { resolve }] of taken.entries()) resolve(stored[index]?.rows ?? 0)
      for (const [{ reject }, error] of failed) reject(error)
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      for (const { reject } of batch) reject(cause)
    } finally {
      backlog -= countRows(batch.map(({ message }) => message))
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
    add(message, setApart) {
      if (isFull()) return Promise.reject(new BacklogFullError())
      backlog += message.rows
      const durable = new Promise<number>((resolve, reject) => {
        waiting.push({ message, setApart, resolve, reject })
      })
      schedule()
      return durable
    },
    isFull,
    backlogRows: () => backlog,
    isHealthy: steady.isHealthy,
    async close(graceMs) {
      closed = true
      const grace = clock.setTimeout(() => {
        steady.giveUp()
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
