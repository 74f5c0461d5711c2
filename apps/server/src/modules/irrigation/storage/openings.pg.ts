import { DAY_MS } from '@isotherm/kernel/durations'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../platform/tables.ts'

/**
 * Longest time from the start of a run to the opening of a step, ms. A search for openings of a time range reads the runs that
 * started this long before it.
 */
export const MAX_RUN_MS = 31 * DAY_MS

/**
 * Water by the time of opening. A step has one row with its whole volume at its last opening. For each earlier opening it has
 * two more rows: the volume of that opening, and the same volume with a minus sign at the last one. So only sums of rows are
 * volumes of water.
 */
export const openings = sql`(
  select run_id, opened_ms, volume_m3, measured_m3 from irrigation_step
  union all
  select run_id, moved.ms, moved.sign * (one->>'volumeM3')::double precision, moved.sign * (one->>'measuredM3')::double precision
  from irrigation_step step cross join jsonb_array_elements(earlier) one
    cross join lateral (values ((one->>'openedMs')::bigint, 1), (step.opened_ms, -1)) moved (ms, sign)
  where earlier <> '[]') opening`

/** Adds the water and the time of the last opening of a waiting step to its earlier openings, before it is opened again. */
export async function keepOpening(
  transaction: Transaction<Tables>,
  { id, state }: { readonly id: number; readonly state: string },
): Promise<void> {
  const earlierOf = (name: string) =>
    sql`coalesce((select sum((one->>${sql.lit(name)})::double precision) from jsonb_array_elements(earlier) one), 0)`
  await sql`
    update irrigation_step set earlier = earlier || jsonb_build_object('openedMs', opened_ms,
      'volumeM3', volume_m3 - ${earlierOf('volumeM3')}, 'measuredM3', measured_m3 - ${earlierOf('measuredM3')})
    where id = ${id} and state = ${state} and opened_ms is not null`.execute(transaction)
}
