import { MINUTE_MS } from '@isotherm/kernel/durations'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'

/** Something that this server knows and stores, so that the next start need not compute it from the readings. */
export interface SnapshotPart {
  /** Stores what changed since the last successful call. */
  write(): Promise<void>
}

export interface SnapshotWriterOptions {
  readonly parts: readonly SnapshotPart[]
  /** Arrival of the message that waits longest for the store, Unix ms; infinity if none waits. */
  readonly oldestReceived: () => number
  /** Stores that the snapshot contains everything that arrived before an instant, Unix ms. */
  readonly writeMark: (at: number) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** Stores a snapshot each five minutes, and when the server ends, if it was started. */
export interface SnapshotWriter {
  start(): void
  close(): Promise<void>
}

/** Shorter than the usual period of reports, so nothing is stored twice. Less often would not be less work. */
const INTERVAL_MS = 5 * MINUTE_MS

export function createSnapshotWriter(options: SnapshotWriterOptions): SnapshotWriter {
  const { parts, clock, log } = options
  let timer: Timer | undefined
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    // What arrives or becomes durable during the writing may be missing in a part that is already written.
    const at = Math.min(clock.now(), options.oldestReceived())
    try {
      for (const part of parts) await part.write()
      await options.writeMark(at)
    } catch (error) {
      log.warn(
        { err: error },
        'the snapshot for the next start could not be stored, retrying in five minutes',
      )
    }
  }

  function plan(): void {
    timer = clock.setTimeout(() => {
      writing = write().then(plan)
    }, INTERVAL_MS)
  }

  return {
    start: plan,
    async close() {
      timer?.cancel()
      await writing
      timer?.cancel()
      if (timer) await write()
    },
  }
}
