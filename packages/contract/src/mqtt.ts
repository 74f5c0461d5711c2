import { z } from 'zod'
import { headKpa, offsetK } from './command.ts'

/**
 * MQTT messages between gateways and the server (docs/reference/mqtt.md). A gateway is an MQTT client: a
 * concentrator, named by its serial, or a device with its own link, named by its IMEI. The devices behind it are its
 * children, named in the payload.
 */
export const upChannels = ['birth', 'telemetry', 'history', 'event', 'reply', 'raw', 'unregistered'] as const
export const downChannels = ['cmd', 'raw', 'ack', 'time', 'login'] as const
export type UpChannel = (typeof upChannels)[number]
export type DownChannel = (typeof downChannels)[number]

const PREFIX = 'hx/v1'

/** One level of a topic: no separators, no wildcards, no spaces. */
export const topicPart = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/)

export const toUpTopic = (tenant: string, gateway: string, channel: UpChannel): string =>
  `${PREFIX}/${tenant}/${gateway}/up/${channel}`
export const toDownTopic = (tenant: string, gateway: string, channel: DownChannel): string =>
  `${PREFIX}/${tenant}/${gateway}/down/${channel}`
/** Topic filter for one channel of all gateways of a tenant, or of all tenants. */
export const toUpFilter = (channel: UpChannel, tenant = '+'): string => `${PREFIX}/${tenant}/+/up/${channel}`

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

/**
 * MQTT user name and client id of a gateway. Serials are unique per company only, so both name the company. The
 * character `/` is that of topics, so one rule of an external broker covers all gateways: `hx/v1/%u/up/#`.
 */
export const toMqttUsername = (tenant: string, gateway: string): string => `${tenant}/${gateway}`

/** A gateway by its company and its name in topics. */
export interface GatewayName {
  readonly tenant: string
  readonly gateway: string
}

const USERNAME = /^([A-Za-z0-9_.-]{1,64})[/:]([A-Za-z0-9_.-]{1,64})$/

/**
 * The gateway of a user name, or undefined. Accepts `{tenant}:{gateway}` too: gateways were configured so until 0.2.
 */
export function parseMqttUsername(username: string): GatewayName | undefined {
  const [, tenant, gateway] = USERNAME.exec(username) ?? []
  return tenant && gateway ? { tenant, gateway } : undefined
}

/**
 * The text that the password of a gateway signs: the password is HMAC-SHA256(installation secret, text) in lower-case
 * hex. `version` rises by 1 when the password is rotated.
 */
export const toPasswordText = ({ tenant, gateway }: GatewayName, version = 0): string =>
  `${tenant}:${gateway}${version === 0 ? '' : `:${version}`}`

export const MAX_MESSAGE_BYTES = 64 * 1024
export const MAX_CHILDREN = 100
/** Keep-alive that a gateway may choose, s. A shorter one wastes traffic; after a longer one a lost link shows late. */
export const KEEP_ALIVE_S = { from: 10, to: 300 } as const

const uint32 = z.number().int().min(0).max(4_294_967_295)
/** Unix ms, UTC. */
const instant = z.number().int().positive()
const serial = z.string().min(1).max(64)
const format = z.literal(1).describe('Version of the format')
const boot = uint32.describe(
  'Number of the start of the gateway: stored in the gateway, higher by 1 with every start',
)

/**
 * Readings of one child, or of the gateway itself, at one instant. The descriptions are those of
 * docs/reference/mqtt.md.
 */
export const childReading = z.object({
  id: serial.describe('Serial of the device, or of the gateway itself for its own readings'),
  ts: instant
    .optional()
    .describe(
      'Time of the measurement by the clock of the gateway, Unix ms UTC. Without it the time of arrival is used, which is wrong on `up/history`',
    ),
  dt: instant.optional().describe('Clock of the meter itself, Unix ms UTC; for diagnosis only'),
  q: z
    .number()
    .int()
    .min(0)
    .max(127)
    .optional()
    .describe('Quality bits of all values of this entry, see "Quality"; 0 or absent is good'),
  m: z
    .record(z.string().min(1).max(32), z.number())
    .describe('Values by metric name, in the unit of the metric, see "Metrics"'),
})
export type ChildReading = z.infer<typeof childReading>

/** Identity of a message: `(boot, seq)` numbers the messages of a gateway. seq starts at 0 with each boot. */
const numbered = z.object({
  v: format,
  boot,
  seq: uint32.describe(
    'Number of the message in its stream: 0 after each start, then higher by 1 with each message',
  ),
  ts: instant.describe('Time of sending by the clock of the gateway, Unix ms UTC'),
})

/** up/telemetry, up/history and up/event share one numbering. */
export const telemetryMessage = numbered.extend({
  d: z
    .array(childReading)
    .min(1)
    .max(MAX_CHILDREN)
    .describe('Readings of devices, one entry per device and time'),
})
export type TelemetryMessage = z.infer<typeof telemetryMessage>

/** One frame of a field bus. */
export const rawFrame = z.object({
  id: serial
    .optional()
    .describe(
      'Device of the frame; absent: the gateway itself. A name that is not registered is stored with the frame',
    ),
  ts: instant
    .optional()
    .describe('Time on the bus by the clock of the gateway, Unix ms UTC; absent: `ts` of the message'),
  dir: z
    .enum(['rx', 'tx'])
    .optional()
    .describe('`rx` (default): from the bus to the gateway. `tx`: from the gateway to the bus'),
  hex: z
    .string()
    .regex(/^(?:[0-9A-Fa-f]{2})+$/)
    .describe('Bytes in hexadecimal'),
})
export type RawFrame = z.infer<typeof rawFrame>

/**
 * up/raw: unchanged frames of field buses (CJ/T 188, M-Bus, Modbus, DL/T 645). Raw messages have a `seq` numbering of
 * their own. A payload that is not a JSON object is one frame, as a transparent unit passes it on. It has no number,
 * so a repeated delivery is stored twice.
 */
export const rawMessage = numbered.extend({
  f: z.array(rawFrame).min(1).max(MAX_CHILDREN).describe('Frames in the order of the bus'),
})
export type RawMessage = z.infer<typeof rawMessage>

/**
 * down/raw: frames that a gateway sends unchanged, one after the other, to its field bus. Answers arrive on up/raw; a
 * frame without an answer is not reported. A payload that is not a JSON object is one frame, as on up/raw.
 */
export const busFramesMessage = z.object({
  v: format,
  f: z
    .array(rawFrame.pick({ hex: true }))
    .min(1)
    .max(MAX_CHILDREN)
    .describe('Frames for the bus, in order'),
})

/** Data that a device sent: bytes, named values, or both. */
export const unregisteredContent = z.object({
  hex: z
    .string()
    .regex(/^(?:[0-9A-Fa-f]{2}){1,512}$/)
    .optional()
    .describe('Last frame or payload, in hexadecimal'),
  port: z.number().int().min(0).max(255).optional().describe('Port of a LoRaWAN uplink'),
  p: z
    .record(z.string().min(1).max(120), z.union([z.number(), z.boolean(), z.string().max(1_024)]))
    .optional()
    .describe('Named values as the platform of a mobile operator gives them'),
})
export type UnregisteredContent = z.infer<typeof unregisteredContent>

/** A device that a gateway receives and does not know. */
export const unregisteredEntry = unregisteredContent.extend({
  line: serial
    .optional()
    .describe('Line on which it was received; absent for a unit that connected and belongs to no line'),
  address: z
    .string()
    .min(1)
    .max(128)
    .describe('Its name there: address on the bus, DevEUI, device id of a platform, registration of a unit'),
  n: z.number().int().min(1).max(1_000_000).describe('How often it was received since the message before'),
  ts: instant.describe('When it was last received, Unix ms UTC'),
})
export type UnregisteredEntry = z.infer<typeof unregisteredEntry>

/**
 * up/unregistered: devices that send frames on the lines of a gateway and are not in its configuration. It has no number: a
 * repeated delivery counts twice, and a lost one is followed by the next.
 */
export const unregisteredMessage = z.object({
  v: format,
  d: z.array(unregisteredEntry).min(1).max(MAX_CHILDREN).describe('One entry for each device'),
})

/**
 * up/birth, retained; also the will with `online: false`. A simulated gateway reports how much faster its time runs.
 */
export const birthMessage = z.object({
  v: format,
  online: z.boolean().describe('`true` after each connection; `false` in the will and before an orderly end'),
  boot,
  ts: instant.describe('Clock of the gateway, Unix ms UTC; any positive number before it knows the time'),
  reason: z
    .string()
    .max(64)
    .optional()
    .describe('Why it is offline. `sleep` before a battery device sleeps: it then does not count as lost'),
  firmware: z.string().max(64).optional().describe('Name and version of the firmware, shown in the console'),
  timeFactor: z
    .number()
    .positive()
    .optional()
    .describe('Only for simulated gateways: how much faster their time runs'),
})
export type BirthMessage = z.infer<typeof birthMessage>

/** down/cmd: an absolute target. `rev` increases with each command to a property of a device. */
export const commandMessage = z.object({
  v: format,
  id: serial.describe('Id of the command. A repeat has the same id'),
  dev: serial.describe('Serial of the device: the gateway itself or one behind it'),
  do: z.literal('valve.set').describe('What to do'),
  /** Every command that opens an irrigation valve carries `maxSec`. */
  args: z
    .object({
      opening: z.number().min(0).max(100).describe('Opening to move to, %; 0 is closed'),
      maxSec: z
        .number()
        .int()
        .min(1)
        .max(86_400)
        .optional()
        .describe('The device closes the valve by itself after so many seconds, also without a connection'),
    })
    .describe('Target'),
  iat: instant.describe('Time of the order, Unix ms UTC'),
  exp: instant.describe('The command may not be started at or after this time, Unix ms UTC'),
  rev: z
    .number()
    .int()
    .nonnegative()
    .describe('Revision of the target, higher with each command of this kind to this device'),
})
export type CommandMessage = z.infer<typeof commandMessage>

/**
 * down/cmd to a station: head setpoint for its controller, which controls the speed of the circulation pump within
 * its range. A controller that supports it reports `pump.target`.
 */
export const pumpMessage = commandMessage.extend({
  do: z.literal('pump.set').describe('What to do'),
  args: z
    .object({ head: headKpa.describe('Head between supply and return that the pump holds, kPa') })
    .describe('Target'),
})
export type PumpMessage = z.infer<typeof pumpMessage>

/**
 * down/cmd to a station: offset of its heating curve for the supply temperature. The controller continues to follow the
 * weather. A controller that supports it reports `supply.offset`, and the resulting setpoint as `supply.target`.
 */
export const supplyMessage = commandMessage.extend({
  do: z.literal('supply.set').describe('What to do'),
  args: z
    .object({ offset: offsetK.describe('Added to the supply temperature of the heating curve, K') })
    .describe('Target'),
})
export type SupplyMessage = z.infer<typeof supplyMessage>

/** Any command to a device. */
export const orderMessage = z.discriminatedUnion('do', [commandMessage, pumpMessage, supplyMessage])
export type OrderMessage = z.infer<typeof orderMessage>

/**
 * Also on down/cmd: requests the messages from..to (both included) of a boot that the server did not receive. The
 * gateway sends the stored ones on up/history; there is no reply.
 */
export const historyRequest = z.object({
  v: format,
  id: serial.describe('Id of the request; the same for a repeat'),
  dev: serial.describe('Serial of the gateway'),
  do: z.literal('getHistory').describe('What to do'),
  args: z
    .object({
      boot: uint32.describe('Start of the gateway whose messages are missing'),
      from: uint32.describe('First missing number'),
      to: uint32.describe('Last missing number, included'),
    })
    .describe('Missing messages'),
  iat: instant.describe('Time of the request, Unix ms UTC'),
  exp: instant.describe('The request is void at or after this time, Unix ms UTC'),
})
export type HistoryRequest = z.infer<typeof historyRequest>

/**
 * Also on down/cmd: asks a device for its present values, out of turn. The gateway replies `accepted` at once, reads
 * the device, sends its readings on up/telemetry or up/event, and then replies `done`. Nothing is set, so there is no
 * revision; a repeat may be read again. For the gateway itself both replies come at once: that measures its
 * connection.
 */
export const readRequest = z.object({
  v: format,
  id: serial.describe('Id of the request; the same for a repeat'),
  dev: serial.describe('Serial of the device: the gateway itself or one behind it'),
  do: z.literal('read').describe('What to do'),
  iat: instant.describe('Time of the request, Unix ms UTC'),
  exp: instant.describe('The request is void at or after this time, Unix ms UTC'),
})
export type ReadRequest = z.infer<typeof readRequest>

/**
 * How a line is searched for devices. `cjt188`: the wildcard address of CJ/T 188, for a line with one meter. `mbus-secondary`: the
 * secondary addresses of M-Bus by patterns. `mbus-primary`: the primary addresses of M-Bus one by one.
 */
export const scanMethod = z.enum(['cjt188', 'mbus-secondary', 'mbus-primary'])
export type ScanMethod = z.infer<typeof scanMethod>

/**
 * Also on down/cmd: searches a line of the gateway for devices. The gateway replies `accepted`, then `running` with its progress every
 * few seconds, and `done` at the end. What it finds and does not know goes to up/unregistered. Polls and commands of the line go on
 * between two steps of the search.
 */
export const scanRequest = z.object({
  v: format,
  id: serial.describe('Id of the search; the same for a repeat'),
  dev: serial.describe('Serial of the gateway'),
  do: z.literal('scan').describe('What to do'),
  args: z
    .object({
      line: serial.describe('Name of the line'),
      method: scanMethod.describe('What is requested: see "down/cmd: scan"'),
    })
    .describe('Where and how'),
  iat: instant.describe('Time of the request, Unix ms UTC'),
  exp: instant.describe('The search ends at this time, Unix ms UTC'),
})
export type ScanRequest = z.infer<typeof scanRequest>

/** Also on down/cmd: stops a search. It has no reply of its own: the search ends with `done`. */
export const stopScanRequest = z.object({
  v: format,
  id: serial.describe('Id of the search'),
  dev: serial.describe('Serial of the gateway'),
  do: z.literal('stopScan').describe('What to do'),
  iat: instant.describe('Time of the request, Unix ms UTC'),
  exp: instant.describe('The request is void at or after this time, Unix ms UTC'),
})
export type StopScanRequest = z.infer<typeof stopScanRequest>

const counted = z.number().int().min(0).max(1_000_000_000)
/** Progress of a search of a line. */
export const scanProgress = z.object({
  requested: counted.describe('Questions sent'),
  of: counted.describe('Questions sent and known to be left; grows when answers collide'),
  found: counted.describe('Devices found, with those that the gateway knows'),
  known: counted.describe('Devices found that the gateway knows'),
  collisions: counted.describe('Addresses at which several devices answer at once'),
})
export type ScanProgress = z.infer<typeof scanProgress>

/** Result codes of a reply (docs/reference/mqtt.md, up/reply). */
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
  v: format,
  id: serial.describe('Id of the command'),
  dev: serial.describe('Serial of the device of the command'),
  stage: z
    .enum(['accepted', 'running', 'done'])
    .describe(
      '`accepted`: taken over, or refused with a code. `running`: the motor moves, or the search goes on. `done`: ended',
    ),
  code: z.number().int().min(0).max(999).describe('0 is success; others see "Result codes"'),
  msg: z.string().max(200).optional().describe('Text for people, for example the cause of a failure'),
  res: z
    .object({
      opening: z.number().optional().describe('Opening reached, %'),
      head: z.number().optional().describe('Head reached, kPa'),
      offset: z.number().optional().describe('Offset in force, K'),
      scan: scanProgress.optional().describe('Progress of a search'),
    })
    .optional()
    .describe('Value at the end, or progress'),
  ts: instant.describe(
    'Clock of the gateway, Unix ms UTC. A reading confirms `done` only if it is not earlier',
  ),
  boot,
  seq: uint32.describe('Number of the reply: replies have a numbering of their own, from 0 after each start'),
})
export type ReplyMessage = z.infer<typeof replyMessage>

/** down/ack: all messages of this boot up to and including `seq` are stored. */
export const ackMessage = z.object({
  boot: uint32.describe('Start of the gateway whose messages are meant'),
  seq: uint32.describe('All messages of telemetry, history and events from 0 to this number are stored'),
})
export type AckMessage = z.infer<typeof ackMessage>

/** Also on down/ack: all messages of this boot on up/raw up to and including `raw` are stored. */
export const rawAckMessage = z.object({
  boot: uint32.describe('Start of the gateway whose messages are meant'),
  raw: uint32.describe('All messages on `up/raw` from 0 to this number are stored'),
})

/**
 * down/login: the own password of a gateway that signed in with a one-time token. It stores the password and connects with it.
 */
export const loginMessage = z.object({
  v: format,
  username: z.string().min(1).max(129).describe('User name and client id, as they were'),
  password: z.string().min(1).max(128).describe('Password from now on, instead of the token'),
})
export type LoginMessage = z.infer<typeof loginMessage>

/** A one-time token in place of a password. Other passwords are not looked up among tokens. */
export const connectionToken = z.string().regex(/^once-[0-9a-hjkmnp-tv-z]{26}$/)

/** down/time: the server's clock. */
export const timeMessage = z.object({ now: instant.describe('Clock of the server, Unix ms UTC') })
