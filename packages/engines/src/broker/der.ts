/** An element of DER, the binary form of certificates. */
export interface DerElement {
  readonly tag: number
  readonly content: Buffer
  /** With its tag and length. */
  readonly whole: Buffer
}

/** The first element of the bytes, and the bytes behind it. Throws if they are cut off. */
function readElement(bytes: Buffer): readonly [DerElement, Buffer] {
  const [tag, first] = bytes
  if (tag === undefined || first === undefined) throw new Error('cut off')
  const sizeBytes = first < 0x80 ? 0 : first & 0x7f
  // 0x80 is an indefinite length: OpenSSL accepts it, DER does not allow it.
  if (first === 0x80 || sizeBytes > 4 || bytes.length < 2 + sizeBytes) throw new Error('bad length')
  const length = sizeBytes === 0 ? first & 0x7f : bytes.readUIntBE(2, sizeBytes)
  const start = 2 + sizeBytes
  if (bytes.length < start + length) throw new Error('cut off')
  const [whole, content] = [bytes.subarray(0, start + length), bytes.subarray(start, start + length)]
  return [{ tag, content, whole }, bytes.subarray(start + length)]
}

/** The elements of DER bytes. Throws if they are cut off. */
export function readDer(bytes: Buffer): readonly DerElement[] {
  const elements: DerElement[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const [element, behind] = readElement(rest)
    elements.push(element)
    rest = behind
  }
  return elements
}

/** Serial number in hexadecimal digits without leading zeros, upper case. */
export const toSerialNumber = (hex: string): string => hex.toUpperCase().replace(/^0+(?=.)/, '')
