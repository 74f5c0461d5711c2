import { type Direction, judgeDirection, type OpeningAnswer } from '@isotherm/balancing/moves/judge-direction'
import { OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import { sql } from 'kysely'
import type { Database } from '../../../../platform/postgres/database.pg.ts'

/** Newest answers of a valve that are judged. */
const ANSWERS = 20

/** Directions of valves by their answers to all commands: also to those by hand and of exercises. */
export async function findDirections(
  db: Database,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, Direction>> {
  if (deviceIds.length === 0) return new Map()
  const { rows } = await sql<OpeningAnswer & { readonly deviceId: number }>`
    select device_id as "deviceId", opening_pct as "orderedPct", previous_pct as "beforePct",
      case when state = 'confirmed' then opening_pct else shown_pct end as "reportedPct"
    from unnest(${[...deviceIds]}::bigint[]) valve (id) cross join lateral (
      select * from command
      where device_id = valve.id and kind = 'valve.set' and (state = 'confirmed' or shown_pct is not null)
      order by command.id desc limit ${ANSWERS}) answered
    order by answered.id`.execute(db)
  const answers = Map.groupBy(rows, ({ deviceId }) => deviceId)
  return new Map([...answers].map(([id, given]) => [id, judgeDirection(given, OPENING_TOLERANCE_PCT)]))
}
