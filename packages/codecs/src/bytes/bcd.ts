import { absent, type FieldValue, isDay, toExactValue } from './field-value.ts'
import { toHex, toHexReversed } from './hex.ts'

/** Two decimal digits of each byte; -1 where a digit is above 9. */
const PAIRS = Int8Array.from({ length: 256 }, (_, byte) => {
  const [high, low] = [byte >> 4, byte & 15]
  return high > 9 || low > 9 ? -1 : 10 * high + low
})
/** Bytes of a number that a float holds exactly. */
const EXACT_BYTES = 7

/**
 * A binary-coded decimal of the Chinese meters, lowest pair of digits first, with `exponent` as its power of ten. FF in all
 * bytes is absent. Digits above 9 are bad. At most seven bytes.
 */
export function readBcd(bytes: Uint8Array, start: number, length: number, exponent: number): FieldValue {
  let whole = 0
  for (let at = start + length - 1; at >= start; at--) {
    const pair = PAIRS[bytes[at] ?? 0] ?? -1
    if (pair < 0 || length > EXACT_BYTES) {
      return isAll(bytes, start, length, 0xff) ? absent : bad(bytes, start, length)
    }
    whole = 100 * whole + pair
  }
  return toExactValue(whole, exponent)
}

export function isAll(bytes: Uint8Array, start: number, length: number, value: number): boolean {
  for (let at = start; at < start + length; at++) if (bytes[at] !== value) return false
  return true
}

export const bad = (bytes: Uint8Array, start: number, length: number): FieldValue => ({
  kind: 'bad',
  hex: toHex(bytes, start, start + length),
})

/** A clock in seven bytes of decimals: second, minute, hour, day, month, year, century (CJ/T 188, 901F). */
export function readClock(bytes: Uint8Array, start: number): FieldValue {
  if (isAll(bytes, start, 7, 0xff)) return absent
  const digits = toHexReversed(bytes, start, start + 7)
  if (!/^\d+$/.test(digits)) return bad(bytes, start, 7)
  const part = (at: number, length = 2): string => digits.slice(at, at + length)
  const [year, month, day, hour, minute, second] = [part(0, 4), part(4), part(6), part(8), part(10), part(12)]
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  return {
    kind: 'time',
    text: `${year}-${month}-${day}T${hour}:${minute}:${second}`,
    isValid: isTime && isDay(Number(year), Number(month), Number(day)),
  }
}

/**
 * A number as binary-coded decimals, lowest pair first. A number too large for the bytes rolls over as a register does;
 * a negative one becomes 0.
 */
export function toBcd(value: number, decimals: number, length: number): number[] {
  const whole = Math.max(0, Math.round(value * 10 ** decimals)) % 10 ** (2 * length)
  return fromPairs(String(whole).padStart(2 * length, '0'))
}

/** Pairs of hexadecimal digits as bytes, the last pair first. */
export const fromPairs = (digits: string): number[] =>
  Array.from({ length: digits.length / 2 }, (_, pair) =>
    Number.parseInt(digits.slice(2 * pair, 2 * pair + 2), 16),
  ).reverse()
