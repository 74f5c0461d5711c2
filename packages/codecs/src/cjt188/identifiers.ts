/**
 * Order of the two bytes of a data identifier: 901F is `90 1F` big-endian, `1F 90` little-endian. Both are in the
 * field.
 */
export type IdentifierOrder = 'big' | 'little'

/**
 * High bytes of the known identifiers. No low byte of a known identifier is in this set, except those of D1xx to
 * D4xx.
 */
const isHighByte = (byte: number): boolean =>
  byte === 0x90 ||
  byte === 0x91 ||
  byte === 0xa0 ||
  byte === 0xa1 ||
  byte === 0x81 ||
  (byte >= 0xd1 && byte <= 0xd4)

/** High byte of the identifiers of valves with their own commands (BB1D to BB20), which send it first. */
const VENDOR_VALVE = 0xbb

/**
 * Identifier and order of the first two bytes of a frame's data. The order is in the bytes, not in the year of the
 * standard.
 */
export function readIdentifier(
  first: number,
  second: number,
): { identifier: number; order: IdentifierOrder } {
  const big = isHighByte(first) || first === VENDOR_VALVE
  return big
    ? { identifier: (first << 8) | second, order: 'big' }
    : { identifier: (second << 8) | first, order: 'little' }
}

/** Identifiers by name (CJ/T 188-2004 annex, 2018 additions). */
export const identifiers = {
  current: 0x901f,
  currentWithCooling: 0x911f,
  clock: 0x907f,
  /** The first of twelve: settlement values of the last twelve months. */
  month: 0xd120,
  address: 0x810a,
  price: 0x8102,
  settlementDay: 0x8103,
  readingDay: 0x8104,
  purchase: 0x8105,
  keyVersion: 0x8106,
  writePrice: 0xa010,
  writeSettlementDay: 0xa011,
  writeReadingDay: 0xa012,
  writePurchase: 0xa013,
  writeKey: 0xa014,
  writeClock: 0xa015,
  synchronise: 0xa016,
  valve: 0xa017,
  writeAddress: 0xa018,
  enableFactory: 0xa019,
  vendorMotor: 0xbb1d,
  vendorInfo: 0xbb1e,
  vendorOpening: 0xbb1f,
  vendorFirmware: 0xbb20,
} as const

export const toIdentifierText = (identifier: number): string =>
  identifier.toString(16).toUpperCase().padStart(4, '0')
