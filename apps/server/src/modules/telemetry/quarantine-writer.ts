import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { createQuarantineSampler, type QuarantineEntry, type Reject } from './quarantine.ts'
import type { ReadingStore } from './store.ts'
import type { TelemetryMetrics } from './telemetry-metrics.ts'

export interface QuarantineWriterOptions {
  readonly store: Pick<ReadingStore, 'insertQuarantine'>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<TelemetryMetrics, 'quarantined'>
}

/** Counts every reject and stores those the sampler admits, a group at a time. */
export interface QuarantineWriter {
  /** Resolves when the reject is durable, at once when it is only counted; rejects when it cannot be stored. */
  put(reject: Reject): Promise<void>
}

const GATHER_MS = 50

export function createQuarantineWriter({
  store,
  clock,
  log,
  metrics,
}: QuarantineWriterOptions): QuarantineWriter {
  const sampler = createQuarantineSampler()
  let gathering: { readonly entries: QuarantineEntry[]; readonly stored: Promise<void> } | undefined

  function gather(): { readonly entries: QuarantineEntry[]; readonly stored: Promise<void> } {
    const entries: QuarantineEntry[] = []
    const stored = new Promise<void>((resolve, reject) => {
      clock.setTimeout(() => {
        gathering = undefined
        store.insertQuarantine(entries).then(resolve, (error: unknown) => {
          log.error({ err: error, entries: entries.length }, 'cannot store quarantined messages')
          reject(error)
        })
      }, GATHER_MS)
    })
    return { entries, stored }
  }

  return {
    async put(reject) {
      metrics.quarantined.inc({ reason: reject.reason })
      const entry = sampler.admit(reject)
      if (!entry) return
      gathering ??= gather()
      gathering.entries.push(entry)
      await gathering.stored
    },
  }
}
