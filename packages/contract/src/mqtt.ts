import { z } from 'zod'
import { headKpa } from './command.ts'

/**
 * What devices and server say to each other over MQTT (protocols.md 4.2). A node is an MQTT client: a
 * concentrator by its serial or a device with a link of its own by its IMEI; its children stand in the payload.
 */
export const upChannels = ['birth', 'telemetry', 'history', 'event', 'reply', 'raw'] as const
export const downChannels = ['cmd', 'raw', 'ack', 'time'] as const
export type UpChannel = (typeof upChannels)[number]
export type DownChannel = (typeof downChannels)[number]

const PREFIX = 'hx/v1'

/** One level of a topic: no separators, no wildcards, no spaces. */
export const topicPart = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/)

export const toUpTopic = (tenant: string, node: string, channel: UpChannel): string =>
  `${PREFIX}/${tenant}/${node}/up/${channel}`
export const toDownTopic = (tenant: string, node: string, channel: DownChannel): string =>
  `${PREFIX}/${tenant}/${node}/down/${channel}`
/** Filter that matches what every node of every tenant sends on a channel. */
export const toUpFilter = (channel: UpChannel): string => `${PREFIX}/+/+/up/${channel}`

export interface UpTopic {
  readonly tenant: string
  readonly node: string
  readonly channel: UpChannel
}

const UP_TOPIC = /^hx\/v1\/([A-Za-z0-9_.-]{1,64})\/([A-Za-z0-9_.-]{1,64})\/up\/([a-z]+)$/

/** The parts of an up topic, or undefined for any other topic. */
export function parseUpTopic(topic: string): UpTopic | undefined {
  const [, tenant, node, name] = UP_TOPIC.exec(topic) ?? []
  const channel = upChannels.find((candidate) => candidate === name)
  return tenant && node && channel ? { tenant, node, channel } : undefined
}

/** MQTT user name of a node; its password is HMAC-SHA256(installation secret, user name) in lower-case hex. */
export const toMqttUsername = (tenant: string, node: string): string => `${tenant}:${node}`

export const MAX_MESSAGE_BYTES = 64 * 1024
export const MAX_CHILDREN = 100

const uint32 = z.number().int().min(0).max(4_294_967_295)
/** Unix ms, UTC. */
const instant = z.number().int().positive()

/** Readings of one child (or the node itself) at one instant. */
export const childReading = z.object({
  id: z.string().min(1).max(64),
  /** Instant of the measurement by the node's clock; absent, the server's arrival time stands in. */
  ts: instant.optional(),
  /** The meter's own clock, for diagnosis only. */
  dt: instant.optional(),
  /** Quality bits set by the device. */
  q: z.number().int().min(0).max(127).optional(),
  m: z.record(z.string().min(1).max(32), z.number()),
})
export type ChildReading = z.infer<typeof childReading>

/** What a message is known by: `(boot, seq)` numbers those of a node, seq begins at 0 with each boot. */
const numbered = z.object({ v: z.literal(1), boot: uint32, seq: uint32, ts: instant })

/** up/telemetry, up/history, up/event: of one numbering, whichever of the three. */
export const telemetryMessage = numbered.extend({
  d: z.array(childReading).min(1).max(MAX_CHILDREN),
})
export type TelemetryMessage = z.infer<typeof telemetryMessage>

/** One frame of a field bus. */
export const rawFrame = z.object({
  /** The device it is of; absent, the node itself. A name the registry does not know is kept with the frame. */
  id: z.string().min(1).max(64).optional(),
  /** When it was on the bus by the node's clock; absent, that of the message. */
  ts: instant.optional(),
  /** `rx`, which is meant when it is absent: from the bus to the node; `tx`: from the node to the bus. */
  dir: z.enum(['rx', 'tx']).optional(),
  /** Its bytes in hexadecimal. */
  hex: z.string().regex(/^(?:[0-9A-Fa-f]{2})+$/),
})
export type RawFrame = z.infer<typeof rawFrame>

/**
 * up/raw: frames of field buses as they are (CJ/T 188, M-Bus, Modbus, DL/T 645). `seq` numbers raw messages by
 * themselves, beside those with readings. Bytes that are no JSON object are one frame: a transparent unit passes on
 * what it hears; with nothing to know it by, it is kept again when it is sent again.
 */
export const rawMessage = numbered.extend({
  f: z.array(rawFrame).min(1).max(MAX_CHILDREN),
})
export type RawMessage = z.infer<typeof rawMessage>

/**
 * down/raw: frames for a node's field bus, which it puts there one after the other as they are; what comes back is on
 * up/raw, and of a frame that nobody answers nothing is said. Bytes that are no JSON object are one frame, as on up/raw.
 */
export const busFramesMessage = z.object({
  v: z.literal(1),
  f: z
    .array(rawFrame.pick({ hex: true }))
    .min(1)
    .max(MAX_CHILDREN),
})

/** up/birth, retained; also the will with `online: false`. A simulated node says how much faster its time runs. */
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

/** down/cmd: an absolute target. `rev` rises with each command to a device's property. */
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
 * down/cmd to a station: its controller is to hold a head from now on, by the speed of its circulation pump and within
 * what that can do. A controller that understands it reports `pump.target`.
 */
export const pumpMessage = commandMessage.extend({
  do: z.literal('pump.set'),
  /** Head between supply and return, kPa. */
  args: z.object({ head: headKpa }),
})
export type PumpMessage = z.infer<typeof pumpMessage>

/** Whatever asks a device to do something. */
export const orderMessage = z.discriminatedUnion('do', [commandMessage, pumpMessage])
export type OrderMessage = z.infer<typeof orderMessage>

/**
 * down/cmd as well: asks a node for messages it numbered from..to (both included) in a boot and the server never got.
 * The answer is what it still holds of them on up/history; there is no reply.
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

/** up/reply: a stage of a command or its result; a stage with a code other than 0 is a refusal or failure. */
export const replyMessage = z.object({
  v: z.literal(1),
  id: z.string().min(1).max(64),
  dev: z.string().min(1).max(64),
  stage: z.enum(['accepted', 'running', 'done']),
  code: z.number().int().min(0).max(999),
  msg: z.string().max(200).optional(),
  /** Where it stands: an opening in %, a head in kPa. */
  res: z.object({ opening: z.number().optional(), head: z.number().optional() }).optional(),
  ts: instant,
  boot: uint32,
  seq: uint32,
})
export type ReplyMessage = z.infer<typeof replyMessage>

/** down/ack: everything of this boot up to and including seq is durable. */
export const ackMessage = z.object({ boot: uint32, seq: uint32 })
export type AckMessage = z.infer<typeof ackMessage>

/** down/ack as well: everything of this boot on up/raw, which has numbers of its own, up to and including `raw`. */
export const rawAckMessage = z.object({ boot: uint32, raw: uint32 })

/** down/time: the server's clock. */
export const timeMessage = z.object({ now: instant })
