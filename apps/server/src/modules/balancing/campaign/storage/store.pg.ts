import type {
  BalanceMode,
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
import type { RoundPlan } from '../../plan/planner.ts'
import { findDetail, getPlace } from './campaign-detail.pg.ts'
import { listCampaigns } from './campaign-rows.pg.ts'
import type { Beside, CampaignMove, CampaignStore, Doing, PersonalEvent } from './campaign-types.ts'
import { getRound, putRound, putWayBack } from './rounds.pg.ts'
import { orLoopTaken, toLoopColumns } from './rows-on-loop.pg.ts'
import { campaignTransitions, LONGEST_DRAFT_MS, needsPlan, openStates } from './state-machine.ts'
import { PLAN_FORMAT } from './stored-plan.ts'
import type { CampaignTable } from './tables.ts'
import { requireUntouched } from './untouched.pg.ts'

/** A campaign's state, locked until the transaction ends. */
interface Locked {
  readonly state: CampaignState
  readonly round: number
  readonly plannedAt: number
  /** Of its last plan. */
  readonly format: number
}

/** Notes what happened to a campaign and tells everybody. */
export async function noteEvent(
  transaction: Transaction<Tables>,
  id: number,
  event: CampaignHistoryEvent,
  { account, at }: Pick<Doing, 'account' | 'at'>,
): Promise<void> {
  await transaction
    .insertInto('campaign_event')
    .values({ campaign_id: id, at_ms: at, event, account })
    .execute()
  await toSignal('campaign_changed', String(id)).execute(transaction)
}

/** Locks a campaign and finds where an event leads it. Throws campaign.not-found, entity.stale, campaign.not-now. */
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

/** Brings a campaign to a state, on behalf of who asked for it; whoever looks at it now loses it. */
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

async function moveCampaign(
  db: Database,
  event: PersonalEvent,
  move: CampaignMove,
  operation: Operation,
  beside?: Beside,
): Promise<void> {
  const { id, account, at } = move
  const moved = operate(db, operation, async (transaction) => {
    await beside?.(transaction)
    const { next, round } = await lockFor(transaction, event, move)
    await enter(transaction, move, {
      state: next,
      round: event === 'rollback' ? await putWayBack(transaction, id) : round,
      ...(event === 'approve' ? { approved_by: account, approved_ms: at } : {}),
    })
    await noteEvent(transaction, id, event, move)
  })
  await orLoopTaken(db, 'campaign', id, moved)
}

/** A campaign that is to be stored as a draft, and the strategy that begins it. */
interface NewCampaign {
  readonly place: Place
  readonly mode: BalanceMode
  readonly plan: RoundPlan
  readonly who: Omit<Doing, 'accountId'> & { readonly accountId: number | null }
  readonly strategyId?: number
}

/** Stores a draft; its number. */
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
  await noteEvent(transaction, id, 'plan', who)
  return id
}

const putPlan = (
  db: Database,
  event: 'replan' | 'trim',
  { move, plan, beside }: { move: CampaignMove; plan: RoundPlan; beside: Beside | undefined },
  operation: Operation,
): Promise<void> =>
  operate(db, operation, async (transaction) => {
    const { id } = move
    await beside?.(transaction)
    const locked = await lockFor(transaction, event, move)
    const round = event === 'trim' ? locked.round + 1 : locked.round
    await putRound(transaction, id, round, plan)
    await enter(transaction, move, { state: locked.next, round, planned_ms: plan.plannedAt })
    await noteEvent(transaction, id, event, move)
  })

async function countOpen(db: Database): Promise<ReadonlyMap<CampaignState, number>> {
  const rows = await db
    .selectFrom('campaign')
    .where('state', 'in', openStates)
    .groupBy('state')
    .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
    .execute()
  return new Map(rows.map(({ state, count }) => [state, count]))
}

export const createCampaignStore = (db: Database): CampaignStore => ({
  list: (scope, query) => listCampaigns(db, scope, query),
  find: (scope, id) => findDetail(db, scope, id),
  getPlace: (id) => getPlace(db, id),
  getRound: (id) => getRound(db, id),
  add: (place, mode, plan, who, operation) =>
    operate(db, operation, (transaction) => insertCampaign(transaction, { place, mode, plan, who })),
  move: (event, move, operation, beside) => moveCampaign(db, event, move, operation, beside),
  async check(event, move) {
    await db.transaction().execute(async (transaction) => {
      const { round } = await lockFor(transaction, event, move)
      if (event === 'approve') await requireUntouched(transaction, { id: move.id, round })
    })
  },
  putPlan: (event, move, plan, operation, beside) => putPlan(db, event, { move, plan, beside }, operation),
  countOpen: () => countOpen(db),
})
