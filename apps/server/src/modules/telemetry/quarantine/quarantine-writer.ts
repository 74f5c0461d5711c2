import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { bisect } from '../../../platform/tasks/bisect.ts'
import type { RejectReason } from '../messages/parse-message.ts'
import { isRefusedRows, RefusedRowsError } from '../store/refused-rows.ts'
import { createWriteGroups } from '../store/write-groups.ts'
import { createQuarantineSampler, type QuarantineEntry, type Reject } from './quarantine-sampler.ts'

export interface QuarantineWriterOptions {
  readonly insert: (entries: readonly QuarantineEntry[]) => Promise<void>
  readonly clock: Clock
  readonly log: Log
  /** Counts a rejected message or part by its reason. */
  readonly counted: (reason: RejectReason) => void
}

/**
 * Stores a reject. Resolves after it is durable, or immediately if it is only counted. Rejects if it cannot be stored;
 * the caller may retry.
 */
export type StoreReject = () => Promise<void>

/** Counts every reject, and stores those that the sampler admits, in groups. */
export interface QuarantineWriter {
  /** Counts a reject; returns the function that stores it. */
  count(reject: Reject): StoreReject
}

const GATHER_MS = 50

export function createQuarantineWriter({
  insert,
  clock,
  log,
  counted,
}: QuarantineWriterOptions): QuarantineWriter {
  const sampler = createQuarantineSampler()

  async function store(entries: readonly QuarantineEntry[]): Promise<ReadonlySet<QuarantineEntry>> {
    try {
      const refused = await bisect(entries, insert, isRefusedRows)
      for (const { error, item } of refused) {
        const { topic, gateway, reason } = item
        log.error({ err: error, topic, gateway, reason }, 'the store refuses a quarantined message')
      }
      return new Set(refused.map(({ item }) => item))
    } catch (error) {
      log.error({ err: error, entries: entries.length }, 'cannot store quarantined messages')
      throw error
    }
  }

  const groups = createWriteGroups(clock, GATHER_MS, store)

  return {
    count(reject) {
      counted(reject.reason)
      const entry = sampler.admit(reject)
      let isStored = false
      return async () => {
        if (isStored || !entry) return
        const refused = await groups.add([entry])
        if (refused.has(entry)) throw new RefusedRowsError('the store refuses a quarantined message')
        isStored = true
      }
    },
  }
}
