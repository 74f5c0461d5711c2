import { z } from 'zod'
import { deviceProfile } from './device-profile.ts'
import { topicPart } from './mqtt.ts'

/**
 * What a gateway reads and commands: its lines, the devices on them, and profiles of its own. The registry stores one for a
 * concentrator; a gateway without a way to the server reads the same JSON from a file. An unknown setting is refused where it is set,
 * because a misspelt one would silently not apply; a gateway reports it and goes on without it.
 */
export const fieldDevice = z.strictObject({
  /** Serial in the registry, which is its name in MQTT messages. The device belongs to the gateway's concentrator. */
  serial: topicPart,
  /**
   * Digits of its address on the bus: 14 for CJ/T 188, 1 to 250 or eight digits for M-Bus, the unit for Modbus, the 16 of its DevEUI for
   * LoRaWAN.
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

/**
 * An application of ChirpStack 4, whose devices report by themselves: the gateway is a client of the broker of its MQTT integration
 * (with JSON as its encoding). `password`: everybody who may read the configuration may read it; give the account the topics of this
 * application only.
 */
export const chirpstackLine = z.strictObject({
  driver: z.literal('chirpstack-mqtt'),
  id: lineId,
  url: z.url({ protocol: /^(mqtt|mqtts|ws|wss)$/ }).max(300),
  username: z.string().min(1).max(128).optional(),
  password: z.string().min(1).max(256).optional(),
  applicationId: z.uuid(),
  devices: z.array(fieldDevice).max(20_000),
})
export type ChirpstackLine = z.infer<typeof chirpstackLine>

export const fieldLine = z.discriminatedUnion('driver', [dtuLine, modbusTcpLine, chirpstackLine])
export type FieldLine = z.infer<typeof fieldLine>

/** Where the transparent units connect, and what they send beside the bytes of their bus. */
export const dtuListener = z.strictObject({
  host: z.string().min(1).max(253).default('0.0.0.0'),
  /** 0 takes a free port. */
  port: z.number().int().min(0).max(65_535),
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

export const gatewayConfig = z
  .strictObject({
    v: z.literal(1),
    /** Offset of the clocks of meters from UTC, minutes. */
    meterZoneMin: z.number().int().min(-720).max(840).default(480),
    /** Time-out of a device that has not answered yet, ms; later ones are learned from its answers. */
    firstTimeOutMs: z.number().int().min(100).max(30_000).default(3_000),
    dtu: dtuListener.optional(),
    lines: z.array(fieldLine).max(20_000),
    /** Profiles beside the shipped ones; one with the id of a shipped profile replaces it. */
    profiles: z.array(deviceProfile).max(200).default([]),
  })
  .superRefine(({ dtu, lines }, context) => {
    const seen = new Set<string>()
    const requireUnique = (key: string, path: (string | number)[], message: string): void => {
      if (seen.has(key)) context.addIssue({ code: 'custom', path, message })
      seen.add(key)
    }
    for (const [index, line] of lines.entries()) {
      requireUnique(`line ${line.id}`, ['lines', index, 'id'], 'another line has this id')
      if (line.driver === 'dtu-tcp') {
        const path = ['lines', index, 'registration']
        requireUnique(`unit ${line.registration}`, path, 'another line has this registration')
        if (dtu === undefined) context.addIssue({ code: 'custom', path: ['dtu'], message: 'a line needs it' })
      }
      for (const [at, { serial }] of line.devices.entries()) {
        const path = ['lines', index, 'devices', at, 'serial']
        requireUnique(`device ${serial}`, path, 'another device has this serial')
      }
    }
  })
export type GatewayConfig = z.infer<typeof gatewayConfig>
