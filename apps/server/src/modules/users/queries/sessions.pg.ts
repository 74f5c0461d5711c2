import type { OutputOf } from '@isotherm/contract/endpoint'
import type { getSessions } from '@isotherm/contract/endpoints/administration/user-access'
import type { Limiter } from '@isotherm/contract/filter'
import { sql } from 'kysely'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../platform/postgres/filter.pg.ts'

interface SessionRow {
  readonly id: number
  readonly uid: number
  readonly address: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Sessions of an account that have neither ended nor expired at `now`, newest first. */
export async function listSessions(
  db: Database,
  caller: Caller,
  { uid, limiter, now }: { readonly uid: number; readonly limiter: Limiter; readonly now: number },
): Promise<OutputOf<typeof getSessions>> {
  const found = sql`from session join lateral (
      select max(token.expires_at) as ends from token where token.session_id = session.id) good on true
    where session.account_id = ${uid} and session.ended_at is null and good.ends > ${new Date(now)}`
  const counted = await sql<{ total: number }>`select count(*) as total ${found}`.execute(db)
  const { rows } = await sql<SessionRow>`
    select session.id, session.account_id as uid, session.address, session.created_at as "createdAt",
      good.ends as "expiresAt" ${found}
    order by session.id desc limit ${limiter.size} offset ${toOffset(limiter)}`.execute(db)
  return {
    datalist: rows.map(({ createdAt, expiresAt, ...row }) => ({
      ...row,
      createdAt: createdAt.getTime(),
      expiresAt: expiresAt.getTime(),
      isThis: row.id === caller.sessionId,
    })),
    total: counted.rows[0]?.total ?? 0,
  }
}

/** Whether another authority identifies the account, so that it has no password here. */
export async function isExternal(db: Database, accountId: number): Promise<boolean> {
  const found = db.selectFrom('account').select('is_external').where('id', '=', accountId)
  return (await found.executeTakeFirst())?.is_external ?? false
}

export const readOwnSession = (
  db: Database,
  { sessionId }: Pick<Caller, 'sessionId'>,
): Promise<{ createdAt: Date }> =>
  db
    .selectFrom('session')
    .select('created_at as createdAt')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
