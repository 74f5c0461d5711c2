import { toSum } from './bytes/checksums.ts'
import { parseHex } from './bytes/hex.ts'

/** Bytes of a text in hexadecimal that a test states. */
export function bytesOf(hex: string): Uint8Array {
  const bytes = parseHex(hex)
  if (bytes === undefined) throw new Error(`not hexadecimal: ${hex}`)
  return bytes
}

/** A CJ/T 188 or DL/T 645 frame from 68 to the data, with its sum and end. */
export const withSum = (hex: string): Uint8Array => {
  const bytes = bytesOf(hex)
  return Uint8Array.of(...bytes, toSum(bytes), 0x16)
}

/** A long M-Bus frame around C, A, CI and data. */
export const toLongFrame = (hex: string): Uint8Array => {
  const body = bytesOf(hex)
  return Uint8Array.of(0x68, body.length, body.length, 0x68, ...body, toSum(body), 0x16)
}
