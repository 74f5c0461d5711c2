import { toSum } from '../bytes/checksums.ts'
import { toHexReversed } from '../bytes/hex.ts'

export const START = 0x68
export const END = 0x16
const WAKE_UP = 0xfe
/** Offsets from the start byte, and size of a frame without its data, bytes (CJ/T 188-2004, 6.2). */
const ADDRESS = 2
const CONTROL = 9
const LENGTH = 10
const DATA = 11
const WITHOUT_DATA = 13

/** Bits of the control byte. */
export const controlBits = { reply: 0x80, refusal: 0x40, more: 0x20, function: 0x1f } as const

/** Function codes, the lower five bits of the control byte. */
export const cjtFunctions = {
  readData: 0x01,
  readAddress: 0x03,
  writeData: 0x04,
  readKeyVersion: 0x09,
  writeAddress: 0x15,
  synchronise: 0x16,
} as const
export type CjtFunction = keyof typeof cjtFunctions | 'other'

const functionNames = new Map<number, CjtFunction>(
  Object.entries(cjtFunctions).map(([name, code]) => [code, name as keyof typeof cjtFunctions]),
)

export type CjtMeterKind = 'water' | 'heat' | 'gas' | 'other'

/** Type byte for a meter of any type, in requests of readers that do not know it and in the answers of some meters. */
const ANY_TYPE = 0xaa
const isType = (byte: number): boolean => (byte >= 0x10 && byte <= 0x4f) || byte === ANY_TYPE

/** Kind of meter by its type byte. Types 25 and 27 are in the field beside 20 to 22, so all of 20 to 29 are heat. */
export const toMeterKind = (type: number): CjtMeterKind =>
  type >= 0x10 && type <= 0x19
    ? 'water'
    : type >= 0x20 && type <= 0x29
      ? 'heat'
      : type >= 0x30 && type <= 0x39
        ? 'gas'
        : 'other'

export interface CjtFrame {
  readonly kind: 'frame'
  /** Offset of the start byte, and number of bytes from it to the end byte. */
  readonly start: number
  readonly length: number
  /** Wake-up bytes FE before the frame. */
  readonly preamble: number
  readonly type: number
  readonly meterKind: CjtMeterKind
  /** 14 hexadecimal digits, highest first. Most are decimal; `AAAAAAAAAAAAAA` addresses every meter. */
  readonly address: string
  readonly control: number
  readonly function: CjtFunction
  /** From the meter. */
  readonly isReply: boolean
  /** The meter refused the request or reports an error. */
  readonly isRefusal: boolean
  /** More frames of the same answer follow. */
  readonly hasMore: boolean
  readonly data: Uint8Array
}

/** Why bytes are no frame. `start`: offset of the start byte that was tried. */
export type CjtFailure =
  | { readonly kind: 'none' }
  | { readonly kind: 'incomplete'; readonly start: number; readonly missing: number }
  | { readonly kind: 'bad-end'; readonly start: number }
  | { readonly kind: 'bad-sum'; readonly start: number; readonly expected: number; readonly found: number }

/**
 * Result of {@link checkCjt}: size of the frame at an offset, 0 if there is none, or minus the number of bytes that are missing
 * before it can be decided. Numbers, so that a stream parser can ask at each byte without allocating.
 */
export function checkCjt(bytes: Uint8Array, start: number, end: number): number {
  // Bytes from `end` on are not of the line yet: a buffer may have old ones there.
  if (bytes[start] !== START || (start + 1 < end && !isType(bytes[start + 1] ?? 0))) return 0
  if (start + LENGTH >= end) return -(start + LENGTH + 1 - end)
  const size = WITHOUT_DATA + (bytes[start + LENGTH] ?? 0)
  if (start + size > end) return -(start + size - end)
  if (bytes[start + size - 1] !== END) return 0
  return toSum(bytes, start, start + size - 2) === bytes[start + size - 2] ? size : 0
}

/** Reads the frame of `length` bytes at `start` that {@link checkCjt} found. */
export function readCjt(bytes: Uint8Array, start: number, length: number): CjtFrame {
  const type = bytes[start + 1] ?? 0
  const control = bytes[start + CONTROL] ?? 0
  let preamble = 0
  while (bytes[start - 1 - preamble] === WAKE_UP) preamble++
  return {
    kind: 'frame',
    start,
    length,
    preamble,
    type,
    meterKind: toMeterKind(type),
    address: toHexReversed(bytes, start + ADDRESS, start + CONTROL),
    control,
    function: functionNames.get(control & controlBits.function) ?? 'other',
    isReply: (control & controlBits.reply) !== 0,
    isRefusal: (control & controlBits.refusal) !== 0,
    hasMore: (control & controlBits.more) !== 0,
    data: bytes.subarray(start + DATA, start + length - 2),
  }
}

/** Why there is no frame at a start byte. */
function explain(bytes: Uint8Array, start: number): CjtFailure {
  const size = WITHOUT_DATA + (bytes[start + LENGTH] ?? 0)
  const missing = start + size - bytes.length
  if (missing > 0) return { kind: 'incomplete', start, missing }
  if (bytes[start + size - 1] !== END) return { kind: 'bad-end', start }
  const expected = toSum(bytes, start, start + size - 2)
  return { kind: 'bad-sum', start, expected, found: bytes[start + size - 2] ?? 0 }
}

/**
 * The first frame among bytes. Wake-up bytes, noise and damaged frames before it are skipped byte by byte. Without a frame, the
 * failure of the start byte that came closest.
 */
export function findCjt(bytes: Uint8Array): CjtFrame | CjtFailure {
  let best: CjtFailure = { kind: 'none' }
  const rank = { none: 0, incomplete: 1, 'bad-end': 2, 'bad-sum': 3 } as const
  for (let start = bytes.indexOf(START); start !== -1; start = bytes.indexOf(START, start + 1)) {
    const size = checkCjt(bytes, start, bytes.length)
    if (size > 0) return readCjt(bytes, start, size)
    if (!isType(bytes[start + 1] ?? 0)) continue
    const failure = explain(bytes, start)
    if (rank[failure.kind] > rank[best.kind]) best = failure
  }
  return best
}
