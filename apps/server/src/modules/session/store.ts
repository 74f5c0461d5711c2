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
}

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

export interface SessionStore {
  findAccount(account: string): Promise<AccountRow | undefined>
  getAccount(id: number): Promise<AccountRow>
  /** Permissions of enabled modules that the account's roles hold. */
  listPermissions(accountId: number): Promise<readonly Permission[]>
  listGrantedNodes(accountId: number): Promise<readonly number[]>
  /** Lowest code of the account's roles, 0 without any. */
  getRoleCode(accountId: number): Promise<number>
  /** Enabled modules in menu order. */
  listModules(): Promise<readonly ModuleItem[]>
  createSession(accountId: number, browserHash: Buffer, address: string, now: number): Promise<number>
  /** Newest live session of the account in the browser that has no token of the second backend yet. */
  findSessionToJoin(accountId: number, browserHash: Buffer, now: number): Promise<number | undefined>
  addToken(token: NewToken): Promise<void>
  /** Only while the session lives, the account is enabled and the token has not expired at `now`. */
  findToken(backend: Backend, hash: Buffer, now: number): Promise<TokenRow | undefined>
  /** Latest end of the session's tokens, Unix ms; undefined when it has ended. */
  findSessionEnd(sessionId: number, now: number): Promise<number | undefined>
  /** Moves a token's end forward to `expiresAt` if it is later. */
  shortenToken(hash: Buffer, expiresAt: number): Promise<void>
  /** Ends the session and tells all replicas. */
  endSession(sessionId: number, now: number): Promise<void>
  /** Forgets sessions whose tokens all ended before `before`. */
  deleteOldSessions(before: number): Promise<void>
}
