/** Function codes that the product reads and writes (Modbus application protocol 1.1b3, 6). */
export const modbusFunctions = {
  readCoils: 1,
  readDiscreteInputs: 2,
  readHoldingRegisters: 3,
  readInputRegisters: 4,
  writeCoil: 5,
  writeRegister: 6,
  writeCoils: 15,
  writeRegisters: 16,
  maskWriteRegister: 22,
  readWriteRegisters: 23,
} as const

/** Limits of one PDU (same document): registers and coils per request. */
export const modbusLimits = {
  readRegisters: 125,
  writeRegisters: 123,
  readWriteWrites: 121,
  readCoils: 2000,
  writeCoils: 1968,
} as const
const LAST_ADDRESS = 0xffff

/** Content of a PDU. `registers` are unsigned 16-bit numbers, `coils` are one boolean each. */
export type ModbusPdu =
  | {
      readonly kind: 'read-request'
      readonly fc: 1 | 2 | 3 | 4
      readonly start: number
      readonly count: number
    }
  | { readonly kind: 'coils'; readonly fc: 1 | 2; readonly coils: readonly boolean[] }
  | { readonly kind: 'registers'; readonly fc: 3 | 4 | 23; readonly registers: readonly number[] }
  /** Function 5: request and reply are equal. */
  | { readonly kind: 'write-coil'; readonly fc: 5; readonly address: number; readonly value: boolean }
  /** Function 6: request and reply are equal. */
  | { readonly kind: 'write-register'; readonly fc: 6; readonly address: number; readonly value: number }
  | {
      readonly kind: 'write-coils-request'
      readonly fc: 15
      readonly start: number
      readonly coils: readonly boolean[]
    }
  | {
      readonly kind: 'write-registers-request'
      readonly fc: 16
      readonly start: number
      readonly registers: readonly number[]
    }
  | { readonly kind: 'written'; readonly fc: 15 | 16; readonly start: number; readonly count: number }
  | {
      readonly kind: 'mask-write'
      readonly fc: 22
      readonly address: number
      readonly and: number
      readonly or: number
    }
  | {
      readonly kind: 'read-write-request'
      readonly fc: 23
      readonly start: number
      readonly count: number
      readonly writeStart: number
      readonly registers: readonly number[]
    }
  | { readonly kind: 'exception'; readonly fc: number; readonly code: number; readonly name: string }

export type ModbusProblem = {
  readonly kind: 'bad-pdu'
  readonly reason: 'too-short' | 'wrong-length' | 'out-of-range' | 'unknown-function'
}

/** Exception codes (same document, 7). */
const exceptions: Readonly<Record<number, string>> = {
  1: 'illegal-function',
  2: 'illegal-address',
  3: 'illegal-value',
  4: 'device-failure',
  5: 'acknowledge',
  6: 'busy',
  7: 'negative-acknowledge',
  8: 'memory-parity',
  10: 'gateway-path',
  11: 'gateway-target',
}
const EXCEPTION = 0x80

const problem = (reason: ModbusProblem['reason']): ModbusProblem => ({ kind: 'bad-pdu', reason })
const read16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)

function readRegisters(bytes: Uint8Array, at: number, count: number): number[] {
  const registers = new Array<number>(count)
  for (let index = 0; index < count; index++) registers[index] = read16(bytes, at + 2 * index)
  return registers
}

/** Coils as bits, lowest first. A reply does not say how many of the last byte count, so all bits are returned. */
const readCoils = (bytes: Uint8Array, at: number, count: number): boolean[] =>
  Array.from({ length: count }, (_, index) => (((bytes[at + (index >> 3)] ?? 0) >> (index & 7)) & 1) === 1)

const isRange = (start: number, count: number, limit: number): boolean =>
  count >= 1 && count <= limit && start + count - 1 <= LAST_ADDRESS

/** Reads the PDU of a request. */
export function decodeModbusRequest(pdu: Uint8Array): ModbusPdu | ModbusProblem {
  const fc = pdu[0]
  if (fc === undefined || pdu.length < 5) return problem(isKnown(fc) ? 'too-short' : 'unknown-function')
  const [start, count] = [read16(pdu, 1), read16(pdu, 3)]
  switch (fc) {
    case 1:
    case 2:
    case 3:
    case 4: {
      if (pdu.length !== 5) return problem('wrong-length')
      const limit = fc < 3 ? modbusLimits.readCoils : modbusLimits.readRegisters
      return isRange(start, count, limit)
        ? { kind: 'read-request', fc, start, count }
        : problem('out-of-range')
    }
    case 5:
    case 6:
      return readSingleWrite(pdu, fc)
    case 15:
    case 16: {
      const bytes = fc === 15 ? Math.ceil(count / 8) : 2 * count
      if (pdu.length !== 6 + bytes || pdu[5] !== bytes) return problem('wrong-length')
      const limit = fc === 15 ? modbusLimits.writeCoils : modbusLimits.writeRegisters
      if (!isRange(start, count, limit)) return problem('out-of-range')
      return fc === 15
        ? { kind: 'write-coils-request', fc, start, coils: readCoils(pdu, 6, count) }
        : { kind: 'write-registers-request', fc, start, registers: readRegisters(pdu, 6, count) }
    }
    case 22:
      return readMaskWrite(pdu)
    case 23: {
      const [writeStart, writes] = [read16(pdu, 5), read16(pdu, 7)]
      if (pdu.length !== 10 + 2 * writes || pdu[9] !== 2 * writes) return problem('wrong-length')
      if (!isRange(start, count, modbusLimits.readRegisters)) return problem('out-of-range')
      if (!isRange(writeStart, writes, modbusLimits.readWriteWrites)) return problem('out-of-range')
      return {
        kind: 'read-write-request',
        fc,
        start,
        count,
        writeStart,
        registers: readRegisters(pdu, 10, writes),
      }
    }
    default:
      return problem('unknown-function')
  }
}

function readSingleWrite(pdu: Uint8Array, fc: 5 | 6): ModbusPdu | ModbusProblem {
  if (pdu.length !== 5) return problem('wrong-length')
  const [address, value] = [read16(pdu, 1), read16(pdu, 3)]
  if (fc === 6) return { kind: 'write-register', fc, address, value }
  return value === 0xff00 || value === 0
    ? { kind: 'write-coil', fc, address, value: value !== 0 }
    : problem('out-of-range')
}

const readMaskWrite = (pdu: Uint8Array): ModbusPdu | ModbusProblem =>
  pdu.length === 7
    ? { kind: 'mask-write', fc: 22, address: read16(pdu, 1), and: read16(pdu, 3), or: read16(pdu, 5) }
    : problem('wrong-length')

/** By function code. A parser of lines asks at every byte, so no search in a list. */
const known = Array.from({ length: 256 }, (_, fc) =>
  Object.values(modbusFunctions).some((each) => each === fc),
)
const isKnown = (fc: number | undefined): boolean => fc !== undefined && known[fc] === true

/** Reads the PDU of a reply. */
export function decodeModbusReply(pdu: Uint8Array): ModbusPdu | ModbusProblem {
  const [fc, second] = [pdu[0], pdu[1]]
  if (fc === undefined || second === undefined) return problem('too-short')
  if ((fc & EXCEPTION) !== 0) {
    if (pdu.length !== 2) return problem('wrong-length')
    return { kind: 'exception', fc: fc & 0x7f, code: second, name: exceptions[second] ?? 'reserved' }
  }
  switch (fc) {
    case 1:
    case 2:
      if (pdu.length !== 2 + second || second === 0) return problem('wrong-length')
      return { kind: 'coils', fc, coils: readCoils(pdu, 2, 8 * second) }
    case 3:
    case 4:
    case 23:
      if (pdu.length !== 2 + second || second === 0 || second % 2 !== 0) return problem('wrong-length')
      return { kind: 'registers', fc, registers: readRegisters(pdu, 2, second / 2) }
    case 5:
    case 6:
      return readSingleWrite(pdu, fc)
    case 15:
    case 16: {
      if (pdu.length !== 5) return problem('wrong-length')
      const [start, count] = [read16(pdu, 1), read16(pdu, 3)]
      const limit = fc === 15 ? modbusLimits.writeCoils : modbusLimits.writeRegisters
      return isRange(start, count, limit) ? { kind: 'written', fc, start, count } : problem('out-of-range')
    }
    case 22:
      return readMaskWrite(pdu)
    default:
      return problem('unknown-function')
  }
}

/**
 * Number of bytes of a PDU that starts at `at`, minus the number of bytes before it is known, or 0 for an unknown function. For
 * parsers of RTU lines, where frames have no length field.
 */
export function sizeOfPdu(bytes: Uint8Array, at: number, end: number, isReply: boolean): number {
  const fc = bytes[at]
  if (fc === undefined || at >= end) return -1
  if (isReply) {
    if ((fc & EXCEPTION) !== 0) return isKnown(fc & 0x7f) ? 2 : 0
    if (fc <= 4 || fc === 23) {
      if (!isKnown(fc)) return 0
      if (at + 1 >= end) return -1
      const count = bytes[at + 1] ?? 0
      const isPossible = count > 0 && (fc <= 2 || count % 2 === 0)
      return isPossible ? 2 + count : 0
    }
  } else {
    if (fc === 15 || fc === 16) return at + 5 < end ? 6 + (bytes[at + 5] ?? 0) : -(at + 6 - end)
    if (fc === 23) return at + 9 < end ? 10 + (bytes[at + 9] ?? 0) : -(at + 10 - end)
  }
  if (!isKnown(fc)) return 0
  return fc === 22 ? 7 : 5
}
