import type { AlarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import { alarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmState } from '@isotherm/contract/alarms/alarms'
import { sql } from 'kysely'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { RestoredWatch } from '../engine/engine.ts'
import type { Originator } from '../engine/watches.ts'

interface Row {
  readonly kind: string
  readonly deviceId: number | null
  readonly nodeId: number | null
}

const toOriginator = ({ deviceId, nodeId }: Row): Originator =>
  deviceId === null ? { nodeId: nodeId ?? 0 } : { deviceId }

/** A stored alarm with its current state. */
export interface KnownAlarm {
  readonly id: number
  readonly kind: AlarmKind
  readonly originator: Originator
  readonly state: AlarmState
}

/** Reads the states of the alarms of `ids`, or of all open alarms, in companies that this server serves. Skips kinds that this version does not know. */
export async function readStates(db: Database, ids?: readonly number[]): Promise<readonly KnownAlarm[]> {
  const which = ids ? sql`id = any(${[...ids]}::bigint[])` : sql`state <> 'ended'`
  const { rows } = await sql<Row & { id: number; state: AlarmState }>`
    select id, kind, state, device_id as "deviceId", node_id as "nodeId" from alarm
    where ${which} and ${isServed('company_id')}`.execute(db)
  return rows.flatMap((row) => {
    const kind = alarmKind.safeParse(row.kind).data
    return kind ? [{ id: row.id, kind, originator: toOriginator(row), state: row.state }] : []
  })
}

/** Reads the active alarms and running delays, to restore them after a restart. */
export async function readOpenWatches(db: Database): Promise<readonly RestoredWatch[]> {
  const { rows } = await sql<
    Row & { phase: RestoredWatch['phase']; since: number; path: string | null; tenant: string | null }
  >`
    with known as (
      select kind, device_id, node_id, 'raised' as phase,
        floor(extract(epoch from raised_at) * 1000)::bigint as since
      from alarm where state like 'active%' and not exists (
        select from alarm_delay delay where delay.originator = alarm.originator and delay.kind = alarm.kind)
      union all select kind, device_id, node_id, phase, since_ms from alarm_delay)
    select known.kind, known.device_id as "deviceId", known.node_id as "nodeId", phase, since,
      node.path, company.tenant
    from known left join node on node.id = known.node_id left join company on company.id = node.company_id
      left join device on device.id = known.device_id
    where ${isServed(sql`coalesce(device.company_id, node.company_id)`)}`.execute(db)
  return rows.flatMap((row) => {
    const kind = alarmKind.safeParse(row.kind).data
    if (!kind) return []
    const { phase, since, path, tenant } = row
    const place = path !== null && tenant !== null ? { place: { path, tenant } } : {}
    return [{ kind, originator: toOriginator(row), phase, since, ...place }]
  })
}
