import { z } from 'zod'
import { deviceKind } from './devices.ts'
import { givenName, storedName } from './entity.ts'
import { metricNames } from './metrics.ts'

/**
 * A device profile describes how a kind of device is read and commanded on its field bus: the part that the frames
 * themselves do not state. It is data: the product's own profiles are files, others are imported and exported as
 * JSON.
 */
const metricName = z.enum(metricNames, { error: 'not a metric of the registry' })

/** Checks that a value must pass at its decoding: range of the metric; power against flow and temperatures. */
const qualityCheck = z.enum(['range', 'power-balance'])
export type QualityCheck = z.infer<typeof qualityCheck>

const fieldName = z.string().regex(/^[a-z][a-z0-9-]{0,59}$/)
const uint16 = z.number().int().min(0).max(65_535)
const hexByte = z.string().regex(/^[0-9A-F]{2}$/)

/**
 * CJ/T 188: the meter's data identifiers, and which field of their answers is which metric. Units are in the frames.
 */
const cjt188Driver = z.object({
  driver: z.literal('cjt188'),
  /** Type byte in requests, for example `20` for a heat meter. */
  meterType: hexByte,
  identifierOrder: z.enum(['big', 'little']),
  /** Data identifiers that a poll reads, for example `901F`. */
  identifiers: z
    .array(z.string().regex(/^[0-9A-F]{4}$/))
    .min(1)
    .max(8),
  flowDecimals: z.number().int().min(0).max(4).optional(),
  powerDecimals: z.number().int().min(0).max(4).optional(),
  /** The first energy of 901F; combined meters send their cooling energy there. */
  firstEnergy: z.enum(['settlement', 'cooling']).default('settlement'),
  readings: z
    .array(z.object({ metric: metricName, field: fieldName }))
    .min(1)
    .max(40),
  /** `on-off`: identifier A017. `vendor-opening`: BB1F with an opening and the day of the monthly calibration run. */
  valve: z
    .discriminatedUnion('form', [
      z.object({ form: z.literal('on-off') }),
      z.object({ form: z.literal('vendor-opening'), calibrationDay: z.number().int().min(0).max(28) }),
    ])
    .optional(),
})

/** M-Bus: which record of the telegrams is which metric. Units and exponents are in the frames. */
const mbusDriver = z.object({
  driver: z.literal('mbus'),
  addressing: z.enum(['primary', 'secondary']),
  /** Sends an application reset before each poll, for meters that otherwise continue an old answer. */
  resetsFirst: z.boolean().default(false),
  readings: z
    .array(
      z.object({
        metric: metricName,
        quantity: fieldName,
        storage: z.number().int().min(0).default(0),
        tariff: z.number().int().min(0).default(0),
        subunit: z.number().int().min(0).default(0),
      }),
    )
    .min(1)
    .max(40),
})

/** A number in registers. The value in `unit` is the number times `scale`, plus `offset`. */
const register = z.object({
  address: uint16,
  type: z.enum(['u16', 'i16', 'u32', 'i32', 'f32', 'u64', 'i64', 'f64']),
  order: z.enum(['ABCD', 'CDAB', 'BADC', 'DCBA']).default('ABCD'),
  scale: z
    .number()
    .refine((value) => value !== 0, { error: 'must not be 0' })
    .default(1),
  offset: z.number().default(0),
  unit: z.string().min(1).max(12),
})
export type ProfileRegister = z.infer<typeof register>

const modbusDriver = z.object({
  driver: z.literal('modbus'),
  transport: z.enum(['rtu', 'tcp']),
  /** Registers that a poll reads, one request each. */
  blocks: z
    .array(
      z.object({
        fc: z.union([z.literal(3), z.literal(4)]),
        start: uint16,
        count: z.number().int().min(1).max(125),
      }),
    )
    .min(1)
    .max(16),
  readings: z
    .array(register.extend({ metric: metricName, fc: z.union([z.literal(3), z.literal(4)]).default(3) }))
    .min(1)
    .max(80),
  /** Registers that a command writes; function 6 for one register, 16 for more. */
  commands: z
    .object({ opening: register.optional(), head: register.optional(), offset: register.optional() })
    .default({}),
})

/** Digits of whole bytes; empty for none. */
const hexDigits = (maxBytes: number) => z.string().regex(new RegExp(`^(?:[0-9A-F]{2}){0,${maxBytes}}$`))
const radioPort = z.number().int().min(1).max(223)
/** A number in a payload. The value in `unit` is the number times `scale`, plus `offset`. */
const payloadNumber = z.object({
  type: z.enum(['u8', 'i8', 'u16', 'i16', 'u32', 'i32']),
  order: z.enum(['big', 'little']).default('big'),
  scale: z
    .number()
    .refine((value) => value !== 0, { error: 'must not be 0' })
    .default(1),
  offset: z.number().default(0),
  unit: z.string().min(1).max(12),
})
export type PayloadNumber = z.infer<typeof payloadNumber>
/** Bytes of the numbers of a payload. */
export const payloadNumberBytes = { u8: 1, i8: 1, u16: 2, i16: 2, u32: 4, i32: 4 } as const

const payloadCommand = payloadNumber.extend({
  port: radioPort,
  /** Whether the device acknowledges it. Without, only a later report shows whether it arrived. */
  isConfirmed: z.boolean().default(true),
  /** Bytes before and after the number. */
  prefix: hexDigits(32).default(''),
  suffix: hexDigits(32).default(''),
  /** The only values that it can set, for example 0 and 100 of an on/off valve. */
  values: z.array(z.number()).min(1).max(16).optional(),
})
export type PayloadCommand = z.infer<typeof payloadCommand>

/**
 * LoRaWAN: the payloads of its uplinks and downlinks, which each maker defines. `items`: a head with its bytes, any
 * number of them one after the other; an unknown head ends the payload. `fixed`: one head with its bytes is the whole
 * payload.
 */
const lorawanDriver = z.object({
  driver: z.literal('lorawan'),
  layout: z.enum(['items', 'fixed']),
  /** Ports of the uplinks that have readings; default all. */
  ports: z.array(radioPort).min(1).max(16).optional(),
  items: z
    .array(z.object({ head: hexDigits(4), bytes: z.number().int().min(0).max(242) }))
    .min(1)
    .max(80),
  readings: z
    .array(
      payloadNumber.extend({
        metric: metricName,
        head: hexDigits(4).default(''),
        /** First byte behind the head. */
        at: z.number().int().min(0).max(241).default(0),
        /** Bits that count, for example 16383 if a status is in the upper two. */
        mask: z.number().int().min(1).max(0xffff_ffff).optional(),
        /** The reading is there only if these bits of a byte behind the head are one of the values: other modes use its bytes otherwise. */
        only: z
          .object({
            at: z.number().int().min(0).max(241),
            mask: z.number().int().min(1).max(0xff).default(0xff),
            values: z.array(z.number().int().min(0).max(0xff)).min(1).max(64),
          })
          .optional(),
      }),
    )
    .min(1)
    .max(40),
  commands: z
    .object({
      opening: payloadCommand.optional(),
      head: payloadCommand.optional(),
      offset: payloadCommand.optional(),
      /**
       * Opens the valve fully for a number of seconds, after which the device closes it by itself. Without it, orders with `maxSec`
       * are refused. Needs `opening` too, which closes the valve earlier; its unit is `s`, its scale above 0.
       */
      timedOpening: payloadCommand.optional(),
    })
    .default({}),
})

const scaled = {
  scale: z
    .number()
    .refine((value) => value !== 0, { error: 'must not be 0' })
    .default(1),
  offset: z.number().default(0),
  unit: z.string().min(1).max(12),
}
const propertyCommand = z.object({
  /** Service and command of the platform's product model; empty at OneNET, where the parameter is the resource. */
  service: z.string().max(64).default(''),
  command: z.string().max(128).default(''),
  /** What has the value, for example `3306_0_5851` at OneNET. */
  parameter: z.string().min(1).max(120),
  ...scaled,
})
export type PropertyCommand = z.infer<typeof propertyCommand>

/**
 * Properties with names and values, as the platforms of mobile operators give them for devices with a product model.
 * `scale` and then `offset` lead to the value in `unit`; true is 1 and false is 0.
 */
const propertiesDriver = z.object({
  driver: z.literal('properties'),
  readings: z
    .array(z.object({ metric: metricName, property: z.string().min(1).max(120), ...scaled }))
    .min(1)
    .max(80),
  commands: z
    .object({
      opening: propertyCommand.optional(),
      head: propertyCommand.optional(),
      offset: propertyCommand.optional(),
    })
    .default({}),
})

/** Id of a profile: models name it, and its file is called by it. */
export const profileId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,59}$/)

export const deviceProfile = z
  .object({
    v: z.literal(1),
    id: profileId,
    name: z.object({ zh: storedName, en: storedName }),
    kind: deviceKind,
    /** Time between two polls, s. */
    pollPeriodS: z.number().int().min(5).max(86_400),
    checks: z.array(qualityCheck).max(qualityCheck.options.length).default(['range']),
    bus: z.discriminatedUnion('driver', [
      cjt188Driver,
      mbusDriver,
      modbusDriver,
      lorawanDriver,
      propertiesDriver,
    ]),
  })
  .superRefine(({ bus }, context) => {
    if (bus.driver !== 'lorawan') return
    for (const [index, { head, at, type, only }] of bus.readings.entries()) {
      const bytes = bus.items.find((each) => each.head === head)?.bytes ?? 0
      const refuse = (field: 'head' | 'only'): void =>
        context.addIssue({
          code: 'custom',
          path: ['bus', 'readings', index, field],
          message: 'no item has these bytes',
        })
      if (at + payloadNumberBytes[type] > bytes) refuse('head')
      else if (only !== undefined && only.at >= bytes) refuse('only')
    }
  })
  .superRefine(({ bus }, context) => {
    if (bus.driver !== 'lorawan') return
    const { opening, timedOpening } = bus.commands
    if (timedOpening === undefined) return
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: ['bus', 'commands', field], message })
    if (opening === undefined) refuse('opening', 'timedOpening needs it, to close the valve earlier')
    if (timedOpening.unit !== 's' || timedOpening.scale <= 0)
      refuse('timedOpening', 'its unit must be s and its scale above 0')
  })
  .superRefine(({ bus }, context) => {
    if (bus.driver !== 'modbus') return
    for (const [index, reading] of bus.readings.entries()) {
      const registers = { u16: 1, i16: 1, u32: 2, i32: 2, f32: 2, u64: 4, i64: 4, f64: 4 }[reading.type]
      const isRead = bus.blocks.some(
        ({ fc, start, count }) =>
          fc === reading.fc && reading.address >= start && reading.address + registers <= start + count,
      )
      if (!isRead) {
        context.addIssue({
          code: 'custom',
          path: ['bus', 'readings', index, 'address'],
          message: 'no block reads these registers',
        })
      }
    }
  })
export type DeviceProfile = z.infer<typeof deviceProfile>

/** A profile that people enter: its names follow the rule of given names. */
export const deviceProfileInput = deviceProfile.safeExtend({
  name: z.object({ zh: givenName, en: givenName }),
})
