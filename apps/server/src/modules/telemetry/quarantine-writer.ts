import { byHalves } from '../../platform/by-halves.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
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

/** Counts every reject and stores those the sampler admits, a group at a time. */
export interface QuarantineWriter {
  /** Resolves when the reject is durable, at once when it is only counted; rejects when it cannot be stored. */
  put(reject: Reject): Promise<void>
}

const GATHER_MS = 50

interface Group {
  readonly entries: QuarantineEntry[]
  /** Those that are not stored, once the others are. */
  readonly refused: Promise<ReadonlySet<QuarantineEntry>>
}

export function createQuarantineWriter({
  store,
  clock,
  log,
  metrics,
}: QuarantineWriterOptions): QuarantineWriter {
  const sampler = createQuarantineSampler()
  let gathering: Group | undefined

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

  function gather(): Group {
    const entries: QuarantineEntry[] = []
    const refused = new Promise<void>((resolve) => {
      clock.setTimeout(resolve, GATHER_MS)
    }).then(() => {
      gathering = undefined
      return keep(entries)
    })
    return { entries, refused }
  }

  return {
    async put(reject) {
      metrics.quarantined.inc({ reason: reject.reason })
      const entry = sampler.admit(reject)
      if (!entry) return
      gathering ??= gather()
      gathering.entries.push(entry)
      const { refused } = gathering
      if ((await refused).has(entry)) throw new RefusedRowsError('the store refuses a quarantined message')
    },
  }
}
