import type { IrrigationWaterDay } from '@isotherm/contract/irrigation'
import { toLocalDay } from '@isotherm/irrigation/run/decide'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isBelow, isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { createTimeZone } from '../../../platform/time-zone.ts'
import { toNodeKey } from '../../network/index.ts'

/** The offsets of all zones are multiples of it, so no part of it belongs to another local day than the rest. */
const QUARTER_MS = 15 * MINUTE_MS

interface Row {
  readonly id: number
  readonly uuid: string | null
  readonly address: string | null
  readonly nestaddr: string
  readonly timeZone: string
  readonly fromMs: number
  readonly volumeM3: number
  readonly measuredM3: number
}

export interface WaterQuery {
  readonly paths: readonly string[] | undefined
  readonly from: number
  readonly to: number
}

/**
 * Water of fields by local day, of all sources at their nodes together; in tree order, the newest day first. As in the budget, the water
 * of a step counts for the day on which it was opened.
 */
export async function listFieldWater(
  db: Database,
  scope: Scope,
  { paths, from, to }: WaterQuery,
): Promise<IrrigationWaterDay[]> {
  const { rows } = await sql<Row>`
    select node.id, node.uuid::text, node.address, node.nestaddr, company.time_zone as "timeZone",
      "fromMs",
      sum(volume_m3) as "volumeM3", sum(measured_m3) as "measuredM3"
    from irrigation_step step join irrigation_run run on run.id = step.run_id
      join irrigation_source source on source.id = run.source_id
      join node on node.id = source.node_id join company on company.id = node.company_id
      cross join lateral (select opened_ms / ${QUARTER_MS}::bigint * ${QUARTER_MS}::bigint as "fromMs") quarter
    where ${isInScope('node.path', scope)} and ${paths ? isBelow('node.path', paths) : sql`true`}
      and opened_ms >= ${from}::bigint and opened_ms < ${to}::bigint and volume_m3 > 0
    group by node.id, company.id, "fromMs"
    order by node.sort_path, node.id, "fromMs" desc`.execute(db)
  const zones = new Map(rows.map(({ timeZone }) => [timeZone, createTimeZone(timeZone)]))
  const days = new Map<string, IrrigationWaterDay>()
  for (const { timeZone, fromMs, nestaddr, volumeM3, measuredM3, ...node } of rows) {
    const zone = zones.get(timeZone) ?? createTimeZone(timeZone)
    const day = new Date(toLocalDay(zone, fromMs) * DAY_MS).toISOString().slice(0, 10)
    const key = `${node.id} ${day}`
    const before = days.get(key)
    days.set(key, {
      node: toNodeKey(node),
      nestaddr,
      day,
      volumeM3: (before?.volumeM3 ?? 0) + volumeM3,
      measuredM3: (before?.measuredM3 ?? 0) + measuredM3,
    })
  }
  return [...days.values()]
}
