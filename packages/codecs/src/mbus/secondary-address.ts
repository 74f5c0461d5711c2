import { fromPairs } from '../bytes/bcd.ts'
import { toHex, toHexReversed } from '../bytes/hex.ts'
import type { MbusIdentity } from './header.ts'
import { toManufacturer, toManufacturerCode } from './header.ts'

/**
 * A secondary address or a pattern for several (EN 13757-3, 11.3): `F` in `id` stands for any digit; a missing part for any
 * value.
 */
export interface SecondaryAddress {
  /** Eight hexadecimal digits. */
  readonly id: string
  readonly manufacturer?: string
  readonly version?: number
  readonly medium?: number
}

const ANY_MANUFACTURER = 0xffff
const ANY_BYTE = 0xff
const BYTES = 8

/** The eight bytes of a selection; undefined if `id` or `manufacturer` are not of their form. */
export function toSecondaryBytes({
  id,
  manufacturer,
  version,
  medium,
}: SecondaryAddress): number[] | undefined {
  const code = manufacturer === undefined ? ANY_MANUFACTURER : toManufacturerCode(manufacturer)
  if (!/^[0-9A-Fa-f]{8}$/.test(id) || code === undefined) return undefined
  return [...fromPairs(id), code & 0xff, code >> 8, (version ?? ANY_BYTE) & 0xff, (medium ?? ANY_BYTE) & 0xff]
}

/** The pattern of a selection frame; undefined if it is too short. */
export function readSecondaryAddress(data: Uint8Array, highFirst: boolean): SecondaryAddress | undefined {
  if (data.length < BYTES) return undefined
  const [low = 0, high = 0, version = 0, medium = 0] = data.subarray(4)
  const code = highFirst ? (low << 8) | high : (high << 8) | low
  return {
    id: highFirst ? toHex(data, 0, 4) : toHexReversed(data, 0, 4),
    ...(code === ANY_MANUFACTURER ? {} : { manufacturer: toManufacturer(code) }),
    ...(version === ANY_BYTE ? {} : { version }),
    ...(medium === ANY_BYTE ? {} : { medium }),
  }
}

/** Whether a meter belongs to a pattern. */
export const isSelected = (pattern: SecondaryAddress, meter: MbusIdentity): boolean =>
  [...pattern.id.toUpperCase()].every((digit, at) => digit === 'F' || digit === meter.id[at]) &&
  (pattern.manufacturer === undefined || pattern.manufacturer === meter.manufacturer) &&
  (pattern.version === undefined || pattern.version === meter.version) &&
  (pattern.medium === undefined || pattern.medium === meter.medium)

/**
 * The ten patterns that together cover a pattern whose answers collided: its first `F` as each digit. Empty if none is left. A
 * search of a line starts with `FFFFFFFF` and narrows each pattern that collides.
 */
export function narrow(pattern: SecondaryAddress): readonly SecondaryAddress[] {
  const at = pattern.id.toUpperCase().indexOf('F')
  if (at === -1) return []
  return Array.from({ length: 10 }, (_, digit) => ({
    ...pattern,
    id: pattern.id.slice(0, at) + digit + pattern.id.slice(at + 1),
  }))
}
