import { createHttpPost } from './http-post.ts'
import { createMail, type MailServer } from './mail.ts'
import { toNoticeText } from './notice-text.ts'
import { createRobots } from './robots.ts'
import { createSms, type SmsGateway } from './sms-gateway.ts'
import type { TargetCheck } from './target-address.ts'
import { createWebhook, type Deliver } from './webhook.ts'

export interface DeliveryNeeds {
  readonly check: TargetCheck
  readonly sms: SmsGateway | undefined
  readonly mail: MailServer | undefined
  /** Zone of the times in texts. */
  readonly timeZone: string
}

/** Receivers in an address such as `sms:+8613800000000,+8613900000000`. */
const toReceivers = (address: string): readonly string[] => address.slice(address.indexOf(':') + 1).split(',')

/** Delivers messages on all channels. */
export function createDelivery({ check, sms, mail, timeZone }: DeliveryNeeds): Deliver {
  const callWebhook = createWebhook(check)
  const callRobot = createRobots(createHttpPost(check))
  const sendSms = createSms(sms)
  const sendMail = createMail(mail)
  return async (post) => {
    const { channel, language, url, key, body, reached } = post
    if (channel === 'webhook') return callWebhook(post)
    const text = toNoticeText(body, language, timeZone)
    if (channel === 'sms') return sendSms(toReceivers(url), text, reached)
    if (channel === 'mail') return sendMail(toReceivers(url), key, text)
    return callRobot(channel, post, text)
  }
}
