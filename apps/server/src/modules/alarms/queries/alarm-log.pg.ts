import { alarmKind } from '@isotherm/contract/alarms/alarm-kinds'
import type { AlarmLogEntry } from '@isotherm/contract/alarms/alarms'
import type { FilterItem, Limiter } from '@isotherm/contract/filter'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toConditions, toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import { withListLimits } from '../../../platform/postgres/list-limits.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { toNodeKey } from '../../network/index.ts'
import { isAlarmBelow, isAlarmInScope } from '../model/alarm-scope.pg.ts'
import { logFields } from './alarm-fields.pg.ts'

/** Selection of log entries. */
export interface LogSelection {
  readonly scope: Scope
  /** Subtrees of the scope; undefined for all of it. */
  readonly paths: readonly string[] | undefined
  readonly alarmId?: number | undefined
  /** Half-open range, Unix ms. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly filter: readonly FilterItem[]
}

interface Row {
  readonly id: number
  readonly at: Date
  readonly event: AlarmLogEntry['event']
  readonly account: string
  readonly detail: string
  readonly alarmId: number
  readonly kind: string
  readonly severity: AlarmLogEntry['severity']
  readonly nodeId: number
  readonly uuid: string | null
  readonly address: string | null
  readonly nestaddr: string
  readonly deviceId: number | null
  readonly deviceName: string | null
}

const joined = sql`
  alarm_event event join alarm on alarm.id = event.alarm_id
  left join device on device.id = alarm.device_id
  join node on node.id = coalesce(device.node_id, alarm.node_id)`

const isSelected = ({
  scope,
  paths,
  alarmId,
  from,
  to,
  filter,
}: LogSelection): RawBuilder<SqlBool> => sql<SqlBool>`(
  ${isAlarmInScope(scope)} and ${paths ? isAlarmBelow(paths) : sql`true`}
  and ${alarmId === undefined ? sql`true` : sql`event.alarm_id = ${alarmId}`}
  and ${from === undefined ? sql`true` : sql`event.at >= ${new Date(from)}`}
  and ${to === undefined ? sql`true` : sql`event.at < ${new Date(to)}`}
  and ${toConditions(logFields, filter)})`

const columns = sql`
  event.id, event.at, event.event, event.account, event.detail, alarm.id as "alarmId", alarm.kind, alarm.severity,
  node.id as "nodeId", node.uuid, node.address, node.nestaddr, device.id as "deviceId", device.name as "deviceName"`

const toEntry = ({ nodeId, uuid, address, deviceId, deviceName, kind, at, ...row }: Row): AlarmLogEntry => ({
  ...row,
  kind: alarmKind.parse(kind),
  at: at.getTime(),
  node: toNodeKey({ id: nodeId, uuid, address }),
  ...(deviceId === null ? {} : { deviceId }),
  ...(deviceName === null ? {} : { deviceName }),
})

const count = async (db: Database, selection: LogSelection): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${joined} where ${isSelected(selection)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** A page of the log, newest first. New entries are always added at the end. */
export const listLog = (
  db: Database,
  selection: LogSelection,
  limiter: Limiter,
): Promise<{ datalist: AlarmLogEntry[]; total: number }> =>
  withListLimits(db, selection.filter, async (bounded) => {
    const { rows } = await sql<Row>`
      select ${columns} from ${joined} where ${isSelected(selection)}
      order by event.id desc limit ${limiter.size} offset ${toOffset(limiter)}`.execute(bounded)
    const total = await toTotal(limiter, rows.length, () => count(bounded, selection))
    return { datalist: rows.map(toEntry), total }
  })

export const countLog = (db: Database, selection: LogSelection): Promise<number> =>
  withListLimits(db, selection.filter, (bounded) => count(bounded, selection))

const ROWS_AT_ONCE = 1_000

/** Streams the selected entries, newest first, in parts of ROWS_AT_ONCE. */
export async function* readLog(db: Database, selection: LogSelection): AsyncGenerator<AlarmLogEntry> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const last = before
    const rows = await withListLimits(db, selection.filter, async (bounded) => {
      const part = await sql<Row>`
        select ${columns} from ${joined} where event.id < ${last} and ${isSelected(selection)}
        order by event.id desc limit ${ROWS_AT_ONCE}`.execute(bounded)
      return part.rows
    })
    for (const row of rows) yield toEntry(row)
    const end = rows.at(-1)
    if (!end || rows.length < ROWS_AT_ONCE) return
    before = end.id
  }
}
