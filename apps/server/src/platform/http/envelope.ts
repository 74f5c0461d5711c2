import { type Backend, backends } from '@isotherm/contract/endpoint'
import type { HtApiEnvelope, UsrCloudEnvelope } from '@isotherm/contract/envelope'
import { errors } from '@isotherm/contract/errors'
import { type Language, toErrorText } from '@isotherm/contract/locales/error-text'
import type { AppError } from '../app-error.ts'

export type Envelope = UsrCloudEnvelope | HtApiEnvelope

/** The answer of a successful call. */
export const toSuccess = (backend: Backend, data: unknown): Envelope =>
  backend === 'usr-cloud' ? { info: 'ok', status: 0, data } : { message: 'success', status: '200', data }

/** The answer of a failed call: text in the caller's language, code and params. */
export function toFailure(backend: Backend, error: AppError, language: Language): Envelope {
  const text = toErrorText(language, error.code, error.params)
  const failure = { code: error.code, params: { ...error.params } }
  const { status } = errors[error.code]
  return backend === 'usr-cloud'
    ? { info: text, status, ...failure }
    : { message: text, status: String(status), ...failure }
}

/** The backend of a URL; undefined for other URLs. */
export const findBackend = (url: string): Backend | undefined => {
  if (url.startsWith(`${backends['usr-cloud'].base}/`)) return 'usr-cloud'
  return url.startsWith(`${backends['ht-api'].base}/`) ? 'ht-api' : undefined
}
