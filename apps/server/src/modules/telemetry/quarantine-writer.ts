import { byHalves } from '../../platform/by-halves.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { createGather } from './gather.ts'
import { createQuarantineSampler, type QuarantineEntry, type Reject } from './quarantine.ts'
import { isRefusedRows, RefusedRowsError } from './refused-rows.ts'
import type { ReadingStore } from './store.ts'
import type { TelemetryMetrics } from './telemetry-metrics.ts'

export interface QuarantineWriterOptions {
  readonly store: Pick<ReadingStore, 'insertQuarantine'>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<TelemetryMetrics, 'quarantined'>
}

/** Resolves when a reject is durable, at once when it is only counted; rejects when it cannot be stored, and may be tried again. */
export type KeepReject = () => Promise<void>

/** Counts every reject and stores those the sampler admits, a group at a time. */
export interface QuarantineWriter {
  /** Counts a reject; how it is kept. */
  count(reject: Reject): KeepReject
}

const GATHER_MS = 50

export function createQuarantineWriter({
  store,
  clock,
  log,
  metrics,
}: QuarantineWriterOptions): QuarantineWriter {
  const sampler = createQuarantineSampler()

  async function keep(entries: readonly QuarantineEntry[]): Promise<ReadonlySet<QuarantineEntry>> {
    try {
      const refused = await byHalves(entries, store.insertQuarantine, isRefusedRows)
      for (const { error, item } of refused) {
        const { topic, node, reason } = item
        log.error({ err: error, topic, node, reason }, 'the store refuses a quarantined message')
      }
      return new Set(refused.map(({ item }) => item))
    } catch (error) {
      log.error({ err: error, entries: entries.length }, 'cannot store quarantined messages')
      throw error
    }
  }

  const gather = createGather(clock, GATHER_MS, keep)

  return {
    count(reject) {
      metrics.quarantined.inc({ reason: reject.reason })
      const entry = sampler.admit(reject)
      let isKept = false
      return async () => {
        if (isKept || !entry) return
        const refused = await gather.add([entry])
        if (refused.has(entry)) throw new RefusedRowsError('the store refuses a quarantined message')
        isKept = true
      }
    },
  }
}
