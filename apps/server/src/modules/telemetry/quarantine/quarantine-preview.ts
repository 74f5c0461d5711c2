/** Tab, line ends and everything that shows; a replacement character stands for what is no text. */
const SHOWN = /^[\t\n\r\u0020-\u007e\u00a0-\ufffc\u{10000}-\u{10ffff}]*$/u
/** A character that the cut went through: up to three bytes of its beginning. */
const CUT_TAIL = /\ufffd$/

/** Bytes for people to read: the text they are, without a last character that was cut, else hexadecimal. */
export function toPreview(bytes: Uint8Array): { readonly text: string; readonly isHex: boolean } {
  const text = Buffer.from(bytes).toString('utf8').replace(CUT_TAIL, '')
  return SHOWN.test(text) ? { text, isHex: false } : { text: Buffer.from(bytes).toString('hex'), isHex: true }
}
