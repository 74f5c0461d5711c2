/** Tab, line ends and printable characters. A replacement character marks bytes that are no text. */
const SHOWN = /^[\t\n\r\u0020-\u007e\u00a0-\ufffc\u{10000}-\u{10ffff}]*$/u
/** A character that was cut off: up to three bytes of its beginning. */
const CUT_TAIL = /\ufffd$/

/** A readable preview of bytes: as text, without a cut-off last character, or else as hexadecimal. */
export function toPreview(bytes: Uint8Array): { readonly text: string; readonly isHex: boolean } {
  const text = Buffer.from(bytes).toString('utf8').replace(CUT_TAIL, '')
  return SHOWN.test(text) ? { text, isHex: false } : { text: Buffer.from(bytes).toString('hex'), isHex: true }
}
