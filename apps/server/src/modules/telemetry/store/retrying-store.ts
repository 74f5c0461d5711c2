import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { byHalves, type Refused } from '../../../platform/tasks/bisect.ts'
import { toMessageKey } from '../messages/message-key.ts'
import type { ReadingMessage, Sample } from '../messages/sample.ts'
import type { ReadingStore } from './reading-store.ts'
import { isRefusedRows } from './refused-rows.ts'

export interface SteadyStoreOptions {
  readonly store: Pick<ReadingStore, 'insert' | 'findStored'>
  readonly clock: Clock
  readonly log: Log
  /** First and longest pause after a failure, ms. */
  readonly retryMs: readonly [number, number]
}

/**
 * Stores messages however long the store is away. An insert that failed may have been stored all the same (the
 * connection broke after it), so it is never repeated blindly: the store is asked which messages it has, and only the
 * others go again. What the store refuses for what it holds is told from the rest, which is stored.
 */
export interface SteadyStore {
  /**
   * Resolves once all that can be stored is durable. Answers what is stored of the messages that are not stored as
   * they are; rejects only after `giveUp`.
   */
  store(messages: readonly ReadingMessage[]): Promise<ReadonlyMap<ReadingMessage, ReadingMessage>>
  /** Repeats what the store has to do until it is done. Rejects only after `giveUp`, and with RefusedRowsError. */
  repeat(work: () => Promise<void>): Promise<void>
  /** Whether the store did what it was last asked. */
  isHealthy(): boolean
  /** Lets what fails from now on fail, and tries what waits once more. */
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

export function createSteadyStore({ store, clock, log, retryMs }: SteadyStoreOptions): SteadyStore {
  let healthy = true
  let given = false
  /** Ends the pauses there are. */
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
        if (given) throw error
        await pause(delay)
      }
    }
  }

  /** Inserts for one group, so that what an insert of it may have stored is not stored again. */
  function createInsert(): (messages: readonly ReadingMessage[]) => Promise<void> {
    let unsure: string | undefined
    async function insert(messages: readonly ReadingMessage[]): Promise<void> {
      const stored = unsure === undefined ? undefined : await store.findStored(messages, unsure)
      const missing = stored ? messages.filter((message) => !stored.has(toMessageKey(message))) : messages
      if (missing.length === 0) return
      const attempt = randomUUID()
      try {
        await store.insert(missing, attempt)
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
      const kept = new Map<ReadingMessage, ReadingMessage>()
      const refused: Refused<Sample>[] = []
      for (const { item: message } of await byHalves(messages, insert, isRefusedRows)) {
        const insertPart = (samples: readonly Sample[]) => insert([toPart(message, samples)])
        const found = await byHalves(message.samples, insertPart, isRefusedRows)
        if (found.length === 0) continue
        const unfit = new Set(found.map(({ item }) => item))
        const fit = message.samples.filter((sample) => !unfit.has(sample))
        kept.set(message, toPart(message, fit))
        refused.push(...found)
      }
      // Once for all of them: when it is the table that is wrong, there are thousands.
      const [first] = refused
      if (first) {
        const which = { samples: refused.length, messages: kept.size, device: first.item.device.serial }
        log.error({ err: first.error, ...which }, 'the store refuses readings for what they hold')
      }
      return kept
    },
    repeat,
    isHealthy: () => healthy,
    giveUp() {
      given = true
      for (const end of pauses) end()
    },
  }
}
