import { HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { Clock, Timer } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'

/** Something that this server knows and stores, so that the next start need not compute it from the readings. */
export interface SnapshotPart {
  /** Stores what changed since the last successful call. */
  write(): Promise<void>
}

export interface SnapshotWriterOptions {
  /** Message numbers, which are stored when the server ends, too. */
  readonly numbers: readonly SnapshotPart[]
  /** Parts that are too large to be stored at an end. */
  readonly values: readonly SnapshotPart[]
  /** Stores that the snapshot contains everything that arrived before an instant, Unix ms. */
  readonly writeMark: (at: number) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

/** Stores a snapshot some minutes after the start, and then each hour. */
export interface SnapshotWriter {
  start(): void
  close(): Promise<void>
}

/** Early, because the next start may follow soon: of a new version, or after a crash. */
const FIRST_MS = 5 * MINUTE_MS
const INTERVAL_MS = HOUR_MS

export function createSnapshotWriter(options: SnapshotWriterOptions): SnapshotWriter {
  const { numbers, values, clock, log } = options
  let timer: Timer | undefined
  let writing: Promise<void> | undefined

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      log.warn({ err: error }, 'the snapshot for the next start could not be stored, retrying in an hour')
    }
  }

  async function writeAll(): Promise<void> {
    // What arrives during the writing may be missing in a part that is already written.
    const startedAt = clock.now()
    for (const part of [...numbers, ...values]) await part.write()
    await options.writeMark(startedAt)
  }

  function plan(delayMs: number): void {
    timer = clock.setTimeout(() => {
      writing = attempt(writeAll).then(() => plan(INTERVAL_MS))
    }, delayMs)
  }

  return {
    start: () => plan(FIRST_MS),
    async close() {
      timer?.cancel()
      await writing
      timer?.cancel()
      await attempt(async () => {
        for (const part of numbers) await part.write()
      })
    },
  }
}
