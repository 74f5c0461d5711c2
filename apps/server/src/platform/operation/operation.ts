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

/** Characters of a text, items of a list, and characters of a whole input that the log contains. */
const MAX_TEXT = 500
const MAX_ITEMS = 50
const MAX_CHARACTERS = 20_000
/** Quotes and separators around a value or name. */
const PUNCTUATION = 3

/** Characters that the log still has for an input. Entries are retained for long and cannot be deleted, so nobody may fill the disk with them. */
interface Room {
  left: number
}

function shorten(input: unknown, room: Room, depth: number): unknown {
  if (typeof input === 'string') {
    const text = withoutUrlSecrets(input)
    const shown = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
    room.left -= shown.length + PUNCTUATION
    return shown
  }
  if (typeof input !== 'object' || input === null) {
    room.left -= String(input).length + PUNCTUATION
    return input
  }
  room.left -= PUNCTUATION
  if (depth >= 6) return '…'
  if (Array.isArray(input)) {
    const shown: unknown[] = []
    for (const item of input.slice(0, MAX_ITEMS)) {
      if (room.left <= 0) break
      shown.push(shorten(item, room, depth + 1))
    }
    return input.length > shown.length ? [...shown, `… ${input.length - shown.length}`] : shown
  }
  const shown: [string, unknown][] = []
  const fields = Object.entries(input)
  for (const [name, value] of fields) {
    if (room.left <= 0) break
    room.left -= name.length + PUNCTUATION
    shown.push([name, SECRET.test(name) ? '[secret]' : shorten(value, room, depth + 1)])
  }
  if (fields.length > shown.length) shown.push(['…', fields.length - shown.length])
  return Object.fromEntries(shown)
}

/** An input for the log: hides secrets in fields and URLs, and shortens long texts and lists, and what is long as a whole. */
export const withoutSecrets = (input: unknown): unknown => shorten(input, { left: MAX_CHARACTERS }, 0)

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
