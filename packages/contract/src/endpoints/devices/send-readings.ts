import { z } from 'zod'
import { defineEndpoint, requiresPermission } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { ackMessage, topicPart } from '../../mqtt.ts'
import { refersTo } from '../../refs.ts'
import { quarantineReason } from '../monitoring/quarantine.ts'

/** Messages in one call. The whole body, unpacked, has at most 1 MB, like that of any call. */
export const MAX_SENT_MESSAGES = 100

const count = z.number().int().nonnegative()

/** Why a message or one entry of its `d` is in the quarantine. */
const sendingFault = z.object({
  /** Index in `d`; absent if the whole message is refused. */
  entry: count.optional(),
  reason: quarantineReason,
  /** The reason in the caller's language, with the place of the fault where there is one. */
  text: z.string(),
})

/** Outcome of one message. After none of them must the message be sent again. */
const sentMessage = z.object({
  /** `stored`: with all or some of its values. `repeated`: it was here before. `quarantined`: nothing of it is stored. */
  outcome: z.enum(['stored', 'repeated', 'quarantined']),
  /** Number of values that are stored now. */
  values: count,
  faults: z.array(sendingFault),
})
export type SentMessage = z.infer<typeof sentMessage>

export const sendReadings = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/SendReadings',
  summary:
    'Takes messages of a gateway as on `up/telemetry`, `up/history` and `up/event`; answers when they are durable. The body may be packed with gzip. API keys need the permission `send-readings` and nothing else.',
  access: requiresPermission('pd-datadevmanager'),
  effect: 'stores',
  apiKeys: 'send-readings',
  isPackable: true,
  input: z.object({
    /** The gateway: the caller must be granted it and all devices behind it. */
    imei: refersTo('imei', topicPart),
    /** Its company, where the caller sees several with the same serial. */
    tenant: topicPart.optional(),
    /** `telemetry` and `event`: sent as soon as measured. `history`: sent late; it raises no alarms. */
    channel: z.enum(['telemetry', 'history', 'event']),
    /** Checked one by one: a bad message does not refuse the others. */
    messages: z.array(z.record(z.string(), z.unknown())).min(1).max(MAX_SENT_MESSAGES),
  }),
  output: z.object({
    /** In the order of the messages. */
    datalist: z.array(sentMessage),
    /** Of the newest boot among the messages: all messages up to this number are stored or refused for good. */
    ack: ackMessage.nullable(),
    /** The server's clock. */
    now: instant,
  }),
  errors: ['device.not-found', 'device.no-gateway', 'access.denied'],
})

export const sendReadingsEndpoints = { sendReadings } as const
