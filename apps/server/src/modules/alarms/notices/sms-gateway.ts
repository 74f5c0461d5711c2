import { DeliveryError, toDeliveryError } from './delivery-fault.ts'
import type { NoticeText } from './notice-text.ts'

/** The installation's SMS gateway. */
export interface SmsGateway {
  readonly url: string
  /** JSON of a call with `{phone}` and `{text}` inside its strings. */
  readonly body: string
  /** Value of the Authorization header. */
  readonly authorization?: string | undefined
}

const TIMEOUT_MS = 10_000
/** Several parts of 67 characters; gateways charge each. */
const MAX_CHARACTERS = 200
/** Status if every number that is still on the list was reached before. */
const ALREADY_REPORTED = 208

/** Fills a template of JSON. A value is escaped, so that no text can change the structure. */
const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(phone|text)\}/g, (_, name: string) => JSON.stringify(values[name] ?? '').slice(1, -1))

/** Sends a text to telephone numbers, one call each, all at once so that the time is that of the slowest. */
export const createSms = (gateway: SmsGateway | undefined, timeoutMs = TIMEOUT_MS) => {
  /** Rejects with a DeliveryError. */
  async function call(
    { url, body, authorization }: SmsGateway,
    phone: string,
    text: string,
  ): Promise<number> {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      },
      body: fill(body, { phone, text }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      // fetch wraps the failure of the connection.
      throw toDeliveryError(error instanceof TypeError && error.cause !== undefined ? error.cause : error)
    })
    await answer.body?.cancel()
    if (!answer.ok) throw new DeliveryError(`status ${answer.status}`)
    return answer.status
  }

  /** `reached`: numbers that an earlier attempt reached. Rejects with a DeliveryError that names all reached ones. */
  return async (
    phones: readonly string[],
    { title, lines }: NoticeText,
    reached: readonly string[] = [],
  ): Promise<number> => {
    if (!gateway) throw new DeliveryError('not configured', undefined, reached)
    const text = [title, ...lines].join('; ').slice(0, MAX_CHARACTERS)
    const missing = phones.filter((phone) => !reached.includes(phone))
    const outcomes = await Promise.allSettled(missing.map((phone) => call(gateway, phone, text)))
    const arrived = missing.filter((_, at) => outcomes[at]?.status === 'fulfilled')
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) {
      const { fault, cause } = toDeliveryError(failed.reason)
      throw new DeliveryError(fault, cause, [...reached, ...arrived])
    }
    return outcomes.find((outcome) => outcome.status === 'fulfilled')?.value ?? ALREADY_REPORTED
  }
}
