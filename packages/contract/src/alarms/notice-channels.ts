import { z } from 'zod'

/**
 * Channels through which notices are sent: a signed POST to the company's own program; group robots of WeCom (企业微信),
 * DingTalk (钉钉) and Feishu (飞书); SMS through the installation's gateway; mail through its SMTP server.
 */
export const noticeChannel = z.enum(['webhook', 'wecom', 'dingtalk', 'feishu', 'sms', 'mail'])
export type NoticeChannel = z.infer<typeof noticeChannel>

/** Language of the text of a notice. */
export const noticeLanguage = z.enum(['zh', 'en'])
export type NoticeLanguage = z.infer<typeof noticeLanguage>

/** Hours of a week in which a target is on duty, in the company's time zone. From 20 to 8 is a night; it belongs to its first day. */
export const dutyTimes = z.object({
  hourFrom: z.number().int().min(0).max(23),
  /** Not included. Equal to `hourFrom`: the whole day. */
  hourTo: z.number().int().min(0).max(24),
  /** 1 is Monday. */
  weekdays: z.array(z.number().int().min(1).max(7)).min(1).max(7),
})
export type DutyTimes = z.infer<typeof dutyTimes>

/**
 * When a target gets a report of its part of the network, in the company's time zone: every day about the day before,
 * or on one weekday (1 is Monday) about the last seven days.
 */
export const reportTimes = z.object({
  every: z.enum(['day', 'week']),
  weekday: z.number().int().min(1).max(7).default(1),
  hour: z.number().int().min(0).max(23),
  /** True: the report replaces the single notices of alarms. */
  isOnly: z.boolean().default(false),
})
export type ReportTimes = z.infer<typeof reportTimes>

/** Longest wait for an acknowledgement before a notice escalates, minutes. */
export const MAX_ESCALATION_MIN = 1_440

const schemes: Readonly<Record<NoticeChannel, RegExp>> = {
  webhook: /^https?:\/\//,
  wecom: /^https?:\/\//,
  dingtalk: /^https?:\/\//,
  feishu: /^https?:\/\//,
  // // At most twenty numbers or addresses: a longer list belongs in a group of the gateway.
  sms: /^sms:\+?\d{5,15}(?:,\+?\d{5,15}){0,19}$/,
  mail: /^mailto:[^\s,@<>"]+@[^\s,@<>"]+(?:,[^\s,@<>"]+@[^\s,@<>"]+){0,19}$/,
}

function isWithoutLogin(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username === '' && password === ''
}

/** Whether an address fits its channel: a URL without user info, `sms:` and numbers, or `mailto:` and addresses. */
export const isAddressOf = (channel: NoticeChannel, address: string): boolean =>
  schemes[channel].test(address) && isWithoutLogin(address)

/** Whether an address fits any channel. */
export const isAnyAddress = (address: string): boolean =>
  noticeChannel.options.some((channel) => isAddressOf(channel, address))

/** Shortest signing secret of the company's own program. */
export const MIN_SECRET = 16

/**
 * Whether a secret suits its channel: a webhook always has one, because its notices are signed; a robot of DingTalk
 * or Feishu may have one.
 */
export function isSecretOf(channel: NoticeChannel, secret: string): boolean {
  if (channel === 'webhook') return secret.length >= MIN_SECRET
  return channel === 'dingtalk' || channel === 'feishu' || secret === ''
}
