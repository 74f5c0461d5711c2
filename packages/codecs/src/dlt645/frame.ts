import { readBcd } from '../bytes/bcd.ts'
import { toSum } from '../bytes/checksums.ts'
import type { Field, FieldValue } from '../bytes/field-value.ts'
import { toHex, toHexReversed } from '../bytes/hex.ts'
import { findDltField } from './identifiers.ts'

const START = 0x68
const END = 0x16
/** Offsets from the start byte, and size without data (DL/T 645-2007, 5.2). */
const SECOND_START = 7
const CONTROL = 8
const LENGTH = 9
const DATA = 10
const WITHOUT_DATA = 12
/** Added to every data byte on the line. */
const OFFSET = 0x33

/**
 * Functions by the lower five bits of the control byte, of both standards (2007: 7.1; 1997: 6). 1 and 2 read in 1997, 17 and
 * 18 in 2007: the data, and the data that follows.
 */
const functions: Readonly<Record<number, DltFunction>> = {
  1: 'readData',
  2: 'readData',
  4: 'writeData',
  8: 'synchronise',
  10: 'writeAddress',
  17: 'readData',
  18: 'readData',
  19: 'readAddress',
  20: 'writeData',
  21: 'writeAddress',
}
/** `synchronise`: the broadcast of the time. */
export type DltFunction = 'readData' | 'readAddress' | 'writeData' | 'writeAddress' | 'synchronise' | 'other'

export interface DltFrame {
  readonly kind: 'frame'
  readonly start: number
  readonly length: number
  /** 12 hexadecimal digits, highest first; `AAAAAAAAAAAA` addresses every meter, `999999999999` is a broadcast. */
  readonly address: string
  readonly control: number
  readonly function: DltFunction
  readonly isReply: boolean
  readonly isRefusal: boolean
  readonly hasMore: boolean
  /** Year of the standard, by the function in the control byte: 11 reads in 2007, 01 in 1997. */
  readonly standard: '2007' | '1997'
  /** Data with the offset of 33 removed. */
  readonly data: Uint8Array
}

export type DltFailure =
  | { readonly kind: 'none' }
  | { readonly kind: 'incomplete'; readonly start: number; readonly missing: number }
  | { readonly kind: 'bad-end'; readonly start: number }
  | { readonly kind: 'bad-sum'; readonly start: number; readonly expected: number; readonly found: number }

/** Size of the frame at `start`, 0 if there is none, or minus the number of missing bytes. */
export function checkDlt(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== START) return 0
  if (start + SECOND_START < end && bytes[start + SECOND_START] !== START) return 0
  if (start + LENGTH >= end) return -(start + WITHOUT_DATA - end)
  const size = WITHOUT_DATA + (bytes[start + LENGTH] ?? 0)
  if (start + size > end) return -(start + size - end)
  if (bytes[start + size - 1] !== END) return 0
  return toSum(bytes, start, start + size - 2) === bytes[start + size - 2] ? size : 0
}

/** Functions of 1997: 01 read, 02 following data. Those of 2007 start at 08. */
const isOldFunction = (control: number): boolean => (control & 0x1f) <= 0x06 && (control & 0x1f) !== 0x03

/** Reads the frame of `length` bytes at `start` that {@link checkDlt} found. */
export function readDlt(bytes: Uint8Array, start: number, length: number): DltFrame {
  const control = bytes[start + CONTROL] ?? 0
  return {
    kind: 'frame',
    start,
    length,
    address: toHexReversed(bytes, start + 1, start + SECOND_START),
    control,
    function: functions[control & 0x1f] ?? 'other',
    isReply: (control & 0x80) !== 0,
    isRefusal: (control & 0x40) !== 0,
    hasMore: (control & 0x20) !== 0,
    standard: isOldFunction(control) ? '1997' : '2007',
    data: bytes.slice(start + DATA, start + length - 2).map((byte) => byte - OFFSET),
  }
}

/** Why there is no frame at a start byte. */
function explain(bytes: Uint8Array, start: number): DltFailure {
  const end = start + WITHOUT_DATA + (bytes[start + LENGTH] ?? 0)
  if (end > bytes.length) return { kind: 'incomplete', start, missing: end - bytes.length }
  if (bytes[end - 1] !== END) return { kind: 'bad-end', start }
  return { kind: 'bad-sum', start, expected: toSum(bytes, start, end - 2), found: bytes[end - 2] ?? 0 }
}

/** The first frame among bytes; noise before it is skipped byte by byte. */
export function findDlt(bytes: Uint8Array): DltFrame | DltFailure {
  let failure: DltFailure = { kind: 'none' }
  for (let start = bytes.indexOf(START); start !== -1; start = bytes.indexOf(START, start + 1)) {
    const size = checkDlt(bytes, start, bytes.length)
    if (size > 0) return readDlt(bytes, start, size)
    if (bytes[start + SECOND_START] === START && failure.kind !== 'bad-sum') failure = explain(bytes, start)
  }
  return failure
}

export type DltData =
  | { readonly kind: 'request' | 'values'; readonly identifier: string; readonly fields: readonly Field[] }
  | { readonly kind: 'unknown'; readonly identifier: string; readonly hex: string }
  /** A function that does not read data; its bytes are not interpreted. */
  | { readonly kind: 'other'; readonly hex: string }
  /** Error byte of a refusal; its bits are of the standard's table of errors. */
  | { readonly kind: 'refusal'; readonly code: number }
  | { readonly kind: 'bad'; readonly reason: 'too-short' }

/** A signed decimal: the highest bit of the highest byte is the sign (DL/T 645-2007, annex A: current, power, power factor). */
function readSigned(bytes: Uint8Array, length: number, exponent: number): FieldValue {
  const top = bytes[length - 1] ?? 0
  if ((top & 0x80) === 0 || bytes.subarray(0, length).every((byte) => byte === 0xff)) {
    return readBcd(bytes, 0, length, exponent)
  }
  const plain = bytes.slice(0, length)
  plain[length - 1] = top & 0x7f
  const value = readBcd(plain, 0, length, exponent)
  return value.kind === 'number' ? { kind: 'number', text: `-${value.text}`, number: -value.number } : value
}

/** Reads a frame's data. Only reading is understood; other functions are shown as bytes. */
export function decodeDlt({ data, standard, function: action, isReply, isRefusal }: DltFrame): DltData {
  if (isReply && isRefusal) return { kind: 'refusal', code: data[0] ?? 0 }
  if (action !== 'readData') return { kind: 'other', hex: toHex(data) }
  const bytes = standard === '2007' ? 4 : 2
  if (data.length < bytes) return { kind: 'bad', reason: 'too-short' }
  const identifier = toHexReversed(data, 0, bytes)
  const payload = data.subarray(bytes)
  if (!isReply) return { kind: 'request', identifier, fields: [] }
  const field = findDltField(identifier)
  if (field === undefined || payload.length < field.bytes) {
    return { kind: 'unknown', identifier, hex: toHex(payload) }
  }
  const count = field.isBlock ? Math.floor(payload.length / field.bytes) : 1
  const fields = Array.from({ length: count }, (_, index): Field => {
    const part = payload.subarray(index * field.bytes, (index + 1) * field.bytes)
    return {
      name: count === 1 ? field.name : `${field.name}-${index + 1}`,
      value: field.isSigned
        ? readSigned(part, field.bytes, -field.decimals)
        : readBcd(part, 0, field.bytes, -field.decimals),
      unit: field.unit,
    }
  })
  return { kind: 'values', identifier, fields }
}

/** Request for the data of an identifier of eight digits (2007) or four (1997). Undefined for other texts. */
export function encodeDltRead(address: string, identifier: string): Uint8Array | undefined {
  if (!/^[0-9A-Fa-f]{12}$/.test(address) || !/^(?:[0-9A-Fa-f]{4}){1,2}$/.test(identifier)) return undefined
  const reverse = (digits: string): number[] =>
    (digits.match(/../g) ?? []).reverse().map((pair) => Number.parseInt(pair, 16))
  const data = reverse(identifier).map((byte) => (byte + OFFSET) & 0xff)
  const control = identifier.length === 8 ? 0x11 : 0x01
  const head = [START, ...reverse(address), START, control, data.length, ...data]
  return Uint8Array.of(...head, toSum(head), END)
}
