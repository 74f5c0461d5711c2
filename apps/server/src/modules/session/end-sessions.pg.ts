import { sql, type Transaction } from 'kysely'
import { toSignal } from '../../platform/signals/signals.pg.ts'
import type { Tables } from '../../platform/tables.ts'

/** Sessions that go on: those of one browser, and those of some tokens, because a browser may lose its name. */
export interface SparedSessions {
  readonly browserHash: Buffer
  readonly tokenHashes: readonly Buffer[]
}

/** Selects the sessions to end: by account, by account without the spared ones, or by session id, of one account or of any. */
export type EndedSessions =
  | { readonly accountIds: readonly number[]; readonly except?: SparedSessions }
  | { readonly sessionIds: readonly number[]; readonly accountId?: number }

/** Ends sessions with all their tokens. All replicas are notified on commit. Returns the number of ended sessions. */
export async function endSessions(
  transaction: Transaction<Tables>,
  ended: EndedSessions,
  now: number,
): Promise<number> {
  const which =
    'accountIds' in ended
      ? sql<boolean>`account_id = any(${[...ended.accountIds]}::bigint[])`
      : sql<boolean>`id = any(${[...ended.sessionIds]}::bigint[])
          and account_id = coalesce(${ended.accountId ?? null}::bigint, account_id)`
  const spared = 'accountIds' in ended ? ended.except : undefined
  const isOther =
    spared === undefined
      ? sql<boolean>`true`
      : sql<boolean>`browser_hash <> ${spared.browserHash}
          and id <> all(array(select session_id from token where hash = any(${[...spared.tokenHashes]}::bytea[])))`
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
