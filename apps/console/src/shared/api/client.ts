import { currentLanguage, i18n } from '../i18n/i18n.ts'
import { showNotice } from '../notices/notices.ts'
import { recoverSession } from '../session/recovery.ts'
import { findToken } from '../session/tokens.ts'
import type { ApiError, ApiErrorCode } from './api-error.ts'
import { type CallPorts, createCall } from './create-call.ts'
import { createDownload } from './create-download.ts'
import { createUpload } from './create-upload.ts'
import { recordReach } from './reach.ts'

function describe(code: ApiErrorCode, detail: number): string {
  if (code === 'network.timeout') return i18n.t('failure.timeout', { seconds: detail })
  if (code === 'http.failed') return i18n.t('failure.http', { status: detail })
  if (code === 'response.malformed') return i18n.t('failure.malformed')
  return i18n.t('failure.network')
}

function reportFailure(error: ApiError): void {
  console.error(error)
  showNotice('error', error.text)
}

const ports: CallPorts = {
  fetch: (input, init) => fetch(input, init),
  findToken: (backend) => findToken(localStorage, backend),
  language: currentLanguage,
  describe,
  reportFailure,
  recordReach: (reached) => recordReach(reached, Date.now()),
  recoverSession,
}

/** Calls an endpoint of the contract: `await call(getUser, {})`. Throws ApiError. */
export const call = createCall(ports)

/** Downloads a file from an endpoint of the contract. Throws ApiError. */
export const download = createDownload(ports)

/** Uploads a workbook to an endpoint of the contract. Throws ApiError. */
export const upload = createUpload(ports)
