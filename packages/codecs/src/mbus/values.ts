import { bad, isAll } from '../bytes/bcd.ts'
import { addPowerOfTen, fromDigits, shiftPoint, toDecimalText, toFloat32Text } from '../bytes/decimal.ts'
import { absent, type FieldValue, toExactValue, toNumberValue } from '../bytes/field-value.ts'
import { toHex, toHexReversed } from '../bytes/hex.ts'
import { readTime } from './times.ts'
import type { ValueForm } from './value-information.ts'

/** How a value is stored, by the lower four bits of the DIF (EN 13757-3, table 4) or by the length byte of a variable one. */
export type Coding = 'none' | 'integer' | 'float' | 'bcd' | 'negative-bcd' | 'unsigned' | 'text'

/** A stored value: where, how, and what its value information says about it. */
export interface StoredValue {
  readonly coding: Coding
  readonly at: number
  readonly length: number
  readonly form: ValueForm
  readonly exponent: number
  readonly additive: readonly number[]
}

const DECIMAL = /^\d+$/

function toFinal(text: string, additive: readonly number[]): FieldValue {
  let sum = text
  for (const exponent of additive) sum = addPowerOfTen(sum, exponent)
  return toNumberValue(sum)
}

/**
 * Binary-coded decimals (type A). F in the highest digit is a minus sign; F in all digits is "no value"; other digits above 9 are
 * codes of a display without a value.
 */
function readBcd(
  bytes: Uint8Array,
  { at, length, exponent, additive, form, coding }: StoredValue,
  highFirst: boolean,
): FieldValue {
  const digits = highFirst ? toHex(bytes, at, at + length) : toHexReversed(bytes, at, at + length)
  if (DECIMAL.test(digits)) {
    if (form === 'identity') return { kind: 'text', text: digits }
    return toFinal(fromDigits(digits, coding === 'negative-bcd', exponent), additive)
  }
  if (length > 0 && isAll(bytes, at, length, 0xff)) return absent
  if (form === 'identity') return { kind: 'text', text: digits }
  const rest = digits.slice(1)
  return digits.startsWith('F') && DECIMAL.test(rest)
    ? toFinal(fromDigits(rest, true, exponent), additive)
    : bad(bytes, at, length)
}

/** A binary number of at most six bytes. */
function readSmall(
  bytes: Uint8Array,
  at: number,
  length: number,
  highFirst: boolean,
  signed: boolean,
): number {
  let value = 0
  for (let step = 0; step < length; step++) {
    value = value * 256 + (bytes[highFirst ? at + step : at + length - 1 - step] ?? 0)
  }
  if (!signed) return value
  const half = 256 ** length / 2
  return value >= half ? value - 2 * half : value
}

const readLarge = (
  bytes: Uint8Array,
  at: number,
  length: number,
  highFirst: boolean,
  signed: boolean,
): bigint => {
  const digits = highFirst ? toHex(bytes, at, at + length) : toHexReversed(bytes, at, at + length)
  const value = BigInt(`0x${digits}`)
  return signed ? BigInt.asIntN(8 * length, value) : value
}

function readInteger(
  bytes: Uint8Array,
  stored: StoredValue,
  highFirst: boolean,
  signed: boolean,
): FieldValue {
  const { at, length, exponent, additive } = stored
  if (length === 0) return absent
  if (length <= 6 && additive.length === 0) {
    return toExactValue(readSmall(bytes, at, length, highFirst, signed), exponent)
  }
  const text = toDecimalText(readLarge(bytes, at, length, highFirst, signed), exponent)
  return additive.length === 0 ? { kind: 'number', text, number: Number(text) } : toFinal(text, additive)
}

const view = new DataView(new ArrayBuffer(4))

function readFloat(
  bytes: Uint8Array,
  { at, exponent, additive }: StoredValue,
  highFirst: boolean,
): FieldValue {
  for (let step = 0; step < 4; step++) view.setUint8(highFirst ? step : 3 - step, bytes[at + step] ?? 0)
  const value = view.getFloat32(0)
  if (!Number.isFinite(value)) return Number.isNaN(value) ? absent : bad(bytes, at, 4)
  return toFinal(shiftPoint(toFloat32Text(value), exponent), additive)
}

/** A value in the order of a sender that puts the lowest byte first. */
function toLowFirst(bytes: Uint8Array, at: number, length: number, highFirst: boolean): number[] {
  const part = [...bytes.subarray(at, at + length)]
  return highFirst ? part.reverse() : part
}

const isControl = (byte: number): boolean => byte < 0x20 || byte === 0x7f
const LAYOUT = [0x09, 0x0a, 0x0d]

/**
 * Text of ISO 8859-1, last letter first; in mode 2 first letter first. Zeros that fill it up are no letters. Makers pack histories and
 * containers of their own into a text: control characters tell them, and they stay bytes.
 */
function readText(bytes: Uint8Array, at: number, length: number, highFirst: boolean): FieldValue {
  const letters = toLowFirst(bytes, at, length, highFirst).reverse()
  const from = letters.findIndex((byte) => byte !== 0)
  const text = from === -1 ? [] : letters.slice(from, letters.findLastIndex((byte) => byte !== 0) + 1)
  return text.some((byte) => isControl(byte) && !LAYOUT.includes(byte))
    ? { kind: 'bytes', hex: toHex(bytes, at, at + length) }
    : { kind: 'text', text: String.fromCharCode(...text) }
}

/** Reads a stored value. `highFirst`: mode 2. */
export function readValue(bytes: Uint8Array, stored: StoredValue, highFirst: boolean): FieldValue {
  const { coding, form, at, length } = stored
  if (coding === 'none') return absent
  if (coding === 'text') return readText(bytes, at, length, highFirst)
  if (form === 'time' && (coding === 'integer' || coding === 'unsigned')) {
    return (
      readTime(toLowFirst(bytes, at, length, highFirst)) ?? {
        kind: 'bytes',
        hex: toHex(bytes, at, at + length),
      }
    )
  }
  switch (coding) {
    case 'float':
      return readFloat(bytes, stored, highFirst)
    case 'bcd':
    case 'negative-bcd':
      return readBcd(bytes, stored, highFirst)
    default:
      return readInteger(bytes, stored, highFirst, coding === 'integer' && form === 'number')
  }
}
