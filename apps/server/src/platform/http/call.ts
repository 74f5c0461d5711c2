import type { Permission } from '@isotherm/contract/access/permissions'
import type { Language } from '@isotherm/contract/locales/error-text'
import type { Operation } from '../operation/operation.ts'
import type { Scope } from '../scope/scope.ts'
import type { Revisions } from '../signals/revisions.pg.ts'

/** The signed-in account, as handlers and the live hub see it. */
export interface Caller {
  readonly accountId: number
  readonly account: string
  /** Absent for provider staff, who manage several companies. */
  readonly companyId: number | undefined
  readonly sessionId: number
  /** Hash of the presented token. */
  readonly tokenHash: Buffer
  /** End of the presented token, Unix ms. */
  readonly expiresAt: number
  readonly permissions: ReadonlySet<Permission>
  readonly scope: Scope
  /** Set if a program called with an API key of the account. */
  readonly apiKey?: {
    readonly id: number
    readonly name: string
    readonly readOnly: boolean
    /** Whether it may send readings of the gateways in its scope. */
    readonly sendsReadings: boolean
  }
}

/** Data of any call. */
export interface PublicCall {
  readonly requestId: string
  /** Network address of the client. */
  readonly address: string
  readonly language: Language
  /** Random name in a cookie of the browser: it joins the logins to both backends to one session. */
  readonly browser: string
  /** The call as the operation log records it. Every change needs it (operation/operate.pg.ts). */
  readonly operation: Operation
}

/** Data of a call with a session. */
export interface Call extends PublicCall {
  readonly caller: Caller
  /** Revisions of the database at the start of the call. Data cached for them is valid until the call changes it itself. */
  readonly revisions: Revisions
}
