import type { Backend } from '@isotherm/contract/endpoint'
import type { ModuleItem, UserInfo } from '@isotherm/contract/endpoints/session'
import { WEEK_MS } from '@isotherm/kernel/durations'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call, Caller, PublicCall } from '../../platform/http/call.ts'
import type { Log } from '../../platform/log.ts'
import { type Scope, scopeOfEverything, toDisjointPaths } from '../../platform/scope/scope.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { NetworkService } from '../network/index.ts'
import type { LoginAttempts } from './sign-in/attempts.pg.ts'
import { isPassword } from './sign-in/passwords.ts'
import { createToken, EXCHANGE_GRACE_MS, hashToken, TOKEN_LIFE_MS } from './sign-in/tokens.ts'
import type { AccountRow, CheckedAccount, GrantsRow, SessionStore } from './store.ts'

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

/** What a session may do, as long as it is not ended. */
export interface SessionAccess extends Pick<Caller, 'permissions' | 'scope'> {
  /** When it ends unless its tokens are exchanged, Unix ms. */
  readonly endsAt: number
}

/** Who may come in, and what for. */
export interface SessionService {
  /**
   * Signs in and gives a token of the backend. A second-backend login joins the session that the same account
   * opened in the same browser. Throws session.bad-credentials, session.slowed or session.disabled.
   */
  login(backend: Backend, credentials: Credentials, call: PublicCall): Promise<IssuedToken>
  /**
   * The account whose credentials these are, with the hash they were checked against. Counts and refuses as login
   * does.
   */
  verify(credentials: Credentials, call: PublicCall): Promise<CheckedAccount & Pick<AccountRow, 'account'>>
  /** Gives a new token for one that is still good; the old one works a minute longer. */
  exchange(backend: Backend, call: Call): Promise<IssuedToken>
  /** Ends the caller's session with all its tokens. */
  logout(caller: Caller): Promise<void>
  /**
   * The caller behind a token of this backend. Throws session.expired when there is none (any more). `revision` is
   * that of access since somebody asks; it is read where it is not given.
   */
  authenticate(backend: Backend, token: string, revision?: number): Promise<Caller>
  /**
   * What each of the sessions may do now; those that have ended are left out. A holder of long-lived
   * connections asks again from time to time.
   */
  findAccess(sessionIds: readonly number[]): Promise<ReadonlyMap<number, SessionAccess>>
  /** What an account may do now, signed in or not; undefined for one that is disabled or gone. */
  findAccountAccess(accountId: number): Promise<AccountAccess | undefined>
  /**
   * Calls `ended` when a session ends before its time, on whichever replica, and without an id when ends may
   * have been missed or what sessions may do has changed (`access_changed`). Returns how to stop.
   */
  onEnded(ended: (sessionId: number | undefined) => void): () => void
  getUser(caller: Caller): Promise<UserInfo>
  listModules(caller: Caller): Promise<{ data: ModuleItem[]; rcode: number; paccount: string }>
}

export interface SessionNeeds {
  readonly store: SessionStore
  readonly attempts: LoginAttempts
  readonly network: Pick<NetworkService, 'listProjectIds'>
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
}

type Access = Pick<Caller, 'permissions' | 'scope'>

const KEEP_ENDED_MS = WEEK_MS
const SWEEP_EVERY_MS = 10 * 60 * 1000

/** Fixed parts of the user info (specification, sections 3, 7 and 9). */
const userInfoConstants = { sysrole: 101, type_id: 1, usrUserLevel: 1 } as const

/** What an account may do, and whose staff it is. */
export type AccountAccess = Pick<Caller, 'permissions' | 'scope' | 'companyId'>

/** An account that was deleted meanwhile may do nothing. */
function toAccess(grants: GrantsRow | undefined): Access {
  const { seesAll = false, permissions = [], paths = [] } = grants ?? {}
  const scope: Scope = seesAll ? scopeOfEverything : { kind: 'paths', paths: toDisjointPaths(paths) }
  return { permissions: new Set(permissions), scope }
}

/** What was read when the revision of access was this. */
interface Kept<Value> {
  readonly revision: number
  readonly value: Value
}

/** Paths of accounts that are kept: some 100 MB at worst. */
const KEPT_PATHS = 1_000_000
const KEPT_CALLERS = 20_000

export function createSessionService({
  store,
  attempts,
  network,
  signals,
  clock,
  log,
}: SessionNeeds): SessionService {
  let sweptAt = Number.NEGATIVE_INFINITY

  /** Nobody waits for it: who signs in has nothing of it. */
  function sweepWhenDue(now: number): void {
    if (now - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = now
    store.deleteOldSessions(now - KEEP_ENDED_MS).catch((error: unknown) => {
      log.warn({ err: error }, 'cannot delete old sessions, trying again later')
    })
  }

  /**
   * What the log is told follows what is known: whose account it is, and by their password that it is they. `noted` is
   * awaited beside what comes after it.
   */
  async function checkPassword(
    { username, password }: Credentials,
    { address, operation }: PublicCall,
  ): Promise<{ readonly account: AccountRow; readonly noted: Promise<void> }> {
    const name = username.trim()
    const [attempt, account] = await Promise.all([attempts.begin(name, address), store.findAccount(name)])
    if (account) operation.account = account.account
    if (!(await isPassword(account?.passwordHash, password)) || !account) {
      throw new AppError('session.bad-credentials')
    }
    operation.accountId = account.id
    operation.companyId = account.companyId ?? undefined
    if (account.enabled) return { account, noted: attempt.succeed() }
    await attempt.succeed()
    throw new AppError('session.disabled')
  }

  async function checkCredentials(credentials: Credentials, call: PublicCall): Promise<AccountRow> {
    const { account, noted } = await checkPassword(credentials, call)
    await noted
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
    await store.addToken({ ...stored, sessionId })
    return { token, expiresAt: stored.expiresAt, account }
  }

  const keptAccess = new LRUCache<number, Kept<Access>>({
    maxSize: KEPT_PATHS,
    sizeCalculation: ({ value: { scope } }) => 1 + (scope.kind === 'paths' ? scope.paths.length : 0),
  })
  const keptCallers = new LRUCache<string, Kept<Caller>>({ max: KEPT_CALLERS })

  async function findAccessAt(revision: number, accountId: number): Promise<Access> {
    const known = keptAccess.get(accountId)
    if (known?.revision === revision) return known.value
    const [grants] = await store.listGrants([accountId])
    const value = toAccess(grants)
    keptAccess.set(accountId, { revision, value })
    return value
  }

  async function findCallerAt(revision: number, backend: Backend, tokenHash: Buffer): Promise<Caller> {
    const key = `${backend} ${tokenHash.toString('base64')}`
    const known = keptCallers.get(key)
    if (known?.revision === revision && known.value.expiresAt > clock.now()) return known.value
    const found = await store.findToken(backend, tokenHash, clock.now())
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
    keptCallers.set(key, { revision, value })
    return value
  }

  return {
    async login(backend, credentials, call) {
      const { address, browser } = call
      const { account, noted } = await checkPassword(credentials, call)
      const now = clock.now()
      const browserHash = hashToken(browser)
      const [joined] =
        backend === 'ht-api'
          ? await Promise.all([store.findSessionToJoin(account, browserHash, now), noted])
          : []
      if (joined !== undefined) return issue(backend, joined, account)
      const { token, stored } = newToken(backend)
      const [opened] = await Promise.all([
        store.createSession(account, { browserHash, address, now }, stored),
        noted,
      ])
      sweepWhenDue(now)
      if (opened === undefined) throw new AppError('session.bad-credentials')
      return { token, expiresAt: stored.expiresAt, account }
    },

    verify: checkCredentials,

    async exchange(backend, { caller }) {
      const account = await store.getAccount(caller.accountId)
      const issued = await issue(backend, caller.sessionId, account)
      await store.shortenToken(caller.tokenHash, clock.now() + EXCHANGE_GRACE_MS)
      return issued
    },

    logout: (caller) => store.endSession(caller.sessionId, clock.now()),

    // What is read after the revision is at least as new.
    authenticate: async (backend, token, revision) =>
      findCallerAt(revision ?? (await store.readRevision()), backend, hashToken(token)),

    async findAccountAccess(accountId) {
      const account = await store.findAccountById(accountId)
      if (!account?.enabled) return undefined
      const [grants] = await store.listGrants([accountId])
      return { companyId: account.companyId ?? undefined, ...toAccess(grants) }
    },

    async findAccess(sessionIds) {
      const sessions = await store.findLiveSessions(sessionIds, clock.now())
      const grants = await store.listGrants([...new Set(sessions.map(({ accountId }) => accountId))])
      const byAccount = new Map(grants.map((row) => [row.accountId, toAccess(row)]))
      return new Map(
        sessions.map(({ sessionId, accountId, endsAt }) => [
          sessionId,
          { endsAt, ...(byAccount.get(accountId) ?? toAccess(undefined)) },
        ]),
      )
    },

    onEnded(ended) {
      const stops = [
        signals.listen('session_ended', (payload) =>
          ended(payload === undefined ? undefined : Number(payload)),
        ),
        signals.listen('access_changed', () => ended(undefined)),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },

    async getUser({ accountId, scope }) {
      const { id, account, name, pAccount, tel, kind } = await store.getAccount(accountId)
      const projectIds = await network.listProjectIds(scope)
      const usrUserType = kind === 'provider' ? '100' : '01'
      return { id, account, name, pAccount, tel, projectIds, usrUserType, ...userInfoConstants }
    },

    async listModules({ accountId, permissions }) {
      const [modules, rcode, { pAccount }] = await Promise.all([
        store.listModules(),
        store.getRoleCode(accountId),
        store.getAccount(accountId),
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
