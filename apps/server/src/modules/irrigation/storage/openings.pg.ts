import { DAY_MS } from '@isotherm/kernel/durations'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../platform/tables.ts'

/** No step is opened longer than this after its run began, ms: it bounds the runs among which openings are looked for. */
export const MAX_RUN_MS = 31 * DAY_MS

/**
 * Water by openings: the volume of a step counts for the last one, and the part of each earlier one is moved from the last to it. So few
 * rows are more than those of the steps, and only their sums are water.
 */
export const openings = sql`(
  select run_id, opened_ms, volume_m3, measured_m3 from irrigation_step
  union all
  select run_id, moved.ms, moved.sign * (one->>'volumeM3')::double precision, moved.sign * (one->>'measuredM3')::double precision
  from irrigation_step step cross join jsonb_array_elements(earlier) one
    cross join lateral (values ((one->>'openedMs')::bigint, 1), (step.opened_ms, -1)) moved (ms, sign)
  where earlier <> '[]') opening`

/** Keeps the water of the last opening of a waiting step with the time of that opening, before the step is opened again. */
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
