import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import type {
  BalanceMode,
  CampaignAbort,
  CampaignEvent,
  CampaignState,
} from '@isotherm/contract/balancing/campaign'
import { sql, type Transaction } from 'kysely'
import { operate } from '../../../../platform/operation/operate.pg.ts'
import type { Operation } from '../../../../platform/operation/operation.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { toSignal } from '../../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../../platform/tables.ts'
import type { Verification } from '../../plan/planner.ts'
import { holdCampaign, LostCampaign } from './lease.pg.ts'
import { endGiven, putVerification, type StoredStep } from './rounds.pg.ts'
import { campaignTransitions } from './state-machine.ts'
import { noteEvent } from './store.pg.ts'
import type {} from './tables.ts'

/** A campaign in the hands of this server; instants are Unix ms. */
export interface HeldCampaign {
  readonly id: number
  readonly worker: string
  readonly state: CampaignState
  readonly round: number
  readonly mode: BalanceMode
  readonly settledAt: number | null
  /** On whose behalf it goes on. */
  readonly accountId: number | null
  readonly account: string
  /** When it got on last. */
  readonly updatedAt: number
}

/** Throws LostCampaign. */
export async function readCampaign(db: Database, id: number, worker: string): Promise<HeldCampaign> {
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

/** Which wave of a campaign. */
export type StepKey = Pick<StoredStep, 'round' | 'step'>

const thatStep = (id: number, { round, step }: StepKey) =>
  sql`campaign_id = ${id} and round = ${round} and step = ${step}`

const touch = (transaction: Transaction<Tables>, id: number, at: number) =>
  transaction.updateTable('campaign').set({ updated_ms: at }).where('id', '=', id).execute()

/**
 * Notes that a wave is given with a batch, within the transaction that stores the batch. Throws LostCampaign for what is
 * another's, was paused or ended, and for a wave that was given. The head that is told stands for the one that was planned.
 */
export async function noteGiven(
  transaction: Transaction<Tables>,
  { id, worker, state }: HeldCampaign,
  key: StepKey,
  {
    batchId,
    at,
    pump,
  }: { readonly batchId: string; readonly at: number; readonly pump?: PumpMove | undefined },
): Promise<void> {
  await holdCampaign(transaction, id, worker)
  const { numAffectedRows } = await sql`
    update campaign_step set state = 'given', batch_id = ${batchId},
      pump = coalesce(${pump ? JSON.stringify(pump) : null}::jsonb, pump)
    where ${thatStep(id, key)} and state = 'waiting'
      and (select state from campaign where id = ${id}) = ${state}`.execute(transaction)
  if (!numAffectedRows) throw new LostCampaign()
  await touch(transaction, id, at)
  await noteEvent(transaction, id, 'wave-given', { account: '', at })
}

/** How far a wave's commands are. */
export interface WaveProgress {
  readonly moved: number
  readonly unanswered: number
  /** When all of them were seen to have ended. */
  readonly answeredAt: number | null
}

export const noteProgress = (
  db: Database,
  { id, worker }: HeldCampaign,
  key: StepKey,
  { moved, unanswered, answeredAt }: WaveProgress,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await holdCampaign(transaction, id, worker)
    await sql`
      update campaign_step set moved = ${moved}, unanswered = ${unanswered}, answered_ms = ${answeredAt}::bigint
      where ${thatStep(id, key)}`.execute(transaction)
    await toSignal('campaign_changed', String(id)).execute(transaction)
  })

/** Ends a wave; one that never was given, for nothing of it was left, too. */
export const endWave = (
  db: Database,
  { id, worker }: HeldCampaign,
  key: StepKey,
  { at, unanswered }: { readonly at: number; readonly unanswered: number },
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await holdCampaign(transaction, id, worker)
    await sql`
      update campaign_step set state = 'done', unanswered = ${unanswered} where ${thatStep(id, key)}`.execute(
      transaction,
    )
    await touch(transaction, id, at)
    await noteEvent(transaction, id, 'wave-ended', { account: '', at })
  })

/** What comes with an event that takes a campaign on by itself. */
export interface Outcome {
  readonly at: number
  readonly abort?: CampaignAbort
  readonly settledAt?: number
  /** Of the round at hand. */
  readonly verification?: Verification
}

/** Takes a campaign on by an event, as an operation of whom it goes on for. Throws LostCampaign. */
export const proceed = (
  db: Database,
  { id, worker, state, round }: HeldCampaign,
  event: Extract<CampaignEvent, 'settle' | 'verified' | 'abort' | 'returned'>,
  { at, abort, settledAt, verification }: Outcome,
  operation: Operation,
): Promise<void> =>
  operate(db, operation, async (transaction) => {
    const next = campaignTransitions[state][event]
    if (!next) throw new LostCampaign()
    await holdCampaign(transaction, id, worker)
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
    await noteEvent(transaction, id, event, { account: '', at })
  })
