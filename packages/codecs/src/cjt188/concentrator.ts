const PREFIX = [0x43, 0x54, 0x52, 0x4c, 0x3a] as const
const ID_DIGITS = 15
const HEAD = PREFIX.length + 1 + ID_DIGITS
/** Last byte of the frames of a bus. */
const END = 0x16

export type CtrlOutcome =
  | {
      readonly kind: 'concentrator'
      readonly id: string
      readonly length: number
      readonly inner: Uint8Array
    }
  | { readonly kind: 'none' }
  | { readonly kind: 'bad-length'; readonly declared: number; readonly found: number }

/**
 * Unwraps an upload of a concentrator: the letters `CTRL:`, a length in one byte, the concentrator's 15 digits, then frames of its
 * bus. Some count the whole upload, some only what follows the digits: the last byte of a frame is at the right place. Bytes
 * after the declared length are ignored.
 */
export function unwrapCtrl(bytes: Uint8Array): CtrlOutcome {
  if (PREFIX.some((byte, at) => bytes[at] !== byte)) return { kind: 'none' }
  const declared = bytes[PREFIX.length] ?? 0
  const ends = [declared, HEAD + declared]
  const isFrameEnd = (end: number): boolean => end > HEAD && bytes[end - 1] === END
  const length =
    ends.find((end) => end === bytes.length && isFrameEnd(end)) ??
    ends.find(isFrameEnd) ??
    (declared === bytes.length ? declared : 0)
  if (length < HEAD) return { kind: 'bad-length', declared, found: bytes.length }
  const id = String.fromCharCode(...bytes.subarray(PREFIX.length + 1, HEAD))
  if (!/^\d+$/.test(id)) return { kind: 'none' }
  return { kind: 'concentrator', id, length, inner: bytes.subarray(HEAD, length) }
}
