import type { X509Certificate } from 'node:crypto'
import { type DerElement, readDer, toSerialNumber } from '@isotherm/engines/broker/der'

const UTC_TIME = 0x17
const GENERALIZED_TIME = 0x18
const SEQUENCE = 0x30

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

/** What is read here of a revocation list; OpenSSL checks the list itself. */
export interface RevocationList {
  /** End of its validity (nextUpdate), Unix ms; undefined if it has none. */
  readonly end: number | undefined
  /** Serial numbers of the revoked certificates, in hexadecimal digits without leading zeros, upper case. */
  readonly serialNumbers: readonly string[]
}

/** Serial number of a certificate, in the same form. */
export const readSerialNumber = ({ serialNumber }: X509Certificate): string => toSerialNumber(serialNumber)

const inside = (element: DerElement | undefined): readonly DerElement[] =>
  readDer(element?.content ?? Buffer.alloc(0))

/** Reads a revocation list in DER (RFC 5280, section 5). Throws if the bytes are none. */
export function readRevocationList(der: Buffer): RevocationList {
  const [list] = readDer(der)
  const [content] = inside(list)
  const fields = inside(content)
  const [begin, end] = fields.filter(isTime)
  if (begin === undefined) throw new Error('no time')
  const next = fields[fields.indexOf(end ?? begin) + 1]
  // Optional: a list without entries, or with extensions only, has none.
  const entries = next?.tag === SEQUENCE ? inside(next) : []
  return {
    end: end && toInstant(end),
    serialNumbers: entries.map((entry) => {
      const [serial] = inside(entry)
      if (serial === undefined) throw new Error('no serial number')
      return toSerialNumber(serial.content.toString('hex'))
    }),
  }
}
