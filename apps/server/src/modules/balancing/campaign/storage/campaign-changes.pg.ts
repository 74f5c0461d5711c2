import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type {
  BalanceMode,
  CampaignAbort,
  CampaignEvent,
  CampaignHistoryEvent,
  CampaignState,
} from '@isotherm/contract/balancing/campaign'
import { sql, type Transaction, type Updateable } from 'kysely'
import { AppError } from '../../../../platform/app-error.ts'
import { lockVersion } from '../../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../../platform/operation/operate.pg.ts'
import type { Operation } from '../../../../platform/operation/operation.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { toSignal } from '../../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../../platform/tables.ts'
import type { Place } from '../../loop/place.ts'
import type { RoundPlan, Verification } from '../../plan/planner.ts'
import {
  endGiven,
  putRollback,
  putRound,
  putVerification,
  requireUntouched,
  type StoredStep,
} from './campaign-rounds.pg.ts'
import type { Author, CampaignMove, ExtraWrites, PersonalEvent } from './campaign-types.ts'
import { type LeasedRows, LostLease, lockLeasedRow, refuseTakenLoop, toLoopColumns } from './loop-rows.pg.ts'
import { campaignTransitions, LONGEST_DRAFT_MS, needsPlan, openStates } from './state-machine.ts'
import { PLAN_FORMAT } from './stored-plan.ts'
import type { CampaignTable } from './tables.ts'

/** Thrown to a worker that must stop: another replica has leased the campaign, or somebody has changed it. */
export class LostCampaign extends LostLease {
  override readonly name = 'LostCampaign'
}

export const runningCampaigns: LeasedRows = {
  table: 'campaign',
  states: ['executing', 'paused', 'settling', 'rolling-back'],
}

/** Locks the campaign for this transaction. Throws LostCampaign. */
export async function lockLeased(
  transaction: Transaction<Tables>,
  id: number,
  worker: string,
): Promise<void> {
  if (!(await lockLeasedRow(transaction, runningCampaigns, id, worker))) throw new LostCampaign()
}

/** State of a campaign, locked until the transaction ends. */
interface Locked {
  readonly state: CampaignState
  readonly round: number
  readonly plannedAt: number
  /** Format of its newest plan. */
  readonly format: number
}

/** Stores an event of a campaign and signals it. */
export async function recordEvent(
  transaction: Transaction<Tables>,
  id: number,
  event: CampaignHistoryEvent,
  { account, at }: Pick<Author, 'account' | 'at'>,
): Promise<void> {
  await transaction
    .insertInto('campaign_event')
    .values({ campaign_id: id, at_ms: at, event, account })
    .execute()
  await toSignal('campaign_changed', String(id)).execute(transaction)
}

/**
 * Locks a campaign and finds the state after an event. Throws campaign.not-found, entity.stale, campaign.not-now.
 */
async function lockFor(
  transaction: Transaction<Tables>,
  event: CampaignEvent,
  { id, version, at }: Pick<CampaignMove, 'id' | 'version' | 'at'>,
): Promise<Locked & { readonly next: CampaignState }> {
  const isThere = await lockVersion(transaction, { table: 'campaign', entity: 'campaign', id, version })
  if (!isThere) throw new AppError('campaign.not-found')
  const locked = await transaction
    .selectFrom('campaign')
    .where('id', '=', id)
    .select(['state', 'round', 'planned_ms as plannedAt'])
    .select(
      sql<number>`(select format from campaign_round where campaign_id = ${id} order by round desc limit 1)`.as(
        'format',
      ),
    )
    .executeTakeFirstOrThrow()
  const next = campaignTransitions[locked.state][event]
  if (!next) throw new AppError('campaign.not-now')
  if (needsPlan(event) && locked.format !== PLAN_FORMAT) throw new AppError('campaign.not-now')
  if (event === 'approve' && at - locked.plannedAt > LONGEST_DRAFT_MS) throw new AppError('campaign.not-now')
  return { ...locked, next }
}

const isEnd = (state: CampaignState): boolean => !openStates.includes(state)

/** Moves a campaign to a state for the account that requested it. Ends the lease of the present worker. */
async function enter(
  transaction: Transaction<Tables>,
  { id, accountId, account, at }: CampaignMove,
  { state, ...changes }: Updateable<CampaignTable> & { readonly state: CampaignState },
): Promise<void> {
  await transaction
    .updateTable('campaign')
    .set({ ...changes, state, account_id: accountId, account, updated_ms: at, look_ms: at })
    .set({ ended_ms: isEnd(state) ? at : null, worker: null, lease_until_ms: null })
    .where('id', '=', id)
    .execute()
}

/**
 * Moves a campaign by an event of a person. Throws campaign.not-found, entity.stale and campaign.not-now, in this
 * order; an approval throws campaign.loop-taken while another campaign has the loop.
 */
export async function moveCampaign(
  db: Database,
  event: PersonalEvent,
  move: CampaignMove,
  operation: Operation,
  extraWrites?: ExtraWrites,
): Promise<void> {
  const { id, account, at } = move
  const moved = operate(db, operation, async (transaction) => {
    await extraWrites?.(transaction)
    const { next, round } = await lockFor(transaction, event, move)
    await enter(transaction, move, {
      state: next,
      round: event === 'rollback' ? await putRollback(transaction, id) : round,
      ...(event === 'approve' ? { approved_by: account, approved_ms: at } : {}),
    })
    await recordEvent(transaction, id, event, move)
  })
  await refuseTakenLoop(db, 'campaign', id, moved)
}

/** A new draft, and the strategy that starts it. */
interface NewCampaign {
  readonly place: Place
  readonly mode: BalanceMode
  readonly plan: RoundPlan
  readonly who: Omit<Author, 'accountId'> & { readonly accountId: number | null }
  readonly strategyId?: number
}

/** Stores a draft and returns its id. */
export async function insertCampaign(
  transaction: Transaction<Tables>,
  { place, mode, plan, who, strategyId }: NewCampaign,
): Promise<number> {
  const { accountId, account, at } = who
  const { id } = await transaction
    .insertInto('campaign')
    .values({
      ...toLoopColumns(place),
      mode: sql`${JSON.stringify(mode)}::jsonb`,
      state: 'draft',
      planned_ms: plan.plannedAt,
      created_by: account,
      created_ms: at,
      updated_ms: at,
      account_id: accountId,
      account,
      strategy_id: strategyId ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await putRound(transaction, id, 1, plan)
  await recordEvent(transaction, id, 'plan', who)
  return id
}

/** Stores a draft as an operation and returns its id. */
export const storeCampaignDraft = (
  db: Database,
  draft: Omit<NewCampaign, 'strategyId'>,
  operation: Operation,
): Promise<number> => operate(db, operation, (transaction) => insertCampaign(transaction, draft))

/**
 * Stores a new plan for a draft, or starts another round with it. Throws campaign.not-found, entity.stale and
 * campaign.not-now, in this order.
 */
export const putPlan = (
  db: Database,
  event: 'replan' | 'trim',
  { move, plan, extraWrites }: { move: CampaignMove; plan: RoundPlan; extraWrites?: ExtraWrites },
  operation: Operation,
): Promise<void> =>
  operate(db, operation, async (transaction) => {
    const { id } = move
    await extraWrites?.(transaction)
    const locked = await lockFor(transaction, event, move)
    const round = event === 'trim' ? locked.round + 1 : locked.round
    await putRound(transaction, id, round, plan)
    await enter(transaction, move, { state: locked.next, round, planned_ms: plan.plannedAt })
    await recordEvent(transaction, id, event, move)
  })

/**
 * Throws what the event would throw, and changes nothing: planning takes long. For an approval it also throws
 * entity.stale if somebody moved the loop after the draft was planned.
 */
export async function checkCampaignMove(
  db: Database,
  event: 'replan' | 'trim' | 'approve',
  move: Pick<CampaignMove, 'id' | 'version' | 'at'>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const { round } = await lockFor(transaction, event, move)
    if (event === 'approve') await requireUntouched(transaction, { id: move.id, round })
  })
}

/** A campaign leased by this server; instants are Unix ms. */
export interface LeasedCampaign {
  readonly id: number
  readonly worker: string
  readonly state: CampaignState
  readonly round: number
  readonly mode: BalanceMode
  readonly settledAt: number | null
  /** The account for which it acts. */
  readonly accountId: number | null
  readonly account: string
  /** When it last made progress. */
  readonly updatedAt: number
}

/** Throws LostCampaign. */
export async function readCampaign(db: Database, id: number, worker: string): Promise<LeasedCampaign> {
  const campaign = await db
    .selectFrom('campaign')
    .where('id', '=', id)
    .where('worker', '=', worker)
    .select(['id', 'state', 'round', 'mode', 'settled_ms as settledAt', 'updated_ms as updatedAt'])
    .select(['account_id as accountId', 'account'])
    .executeTakeFirst()
  if (!campaign) throw new LostCampaign()
  return { ...campaign, worker }
}

/** Key of a wave within its campaign. */
export type StepKey = Pick<StoredStep, 'round' | 'step'>

const thatStep = (id: number, { round, step }: StepKey) =>
  sql`campaign_id = ${id} and round = ${round} and step = ${step}`

const touch = (transaction: Transaction<Tables>, id: number, at: number) =>
  transaction.updateTable('campaign').set({ updated_ms: at }).where('id', '=', id).execute()

/**
 * Stores that a wave was sent with a batch, in the transaction that stores the batch. Throws LostCampaign if another
 * replica has the campaign, if it was paused or ended, or if the wave was sent already. The head that was sent
 * replaces the planned one.
 */
export async function recordSent(
  transaction: Transaction<Tables>,
  { id, worker, state }: LeasedCampaign,
  key: StepKey,
  {
    batchId,
    at,
    pump,
  }: { readonly batchId: string; readonly at: number; readonly pump?: PumpMove | undefined },
): Promise<void> {
  await lockLeased(transaction, id, worker)
  const { numAffectedRows } = await sql`
    update campaign_step set state = 'given', batch_id = ${batchId},
      pump = coalesce(${pump ? JSON.stringify(pump) : null}::jsonb, pump)
    where ${thatStep(id, key)} and state = 'waiting'
      and (select state from campaign where id = ${id}) = ${state}`.execute(transaction)
  if (!numAffectedRows) throw new LostCampaign()
  await touch(transaction, id, at)
  await recordEvent(transaction, id, 'wave-given', { account: '', at })
}

/** Progress of a wave's commands. */
export interface WaveProgress {
  readonly moved: number
  readonly unanswered: number
  /** Ids of the valves among them that answered and did not arrive. */
  readonly missed: readonly number[]
  /** When all of them had ended. */
  readonly answeredAt: number | null
}

export const recordProgress = (
  db: Database,
  { id, worker }: LeasedCampaign,
  key: StepKey,
  { moved, unanswered, missed, answeredAt }: WaveProgress,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await lockLeased(transaction, id, worker)
    await sql`
      update campaign_step set moved = ${moved}, unanswered = ${unanswered}, answered_ms = ${answeredAt}::bigint,
        missed = ${JSON.stringify(missed)}::jsonb
      where ${thatStep(id, key)}`.execute(transaction)
    await toSignal('campaign_changed', String(id)).execute(transaction)
  })

/** Ends a wave. A wave is also ended without being sent if no command of it is necessary any more. */
export const endWave = (
  db: Database,
  { id, worker }: LeasedCampaign,
  key: StepKey,
  { at, unanswered }: { readonly at: number; readonly unanswered: number },
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await lockLeased(transaction, id, worker)
    await sql`
      update campaign_step set state = 'done', unanswered = ${unanswered} where ${thatStep(id, key)}`.execute(
      transaction,
    )
    await touch(transaction, id, at)
    await recordEvent(transaction, id, 'wave-ended', { account: '', at })
  })

/** Data of an event that a campaign raises by itself. */
export interface Outcome {
  readonly at: number
  readonly abort?: CampaignAbort
  readonly settledAt?: number
  /** Result of the present round. */
  readonly verification?: Verification
}

/** Moves a campaign by an event, as an operation of the account for which it acts. Throws LostCampaign. */
export const proceed = (
  db: Database,
  { id, worker, state, round }: LeasedCampaign,
  event: Extract<CampaignEvent, 'settle' | 'verified' | 'abort' | 'returned'>,
  { at, abort, settledAt, verification }: Outcome,
  operation: Operation,
): Promise<void> =>
  operate(db, operation, async (transaction) => {
    const next = campaignTransitions[state][event]
    if (!next) throw new LostCampaign()
    await lockLeased(transaction, id, worker)
    const { numUpdatedRows } = await transaction
      .updateTable('campaign')
      .set({ state: next, updated_ms: at, look_ms: settledAt ?? at })
      .set({ ended_ms: next === 'rolled-back' ? at : null })
      .$if(abort !== undefined, (query) => query.set({ abort: sql`${JSON.stringify(abort)}::jsonb` }))
      .$if(settledAt !== undefined, (query) => query.set({ settled_ms: settledAt ?? null }))
      .where('id', '=', id)
      .where('state', '=', state)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new LostCampaign()
    if (event === 'abort') await endGiven(transaction, id)
    if (verification)
      await putVerification(transaction, { id, round }, verification, event === 'verified' ? at : undefined)
    await recordEvent(transaction, id, event, { account: '', at })
  })
