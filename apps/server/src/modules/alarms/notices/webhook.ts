import { createHmac } from 'node:crypto'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { SIGNATURE_HEADER } from '@isotherm/contract/alarms/alarms'
import { DeliveryError, toDeliveryError } from './delivery-fault.ts'
import type { TargetCheck } from './target-address.ts'

/** A message to a target. */
export interface Post {
  readonly url: string
  readonly secret: string
  readonly key: string
  readonly body: string
  /** Unix s, in the signature. */
  readonly sentAtS: number
}

/** Delivers a message and resolves with the HTTP status. Rejects with a DeliveryError. */
export type Deliver = (post: Post) => Promise<number>

/** Signature header, which the receiver verifies. */
export const toSignature = (secret: string, sentAtS: number, body: string): string =>
  `t=${sentAtS},v1=${createHmac('sha256', secret).update(`${sentAtS}.${body}`).digest('hex')}`

const TIMEOUT_MS = 10_000

/** Sends by POST over HTTP or HTTPS. Only a 2xx status counts as delivered. Redirects are not followed. */
export const createWebhook =
  (check: TargetCheck, timeoutMs = TIMEOUT_MS): Deliver =>
  async ({ url, secret, key, body, sentAtS }) => {
    const target = new URL(url)
    if (await check.isForbidden(target)) throw new DeliveryError('address not allowed')
    const send = target.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((resolve, reject) => {
      const answered = (response: IncomingMessage): void => {
        const status = response.statusCode ?? 0
        // The body is not read.
        response.destroy()
        if (status >= 200 && status < 300) resolve(status)
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
          'X-Isotherm-Id': key,
          [SIGNATURE_HEADER]: toSignature(secret, sentAtS, body),
        },
        lookup: check.lookUpFor(target),
      }
      send(target, options, answered)
        .on('error', (error) => reject(toDeliveryError(error)))
        // A protocol upgrade (101) emits neither a response nor an error.
        .on('close', () => reject(new DeliveryError('no answer')))
        .end(body)
    })
  }
