/** What a heat meter's registers and sensors show, as its bus reply carries it. */
export interface MeterShowing {
  /** The meter's number on the bus, 14 digits. */
  readonly address: string
  /** Echo of the request's sequence, 0 to 255. */
  readonly sequence: number
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
  /** Two status bytes; 0 when all is well. */
  readonly status: number
}

const START = 0x68
const END = 0x16
const HEAT_METER = 0x20
const READ = 0x01
const READ_REPLY = 0x81
/** Data identifier 901F, low byte first as most meters in the field have it. */
const CURRENT_DATA = [0x1f, 0x90] as const
const units = { kWh: 0x05, kW: 0x17, m3h: 0x35, m3: 0x2c } as const
/** Meters in the field keep Beijing time. */
const ZONE_MS = 8 * 3600 * 1000

/** A number in binary-coded decimals, lowest pair of digits first; what does not fit rolls over, below zero is none. */
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

/** 20260131235958 in the meter's zone. */
const toClock = (ms: number): number[] =>
  fromDigits(new Date(ms + ZONE_MS).toISOString().replaceAll(/\D/g, '').slice(0, 14))

/** From 68 to 16, with the sum of all bytes before it, mod 256. */
function frame(address: string, control: number, data: readonly number[]): Uint8Array {
  if (!/^\d{14}$/.test(address)) throw new RangeError(`a meter's address has 14 digits, not ${address}`)
  const head = [START, HEAT_METER, ...fromDigits(address), control, data.length, ...data]
  const sum = head.reduce((total, byte) => (total + byte) & 0xff, 0)
  return Uint8Array.from([...head, sum, END])
}

/** The request for a meter's current data: CJ/T 188-2004, control 01, identifier 901F. */
export const toReadRequest = (address: string, sequence: number): Uint8Array =>
  frame(address, READ, [...CURRENT_DATA, sequence & 0xff])

/**
 * A heat meter's reply in the layout of CJ/T 188-2004 with its units behind the values (protocols.md 1.2 and 1.3):
 * energies and power with two decimals, flow with four, temperatures with two, each in binary-coded decimals.
 */
export function toReadReply(showing: MeterShowing): Uint8Array {
  return frame(showing.address, READ_REPLY, [
    ...CURRENT_DATA,
    showing.sequence & 0xff,
    ...[...toBcd(showing.settlementKwh, 2, 4), units.kWh],
    ...[...toBcd(showing.energyKwh, 2, 4), units.kWh],
    ...[...toBcd(showing.powerKw, 2, 4), units.kW],
    ...[...toBcd(showing.flowM3h, 4, 4), units.m3h],
    ...[...toBcd(showing.volumeM3, 2, 4), units.m3],
    ...toBcd(showing.supplyTempC, 2, 3),
    ...toBcd(showing.returnTempC, 2, 3),
    ...toBcd(showing.hours, 0, 3),
    ...toClock(showing.clockMs),
    ...[showing.status >> 8, showing.status & 0xff],
  ])
}

export const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()
