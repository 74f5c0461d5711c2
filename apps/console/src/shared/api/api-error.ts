import type { ErrorCode, ErrorParams } from '@isotherm/contract/errors'

/** Codes of failures that never reached the application, or came back in no known shape. */
export type TransportCode =
  | 'network.failed'
  | 'network.timeout'
  | 'http.failed'
  | 'response.null'
  | 'response.status'
  | 'response.malformed'

export type ApiErrorCode = ErrorCode | TransportCode

/** Failures in which nobody judged the call: it may or may not have arrived, and the same may work later. */
const UNANSWERED: ReadonlySet<ApiErrorCode> = new Set([
  'network.failed',
  'network.timeout',
  'http.failed',
  // Something on the way answered in place of the application: a gateway, the login page of a network.
  'response.null',
  'server.internal',
  'server.unavailable',
])

/** Why a call failed: a code to decide by, a text to show and the values the text was made with. */
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

  /** Whether the server said no; otherwise network or HTTP failed (specification, section 8). */
  get isRefusal(): boolean {
    return !UNANSWERED.has(this.code)
  }
}

/** The text to show for anything a query or mutation may have failed with. */
export const toFailureText = (error: unknown): string =>
  error instanceof ApiError ? error.text : error instanceof Error ? error.message : String(error)
