import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { type Rounds, startRounds } from './poll-loop.ts'

/** Removes at most so many rows of what was over before an instant (Unix ms); answers how many it removed. */
export type Removal = (before: number, most: number) => Promise<number>

export interface PruningNeeds {
  readonly clock: Clock
  readonly log: Log
  /** 0 for ever. */
  readonly keptDays: number
  readonly removals: Readonly<Record<string, Removal>>
}

const DAY_MS = 86_400_000
const ROUND_MS = 3_600_000
const GATHER_MS = 10
/** Each step is a transaction of its own, short enough that nobody waits for it. */
const ROWS_PER_STEP = 1_000

/** Removes once an hour what is kept no longer, step by step; replicas may do so side by side. */
export function startPruning({ clock, log, keptDays, removals }: PruningNeeds): Pick<Rounds, 'close'> {
  if (keptDays === 0) return { close: async () => undefined }
  let isClosed = false

  async function removeAll(name: string, remove: Removal): Promise<void> {
    const before = clock.now() - keptDays * DAY_MS
    let count = 0
    for (let removed = ROWS_PER_STEP; removed === ROWS_PER_STEP && !isClosed; count += removed)
      removed = await remove(before, ROWS_PER_STEP)
    if (count > 0) log.info({ name, count }, 'removed what is kept no longer')
  }

  const rounds = startRounds({
    clock,
    pauseMs: ROUND_MS,
    gatherMs: GATHER_MS,
    async work() {
      for (const [name, remove] of Object.entries(removals)) await removeAll(name, remove)
    },
    failed: (error) => log.warn({ err: error }, 'what is kept no longer is removed later'),
  })
  return {
    close() {
      isClosed = true
      return rounds.close()
    },
  }
}
