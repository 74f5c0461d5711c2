import type { IrrigationMissed } from '@isotherm/contract/irrigation'
import { DAY_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type {} from '../tables.ts'

/** How long it is reported that a group was not watered, ms. */
const MISSED_MS = DAY_MS
/** Longest time from the begin of a run to the last of its steps that is looked at, ms. */
const RUN_MS = 2 * DAY_MS

/**
 * Groups that a run of the last day should have watered and did not, in whole or in part, until a later run waters them: `source_id`,
 * `group_id`, `reason`, `at_ms`, one row for each group. Rain, wet soil, a delay, a user who stops a run and a lack of water are no
 * reasons: they are meant, or have an alarm of their own.
 */
export const selectMissed = (now: number) => sql`
  select distinct on (group_id) source_id, group_id, reason, at_ms from (
    select run.id as run_id, source_id, group_id, finding as reason, closed_ms as at_ms
    from irrigation_step step join irrigation_run run on run.id = run_id
    where began_ms > ${now - MISSED_MS - RUN_MS}::bigint and closed_ms > ${now - MISSED_MS}::bigint
      and finding in ('refused', 'asleep', 'part-refused', 'outage', 'expired')
    union all
    select run.id, run.source_id, (entry->>'groupId')::bigint, 'late', began_ms
    from irrigation_run run join irrigation_program program on program.id = program_id,
      jsonb_array_elements(program.settings->'plan'->'entries') entry
    where began_ms > ${now - MISSED_MS}::bigint and conflicts @> '[{"kind": "late"}]'
      and not conflicts @> jsonb_build_array(jsonb_build_object('kind', 'moist', 'groupId', entry->'groupId'))) missed
  where not exists (
    select from irrigation_step watered
    where watered.group_id = missed.group_id and watered.run_id > missed.run_id and watered.closed_ms > missed.at_ms
      and watered.state = 'closed' and watered.volume_m3 > 0 and coalesce(watered.finding, '') not in ('not-open', 'no-flow')
      and not (select is_observed from irrigation_run where id = watered.run_id))
  order by group_id, at_ms desc`

/** Groups of a source that were not watered, and why; in the order of their ids. */
export async function listMissed(
  db: Database,
  sourceId: number,
  now: number,
): Promise<readonly IrrigationMissed[]> {
  const { rows } = await sql<IrrigationMissed>`
    select group_id as "groupId", reason, at_ms as "atMs" from (${selectMissed(now)}) missed
    where source_id = ${sourceId} order by group_id`.execute(db)
  return rows
}
