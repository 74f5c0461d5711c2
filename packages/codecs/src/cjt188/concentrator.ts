const PREFIX = [0x43, 0x54, 0x52, 0x4c, 0x3a] as const
const ID_DIGITS = 15
const HEAD = PREFIX.length + 1 + ID_DIGITS

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
 * Unwraps an upload of a concentrator: the letters `CTRL:`, the length of the whole upload in one byte, the
 * concentrator's 15 digits, then frames of its bus. Bytes after the declared length are ignored.
 */
export function unwrapCtrl(bytes: Uint8Array): CtrlOutcome {
  if (PREFIX.some((byte, at) => bytes[at] !== byte)) return { kind: 'none' }
  const length = bytes[PREFIX.length] ?? 0
  if (length < HEAD || bytes.length < length)
    return { kind: 'bad-length', declared: length, found: bytes.length }
  const id = String.fromCharCode(...bytes.subarray(PREFIX.length + 1, HEAD))
  if (!/^\d+$/.test(id)) return { kind: 'none' }
  return { kind: 'concentrator', id, length, inner: bytes.subarray(HEAD, length) }
}
