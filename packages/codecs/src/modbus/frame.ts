import { toCrc16 } from '../bytes/checksums.ts'
import {
  decodeModbusReply,
  decodeModbusRequest,
  type ModbusPdu,
  type ModbusProblem,
  sizeOfPdu,
} from './pdu.ts'

/** Which way a frame goes. Requests and replies of some functions have the same bytes. */
export type Direction = 'request' | 'reply'

export type ModbusFrame =
  | {
      readonly kind: 'rtu'
      readonly unit: number
      readonly pdu: ModbusPdu | ModbusProblem
      readonly length: number
    }
  | {
      readonly kind: 'tcp'
      readonly transaction: number
      readonly unit: number
      readonly pdu: ModbusPdu | ModbusProblem
      readonly length: number
    }

export type ModbusFailure =
  | { readonly kind: 'incomplete'; readonly missing: number }
  | { readonly kind: 'bad-crc'; readonly expected: number; readonly found: number }
  | { readonly kind: 'bad-head' }

/** Unit, at least a function with one byte, CRC. */
const RTU_MIN = 5
const RTU_MAX = 256
const MBAP = 7
/** Unit and PDU of a TCP frame at most. */
const TCP_MAX = 254

const decode = (pdu: Uint8Array, direction: Direction): ModbusPdu | ModbusProblem =>
  direction === 'request' ? decodeModbusRequest(pdu) : decodeModbusReply(pdu)

const readCrc = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)

/** Reads bytes that are exactly one RTU frame. */
export function decodeRtu(bytes: Uint8Array, direction: Direction): ModbusFrame | ModbusFailure {
  if (bytes.length < RTU_MIN) return { kind: 'incomplete', missing: RTU_MIN - bytes.length }
  const end = bytes.length - 2
  const [expected, found] = [toCrc16(bytes, 0, end), readCrc(bytes, end)]
  if (expected !== found) return { kind: 'bad-crc', expected, found }
  return {
    kind: 'rtu',
    unit: bytes[0] ?? 0,
    pdu: decode(bytes.subarray(1, end), direction),
    length: bytes.length,
  }
}

/**
 * Size of the RTU frame at `start`, 0 if there is none, or minus the number of missing bytes. RTU has no start byte, so a frame is
 * what has a right CRC at the length that its function requires.
 */
export function checkRtu(bytes: Uint8Array, start: number, end: number, direction: Direction): number {
  const pdu = sizeOfPdu(bytes, start + 1, end, direction === 'reply')
  if (pdu <= 0) return pdu
  const size = pdu + 3
  if (size > RTU_MAX) return 0
  if (start + size > end) return -(start + size - end)
  return toCrc16(bytes, start, start + size - 2) === readCrc(bytes, start + size - 2) ? size : 0
}

/** Size of the TCP frame at `start`, 0 if the head is wrong, or minus the number of missing bytes. */
export function checkTcp(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < MBAP + 1) return -(MBAP + 1 - (end - start))
  const length = ((bytes[start + 4] ?? 0) << 8) | (bytes[start + 5] ?? 0)
  if (bytes[start + 2] !== 0 || bytes[start + 3] !== 0 || length < 2 || length > TCP_MAX) return 0
  const size = MBAP - 1 + length
  return start + size > end ? -(start + size - end) : size
}

/** Reads bytes that are exactly one TCP frame. */
export function decodeTcp(bytes: Uint8Array, direction: Direction): ModbusFrame | ModbusFailure {
  const size = checkTcp(bytes, 0, bytes.length)
  if (size < 0) return { kind: 'incomplete', missing: -size }
  if (size !== bytes.length) return { kind: 'bad-head' }
  return {
    kind: 'tcp',
    transaction: ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0),
    unit: bytes[MBAP - 1] ?? 0,
    pdu: decode(bytes.subarray(MBAP), direction),
    length: size,
  }
}
