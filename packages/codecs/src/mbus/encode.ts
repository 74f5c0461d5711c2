import { fromPairs, toBcd } from '../bytes/bcd.ts'
import { toSum } from '../bytes/checksums.ts'
import { mbusAddresses } from './frame.ts'
import { type MbusIdentity, toManufacturerCode } from './header.ts'
import { type SecondaryAddress, toSecondaryBytes } from './secondary-address.ts'

/** Control bytes of a master without their FCB (EN 13757-2). */
const SND_NKE = 0x40
const REQ_UD1 = 0x5a
const REQ_UD2 = 0x5b
const SND_UD = 0x53
const RSP_UD = 0x08
const FCB = 0x20

const END = 0x16
const MAX_DATA = 252

/** The acknowledgement. */
export const mbusAck = (): Uint8Array => Uint8Array.of(0xe5)

const toShort = (control: number, address: number): Uint8Array =>
  Uint8Array.of(0x10, control, address & 0xff, (control + address) & 0xff, END)

function toLong(control: number, address: number, ci: number, data: readonly number[]): Uint8Array {
  const part = data.slice(0, MAX_DATA)
  const length = part.length + 3
  const frame = Uint8Array.from([0x68, length, length, 0x68, control, address & 0xff, ci, ...part, 0, END])
  frame[frame.length - 2] = toSum(frame, 4, frame.length - 2)
  return frame
}

/** Resets the link of a meter; to 253 it ends a selection. */
export const encodeSndNke = (address: number): Uint8Array => toShort(SND_NKE, address)

/** Requests the data of class 2, the readings. `fcb` toggles with each new request and stays for a repeated one. */
export const encodeReqUd2 = (address: number, fcb: boolean): Uint8Array =>
  toShort(fcb ? REQ_UD2 | FCB : REQ_UD2, address)

/** Requests the data of class 1, alarms. */
export const encodeReqUd1 = (address: number, fcb: boolean): Uint8Array =>
  toShort(fcb ? REQ_UD1 | FCB : REQ_UD1, address)

/** Sends data to a meter: a CI field and its bytes. */
export const encodeSndUd = (address: number, ci: number, data: readonly number[], fcb = false): Uint8Array =>
  toLong(fcb ? SND_UD | FCB : SND_UD, address, ci, data)

/** Selects the meters of a pattern, which then answer to 253. Undefined if the pattern is not of its form. */
export function encodeSelect(pattern: SecondaryAddress): Uint8Array | undefined {
  const bytes = toSecondaryBytes(pattern)
  return bytes === undefined ? undefined : encodeSndUd(mbusAddresses.selected, 0x52, bytes)
}

/** Gives a meter another primary address, 1 to 250. Undefined for another number. */
export const encodeSetAddress = (address: number, next: number): Uint8Array | undefined =>
  Number.isInteger(next) && next >= 1 && next <= 250
    ? encodeSndUd(address, 0x51, [0x01, 0x7a, next])
    : undefined

/** Resets the application of a meter, so that its readout starts with the first telegram. */
export const encodeApplicationReset = (address: number, subcode?: number): Uint8Array =>
  encodeSndUd(address, 0x50, subcode === undefined ? [] : [subcode & 0xff])

const baudCodes: Readonly<Record<number, number>> = {
  300: 0xb8,
  600: 0xb9,
  1200: 0xba,
  2400: 0xbb,
  4800: 0xbc,
  9600: 0xbd,
  19200: 0xbe,
  38400: 0xbf,
}

/** Switches the baud rate of a meter. Undefined for a rate that the standard does not have. */
export function encodeBaudRate(address: number, baud: number): Uint8Array | undefined {
  const ci = baudCodes[baud]
  return ci === undefined ? undefined : encodeSndUd(address, ci, [])
}

/** A record of a simulator's reply: DIF, VIF and a decimal number in so many bytes of BCD. */
export interface EncodedRecord {
  /** Bytes of data information without the coding, such as 0x40 for storage 1. */
  readonly dif?: number
  /** Bytes of value information. */
  readonly vib: readonly number[]
  /** Bytes of BCD: 1, 2, 3, 4 or 6. */
  readonly bytes: 1 | 2 | 3 | 4 | 6
  /** The number as stored, whole, without the exponent of the value information. */
  readonly whole: number
}

const bcdDifs = { 1: 0x09, 2: 0x0a, 3: 0x0b, 4: 0x0c, 6: 0x0e } as const

function toRecord({ dif = 0, vib, bytes, whole }: EncodedRecord): number[] {
  const digits = toBcd(Math.abs(whole), 0, bytes)
  // F in the highest digit is the sign.
  if (whole < 0) digits[bytes - 1] = ((digits[bytes - 1] ?? 0) & 0x0f) | 0xf0
  return [dif | bcdDifs[bytes], ...vib, ...digits]
}

/** A meter's reply with the long header, for simulators. Undefined if the identity is not of its form. */
export function encodeRspUd(
  address: number,
  identity: Pick<MbusIdentity, 'id' | 'manufacturer' | 'version' | 'medium'>,
  accessNumber: number,
  records: readonly EncodedRecord[],
  moreFollows = false,
): Uint8Array | undefined {
  const code = toManufacturerCode(identity.manufacturer)
  if (code === undefined || !/^[0-9A-Fa-f]{8}$/.test(identity.id)) return undefined
  const head = [
    code & 0xff,
    code >> 8,
    identity.version & 0xff,
    identity.medium & 0xff,
    accessNumber & 0xff,
    0,
    0,
    0,
  ]
  const body = [...records.flatMap(toRecord), ...(moreFollows ? [0x1f] : [])]
  return toLong(RSP_UD, address, 0x72, [...fromPairs(identity.id), ...head, ...body])
}
