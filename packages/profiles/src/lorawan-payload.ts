import { parseHex, toHex } from '@isotherm/codecs/bytes/hex'
import {
  type DeviceProfile,
  type PayloadCommand,
  type PayloadNumber,
  payloadNumberBytes,
} from '@isotherm/contract/device-profile'
import type { MetricName } from '@isotherm/contract/metrics'
import { scaleNumber } from './convert-units.ts'

type LorawanBus = Extract<DeviceProfile['bus'], { driver: 'lorawan' }>

/** A reading of the profile; `number` is in `unit`, undefined if the payload does not have it. */
export interface PayloadReading {
  readonly metric: MetricName
  readonly number: number | undefined
  readonly unit: string
}

/** The bytes behind each head that a payload has; the first ones, if a head is repeated. */
function splitPayload({ layout, items }: LorawanBus, bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>()
  // The longest head first: one may be the start of another.
  const byLength = items.toSorted((a, b) => b.head.length - a.head.length)
  for (let at = 0; at < bytes.length; ) {
    const item = byLength.find(
      ({ head }) => toHex(bytes, at, Math.min(at + head.length / 2, bytes.length)) === head,
    )
    if (item === undefined) break
    const start = at + item.head.length / 2
    const end = start + item.bytes
    if (end > bytes.length || (layout === 'fixed' && end < bytes.length)) break
    if (!found.has(item.head)) found.set(item.head, bytes.subarray(start, end))
    if (layout === 'fixed' || end === at) break
    at = end
  }
  return found
}

function readNumber(bytes: Uint8Array, at: number, { type, order }: PayloadNumber): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isLittle = order === 'little'
  switch (type) {
    case 'u8':
      return view.getUint8(at)
    case 'i8':
      return view.getInt8(at)
    case 'u16':
      return view.getUint16(at, isLittle)
    case 'i16':
      return view.getInt16(at, isLittle)
    case 'u32':
      return view.getUint32(at, isLittle)
    case 'i32':
      return view.getInt32(at, isLittle)
  }
}

/** Whether the byte that a reading depends on has one of the values with which the reading is there. */
const isThere = (part: Uint8Array, only: LorawanBus['readings'][number]['only']): boolean =>
  only === undefined || only.values.includes((part[only.at] ?? 0) & only.mask)

/** The readings of an uplink's payload. */
export function readPayload(bus: LorawanBus, bytes: Uint8Array): readonly PayloadReading[] {
  const parts = splitPayload(bus, bytes)
  return bus.readings.map(({ metric, head, at, mask, only, ...number }) => {
    const part = parts.get(head)
    if (part === undefined || !isThere(part, only)) return { metric, number: undefined, unit: number.unit }
    const whole = readNumber(part, at, number)
    // >>> 0: the mask of 32 bits gives no negative number.
    const raw = mask === undefined ? whole : (whole & mask) >>> 0
    return { metric, number: scaleNumber(raw, number.scale) + number.offset, unit: number.unit }
  })
}

const limits = {
  u8: [0, 0xff],
  i8: [-0x80, 0x7f],
  u16: [0, 0xffff],
  i16: [-0x8000, 0x7fff],
  u32: [0, 0xffff_ffff],
  i32: [-0x8000_0000, 0x7fff_ffff],
} as const

/** The payload of a downlink that sets a value in the command's unit; undefined if the number cannot hold it. */
export const writePayload = (command: PayloadCommand, value: number): Uint8Array | undefined =>
  writeRaw(command, value, Math.round((value - command.offset) / command.scale))

/**
 * The payload of a downlink that opens a valve for a time, s, or for less if the number has coarser steps. Undefined if the number
 * cannot hold it, or would be 0 or negative: devices take 0 for no limit.
 */
export function writeDuration(command: PayloadCommand, seconds: number): Uint8Array | undefined {
  // Twelve digits: 0.1 has no exact form, and a whole number of steps must not lose one.
  const raw = Math.floor(Number(((seconds - command.offset) / command.scale).toPrecision(12)))
  return raw > 0 ? writeRaw(command, seconds, raw) : undefined
}

function writeRaw(
  { type, order, prefix, suffix, values }: PayloadCommand,
  value: number,
  raw: number,
): Uint8Array | undefined {
  if (values !== undefined && !values.includes(value)) return undefined
  const [min, max] = limits[type]
  if (!Number.isFinite(raw) || raw < min || raw > max) return undefined
  const number = new Uint8Array(payloadNumberBytes[type])
  const unsigned = raw < 0 ? raw + 2 ** (8 * number.length) : raw
  for (let index = 0; index < number.length; index++) {
    const shift = order === 'little' ? index : number.length - 1 - index
    number[index] = Math.floor(unsigned / 2 ** (8 * shift)) & 0xff
  }
  return parseHex(`${prefix}${toHex(number)}${suffix}`)
}
