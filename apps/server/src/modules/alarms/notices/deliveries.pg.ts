import type { AlarmDelivery } from '@isotherm/contract/alarms/alarms'
import type { InputOf } from '@isotherm/contract/endpoint'
import type { getAlarmDeliveries } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { sql } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset, toTotal } from '../../../platform/postgres/filter.pg.ts'
import { isInScope } from '../../../platform/scope/scope.pg.ts'
import { requireHandling } from '../model/policy.ts'

/** Lists the messages of a target, the newest first. Throws alarm-target.not-found. */
export type ListDeliveries = (
  caller: Caller,
  input: InputOf<typeof getAlarmDeliveries>,
) => Promise<{ datalist: AlarmDelivery[]; total: number }>

interface Row extends Pick<AlarmDelivery, 'id' | 'event' | 'state' | 'attempts'> {
  readonly alarmId: number | null
  readonly kind: AlarmDelivery['kind'] | null
  readonly severity: AlarmDelivery['severity'] | null
  readonly at: Date
  readonly nestaddr: string
  readonly nextAt: Date
  readonly sentAt: Date | null
  readonly fault: AlarmDelivery['fault'] | null
}

const toDelivery = ({ at, nextAt, sentAt, fault, alarmId, kind, severity, ...row }: Row): AlarmDelivery => ({
  ...row,
  ...(alarmId === null ? {} : { alarmId }),
  ...(kind ? { kind } : {}),
  ...(severity ? { severity } : {}),
  at: at.getTime(),
  ...(row.state === 'waiting' ? { nextAt: nextAt.getTime() } : {}),
  ...(sentAt === null ? {} : { sentAt: sentAt.getTime() }),
  ...(fault === null ? {} : { fault }),
})

export const createListDeliveries =
  (db: Database): ListDeliveries =>
  async (caller, { id, limiter }) => {
    requireHandling(caller)
    const found = await sql`
      select from alarm_target target join node on node.id = target.node_id
      where target.id = ${id} and ${isInScope('node.path', caller.scope)}`.execute(db)
    if (found.rows.length === 0) throw new AppError('alarm-target.not-found')
    const { rows } = await sql<Row>`
      select notice.id, notice.created_at as at, notice.body::jsonb ->> 'event' as event, notice.alarm_id as "alarmId",
        alarm.kind, alarm.severity, coalesce(notice.body::jsonb -> 'alarm', notice.body::jsonb) ->> 'nestaddr' as nestaddr, notice.state, notice.attempts,
        notice.next_at as "nextAt", notice.sent_at as "sentAt", notice.fault
      from alarm_notice notice left join alarm on alarm.id = notice.alarm_id
      where notice.target_id = ${id}
      order by notice.id desc limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
    const total = await toTotal(limiter, rows.length, async () => {
      const counted = await sql<{ total: number }>`
        select count(*) as total from alarm_notice where target_id = ${id}`.execute(db)
      return counted.rows[0]?.total ?? 0
    })
    return { datalist: rows.map(toDelivery), total }
  }
