import { z } from 'zod'
import { deviceProfile } from './device-profile.ts'
import { topicPart } from './mqtt.ts'

/**
 * What a gateway reads and commands: its lines, the devices on them, and profiles of its own. The registry stores one for a
 * concentrator; a gateway without a way to the server reads the same JSON from a file. An unknown setting is refused where it is set,
 * because a misspelt one would silently not apply; a gateway reports it and continues without it.
 */
export const fieldDevice = z.strictObject({
  /** Serial in the registry, which is its name in MQTT messages. The device belongs to the gateway's concentrator. */
  serial: topicPart,
  /**
   * Digits of its address on the bus: 14 for CJ/T 188, 1 to 250 or eight digits for M-Bus, the unit for Modbus, the 16 of its DevEUI for
   * LoRaWAN, any for properties of a platform.
   */
  address: z.string().regex(/^[0-9A-Fa-f]{1,16}$/),
  /** Id of its profile: one of `profiles`, else one that the product ships. */
  profile: z.string().min(1).max(60),
  /** Time between two polls, s; default that of the profile. */
  pollPeriodS: z.number().int().min(1).max(86_400).optional(),
})
export type FieldDevice = z.infer<typeof fieldDevice>

const lineId = z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/)
const devices = z.array(fieldDevice).max(250)
const hexBytes = z.string().regex(/^(?:[0-9A-Fa-f]{2}){1,64}$/)
const brokerUrl = z.url({ protocol: /^(mqtt|mqtts|ws|wss)$/ }).max(300)
/** A topic without wildcards. */
const plainTopic = z.string().regex(/^[^+#\0]{1,256}$/)
const port = z.number().int().min(1).max(65_535)

/** A transparent unit (DTU) that connects to the gateway and passes bytes between TCP and its serial bus. */
export const dtuLine = z.strictObject({
  driver: z.literal('dtu-tcp'),
  id: lineId,
  /** Its registration packet without the prefix and suffix of the listener: a text, for example its IMEI. */
  registration: z.string().min(1).max(64),
  devices,
})
export type DtuLine = z.infer<typeof dtuLine>

/** A controller or converter that the gateway connects to by Modbus TCP; its units are the devices. */
export const modbusTcpLine = z.strictObject({
  driver: z.literal('modbus-tcp'),
  id: lineId,
  host: z.string().min(1).max(253),
  port: port.default(502),
  /** A connection on which a request is not answered by any byte for so long is closed and opened again, s. */
  answerS: z.number().int().min(1).max(3_600).default(60),
  devices,
})
export type ModbusTcpLine = z.infer<typeof modbusTcpLine>

/** When a device of a radio network listens: only after its own reports (LoRaWAN class A, NB-IoT that saves power), or always. */
export const listening = z.enum(['after-report', 'always'])

/** A device of LoRaWAN. */
export const lorawanDevice = fieldDevice.extend({
  /** As it is set up in ChirpStack; default `after-report`. Irrigation leaves out valves for which that is stated. */
  listens: listening.optional(),
})

/**
 * An application of ChirpStack 4, whose devices report by themselves: the gateway is a client of the broker of its MQTT integration
 * (with JSON as its encoding). Give its account the topics of this application only.
 */
export const chirpstackLine = z.strictObject({
  driver: z.literal('chirpstack-mqtt'),
  id: lineId,
  url: brokerUrl,
  username: z.string().min(1).max(128).optional(),
  password: z.string().min(1).max(256).optional(),
  applicationId: z.uuid(),
  devices: z.array(lorawanDevice).max(20_000),
})
export type ChirpstackLine = z.infer<typeof chirpstackLine>

/**
 * A transparent unit that passes the bytes of its bus through MQTT messages: the gateway is a client of the unit's broker. A message has
 * bytes as they are, and no JSON. Give the account these two topics only.
 */
export const dtuMqttLine = z.strictObject({
  driver: z.literal('dtu-mqtt'),
  id: lineId,
  url: brokerUrl,
  username: z.string().min(1).max(128).optional(),
  password: z.string().min(1).max(256).optional(),
  /** Topic on which the unit publishes, for example `hx/v1/heat/867725030000017/up/raw`. */
  upTopic: plainTopic,
  /** Topic to which it is subscribed, for example `hx/v1/heat/867725030000017/down/raw`. */
  downTopic: plainTopic,
  /** Message that the unit repeats while its bus is silent. */
  heartbeatHex: hexBytes.optional(),
  /** A unit without any message for so long is gone, s. Longer than its heartbeat, or than the shortest poll period. */
  idleS: z.number().int().min(1).max(86_400).default(300),
  devices,
})
export type DtuMqttLine = z.infer<typeof dtuMqttLine>

/** Secret of a platform. People do not get to see it (`gateways/secrets.ts`). */
const secret = z.string().min(1).max(256)
const platformUrl = z.url({ protocol: /^https?$/ }).max(300)
const platformWord = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/)

/** China Telecom, CTWing (AEP): a product of NB-IoT devices, whose payloads the platform passes unchanged or as a product model. */
export const ctwingPlatform = z.strictObject({
  kind: z.literal('ctwing'),
  /** Of the API, for example `https://2000000001.api.ctwing.cn`. */
  url: platformUrl,
  appKey: platformWord,
  appSecret: secret,
  productId: z.string().regex(/^\d{1,20}$/),
  masterKey: secret,
})

/** China Mobile, OneNET, LwM2M: `res` and `version` are those of the token with which the API is called. */
export const onenetPlatform = z.strictObject({
  kind: z.literal('onenet'),
  /** Of the API: `https://openapi.heclouds.com` for version 2020-05-29, `https://api.heclouds.com` for 2018-10-31. */
  url: platformUrl,
  version: z.enum(['2018-10-31', '2020-05-29']),
  /** `userid/ID`, `projectid/ID/groupid/ID` (2020-05-29), `products/ID` (2018-10-31). */
  res: z.string().regex(/^[A-Za-z0-9_/-]{1,128}$/),
  /** Base64. */
  accessKey: z.base64().min(4).max(256),
  /** Key of pushes in the secure mode. Without one, encrypted pushes are refused. */
  aesKey: z
    .string()
    .regex(/^[\x21-\x7e]{16}$/)
    .optional(),
})

/** Huawei Cloud IoTDA; its API is called with AK/SK. */
export const iotdaPlatform = z.strictObject({
  kind: z.literal('iotda'),
  /** Endpoint of the application side, for example `https://ID.st1.iotda-app.cn-north-4.myhuaweicloud.com`. */
  url: platformUrl,
  projectId: platformWord,
  accessKey: platformWord,
  secretKey: secret,
  instanceId: platformWord.optional(),
  /** For example `cn-north-4`: needed by instances with a domain of their own, whose keys are derived. */
  region: platformWord.optional(),
})

/** A device of a platform of a mobile operator. A meter and its valve behind one module are two devices with one `platformId`. */
export const northboundDevice = fieldDevice.extend({
  /** Its name at the platform: the device id of CTWing and IoTDA, the IMEI of OneNET. */
  platformId: platformWord,
  /** Default `after-report`. Irrigation leaves out valves for which that is stated. */
  listens: listening.optional(),
})
export type NorthboundDevice = z.infer<typeof northboundDevice>

/**
 * Devices of NB-IoT by the platform of their operator: it pushes what they report to `/push/ID` of the gateway's listener, and takes
 * commands by its API. `pushToken` proves that a push is the platform's: the token of the push at OneNET and IoTDA, the last part of the
 * address at CTWing, which signs nothing. IoTDA takes at most 32 letters and digits.
 */
export const northboundLine = z.strictObject({
  driver: z.literal('northbound-http'),
  id: lineId,
  platform: z.discriminatedUnion('kind', [ctwingPlatform, onenetPlatform, iotdaPlatform]),
  pushToken: z.string().regex(/^[A-Za-z0-9_-]{16,128}$/),
  /** Reports and signatures that are older are refused, s. OneNET repeats a push for 2 h 45 min. */
  maxAgeS: z.number().int().min(60).max(172_800).default(10_800),
  /** Where frames of meters are, for profiles that read frames and payloads. */
  frames: z
    .strictObject({
      /** Property that has the frame: `APPdata` of CTWing, `3200_0_5750` of OneNET, `service.property` of IoTDA. */
      up: z.string().min(1).max(120),
      /** Resource (OneNET) or `service.command.parameter` (IoTDA) to which a frame is written. CTWing needs none. */
      down: z.string().min(1).max(240).optional(),
      encoding: z.enum(['base64', 'hex']),
    })
    .default({ up: 'APPdata', encoding: 'base64' }),
  devices: z.array(northboundDevice).max(20_000),
})
export type NorthboundLine = z.infer<typeof northboundLine>

export const fieldLine = z.discriminatedUnion('driver', [
  dtuLine,
  dtuMqttLine,
  modbusTcpLine,
  chirpstackLine,
  northboundLine,
])
export type FieldLine = z.infer<typeof fieldLine>

/** A network such as `10.8.0.0/16`, or one address. */
const network = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()])

/** Where the transparent units connect, and what they send beside the bytes of their bus. */
export const dtuListener = z.strictObject({
  host: z.string().min(1).max(253).default('0.0.0.0'),
  /** 0 takes a free port. */
  port: z.number().int().min(0).max(65_535),
  /**
   * Networks from which units may connect, such as that of their SIM cards (private APN); absent: any. A unit has no password: who
   * reaches the port and knows a registration can answer in its place.
   */
  networks: z.array(network).min(1).max(64).optional(),
  /** Bytes around the name in a registration packet. */
  prefixHex: hexBytes.optional(),
  suffixHex: hexBytes.optional(),
  /** Packet that a unit repeats while its bus is silent. */
  heartbeatHex: hexBytes.optional(),
  /** A connection without any byte for so long is closed, s: the unit is gone without a word. */
  idleS: z.number().int().min(1).max(86_400).default(300),
  /** A connection that has not sent a registration packet after this is closed, s. */
  registrationS: z.number().int().min(1).max(600).default(30),
})
export type DtuListener = z.infer<typeof dtuListener>

/** Where platforms push to. Their HTTPS ends at a proxy on the way: a push has no other protection from being read or changed. */
export const pushListener = z.strictObject({
  host: z.string().min(1).max(253).default('127.0.0.1'),
  /** 0 takes a free port. */
  port: z.number().int().min(0).max(65_535),
})
export type PushListener = z.infer<typeof pushListener>

/** What parts of a configuration may be at fault with each other; `params.fault` of the issue. */
export const configFaults = {
  'same-id': 'another line has this id',
  'same-registration': 'another line has this registration',
  'same-topic': 'another line has this broker and topic',
  'same-serial': 'another device has this serial',
  needed: 'a line needs it',
} as const

export const gatewayConfig = z
  .strictObject({
    v: z.literal(1),
    /** Offset of the clocks of meters from UTC, minutes. */
    meterZoneMin: z.number().int().min(-720).max(840).default(480),
    /** Time-out of a device that has not answered yet, ms; later ones are learned from its answers. */
    firstTimeOutMs: z.number().int().min(100).max(30_000).default(3_000),
    dtu: dtuListener.optional(),
    push: pushListener.optional(),
    lines: z.array(fieldLine).max(20_000),
    /** Profiles beside the shipped ones; one with the id of a shipped profile replaces it. */
    profiles: z.array(deviceProfile).max(200).default([]),
  })
  .superRefine(({ dtu, push, lines }, context) => {
    const seen = new Set<string>()
    const addFault = (fault: keyof typeof configFaults, path: (string | number)[]): void =>
      context.addIssue({ code: 'custom', path, message: configFaults[fault], params: { fault } })
    const requireUnique = (
      key: string,
      path: (string | number)[],
      fault: keyof typeof configFaults,
    ): void => {
      if (seen.has(key)) addFault(fault, path)
      seen.add(key)
    }
    for (const [index, line] of lines.entries()) {
      requireUnique(`line ${line.id}`, ['lines', index, 'id'], 'same-id')
      if (line.driver === 'dtu-tcp') {
        const path = ['lines', index, 'registration']
        requireUnique(`unit ${line.registration}`, path, 'same-registration')
        if (dtu === undefined) addFault('needed', ['dtu'])
      }
      if (line.driver === 'dtu-mqtt')
        requireUnique(`topic ${line.url} ${line.upTopic}`, ['lines', index, 'upTopic'], 'same-topic')
      if (line.driver === 'northbound-http' && push === undefined) addFault('needed', ['push'])
      for (const [at, { serial }] of line.devices.entries()) {
        const path = ['lines', index, 'devices', at, 'serial']
        requireUnique(`device ${serial}`, path, 'same-serial')
      }
    }
  })
export type GatewayConfig = z.infer<typeof gatewayConfig>
