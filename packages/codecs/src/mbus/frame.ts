import { toSum } from '../bytes/checksums.ts'

/** Bytes of the link layer (EN 13757-2, format class FT 1.2). */
export const ACK = 0xe5
const SHORT_START = 0x10
const LONG_START = 0x68
const END = 0x16
const SHORT_BYTES = 5
/** Bytes of a long frame that its length field does not count: two starts, two lengths, checksum, end. */
const AROUND = 6
/** Smallest length of a frame with a CI field: C, A, CI. */
const MIN_LENGTH = 3

/** Addresses with a meaning of their own (EN 13757-2, 5.7.5). */
export const mbusAddresses = { unset: 0, selected: 253, everyReply: 254, broadcast: 255 } as const

export type MbusControl = 'snd-nke' | 'req-ud1' | 'req-ud2' | 'snd-ud' | 'rsp-ud' | 'other'

/** Control byte with its parts, and the address. Only requests have FCB and FCV, only replies ACD and DFC. */
export interface MbusLink {
  readonly control: number
  readonly function: MbusControl
  /** From the master. */
  readonly isRequest: boolean
  /** Frame count bit, toggled with each new request; undefined without FCV (frame count valid), and in replies. */
  readonly fcb: boolean | undefined
  /** ACD: the meter has alarm data (class 1) to be read. */
  readonly accessDemand: boolean
  /** DFC: the meter cannot accept more data. */
  readonly isBusy: boolean
  readonly address: number
}

export type MbusFrame =
  | { readonly kind: 'ack'; readonly start: number; readonly length: number }
  | ({ readonly kind: 'short'; readonly start: number; readonly length: number } & MbusLink)
  /** `control`: a long frame without user data. */
  | ({
      readonly kind: 'control' | 'long'
      readonly start: number
      readonly length: number
      readonly ci: number
      readonly data: Uint8Array
    } & MbusLink)

export type MbusFailure =
  | { readonly kind: 'none' }
  | { readonly kind: 'incomplete'; readonly start: number; readonly missing: number }
  | { readonly kind: 'bad-length'; readonly start: number }
  | { readonly kind: 'bad-end'; readonly start: number }
  | { readonly kind: 'bad-sum'; readonly start: number; readonly expected: number; readonly found: number }

const REPLY_MASK = 0x40

function toFunction(control: number): MbusControl {
  if ((control & REPLY_MASK) === 0) return (control & 0x0f) === 0x08 ? 'rsp-ud' : 'other'
  switch (control & 0x0f) {
    case 0x00:
      return 'snd-nke'
    case 0x0a:
      return 'req-ud1'
    case 0x0b:
      return 'req-ud2'
    case 0x03:
      return 'snd-ud'
    default:
      return 'other'
  }
}

function readLink(control: number, address: number): MbusLink {
  const isRequest = (control & REPLY_MASK) !== 0
  return {
    control,
    function: toFunction(control),
    isRequest,
    fcb: isRequest && (control & 0x10) !== 0 ? (control & 0x20) !== 0 : undefined,
    accessDemand: !isRequest && (control & 0x20) !== 0,
    isBusy: !isRequest && (control & 0x10) !== 0,
    address,
  }
}

/**
 * Size in bytes of the long or short frame at `start`, 0 if there is none, or minus the number of bytes that are missing after
 * `end`. A single E5 is not counted: a byte of noise may have that value, so the caller decides where it is an acknowledgement.
 */
export function checkMbus(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start]
  if (first === SHORT_START) {
    if (start + SHORT_BYTES > end) return -(start + SHORT_BYTES - end)
    const isRight = bytes[start + 4] === END && toSum(bytes, start + 1, start + 3) === bytes[start + 3]
    return isRight ? SHORT_BYTES : 0
  }
  if (first !== LONG_START) return 0
  const length = start + 1 < end ? (bytes[start + 1] ?? 0) : MIN_LENGTH
  if (length < MIN_LENGTH) return 0
  if (start + 2 < end && bytes[start + 2] !== length) return 0
  if (start + 3 < end && bytes[start + 3] !== LONG_START) return 0
  const size = length + AROUND
  if (start + size > end) return -(start + size - end)
  if (bytes[start + size - 1] !== END) return 0
  return toSum(bytes, start + 4, start + 4 + length) === bytes[start + size - 2] ? size : 0
}

/** Reads the frame of `length` bytes at `start` that {@link checkMbus} found. */
export function readMbus(bytes: Uint8Array, start: number, length: number): MbusFrame {
  if (length === SHORT_BYTES) {
    return { kind: 'short', start, length, ...readLink(bytes[start + 1] ?? 0, bytes[start + 2] ?? 0) }
  }
  const data = bytes.subarray(start + 7, start + length - 2)
  return {
    kind: data.length === 0 ? 'control' : 'long',
    start,
    length,
    ci: bytes[start + 6] ?? 0,
    data,
    ...readLink(bytes[start + 4] ?? 0, bytes[start + 5] ?? 0),
  }
}

/** Why the bytes at `start`, which have both start bytes of a long frame, are none. */
function explain(bytes: Uint8Array, start: number): MbusFailure {
  const length = bytes[start + 1] ?? 0
  if (length < MIN_LENGTH || bytes[start + 2] !== length) return { kind: 'bad-length', start }
  const size = length + AROUND
  const missing = start + size - bytes.length
  if (missing > 0) return { kind: 'incomplete', start, missing }
  if (bytes[start + size - 1] !== END) return { kind: 'bad-end', start }
  const expected = toSum(bytes, start + 4, start + 4 + length)
  return { kind: 'bad-sum', start, expected, found: bytes[start + size - 2] ?? 0 }
}

/**
 * The first frame among bytes; noise before it is skipped byte by byte. E5 counts only if it is the only byte. Without a frame,
 * why the first bytes that look like a long frame are none.
 */
export function findMbus(bytes: Uint8Array): MbusFrame | MbusFailure {
  if (bytes.length === 1 && bytes[0] === ACK) return { kind: 'ack', start: 0, length: 1 }
  let failure: MbusFailure = { kind: 'none' }
  for (let start = 0; start < bytes.length; start++) {
    const first = bytes[start]
    if (first !== LONG_START && first !== SHORT_START) continue
    const size = checkMbus(bytes, start, bytes.length)
    if (size > 0) return readMbus(bytes, start, size)
    if (first === LONG_START && bytes[start + 3] === LONG_START && failure.kind === 'none') {
      failure = explain(bytes, start)
    }
  }
  return failure
}
