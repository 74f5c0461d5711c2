import { sql, type Transaction } from 'kysely'
import { toSignal } from '../../platform/signals/signals.pg.ts'
import type { Tables } from '../../platform/tables.ts'

/** Selects the sessions to end: by account, by account without those of one browser, or by session id. */
export type EndedSessions =
  | { readonly accountIds: readonly number[]; readonly exceptBrowserHash?: Buffer }
  | { readonly sessionIds: readonly number[] }

/** Ends sessions with all their tokens. All replicas are notified on commit. Returns the number of ended sessions. */
export async function endSessions(
  transaction: Transaction<Tables>,
  ended: EndedSessions,
  now: number,
): Promise<number> {
  const which =
    'accountIds' in ended
      ? sql<boolean>`account_id = any(${[...ended.accountIds]}::bigint[])`
      : sql<boolean>`id = any(${[...ended.sessionIds]}::bigint[])`
  const spared = 'accountIds' in ended ? ended.exceptBrowserHash : undefined
  const isOther = spared === undefined ? sql<boolean>`true` : sql<boolean>`browser_hash <> ${spared}`
  const rows = await transaction
    .updateTable('session')
    .set({ ended_at: new Date(now) })
    .where('ended_at', 'is', null)
    .where(which)
    .where(isOther)
    .returning('id')
    .execute()
  for (const { id } of rows) await toSignal('session_ended', String(id)).execute(transaction)
  return rows.length
}
