import type { Backend } from '@isotherm/contract/endpoint'
import type { ModuleItem } from '@isotherm/contract/endpoints/session'
import type { Permission } from '@isotherm/contract/permissions'

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
  /** null for provider staff. */
  readonly companyId: number | null
}

/** An account and the hash its password was checked against. */
export type CheckedAccount = Pick<AccountRow, 'id' | 'passwordHash'>

/** What stands behind a token that is still good. */
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

export interface GrantsRow {
  readonly accountId: number
  readonly seesAll: boolean
  /** Of enabled modules. */
  readonly permissions: readonly Permission[]
  /** Paths of the granted nodes and devices. */
  readonly paths: readonly string[]
}

export interface OpenedSession {
  readonly browserHash: Buffer
  readonly address: string
  /** Unix ms. */
  readonly now: number
}

export interface SessionStore {
  findAccount(account: string): Promise<AccountRow | undefined>
  findAccountById(id: number): Promise<AccountRow | undefined>
  /** Of an account that is there. */
  getAccount(id: number): Promise<AccountRow>
  /** Lowest code of the account's roles, 0 without any. */
  getRoleCode(accountId: number): Promise<number>
  /** Enabled modules in menu order. */
  listModules(): Promise<readonly ModuleItem[]>
  /**
   * Opens a session with its first token. Undefined when the account was disabled or given another password since its credentials were checked: whoever
   * ends its sessions then ends this one too, or keeps it from coming to be.
   */
  createSession(
    checked: CheckedAccount,
    opened: OpenedSession,
    token: Omit<NewToken, 'sessionId'>,
  ): Promise<number | undefined>
  /** Newest live session of the account in the browser that has no token of the second backend yet. */
  findSessionToJoin(checked: CheckedAccount, browserHash: Buffer, now: number): Promise<number | undefined>
  addToken(token: NewToken): Promise<void>
  /** Higher once a session was ended or shortened, or what anybody may do or see was changed. */
  readRevision(): Promise<number>
  /** Only while the session lives, the account is enabled and the token has not expired at `now`. */
  findToken(backend: Backend, hash: Buffer, now: number): Promise<TokenRow | undefined>
  /** Those of the sessions that have not ended, with the latest end of their tokens. */
  findLiveSessions(sessionIds: readonly number[], now: number): Promise<readonly LiveSessionRow[]>
  /** What the accounts may do and see now; a sub-account never more than its parent, whatever it was given. */
  listGrants(accountIds: readonly number[]): Promise<readonly GrantsRow[]>
  /** Moves a token's end forward to `expiresAt` if it is later. */
  shortenToken(hash: Buffer, expiresAt: number): Promise<void>
  /** Ends the session and tells all replicas. */
  endSession(sessionId: number, now: number): Promise<void>
  /** Forgets sessions whose tokens all ended before `before`, some of them if there are many; waits for nobody. */
  deleteOldSessions(before: number): Promise<void>
}
