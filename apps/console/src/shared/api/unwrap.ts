import type { Endpoint } from '@isotherm/contract/endpoint'
import { getDevGroups, queryProjectList } from '@isotherm/contract/endpoints/network/network'
import { htApiEnvelope, usrCloudEnvelope } from '@isotherm/contract/envelope'
import { type ErrorCode, errors } from '@isotherm/contract/errors'
import { ApiError } from './api-error.ts'

const isErrorCode = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(errors, code)

/** First backend's status for a session that has ended (specification, section 4). */
const EXPIRED_STATUS = 11

/** Calls of the tree to the first backend succeed if status is 0, regardless of info (specification, section 7). */
const TREE_PATHS: ReadonlySet<string> = new Set([queryProjectList.path, getDevGroups.path])

/** Whether an answer has the envelope of its backend. An answer without it is not from the application. */
export const isEnvelope = (backend: Endpoint['backend'], body: unknown): boolean =>
  (backend === 'usr-cloud' ? usrCloudEnvelope : htApiEnvelope).safeParse(body).success

/**
 * Returns `data` of an answer by the success rule of its backend (specification, sections 5 and 7). Throws ApiError:
 * 'response null' without an envelope, the text and code of a refusal, or 'response status error' for a refusal without
 * a text.
 */
export function unwrap(endpoint: Pick<Endpoint, 'backend' | 'path'>, body: unknown): unknown {
  if (endpoint.backend === 'usr-cloud') {
    const envelope = usrCloudEnvelope.safeParse(body)
    if (!envelope.success) throw new ApiError('response.null', 'response null')
    const { info, status, data, code, params } = envelope.data
    if (TREE_PATHS.has(endpoint.path) ? status === 0 : info === 'ok') return data
    if (status === EXPIRED_STATUS) throw new ApiError('session.expired', info, params)
    throw new ApiError(isErrorCode(code) ? code : 'response.status', info || 'response status error', params)
  }
  const envelope = htApiEnvelope.safeParse(body)
  if (!envelope.success) throw new ApiError('response.null', 'response null')
  const { message, status, data, code, params } = envelope.data
  if (message === 'success' && status === '200') return data
  if (status === String(EXPIRED_STATUS)) throw new ApiError('session.expired', message, params)
  throw new ApiError(isErrorCode(code) ? code : 'response.status', message || 'response status error', params)
}
