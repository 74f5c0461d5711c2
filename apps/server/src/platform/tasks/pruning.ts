import { DAY_MS, HOUR_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { type PollLoop, startPollLoop } from './poll-loop.ts'
import { repeatUntilDone } from './repeat-until-done.ts'

/** Deletes at most `limit` rows that ended before an instant (Unix ms); returns the number of deleted rows. */
export type Removal = (before: number, limit: number) => Promise<number>

export interface PruningNeeds {
  readonly clock: Clock
  readonly log: Log
  /** 0 retains rows forever. */
  readonly retentionDays: number
  /** By the name of the rows, for the log. */
  readonly removals: Readonly<Record<string, Removal>>
}

/** Rows deleted in one transaction. It is short enough that no other transaction waits noticeably. */
const ROWS_PER_STEP = 1_000

/** Deletes rows past their retention, once an hour and in short transactions. Several replicas may run it at once. */
export function startPruning({ clock, log, retentionDays, removals }: PruningNeeds): Pick<PollLoop, 'close'> {
  if (retentionDays === 0) return { close: async () => undefined }
  let isClosed = false

  async function removeAll(name: string, remove: Removal): Promise<void> {
    const before = clock.now() - retentionDays * DAY_MS
    const count = await repeatUntilDone(() => remove(before, ROWS_PER_STEP), {
      batchSize: ROWS_PER_STEP,
      isStopped: () => isClosed,
    })
    if (count > 0) log.info({ name, count }, 'deleted rows past their retention')
  }

  const loop = startPollLoop({
    clock,
    pauseMs: HOUR_MS,
    async work() {
      for (const [name, remove] of Object.entries(removals)) await removeAll(name, remove)
    },
    onError: (error) =>
      log.warn({ err: error }, 'could not delete rows past their retention; retrying later'),
  })
  return {
    close() {
      isClosed = true
      return loop.close()
    },
  }
}
