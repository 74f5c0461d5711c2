import { toCrc16 } from '../bytes/checksums.ts'
import type { ModbusPdu } from './pdu.ts'

const high = (value: number): number => (value >> 8) & 0xff
const low = (value: number): number => value & 0xff
const pair = (value: number): [number, number] => [high(value), low(value)]

function packCoils(coils: readonly boolean[]): number[] {
  const bytes = new Array<number>(Math.ceil(coils.length / 8)).fill(0)
  coils.forEach((coil, index) => {
    if (coil) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7))
  })
  return bytes
}

/** Bytes of a PDU: a request, or for simulators a reply. Ranges are those of {@link decodeModbusRequest}; larger numbers are cut. */
export function encodeModbusPdu(pdu: ModbusPdu): Uint8Array {
  switch (pdu.kind) {
    case 'read-request':
    case 'written':
      return Uint8Array.of(pdu.fc, ...pair(pdu.start), ...pair(pdu.count))
    case 'coils': {
      const bytes = packCoils(pdu.coils)
      return Uint8Array.of(pdu.fc, bytes.length, ...bytes)
    }
    case 'registers':
      return Uint8Array.of(pdu.fc, 2 * pdu.registers.length, ...pdu.registers.flatMap(pair))
    case 'write-coil':
      return Uint8Array.of(pdu.fc, ...pair(pdu.address), pdu.value ? 0xff : 0, 0)
    case 'write-register':
      return Uint8Array.of(pdu.fc, ...pair(pdu.address), ...pair(pdu.value))
    case 'write-coils-request': {
      const bytes = packCoils(pdu.coils)
      return Uint8Array.of(pdu.fc, ...pair(pdu.start), ...pair(pdu.coils.length), bytes.length, ...bytes)
    }
    case 'write-registers-request':
      return Uint8Array.of(
        pdu.fc,
        ...pair(pdu.start),
        ...pair(pdu.registers.length),
        2 * pdu.registers.length,
        ...pdu.registers.flatMap(pair),
      )
    case 'mask-write':
      return Uint8Array.of(pdu.fc, ...pair(pdu.address), ...pair(pdu.and), ...pair(pdu.or))
    case 'read-write-request':
      return Uint8Array.of(
        pdu.fc,
        ...pair(pdu.start),
        ...pair(pdu.count),
        ...pair(pdu.writeStart),
        ...pair(pdu.registers.length),
        2 * pdu.registers.length,
        ...pdu.registers.flatMap(pair),
      )
    case 'exception':
      return Uint8Array.of(pdu.fc | 0x80, pdu.code)
  }
}

/** A PDU as a frame of a serial line: unit, PDU, CRC with its low byte first. */
export function encodeRtu(unit: number, pdu: ModbusPdu): Uint8Array {
  const body = encodeModbusPdu(pdu)
  const frame = new Uint8Array(body.length + 3)
  frame[0] = unit
  frame.set(body, 1)
  const crc = toCrc16(frame, 0, body.length + 1)
  frame[body.length + 1] = low(crc)
  frame[body.length + 2] = high(crc)
  return frame
}

/** A PDU as a frame of Modbus TCP: transaction, protocol 0, length, unit (Modbus messaging on TCP/IP 1.0b, 3.1.3). */
export function encodeTcp(transaction: number, unit: number, pdu: ModbusPdu): Uint8Array {
  const body = encodeModbusPdu(pdu)
  return Uint8Array.of(...pair(transaction), 0, 0, ...pair(body.length + 1), unit & 0xff, ...body)
}
