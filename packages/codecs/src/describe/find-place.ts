import type { ProblemPlace } from './frame-report.ts'

/** Why bytes are no frame of a format with start byte, length byte, sum and end byte. */
export type Damaged =
  | { readonly kind: 'bad-sum'; readonly start: number; readonly expected: number; readonly found: number }
  | { readonly kind: 'incomplete'; readonly start: number; readonly missing: number }
  | { readonly kind: 'bad-end' | 'bad-length'; readonly start: number }

/** Offset of the length byte from the start byte, and bytes of the frame that the length does not count. */
const lengths = { cjt188: [10, 13], dlt645: [9, 12], mbus: [1, 6] } as const
export type FramedProtocol = keyof typeof lengths

const END = 0x16
const WAKE_UP = 0xfe

/** The byte at an offset as the place of a problem; only the offset behind the last byte. */
export const toPlace = (bytes: Uint8Array, at: number, expected?: number): ProblemPlace => {
  const found = bytes[at]
  return {
    at,
    ...(found === undefined ? {} : { found }),
    ...(expected === undefined ? {} : { expected }),
  }
}

/** Where bytes differ from a frame. */
export function findPlace(protocol: FramedProtocol, bytes: Uint8Array, failure: Damaged): ProblemPlace {
  const { start } = failure
  const [at, around] = lengths[protocol]
  const length = bytes[start + at] ?? 0
  const end = start + length + around
  switch (failure.kind) {
    case 'incomplete':
      return { at: bytes.length, missing: failure.missing }
    case 'bad-end':
      return toPlace(bytes, end - 1, END)
    case 'bad-sum':
      return { at: end - 2, found: failure.found, expected: failure.expected }
    case 'bad-length':
      return findWrongLength(bytes, start)
  }
}

/** Whether the end byte of a long M-Bus frame is where its length byte at an offset says. */
const isMbusLength = (bytes: Uint8Array, start: number, offset: number): boolean =>
  bytes[start + (bytes[start + offset] ?? 0) + lengths.mbus[1] - 1] === END

/** Whether one of the two lengths of a long M-Bus frame fits its end. */
export const hasMbusLength = (bytes: Uint8Array, start: number): boolean =>
  isMbusLength(bytes, start, 1) || isMbusLength(bytes, start, 2)

/** Of two lengths that differ, the one that does not fit the end; two equal ones are too small. */
function findWrongLength(bytes: Uint8Array, start: number): ProblemPlace {
  const [first, second] = [bytes[start + 1], bytes[start + 2]]
  if (first === second) return toPlace(bytes, start + 1)
  const isFirstWrong = !isMbusLength(bytes, start, 1) && isMbusLength(bytes, start, 2)
  return isFirstWrong ? toPlace(bytes, start + 1, second) : toPlace(bytes, start + 2, first)
}

/** Bytes before a frame that are neither of it nor wake-up bytes directly before it. */
export function countBefore(bytes: Uint8Array, start: number): number {
  let before = start
  while (before > 0 && bytes[before - 1] === WAKE_UP) before--
  return before
}
