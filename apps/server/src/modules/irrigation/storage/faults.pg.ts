import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type {} from '../tables.ts'

/** A fault at the node of a source, until it is over. */
export interface IrrigationFault {
  readonly what: 'irrigation-stuck' | 'irrigation-flow'
  readonly nodeId: number
  readonly path: string
  readonly tenant: string
}

/** Sources with a valve that is not confirmed closed, or with a group whose last watering had no, little or much flow. */
export async function listFaults(db: Database): Promise<readonly IrrigationFault[]> {
  const { rows } = await sql<IrrigationFault>`
    with fault as (
      select source_id, 'irrigation-stuck' as what from irrigation_step step join irrigation_run run on run.id = run_id
      where step.state in ('stuck', 'closing') and finding = 'stuck'
      union
      select source_id, 'irrigation-flow' from irrigation_group watered cross join lateral (
        select finding from irrigation_run run join irrigation_step step on step.run_id = run.id
        where run.source_id = watered.source_id and step.group_id = watered.id and step.state = 'closed'
        order by began_ms desc, run.id desc, seq desc limit 1) last
      where finding in ('no-flow', 'low-flow', 'high-flow', 'not-open'))
    select distinct what, node.id as "nodeId", node.path, company.tenant
    from fault join irrigation_source source on source.id = fault.source_id join node on node.id = source.node_id
      join company on company.id = node.company_id`.execute(db)
  return rows
}
