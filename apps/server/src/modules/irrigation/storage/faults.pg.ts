import type { IrrigationSourceSettings } from '@isotherm/contract/irrigation'
import { DAY_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { MAX_CLOSE_TRIES } from '../limits.ts'
import type {} from '../tables.ts'
import { selectMissed } from './missed.pg.ts'

/** A fault of a source, shown at its node. */
export interface IrrigationFault {
  readonly what:
    | 'irrigation-stuck'
    | 'irrigation-flow'
    | 'irrigation-leak'
    | 'irrigation-halt'
    | 'irrigation-budget'
    | 'irrigation-missed'
    | 'irrigation-unmeasured'
  readonly nodeId: number
  readonly path: string
  readonly tenant: string
}

/** How long a lack of water is reported. */
const BUDGET_MS = DAY_MS

/**
 * Sources with a valve that is not confirmed closed, with a group whose last watering had a wrong flow, with a leak or a halt
 * that nobody has released, with a run of the last day that lacked water, or with a group that was not watered.
 */
export async function listFaults(db: Database, now: number): Promise<readonly IrrigationFault[]> {
  const { rows } = await sql<IrrigationFault>`
    with fault as (
      select source_id, 'irrigation-stuck' as what from irrigation_step step join irrigation_run run on run.id = run_id
      where step.state in ('stuck', 'closing') and finding = 'stuck'
      union
      select id, 'irrigation-stuck' from irrigation_source
      where master_state = 'stuck' or (master_state = 'closing' and master_tries > ${MAX_CLOSE_TRIES})
      union
      select id, 'irrigation-leak' from irrigation_source where leak_ms is not null
      union
      select id, 'irrigation-halt' from irrigation_source where halted_ms is not null
      union
      select source_id, 'irrigation-budget' from irrigation_run
      where began_ms > ${now - BUDGET_MS}::bigint and conflicts @> '[{"kind": "budget"}]'
      union
      select source_id, 'irrigation-budget' from irrigation_run run join irrigation_step step on run_id = run.id
      where began_ms > ${now - BUDGET_MS}::bigint and finding = 'budget'
      union
      select source_id, 'irrigation-missed' from (${selectMissed(now)}) missed
      union
      select source_id, 'irrigation-flow' from irrigation_group watered cross join lateral (
        select finding from irrigation_run run join irrigation_step step on step.run_id = run.id
        where run.source_id = watered.source_id and not is_observed and step.group_id = watered.id
          and step.state = 'closed'
        order by began_ms desc, run.id desc, seq desc limit 1) last
      where finding in ('no-flow', 'low-flow', 'high-flow', 'line-break', 'not-open', 'part-open'))
    select distinct what, node.id as "nodeId", node.path, company.tenant
    from fault join irrigation_source source on source.id = fault.source_id join node on node.id = source.node_id
      join company on company.id = node.company_id
    where ${isServed('company.id')}`.execute(db)
  return rows
}

/** A source with a controller or a sensor of its own. */
export interface MeasuredSource extends Pick<IrrigationFault, 'nodeId' | 'path' | 'tenant'> {
  readonly settings: IrrigationSourceSettings
}

/** Sources with a controller, a flow meter or a sensor before the pump. */
export async function listMeasured(db: Database): Promise<readonly MeasuredSource[]> {
  const { rows } = await sql<MeasuredSource>`
    select settings, node.id as "nodeId", node.path, company.tenant
    from irrigation_source source join node on node.id = source.node_id join company on company.id = node.company_id
    where settings ?| array['stationId', 'meterId', 'inletId'] and ${isServed('company.id')}`.execute(db)
  return rows
}
