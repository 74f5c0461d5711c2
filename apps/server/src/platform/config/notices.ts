import { isIP, isIPv6 } from 'node:net'
import { z } from 'zod'
import { splitAtCommas, urlOf } from './url.ts'

/**
 * A host as URLs name it, with small letters and short IPv6 addresses; with a dot in front all hosts below a name.
 * Undefined if it is none.
 */
function findHost(text: string): string | undefined {
  const dot = text.startsWith('.') ? '.' : ''
  const host = text.slice(dot.length)
  const isBareIp6 = isIPv6(host)
  // A port, a path or a user would be left out by URL.
  if (!isBareIp6 && !/^(?:[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*|\[[\da-f:.]+\])$/iu.test(host))
    return undefined
  const hostname = URL.parse(`http://${isBareIp6 ? `[${host}]` : host}`)?.hostname.replace(/^\[|\]$/g, '')
  return hostname === undefined || (dot !== '' && isIP(hostname) !== 0) ? undefined : `${dot}${hostname}`
}

/** Environment variables of the servers that notices leave through. */
export const noticeEnvironment = {
  ISOTHERM_SMTP_URL: urlOf('smtp', 'smtps')
    .optional()
    .describe('SMTP server for notices by mail, with user and password if it needs them'),
  ISOTHERM_SMTP_FROM: z
    .string()
    .regex(/^[^\s@<>]+@[^\s@<>]+$/, 'is not a mail address')
    .optional()
    .describe('Sender of notices by mail; needed with ISOTHERM_SMTP_URL'),
  ISOTHERM_SMS_URL: urlOf('http', 'https')
    .optional()
    .describe('SMS gateway for notices: it accepts POST with JSON, one call for each number'),
  ISOTHERM_SMS_BODY: z
    .string()
    .default('{"phone":"{phone}","text":"{text}"}')
    .describe('JSON of a call of the SMS gateway; {phone} and {text} are replaced inside its strings'),
  ISOTHERM_SMS_AUTHORIZATION: z
    .string()
    .optional()
    .describe('Value of the Authorization header of calls of the SMS gateway'),
  ISOTHERM_ALARM_HOSTS: z
    .string()
    .default('')
    .transform((text, context) => {
      const hosts = splitAtCommas(text).map(findHost)
      if (hosts.every((host) => host !== undefined)) return hosts
      context.addIssue('is not a list of hosts such as a.example,.b.example')
      return z.NEVER
    })
    .describe(
      'Hosts that alarm targets may lead to, separated by commas; .a.example allows all hosts below a.example. Without it any host but this machine and its services',
    ),
}

/** Servers that notices leave through; an absent one is not configured. */
export interface NoticeConfig {
  readonly sms:
    | { readonly url: string; readonly body: string; readonly authorization?: string | undefined }
    | undefined
  readonly mail: { readonly url: string; readonly from: string } | undefined
  /** Hosts of alarm targets; empty: any. */
  readonly targetHosts: readonly string[]
}

type Variables = z.infer<z.ZodObject<typeof noticeEnvironment>>

export function toNoticeConfig(read: Variables): NoticeConfig {
  const { ISOTHERM_SMS_URL: sms, ISOTHERM_SMTP_URL: smtp, ISOTHERM_SMTP_FROM: from } = read
  return {
    sms:
      sms === undefined
        ? undefined
        : { url: sms, body: read.ISOTHERM_SMS_BODY, authorization: read.ISOTHERM_SMS_AUTHORIZATION },
    mail: smtp === undefined || from === undefined ? undefined : { url: smtp, from },
    targetHosts: read.ISOTHERM_ALARM_HOSTS,
  }
}
