import { fromPairs, toBcd } from '../bytes/bcd.ts'
import { toSum } from '../bytes/checksums.ts'
import { cjtFunctions, controlBits, END, START } from './frame.ts'
import { type IdentifierOrder, identifiers } from './identifiers.ts'
import { type ValveOrder, valveOrders } from './valve.ts'

/** A checked address: 14 hexadecimal digits, upper case, highest first. */
export type CjtAddress = string & { readonly brand: 'CjtAddress' }

/** Every meter of a line listens to it; the answer is readable only if there is one. */
export const EVERY_METER = 'A'.repeat(14) as CjtAddress

/** A text as an address; undefined unless it has 14 hexadecimal digits. */
export const toCjtAddress = (text: string): CjtAddress | undefined =>
  /^[0-9A-Fa-f]{14}$/.test(text) ? (text.toUpperCase() as CjtAddress) : undefined

/** Type byte of a heat meter. */
export const HEAT_METER = 0x20

export interface CjtTarget {
  readonly address: CjtAddress
  /** Type byte of the meter; default a heat meter. */
  readonly type?: number
  /** Order of the identifier's bytes that the meter expects; default little-endian, as most send it. */
  readonly order?: IdentifierOrder
  /** Number of the request, 0 to 255; the reply repeats it. */
  readonly sequence: number
}

const toIdentifierBytes = (identifier: number, order: IdentifierOrder = 'little'): [number, number] =>
  order === 'big' ? [identifier >> 8, identifier & 0xff] : [identifier & 0xff, identifier >> 8]

/** A complete frame: from 68 to 16, with the checksum. Data longer than 255 bytes is cut. */
export function encodeCjt(target: CjtTarget, control: number, data: readonly number[]): Uint8Array {
  const part = data.slice(0, 255)
  const head = [START, target.type ?? HEAT_METER, ...fromPairs(target.address), control, part.length]
  const frame = Uint8Array.from([...head, ...part, 0, END])
  frame[frame.length - 2] = toSum(frame, 0, frame.length - 2)
  return frame
}

const encode = (
  target: CjtTarget,
  control: number,
  identifier: number,
  data: readonly number[] = [],
): Uint8Array =>
  encodeCjt(target, control, [
    ...toIdentifierBytes(identifier, target.order),
    target.sequence & 0xff,
    ...data,
  ])

/** Request for the data of an identifier, by default the current data 901F. */
export const encodeCjtRead = (target: CjtTarget, identifier: number = identifiers.current): Uint8Array =>
  encode(target, cjtFunctions.readData, identifier)

/** Request for the address (810A); with {@link EVERY_METER} the way to find the meter of a line of one. */
export const encodeCjtReadAddress = (target: CjtTarget): Uint8Array =>
  encode(target, cjtFunctions.readAddress, identifiers.address)

/** Order for a valve (A017). Valves take it big-endian unless the target says otherwise. */
export const encodeCjtValve = (target: CjtTarget, order: ValveOrder): Uint8Array =>
  encode({ order: 'big', ...target }, cjtFunctions.writeData, identifiers.valve, [valveOrders[order]])

/** Opening of a vendor's modulating valve (BB1F), %, with the day of its monthly calibration run. */
export const encodeCjtOpening = (target: CjtTarget, openingPct: number, calibrationDay: number): Uint8Array =>
  encode({ order: 'big', ...target }, cjtFunctions.writeData, identifiers.vendorOpening, [
    Math.max(0, Math.min(100, Math.round(openingPct))),
    calibrationDay & 0xff,
  ])

/** Digits of a clock such as 20260131235958, as seven bytes from second to century. `zoneMs`: offset of the meter's zone. */
const toClock = (ms: number, zoneMs: number): number[] =>
  fromPairs(new Date(ms + zoneMs).toISOString().replaceAll(/\D/g, '').slice(0, 14))

/** Sets a meter's clock (A015). `ms`: Unix ms. */
export const encodeCjtClock = (target: CjtTarget, ms: number, zoneMs: number): Uint8Array =>
  encode(target, cjtFunctions.writeData, identifiers.writeClock, toClock(ms, zoneMs))

/** Values of a heat meter's registers and sensors in its reply. */
export interface HeatDisplay {
  readonly settlementKwh: number
  readonly energyKwh: number
  readonly powerKw: number
  readonly flowM3h: number
  readonly volumeM3: number
  readonly supplyTempC: number
  readonly returnTempC: number
  readonly hours: number
  /** The meter's own clock, Unix ms, and the offset of its zone, ms. */
  readonly clockMs: number
  readonly zoneMs: number
  /** Two status bytes; 0 without faults. */
  readonly status: number
}

const codes = { kWh: 0x05, kW: 0x17, m3h: 0x35, m3: 0x2c } as const

/** A heat meter's reply to a read of 901F in the layout of 2004 with its units behind the values, for simulators. */
export const encodeCjtHeatReply = (target: CjtTarget, display: HeatDisplay): Uint8Array =>
  encode(target, controlBits.reply | cjtFunctions.readData, identifiers.current, [
    ...toBcd(display.settlementKwh, 2, 4),
    codes.kWh,
    ...toBcd(display.energyKwh, 2, 4),
    codes.kWh,
    ...toBcd(display.powerKw, 2, 4),
    codes.kW,
    ...toBcd(display.flowM3h, 4, 4),
    codes.m3h,
    ...toBcd(display.volumeM3, 2, 4),
    codes.m3,
    ...toBcd(display.supplyTempC, 2, 3),
    ...toBcd(display.returnTempC, 2, 3),
    ...toBcd(display.hours, 0, 3),
    ...toClock(display.clockMs, display.zoneMs),
    (display.status >> 8) & 0xff,
    display.status & 0xff,
  ])

/** A meter's reply to a request for its address; the head of every frame contains the address. */
export const encodeCjtAddressReply = (target: CjtTarget): Uint8Array =>
  encode(target, controlBits.reply | cjtFunctions.readAddress, identifiers.address)

/** A valve's reply to an order: its status bytes. */
export const encodeCjtValveReply = (target: CjtTarget, status: number): Uint8Array =>
  encode({ order: 'big', ...target }, controlBits.reply | cjtFunctions.writeData, identifiers.valve, [
    (status >> 8) & 0xff,
    status & 0xff,
  ])

/** Refusal of a request in the form of 2004: sequence and status. `control`: that of the request. */
export const encodeCjtRefusal = (target: CjtTarget, control: number, status: number): Uint8Array =>
  encodeCjt(target, controlBits.reply | controlBits.refusal | control, [
    target.sequence & 0xff,
    (status >> 8) & 0xff,
    status & 0xff,
  ])
