import type { AlarmNotice } from '@isotherm/contract/alarms/alarms'
import type { DutyTimes, NoticeChannel, NoticeLanguage } from '@isotherm/contract/alarms/notice-channels'
import { DAY_MS, MINUTE_MS } from '@isotherm/kernel/durations'
import { sql, type Transaction } from 'kysely'
import { ulid } from 'ulid'
import { isServed } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { scopeOfEverything } from '../../../platform/scope/scope.ts'
import type { Tables } from '../../../platform/tables.ts'
import { isSilenced, placedAlarms } from '../model/alarm-scope.pg.ts'
import { findAlarms, type PlacedAlarm } from '../queries/alarm-rows.pg.ts'
import type { DeliveryError } from './delivery-fault.ts'
import { isOnDuty } from './times/duty.ts'

const ALARMS_AT_ONCE = 200
const nobody = { permissions: new Set<never>(), scope: scopeOfEverything }

interface Due {
  readonly id: number
  readonly event: AlarmNotice['event']
  /** The driver gives the numbers of an array as text. */
  readonly targetIds: readonly (number | string)[]
}

/** Alarms of companies that this server serves with a pending notification, each with its targets. Marks them as notified. */
async function takeDue(db: Transaction<Tables>, now: number): Promise<readonly Due[]> {
  const { rows } = await sql<Due>`
    with due as (
      select alarm.id, node.path from ${placedAlarms}
      where ((alarm.state like 'active%' and alarm.told <> 'raised')
          or (alarm.state not like 'active%' and alarm.told = 'raised'))
        and alarm.suppressed_by is null and not ${isSilenced(now)} and ${isServed('alarm.company_id')}
      order by alarm.id limit ${ALARMS_AT_ONCE} for update of alarm skip locked),
    told as (
      update alarm set told = case when alarm.state like 'active%' then 'raised' else 'cleared' end
      from due where alarm.id = due.id
      returning alarm.id, alarm.told as event, alarm.company_id, alarm.severity, alarm.kind, due.path)
    select told.id, told.event, array(
      select target.id from alarm_target target join node place on place.id = target.node_id
      where target.enabled and target.company_id = told.company_id and starts_with(told.path, place.path)
        and not coalesce((target.report ->> 'isOnly')::boolean, false)
        and (target.severities = '{}' or told.severity = any(target.severities))
        and (target.kinds = '{}' or told.kind = any(target.kinds))
        -- A target that got no notice of this start gets none of the end; the same alarm can start several times.
        and (told.event = 'raised' or 'raised' = (
          select notice.body::jsonb ->> 'event' from alarm_notice notice
          where notice.target_id = target.id and notice.alarm_id = told.id and notice.state <> 'not-needed'
          order by notice.id desc limit 1))
      order by target.id) as "targetIds"
    from told order by told.id`.execute(db)
  return rows
}

interface TargetTimes {
  readonly afterMin: number
  readonly duty: DutyTimes | null
  readonly zone: string
}

/** When targets want their messages. */
async function readTimes(
  db: Transaction<Tables>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TargetTimes>> {
  const { rows } = await sql<TargetTimes & { id: number }>`
    select target.id, target.after_min as "afterMin", target.duty, company.time_zone as zone
    from alarm_target target join company on company.id = target.company_id
    where target.id = any(${[...ids]}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** When a target gets a message; undefined if it is not on duty then. The end of an alarm is reported at once. */
function findDueAt(
  times: TargetTimes | undefined,
  event: AlarmNotice['event'],
  now: number,
): number | undefined {
  if (!times || event === 'cleared') return now
  const at = now + times.afterMin * MINUTE_MS
  return times.duty === null || isOnDuty(times.duty, times.zone, at) ? at : undefined
}

/**
 * Ends waiting messages of escalations whose alarm was acknowledged or ended in time, and those that would follow
 * them.
 */
async function dropUnneeded(db: Transaction<Tables>): Promise<void> {
  const isFirst = sql<boolean>`notice.body::jsonb ->> 'event' = 'raised'`
  await sql`
    with dropped as (
      update alarm_notice notice set state = 'not-needed' from alarm_target target, alarm
      where target.id = notice.target_id and alarm.id = notice.alarm_id and target.after_min > 0
        and notice.state = 'waiting' and notice.attempts = 0 and ${isFirst} and alarm.state <> 'active'
        and ${isServed('alarm.company_id')}
      returning notice.target_id, notice.alarm_id)
    update alarm_notice notice set state = 'not-needed' from dropped
    where notice.target_id = dropped.target_id and notice.alarm_id = dropped.alarm_id
      and notice.state = 'waiting' and not ${isFirst}`.execute(db)
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
 * Stores the notices of pending notifications in one transaction, so that each is sent at least once. Resolves with
 * the number of alarms.
 */
export function storeDueNotices(db: Database, now: number): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await dropUnneeded(transaction)
    const due = await takeDue(transaction, now)
    const withTargets = due.filter(({ targetIds }) => targetIds.length > 0)
    const alarms = await findAlarms(
      transaction,
      nobody,
      withTargets.map(({ id }) => id),
      now,
    )
    const times = await readTimes(transaction, [
      ...new Set(withTargets.flatMap(({ targetIds }) => targetIds.map(Number))),
    ])
    const byId = new Map(alarms.map((placed) => [placed.alarm.id, placed]))
    const notices = withTargets.flatMap(({ id, event, targetIds }) => {
      const placed = byId.get(id)
      if (!placed) return []
      return targetIds.flatMap((targetId) => {
        const dueAt = findDueAt(times.get(Number(targetId)), event, now)
        if (dueAt === undefined) return []
        const notice = toNotice(placed, event, now)
        return {
          key: notice.id,
          target_id: Number(targetId),
          alarm_id: id,
          body: JSON.stringify(notice),
          next_at: new Date(dueAt),
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
  readonly channel: NoticeChannel
  readonly language: NoticeLanguage
  readonly url: string
  readonly secret: string
  /** Numbers that an earlier attempt reached. */
  readonly reached: readonly string[]
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
 * Claims due notices of companies that this server serves with a lease of `leaseMs`. Notices of one alarm to one target are sent in order. Companies take
 * turns, and so do the targets of a company. A target that is being sent to gets no more notices.
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
      where target.enabled and target.id <> all(${excluded}::bigint[]) and ${isServed('target.company_id')}
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
      notice.attempts, notice.reached, target.channel, target.language, target.url, target.secret`.execute(db)
  return rows
}

/** Records a delivered notice. */
export async function recordSent(db: Database, { id, targetId }: DueNotice, at: number): Promise<void> {
  await sql`
    with sent as (update alarm_notice set state = 'sent', sent_at = ${new Date(at)}, fault = null where id = ${id})
    update alarm_target set sent_at = ${new Date(at)}, fault = null where id = ${targetId}`.execute(db)
}

/** Records a failed attempt and whom it reached all the same. `nextAt` undefined ends the retries. */
export async function recordFailed(
  db: Database,
  { id, targetId }: DueNotice,
  { fault, reached }: Pick<DeliveryError, 'fault' | 'reached'>,
  nextAt: number | undefined,
): Promise<void> {
  const change = nextAt === undefined ? sql`state = 'given-up'` : sql`next_at = ${new Date(nextAt)}`
  await sql`
    with failed as (
      update alarm_notice set ${change}, fault = ${fault}, reached = ${[...reached]}::text[] where id = ${id})
    update alarm_target set fault = ${fault} where id = ${targetId}`.execute(db)
}

const RETENTION_MS = 30 * DAY_MS

/** Deletes old notices of ended alarms, and old reports. */
export async function sweepNotices(db: Database, now: number): Promise<void> {
  await sql`
    delete from alarm_notice where alarm_id is null and state <> 'waiting'
      and created_at < ${new Date(now - RETENTION_MS)}`.execute(db)
  await sql`
    delete from alarm_notice using alarm
    where alarm.id = alarm_notice.alarm_id and alarm.state = 'ended'
      and alarm_notice.state <> 'waiting' and alarm_notice.created_at < ${new Date(now - RETENTION_MS)}`.execute(
    db,
  )
}
