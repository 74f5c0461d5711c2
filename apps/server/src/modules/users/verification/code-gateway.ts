import { AppError } from '../../../platform/app-error.ts'

/** Sends a code to a telephone number. Throws verification.not-sent. */
export type SendCode = (tel: string, code: string) => Promise<void>

/** Below the time a call of the first backend may take. */
const TIMEOUT_MS = 3_000

/** The gateway at an address takes POST with JSON {tel, code} and says by its status whether it sent the message. */
export const createCodeGateway =
  (url: string, timeoutMs = TIMEOUT_MS): SendCode =>
  async (tel, code) => {
    let status: number
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ tel, code }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      status = response.status
    } catch (error) {
      throw new AppError('verification.not-sent', {}, { cause: error })
    }
    if (status < 200 || status > 299) {
      throw new AppError('verification.not-sent', {}, { cause: new Error(`the gateway answered ${status}`) })
    }
  }
