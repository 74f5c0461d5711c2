import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../../platform/postgres/database.pg.ts'
import { toSignal } from '../../../../platform/signals/signals.pg.ts'
import type { Tables } from '../../../../platform/tables.ts'
import type { LeasedRows } from '../../campaign/storage/loop-rows.pg.ts'
import { type LeasedStrategy, lockLeased, stoppedStrategies } from './strategy-changes.pg.ts'
import type { SupplyState } from './supply-state.ts'

const toJson = (value: object) => sql<never>`${JSON.stringify(value)}::jsonb`

/** Stores a decision in the transaction of its order, if it has one, with an event in the history. Throws LostStrategy. */
export async function putSupply(
  transaction: Transaction<Tables>,
  strategy: Pick<LeasedStrategy, 'id' | 'worker'>,
  rows: LeasedRows,
  { state, isOrder }: { readonly state: SupplyState; readonly isOrder: boolean },
): Promise<void> {
  const { id } = strategy
  await lockLeased(transaction, strategy, rows)
  await transaction
    .updateTable('strategy')
    .set({ supply: toJson(state) })
    .where('id', '=', id)
    .execute()
  if (isOrder) {
    const { check } = state
    await transaction
      .insertInto('strategy_event')
      .values({ strategy_id: id, at_ms: check.at, event: 'supply', account: '', supply: toJson(check) })
      .execute()
  }
  await toSignal('strategy_changed', String(id)).execute(transaction)
}

/** Stores a decision without an order. Throws LostStrategy. */
export const recordSupply = (
  db: Database,
  strategy: Pick<LeasedStrategy, 'id' | 'worker'>,
  rows: LeasedRows,
  state: SupplyState,
): Promise<void> =>
  db.transaction().execute((transaction) => putSupply(transaction, strategy, rows, { state, isOrder: false }))

/** Whether another, stopped strategy still has to restore the original offset of the station. */
export async function isRestoredByOther(
  db: Database,
  { id, stationNodeId }: Pick<LeasedStrategy, 'id' | 'stationNodeId'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from strategy
    where station_node_id = ${stationNodeId} and id <> ${id} and state = any(${[...stoppedStrategies.states]}::text[])
      and (supply -> 'originalK' is not null or supply -> 'head' is not null)
    limit 1`.execute(db)
  return rows.length > 0
}
