import type { Backend } from '@isotherm/contract/endpoint'
import type { ModuleItem, UserInfo } from '@isotherm/contract/endpoints/administration/session'
import { WEEK_MS } from '@isotherm/kernel/durations'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call, Caller, PublicCall } from '../../platform/http/call.ts'
import type { Log } from '../../platform/log.ts'
import { type Scope, scopeOfEverything, toDisjointPaths } from '../../platform/scope/scope.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { NetworkService } from '../network/index.ts'
import type { GrantsRow } from './grants.pg.ts'
import type { AccountRow, CheckedAccount, SessionQueries } from './queries.pg.ts'
import type { LoginAttempts } from './sign-in/attempts.pg.ts'
import { isPassword } from './sign-in/passwords.ts'
import { createToken, EXCHANGE_GRACE_MS, hashToken, TOKEN_LIFE_MS } from './sign-in/tokens.ts'

export interface Credentials {
  readonly username: string
  /** SHA-256 of the password in hex. */
  readonly password: string
}

export interface IssuedToken {
  readonly token: string
  /** Unix ms. */
  readonly expiresAt: number
  readonly account: Pick<AccountRow, 'id' | 'utype'>
}

/** The access of a live session. */
export interface SessionAccess extends Pick<Caller, 'permissions' | 'scope'> {
  /** When its last token expires, Unix ms. */
  readonly endsAt: number
}

/** Signs accounts in, and finds out what a token, a session or an account may do. */
export interface SessionService {
  /**
   * Signs in and returns a token of the backend. A login at the second backend joins the session that the same account
   * has opened in the same browser. Throws session.bad-credentials, session.slowed or session.disabled.
   */
  login(backend: Backend, credentials: Credentials, call: PublicCall): Promise<IssuedToken>
  /**
   * Checks credentials and returns the account with the hash they were checked against. Counts attempts and throws as
   * login does.
   */
  verify(credentials: Credentials, call: PublicCall): Promise<CheckedAccount & Pick<AccountRow, 'account'>>
  /** Issues a new token for a valid one. The old token stays valid for one more minute. */
  exchange(backend: Backend, call: Call): Promise<IssuedToken>
  /** Ends the caller's session with all its tokens. */
  logout(caller: Caller): Promise<void>
  /**
   * The caller of a valid token of this backend. Throws session.expired. `revision`: the present access revision if the
   * call has already read it.
   */
  authenticate(backend: Backend, token: string, revision?: number): Promise<Caller>
  /**
   * The present access of sessions. Ended sessions are left out. Owners of long-lived connections call it from time to
   * time.
   */
  findAccess(sessionIds: readonly number[]): Promise<ReadonlyMap<number, SessionAccess>>
  /** The present access of an account, signed in or not. Undefined for a disabled or deleted account. */
  findAccountAccess(accountId: number): Promise<AccountAccess | undefined>
  /**
   * Calls the listener with the id of a session that ends early, on any replica. Calls it without an id when signals may
   * have been missed or access has changed (`access_changed`). Returns a function that stops the calls.
   */
  onEnded(listener: (sessionId: number | undefined) => void): () => void
  getUser(caller: Caller): Promise<UserInfo>
  listModules(caller: Caller): Promise<{ data: ModuleItem[]; rcode: number; paccount: string }>
}

export interface SessionDependencies {
  readonly queries: SessionQueries
  readonly attempts: LoginAttempts
  readonly network: Pick<NetworkService, 'listProjectIds'>
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
}

type Access = Pick<Caller, 'permissions' | 'scope'>

const RETAIN_ENDED_MS = WEEK_MS
const SWEEP_EVERY_MS = 10 * 60 * 1000

/** Fixed parts of the user info (specification, sections 3 and 7). */
const userInfoConstants = { type_id: 1, usrUserLevel: 1 } as const
/** Role code of an account without a role (specification, section 9). */
const DEFAULT_SYSROLE = 101

/** What an account may do, and its company. */
export type AccountAccess = Pick<Caller, 'permissions' | 'scope' | 'companyId'>

/** Undefined grants, of an account deleted meanwhile, give no access. */
function toAccess(grants: GrantsRow | undefined): Access {
  const { seesAll = false, permissions = [], paths = [] } = grants ?? {}
  const scope: Scope = seesAll ? scopeOfEverything : { kind: 'paths', paths: toDisjointPaths(paths) }
  return { permissions: new Set(permissions), scope }
}

/** A value that was read at this access revision. */
interface Cached<Value> {
  readonly revision: number
  readonly value: Value
}

/** Maximum number of cached paths of accounts, about 100 MB. */
const CACHED_PATHS = 1_000_000
const CACHED_CALLERS = 20_000

export function createSessionService({
  queries,
  attempts,
  network,
  signals,
  clock,
  log,
}: SessionDependencies): SessionService {
  let sweptAt = Number.NEGATIVE_INFINITY

  /** Deletes old sessions in the background. */
  function sweepWhenDue(now: number): void {
    if (now - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = now
    queries.deleteOldSessions(now - RETAIN_ENDED_MS).catch((error: unknown) => {
      log.warn({ err: error }, 'cannot delete old sessions, retrying later')
    })
  }

  /**
   * Checks the password. The operation log gets the account name as soon as the account is found, and the account id
   * after the right password. `succeeded`: the update of the failure counters, which the caller awaits later.
   */
  async function checkPassword(
    { username, password }: Credentials,
    { address, operation }: PublicCall,
  ): Promise<{ readonly account: AccountRow; readonly succeeded: Promise<void> }> {
    const name = username.trim()
    const [attempt, account] = await Promise.all([attempts.start(name, address), queries.findAccount(name)])
    if (account) operation.account = account.account
    if (!(await isPassword(account?.passwordHash, password)) || !account) {
      throw new AppError('session.bad-credentials')
    }
    operation.accountId = account.id
    operation.companyId = account.companyId ?? undefined
    if (account.enabled) return { account, succeeded: attempt.succeed() }
    await attempt.succeed()
    throw new AppError('session.disabled')
  }

  async function checkCredentials(credentials: Credentials, call: PublicCall): Promise<AccountRow> {
    const { account, succeeded } = await checkPassword(credentials, call)
    await succeeded
    return account
  }

  function newToken(backend: Backend) {
    const token = createToken()
    return { token, stored: { hash: hashToken(token), backend, expiresAt: clock.now() + TOKEN_LIFE_MS } }
  }

  async function issue(
    backend: Backend,
    sessionId: number,
    account: IssuedToken['account'],
  ): Promise<IssuedToken> {
    const { token, stored } = newToken(backend)
    await queries.addToken({ ...stored, sessionId })
    return { token, expiresAt: stored.expiresAt, account }
  }

  const accessCache = new LRUCache<number, Cached<Access>>({
    maxSize: CACHED_PATHS,
    sizeCalculation: ({ value: { scope } }) => 1 + (scope.kind === 'paths' ? scope.paths.length : 0),
  })
  const callerCache = new LRUCache<string, Cached<Caller>>({ max: CACHED_CALLERS })

  async function findAccessAt(revision: number, accountId: number): Promise<Access> {
    const known = accessCache.get(accountId)
    if (known?.revision === revision) return known.value
    const [grants] = await queries.listGrants([accountId])
    const value = toAccess(grants)
    accessCache.set(accountId, { revision, value })
    return value
  }

  async function findCallerAt(revision: number, backend: Backend, tokenHash: Buffer): Promise<Caller> {
    const key = `${backend} ${tokenHash.toString('base64')}`
    const known = callerCache.get(key)
    if (known?.revision === revision && known.value.expiresAt > clock.now()) return known.value
    const found = await queries.findToken(backend, tokenHash, clock.now())
    if (!found) throw new AppError('session.expired')
    const { account, sessionId, expiresAt } = found
    const value: Caller = {
      accountId: account.id,
      account: account.account,
      companyId: account.companyId ?? undefined,
      sessionId,
      tokenHash,
      expiresAt,
      ...(await findAccessAt(revision, account.id)),
    }
    callerCache.set(key, { revision, value })
    return value
  }

  return {
    async login(backend, credentials, call) {
      const { address, browser } = call
      const { account, succeeded } = await checkPassword(credentials, call)
      const now = clock.now()
      const browserHash = hashToken(browser)
      const [joined] =
        backend === 'ht-api'
          ? await Promise.all([queries.findSessionToJoin(account, browserHash, now), succeeded])
          : []
      if (joined !== undefined) return issue(backend, joined, account)
      const { token, stored } = newToken(backend)
      const [opened] = await Promise.all([
        queries.createSession(account, { browserHash, address, now }, stored),
        succeeded,
      ])
      sweepWhenDue(now)
      if (opened === undefined) throw new AppError('session.bad-credentials')
      return { token, expiresAt: stored.expiresAt, account }
    },

    verify: checkCredentials,

    async exchange(backend, { caller }) {
      const account = await queries.getAccount(caller.accountId)
      const issued = await issue(backend, caller.sessionId, account)
      await queries.shortenToken(caller.tokenHash, clock.now() + EXCHANGE_GRACE_MS)
      return issued
    },

    logout: (caller) => queries.endSession(caller.sessionId, clock.now()),

    // Reads after the revision return values at least as new as the revision.
    authenticate: async (backend, token, revision) =>
      findCallerAt(revision ?? (await queries.readRevision()), backend, hashToken(token)),

    async findAccountAccess(accountId) {
      const account = await queries.findAccountById(accountId)
      if (!account?.enabled) return undefined
      const [grants] = await queries.listGrants([accountId])
      return { companyId: account.companyId ?? undefined, ...toAccess(grants) }
    },

    async findAccess(sessionIds) {
      const sessions = await queries.findLiveSessions(sessionIds, clock.now())
      const grants = await queries.listGrants([...new Set(sessions.map(({ accountId }) => accountId))])
      const byAccount = new Map(grants.map((row) => [row.accountId, toAccess(row)]))
      return new Map(
        sessions.map(({ sessionId, accountId, endsAt }) => [
          sessionId,
          { endsAt, ...(byAccount.get(accountId) ?? toAccess(undefined)) },
        ]),
      )
    },

    onEnded(listener) {
      const stops = [
        signals.listen('session_ended', (payload) =>
          listener(payload === undefined ? undefined : Number(payload)),
        ),
        signals.listen('access_changed', () => listener(undefined)),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },

    async getUser({ accountId, scope }) {
      const [{ id, account, name, pAccount, tel, kind }, roleCode, projectIds] = await Promise.all([
        queries.getAccount(accountId),
        queries.getRoleCode(accountId),
        network.listProjectIds(scope),
      ])
      const sysrole = roleCode || DEFAULT_SYSROLE
      const usrUserType = kind === 'provider' ? '100' : '01'
      return { id, account, name, pAccount, sysrole, tel, projectIds, usrUserType, ...userInfoConstants }
    },

    async listModules({ accountId, permissions }) {
      const [modules, rcode, { pAccount }] = await Promise.all([
        queries.listModules(),
        queries.getRoleCode(accountId),
        queries.getAccount(accountId),
      ])
      const allowed: ReadonlySet<string> = permissions
      const pages = modules.filter(({ url, parentId }) => parentId !== null && allowed.has(url))
      const parents = new Set(pages.map(({ parentId }) => parentId))
      const isGroup = (item: ModuleItem) =>
        item.parentId === null && (allowed.has(item.url) || parents.has(item.id))
      return {
        data: modules.filter((item) => isGroup(item) || pages.includes(item)),
        rcode,
        paccount: pAccount,
      }
    },
  }
}
