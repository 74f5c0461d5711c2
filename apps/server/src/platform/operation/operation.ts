import type { ErrorCode } from '@isotherm/contract/errors'
import { withoutUrlSecrets } from '../url-secrets.ts'

/** Who asked for a change, how and from where: what the operation log says of it. */
export interface Operation {
  /** Name of the endpoint in the contract, or what the system did by itself. */
  readonly endpoint: string
  /**
   * Absent for who has not signed in and for the system itself. Who shows by their password who they are is put
   * here once it proved right.
   */
  accountId: number | undefined
  /** Of an attempt that failed, the account it was made at, if there is such a one. */
  account: string
  /** Absent for provider staff and the system. */
  companyId: number | undefined
  /** Network address of the client. */
  readonly address: string
  readonly requestId: string
  /** What was asked, without secrets; empty until the call has been read. */
  input: unknown
  /** Unix ms. */
  readonly at: number
  /** True once it stands in the log, together with what it changed. */
  isNoted: boolean
}

/** How an operation ended: well, or with the error its caller was given. */
export type OperationResult = 'ok' | ErrorCode

const SECRET = /password|token|secret|verifi|^code$/i

/** An input as it may be kept: without the values of fields and addresses that carry secrets, and without what is long. */
export function withoutSecrets(input: unknown, depth = 0): unknown {
  if (typeof input === 'string') {
    const text = withoutUrlSecrets(input)
    return text.length > 500 ? `${text.slice(0, 500)}…` : text
  }
  if (typeof input !== 'object' || input === null) return input
  if (depth >= 6) return '…'
  if (Array.isArray(input)) {
    const kept = input.slice(0, 50).map((item) => withoutSecrets(item, depth + 1))
    return input.length > 50 ? [...kept, `… ${input.length - 50}`] : kept
  }
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) =>
      SECRET.test(name) ? [name, '[secret]'] : [name, withoutSecrets(value, depth + 1)],
    ),
  )
}

/** An operation of the system itself, such as the import of a file at its start. */
export const toSystemOperation = (name: string, at: number): Operation => ({
  endpoint: name,
  accountId: undefined,
  account: '',
  companyId: undefined,
  address: '',
  requestId: '',
  input: {},
  at,
  isNoted: false,
})
