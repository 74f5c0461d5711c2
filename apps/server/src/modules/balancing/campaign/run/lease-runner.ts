import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../../platform/clock.ts'
import type { Log } from '../../../../platform/log.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { SignalChannel, Signals } from '../../../../platform/signals/signals.ts'
import { runAsCaller } from '../../../../platform/tasks/current-caller.ts'
import { startPollLoop } from '../../../../platform/tasks/poll-loop.ts'
import { type LeasedRows, LostLease, releaseRow, takeRows } from '../storage/loop-rows.pg.ts'

export interface LeaseRunnerNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly signals: Pick<Signals, 'listen'>
}

/** Rows of a runner and the work of one tick, which returns when the next tick is due, Unix ms. */
export interface LeasedWork {
  readonly rows: LeasedRows
  readonly tick: (id: number, worker: string) => Promise<number>
  /** Signals after which work may be due. */
  readonly wakers: readonly SignalChannel[]
}

export interface LeaseRunner {
  /** Ends after the running ticks; another server, or the next start, continues. */
  close(): Promise<void>
}

/** Maximum number of rows in work at the same time. */
const AT_ONCE = 8
const PAUSE_MS = 2_000
const GATHER_MS = 100
/** After this time another worker may repeat a tick; the database then rejects what the late one stores. */
const LEASE_MS = 30_000
const RETRY_MS = 5_000

/** Takes rows and advances each as far as possible. Works with any number of other replicas. */
export function startLeaseRunner(
  { db, clock, log, signals }: LeaseRunnerNeeds,
  { rows, tick, wakers }: LeasedWork,
): LeaseRunner {
  const worker = randomUUID()
  let closed = false

  /** Runs ticks of a row until none is due, and returns when the next one is, Unix ms. */
  async function runTicks(id: number): Promise<number> {
    const until = clock.elapsed() + LEASE_MS / 2
    for (;;) {
      const next = await tick(id, worker)
      const now = clock.now()
      if (next > now || closed || clock.elapsed() > until) return next
    }
  }

  async function advance(id: number): Promise<void> {
    try {
      await releaseRow(db, rows, id, worker, await runTicks(id))
    } catch (error) {
      if (error instanceof LostLease) return
      log.warn({ err: error, [rows.table]: id }, `could not advance a ${rows.table}`)
      await releaseRow(db, rows, id, worker, clock.now() + RETRY_MS)
    }
  }

  const pollLoop = startPollLoop({
    clock,
    pauseMs: PAUSE_MS,
    gatherMs: GATHER_MS,
    async work() {
      const now = clock.now()
      const ids = await takeRows(db, rows, { worker, now, leaseUntil: now + LEASE_MS, limit: AT_ONCE })
      // Each row takes turns of its own with the callers at scarce resources.
      await Promise.all(ids.map((id) => runAsCaller(`${rows.table} ${id}`, () => advance(id))))
      if (ids.length === AT_ONCE) pollLoop.wake()
    },
    onError: (err) => log.warn({ err }, `could not read which ${rows.table} rows are due`),
  })
  const stopListening = wakers.map((waker) => signals.listen(waker, () => pollLoop.wake()))

  return {
    async close() {
      closed = true
      for (const stop of stopListening) stop()
      await pollLoop.close()
    },
  }
}
