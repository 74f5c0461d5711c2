import type { BalanceMode, CampaignState } from '@isotherm/contract/balancing/campaign'
import type {
  StrategyEvent,
  StrategyHistoryEvent,
  StrategyOutcome,
  StrategyPlan,
  StrategyState,
} from '@isotherm/contract/balancing/strategies'
import { sql, type Transaction, type Updateable } from 'kysely'
import { AppError } from '../../../../platform/app-error.ts'
import { lockVersion } from '../../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../../platform/operation/operate.pg.ts'
import type { Operation } from '../../../../platform/operation/operation.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { toSignal } from '../../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../../platform/tables.ts'
import { toNodeKey } from '../../../network/index.ts'
import { insertCampaign } from '../../campaign/storage/campaign-changes.pg.ts'
import type { Author } from '../../campaign/storage/campaign-types.ts'
import {
  hasLoop,
  type LeasedRows,
  LostLease,
  lockLeasedRow,
  refuseTakenLoop,
  toLoopColumns,
} from '../../campaign/storage/loop-rows.pg.ts'
import type { Place } from '../../loop/place.ts'
import type { RoundPlan } from '../../plan/planner.ts'
import { type HeldSlot, readHeld } from './held-slot.ts'
import { strategyTransitions } from './state-machine.ts'
import type { PersonalStrategyEvent, StrategyMove } from './strategy-types.ts'
import type { SupplyState } from './supply-state.ts'
import type { StrategyTable } from './tables.ts'

/** Stores an event of a strategy and signals it. */
export async function recordStrategyEvent(
  transaction: Transaction<Tables>,
  id: number,
  event: StrategyHistoryEvent,
  { account, at, outcome }: Pick<Author, 'account' | 'at'> & { readonly outcome?: StrategyOutcome },
): Promise<void> {
  await transaction
    .insertInto('strategy_event')
    .values({
      strategy_id: id,
      at_ms: at,
      event,
      account,
      outcome: outcome === undefined ? null : sql`${JSON.stringify(outcome)}::jsonb`,
    })
    .execute()
  await toSignal('strategy_changed', String(id)).execute(transaction)
}

/**
 * Locks a strategy and finds the state after an event. Throws strategy.not-found, entity.stale, strategy.not-now.
 */
async function lockFor(
  transaction: Transaction<Tables>,
  event: StrategyEvent,
  { id, version }: Pick<StrategyMove, 'id' | 'version'>,
) {
  const isThere = await lockVersion(transaction, { table: 'strategy', entity: 'strategy', id, version })
  if (!isThere) throw new AppError('strategy.not-found')
  const { state, plan } = await transaction
    .selectFrom('strategy')
    .where('id', '=', id)
    .select(['state', 'plan'])
    .executeTakeFirstOrThrow()
  const next = strategyTransitions[state][event]
  if (!next) throw new AppError('strategy.not-now')
  return { plan, next }
}

/** Ends the lease of the worker that has the row, and makes the next tick due at once. */
const freed = (at: number) => ({ updated_ms: at, look_ms: at, worker: null, lease_until_ms: null })

/** Stores a draft as an operation and returns its id. */
export async function storeStrategyDraft(
  db: Database,
  { place, plan, who }: { place: Place; plan: StrategyPlan; who: Author },
  operation: Operation,
): Promise<number> {
  const { accountId, account, at } = who
  return operate(db, operation, async (transaction) => {
    const { id } = await transaction
      .insertInto('strategy')
      .values({
        ...toLoopColumns(place),
        plan: sql`${JSON.stringify(plan)}::jsonb`,
        state: 'draft',
        created_by: account,
        created_ms: at,
        account_id: accountId,
        account,
        updated_ms: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordStrategyEvent(transaction, id, 'add', who)
    return id
  })
}

/** Stores another plan. Throws strategy.not-found, entity.stale and strategy.not-now, in this order. */
export const changeStrategy = (
  db: Database,
  plan: StrategyPlan,
  move: StrategyMove,
  operation: Operation,
): Promise<void> =>
  operate(db, operation, async (transaction) => {
    const { id, at } = move
    const { next, plan: before } = await lockFor(transaction, 'change', move)
    // A plan of another kind would be another strategy, with another page and permission.
    if (before.kind !== plan.kind) throw new AppError('strategy.not-now')
    await transaction
      .updateTable('strategy')
      .set({ ...freed(at), state: next, due: null, plan: sql`${JSON.stringify(plan)}::jsonb` })
      .where('id', '=', id)
      .execute()
    await recordStrategyEvent(transaction, id, 'change', move)
  })

/** Columns of a started strategy: the account that started it, and no earlier levels. */
const started = ({ accountId, account, at }: Author) => ({
  account_id: accountId,
  account,
  started_by: account,
  started_ms: at,
  held: null,
  due: null,
  next_ms: at,
})

/**
 * Moves a strategy by an event of a person. Throws strategy.not-found, entity.stale and strategy.not-now, in this
 * order; a start throws strategy.loop-taken while another strategy runs the loop.
 */
export async function moveStrategy(
  db: Database,
  event: PersonalStrategyEvent,
  move: StrategyMove,
  operation: Operation,
): Promise<void> {
  const { id, at } = move
  const moved = operate(db, operation, async (transaction) => {
    const { next } = await lockFor(transaction, event, move)
    await transaction
      .updateTable('strategy')
      .set({ ...freed(at), state: next, ...(event === 'start' ? started(move) : {}) })
      .set(event === 'end' ? { ended_ms: at, campaign_id: null, due: null } : {})
      .where('id', '=', id)
      .execute()
    await recordStrategyEvent(transaction, id, event, move)
  })
  await refuseTakenLoop(db, 'strategy', id, moved)
}

/** Another replica has the strategy, or somebody changed it. The worker that notices stops. */
class LostStrategy extends LostLease {
  override readonly name = 'LostStrategy'
}

export const runningStrategies: LeasedRows = { table: 'strategy', states: ['running'] }
/** Stopped strategies may have an offset of the supply temperature to restore. */
export const stoppedStrategies: LeasedRows = { table: 'strategy', states: ['paused', 'ended'] }

/** A strategy leased by this server; instants are Unix ms. */
export interface LeasedStrategy {
  readonly id: number
  readonly worker: string
  readonly plan: StrategyPlan
  readonly companyId: number
  readonly node: string
  readonly nodePath: string
  readonly stationNodeId: number
  readonly stationName: string
  readonly timeZone: string
  readonly campaignId: number | null
  readonly held: HeldSlot | null
  readonly due: HeldSlot | null
  readonly supply: SupplyState | null
  readonly nextAt: number | null
  /** Outcome of its last tick or campaign. */
  readonly last: StrategyOutcome | null
  /** The account for which it acts. */
  readonly accountId: number | null
  readonly account: string
}

/** Throws LostStrategy. */
export async function readStrategy(
  db: Database,
  id: number,
  worker: string,
  { states }: LeasedRows = runningStrategies,
): Promise<LeasedStrategy> {
  type Row = Omit<LeasedStrategy, 'worker' | 'node'> & {
    readonly nodeId: number
    readonly uuid: string | null
    readonly nodeAddress: string | null
  }
  const { rows } = await sql<Row>`
    select strategy.id, strategy.plan, strategy.company_id as "companyId", node.id as "nodeId", node.uuid,
      node.address as "nodeAddress", node.path as "nodePath", strategy.station_node_id as "stationNodeId",
      strategy.station_name as "stationName", company.time_zone as "timeZone", strategy.campaign_id as "campaignId", strategy.held, strategy.due,
      strategy.supply,
      strategy.next_ms as "nextAt", strategy.last, strategy.account_id as "accountId", strategy.account
    from strategy join node on node.id = strategy.node_id join company on company.id = strategy.company_id
    where strategy.id = ${id} and strategy.worker = ${worker} and strategy.state = any(${[...states]}::text[])`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new LostStrategy()
  const { nodeId, uuid, nodeAddress, ...strategy } = row
  const { held, due } = strategy
  return {
    ...strategy,
    held: readHeld(held),
    due: readHeld(due),
    worker,
    node: toNodeKey({ id: nodeId, uuid, address: nodeAddress }),
  }
}

/** The campaign that has the loop of a station now; undefined if the loop is free. */
export async function findLoopCampaign(
  db: Database,
  stationNodeId: number,
): Promise<{ readonly id: number; readonly state: CampaignState } | undefined> {
  const { rows } = await sql<{ id: number; state: CampaignState }>`
    select id, state from campaign
    where station_node_id = ${stationNodeId} and ${hasLoop.campaign}`.execute(db)
  return rows[0]
}

const toJson = (value: unknown) =>
  value === null || value === undefined ? null : sql<never>`${JSON.stringify(value)}::jsonb`

type Changes = Pick<Updateable<StrategyTable>, 'campaign_id' | 'next_ms' | 'updated_ms'> & {
  readonly state?: StrategyState
  readonly last?: StrategyOutcome
  readonly held?: HeldSlot | null
  readonly due?: HeldSlot | null
}

/** Throws LostStrategy. */
export async function lockLeased(
  transaction: Transaction<Tables>,
  { id, worker }: Pick<LeasedStrategy, 'id' | 'worker'>,
  rows: LeasedRows = runningStrategies,
): Promise<void> {
  if (!(await lockLeasedRow(transaction, rows, id, worker))) throw new LostStrategy()
}

const update = (
  transaction: Transaction<Tables>,
  id: number,
  { last, held, due, ...changes }: Changes,
): Promise<unknown> =>
  transaction
    .updateTable('strategy')
    .set(changes)
    .$if(last !== undefined, (query) => query.set({ last: toJson(last) }))
    .$if(held !== undefined, (query) => query.set({ held: toJson(held) }))
    .$if(due !== undefined, (query) => query.set({ due: toJson(due) }))
    .where('id', '=', id)
    .execute()

/** A campaign to start. */
export interface Begin {
  readonly place: Place
  readonly mode: BalanceMode
  readonly round: RoundPlan
  readonly due: HeldSlot | null
  readonly outcome: Omit<StrategyOutcome, 'campaign'>
}

/**
 * Stores the draft of a campaign and the link to it, both or neither: after a kill at any point the campaign is
 * known, and never started again. Throws LostStrategy, also if a campaign already runs.
 */
export const storeCampaign = (
  db: Database,
  strategy: LeasedStrategy,
  { place, mode, round, due, outcome }: Begin,
  operation: Operation,
): Promise<number> =>
  operate(db, operation, async (transaction) => {
    const { id, accountId, account } = strategy
    await lockLeased(transaction, strategy)
    const { campaign_id: underWay } = await transaction
      .selectFrom('strategy')
      .where('id', '=', id)
      .select('campaign_id')
      .executeTakeFirstOrThrow()
    if (underWay !== null) throw new LostStrategy()
    const { at } = outcome
    const campaign = await insertCampaign(transaction, {
      place,
      mode,
      plan: round,
      strategyId: id,
      who: { accountId, account, at },
    })
    const last = { ...outcome, campaign }
    await update(transaction, id, { campaign_id: campaign, due, last, updated_ms: at })
    await recordStrategyEvent(transaction, id, 'began', { account: '', at, outcome: last })
    return campaign
  })

/** Stores the outcome of a tick or a campaign; a halt pauses the strategy. Throws LostStrategy. */
export const recordOutcome = (
  db: Database,
  strategy: Pick<LeasedStrategy, 'id' | 'worker'>,
  event: 'done' | 'halt' | undefined,
  { outcome, ...changes }: Changes & { readonly outcome: StrategyOutcome },
  operation: Operation,
): Promise<void> => {
  const { id } = strategy
  const { at } = outcome
  const work = async (transaction: Transaction<Tables>): Promise<void> => {
    await lockLeased(transaction, strategy)
    const state = event ? strategyTransitions.running[event] : undefined
    await update(transaction, id, { ...changes, ...(state ? { state } : {}), last: outcome, updated_ms: at })
    if (event) await recordStrategyEvent(transaction, id, event, { account: '', at, outcome })
    else await signalChanged(transaction, id)
  }
  // A tick without a change is no operation.
  return event === 'halt' ? operate(db, operation, work) : db.transaction().execute(work)
}

/** Stores levels that need no campaign, and when something is due next. Throws LostStrategy. */
export const recordHeld = (
  db: Database,
  strategy: Pick<LeasedStrategy, 'id' | 'worker'>,
  changes: Pick<Changes, 'held' | 'next_ms'>,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await lockLeased(transaction, strategy)
    await update(transaction, strategy.id, changes)
    await signalChanged(transaction, strategy.id)
  })

const signalChanged = (transaction: Transaction<Tables>, id: number): Promise<unknown> =>
  toSignal('strategy_changed', String(id)).execute(transaction)
