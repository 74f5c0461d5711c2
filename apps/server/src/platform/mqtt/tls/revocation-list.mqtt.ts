import { type DerElement, readDer } from '@isotherm/engines/broker/der'

const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18

const isTime = ({ tag }: DerElement): boolean => tag === UTC_TIME || tag === GENERALIZED_TIME

/** Unix ms of a time such as `261128213954Z` (years from 1950) or `20261128213954Z`. */
function toInstant({ tag, content }: DerElement): number {
  const text = content.toString('latin1')
  const century = tag === GENERALIZED_TIME ? '' : text < '50' ? '20' : '19'
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(century + text)
  if (!parts) throw new Error('bad time')
  const [, year, month, day, hour, minute, second] = parts
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}

/**
 * End of the validity of a revocation list in DER (RFC 5280, section 5, nextUpdate), Unix ms; undefined if the list has none.
 * Throws if the bytes are no revocation list. Only this field is read here; OpenSSL checks the list itself.
 */
export function readListEnd(der: Buffer): number | undefined {
  const [list] = readDer(der)
  const [content] = readDer(list?.content ?? Buffer.alloc(0))
  const [begin, end] = readDer(content?.content ?? Buffer.alloc(0)).filter(isTime)
  if (begin === undefined) throw new Error('no time')
  return end && toInstant(end)
}
