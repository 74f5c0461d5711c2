import { commandPriorities } from '@isotherm/contract/command'
import { sql } from 'kysely'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { DueCommand } from '../model/records.ts'
import type {} from '../model/tables.ts'

/** What a replica asks of the lanes that have something to bring. Instants are Unix ms. */
export interface LaneClaim {
  readonly worker: string
  readonly now: number
  /** Until when no other replica works on what is taken. */
  readonly leaseUntil: number
  /** Lanes to take at most, and commands under way in each. */
  readonly lanes: number
  readonly window: number
  /** Tried before it, a command is no longer under way: its device does not answer. */
  readonly answerBy: number
  /** Lanes it works on already. */
  readonly busy: readonly number[]
  /** Sleeping clients that have just been heard. */
  readonly awake: readonly number[]
  /** When a command is due again after each attempt, ms; after the last no more. */
  readonly retryAfter: readonly number[]
}

/** How many commands each of some lanes has under way, and how many of them are emergencies. */
const underWay = (answerBy: number, lanes: ReturnType<typeof sql>) => sql`
  select lane_id, count(*) as commands, count(*) filter (where priority = 'emergency') as emergencies
  from command where tried_ms > ${answerBy} and lane_id in (${lanes}) group by lane_id`

const isDue = ({ now, awake }: LaneClaim) => sql`(
  next_attempt_ms <= ${now} and expires_ms > ${now}
  and (not sleeps or lane_id = any(${[...awake]}::bigint[]))
  and batch_id <> all(array(select id from command_batch where state = 'paused')))`

/** The most a lane may have under way: a client that sleeps is told one thing at a time. */
const windowOf = ({ window }: LaneClaim) => sql`case when sleeps then 1 else ${window}::bigint end`

/** The higher goes before the lower. */
const rank = sql`array_position(${[...commandPriorities]}::text[], priority)`

/**
 * Takes lanes that have something due and room for it, and of each as many commands as it has room for, those of
 * the highest priority first; emergencies have a window of their own, in which only emergencies count. Each that is
 * taken counts as tried and is due again when `retryAfter` says. No other replica works on these lanes meanwhile.
 */
export const takeFromLanes = (db: Database, claim: LaneClaim): Promise<readonly DueCommand[]> =>
  db.transaction().execute(async (transaction) => {
    const { worker, now, leaseUntil, busy } = claim
    const { rows: lanes } = await sql<{ id: number }>`
      with waiting as materialized (
        select lane_id, sleeps, min(next_attempt_ms) as since, bool_or(priority = 'emergency') as urgent from command
        where ${isDue(claim)} and lane_id <> all(${[...busy]}::bigint[])
          -- None is open for a device that is out of use but what was before that ended commands; it expires.
          and exists (select from device where device.id = device_id and retired_at is null)
        group by lane_id, sleeps
      ), under_way as materialized (${underWay(claim.answerBy, sql`select lane_id from waiting`)}), due as (
        select waiting.* from waiting left join under_way using (lane_id)
        where coalesce(commands, 0) < ${windowOf(claim)}
          or (urgent and coalesce(emergencies, 0) < ${windowOf(claim)})
      ), free as (
        select due.lane_id, bool_or(urgent) as urgent, min(since) as since
        from due left join command_lane lane on lane.id = due.lane_id
        where lane.worker is null or lane.worker = ${worker} or lane.lease_until_ms <= ${now}
        group by due.lane_id order by urgent desc, since limit ${claim.lanes}
      )
      insert into command_lane (id, worker, lease_until_ms)
      select lane_id, ${worker}, ${leaseUntil}::bigint from free order by lane_id
      on conflict (id) do update set worker = excluded.worker, lease_until_ms = excluded.lease_until_ms
      where command_lane.worker = excluded.worker or command_lane.lease_until_ms <= ${now}
      returning id`.execute(transaction)
    if (lanes.length === 0) return []
    const claimed = sql`select unnest(${lanes.map(({ id }) => id)}::bigint[])`
    const { rows } = await sql<DueCommand>`
      with under_way as materialized (${underWay(claim.answerBy, claimed)}), placed as (
        select id,
          row_number() over (partition by lane_id order by ${rank} desc, next_attempt_ms, id) as place
        from command
        where lane_id in (${claimed}) and ${isDue(claim)}
          and exists (select from device where device.id = device_id and retired_at is null)
      ), chosen as (
        select command.id from command join placed using (id)
          left join under_way on under_way.lane_id = command.lane_id
        where placed.place <= ${windowOf(claim)}
          - coalesce(case when priority = 'emergency' then emergencies else commands end, 0)
        for no key update of command skip locked
      )
      update command set attempts = attempts + 1, tried_ms = ${now}::bigint,
        next_attempt_ms = ${now}::bigint + (${[...claim.retryAfter]}::bigint[])[attempts + 1]
      from chosen where command.id = chosen.id and next_attempt_ms <= ${now}
      returning command.id, lane_id as "laneId", device_id as "deviceId", command.kind,
        coalesce(opening_pct, head_kpa) as target, rev,
        created_ms as "createdAt", expires_ms as "expiresAt"`.execute(transaction)
    const taken = new Set(rows.map(({ laneId }) => laneId))
    // What was due there is just being changed by somebody else.
    const idle = lanes.flatMap(({ id }) => (taken.has(id) ? [] : [id]))
    if (idle.length > 0) await releaseLanes(transaction, worker, idle)
    return rows
  })

/** Lets other replicas have lanes at once. */
export async function releaseLanes(db: Database, worker: string, ids: readonly number[]): Promise<void> {
  await sql`delete from command_lane where id = any(${[...ids]}::bigint[]) and worker = ${worker}`.execute(db)
}

/** Takes attempts back that did not reach the broker; the commands are due again at `nextAt`. */
export async function postpone(db: Database, ids: readonly string[], nextAt: number): Promise<void> {
  await sql`
    update command set attempts = attempts - 1, tried_ms = null, next_attempt_ms = ${nextAt}::bigint
    where id in (
      select id from command where id = any(${[...ids]}::text[]) and state in ('queued', 'sent')
      order by id for no key update)`.execute(db)
}

/** Sleeping clients for which something waits. */
export async function listAsleep(db: Database): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct lane_id as id from command where sleeps and next_attempt_ms is not null`.execute(db)
  return rows.map(({ id }) => id)
}
