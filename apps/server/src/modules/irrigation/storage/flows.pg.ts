import { MAX_SAMPLES } from '@isotherm/irrigation/watch/expectation'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type {} from '../tables.ts'
import type { StoredStep } from './runs.pg.ts'

/** A shorter measurement is not used, s. */
export const MIN_METERED_S = 20

/**
 * Flows of the last waterings of the same valves that had no finding, m³/h, newest first. Waterings alone and beside
 * other valves are separate, because the pump gives each valve less beside others. After a change of the stated flow,
 * older waterings do not count.
 */
export async function listHealthyFlows(
  db: Database,
  { groupId, valveIds, flowM3H, isAlone }: Pick<StoredStep, 'groupId' | 'valveIds' | 'flowM3H' | 'isAlone'>,
): Promise<readonly number[]> {
  const { rows } = await sql<{ flow: number }>`
    select metered_m3 * 3600 / metered_s as flow from irrigation_step
    where group_id = ${groupId} and valve_ids = ${[...valveIds]}::bigint[] and flow_m3_h = ${flowM3H}
      and is_alone = ${isAlone} and state = 'closed' and finding is null and metered_s >= ${MIN_METERED_S}
    order by closed_ms desc limit ${MAX_SAMPLES}`.execute(db)
  return rows.map(({ flow }) => flow)
}
