import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../../platform/app-error.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import type { Tables } from '../../../../platform/tables.ts'
import type { PlannedStep, RoundPlan, Verification } from '../../plan/planner.ts'
import type { StoredRound } from './campaign-types.ts'
import { toRollback, toSecondRollback } from './rollback-waves.ts'
import {
  PLAN_FORMAT,
  parsePlan,
  parseVerification,
  toPlanJson,
  toVerificationJson,
  UnreadablePlan,
} from './stored-plan.ts'
import type {} from './tables.ts'

type Moves = PlannedStep['moves']
type StepKind = CampaignDetail['steps'][number]['kind']

/** A stored wave; instants are Unix ms. */
export interface StoredStep {
  readonly round: number
  /** From 1 in each round. */
  readonly step: number
  readonly kind: StepKind
  readonly moves: Moves
  readonly pump: PumpMove | null
  readonly state: CampaignDetail['steps'][number]['state']
  readonly batchId: string | null
  readonly moved: number
  /** When all of its commands had ended. */
  readonly answeredAt: number | null
  readonly unanswered: number
  /** Ids of the valves among them that answered and then reported another position than the ordered one. */
  readonly missed: readonly number[]
}

/** Stores waves with consecutive numbers from `first`. */
export async function insertSteps(
  transaction: Transaction<Tables>,
  { id, round, first = 1 }: { readonly id: number; readonly round: number; readonly first?: number },
  steps: readonly { readonly kind: StepKind; readonly moves: Moves; readonly pump?: PumpMove | undefined }[],
): Promise<void> {
  const rows = steps.map(({ kind, moves, pump }, index) => ({ step: first + index, kind, moves, pump }))
  await sql`
    insert into campaign_step (campaign_id, round, step, kind, moves, pump)
    select ${id}, ${round}, step, kind, moves, pump
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) given (step integer, kind text, moves jsonb, pump jsonb)`.execute(
    transaction,
  )
}

/** Stores a round with its waves. Replaces a round with the same number. */
export async function putRound(
  transaction: Transaction<Tables>,
  id: number,
  round: number,
  plan: RoundPlan,
): Promise<void> {
  for (const table of ['campaign_step', 'campaign_round'] as const) {
    await transaction.deleteFrom(table).where('campaign_id', '=', id).where('round', '=', round).execute()
  }
  const excluded = plan.members.filter((member) => member.excluded !== undefined).length
  await sql`
    insert into campaign_round (campaign_id, round, format, plan, indices, valves, excluded)
    values (${id}, ${round}, ${PLAN_FORMAT}, ${toPlanJson(plan)}::jsonb, ${JSON.stringify(plan.indices)}::jsonb,
      ${plan.members.length}, ${excluded})`.execute(transaction)
  await insertSteps(transaction, { id, round }, plan.steps)
}

/** The newest planned round, or the first. Throws campaign.not-found, UnreadablePlan. */
export async function getRound(
  db: Database,
  id: number,
  which: 'first' | 'last' = 'last',
): Promise<StoredRound> {
  const { rows } = await sql<{ round: number; format: number; plan: unknown; verification: unknown }>`
    select round, format, plan, verification from campaign_round
    where campaign_id = ${id} order by round ${which === 'last' ? sql`desc` : sql`asc`} limit 1`.execute(db)
  const [row] = rows
  if (!row) throw new AppError('campaign.not-found')
  return {
    round: row.round,
    plan: parsePlan(row.format, row.plan),
    verification: row.verification === null ? undefined : parseVerification(row.verification),
  }
}

/** Like `getRound`, but undefined for a plan in the format of another server version. Throws campaign.not-found. */
export async function findRound(
  db: Database,
  id: number,
  which?: 'first' | 'last',
): Promise<StoredRound | undefined> {
  try {
    return await getRound(db, id, which)
  } catch (error) {
    if (error instanceof UnreadablePlan) return undefined
    throw error
  }
}

/** Stores the result of a round, and the time since the campaign was approved. */
export const putVerification = (
  transaction: Transaction<Tables>,
  { id, round }: { readonly id: number; readonly round: number },
  verification: Verification,
  verifiedAt: number | undefined,
): Promise<unknown> =>
  sql`
    update campaign_round set verification = ${toVerificationJson(verification)}::jsonb,
      indices = indices || jsonb_build_object('after', ${JSON.stringify(verification.indices)}::jsonb ||
        jsonb_strip_nulls(jsonb_build_object('hoursToBalance', (
          select (${verifiedAt ?? null}::bigint - approved_ms) / ${HOUR_MS}::double precision from campaign where campaign.id = ${id}
        ))))
    where campaign_id = ${id} and round = ${round}`.execute(transaction)

/** Number of commands of a wave. */
export const countCommands = ({ moves, pump }: Pick<StoredStep, 'moves' | 'pump'>): number =>
  moves.length + (pump ? 1 : 0)

/** All waves, in the order in which they are sent. */
export async function listSteps(db: Database, id: number): Promise<readonly StoredStep[]> {
  const { rows } = await sql<StoredStep>`
    select round, step, kind, moves, pump, state, batch_id as "batchId", moved, answered_ms as "answeredAt", unanswered,
      missed
    from campaign_step where campaign_id = ${id} order by round, step`.execute(db)
  return rows
}

/** Ends waves that were sent and are no longer judged. Their commands have results of their own. */
export const endGiven = (transaction: Transaction<Tables>, id: number): Promise<unknown> =>
  sql`update campaign_step set state = 'done' where campaign_id = ${id} and state = 'given'`.execute(
    transaction,
  )

/**
 * Stores a new round that rolls back every wave that was sent, and returns the number of the round. If a rollback has
 * been started, it continues with its round. If a rollback has ended but not all valves moved, a new one starts.
 */
export async function putRollback(transaction: Transaction<Tables>, id: number): Promise<number> {
  const steps = await listSteps(transaction, id)
  const left = steps.find(({ kind, state }) => kind === 'back' && state === 'waiting')
  if (left) return left.round
  // Valves that were taken back during the campaign are rolled back too: they may not have answered.
  const given = steps.filter(
    ({ kind, state }) => kind !== 'back' && kind !== 'take-back' && (state === 'given' || state === 'done'),
  )
  const isAgain = steps.some(({ kind }) => kind === 'back')
  const toBack = isAgain ? toSecondRollback : toRollback
  const back = toBack(given).map((wave) => ({ ...wave, kind: 'back' as const }))
  const round = Math.max(1, ...steps.map((step) => step.round)) + 1
  await endGiven(transaction, id)
  await insertSteps(transaction, { id, round }, back)
  return round
}

/**
 * Throws campaign.outdated if somebody commanded a valve that the plan still has to move, or the pump that it sets, after the
 * round was planned; campaign.overtaken if another campaign moved valves of the loop since then.
 */
export async function requireUntouched(
  transaction: Transaction<Tables>,
  { id, round }: { readonly id: number; readonly round: number },
): Promise<void> {
  const { rows } = await sql<{ device: string | null; campaign: number | null }>`
    select device.name as device, null::bigint as campaign from campaign join campaign_step step on step.campaign_id = campaign.id
      cross join lateral jsonb_to_recordset(step.moves) move ("deviceId" bigint)
      join device on device.id = move."deviceId"
    where campaign.id = ${id} and step.round = ${round} and step.state = 'waiting'
      and device.last_open_set_at > to_timestamp(campaign.planned_ms / 1000.0)
    union all
    select device.name, null from campaign join campaign_step step on step.campaign_id = campaign.id
      join device on device.id = (step.pump ->> 'deviceId')::bigint
      join command on command.device_id = device.id and command.created_ms > campaign.planned_ms
        and command.batch_id is distinct from step.batch_id
    where campaign.id = ${id} and step.round = ${round}
    union all
    select null, other.id from campaign join campaign other using (station_node_id)
      join campaign_event given on given.campaign_id = other.id and given.event = 'wave-given'
    where campaign.id = ${id} and other.id <> campaign.id and given.at_ms > campaign.planned_ms
    limit 1`.execute(transaction)
  const [row] = rows
  if (!row) return
  if (row.device !== null) throw new AppError('campaign.outdated', { device: row.device })
  throw new AppError('campaign.overtaken', { campaign: String(row.campaign) })
}

/** Commands of a campaign to these valves that are still queued. */
export async function listQueued(
  db: Database,
  campaignId: number,
  deviceIds: readonly number[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select command.id from campaign_step step join command using (batch_id)
    where step.campaign_id = ${campaignId} and command.device_id = any(${[...deviceIds]}::bigint[])
      and command.state = 'queued'`.execute(db)
  return rows.map(({ id }) => id)
}

/** Valves that somebody else has commanded since the campaign's last command. Commands of people have priority. */
export async function listOrderedSince(db: Database, campaignId: number): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ deviceId: number }>`
    select device.id as "deviceId" from campaign_step step join command using (batch_id)
      join device on device.id = command.device_id
    where step.campaign_id = ${campaignId} group by device.id
    having round(extract(epoch from device.last_open_set_at) * 1000) > max(command.created_ms)`.execute(db)
  return new Set(rows.map(({ deviceId }) => deviceId))
}

/** Whether the pump of a campaign got a command from somebody else since the campaign's last one. */
export async function isHeadOrderedSince(
  db: Database,
  campaignId: number,
  deviceId: number,
): Promise<boolean> {
  const { rows } = await sql<{ isSince: boolean }>`
    select coalesce(max(rev) > max(rev) filter (where batch_id in (
      select batch_id from campaign_step where campaign_id = ${campaignId} and batch_id is not null)), false) as "isSince"
    from command where device_id = ${deviceId}`.execute(db)
  return rows[0]?.isSince ?? false
}
