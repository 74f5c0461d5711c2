import { z } from 'zod'
import { profileId } from '../../device-profile.ts'
import { deviceKind } from '../../devices.ts'
import { defineEndpoint } from '../../endpoint.ts'
import { instant } from '../../entity.ts'
import { limiter, pageOf } from '../../filter.ts'
import { topicPart } from '../../mqtt.ts'
import { refersTo } from '../../refs.ts'
import { managingDevices } from './device-access.ts'
import { insertDev } from './devices.ts'

/**
 * How an unregistered device was received. `readings`: its concentrator sends readings of it. `line`: it speaks on a line of a gateway.
 * `unit`: it is a transparent unit that connected to a gateway and belongs to no line.
 */
export const unregisteredVia = z.enum(['readings', 'line', 'unit'])
export type UnregisteredVia = z.infer<typeof unregisteredVia>

/** The probable kind and profile of an unregistered device. */
export const deviceGuess = z.object({
  kind: deviceKind,
  /** `only-kind`: no other kind of device reports these metrics. `best-profile`: this profile reads more of it than any other. */
  reason: z.enum(['only-kind', 'best-profile']),
  /** Profile that reads it; only of devices on lines. */
  profile: profileId.optional(),
  /** Number of readings of the profile, and how many of them it found. */
  found: z.number().int().nonnegative(),
  of: z.number().int().nonnegative(),
})
export type DeviceGuess = z.infer<typeof deviceGuess>

/** A device whose messages arrive although it is not registered. */
export const unregisteredDevice = z.object({
  id: z.number().int().positive(),
  gatewayId: z.number().int().positive(),
  gateway: z.string(),
  gatewaySerial: z.string(),
  via: unregisteredVia,
  /** Line on which it was received; empty for the others. */
  line: z.string(),
  /** Its name there: serial in the messages of its concentrator, address on the line, registration of a unit. */
  address: z.string(),
  /** Times it was received since `firstAt`. */
  count: z.number().int().positive(),
  firstAt: instant,
  lastAt: instant,
  /** Its last values by metric, read by the guessed profile. */
  values: z.array(z.object({ metric: z.string(), value: z.number() })),
  /** Its last frame or payload, in hexadecimal. */
  hex: z.string().optional(),
  /** Absent if its messages contain too little for a guess. */
  guess: deviceGuess.optional(),
  /** The company has a device with this serial already, retired or elsewhere. */
  isTaken: z.boolean(),
})
export type UnregisteredDevice = z.infer<typeof unregisteredDevice>

export const getUnregisteredDevices = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/GetUnregisteredDevices',
  summary:
    'Devices that send data and are not registered, last received first, with their last data and their probable kind: those of gateways that the caller may manage.',
  access: managingDevices,
  effect: 'reads',
  input: z.object({
    /** One gateway; by default all. */
    deviceId: refersTo('device', z.number().int().positive()).optional(),
    limiter: limiter.default({ page: 1, size: 100 }),
  }),
  output: pageOf(unregisteredDevice),
  errors: ['device.not-found'],
})

export const adoptDevice = defineEndpoint({
  backend: 'ht-api',
  method: 'POST',
  path: '/Dev/AdoptDevice',
  summary:
    'Registers a device that was received behind its gateway, and adds it to the line on which it was received, if it was on one.',
  access: managingDevices,
  effect: 'changes',
  input: insertDev.input
    .pick({
      kind: true,
      imei: true,
      meterNo: true,
      name: true,
      modelId: true,
      node: true,
      periodS: true,
      description: true,
    })
    .extend({
      id: refersTo('unregistered-device', z.number().int().positive()),
      imei: topicPart,
      /** How it is read on its line. Only for a device of a line. */
      profile: profileId.optional(),
    }),
  output: insertDev.output,
  errors: [
    ...insertDev.errors,
    'unregistered-device.not-found',
    'unregistered-device.no-line',
    'gateway-config.wrong-device',
    'device.retired',
  ],
})

export const unregisteredDevicesEndpoints = { getUnregisteredDevices, adoptDevice } as const
