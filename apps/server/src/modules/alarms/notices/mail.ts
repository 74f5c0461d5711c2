import { createTransport } from 'nodemailer'
import { DeliveryError, toDeliveryError } from './delivery-fault.ts'
import type { NoticeText } from './notice-text.ts'

/** The installation's SMTP server. */
export interface MailServer {
  /** smtp:// or smtps://, with user and password if it needs them. */
  readonly url: string
  /** Address of the sender. */
  readonly from: string
}

const TIMEOUT_MS = 10_000
/** A complete acceptance by SMTP. */
const ACCEPTED = 250

/** Why a mail was not accepted. `responseCode` is that of SMTP. */
function toMailError(error: unknown): DeliveryError {
  if (error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number')
    return new DeliveryError(`code ${error.responseCode}`, error)
  return toDeliveryError(error)
}

/** Sends a text by mail, one message to all. `key` identifies it: a repeated delivery has the same Message-ID. */
export function createMail(server: MailServer | undefined, timeoutMs = TIMEOUT_MS) {
  const transport =
    server &&
    createTransport({
      url: server.url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    })
  return async (
    recipients: readonly string[],
    key: string,
    { title, lines }: NoticeText,
  ): Promise<number> => {
    if (!server || !transport) throw new DeliveryError('not configured')
    const host = server.from.split('@').at(-1) ?? 'isotherm'
    try {
      await transport.sendMail({
        from: server.from,
        to: [...recipients],
        subject: title,
        text: `${lines.join('\n')}\n`,
        messageId: `<${key}@${host}>`,
      })
    } catch (error) {
      throw toMailError(error)
    }
    return ACCEPTED
  }
}
