import { sql, type Transaction } from 'kysely'
import { toSignal } from '../../platform/signals/signals.pg.ts'
import type { Tables } from '../../platform/tables.ts'

/** The sessions of the accounts, or the sessions themselves. */
export type EndedSessions =
  | { readonly accountIds: readonly number[] }
  | { readonly sessionIds: readonly number[] }

/** Ends sessions with all their tokens and tells all replicas once the transaction commits; returns how many. */
export async function endSessions(
  transaction: Transaction<Tables>,
  ended: EndedSessions,
  now: number,
): Promise<number> {
  const which =
    'accountIds' in ended
      ? sql<boolean>`account_id = any(${[...ended.accountIds]}::bigint[])`
      : sql<boolean>`id = any(${[...ended.sessionIds]}::bigint[])`
  const rows = await transaction
    .updateTable('session')
    .set({ ended_at: new Date(now) })
    .where('ended_at', 'is', null)
    .where(which)
    .returning('id')
    .execute()
  for (const { id } of rows) await toSignal('session_ended', String(id)).execute(transaction)
  return rows.length
}
