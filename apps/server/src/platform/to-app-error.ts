import type { ErrorCode } from '@isotherm/contract/errors'
import { z } from 'zod'
import { AppError } from './app-error.ts'

export const BODY_LIMIT_KB = 1024

const known = z.object({
  code: z.string().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  constraint: z.string().optional().catch(undefined),
  message: z.string().catch(''),
})

/** Codes of broken connections, of PostgreSQL shutting down or full, of cancelled statements and of deadlocks. */
const OUTAGE_CODE =
  /^(ECONN\w+|EPIPE|ETIMEDOUT|EAI_\w+|ENOTFOUND|E(?:HOST|NET)(?:UNREACH|DOWN)|08\w{3}|57P0\d|57014|55000|53\w{3}|25P03|40P01|40001)$/
/** Of failures without a code. A rollback after a lost connection replaces its failure with "not queryable". */
const OUTAGE_TEXT =
  /connection terminated|timeout exceeded when trying to connect|timeout error|socket hang up|connection error and is not queryable|client was closed and is not queryable/i

/** ClickHouse codes of timeouts, memory limits, too many queries and network errors. */
const OVERLOAD_CODE = /^(159|160|202|209|210|241)$/

/** No space left: for PostgreSQL, for ClickHouse, and for files of the server. */
const DISK_FULL_CODE = /^(53100|243|ENOSPC|EDQUOT)$/

/** PostgreSQL codes of values it cannot store: a text with NUL, a number or date out of range, an invalid text. */
const UNSTORABLE_CODE = /^(22021|22003|22007|22008|22P02|22P05)$/

/** Codes of Fastify for a body that it cannot read. */
const UNREADABLE_BODY: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.not-json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.not-json',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.media-type',
}

/**
 * Converts any failure to one that can be reported to the caller. An unexpected failure becomes server.internal. `bodyLimit`:
 * that of the call, bytes.
 */
export function toAppError(error: unknown, requestId: string, bodyLimit = BODY_LIMIT_KB * 1024): AppError {
  if (error instanceof AppError) return error
  const { code = '', statusCode = 500, constraint, message } = known.catch({ message: '' }).parse(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new AppError('request.too-large', { limitKb: bodyLimit / 1024 }, { cause: error })
  }
  if (constraint === 'separate_duties') return new AppError('access.separate-duties', {}, { cause: error })
  const unreadable = UNREADABLE_BODY[code]
  if (unreadable) return new AppError(unreadable, {}, { cause: error })
  if (DISK_FULL_CODE.test(code)) return new AppError('server.disk-full', {}, { cause: error })
  if (OUTAGE_CODE.test(code) || OVERLOAD_CODE.test(code) || OUTAGE_TEXT.test(message)) {
    return new AppError('server.unavailable', {}, { cause: error })
  }
  if (UNSTORABLE_CODE.test(code)) {
    return new AppError('request.malformed', { detail: 'a value cannot be stored' }, { cause: error })
  }
  // Other errors below 500 come from Fastify's parsing of the request, such as its URL.
  if (statusCode >= 400 && statusCode < 500) {
    return new AppError('request.malformed', { detail: 'unreadable' }, { cause: error })
  }
  return new AppError('server.internal', { requestId }, { cause: error })
}
