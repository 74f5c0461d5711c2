import { z } from 'zod'
import { urlOf } from './config-url.ts'

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
}

/** Servers that notices leave through; an absent one is not configured. */
export interface NoticeConfig {
  readonly sms:
    | { readonly url: string; readonly body: string; readonly authorization?: string | undefined }
    | undefined
  readonly mail: { readonly url: string; readonly from: string } | undefined
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
  }
}
