import { DAY_MS, HOUR_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { addCounts, type CallCounts, type CallMeter } from '../../../platform/meter/call-meter.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { startPollLoop } from '../../../platform/tasks/poll-loop.ts'

const RETENTION_MS = 31 * DAY_MS

interface CallCountsDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly meter: CallMeter
}

interface Row extends CallCounts {
  readonly name: string
}

/** Stores the calls of the interfaces by hour. All replicas add to the same rows. */
export function createCallCounts({ db, clock, log, meter }: CallCountsDependencies) {
  let prunedAt = Number.NEGATIVE_INFINITY

  async function prune(): Promise<void> {
    const now = clock.now()
    if (now - prunedAt < HOUR_MS) return
    await sql`delete from interface_hour where hour < ${new Date(now - RETENTION_MS)}`.execute(db)
    prunedAt = now
  }

  /** Stores the counts since the last time. If that fails, they are stored the next time. */
  async function flush(): Promise<void> {
    const taken = meter.take()
    if (taken.size === 0) return
    const now = clock.now()
    // All replicas lock the rows in the order of their names.
    const rows = [...taken]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, { calls, failures, durations }]) => ({
        name,
        calls,
        failures,
        durations: `{${durations}}`,
      }))
    try {
      await sql`
        insert into interface_hour (name, hour, calls, failures, durations)
        select name, ${new Date(now - (now % HOUR_MS))}, calls, failures, durations::bigint[]
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as counted (name text, calls bigint, failures bigint, durations text)
        on conflict (name, hour) do update set
          calls = interface_hour.calls + excluded.calls,
          failures = interface_hour.failures + excluded.failures,
          durations = array(
            select coalesce(stored, 0) + coalesce(added, 0)
            from unnest(interface_hour.durations, excluded.durations) with ordinality both_counts (stored, added, place)
            order by place)`.execute(db)
    } catch (error) {
      meter.restore(taken)
      throw error
    }
    await prune()
  }

  const onError = (error: unknown) =>
    log.warn({ err: error }, 'could not store the counts of calls, retrying later')
  let loop: ReturnType<typeof startPollLoop> | undefined

  return {
    /** Counts by interface since an instant, Unix ms, in whole hours. */
    async listSince(since: number): Promise<ReadonlyMap<string, CallCounts>> {
      await flush()
      const { rows } = await sql<Row>`
        select name, calls, failures, durations from interface_hour where hour > ${new Date(since - HOUR_MS)}`.execute(
        db,
      )
      const counts = new Map<string, CallCounts>()
      for (const { name, calls, failures, durations } of rows) {
        const hour = { calls, failures, durations: durations.map(Number) }
        const known = counts.get(name)
        counts.set(name, known ? addCounts(known, hour) : hour)
      }
      return counts
    },
    start() {
      loop = startPollLoop({ clock, pauseMs: MINUTE_MS, firstMs: MINUTE_MS, work: flush, onError })
    },
    async close(): Promise<void> {
      await loop?.close()
      await flush().catch(onError)
    },
  }
}
