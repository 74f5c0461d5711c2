import type { ErrorCode, ErrorParams } from '@isotherm/contract/errors'

/** Codes of failures without a valid answer of the application. */
export type TransportCode =
  | 'network.failed'
  | 'network.timeout'
  | 'http.failed'
  | 'response.null'
  | 'response.status'
  | 'response.malformed'

export type ApiErrorCode = ErrorCode | TransportCode

/** Failures without an answer of the server: the call may have arrived, and a retry may succeed. */
const UNANSWERED: ReadonlySet<ApiErrorCode> = new Set([
  'network.failed',
  'network.timeout',
  'http.failed',
  // Not the server answered, but another system, such as a proxy or the login page of a network.
  'response.null',
  'server.internal',
  'server.unavailable',
])

/** A failed call: a code for decisions, a text for the user and the parameters of the text. */
export class ApiError extends Error {
  readonly code: ApiErrorCode
  readonly text: string
  readonly params: ErrorParams

  constructor(code: ApiErrorCode, text: string, params: ErrorParams = {}, options?: ErrorOptions) {
    super(`${code}: ${text}`, options)
    this.name = 'ApiError'
    this.code = code
    this.text = text
    this.params = params
  }

  /** True if the server refused the call; false if the network or HTTP failed (specification, section 8). */
  get isRefusal(): boolean {
    return !UNANSWERED.has(this.code)
  }
}

/** Text for any error of a query or mutation. */
export const toFailureText = (error: unknown): string =>
  error instanceof ApiError ? error.text : error instanceof Error ? error.message : String(error)
