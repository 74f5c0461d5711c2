import type { AlarmNotice, TargetFault } from '@isotherm/contract/alarms/alarms'
import { DAY_MS } from '@isotherm/kernel/durations'
import { sql, type Transaction } from 'kysely'
import { ulid } from 'ulid'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { isSilenced, placedAlarms } from '../model/alarm-scope.pg.ts'
import { findAlarms, type PlacedAlarm } from '../queries/alarm-rows.pg.ts'

const ALARMS_AT_ONCE = 200
const nobody = { permissions: new Set<never>(), scope: scopeOfEverything }

interface Due {
  readonly id: number
  readonly event: AlarmNotice['event']
  readonly targetIds: readonly number[]
}

/** Alarms with a pending notification, each with its targets. Marks them as notified. */
async function takeDue(db: Transaction<Tables>, now: number): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    with due as (
      select alarm.id, node.path from ${placedAlarms}
      where ((alarm.state like 'active%' and alarm.told <> 'raised')
          or (alarm.state not like 'active%' and alarm.told = 'raised'))
        and alarm.suppressed_by is null and not ${isSilenced(now)}
      order by alarm.id limit ${ALARMS_AT_ONCE} for update of alarm skip locked),
    told as (
      update alarm set told = case when alarm.state like 'active%' then 'raised' else 'cleared' end
      from due where alarm.id = due.id
      returning alarm.id, alarm.told as event, alarm.company_id, alarm.severity, alarm.kind, due.path)
    select told.id, told.event, array(
      select target.id from alarm_target target join node place on place.id = target.node_id
      where target.enabled and target.company_id = told.company_id and starts_with(told.path, place.path)
        and (target.severities = '{}' or told.severity = any(target.severities))
        and (target.kinds = '{}' or told.kind = any(target.kinds))
        -- A target that got no notice of the start gets none of the end.
        and (told.event = 'raised' or exists (
          select from alarm_notice notice where notice.target_id = target.id and notice.alarm_id = told.id))
      order by target.id) as "targetIds"
    from told order by told.id`.execute(db)
  return rows
}

function toNotice({ alarm, company }: PlacedAlarm, event: AlarmNotice['event'], at: number): AlarmNotice {
  const {
    abilities: _,
    version: _version,
    suppressedBy: _by,
    silencedUntil: _until,
    comment: _comment,
    ...shared
  } = alarm
  return { v: 1, id: ulid(at), event, at, alarm: { ...shared, company } }
}

/**
 * Finds pending notifications and stores their notices in one transaction, so that each is sent at least once. Resolves with
 * the number of alarms.
 */
export function decideNotices(db: Database, now: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const due = await takeDue(transaction, now)
    const withTargets = due.filter(({ targetIds }) => targetIds.length > 0)
    const alarms = await findAlarms(
      transaction,
      nobody,
      withTargets.map(({ id }) => id),
      now,
    )
    const byId = new Map(alarms.map((placed) => [placed.alarm.id, placed]))
    const notices = withTargets.flatMap(({ id, event, targetIds }) => {
      const placed = byId.get(id)
      if (!placed) return []
      return targetIds.map((targetId) => {
        const notice = toNotice(placed, event, now)
        return {
          key: notice.id,
          target_id: targetId,
          alarm_id: id,
          body: JSON.stringify(notice),
          next_at: new Date(now),
          created_at: new Date(now),
        }
      })
    })
    if (notices.length > 0) await transaction.insertInto('alarm_notice').values(notices).execute()
    return due.length
  })
}

/** A notice to be sent now. */
export interface DueNotice {
  readonly id: number
  readonly targetId: number
  readonly companyId: number
  readonly key: string
  readonly body: string
  /** Number of attempts, including this one. */
  readonly attempts: number
  readonly url: string
  readonly secret: string
}

export interface NoticeClaim {
  readonly now: number
  readonly limit: number
  readonly leaseMs: number
  /** Notices that this replica is sending. */
  readonly sending: readonly Pick<DueNotice, 'targetId' | 'companyId'>[]
  /** Targets that are paused after a failure. */
  readonly resting: readonly number[]
}

/** Maximum number of concurrent notices of one target, and of a failing target. */
const OF_ONE_TARGET = 4
const OF_A_FAILING_TARGET = 1
/** Maximum number of concurrent notices of a company, so that slow targets do not block other companies. */
export const OF_ONE_COMPANY = 8

/**
 * Claims due notices with a lease of `leaseMs`. Notices of one alarm to one target are sent in order. Companies take turns,
 * and so do the targets of a company. A target that is being sent to gets no more notices.
 */
export async function claimNotices(
  db: Database,
  { now, limit, leaseMs, sending, resting }: NoticeClaim,
): Promise<readonly DueNotice[]> {
  const at = new Date(now)
  const excluded = [...resting, ...sending.map(({ targetId }) => targetId)]
  const { rows } = await sql<DueNotice>`
    with ready as (
      select target.company_id, due.id, due.turn
      from alarm_target target cross join lateral (
        select first.id, row_number() over (order by first.id) as turn
        from (
          select notice.id from alarm_notice notice
          where notice.target_id = target.id and notice.state = 'waiting' and notice.next_at <= ${at}
            and not exists (
              select from alarm_notice earlier where earlier.alarm_id = notice.alarm_id
                and earlier.target_id = notice.target_id and earlier.state = 'waiting' and earlier.id < notice.id)
          order by notice.id
          limit ${OF_ONE_TARGET}
        ) first) due
      where target.enabled and target.id <> all(${excluded}::bigint[])
        and (target.fault is null or due.turn <= ${OF_A_FAILING_TARGET})),
    fair as (
      select id, turn, row_number() over (partition by company_id order by turn, id) + (
        select count(*) from unnest(${sending.map(({ companyId }) => companyId)}::bigint[]) busy (company_id)
        where busy.company_id = ready.company_id) as company_turn
      from ready),
    taken as (
      select notice.id from alarm_notice notice join fair on fair.id = notice.id
      where fair.company_turn <= ${OF_ONE_COMPANY} and notice.state = 'waiting' and notice.next_at <= ${at}
      order by fair.company_turn, fair.turn, notice.id limit ${limit} for update of notice skip locked)
    update alarm_notice notice set attempts = attempts + 1, next_at = ${new Date(now + leaseMs)}
    from taken, alarm_target target
    where notice.id = taken.id and target.id = notice.target_id
    returning notice.id, notice.target_id as "targetId", target.company_id as "companyId", notice.key, notice.body,
      notice.attempts, target.url, target.secret`.execute(db)
  return rows
}

/** Records a delivered notice. */
export async function recordSent(db: Database, { id, targetId }: DueNotice, at: number): Promise<void> {
  await sql`
    with sent as (update alarm_notice set state = 'sent' where id = ${id})
    update alarm_target set sent_at = ${new Date(at)}, fault = null where id = ${targetId}`.execute(db)
}

/** Records a failed attempt. `nextAt` undefined ends the retries. */
export async function recordFailed(
  db: Database,
  { id, targetId }: DueNotice,
  fault: TargetFault,
  nextAt: number | undefined,
): Promise<void> {
  const change = nextAt === undefined ? sql`state = 'given-up'` : sql`next_at = ${new Date(nextAt)}`
  await sql`
    with failed as (update alarm_notice set ${change} where id = ${id})
    update alarm_target set fault = ${fault} where id = ${targetId}`.execute(db)
}

const RETENTION_MS = 30 * DAY_MS

/** Deletes old notices of ended alarms. */
export async function sweepNotices(db: Database, now: number): Promise<void> {
  await sql`
    delete from alarm_notice using alarm
    where alarm.id = alarm_notice.alarm_id and alarm.state = 'ended'
      and alarm_notice.state <> 'waiting' and alarm_notice.created_at < ${new Date(now - RETENTION_MS)}`.execute(
    db,
  )
}
