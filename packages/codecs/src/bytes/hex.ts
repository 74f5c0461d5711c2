const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).toUpperCase().padStart(2, '0'),
)

/** Upper-case hexadecimal digits of bytes from `start` to `end`, without separators. */
export function toHex(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = ''
  for (let at = start; at < end; at++) text += PAIRS[bytes[at] ?? 0]
  return text
}

/** Like {@link toHex}, last byte first: the digits of a little-endian number in reading order. */
export function toHexReversed(bytes: Uint8Array, start = 0, end = bytes.length): string {
  let text = ''
  for (let at = end - 1; at >= start; at--) text += PAIRS[bytes[at] ?? 0]
  return text
}

/**
 * Bytes of a text in hexadecimal. Accepts what people paste: spaces, line ends, commas, colons, hyphens and `0x` between the
 * bytes. Undefined if other characters remain or the number of digits is odd.
 */
export function parseHex(text: string): Uint8Array | undefined {
  const digits = text.replace(/0x/gi, '').replace(/[\s,;:_-]+/g, '')
  if (digits.length === 0 || digits.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(digits)) return undefined
  const bytes = new Uint8Array(digits.length / 2)
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(digits.slice(2 * at, 2 * at + 2), 16)
  return bytes
}
