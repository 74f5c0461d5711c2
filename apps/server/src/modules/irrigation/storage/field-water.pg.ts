import type { IrrigationWaterDay } from '@isotherm/contract/irrigation'
import { DAY_MS } from '@isotherm/kernel/durations'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow, isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { toNodeKey } from '../../network/index.ts'
import { MAX_RUN_MS, openings } from './openings.pg.ts'

interface Row extends Omit<IrrigationWaterDay, 'node'> {
  readonly id: number
  readonly uuid: string | null
  readonly address: string | null
}

export interface WaterQuery {
  readonly paths: readonly string[] | undefined
  readonly from: number
  readonly to: number
}

const toDay = (ms: RawBuilder<unknown>) => sql`(to_timestamp(${ms} / 1000.0) at time zone time_zone)::date`

/** Water that rounding leaves of nothing, m³. */
const NOTHING_M3 = 1e-9

/**
 * Water of fields by local day, of all sources at their nodes together; in tree order, the newest day first. Each day that the span
 * touches is whole. As in the budget, the water of an opening counts for the day on which it began.
 */
export async function listFieldWater(
  db: Database,
  scope: Scope,
  { paths, from, to }: WaterQuery,
): Promise<IrrigationWaterDay[]> {
  const { rows } = await sql<Row>`
    with place as materialized (
      select source.id, node_id, time_zone, ${toDay(sql`${from}::bigint`)} as first, ${toDay(sql`${to - 1}::bigint`)} as last
      from irrigation_source source join node on node.id = node_id join company on company.id = node.company_id
      where ${isInScope('node.path', scope)} and ${paths ? isBelow('node.path', paths) : sql`true`}
    ), water as (
      select node_id, day, sum(volume_m3) as volume_m3, sum(measured_m3) as measured_m3
      from place join irrigation_run run on run.source_id = place.id
        join ${openings} on opening.run_id = run.id
        cross join lateral (select ${toDay(sql`opening.opened_ms`)} as day) of_opening
      where run.began_ms >= ${from - MAX_RUN_MS}::bigint and run.began_ms < ${to + 2 * DAY_MS}::bigint
        and opening.opened_ms >= ${from - DAY_MS}::bigint and opening.opened_ms < ${to + DAY_MS}::bigint
        and day between first and last
      group by node_id, day having sum(volume_m3) > ${NOTHING_M3}
    )
    select node.id, node.uuid::text, node.address, node.nestaddr, day::text, volume_m3 as "volumeM3",
      measured_m3 as "measuredM3"
    from water join node on node.id = node_id
    order by node.sort_path, node.id, day desc`.execute(db)
  return rows.map(({ nestaddr, day, volumeM3, measuredM3, ...node }) => ({
    node: toNodeKey(node),
    nestaddr,
    day,
    volumeM3,
    measuredM3,
  }))
}
