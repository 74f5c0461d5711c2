import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import type { UnregisteredReport } from './unregistered-report.ts'

/** Reports that arrive within this time are stored in one write. */
const GATHER_MS = 1_000
const PAUSE_MS = 60_000
/**
 * Maximum number of devices between two writes, of all gateways together and of one gateway. A gateway that invents
 * serials must not displace the devices of others.
 */
const MAX_WAITING = 2_000
const MAX_OF_GATEWAY = 200

export interface UnregisteredRecorderNeeds {
  readonly clock: Clock
  readonly log: Log
  readonly store: (reports: readonly UnregisteredReport[]) => Promise<void>
}

/** Collects reports of unregistered devices, for the people who may register them. */
export interface UnregisteredRecorder {
  record(report: UnregisteredReport): void
  /** Stores the waiting reports. */
  close(): Promise<void>
}

/** Joins two reports of one device: values of different metrics are merged, all else is that of the newer report. */
const merge = (before: UnregisteredReport, next: UnregisteredReport): UnregisteredReport => ({
  ...next,
  count: before.count + next.count,
  at: Math.max(before.at, next.at),
  said: next.said.m ? { m: { ...before.said.m, ...next.said.m } } : next.said,
})

export function createUnregisteredRecorder({
  clock,
  log,
  store,
}: UnregisteredRecorderNeeds): UnregisteredRecorder {
  let waiting = new Map<string, UnregisteredReport>()
  let counts = new Map<number, number>()
  const onError = (error: unknown): void => log.warn({ err: error }, 'could not store unregistered devices')

  async function write(): Promise<void> {
    if (waiting.size === 0) return
    const reports = [...waiting.values()]
    waiting = new Map()
    counts = new Map()
    await store(reports)
  }

  const loop = startPollLoop({ clock, work: write, pauseMs: PAUSE_MS, gatherMs: GATHER_MS, onError })
  return {
    record(report) {
      const { gatewayId, via, line, address } = report
      const key = `${gatewayId} ${via} ${line} ${address}`
      const before = waiting.get(key)
      if (before === undefined) {
        const count = counts.get(gatewayId) ?? 0
        // A lost report is recorded when the device sends again.
        if (waiting.size >= MAX_WAITING || count >= MAX_OF_GATEWAY) return
        counts.set(gatewayId, count + 1)
      }
      waiting.set(key, before ? merge(before, report) : report)
      loop.wake()
    },
    async close() {
      await loop.close()
      await write().catch(onError)
    },
  }
}
