import { DAY_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../../platform/clock.ts'
import { FROM_FILES } from '../messages/message-key.ts'
import { MAX_AGE_MS, MAX_FUTURE_MS } from '../messages/parse-message.ts'
import type { Sample } from '../messages/sample.ts'
import type { GroupCommit } from '../store/group-commit.ts'
import type { ReadingKey, StoredValue } from '../store/stored-values.ch.ts'

/** Readings that come from a file instead of a gateway. */
export interface FileReadings {
  /** Stored values by `toKeyText`. */
  findStored(keys: readonly ReadingKey[]): Promise<ReadonlyMap<string, StoredValue>>
  /** Why readings of an instant cannot be stored; undefined if they can. */
  findBadInstant(ts: number): 'future-instant' | 'ancient-instant' | undefined
  /**
   * Stores samples as history: they are judged, but change no newest value and raise no alarm. Resolves when they are durable.
   * Throws BacklogFullError while the store is behind. The number of the import and of the batch is the key of the message.
   */
  store(message: {
    readonly importId: number
    readonly batch: number
    readonly samples: readonly Sample[]
  }): Promise<void>
}

export interface FileReadingsOptions extends Pick<FileReadings, 'findStored'> {
  readonly clock: Pick<Clock, 'now'>
  readonly commit: Pick<GroupCommit, 'add'>
  readonly judge: (samples: readonly Sample[], live: boolean) => readonly Sample[]
  /** Days for which readings are retained; 0: forever. */
  readonly retentionDays: number
}

export const createFileReadings = ({
  clock,
  commit,
  judge,
  retentionDays,
  findStored,
}: FileReadingsOptions): FileReadings => ({
  findStored,
  findBadInstant(ts) {
    const now = clock.now()
    const oldest = Math.min(MAX_AGE_MS, retentionDays === 0 ? MAX_AGE_MS : retentionDays * DAY_MS)
    if (ts > now + MAX_FUTURE_MS) return 'future-instant'
    return ts < now - oldest ? 'ancient-instant' : undefined
  },
  async store({ importId, batch, samples }) {
    const judged = judge(samples, false)
    const rows = judged.reduce((sum, { values }) => sum + values.length, 0)
    const message = {
      gatewayId: FROM_FILES,
      boot: importId,
      seq: batch,
      received: clock.now(),
      live: false,
      samples: judged,
      rows,
    }
    // Values of a checked file are plain numbers: the store refuses none of them.
    await commit.add(message, () => Promise.resolve())
  },
})
