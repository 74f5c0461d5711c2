import { toHex, toHexReversed } from '../bytes/hex.ts'

/** Identity in the long header of a reply. */
export interface MbusIdentity {
  /** Eight hexadecimal digits; most are decimal. */
  readonly id: string
  /** Three letters. */
  readonly manufacturer: string
  readonly version: number
  /** Device type byte and its name; `reserved` if the standard does not define it. */
  readonly medium: number
  readonly mediumName: string
}

/** Access number, status and configuration: the short header, and the end of the long one. */
export interface MbusState {
  readonly accessNumber: number
  readonly status: number
  /** What the status says (EN 13757-3, 5.10): the lower two bits as one word, then one word per set bit. */
  readonly statusNames: readonly string[]
  /** Two bytes, high byte first; the signature of older meters. */
  readonly configuration: number
}

/** Device types of EN 13757-3, table 6. */
const media: Readonly<Record<number, string>> = {
  0: 'other',
  1: 'oil',
  2: 'electricity',
  3: 'gas',
  4: 'heat-outlet',
  5: 'steam',
  6: 'warm-water',
  7: 'water',
  8: 'heat-cost-allocator',
  9: 'compressed-air',
  10: 'cooling-outlet',
  11: 'cooling-inlet',
  12: 'heat-inlet',
  13: 'heat-cooling',
  14: 'bus-system',
  15: 'unknown-medium',
  16: 'irrigation-water',
  17: 'water-logger',
  18: 'gas-logger',
  19: 'gas-converter',
  20: 'calorific-value',
  21: 'hot-water',
  22: 'cold-water',
  23: 'dual-water',
  24: 'pressure',
  25: 'ad-converter',
  26: 'smoke-detector',
  27: 'room-sensor',
  28: 'gas-detector',
  32: 'breaker',
  33: 'valve',
  37: 'customer-unit',
  40: 'waste-water',
  41: 'waste',
  48: 'service-tool',
  49: 'gateway',
  50: 'unidirectional-repeater',
  51: 'bidirectional-repeater',
  54: 'radio-unit-system',
  55: 'radio-unit-meter',
  56: 'bus-unit-meter',
  255: 'wildcard',
}

export const toMediumName = (medium: number): string => media[medium] ?? 'reserved'

const applicationStates = ['no-error', 'application-busy', 'application-error', 'alarm']
const statusBits: readonly (readonly [bit: number, name: string])[] = [
  [0x04, 'power-low'],
  [0x08, 'permanent-error'],
  [0x10, 'temporary-error'],
  [0x20, 'manufacturer-20'],
  [0x40, 'manufacturer-40'],
  [0x80, 'manufacturer-80'],
]

/** By status byte: every telegram has one, so no list is made for each. */
const statusNames: readonly (readonly string[])[] = Array.from({ length: 256 }, (_, status) => [
  ...((status & 3) === 0 ? [] : [applicationStates[status & 3] ?? 'no-error']),
  ...statusBits.filter(([bit]) => (status & bit) !== 0).map(([, name]) => name),
])

export const toStatusNames = (status: number): readonly string[] => statusNames[status] ?? []

/** The three letters of a manufacturer: five bits each, A is 1 (EN 13757-3, 5.6). The highest bit has another meaning. */
export const toManufacturer = (code: number): string =>
  String.fromCharCode(((code >> 10) & 0x1f) + 64, ((code >> 5) & 0x1f) + 64, (code & 0x1f) + 64)

/** The code of three letters; undefined for other texts. */
export function toManufacturerCode(letters: string): number | undefined {
  if (!/^[A-Z]{3}$/.test(letters)) return undefined
  const [first = 0, second = 0, third = 0] = [...letters].map((letter) => letter.charCodeAt(0) - 64)
  return (first << 10) | (second << 5) | third
}

/** Number of bytes of the two headers. */
export const LONG_HEADER = 12
export const SHORT_HEADER = 4

const read16 = (bytes: Uint8Array, at: number, highFirst: boolean): number => {
  const [first, second] = [bytes[at] ?? 0, bytes[at + 1] ?? 0]
  return highFirst ? (first << 8) | second : (second << 8) | first
}

/** Identity in the first eight bytes. `highFirst`: mode 2, in which numbers have their high byte first. */
export function readIdentity(bytes: Uint8Array, highFirst: boolean): MbusIdentity {
  const medium = bytes[7] ?? 0
  return {
    id: highFirst ? toHex(bytes, 0, 4) : toHexReversed(bytes, 0, 4),
    manufacturer: toManufacturer(read16(bytes, 4, highFirst)),
    version: bytes[6] ?? 0,
    medium,
    mediumName: toMediumName(medium),
  }
}

export function readState(bytes: Uint8Array, at: number, highFirst: boolean): MbusState {
  const status = bytes[at + 1] ?? 0
  return {
    accessNumber: bytes[at] ?? 0,
    status,
    statusNames: toStatusNames(status),
    configuration: read16(bytes, at + 2, highFirst),
  }
}
