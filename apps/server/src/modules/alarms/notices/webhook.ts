import { createHmac } from 'node:crypto'
import { SIGNATURE_HEADER } from '@isotherm/contract/alarms/alarms'
import type { NoticeChannel, NoticeLanguage } from '@isotherm/contract/alarms/notice-channels'
import { createHttpPost } from './http-post.ts'
import type { TargetCheck } from './target-address.ts'

/** A message to a target. */
export interface Post {
  readonly channel: NoticeChannel
  /** Language of its text; a webhook gets the notice itself. */
  readonly language: NoticeLanguage
  readonly url: string
  readonly secret: string
  readonly key: string
  readonly body: string
  /** Unix s, in the signature. */
  readonly sentAtS: number
  /** Numbers that an earlier attempt of an SMS reached. */
  readonly reached?: readonly string[]
}

/** Delivers a message and resolves with the status of the receiver. Rejects with a DeliveryError. */
export type Deliver<Message = Post> = (post: Message) => Promise<number>

/** Signature header, which the receiver verifies. */
export const toSignature = (secret: string, sentAtS: number, body: string): string =>
  `t=${sentAtS},v1=${createHmac('sha256', secret).update(`${sentAtS}.${body}`).digest('hex')}`

/** Sends the notice itself, signed. Only a 2xx status counts as delivered. */
export function createWebhook(
  check: TargetCheck,
  timeoutMs?: number,
): Deliver<Omit<Post, 'channel' | 'language'>> {
  const post = createHttpPost(check, timeoutMs)
  return async ({ url, secret, key, body, sentAtS }) => {
    const headers = { 'X-Isotherm-Id': key, [SIGNATURE_HEADER]: toSignature(secret, sentAtS, body) }
    return (await post({ url, headers, body })).status
  }
}
