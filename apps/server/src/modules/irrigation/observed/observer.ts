import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type PollLoop, startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import { BEFORE_MS, findOpenings, MAX_SILENCE_MS, type Opening, toCut } from './find-openings.ts'
import {
  claimLooks,
  listObservedValves,
  listOwnTimes,
  type ObservedValve,
  storeOpenings,
} from './observed-runs.pg.ts'
import { findStored, readValve } from './readings.ch.ts'

export interface ObserverNeeds {
  readonly db: Database
  readonly clickhouse: ClickHouseClient
  readonly clock: Clock
  readonly log: Log
}

/** How often it is checked whether a source is due, and how often one is. */
const PAUSE_MS = MINUTE_MS / 2
const LOOK_MS = 2 * MINUTE_MS
/** Weeks that a valve gets when it is added; what gateways send later of an older time is in the history of devices only. */
const LOOK_BACK_MS = 62 * DAY_MS
/** Readings of one valve that are in memory at a time. */
const SPAN_MS = 7 * DAY_MS
/** The store notes minutes, and an insert may take as long, s. */
const OVERLAP_S = 300

/** Until when a valve has been looked at, Unix s; 0 for one that is new in its group. */
const toMark = ({ mark, groupId }: ObservedValve): number => (mark?.groupId === groupId ? mark.observedS : 0)

/** Looks at a valve of which something new is stored, measured at `firstMs` or later. */
async function observeValve(
  { db, clickhouse, clock }: ObserverNeeds,
  valve: ObservedValve,
  { oldest, firstMs, nowS }: { oldest: number; firstMs: number; nowS: number },
): Promise<void> {
  const { deviceId, flowM3H } = valve
  // The new reading ends the time since the one before it.
  const start = Math.max(oldest, toCut(firstMs - MAX_SILENCE_MS))
  const own = await listOwnTimes(db, deviceId, start - BEFORE_MS - DAY_MS)
  const openings: Opening[] = []
  for (let from = start; from <= clock.now(); from += SPAN_MS) {
    const to = from + SPAN_MS
    const readings = await readValve(clickhouse, deviceId, from - BEFORE_MS, to + MAX_SILENCE_MS)
    openings.push(...findOpenings(readings, { flowM3H, own, from, to }))
  }
  await storeOpenings(db, { valve, from: start, openings, observedS: Math.max(0, nowS - OVERLAP_S) })
}

/** Looks at what the valves of a source have reported since the last time, whenever it was measured. */
async function observeSource(needs: ObserverNeeds, sourceId: number): Promise<void> {
  const oldest = toCut(needs.clock.now() - LOOK_BACK_MS)
  const failures: unknown[] = []
  const byMark = Map.groupBy(await listObservedValves(needs.db, [sourceId]), toMark)
  for (const [since, valves] of byMark) {
    const deviceIds = valves.map(({ deviceId }) => deviceId)
    const stored = await findStored(needs.clickhouse, { deviceIds, since, from: oldest })
    for (const valve of valves) {
      const found = stored.get(valve.deviceId)
      if (found)
        await observeValve(needs, valve, { oldest, ...found }).catch((error: unknown) => failures.push(error))
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} valves failed`)
}

/** Looks at the sources that are due. One that fails is due again with the others. */
export async function observeSources(needs: ObserverNeeds): Promise<void> {
  const now = needs.clock.now()
  for (const sourceId of await claimLooks(needs.db, now, now + LOOK_MS)) {
    await observeSource(needs, sourceId).catch((error: unknown) =>
      needs.log.error(
        { err: error, sourceId },
        'the valves of a source of irrigation could not be looked at',
      ),
    )
  }
}

/** Records what valves reported that no run had opened: the water of timers on site and of people, also of the time before. */
export function startObserver(needs: ObserverNeeds): PollLoop {
  let isFailing = false
  return startPollLoop({
    clock: needs.clock,
    pauseMs: PAUSE_MS,
    async work() {
      await observeSources(needs)
      isFailing = false
    },
    onError(error) {
      if (!isFailing) needs.log.error({ err: error }, 'the valves of irrigation could not be looked at')
      isFailing = true
    },
  })
}
