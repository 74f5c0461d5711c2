import { z } from 'zod'
import { headKpa, offsetK } from './command.ts'

/**
 * MQTT messages between gateways and the server (protocols.md 4.2). A gateway is an MQTT client: a concentrator, named by its
 * serial, or a device with its own link, named by its IMEI. The devices behind it are its children, named in the payload.
 */
export const upChannels = ['birth', 'telemetry', 'history', 'event', 'reply', 'raw'] as const
export const downChannels = ['cmd', 'raw', 'ack', 'time'] as const
export type UpChannel = (typeof upChannels)[number]
export type DownChannel = (typeof downChannels)[number]

const PREFIX = 'hx/v1'

/** One level of a topic: no separators, no wildcards, no spaces. */
export const topicPart = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/)

export const toUpTopic = (tenant: string, gateway: string, channel: UpChannel): string =>
  `${PREFIX}/${tenant}/${gateway}/up/${channel}`
export const toDownTopic = (tenant: string, gateway: string, channel: DownChannel): string =>
  `${PREFIX}/${tenant}/${gateway}/down/${channel}`
/** Topic filter for one channel of all gateways of all tenants. */
export const toUpFilter = (channel: UpChannel): string => `${PREFIX}/+/+/up/${channel}`

export interface UpTopic {
  readonly tenant: string
  readonly gateway: string
  readonly channel: UpChannel
}

const UP_TOPIC = /^hx\/v1\/([A-Za-z0-9_.-]{1,64})\/([A-Za-z0-9_.-]{1,64})\/up\/([a-z]+)$/

/** The parts of an up topic, or undefined for any other topic. */
export function parseUpTopic(topic: string): UpTopic | undefined {
  const [, tenant, gateway, name] = UP_TOPIC.exec(topic) ?? []
  const channel = upChannels.find((candidate) => candidate === name)
  return tenant && gateway && channel ? { tenant, gateway, channel } : undefined
}

/** MQTT user name of a gateway. Its password is HMAC-SHA256(installation secret, user name) in lower-case hex. */
export const toMqttUsername = (tenant: string, gateway: string): string => `${tenant}:${gateway}`

export const MAX_MESSAGE_BYTES = 64 * 1024
export const MAX_CHILDREN = 100

const uint32 = z.number().int().min(0).max(4_294_967_295)
/** Unix ms, UTC. */
const instant = z.number().int().positive()

/** Readings of one child, or of the gateway itself, at one instant. */
export const childReading = z.object({
  id: z.string().min(1).max(64),
  /** Time of the measurement by the gateway's clock; if absent, the arrival time at the server is used. */
  ts: instant.optional(),
  /** The meter's own clock, for diagnosis only. */
  dt: instant.optional(),
  /** Quality bits set by the device. */
  q: z.number().int().min(0).max(127).optional(),
  m: z.record(z.string().min(1).max(32), z.number()),
})
export type ChildReading = z.infer<typeof childReading>

/** Identity of a message: `(boot, seq)` numbers the messages of a gateway. seq starts at 0 with each boot. */
const numbered = z.object({ v: z.literal(1), boot: uint32, seq: uint32, ts: instant })

/** up/telemetry, up/history and up/event share one numbering. */
export const telemetryMessage = numbered.extend({
  d: z.array(childReading).min(1).max(MAX_CHILDREN),
})
export type TelemetryMessage = z.infer<typeof telemetryMessage>

/** One frame of a field bus. */
export const rawFrame = z.object({
  /** Device of the frame; if absent, the gateway itself. A name that the registry does not know is stored with the frame. */
  id: z.string().min(1).max(64).optional(),
  /** Time on the bus by the gateway's clock; if absent, the time of the message. */
  ts: instant.optional(),
  /** `rx` (default): from the bus to the gateway. `tx`: from the gateway to the bus. */
  dir: z.enum(['rx', 'tx']).optional(),
  /** Bytes in hexadecimal. */
  hex: z.string().regex(/^(?:[0-9A-Fa-f]{2})+$/),
})
export type RawFrame = z.infer<typeof rawFrame>

/**
 * up/raw: unchanged frames of field buses (CJ/T 188, M-Bus, Modbus, DL/T 645). Raw messages have a `seq` numbering of their
 * own. A payload that is not a JSON object is one frame, as a transparent unit passes it on. It has no number, so a repeated
 * delivery is stored twice.
 */
export const rawMessage = numbered.extend({
  f: z.array(rawFrame).min(1).max(MAX_CHILDREN),
})
export type RawMessage = z.infer<typeof rawMessage>

/**
 * down/raw: frames that a gateway sends unchanged, one after the other, to its field bus. Answers arrive on up/raw; a frame
 * without an answer is not reported. A payload that is not a JSON object is one frame, as on up/raw.
 */
export const busFramesMessage = z.object({
  v: z.literal(1),
  f: z
    .array(rawFrame.pick({ hex: true }))
    .min(1)
    .max(MAX_CHILDREN),
})

/** up/birth, retained; also the will with `online: false`. A simulated gateway reports how much faster its time runs. */
export const birthMessage = z.object({
  v: z.literal(1),
  online: z.boolean(),
  boot: uint32,
  ts: instant,
  reason: z.string().max(64).optional(),
  firmware: z.string().max(64).optional(),
  timeFactor: z.number().positive().optional(),
})
export type BirthMessage = z.infer<typeof birthMessage>

/** down/cmd: an absolute target. `rev` increases with each command to a property of a device. */
export const commandMessage = z.object({
  v: z.literal(1),
  id: z.string().min(1).max(64),
  dev: z.string().min(1).max(64),
  do: z.literal('valve.set'),
  /** Opening in %, 0 to 100. */
  args: z.object({ opening: z.number().min(0).max(100) }),
  iat: instant,
  exp: instant,
  rev: z.number().int().nonnegative(),
})
export type CommandMessage = z.infer<typeof commandMessage>

/**
 * down/cmd to a station: head setpoint for its controller, which controls the speed of the circulation pump within its range.
 * A controller that supports it reports `pump.target`.
 */
export const pumpMessage = commandMessage.extend({
  do: z.literal('pump.set'),
  /** Head between supply and return, kPa. */
  args: z.object({ head: headKpa }),
})
export type PumpMessage = z.infer<typeof pumpMessage>

/**
 * down/cmd to a station: offset of its weather curve for the supply temperature. The controller continues to follow the
 * weather. A controller that supports it reports `supply.offset`, and the resulting setpoint as `supply.target`.
 */
export const supplyMessage = commandMessage.extend({
  do: z.literal('supply.set'),
  /** Added to the curve's supply temperature, K. */
  args: z.object({ offset: offsetK }),
})
export type SupplyMessage = z.infer<typeof supplyMessage>

/** Any command to a device. */
export const orderMessage = z.discriminatedUnion('do', [commandMessage, pumpMessage, supplyMessage])
export type OrderMessage = z.infer<typeof orderMessage>

/**
 * Also on down/cmd: requests the messages from..to (both included) of a boot that the server did not receive. The gateway
 * sends the stored ones on up/history; there is no reply.
 */
export const historyRequest = z.object({
  v: z.literal(1),
  id: z.string().min(1).max(64),
  dev: z.string().min(1).max(64),
  do: z.literal('getHistory'),
  args: z.object({ boot: uint32, from: uint32, to: uint32 }),
  iat: instant,
  exp: instant,
})
export type HistoryRequest = z.infer<typeof historyRequest>

/** Result codes of a reply (protocols.md 4.2). */
export const replyCodes = {
  ok: 0,
  badArguments: 400,
  denied: 401,
  noSuchChild: 404,
  busTimeout: 408,
  superseded: 409,
  expired: 410,
  locked: 423,
  busy: 429,
  deviceFailure: 500,
  unsupported: 501,
  lowBattery: 503,
} as const

/** up/reply: a stage of a command or its result. A code other than 0 means that it was refused or failed. */
export const replyMessage = z.object({
  v: z.literal(1),
  id: z.string().min(1).max(64),
  dev: z.string().min(1).max(64),
  stage: z.enum(['accepted', 'running', 'done']),
  code: z.number().int().min(0).max(999),
  msg: z.string().max(200).optional(),
  /** Present value: opening in %, head in kPa, offset in K. */
  res: z
    .object({
      opening: z.number().optional(),
      head: z.number().optional(),
      offset: z.number().optional(),
    })
    .optional(),
  ts: instant,
  boot: uint32,
  seq: uint32,
})
export type ReplyMessage = z.infer<typeof replyMessage>

/** down/ack: all messages of this boot up to and including `seq` are stored. */
export const ackMessage = z.object({ boot: uint32, seq: uint32 })
export type AckMessage = z.infer<typeof ackMessage>

/** Also on down/ack: all messages of this boot on up/raw up to and including `raw` are stored. */
export const rawAckMessage = z.object({ boot: uint32, raw: uint32 })

/** down/time: the server's clock. */
export const timeMessage = z.object({ now: instant })
