import { judgeDirection, type OpeningAnswer } from '@isotherm/balancing/moves/judge-direction'
import { OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import { sql } from 'kysely'
import type { Database } from '../../../../platform/postgres/database.pg.ts'

/** Newest answers of a valve that are judged. */
const ANSWERS = 20

/**
 * Those of these valves that work the wrong way round by their answers to all commands: also to those by hand and of exercises.
 * A command that was done answers when it is confirmed, or at its deadline (`unknown`). Until then the valve may still travel,
 * and at a command that another one replaced, or that was withdrawn, it may have stopped or turned on its way.
 */
export async function findInverted(db: Database, deviceIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (deviceIds.length === 0) return new Set()
  const { rows } = await sql<OpeningAnswer & { readonly deviceId: number }>`
    select device_id as "deviceId", opening_pct as "orderedPct", previous_pct as "beforePct",
      case when state = 'confirmed' then opening_pct else shown_pct end as "reportedPct"
    from unnest(${[...deviceIds]}::bigint[]) valve (id) cross join lateral (
      select * from command
      where device_id = valve.id and kind = 'valve.set'
        and (state = 'confirmed' or (state = 'unknown' and shown_pct is not null))
      order by command.id desc limit ${ANSWERS}) answered
    order by answered.id`.execute(db)
  const answers = Map.groupBy(rows, ({ deviceId }) => deviceId)
  return new Set(
    [...answers].flatMap(([id, given]) =>
      judgeDirection(given, OPENING_TOLERANCE_PCT) === 'inverted' ? id : [],
    ),
  )
}
