import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { StoredWatermark } from '../store/watermarks.ch.ts'

export interface WatermarkWriterOptions {
  /** All current watermarks. */
  readonly list: () => Iterable<StoredWatermark>
  readonly write: (rows: readonly StoredWatermark[]) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** Stores the watermarks that moved: each hour, and when the server ends. */
export interface WatermarkWriter {
  start(): void
  close(): Promise<void>
}

/** Much shorter than the time of which a server reads the messages when it starts. */
const INTERVAL_MS = HOUR_MS

export function createWatermarkWriter({ list, write, clock, log }: WatermarkWriterOptions): WatermarkWriter {
  /** Stored number by gateway and boot. */
  let written = new Map<string, number>()
  let timer: Timer | undefined
  let writing: Promise<void> | undefined

  async function writeMoved(): Promise<void> {
    const current = new Map<string, number>()
    const moved: StoredWatermark[] = []
    for (const each of list()) {
      const key = `${each.gatewayId}/${each.boot}`
      current.set(key, each.seq)
      if (written.get(key) !== each.seq) moved.push(each)
    }
    try {
      if (moved.length > 0) await write(moved)
      // A boot that is forgotten here leaves this map as well.
      written = current
    } catch (error) {
      log.warn({ err: error }, 'the watermarks of gateways could not be stored, retrying in an hour')
    }
  }

  function plan(): void {
    timer = clock.setTimeout(() => {
      writing = writeMoved().then(plan)
    }, INTERVAL_MS)
  }

  return {
    start: plan,
    async close() {
      timer?.cancel()
      await writing
      timer?.cancel()
      await writeMoved()
    },
  }
}
