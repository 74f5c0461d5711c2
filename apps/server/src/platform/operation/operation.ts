import type { ErrorCode } from '@isotherm/contract/errors'
import { withoutUrlSecrets } from '../url-secrets.ts'

/** An operation in the operation log: who requested a change, how and from where. */
export interface Operation {
  /** Name of the endpoint in the contract, or of an action of the system itself. */
  readonly endpoint: string
  /** Absent before sign-in and for the system itself. A sign-in sets it once the password is verified. */
  accountId: number | undefined
  /** Account name. For a failed sign-in, the account that was tried, if it exists. */
  account: string
  /** Absent for provider staff and the system. */
  companyId: number | undefined
  /** Network address of the client. */
  readonly address: string
  readonly requestId: string
  /** Input without secrets; empty until the call is parsed. */
  input: unknown
  /** Unix ms. */
  readonly at: number
  /** True once it is recorded in the log, together with its changes. */
  isRecorded: boolean
}

/** Result of an operation: ok, or the error code of the caller. */
export type OperationResult = 'ok' | ErrorCode

const SECRET = /password|token|secret|verifi|^code$|(?:master|access|aes)Key$/i

/** An input for the log: hides secrets in fields and URLs, and shortens long texts and lists. */
export function withoutSecrets(input: unknown, depth = 0): unknown {
  if (typeof input === 'string') {
    const text = withoutUrlSecrets(input)
    return text.length > 500 ? `${text.slice(0, 500)}…` : text
  }
  if (typeof input !== 'object' || input === null) return input
  if (depth >= 6) return '…'
  if (Array.isArray(input)) {
    const shown = input.slice(0, 50).map((item) => withoutSecrets(item, depth + 1))
    return input.length > 50 ? [...shown, `… ${input.length - 50}`] : shown
  }
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) =>
      SECRET.test(name) ? [name, '[secret]'] : [name, withoutSecrets(value, depth + 1)],
    ),
  )
}

/** An operation of the system itself, for example the import of a file at the start. */
export const toSystemOperation = (name: string, at: number): Operation => ({
  endpoint: name,
  accountId: undefined,
  account: '',
  companyId: undefined,
  address: '',
  requestId: '',
  input: {},
  at,
  isRecorded: false,
})
