import { AppError } from '../../../platform/app-error.ts'

/** Sends a code to a telephone number. Throws verification.not-sent. */
export type SendCode = (tel: string, code: string) => Promise<void>

/** Shorter than the time limit of a call of the first backend. */
const TIMEOUT_MS = 3_000

/** The gateway at `url` accepts POST with JSON {tel, code}. A 2xx status means that it sent the message. */
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
