import { alarmKind, alarmSeverity } from '@isotherm/contract/alarms/alarm-kinds'
import type { Alarm, AlarmBalance, AlarmCounts } from '@isotherm/contract/alarms/alarms'
import type { DeviceKind } from '@isotherm/contract/devices'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toConditions, toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import { devicePath } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { toNodeKey } from '../../network/index.ts'
import {
  isAlarmBelow,
  isAlarmInScope,
  isSilenced,
  placedAlarms,
  silencedUntil,
} from '../model/alarm-scope.pg.ts'
import { toAlarmAbilities, type Viewer } from '../model/policy.ts'
import { alarmFields, severityRank } from './alarm-fields.pg.ts'

interface Row {
  readonly id: number
  readonly kind: string
  readonly severity: Alarm['severity']
  readonly state: Alarm['state']
  readonly nodeId: number
  readonly uuid: string | null
  readonly address: string | null
  readonly nestaddr: string
  readonly path: string
  readonly deviceId: number | null
  readonly deviceName: string | null
  readonly deviceKind: DeviceKind | null
  readonly imei: string | null
  readonly balance: AlarmBalance | null
  readonly value: number | null
  readonly ruleId: number | null
  readonly raisedAt: Date
  readonly clearedAt: Date | null
  readonly occurrences: number
  readonly acknowledgedBy: string | null
  readonly acknowledgedAt: Date | null
  readonly assignee: string | null
  readonly comment: string
  readonly suppressedBy: number | null
  readonly silencedUntil: Date | null
  readonly version: number
  readonly company: string
}

const columns = (now: number) => sql`
  alarm.id, alarm.kind, alarm.severity, alarm.state, node.id as "nodeId", node.uuid, node.address, node.nestaddr,
  case when device.id is null then node.path else ${devicePath} end as path,
  device.id as "deviceId", device.name as "deviceName", device.kind as "deviceKind", device.serial as imei,
  alarm.balance, alarm.value, alarm.rule_id as "ruleId", alarm.raised_at as "raisedAt", alarm.cleared_at as "clearedAt",
  alarm.occurrences, alarm.acknowledged_by as "acknowledgedBy", alarm.acknowledged_at as "acknowledgedAt",
  alarm.assignee, alarm.comment, alarm.suppressed_by as "suppressedBy", ${silencedUntil(now)} as "silencedUntil",
  alarm.version, (select company.tenant from company where company.id = alarm.company_id) as company`

const toAlarm = (row: Row, viewer: Viewer): Alarm => ({
  id: row.id,
  kind: alarmKind.parse(row.kind),
  severity: row.severity,
  state: row.state,
  node: toNodeKey({ id: row.nodeId, uuid: row.uuid, address: row.address }),
  nestaddr: row.nestaddr,
  deviceId: row.deviceId ?? undefined,
  deviceName: row.deviceName ?? undefined,
  deviceKind: row.deviceKind ?? undefined,
  imei: row.imei ?? undefined,
  balance: row.balance ?? undefined,
  value: row.value ?? undefined,
  ruleId: row.ruleId ?? undefined,
  raisedAt: row.raisedAt.getTime(),
  clearedAt: row.clearedAt?.getTime(),
  occurrences: row.occurrences,
  acknowledgedBy: row.acknowledgedBy ?? undefined,
  acknowledgedAt: row.acknowledgedAt?.getTime(),
  assignee: row.assignee ?? undefined,
  comment: row.comment,
  suppressedBy: row.suppressedBy ?? undefined,
  silencedUntil: row.silencedUntil?.getTime(),
  version: row.version,
  abilities: toAlarmAbilities(viewer, row.state),
})

/** Selection of alarms. */
export interface AlarmSelection {
  readonly scope: Scope
  /** Subtrees of the scope; undefined for all of it. */
  readonly paths: readonly string[] | undefined
  readonly filter: readonly FilterItem[]
  /** Only those that have not ended. */
  readonly open: boolean
  /** Includes suppressed alarms. */
  readonly suppressed: boolean
}

const isSelected = (
  { scope, paths, filter, open, suppressed }: AlarmSelection,
  now: number,
): RawBuilder<SqlBool> => sql<SqlBool>`(
  ${isAlarmInScope(scope)} and ${paths ? isAlarmBelow(paths) : sql`true`}
  and ${open ? sql`alarm.state <> 'ended'` : sql`true`}
  and ${suppressed ? sql`true` : sql`alarm.suppressed_by is null`}
  and ${toConditions(alarmFields(now), filter)})`

/** Number of open alarms in the scope that each of these alarms suppresses; without alarms that suppress none. */
async function countSuppressed(
  db: Database,
  scope: Scope,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ id: number; count: number }>`
    select alarm.suppressed_by as id, count(*) as count from ${placedAlarms}
    where alarm.suppressed_by = any(${[...ids]}::bigint[]) and alarm.state <> 'ended' and ${isAlarmInScope(scope)}
    group by alarm.suppressed_by`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** A page of the alarms that match: the open ones by severity, all of them by age. */
export const listAlarms = (
  db: Database,
  viewer: Viewer,
  selection: AlarmSelection,
  { limiter, now }: { readonly limiter: Limiter; readonly now: number },
): Promise<{ datalist: Alarm[]; total: number }> =>
  withListLimits(db, selection.filter, async (bounded) => {
    const matching = isSelected(selection, now)
    const order = selection.open ? sql`${severityRank}, alarm.raised_at desc` : sql`alarm.raised_at desc`
    const { rows } = await sql<Row>`
      select ${columns(now)} from ${placedAlarms} where ${matching}
      order by ${order}, alarm.id desc limit ${limiter.size} offset ${toOffset(limiter)}`.execute(bounded)
    const total = await toTotal(limiter, rows.length, async () => {
      const counted = await sql<{ total: number }>`
        select count(*) as total from ${placedAlarms} where ${matching}`.execute(bounded)
      return counted.rows[0]?.total ?? 0
    })
    const ids = rows.map(({ id }) => id)
    const suppressed = await countSuppressed(bounded, selection.scope, ids)
    const datalist = rows.map((row) => ({ ...toAlarm(row, viewer), suppresses: suppressed.get(row.id) ?? 0 }))
    return { datalist, total }
  })

/** Ids of all selected alarms, ascending. */
export const findAlarmIds = (
  db: Database,
  selection: AlarmSelection,
  now: number,
): Promise<readonly number[]> =>
  withListLimits(db, selection.filter, async (bounded) => {
    const { rows } = await sql<{ id: number }>`
      select alarm.id from ${placedAlarms} where ${isSelected(selection, now)} order by alarm.id`.execute(
      bounded,
    )
    return rows.map(({ id }) => id)
  })

/** An alarm with its path and its company. */
export interface PlacedAlarm {
  readonly alarm: Alarm
  readonly path: string
  readonly company: string
}

/** Alarms of `ids` in the viewer's scope. */
export async function findAlarms(
  db: Database,
  viewer: Viewer,
  ids: readonly number[],
  now: number,
): Promise<readonly PlacedAlarm[]> {
  const { rows } = await sql<Row>`
    select ${columns(now)} from ${placedAlarms}
    where alarm.id = any(${[...ids]}::bigint[]) and ${isAlarmInScope(viewer.scope)}`.execute(db)
  return rows.map((row) => ({ alarm: toAlarm(row, viewer), path: row.path, company: row.company }))
}

interface CountRow {
  readonly severity: Alarm['severity']
  readonly active: number
  readonly unacknowledged: number
  readonly total: number
  readonly suppressed: number
  readonly silenced: number
}

/** Open alarms by severity. */
export async function countAlarms(
  db: Database,
  { scope, paths }: Pick<AlarmSelection, 'scope' | 'paths'>,
  now: number,
): Promise<AlarmCounts> {
  const { rows } = await sql<CountRow>`
    select severity, count(*) filter (where shown and state like 'active%') as active,
      count(*) filter (where shown and state in ('active', 'cleared')) as unacknowledged,
      count(*) filter (where shown) as total, count(*) filter (where suppressed) as suppressed,
      count(*) filter (where silenced and not suppressed) as silenced
    from (
      select severity, state, suppressed, silenced, not suppressed and not silenced as shown from (
        select alarm.severity, alarm.state, alarm.suppressed_by is not null as suppressed,
          ${isSilenced(now)} as silenced
        from ${placedAlarms}
        where alarm.state <> 'ended' and ${isAlarmInScope(scope)} and ${paths ? isAlarmBelow(paths) : sql`true`}
      ) open) judged
    group by severity`.execute(db)
  const bySeverity = new Map(rows.map((row) => [row.severity, row]))
  const sum = (field: 'suppressed' | 'silenced'): number => rows.reduce((all, row) => all + row[field], 0)
  return {
    bySeverity: alarmSeverity.options.map((severity) => {
      const { active = 0, unacknowledged = 0, total = 0 } = bySeverity.get(severity) ?? {}
      return { severity, active, unacknowledged, total }
    }),
    suppressed: sum('suppressed'),
    silenced: sum('silenced'),
  }
}
