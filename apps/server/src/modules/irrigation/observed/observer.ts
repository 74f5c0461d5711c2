import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import type { ClickHouseClient } from '../../../platform/clickhouse/clickhouse.ch.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type PollLoop, startPollLoop } from '../../../platform/tasks/poll-loop.ts'
import { findRotations } from './find-rotations.ts'
import { listObserved, listOwnSteps, type ObservedSource, storeObserved } from './observed-runs.pg.ts'
import { findStored, readValves } from './readings.ch.ts'

export interface ObserverNeeds {
  readonly db: Database
  readonly clickhouse: ClickHouseClient
  readonly clock: Clock
  readonly log: Log
}

const PAUSE_MS = MINUTE_MS
/** Weeks that a source gets when it is set up; what gateways send later of an older time is in the history of devices only. */
const LOOK_BACK_MS = 62 * DAY_MS
/** A rotation that was under way at the first new reading began at most so long before. */
const MARGIN_MS = DAY_MS
/** The store notes minutes, an insert may take as long, and a rotation is over a while after its last reading, s. */
const OVERLAP_S = 300

/** Looks at what the valves of a source have reported since the last time, whenever it was measured. */
async function observe({ db, clickhouse, clock }: ObserverNeeds, source: ObservedSource): Promise<void> {
  const now = clock.now()
  const valves = source.groups.flatMap(({ id, valves: own }) =>
    own.map(({ deviceId, flowM3H }) => ({ deviceId, flowM3H, groupId: id })),
  )
  const deviceIds = [...new Set(valves.map(({ deviceId }) => deviceId))]
  const oldest = now - LOOK_BACK_MS
  const { firstMs, nowS } = await findStored(clickhouse, {
    deviceIds,
    since: source.observedS,
    from: oldest,
  })
  if (firstMs === undefined) return
  // A late reading can move the end of a rotation, or its begin.
  const from = Math.max(oldest, firstMs - MARGIN_MS)
  const readings = await readValves(clickhouse, deviceIds, from - MARGIN_MS)
  const own = await listOwnSteps(db, from - MARGIN_MS)
  const rotations = findRotations(readings, { valves, own, now })
  await storeObserved(db, { source, from, rotations, observedS: Math.max(0, nowS - OVERLAP_S) })
}

/** Looks at all sources once. */
export async function observeSources(needs: ObserverNeeds): Promise<void> {
  for (const source of await listObserved(needs.db)) await observe(needs, source)
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
