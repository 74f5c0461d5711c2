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
}

/** The text to show for anything a query or mutation may have failed with. */
export const toFailureText = (error: unknown): string =>
  error instanceof ApiError ? error.text : error instanceof Error ? error.message : String(error)
