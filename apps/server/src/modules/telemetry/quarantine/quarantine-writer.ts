import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { createAcknowledgedWrites } from '../../../platform/tasks/acknowledged-writes.ts'
import type { RejectReason } from '../messages/parse-message.ts'
import { isRefusedRows } from '../store/refused-rows.ts'
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

  const write = createAcknowledgedWrites<QuarantineEntry>({
    clock,
    gatherMs: GATHER_MS,
    write: insert,
    isRefusal: isRefusedRows,
    onFailed: (error, entries) =>
      log.error({ err: error, entries: entries.length }, 'cannot store quarantined messages'),
  })

  async function store(entry: QuarantineEntry): Promise<void> {
    try {
      await write(entry)
    } catch (error) {
      const { topic, gateway, reason } = entry
      if (isRefusedRows(error))
        log.error({ err: error, topic, gateway, reason }, 'the store refuses a quarantined message')
      throw error
    }
  }

  return {
    count(reject) {
      counted(reject.reason)
      const entry = sampler.admit(reject)
      let isStored = false
      return async () => {
        if (isStored || !entry) return
        await store(entry)
        isStored = true
      }
    },
  }
}
