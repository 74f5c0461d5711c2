import { z } from 'zod'

/**
 * Events and commands of ChirpStack 4's MQTT integration with JSON as its encoding: the messages of integration.proto
 * (api/proto/integration, v4) in the JSON form of Protobuf, which leaves out zero, false and empty values.
 */
const time = z.iso.datetime({ offset: true })
const count = z.number().int().nonnegative().default(0)

const device = z.object({ devEui: z.string().regex(/^[0-9a-f]{16}$/i) })

export const upEvent = z.object({
  deduplicationId: z.string().min(1),
  time: time.optional(),
  deviceInfo: device,
  fCnt: count,
  fPort: count,
  /** Base64. */
  data: z.base64().default(''),
  rxInfo: z.array(z.object({ rssi: z.number().default(0) })).default([]),
})

/** The device acknowledged a confirmed downlink, or sent its next uplink without an acknowledgement. */
export const ackEvent = z.object({
  deviceInfo: device,
  queueItemId: z.string(),
  acknowledged: z.boolean().default(false),
  fCntDown: count,
})

/** A gateway has sent a downlink. */
export const txAckEvent = z.object({
  deviceInfo: device,
  queueItemId: z.string().default(''),
  fCntDown: count,
})

export const logEvent = z.object({
  deviceInfo: device,
  level: z.string().default('INFO'),
  code: z.string().default('UNKNOWN'),
  description: z.string().default(''),
  context: z.record(z.string(), z.string()).default({}),
})

/** The device has joined the network: it may have lost what was sent before. */
export const joinEvent = z.object({ deviceInfo: device, devAddr: z.string().default('') })

/** The command that puts a downlink into the queue of its device; one with a known id is refused, so it is never queued twice. */
export const downCommand = z.object({
  id: z.uuid(),
  devEui: z.string(),
  confirmed: z.boolean().default(false),
  fPort: z.number().int().min(1),
  data: z.base64(),
  expiresAt: time.optional(),
})

/** Topics of an application in ChirpStack's default configuration. */
export const toEventFilter = (applicationId: string): string =>
  `application/${applicationId}/device/+/event/+`
export const toDownTopic = (applicationId: string, devEui: string): string =>
  `application/${applicationId}/device/${devEui}/command/down`

/** The kind of event in a topic. */
export const toEventKind = (topic: string): string => topic.slice(topic.lastIndexOf('/') + 1)
