import { commandPriorities } from '@isotherm/contract/command'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { isServed, isServedDevice } from '../../../platform/cell/served.pg.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import type { DueCommand } from '../model/records.ts'
import type {} from '../model/tables.ts'

/** A replica's claim on queues with due commands. Instants are Unix ms. */
export interface QueueClaim {
  readonly worker: string
  readonly now: number
  /** End of the lease: until then no other replica works on the claimed queues. */
  readonly leaseUntil: number
  /** Maximum number of queues to claim. */
  readonly queues: number
  /** Maximum number of unanswered commands of each queue. */
  readonly window: number
  /** A command that was tried before this instant no longer counts as unanswered: its device does not answer. */
  readonly answerBy: number
  /** Queues that this replica already works on. */
  readonly busy: readonly number[]
  /** Queues of sleeping gateways that have just reported. */
  readonly awake: readonly number[]
  /** Delays before the next attempt, ms, one per attempt. After the last there is no other attempt. */
  readonly retryAfter: readonly number[]
}

/**
 * The longest pause that a command waits for. If its next attempt is later, the clock was set back after the last one, and it would
 * wait for as long as that.
 */
const MAX_PAUSE_MS = 10 * MINUTE_MS

/** Whether the instant of a pause or a lease has come, or is later than any can be. */
const isOver = (instant: ReturnType<typeof sql>, now: number) =>
  sql`(${instant} <= ${now} or ${instant} > ${now + MAX_PAUSE_MS})`

/** Number of unanswered commands of each queue, and of emergencies among them. */
const unanswered = ({ answerBy, now }: QueueClaim, queues: ReturnType<typeof sql>) => sql`
  select lane_id, count(*) as commands, count(*) filter (where priority = 'emergency') as emergencies
  from command where tried_ms > ${answerBy} and tried_ms <= ${now} and lane_id in (${queues}) group by lane_id`

const isDue = ({ now, awake }: QueueClaim) => sql`(
  ${isOver(sql`next_attempt_ms`, now)} and expires_ms > ${now}
  and (not sleeps or lane_id = any(${[...awake]}::bigint[]))
  and batch_id <> all(array(select id from command_batch where state = 'paused')))`

/** Maximum number of unanswered commands of a queue: 1 for a sleeping gateway. */
const windowOf = ({ window }: QueueClaim) => sql`case when sleeps then 1 else ${window}::bigint end`

/** Rank of a priority; a higher rank is sent first. */
const rank = sql`array_position(${[...commandPriorities]}::text[], priority)`

/**
 * Claims queues of companies that this server serves that have due commands and room in their window, and as many commands of each as fit, the highest priority
 * first. Emergencies have a window of their own. A claimed command counts as tried and is due again after its
 * `retryAfter`. No other replica works on these queues during the lease.
 */
export const claimDueCommands = (db: Database, claim: QueueClaim): Promise<readonly DueCommand[]> =>
  db.transaction().execute(async (transaction) => {
    const { worker, now, leaseUntil, busy } = claim
    const { rows: queues } = await sql<{ id: number }>`
      with waiting as materialized (
        select lane_id, sleeps, min(next_attempt_ms) as since, bool_or(priority = 'emergency') as urgent from command
        where ${isDue(claim)} and lane_id <> all(${[...busy]}::bigint[])
          -- A retired device has open commands only from versions that did not end them; they expire.
          and exists (
            select from device where device.id = device_id and retired_at is null and ${isServed('device.company_id')})
        group by lane_id, sleeps
      ), unanswered as materialized (${unanswered(claim, sql`select lane_id from waiting`)}), due as (
        select waiting.* from waiting left join unanswered using (lane_id)
        where coalesce(commands, 0) < ${windowOf(claim)}
          or (urgent and coalesce(emergencies, 0) < ${windowOf(claim)})
      ), free as (
        select due.lane_id, bool_or(urgent) as urgent, min(since) as since
        from due left join command_lane lane on lane.id = due.lane_id
        where lane.worker is null or lane.worker = ${worker} or ${isOver(sql`lane.lease_until_ms`, now)}
        group by due.lane_id order by urgent desc, since limit ${claim.queues}
      )
      insert into command_lane (id, worker, lease_until_ms)
      select lane_id, ${worker}, ${leaseUntil}::bigint from free order by lane_id
      on conflict (id) do update set worker = excluded.worker, lease_until_ms = excluded.lease_until_ms
      where command_lane.worker = excluded.worker or ${isOver(sql`command_lane.lease_until_ms`, now)}
      returning id`.execute(transaction)
    if (queues.length === 0) return []
    const claimed = sql`select unnest(${queues.map(({ id }) => id)}::bigint[])`
    const { rows } = await sql<DueCommand>`
      with unanswered as materialized (${unanswered(claim, claimed)}), placed as (
        select id,
          row_number() over (partition by lane_id order by ${rank} desc, next_attempt_ms, id) as place
        from command
        where lane_id in (${claimed}) and ${isDue(claim)}
          and exists (select from device where device.id = device_id and retired_at is null)
      ), chosen as (
        select command.id from command join placed using (id)
          left join unanswered on unanswered.lane_id = command.lane_id
        where placed.place <= ${windowOf(claim)}
          - coalesce(case when priority = 'emergency' then emergencies else commands end, 0)
        for no key update of command skip locked
      )
      update command set attempts = attempts + 1, tried_ms = ${now}::bigint,
        next_attempt_ms = ${now}::bigint + (${[...claim.retryAfter]}::bigint[])[attempts + 1]
      from chosen where command.id = chosen.id and ${isOver(sql`next_attempt_ms`, now)}
      returning command.id, lane_id as "queueId", device_id as "deviceId", command.kind,
        coalesce(opening_pct, head_kpa, offset_k) as target, rev, max_open_s as "maxOpenS",
        created_ms as "createdAt", expires_ms as "expiresAt"`.execute(transaction)
    const claimedIds = new Set(rows.map(({ queueId }) => queueId))
    // Another transaction is changing the due commands of these queues.
    const idle = queues.flatMap(({ id }) => (claimedIds.has(id) ? [] : [id]))
    if (idle.length > 0) await releaseQueues(transaction, worker, idle)
    return rows
  })

/** Ends the lease on queues, so that other replicas can claim them. */
export async function releaseQueues(db: Database, worker: string, ids: readonly number[]): Promise<void> {
  await sql`delete from command_lane where id = any(${[...ids]}::bigint[]) and worker = ${worker}`.execute(db)
}

/** Undoes attempts that did not reach the broker. The commands are due again at `nextAt`, Unix ms. */
export async function postponeCommands(db: Database, ids: readonly string[], nextAt: number): Promise<void> {
  await sql`
    update command set attempts = attempts - 1, tried_ms = null, next_attempt_ms = ${nextAt}::bigint
    where id in (
      select id from command where id = any(${[...ids]}::text[]) and state in ('queued', 'sent')
      order by id for no key update)`.execute(db)
}

/** Queues of sleeping gateways with waiting commands. */
export async function listSleepingQueues(db: Database): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct lane_id as id from command where sleeps and next_attempt_ms is not null
      and ${isServedDevice('lane_id')}`.execute(db)
  return rows.map(({ id }) => id)
}
