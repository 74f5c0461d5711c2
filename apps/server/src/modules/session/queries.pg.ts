import type { Backend } from '@isotherm/contract/endpoint'
import type { ModuleItem } from '@isotherm/contract/endpoints/administration/session'
import { sql } from 'kysely'
import { isServed } from '../../platform/cell/served.pg.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import { readRevisions } from '../../platform/signals/revisions.pg.ts'
import { endSessions } from './end-sessions.pg.ts'
import { type GrantsRow, listGrants } from './grants.pg.ts'
import { readPasswordRules } from './passwords/password-policies.pg.ts'
import { sweepSessions } from './sweep.pg.ts'
// Adds this module's tables to the type of the database.
import type {} from './tables.ts'

export interface AccountRow {
  readonly id: number
  readonly account: string
  readonly name: string
  readonly passwordHash: string
  readonly pAccount: string
  readonly tel: string
  readonly utype: string
  readonly enabled: boolean
  readonly seesAll: boolean
  readonly isDemo: boolean
  readonly kind: 'company' | 'provider'
  readonly passwordSetAt: Date
  /** Another person chose the password. */
  readonly passwordGiven: boolean
  /** Signs in at the company's provider, which checks age and second factor. */
  readonly isExternal: boolean
  /** null for provider staff. */
  readonly companyId: number | null
  /** Whether this server serves its company; true for provider staff. */
  readonly isServed: boolean
}

/** The console reports input with a delay, and ends an idle session before the server does. */
const IDLE_GRACE_MINUTES = 2

/** An account, and the hash that its password was checked against. */
export type CheckedAccount = Pick<AccountRow, 'id' | 'passwordHash'>

/** The session and account of a valid token. */
export interface TokenRow {
  readonly sessionId: number
  readonly expiresAt: number
  readonly account: AccountRow
}

export interface NewToken {
  readonly hash: Buffer
  readonly sessionId: number
  readonly backend: Backend
  /** Unix ms. */
  readonly expiresAt: number
}

export interface LiveSessionRow {
  readonly sessionId: number
  readonly accountId: number
  /** Unix ms. */
  readonly endsAt: number
}

export interface OpenedSession {
  readonly browserHash: Buffer
  readonly address: string
  /** Unix ms. */
  readonly now: number
}

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
  'account.password_set_at as passwordSetAt',
  'account.password_given as passwordGiven',
  'account.is_external as isExternal',
  'account.kind',
  'account.company_id as companyId',
  sql<boolean>`account.company_id is null or ${isServed('account.company_id')}`.as('isServed'),
] as const

/** Queries of accounts, sessions and tokens. `withDemo: false` hides the demo accounts, whose password is public. */
export function createSessionQueries(db: Database, { withDemo }: { readonly withDemo: boolean }) {
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
      .where(sql<boolean>`not exists (
        select from password_policy policy
        where (policy.company_id is null or policy.company_id = account.company_id) and policy.idle_minutes > 0
          and session.active_at < ${new Date(now)}::timestamptz
            - (policy.idle_minutes + ${IDLE_GRACE_MINUTES}) * interval '1 minute')`)
      .$if(!withDemo, (query) => query.where('account.is_demo', '=', false))

  return {
    findAccount: (account: string): Promise<AccountRow | undefined> =>
      accounts().where('account.account', '=', account).executeTakeFirst(),
    findAccountById: (id: number): Promise<AccountRow | undefined> =>
      accounts().where('account.id', '=', id).executeTakeFirst(),
    /** Rejects if the account does not exist. */
    getAccount: (id: number): Promise<AccountRow> =>
      accounts().where('account.id', '=', id).executeTakeFirstOrThrow(),

    /** The access revision. It rises when a session ends and when anything changes what an account may do or see. */
    readRevision: async (): Promise<number> => (await readRevisions(db)).access,
    /** The present permissions and paths of accounts, see grants.pg.ts. */
    listGrants: (accountIds: readonly number[]): Promise<readonly GrantsRow[]> => listGrants(db, accountIds),

    /** The rules for passwords of the account. */
    readPasswordRules: ({ companyId }: Pick<AccountRow, 'companyId'>) => readPasswordRules(db, companyId),

    /** The lowest code of the account's roles; 0 without roles. */
    async getRoleCode(accountId: number): Promise<number> {
      const row = await db
        .selectFrom('account_role')
        .innerJoin('role', 'role.id', 'account_role.role_id')
        .select((eb) => eb.fn.min('role.code').as('code'))
        .where('account_role.account_id', '=', accountId)
        .executeTakeFirst()
      return row?.code ?? 0
    },

    /** Enabled modules in menu order. */
    listModules: (): Promise<readonly ModuleItem[]> =>
      db
        .selectFrom('module')
        .select(['id', 'parent_id as parentId', 'name', 'url', 'icon', 'sort', 'enabled'])
        .where('enabled', '=', true)
        .orderBy('sort')
        .execute(),

    /**
     * Opens a session with its first token. Undefined when the account was disabled or got another password after its
     * credentials were checked.
     */
    async createSession(
      { id, passwordHash }: CheckedAccount,
      { browserHash, address, now }: OpenedSession,
      token: Omit<NewToken, 'sessionId'>,
    ): Promise<number | undefined> {
      // The lock waits for a running change of the password. A later change finds this session and ends it.
      // One statement, because each statement waits for the disk.
      const { rows } = await sql<{ id: number }>`
        with opened as (
          insert into session (account_id, browser_hash, address, created_at, active_at)
          select account.id, ${browserHash}, ${address}, ${new Date(now)}, ${new Date(now)} from account
          where account.id = ${id} and account.password_hash = ${passwordHash} and account.enabled for share
          returning id)
        insert into token (hash, session_id, backend, expires_at)
        select ${token.hash}::bytea, id, ${token.backend}::text, ${new Date(token.expiresAt)}::timestamptz from opened
        returning session_id as id`.execute(db)
      return rows[0]?.id
    },

    /** The newest live session of the account in the browser that has no token of the second backend yet. */
    async findSessionToJoin(
      { id, passwordHash }: CheckedAccount,
      browserHash: Buffer,
      now: number,
    ): Promise<number | undefined> {
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

    async addToken({ hash, sessionId, backend, expiresAt }: NewToken): Promise<void> {
      await db
        .insertInto('token')
        .values({ hash, session_id: sessionId, backend, expires_at: new Date(expiresAt) })
        .execute()
    },

    /** Finds a token whose session lives, whose account is enabled, and that has not expired at `now`. */
    async findToken(backend: Backend, hash: Buffer, now: number): Promise<TokenRow | undefined> {
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

    /** The live ones of these sessions, each with the latest expiry of its tokens. */
    async findLiveSessions(sessionIds: readonly number[], now: number): Promise<readonly LiveSessionRow[]> {
      const rows = await liveTokens(now)
        .select(['session.id as sessionId', 'session.account_id as accountId'])
        .select((eb) => eb.fn.max('token.expires_at').as('end'))
        .where(sql<boolean>`session.id = any(${[...sessionIds]}::bigint[])`)
        .groupBy('session.id')
        .execute()
      return rows.map(({ end, ...session }) => ({ ...session, endsAt: end.getTime() }))
    },

    /** When a session was opened, Unix ms. */
    async getSessionStart(sessionId: number): Promise<number> {
      const session = db.selectFrom('session').select('created_at').where('id', '=', sessionId)
      return (await session.executeTakeFirstOrThrow()).created_at.getTime()
    },

    /** Lets a token expire at `expiresAt` if it would expire later. */
    async shortenToken(hash: Buffer, expiresAt: number): Promise<void> {
      await db
        .updateTable('token')
        .set({ expires_at: sql<Date>`least(expires_at, ${new Date(expiresAt)})` })
        .where('hash', '=', hash)
        .execute()
    },

    /** The user of a session gave input. */
    async recordActivity(sessionId: number, now: number): Promise<void> {
      await db
        .updateTable('session')
        .set({ active_at: new Date(now) })
        .where('id', '=', sessionId)
        .execute()
    },

    /** Ends a session and notifies all replicas. */
    endSession: (sessionId: number, now: number): Promise<void> =>
      db.transaction().execute(async (transaction) => {
        await endSessions(transaction, { sessionIds: [sessionId] }, now)
      }),

    /** Deletes sessions whose tokens all expired before `before`. Skips locked rows. */
    deleteOldSessions: (before: number): Promise<void> => sweepSessions(db, new Date(before)),
  }
}

export type SessionQueries = ReturnType<typeof createSessionQueries>
