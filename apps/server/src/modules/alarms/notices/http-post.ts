import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { DeliveryError, toDeliveryError } from './delivery-fault.ts'
import type { TargetCheck } from './target-address.ts'

/** A POST with a JSON body. */
export interface HttpPost {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  /** Whether the start of the answer's body is read. */
  readonly readsAnswer?: boolean
}

export interface HttpAnswer {
  readonly status: number
  /** At most MAX_ANSWER_BYTES; empty unless requested. */
  readonly text: string
}

/** Resolves with a 2xx answer. Rejects with a DeliveryError. */
export type SendPost = (post: HttpPost) => Promise<HttpAnswer>

const TIMEOUT_MS = 10_000
/** Robots answer with a short JSON. */
const MAX_ANSWER_BYTES = 4_096

async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= MAX_ANSWER_BYTES) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString()
}

/** Sends by POST over HTTP or HTTPS to an allowed address. Only a 2xx status is an answer. Redirects are not followed. */
export const createHttpPost =
  (check: TargetCheck, timeoutMs = TIMEOUT_MS): SendPost =>
  async ({ url, headers, body, readsAnswer = false }) => {
    const target = new URL(url)
    if (await check.isForbidden(target)) throw new DeliveryError('address not allowed')
    const send = target.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((resolve, reject) => {
      const answered = async (response: IncomingMessage): Promise<void> => {
        const status = response.statusCode ?? 0
        const isGood = status >= 200 && status < 300
        const text = isGood && readsAnswer ? await readStart(response) : ''
        response.destroy()
        if (isGood) resolve({ status, text })
        else reject(new DeliveryError(`status ${status}`))
      }
      const options = {
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'User-Agent': 'Isotherm',
          ...headers,
        },
        lookup: check.lookUpFor(target),
      }
      send(target, options, (response) => {
        answered(response).catch((error: unknown) => reject(toDeliveryError(error)))
      })
        .on('error', (error) => reject(toDeliveryError(error)))
        // A protocol upgrade (101) emits neither a response nor an error. An answer that is read closes later than that.
        .on('close', () => {
          if (!readsAnswer) reject(new DeliveryError('no answer'))
        })
        .on('upgrade', () => reject(new DeliveryError('no answer')))
        .end(body)
    })
  }
