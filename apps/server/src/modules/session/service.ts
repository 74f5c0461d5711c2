import type { Backend } from '@isotherm/contract/endpoint'
import type { ModuleItem, UserInfo } from '@isotherm/contract/endpoints/administration/session'
import { WEEK_MS } from '@isotherm/kernel/durations'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../platform/app-error.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call, Caller, PublicCall } from '../../platform/http/call.ts'
import type { Log } from '../../platform/log.ts'
import type { Signals } from '../../platform/signals/signals.ts'
import type { NetworkService } from '../network/index.ts'
import { createCallerCache } from './caller-cache.ts'
import { isExpired } from './passwords/is-expired.ts'
import type { AccountRow, CheckedAccount, SessionQueries } from './queries.pg.ts'
import type { SecondFactors } from './second-factor/second-factor.ts'
import type { LoginAttempts } from './sign-in/attempts.pg.ts'
import {
  type CheckedPassword,
  createPasswordCheck,
  type Credentials as PasswordCredentials,
} from './sign-in/check-password.ts'
import { isGivenEnded } from './sign-in/is-given-ended.ts'
import { requireServed } from './sign-in/require-served.ts'
import { createToken, EXCHANGE_GRACE_MS, hashToken, MAX_SESSION_MS, TOKEN_LIFE_MS } from './sign-in/tokens.ts'
import { type Access, createToAccess } from './to-access.ts'

export interface Credentials extends PasswordCredentials {
  /** A one-time code or a recovery code. */
  readonly code?: string | undefined
}

export interface IssuedToken {
  readonly token: string
  /** Unix ms. */
  readonly expiresAt: number
  readonly account: Pick<AccountRow, 'id' | 'utype'>
}

/** An account whose credentials were checked. */
export type VerifiedAccount = CheckedAccount & Pick<AccountRow, 'account' | 'companyId'>

/** The access of a live session. */
export interface SessionAccess extends Pick<Caller, 'permissions' | 'scope'> {
  /** When its last token expires, Unix ms. */
  readonly endsAt: number
}

/** Signs accounts in, and finds out what a token, a session or an account may do. */
export interface SessionService {
  /**
   * Signs in and returns a token of the backend. A login at the second backend joins the session that the same account
   * has opened in the same browser. Throws session.bad-credentials, session.slowed, session.disabled, company.elsewhere,
   * session.password-expired, or an error of the second factor.
   */
  login(backend: Backend, credentials: Credentials, call: PublicCall): Promise<IssuedToken>
  /**
   * Checks credentials and returns the account with the hash they were checked against. Counts attempts and throws as
   * login does.
   */
  verify(
    credentials: Credentials,
    call: PublicCall,
    /**
     * Runs after the check of the password and before that of the second factor, so that a refusal uses up no code.
     */
    isAllowed: (account: VerifiedAccount) => Promise<void>,
  ): Promise<VerifiedAccount>
  /**
   * Issues a new token for a valid one. The old token stays valid for one more minute. Throws session.expired if the
   * session is too old, the password has expired or ended meanwhile, or a second factor has become required and is not set up;
   * accounts of another authority are exempt from the latter two.
   */
  exchange(backend: Backend, call: Call): Promise<IssuedToken>
  /** Opens a session of an account that another authority has identified, with a token for each backend. */
  open(
    accountId: number,
    call: PublicCall,
  ): Promise<{ readonly first: IssuedToken; readonly second: IssuedToken }>
  /**
   * Records that the user of the caller's session gave input. Returns the minutes without input after which the session ends; 0:
   * never.
   */
  recordActivity(caller: Caller): Promise<number>
  /** Ends the caller's session with all its tokens. */
  logout(caller: Caller): Promise<void>
  /** Ends the sessions of first-backend tokens, given as SHA-256 in hex. Unknown and ended ones are ignored. */
  endByHashes(tokenHashes: readonly string[]): Promise<void>
  /**
   * The caller of a valid token of this backend. Throws session.expired and company.elsewhere. `revision`: the present
   * access revision if the call has already read it.
   */
  authenticate(backend: Backend, token: string, revision?: number): Promise<Caller>
  /**
   * The present access of sessions. Ended sessions are left out. Owners of long-lived connections call it from time to
   * time.
   */
  findAccess(sessionIds: readonly number[]): Promise<ReadonlyMap<number, SessionAccess>>
  /** The present access of an account, signed in or not; undefined for a disabled or deleted one. Throws company.elsewhere. */
  findAccountAccess(accountId: number): Promise<AccountAccess | undefined>
  /**
   * Calls the listener with the id of a session that ends early, on any replica. Calls it without an id when signals
   * may have been missed or access has changed (`access_changed`). Returns a function that stops the calls.
   */
  onEnded(listener: (sessionId: number | undefined) => void): () => void
  getUser(caller: Caller): Promise<UserInfo>
  listModules(caller: Caller): Promise<{ data: ModuleItem[]; rcode: number; paccount: string }>
}

export interface SessionDependencies {
  readonly queries: SessionQueries
  readonly attempts: LoginAttempts
  readonly factors: SecondFactors
  readonly network: Pick<NetworkService, 'listProjectIds'>
  readonly signals: Signals
  readonly clock: Clock
  readonly log: Log
}

const RETAIN_ENDED_MS = WEEK_MS
const SWEEP_EVERY_MS = 10 * 60 * 1000

/** Fixed parts of the user info (specification, sections 3 and 7). */
const userInfoConstants = { type_id: 1, usrUserLevel: 1 } as const
/** Role code of an account without a role (specification, section 9). */
const DEFAULT_SYSROLE = 101

/** What an account may do, and its company. */
export type AccountAccess = Pick<Caller, 'permissions' | 'scope' | 'companyId'>

/** A value that was read at this access revision. */
interface Cached<Value> {
  readonly revision: number
  readonly value: Value
}

/** Maximum number of cached paths of accounts, about 100 MB. */
const CACHED_PATHS = 1_000_000

export function createSessionService({
  queries,
  attempts,
  factors,
  network,
  signals,
  clock,
  log,
}: SessionDependencies): SessionService {
  const toAccess = createToAccess()
  let sweptAt = Number.NEGATIVE_INFINITY

  /** Deletes old sessions in the background. */
  function sweepWhenDue(now: number): void {
    if (now - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = now
    queries.deleteOldSessions(now - RETAIN_ENDED_MS).catch((error: unknown) => {
      log.warn({ err: error }, 'cannot delete old sessions, retrying later')
    })
  }

  const checkPassword = createPasswordCheck({ queries, attempts, clock })

  /** Awaits a check after a right password. If it fails, the attempt does not count as a failed sign-in. */
  async function forgiveOnFailure<Result>(
    { attempt }: CheckedPassword,
    checking: Promise<Result>,
  ): Promise<Result> {
    try {
      return await checking
    } catch (error) {
      await attempt.forgive()
      throw error
    }
  }

  /** Throws session.password-expired when the password must be changed before a session may open. */
  async function requireValid(account: AccountRow): Promise<void> {
    const rules = await queries.readPasswordRules(account)
    if (!isExpired(account, rules, clock.now())) return
    const { minLength, minKinds, history } = rules
    throw new AppError('session.password-expired', { minLength, minKinds, history })
  }

  /** Requires the second factor. A wrong code counts as a failed sign-in; a missing one does not. */
  async function requireFactor(
    { account, attempt }: CheckedPassword,
    { code }: Credentials,
    { browser }: PublicCall,
  ): Promise<void> {
    try {
      await factors.require(account.id, { code, browser })
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'session.wrong-code')) await attempt.forgive()
      throw error
    }
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
  const callers = createCallerCache(clock)

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
    const known = callers.find(key, revision)
    if (known) return known
    const readAt = clock.now()
    const found = await queries.findToken(backend, tokenHash, readAt)
    if (!found) throw new AppError('session.expired')
    const { sessionId, expiresAt } = found
    const account = requireServed(found.account)
    const caller: Caller = {
      accountId: account.id,
      account: account.account,
      companyId: account.companyId ?? undefined,
      sessionId,
      tokenHash,
      expiresAt,
      ...(await findAccessAt(revision, account.id)),
    }
    callers.store(key, revision, caller, readAt)
    return caller
  }

  return {
    async login(backend, credentials, call) {
      const { address, browser } = call
      const checked = await checkPassword(credentials, call)
      const { account, attempt } = checked
      const now = clock.now()
      const browserHash = hashToken(browser)
      const joined =
        backend === 'ht-api' ? await queries.findSessionToJoin(account, browserHash, now) : undefined
      if (joined !== undefined) {
        // The session was opened with everything that a sign-in needs.
        await attempt.succeed()
        return issue(backend, joined, account)
      }
      await forgiveOnFailure(checked, requireValid(account))
      await requireFactor(checked, credentials, call)
      const { token, stored } = newToken(backend)
      const [opened] = await Promise.all([
        queries.createSession(account, { browserHash, address, now }, stored),
        attempt.succeed(),
      ])
      sweepWhenDue(now)
      if (opened === undefined) throw new AppError('session.bad-credentials')
      return { token, expiresAt: stored.expiresAt, account }
    },

    async verify(credentials, call, isAllowed) {
      const checked = await checkPassword(credentials, call)
      await forgiveOnFailure(checked, isAllowed(checked.account))
      await requireFactor(checked, credentials, call)
      await checked.attempt.succeed()
      if (credentials.code !== undefined) await factors.prove(checked.account.id, call.browser)
      return checked.account
    },

    async open(accountId, { address, browser }) {
      const account = requireServed(await queries.getAccount(accountId))
      const now = clock.now()
      const { token, stored } = newToken('usr-cloud')
      const opened = await queries.createSession(
        account,
        { browserHash: hashToken(browser), address, now },
        stored,
      )
      sweepWhenDue(now)
      if (opened === undefined) throw new AppError('session.disabled')
      const second = await issue('ht-api', opened, account)
      return { first: { token, expiresAt: stored.expiresAt, account }, second }
    },

    async exchange(backend, { caller }) {
      const account = await queries.getAccount(caller.accountId)
      const rules = await queries.readPasswordRules(account)
      const now = clock.now()
      const isEnded = isExpired(account, rules, now) || isGivenEnded(account, rules, now)
      const isLapsed = isEnded || !(await factors.isSatisfied(account.id))
      if (isLapsed && !account.isExternal) throw new AppError('session.expired')
      const openedAt = await queries.getSessionStart(caller.sessionId)
      if (now - openedAt > MAX_SESSION_MS) throw new AppError('session.expired')
      const issued = await issue(backend, caller.sessionId, account)
      await queries.shortenToken(caller.tokenHash, clock.now() + EXCHANGE_GRACE_MS)
      return issued
    },

    async recordActivity({ sessionId, companyId = null }) {
      await queries.recordActivity(sessionId, clock.now())
      return (await queries.readPasswordRules({ companyId })).idleMinutes
    },

    logout: (caller) => queries.endSession(caller.sessionId, clock.now()),
    async endByHashes(tokenHashes) {
      for (const hash of tokenHashes) {
        const found = await queries.findToken('usr-cloud', Buffer.from(hash, 'hex'), clock.now())
        if (found) await queries.endSession(found.sessionId, clock.now())
      }
    },

    // Reads after the revision return values at least as new as the revision.
    authenticate: async (backend, token, revision) =>
      findCallerAt(revision ?? (await queries.readRevision()), backend, hashToken(token)),

    async findAccountAccess(accountId) {
      const account = await queries.findAccountById(accountId)
      if (!account?.enabled) return undefined
      requireServed(account)
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
