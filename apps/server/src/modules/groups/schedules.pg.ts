import type { ScheduleOutcome, WeeklyOrder } from '@isotherm/contract/endpoints/control/group-schedules'
import { sql, type Transaction } from 'kysely'
import { isServed } from '../../platform/cell/served.pg.ts'
import { writeSetting } from '../../platform/operation/write-setting.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { Tables } from '../../platform/tables.ts'
// Adds this module's tables to the type of the database.
import type {} from './tables.ts'

export interface StoredSchedule {
  readonly id: number
  readonly groupId: number
  readonly groupName: string
  readonly companyId: number
  readonly timeZone: string
  readonly version: number
  readonly enabled: boolean
  readonly orders: readonly WeeklyOrder[]
  readonly accountId: number | null
  readonly account: string
  readonly nextMs: number | null
  readonly lastMs: number | null
  readonly lastOpeningPct: number | null
  readonly lastOutcome: ScheduleOutcome | null
  readonly lastLeftOut: number | null
  readonly lastBatchId: string | null
}

const selectSchedules = (db: Database) =>
  db
    .selectFrom('group_schedule')
    .innerJoin('device_group', 'device_group.id', 'group_schedule.device_group_id')
    .innerJoin('company', 'company.id', 'device_group.company_id')
    .select([
      'group_schedule.id',
      'group_schedule.device_group_id as groupId',
      'device_group.name as groupName',
      'device_group.company_id as companyId',
      'company.time_zone as timeZone',
      'group_schedule.version',
      'group_schedule.enabled',
      'group_schedule.orders',
      'group_schedule.account_id as accountId',
      'group_schedule.account',
      'group_schedule.next_ms as nextMs',
      'group_schedule.last_ms as lastMs',
      'group_schedule.last_opening_pct as lastOpeningPct',
      'group_schedule.last_outcome as lastOutcome',
      'group_schedule.last_left_out as lastLeftOut',
      'group_schedule.last_batch_id as lastBatchId',
    ])

export const findSchedule = (db: Database, groupId: number): Promise<StoredSchedule | undefined> =>
  selectSchedules(db).where('group_schedule.device_group_id', '=', groupId).executeTakeFirst()

/** Whether a group has an enabled schedule. */
export async function hasEnabledSchedule(db: Database, groupId: number): Promise<boolean> {
  const found = await db
    .selectFrom('group_schedule')
    .select('id')
    .where('device_group_id', '=', groupId)
    .where('enabled', '=', true)
    .executeTakeFirst()
  return found !== undefined
}

/** Zone of the company of a group. */
export async function findGroupZone(db: Database, groupId: number): Promise<string> {
  const found = await db
    .selectFrom('device_group')
    .innerJoin('company', 'company.id', 'device_group.company_id')
    .select('company.time_zone as timeZone')
    .where('device_group.id', '=', groupId)
    .executeTakeFirst()
  return found?.timeZone ?? 'UTC'
}

/** Enabled schedules of companies that this server serves, with an order that is due at an instant, the oldest first. */
export const listDue = (db: Database, now: number, limit: number): Promise<readonly StoredSchedule[]> =>
  selectSchedules(db)
    .where('group_schedule.enabled', '=', true)
    .where('group_schedule.next_ms', '<=', now)
    .where(isServed('company.id'))
    .orderBy('group_schedule.next_ms')
    .limit(limit)
    .execute()

/** Instant of the earliest next order of these schedules. */
export async function findEarliest(db: Database): Promise<number | undefined> {
  const { earliest } = await db
    .selectFrom('group_schedule')
    .innerJoin('device_group', 'device_group.id', 'group_schedule.device_group_id')
    .select(({ fn }) => fn.min('next_ms').as('earliest'))
    .where('enabled', '=', true)
    .where(isServed('device_group.company_id'))
    .executeTakeFirstOrThrow()
  return earliest === null ? undefined : Number(earliest)
}

export interface NewSchedule {
  readonly groupId: number
  readonly version: number
  readonly enabled: boolean
  readonly orders: readonly WeeklyOrder[]
  readonly accountId: number
  readonly account: string
  readonly nextMs: number | undefined
}

/** Sets the schedule of a group, based on a version; 0 for the first. Throws entity.stale. */
export async function writeSchedule(transaction: Transaction<Tables>, given: NewSchedule): Promise<void> {
  const values = {
    enabled: given.enabled,
    orders: JSON.stringify(given.orders),
    account_id: given.accountId,
    account: given.account,
    next_ms: given.nextMs ?? null,
  }
  const of = { table: 'device_group', id: given.groupId, column: 'device_group_id' } as const
  const { version } = given
  await writeSetting(transaction, { table: 'group_schedule', entity: 'group-schedule', of, version }, values)
}

/** Result of an order, and when the next one is due. */
export interface Advance {
  readonly id: number
  /** The instant that was due: another replica may have advanced it already. */
  readonly dueMs: number
  readonly nextMs: number | undefined
  readonly last: {
    readonly at: number
    readonly openingPct: number
    readonly outcome: ScheduleOutcome
    readonly leftOut: number
    readonly batchId?: string
  }
}

/**
 * Records an order and moves the schedule to the next one. False if it was advanced, changed or disabled meanwhile.
 */
export async function advanceSchedule(
  db: Database | Transaction<Tables>,
  { id, dueMs, nextMs, last }: Advance,
): Promise<boolean> {
  const { rows } = await sql`
    update group_schedule set next_ms = ${nextMs ?? null}::bigint, last_ms = ${last.at}::bigint,
      last_opening_pct = ${last.openingPct}::double precision, last_outcome = ${last.outcome},
      last_left_out = ${last.leftOut}::integer, last_batch_id = ${last.batchId ?? null}::text
    where id = ${id} and next_ms = ${dueMs}::bigint and enabled returning id`.execute(db)
  return rows.length > 0
}
