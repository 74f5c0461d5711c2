import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { bisect, type RejectedItem } from '../../../platform/tasks/bisect.ts'
import { toMessageKey } from '../messages/message-key.ts'
import type { ReadingMessage, Sample } from '../messages/sample.ts'
import { isRefusedRows } from './refused-rows.ts'

export interface RetryingStoreOptions {
  /** Stores the rows of all messages, or none and rejects; see insertMessages. */
  readonly insert: (messages: readonly ReadingMessage[], attempt: string) => Promise<void>
  /** Finds the messages that a failed insert stored completely; see findStoredMessages. */
  readonly findStored: (messages: readonly ReadingMessage[], attempt: string) => Promise<ReadonlySet<string>>
  readonly clock: Clock
  readonly log: Log
  /** First and longest pause after a failure, ms. */
  readonly retryMs: readonly [number, number]
}

/**
 * Stores messages, and retries while the store is away. A failed insert may have stored its rows anyway, for example if
 * the connection broke after it. So a retry first asks which messages are stored and inserts only the others. Rows that
 * the store refuses because of their content are separated; the rest is stored.
 */
export interface RetryingStore {
  /**
   * Resolves after everything that can be stored is durable. Returns, for each message that is not stored completely,
   * its stored part. Rejects only after `giveUp`.
   */
  store(messages: readonly ReadingMessage[]): Promise<ReadonlyMap<ReadingMessage, ReadingMessage>>
  /** Retries `work` until it succeeds. Rejects with RefusedRowsError, and with other errors only after `giveUp`. */
  repeat(work: () => Promise<void>): Promise<void>
  /** Whether the last operation on the store succeeded. */
  isHealthy(): boolean
  /** Makes every later failure final, and retries the waiting operations once more. */
  giveUp(): void
}

const countRows = (samples: readonly Sample[]): number =>
  samples.reduce((sum, { values }) => sum + values.length, 0)

const toPart = (message: ReadingMessage, samples: readonly Sample[]): ReadingMessage => ({
  ...message,
  samples,
  rows: countRows(samples),
  isPart: true,
})

export function createRetryingStore(options: RetryingStoreOptions): RetryingStore {
  const { clock, log, retryMs } = options
  let healthy = true
  let isGivenUp = false
  /** Functions that end the current pauses. */
  const pauses = new Set<() => void>()

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const end = (): void => {
        timer.cancel()
        pauses.delete(end)
        resolve()
      }
      const timer = clock.setTimeout(end, ms)
      pauses.add(end)
    })

  async function repeat(work: () => Promise<void>): Promise<void> {
    const [first, longest] = retryMs
    for (let delay = first; ; delay = Math.min(delay * 2, longest)) {
      try {
        await work()
        healthy = true
        return
      } catch (error) {
        if (isRefusedRows(error)) {
          healthy = true
          throw error
        }
        if (healthy) log.error({ err: error }, 'cannot store readings, retrying')
        healthy = false
        if (isGivenUp) throw error
        await pause(delay)
      }
    }
  }

  /** Creates an insert for one group. It never stores a message twice. */
  function createInsert(): (messages: readonly ReadingMessage[]) => Promise<void> {
    let unsure: string | undefined
    async function insert(messages: readonly ReadingMessage[]): Promise<void> {
      const stored = unsure === undefined ? undefined : await options.findStored(messages, unsure)
      const missing = stored ? messages.filter((message) => !stored.has(toMessageKey(message))) : messages
      if (missing.length === 0) return
      const attempt = randomUUID()
      try {
        await options.insert(missing, attempt)
      } catch (error) {
        if (!isRefusedRows(error)) unsure = attempt
        throw error
      }
    }
    return (messages) => repeat(() => insert(messages))
  }

  return {
    async store(messages) {
      const insert = createInsert()
      const storedParts = new Map<ReadingMessage, ReadingMessage>()
      const refused: RejectedItem<Sample>[] = []
      for (const { item: message } of await bisect(messages, insert, isRefusedRows)) {
        const insertPart = (samples: readonly Sample[]) => insert([toPart(message, samples)])
        const found = await bisect(message.samples, insertPart, isRefusedRows)
        if (found.length === 0) continue
        const unfit = new Set(found.map(({ item }) => item))
        const fit = message.samples.filter((sample) => !unfit.has(sample))
        storedParts.set(message, toPart(message, fit))
        refused.push(...found)
      }
      // One log entry for all: if the table is the cause, there are thousands.
      const [first] = refused
      if (first) {
        const which = {
          samples: refused.length,
          messages: storedParts.size,
          device: first.item.device.serial,
        }
        log.error({ err: first.error, ...which }, 'the store refuses readings because of their content')
      }
      return storedParts
    },
    repeat,
    isHealthy: () => healthy,
    giveUp() {
      isGivenUp = true
      for (const end of pauses) end()
    },
  }
}
