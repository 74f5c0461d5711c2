import { getHeapStatistics } from 'node:v8'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { ReadingMessage } from '../messages/sample.ts'
import { BacklogFullError } from './backlog-full.ts'
import { isRefusedRows } from './refused-rows.ts'
import { createRetryingStore, type RetryingStoreOptions } from './retrying-store.ts'

export interface GroupCommitOptions extends Pick<RetryingStoreOptions, 'insert' | 'findStored'> {
  readonly clock: Clock
  readonly log: Log
  /** Called with the messages of each commit after they are durable and before they are acknowledged. */
  readonly committed: (
    messages: readonly ReadingMessage[],
    commit: { rows: number; durationMs: number },
  ) => void
  readonly limits?: Partial<GroupCommitLimits>
  /**
   * Number of servers that insert into the same tables; default 1. Each begins inserts that much less often, so that all
   * together make as many parts as one.
   */
  readonly countWriters?: () => number
}

export interface GroupCommitLimits {
  /** Greatest number of rows in one insert; a single message may exceed it. */
  readonly batchRows: number
  /**
   * Shortest time between the starts of two inserts, ms. A few big parts are better for the engine than many small
   * ones.
   */
  readonly intervalMs: number
  /**
   * Inserts that run at the same time. With two, a message does not wait for the end of an insert that it just missed.
   */
  readonly parallel: number
  /** Rows that may wait. If there are more, no message is accepted. */
  readonly backlogRows: number
  /** The same for the memory of what waits, bytes as `toBytes` estimates them. */
  readonly backlogBytes: number
  /** First and longest pause after a failed insert, ms. */
  readonly retryMs: readonly [number, number]
}

const defaults: GroupCommitLimits = {
  batchRows: 100_000,
  intervalMs: 40,
  parallel: 2,
  backlogRows: 400_000,
  // The rest is for the directory, for the batches that are being sent, and for calls.
  backlogBytes: getHeapStatistics().heap_size_limit / 4,
  retryMs: [200, 5_000],
}

/** Messages, up to 64 KiB each, that are quarantined at the same time. */
const QUARANTINED_AT_ONCE = 100

interface Waiting {
  readonly message: ReadingMessage
  readonly quarantine: () => Promise<void>
  readonly resolve: (rows: number) => void
  readonly reject: (error: Error) => void
}

/**
 * Heap of a message that waits and of each of its rows, bytes: measured at 154,000 messages with one value and at 400,000 values in
 * messages of 200.
 */
const MESSAGE_BYTES = 4_500
const ROW_BYTES = 300

const toBytes = (rows: number): number => MESSAGE_BYTES + ROW_BYTES * rows

const countRows = (messages: readonly ReadingMessage[]): number =>
  messages.reduce((sum, { rows }) => sum + rows, 0)

/** Writes messages to the store in groups: while one insert runs, the next group fills. */
export interface GroupCommit {
  /**
   * Resolves with the number of stored rows after they are durable. If the store refuses rows because of their content,
   * the others are stored and `quarantine` is called until it resolves.
   */
  add(message: ReadingMessage, quarantine: () => Promise<void>): Promise<number>
  /**
   * Waits with a repeated message until the first one is done. It takes its part of the backlog as well: a gateway that
   * connects again and again repeats all that it has.
   */
  waitFor(first: Promise<unknown>): Promise<void>
  /** Whether no message is accepted now. */
  isFull(): boolean
  backlogRows(): number
  /** Arrival of the message that has been waiting longest, Unix ms; undefined if none waits. */
  oldestReceived(): number | undefined
  /** Whether the last insert succeeded. */
  isHealthy(): boolean
  /** Accepts no more messages, and waits up to `graceMs` until the accepted ones are stored. */
  close(graceMs: number): Promise<void>
}

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { clock, countWriters = () => 1 } = options
  const limits = { ...defaults, ...options.limits }
  let waiting: Waiting[] = []
  let backlog = 0
  let bytes = 0
  /** Accepted messages that are not durable yet, in the order of their arrival. */
  const pending = new Set<ReadingMessage>()
  let startedAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined
  const running = new Set<Promise<void>>()
  let closed = false
  const retrying = createRetryingStore({ ...options, retryMs: limits.retryMs })

  const isFull = (): boolean => closed || backlog >= limits.backlogRows || bytes >= limits.backlogBytes

  function enter({ rows }: ReadingMessage): void {
    backlog += rows
    bytes += toBytes(rows)
  }

  function leave({ rows }: ReadingMessage): void {
    backlog -= rows
    bytes -= toBytes(rows)
  }

  function takeBatch(): Waiting[] {
    let rows = 0
    const end = waiting.findIndex(({ message }) => {
      rows += message.rows
      return rows > limits.batchRows
    })
    return waiting.splice(0, end === -1 ? waiting.length : Math.max(1, end))
  }

  /**
   * Quarantines messages that the store refused in part. Returns those that the quarantine refuses as well, with the
   * error.
   */
  async function quarantine(refused: readonly Waiting[]): Promise<ReadonlyMap<Waiting, Error>> {
    const failed = new Map<Waiting, Error>()
    for (let start = 0; start < refused.length; start += QUARANTINED_AT_ONCE) {
      const some = refused.slice(start, start + QUARANTINED_AT_ONCE).map(async (one) => {
        try {
          await retrying.repeat(one.quarantine)
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
    const startedAt = clock.elapsed()
    try {
      const storedParts = await retrying.store(batch.map(({ message }) => message))
      const failed = await quarantine(batch.filter(({ message }) => storedParts.has(message)))
      const taken = batch.filter((one) => !failed.has(one))
      const stored = taken.map(({ message }) => storedParts.get(message) ?? message)
      const messages = stored.filter(({ rows }) => rows > 0)
      options.committed(messages, { rows: countRows(messages), durationMs: clock.elapsed() - startedAt })
      for (const [index, { resolve }] of taken.entries()) resolve(stored[index]?.rows ?? 0)
      for (const [{ reject }, error] of failed) reject(error)
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error))
      for (const { reject } of batch) reject(cause)
    } finally {
      for (const { message } of batch) {
        pending.delete(message)
        leave(message)
      }
    }
  }

  function start(): void {
    timer = undefined
    if (waiting.length === 0 || running.size >= limits.parallel) return
    startedAt = clock.elapsed()
    const run = commit(takeBatch()).finally(() => {
      running.delete(run)
      schedule()
    })
    running.add(run)
    schedule()
  }

  function schedule(): void {
    if (timer || waiting.length === 0 || running.size >= limits.parallel) return
    const delay = closed ? 0 : Math.max(0, startedAt + limits.intervalMs * countWriters() - clock.elapsed())
    timer = clock.setTimeout(start, delay)
  }

  return {
    add(message, quarantine) {
      if (isFull()) return Promise.reject(new BacklogFullError())
      enter(message)
      pending.add(message)
      const durable = new Promise<number>((resolve, reject) => {
        waiting.push({ message, quarantine, resolve, reject })
      })
      schedule()
      return durable
    },
    async waitFor(first) {
      if (isFull()) throw new BacklogFullError()
      bytes += MESSAGE_BYTES
      try {
        await first
      } finally {
        bytes -= MESSAGE_BYTES
      }
    },
    isFull,
    backlogRows: () => backlog,
    oldestReceived: () => pending.values().next().value?.received,
    isHealthy: retrying.isHealthy,
    async close(graceMs) {
      closed = true
      const grace = clock.setTimeout(() => {
        retrying.giveUp()
        const late = waiting
        waiting = []
        for (const { reject, message } of late) {
          pending.delete(message)
          leave(message)
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
