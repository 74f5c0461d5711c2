/** Fields that a reply copies from its request. */
export interface ReplyHead {
  /** The meter's number on the bus, 14 digits. */
  readonly address: string
  /** The two bytes of the data identifier in the order of the request; real devices use both orders. */
  readonly identifier: readonly [number, number]
  /** 0 to 255. */
  readonly sequence: number
}

/** Values of a heat meter's registers and sensors in its bus reply. */
export interface MeterDisplay {
  readonly settlementKwh: number
  readonly energyKwh: number
  readonly powerKw: number
  readonly flowM3h: number
  readonly volumeM3: number
  readonly supplyTempC: number
  readonly returnTempC: number
  readonly hours: number
  /** The meter's own clock, Unix ms. */
  readonly clockMs: number
  /** Two status bytes; 0 without faults. */
  readonly status: number
}

export const START = 0x68
export const END = 0x16
const HEAT_METER = 0x20
/** Function codes of a request. A reply sets the highest bit; a refusal also sets the next bit. */
export const functions = { readData: 0x01, readAddress: 0x03 } as const
const REPLY = 0x80
const REFUSAL = 0xc0
/** Data identifier 901F, low byte first, as most real meters use it. */
export const CURRENT_DATA = [0x1f, 0x90] as const
const units = { kWh: 0x05, kW: 0x17, m3h: 0x35, m3: 0x2c } as const
/** Real meters use Beijing time. */
const ZONE_MS = 8 * 3600 * 1000

/** A number in binary-coded decimals, lowest pair of digits first. Too large numbers roll over; negative ones become 0. */
function toBcd(value: number, decimals: number, bytes: number): number[] {
  const whole = Math.max(0, Math.round(value * 10 ** decimals)) % 10 ** (2 * bytes)
  const digits = String(whole).padStart(2 * bytes, '0')
  return fromDigits(digits)
}

/** Pairs of digits as bytes, the last pair first. */
const fromDigits = (digits: string): number[] =>
  Array.from({ length: digits.length / 2 }, (_, pair) =>
    Number.parseInt(digits.slice(2 * pair, 2 * pair + 2), 16),
  ).reverse()

/** Clock digits such as 20260131235958, in the meter's zone. */
const toClock = (ms: number): number[] =>
  fromDigits(new Date(ms + ZONE_MS).toISOString().replaceAll(/\D/g, '').slice(0, 14))

/** Sum of bytes, mod 256: the checksum of a frame. */
export const toSum = (bytes: ArrayLike<number>): number =>
  Array.from(bytes).reduce((total, byte) => (total + byte) & 0xff, 0)

/** A complete frame: from 68 to 16, with the checksum. */
function frame(address: string, control: number, data: readonly number[]): Uint8Array {
  if (!/^\d{14}$/.test(address)) throw new RangeError(`a meter's address has 14 digits, not ${address}`)
  const head = [START, HEAT_METER, ...fromDigits(address), control, data.length, ...data]
  return Uint8Array.from([...head, toSum(head), END])
}

/** The request for a meter's current data: CJ/T 188-2004, control 01, identifier 901F. */
export const toReadRequest = (address: string, sequence: number): Uint8Array =>
  frame(address, functions.readData, [...CURRENT_DATA, sequence & 0xff])

/**
 * A heat meter's reply in the layout of CJ/T 188-2004 with its units behind the values (protocols.md 1.2 and 1.3):
 * energies and power with two decimals, flow with four, temperatures with two, each in binary-coded decimals.
 */
export function toReadReply({ address, identifier, sequence }: ReplyHead, display: MeterDisplay): Uint8Array {
  return frame(address, REPLY | functions.readData, [
    ...identifier,
    sequence & 0xff,
    ...toBcd(display.settlementKwh, 2, 4),
    units.kWh,
    ...toBcd(display.energyKwh, 2, 4),
    units.kWh,
    ...toBcd(display.powerKw, 2, 4),
    units.kW,
    ...toBcd(display.flowM3h, 4, 4),
    units.m3h,
    ...toBcd(display.volumeM3, 2, 4),
    units.m3,
    ...toBcd(display.supplyTempC, 2, 3),
    ...toBcd(display.returnTempC, 2, 3),
    ...toBcd(display.hours, 0, 3),
    ...toClock(display.clockMs),
    display.status >> 8,
    display.status & 0xff,
  ])
}

/** A meter's reply to a request for its address; the head of every frame contains the address. */
export const toAddressReply = ({ address, identifier, sequence }: ReplyHead): Uint8Array =>
  frame(address, REPLY | functions.readAddress, [...identifier, sequence & 0xff])

/** Refusal of a request that a meter does not support: sequence and status, as in the 2004 standard. */
export const toRefusal = ({ address, sequence }: ReplyHead, control: number, status: number): Uint8Array =>
  frame(address, REFUSAL | control, [sequence & 0xff, status >> 8, status & 0xff])

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
