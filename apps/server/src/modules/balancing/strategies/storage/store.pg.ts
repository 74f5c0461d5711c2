import type {
  StrategyEvent,
  StrategyHistoryEvent,
  StrategyOutcome,
  StrategyPlan,
} from '@isotherm/contract/balancing/strategies'
import { sql, type Transaction } from 'kysely'
import { AppError } from '../../../../platform/app-error.ts'
import { lockVersion } from '../../../../platform/operation/lock-version.pg.ts'
import { operate } from '../../../../platform/operation/operate.pg.ts'
import type { Operation } from '../../../../platform/operation/operation.ts'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { toSignal } from '../../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../../platform/tables.ts'
import type { Doing } from '../../campaign/storage/campaign-types.ts'
import { orLoopTaken, toLoopColumns } from '../../campaign/storage/rows-on-loop.pg.ts'
import type { Place } from '../../loop/place.ts'
import { findStrategy, listHistory, listStrategies } from './rows.pg.ts'
import { strategyTransitions } from './state-machine.ts'
import type { PersonalStrategyEvent, StrategyMove, StrategyStore } from './strategy-types.ts'
import type {} from './tables.ts'

/** Notes what happened to a strategy and tells everybody. */
export async function noteStrategyEvent(
  transaction: Transaction<Tables>,
  id: number,
  event: StrategyHistoryEvent,
  { account, at, outcome }: Pick<Doing, 'account' | 'at'> & { readonly outcome?: StrategyOutcome },
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

/** Locks a strategy and finds where an event leads it. Throws strategy.not-found, entity.stale, strategy.not-now. */
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

/** Whoever looks at it now loses it, and it is looked at at once. */
const freed = (at: number) => ({ updated_ms: at, look_ms: at, worker: null, lease_until_ms: null })

async function addStrategy(
  db: Database,
  { place, plan, who }: { place: Place; plan: StrategyPlan; who: Doing },
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
    await noteStrategyEvent(transaction, id, 'add', who)
    return id
  })
}

const changeStrategy = (
  db: Database,
  plan: StrategyPlan,
  move: StrategyMove,
  operation: Operation,
): Promise<void> =>
  operate(db, operation, async (transaction) => {
    const { id, at } = move
    const { next, plan: before } = await lockFor(transaction, 'change', move)
    // It would be another strategy: its page and its permission are others.
    if (before.kind !== plan.kind) throw new AppError('strategy.not-now')
    await transaction
      .updateTable('strategy')
      .set({ ...freed(at), state: next, due: null, plan: sql`${JSON.stringify(plan)}::jsonb` })
      .where('id', '=', id)
      .execute()
    await noteStrategyEvent(transaction, id, 'change', move)
  })

/** What a strategy that is started begins with: who started it, and what holds now, whatever held before. */
const started = ({ accountId, account, at }: Doing) => ({
  account_id: accountId,
  account,
  started_by: account,
  started_ms: at,
  held: null,
  due: null,
  next_ms: at,
})

async function moveStrategy(
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
    await noteStrategyEvent(transaction, id, event, move)
  })
  await orLoopTaken(db, 'strategy', id, moved)
}

export const createStrategyStore = (db: Database): StrategyStore => ({
  list: (scope, query) => listStrategies(db, scope, query),
  find: (scope, id) => findStrategy(db, scope, id),
  listHistory: (scope, id, limiter) => listHistory(db, scope, id, limiter),
  add: (place, plan, who, operation) => addStrategy(db, { place, plan, who }, operation),
  change: (plan, move, operation) => changeStrategy(db, plan, move, operation),
  move: (event, move, operation) => moveStrategy(db, event, move, operation),
})
