import { bad } from '../bytes/bcd.ts'
import { toDecimalText } from '../bytes/decimal.ts'
import type { FieldValue } from '../bytes/field-value.ts'
import { toHex, toHexReversed } from '../bytes/hex.ts'

/** One of the two counters of the fixed structure. */
export interface FixedCounter {
  /** Of a past instant, such as the settlement day. */
  readonly isStored: boolean
  readonly quantity: string
  readonly unit?: string
  readonly value: FieldValue
}

/** The fixed data structure of old meters (EN 1434-3; M-Bus Usergroup 4.8, 6.2): identity, status and two counters. */
export interface FixedData {
  readonly id: string
  readonly accessNumber: number
  readonly status: number
  readonly mediumName: string
  readonly counters: readonly FixedCounter[]
}

export const FIXED_BYTES = 16

const media = [
  'other',
  'oil',
  'electricity',
  'gas',
  'heat',
  'steam',
  'hot-water',
  'water',
  'heat-cost-allocator',
  'reserved',
  'gas',
  'heat',
  'hot-water',
  'water',
  'heat-cost-allocator',
  'reserved',
]

/** Bases of the units, each followed by its ×10 and ×100. */
const bases: readonly (readonly [code: number, quantity: string, unit: string])[] = [
  [0x02, 'energy', 'Wh'],
  [0x05, 'energy', 'kWh'],
  [0x08, 'energy', 'MWh'],
  [0x0b, 'energy', 'kJ'],
  [0x0e, 'energy', 'MJ'],
  [0x11, 'energy', 'GJ'],
  [0x14, 'power', 'W'],
  [0x17, 'power', 'kW'],
  [0x1a, 'power', 'MW'],
  [0x1d, 'power', 'kJ/h'],
  [0x20, 'power', 'MJ/h'],
  [0x23, 'power', 'GJ/h'],
  [0x26, 'volume', 'mL'],
  [0x29, 'volume', 'L'],
  [0x2c, 'volume', 'm³'],
  [0x2f, 'flow', 'mL/h'],
  [0x32, 'flow', 'L/h'],
  [0x35, 'flow', 'm³/h'],
]
const SAME_BUT_STORED = 0x3e

function findUnit(code: number): { quantity: string; unit?: string; exponent: number } {
  for (const [from, quantity, unit] of bases) {
    if (code >= from && code < from + 3) return { quantity, unit, exponent: code - from }
  }
  if (code === 0x00) return { quantity: 'time-of-day', exponent: 0 }
  if (code === 0x01) return { quantity: 'date', exponent: 0 }
  if (code === 0x38) return { quantity: 'temperature', unit: '°C', exponent: -3 }
  if (code === 0x39) return { quantity: 'heat-cost-units', exponent: 0 }
  return { quantity: code === 0x3f ? 'dimensionless' : 'reserved', exponent: 0 }
}

/** Bits of the status. */
const BINARY = 0x80
const STORED = 0x40

function readCounter(
  bytes: Uint8Array,
  at: number,
  exponent: number,
  isBinary: boolean,
  highFirst: boolean,
): FieldValue {
  const digits = highFirst ? toHex(bytes, at, at + 4) : toHexReversed(bytes, at, at + 4)
  if (!isBinary && !/^\d+$/.test(digits)) return bad(bytes, at, 4)
  const text = toDecimalText(isBinary ? Number.parseInt(digits, 16) | 0 : Number(digits), exponent)
  return { kind: 'number', text, number: Number(text) }
}

/** Reads the fixed structure; undefined for another length. `highFirst`: mode 2. */
export function readFixedData(bytes: Uint8Array, highFirst: boolean): FixedData | undefined {
  if (bytes.length !== FIXED_BYTES) return undefined
  const status = bytes[5] ?? 0
  // The two medium and unit bytes keep their order; their highest two bits together are the medium.
  const [first = 0, second = 0] = [bytes[6], bytes[7]]
  const medium = ((first & 0xc0) >> 6) | ((second & 0xc0) >> 4)
  const isBinary = (status & BINARY) !== 0
  const codes = [first & 0x3f, second & 0x3f]
  const counters = codes.map((code, index): FixedCounter => {
    const isSame = code === SAME_BUT_STORED
    const { exponent, ...unit } = findUnit(isSame ? (codes[0] ?? 0) : code)
    return {
      isStored: isSame || (status & STORED) !== 0,
      ...unit,
      value: readCounter(bytes, 8 + 4 * index, exponent, isBinary, highFirst),
    }
  })
  return {
    id: highFirst ? toHex(bytes, 0, 4) : toHexReversed(bytes, 0, 4),
    accessNumber: bytes[4] ?? 0,
    status,
    mediumName: media[medium] ?? 'reserved',
    counters,
  }
}
