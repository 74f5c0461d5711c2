import { createHmac } from 'node:crypto'
import { type LookupAddress, lookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { SIGNATURE_HEADER } from '@isotherm/contract/alarms'
import { isForbiddenAddress, isForbiddenHost } from './target-address.ts'

/** A message on its way to a target. */
export interface Post {
  readonly url: string
  readonly secret: string
  readonly key: string
  readonly body: string
  /** Unix s, in the signature. */
  readonly sentAtS: number
}

/** Delivers a message. Rejects with why it did not arrive. */
export type Deliver = (post: Post) => Promise<void>

/** What a receiver checks. */
export const toSignature = (secret: string, sentAtS: number, body: string): string =>
  `t=${sentAtS},v1=${createHmac('sha256', secret).update(`${sentAtS}.${body}`).digest('hex')}`

const TIMEOUT_MS = 10_000

/** Looks a name up, and finds nothing where it leads to a forbidden address: what was checked is what is called. */
export const lookUpAllowed: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return callback(error, '', 0)
    const allowed = found.filter(({ address }) => !isForbiddenAddress(address))
    const [first] = allowed
    if (!first) return callback(new Error('leads to an address that is not allowed'), '', 0)
    if (options.all) callback(null, allowed)
    else callback(null, first.address, first.family)
  })
}

export interface WebhookOptions {
  /** Lets messages go to this machine itself. */
  readonly mayBeLocal: boolean
  readonly timeoutMs?: number
}

/** Sends by POST over HTTP or HTTPS; only a status of 2xx says that it arrived. Redirections are not followed. */
export const createWebhook =
  ({ mayBeLocal, timeoutMs = TIMEOUT_MS }: WebhookOptions): Deliver =>
  ({ url, secret, key, body, sentAtS }) => {
    const target = new URL(url)
    if (!mayBeLocal && isForbiddenHost(target.hostname)) {
      return Promise.reject(new Error('an address that is not allowed'))
    }
    const send = target.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((resolve, reject) => {
      const answered = (response: IncomingMessage): void => {
        const status = response.statusCode ?? 0
        // What it says besides its status is not read.
        response.destroy()
        if (status >= 200 && status < 300) resolve()
        else reject(new Error(`answered ${status}`))
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
        ...(mayBeLocal ? {} : { lookup: lookUpAllowed }),
      }
      send(target, options, answered)
        .on('error', (error) => reject(error))
        // Who changes to another protocol instead of answering (101) is no response and no error.
        .on('close', () => reject(new Error('closed without an answer')))
        .end(body)
    })
  }
