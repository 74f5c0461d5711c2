import type { InputOf, OutputOf } from '@isotherm/contract/endpoint'
import type { SentMessage, sendReadings } from '@isotherm/contract/endpoints/devices/send-readings'
import { type Language, toParamText } from '@isotherm/contract/locales/error-param'
import { quarantineTexts } from '@isotherm/contract/locales/requests/quarantine'
import { childReading, toUpTopic } from '@isotherm/contract/mqtt'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Call } from '../../../platform/http/call.ts'
import { findFault } from '../../../platform/http/input/parse-input.ts'
import type { Devices } from '../../devices/index.ts'
import type { SeenMessages } from '../delivery/seen-messages.ts'
import { envelope, type RejectedPart } from '../messages/parse-message.ts'
import { BacklogFullError } from '../store/backlog-full.ts'
import type { Ingest, IngestOutcome } from './ingest.ts'

type Message = InputOf<typeof sendReadings>['messages'][number]

export interface SendReadingsOptions {
  readonly clock: Pick<Clock, 'now'>
  readonly receive: Ingest
  readonly getGateway: Devices['getGateway']
  readonly findAck: SeenMessages['findWatermark']
}

/** Place and reason of a schema fault, in a language. */
function toDetail(language: Language, message: Message, entry: number | undefined): string | undefined {
  const parts: unknown = message.d
  const part: unknown = Array.isArray(parts) && entry !== undefined ? parts[entry] : undefined
  const detail = part === undefined ? findFault(envelope, message) : findFault(childReading, part)
  return detail && toParamText(language, 'request.malformed', 'detail', { detail })
}

function toText(language: Language, message: Message, { reason, entry }: RejectedPart): string {
  const text = quarantineTexts[reason][language]
  const detail = reason === 'wrong-schema' ? toDetail(language, message, entry) : undefined
  if (detail === undefined) return text
  return language === 'zh' ? `${text}（${detail}）` : `${text} (${detail})`
}

function toSent(language: Language, message: Message, outcome: IngestOutcome): SentMessage {
  const { values, isRepeated, rejects } = outcome
  return {
    outcome: isRepeated ? 'repeated' : values > 0 ? 'stored' : 'quarantined',
    values,
    faults: rejects.map((reject) => ({
      ...(reject.entry === undefined ? {} : { entry: reject.entry }),
      reason: reject.reason,
      text: toText(language, message, reject),
    })),
  }
}

/** A message as bytes. One that is nested too deeply to be written becomes text that the intake quarantines. */
function toPayload(message: Message): Buffer {
  try {
    return Buffer.from(JSON.stringify(message))
  } catch {
    return Buffer.from('nested too deeply')
  }
}

/** The newest boot among the messages; undefined if none states one. */
function findNewestBoot(messages: readonly Message[]): number | undefined {
  const boots = messages.flatMap(({ boot }) => (typeof boot === 'number' ? [boot] : []))
  return boots.length > 0 ? Math.max(...boots) : undefined
}

/**
 * Passes messages of an HTTP call on the same way as those of the broker: the call is answered when each is durable, repeated
 * ones are recognised by their numbers, and bad ones are in the quarantine. Throws server.unavailable if the store falls behind:
 * the caller repeats the call.
 */
export const createSendReadings =
  ({ clock, receive, getGateway, findAck }: SendReadingsOptions) =>
  async (
    { imei, tenant, channel, messages }: InputOf<typeof sendReadings>,
    { caller, language }: Call,
  ): Promise<OutputOf<typeof sendReadings>> => {
    const gateway = await getGateway(caller.scope, { imei, tenant })
    const topic = toUpTopic(gateway.tenant, gateway.serial, channel)
    const receivedAt = clock.now()
    try {
      const outcomes = await Promise.all(
        messages.map((message) => receive({ topic, payload: toPayload(message), receivedAt })),
      )
      const boot = findNewestBoot(messages)
      return {
        datalist: outcomes.map((outcome, index) => toSent(language, messages[index] ?? {}, outcome)),
        ack: (boot === undefined ? undefined : findAck(gateway.id, boot)) ?? null,
        now: clock.now(),
      }
    } catch (error) {
      if (error instanceof BacklogFullError) throw new AppError('server.unavailable', {}, { cause: error })
      throw error
    }
  }
