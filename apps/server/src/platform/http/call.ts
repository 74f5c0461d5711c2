import type { Language } from '@isotherm/contract/locales/error-text'
import type { Permission } from '@isotherm/contract/permissions'
import type { Operation } from '../operation/operation.ts'
import type { Scope } from '../scope/scope.ts'
import type { Revisions } from '../signals/revisions.pg.ts'

/** Who is signed in, as every handler and the live hub see them. */
export interface Caller {
  readonly accountId: number
  readonly account: string
  /** Absent for provider staff, who look after several companies. */
  readonly companyId: number | undefined
  readonly sessionId: number
  /** Hash of the presented token. */
  readonly tokenHash: Buffer
  /** End of the presented token, Unix ms. */
  readonly expiresAt: number
  readonly permissions: ReadonlySet<Permission>
  readonly scope: Scope
}

/** What is known of any call. */
export interface PublicCall {
  readonly requestId: string
  /** Network address of the client. */
  readonly address: string
  readonly language: Language
  /** Random name the browser keeps in a cookie: it ties the logins of both backends to one session. */
  readonly browser: string
  /** What the operation log is told of the call; a change is made with it (operation/operate.pg.ts). */
  readonly operation: Operation
}

/** What is known of a call that needed a session. */
export interface Call extends PublicCall {
  readonly caller: Caller
  /** Read when the call began: what is kept under them is right for it, but for what it changes itself. */
  readonly revisions: Revisions
}
