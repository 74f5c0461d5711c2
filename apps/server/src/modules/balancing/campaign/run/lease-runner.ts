import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../../platform/clock.ts'
import type { Log } from '../../../../platform/log.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { SignalChannel, Signals } from '../../../../platform/signals/signals.ts'
import { startPollLoop } from '../../../../platform/tasks/poll-loop.ts'
import { type LeasedRows, LostLease, letGoRow, takeRows } from '../storage/loop-rows.pg.ts'

export interface LeaseRunnerNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly signals: Pick<Signals, 'listen'>
}

/** What is looked at, and how one look goes: it answers when to look again, Unix ms. */
export interface Looked {
  readonly rows: LeasedRows
  readonly look: (id: number, worker: string) => Promise<number>
  /** Signals after which something may be due. */
  readonly wakers: readonly SignalChannel[]
}

export interface LeaseRunner {
  /** Ends after the looks under way; another server, or the next start, goes on. */
  close(): Promise<void>
}

/** Rows looked at side by side. */
const AT_ONCE = 8
const PAUSE_MS = 2_000
const GATHER_MS = 100
/** A look that takes longer is done again by whoever comes next; what it then would store is refused. */
const LEASE_MS = 30_000
const RETRY_MS = 5_000

/** Takes rows on, each as far as it goes, beside any number of other replicas. */
export function startLeaseRunner(
  { db, clock, log, signals }: LeaseRunnerNeeds,
  { rows, look, wakers }: Looked,
): LeaseRunner {
  const worker = randomUUID()
  let closed = false

  /** When it is to be looked at again, Unix ms. */
  async function goOn(id: number): Promise<number> {
    const until = clock.now() + LEASE_MS / 2
    for (;;) {
      const next = await look(id, worker)
      const now = clock.now()
      if (next > now || closed || now > until) return next
    }
  }

  async function takeOn(id: number): Promise<void> {
    try {
      await letGoRow(db, rows, id, worker, await goOn(id))
    } catch (error) {
      if (error instanceof LostLease) return
      log.warn({ err: error, [rows.table]: id }, `a ${rows.table} could not go on`)
      await letGoRow(db, rows, id, worker, clock.now() + RETRY_MS)
    }
  }

  const rounds = startPollLoop({
    clock,
    pauseMs: PAUSE_MS,
    gatherMs: GATHER_MS,
    async work() {
      const now = clock.now()
      const ids = await takeRows(db, rows, { worker, now, leaseUntil: now + LEASE_MS, limit: AT_ONCE })
      await Promise.all(ids.map(takeOn))
      if (ids.length === AT_ONCE) rounds.wake()
    },
    onError: (err) => log.warn({ err }, `could not look for a ${rows.table}`),
  })
  const stopListening = wakers.map((waker) => signals.listen(waker, () => rounds.wake()))

  return {
    async close() {
      closed = true
      for (const stop of stopListening) stop()
      await rounds.close()
    },
  }
}
