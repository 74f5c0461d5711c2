import { sql } from 'kysely'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { readRevisions } from '../../platform/signals/revisions.pg.ts'
import { endSessions } from './end-sessions.pg.ts'
import { listGrants } from './grants.pg.ts'
import type { SessionStore } from './store.ts'
import { sweepSessions } from './sweep.pg.ts'
// Adds this module's tables to those the database knows.
import type {} from './tables.ts'

const accountColumns = [
  'account.id',
  'account.account',
  'account.name',
  'account.password_hash as passwordHash',
  'account.p_account as pAccount',
  'account.tel',
  'account.utype',
  'account.enabled',
  'account.sees_all as seesAll',
  'account.is_demo as isDemo',
  'account.kind',
  'account.company_id as companyId',
] as const

/** `withDemo` false hides accounts whose password is public, as if they did not exist. */
export function createSessionStore(db: Database, { withDemo }: { readonly withDemo: boolean }): SessionStore {
  const accounts = () =>
    db
      .selectFrom('account')
      .select(accountColumns)
      .$if(!withDemo, (query) => query.where('account.is_demo', '=', false))

  const liveTokens = (now: number) =>
    db
      .selectFrom('token')
      .innerJoin('session', 'session.id', 'token.session_id')
      .innerJoin('account', 'account.id', 'session.account_id')
      .where('session.ended_at', 'is', null)
      .where('token.expires_at', '>', new Date(now))
      .where('account.enabled', '=', true)
      .$if(!withDemo, (query) => query.where('account.is_demo', '=', false))

  return {
    findAccount: (account) => accounts().where('account.account', '=', account).executeTakeFirst(),
    findAccountById: (id) => accounts().where('account.id', '=', id).executeTakeFirst(),
    getAccount: (id) => accounts().where('account.id', '=', id).executeTakeFirstOrThrow(),

    readRevision: async () => (await readRevisions(db)).access,
    listGrants: (accountIds) => listGrants(db, accountIds),

    async getRoleCode(accountId) {
      const row = await db
        .selectFrom('account_role')
        .innerJoin('role', 'role.id', 'account_role.role_id')
        .select((eb) => eb.fn.min('role.code').as('code'))
        .where('account_role.account_id', '=', accountId)
        .executeTakeFirst()
      return row?.code ?? 0
    },

    listModules: () =>
      db
        .selectFrom('module')
        .select(['id', 'parent_id as parentId', 'name', 'url', 'icon', 'sort', 'enabled'])
        .where('enabled', '=', true)
        .orderBy('sort')
        .execute(),

    async createSession({ id, passwordHash }, { browserHash, address, now }, token) {
      // Locked, so that a change of the password under way is waited for, and then sees this session to end it.
      // One statement: each of its own would wait for the disk.
      const { rows } = await sql<{ id: number }>`
        with opened as (
          insert into session (account_id, browser_hash, address, created_at)
          select account.id, ${browserHash}, ${address}, ${new Date(now)} from account
          where account.id = ${id} and account.password_hash = ${passwordHash} and account.enabled for share
          returning id)
        insert into token (hash, session_id, backend, expires_at)
        select ${token.hash}::bytea, id, ${token.backend}::text, ${new Date(token.expiresAt)}::timestamptz from opened
        returning session_id as id`.execute(db)
      return rows[0]?.id
    },

    async findSessionToJoin({ id, passwordHash }, browserHash, now) {
      const row = await liveTokens(now)
        .select('session.id')
        .where('session.account_id', '=', id)
        .where('account.password_hash', '=', passwordHash)
        .where('session.browser_hash', '=', browserHash)
        .where(
          sql<boolean>`not exists (select from token other where other.session_id = session.id and other.backend = 'ht-api')`,
        )
        .orderBy('session.id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.id
    },

    async addToken({ hash, sessionId, backend, expiresAt }) {
      await db
        .insertInto('token')
        .values({ hash, session_id: sessionId, backend, expires_at: new Date(expiresAt) })
        .execute()
    },

    async findToken(backend, hash, now) {
      const row = await liveTokens(now)
        .select(accountColumns)
        .select(['token.session_id as sessionId', 'token.expires_at as expiresAt'])
        .where('token.hash', '=', hash)
        .where('token.backend', '=', backend)
        .executeTakeFirst()
      if (!row) return undefined
      const { sessionId, expiresAt, ...account } = row
      return { sessionId, expiresAt: expiresAt.getTime(), account }
    },

    async findLiveSessions(sessionIds, now) {
      const rows = await liveTokens(now)
        .select(['session.id as sessionId', 'session.account_id as accountId'])
        .select((eb) => eb.fn.max('token.expires_at').as('end'))
        .where(sql<boolean>`session.id = any(${[...sessionIds]}::bigint[])`)
        .groupBy('session.id')
        .execute()
      return rows.map(({ end, ...session }) => ({ ...session, endsAt: end.getTime() }))
    },

    async shortenToken(hash, expiresAt) {
      await db
        .updateTable('token')
        .set({ expires_at: sql<Date>`least(expires_at, ${new Date(expiresAt)})` })
        .where('hash', '=', hash)
        .execute()
    },

    endSession: (sessionId, now) =>
      db.transaction().execute(async (transaction) => {
        await endSessions(transaction, { sessionIds: [sessionId] }, now)
      }),

    deleteOldSessions: (before) => sweepSessions(db, new Date(before)),
  }
}
