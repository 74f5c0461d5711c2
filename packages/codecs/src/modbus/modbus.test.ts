import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toHex } from '../bytes/hex.ts'
import { bytesOf } from '../frames.testkit.ts'
import { encodeModbusPdu, encodeRtu, encodeTcp } from './encode.ts'
import { decodeRtu, decodeTcp } from './frame.ts'
import { decodeModbusReply, decodeModbusRequest, type ModbusPdu } from './pdu.ts'
import { byteOrders, readRegisters, registerTypes, toRegisters } from './registers.ts'

const requests: readonly ModbusPdu[] = [
  { kind: 'read-request', fc: 1, start: 19, count: 37 },
  { kind: 'read-request', fc: 3, start: 0xff83, count: 125 },
  { kind: 'write-coil', fc: 5, address: 172, value: true },
  { kind: 'write-register', fc: 6, address: 100, value: 50 },
  {
    kind: 'write-coils-request',
    fc: 15,
    start: 19,
    coils: [true, false, true, true, false, false, true, true, true, false],
  },
  { kind: 'write-registers-request', fc: 16, start: 1, registers: [10, 258] },
  { kind: 'mask-write', fc: 22, address: 4, and: 0xf2, or: 0x25 },
  { kind: 'read-write-request', fc: 23, start: 3, count: 6, writeStart: 14, registers: [255, 255, 255] },
]
const replies: readonly ModbusPdu[] = [
  { kind: 'coils', fc: 2, coils: [true, false, true, true, false, false, true, true] },
  { kind: 'registers', fc: 4, registers: [10, 65535] },
  { kind: 'registers', fc: 23, registers: [254] },
  { kind: 'written', fc: 15, start: 19, count: 10 },
  { kind: 'written', fc: 16, start: 1, count: 2 },
  { kind: 'exception', fc: 3, code: 2, name: 'illegal-address' },
]

it('reads back every request and reply, on a serial line and over TCP', () => {
  for (const pdu of requests) {
    expect(decodeModbusRequest(encodeModbusPdu(pdu))).toEqual(pdu)
    expect(decodeRtu(encodeRtu(17, pdu), 'request')).toMatchObject({ kind: 'rtu', unit: 17, pdu })
    expect(decodeTcp(encodeTcp(0x1234, 17, pdu), 'request')).toMatchObject({
      kind: 'tcp',
      transaction: 0x1234,
      unit: 17,
      pdu,
    })
  }
  for (const pdu of replies) {
    expect(decodeModbusReply(encodeModbusPdu(pdu))).toEqual(pdu)
    expect(decodeRtu(encodeRtu(17, pdu), 'reply')).toMatchObject({ pdu })
  }
})

it('writes the frames of the specification’s examples', () => {
  expect(toHex(encodeRtu(1, { kind: 'write-register', fc: 6, address: 100, value: 50 }))).toBe(
    '01060064003249C0',
  )
  expect(toHex(encodeTcp(1, 17, { kind: 'read-request', fc: 3, start: 107, count: 3 }))).toBe(
    '0001000000061103006B0003',
  )
})

it('refuses wrong sums, lengths and ranges', () => {
  expect(decodeRtu(bytesOf('01060064003249C1'), 'request')).toEqual({
    kind: 'bad-crc',
    expected: 0xc049,
    found: 0xc149,
  })
  expect(decodeRtu(bytesOf('0106'), 'request')).toEqual({ kind: 'incomplete', missing: 3 })
  expect(decodeTcp(bytesOf('000100000006110300'), 'request')).toEqual({ kind: 'incomplete', missing: 3 })
  expect(decodeTcp(bytesOf('0001000100061103006B0003'), 'request')).toEqual({ kind: 'bad-head' })
  const reasons = [
    '0300000000',
    '030000007E',
    '03FFFF0002',
    '05000012',
    '0500001234',
    '10000000020300320064',
    '2B0E010000',
    '',
  ].map((hex) => decodeModbusRequest(hex === '' ? new Uint8Array() : bytesOf(hex)))
  expect(reasons.map((each) => each.kind === 'bad-pdu' && each.reason)).toEqual([
    'out-of-range',
    'out-of-range',
    'out-of-range',
    'too-short',
    'out-of-range',
    'wrong-length',
    'unknown-function',
    'unknown-function',
  ])
  expect(decodeModbusReply(bytesOf('0305003200'))).toEqual({ kind: 'bad-pdu', reason: 'wrong-length' })
})

it('reads numbers from registers in each byte order', () => {
  // 1234.5 as a float is 44 9A 50 00.
  const words: Record<string, number[]> = {
    ABCD: [0x449a, 0x5000],
    CDAB: [0x5000, 0x449a],
    BADC: [0x9a44, 0x0050],
    DCBA: [0x0050, 0x9a44],
  }
  for (const order of byteOrders) expect(readRegisters(words[order] ?? [], 0, 'f32', order)).toBe(1234.5)
  expect(readRegisters([0xffff, 0xfffe], 0, 'i32')).toBe(-2)
  expect(readRegisters([7, 0xfff6], 1, 'i16')).toBe(-10)
  expect(readRegisters([7], 0, 'u32')).toBeUndefined()
  expect(readRegisters([0x7fc0, 0], 0, 'f32')).toBeUndefined()
})

it('writes numbers that it reads back, and refuses those that a type cannot hold', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...registerTypes),
      fc.constantFrom(...byteOrders),
      fc.integer({ min: 0, max: 32_767 }),
      (type, order, value) => {
        expect(readRegisters(toRegisters(value, type, order) ?? [], 0, type, order)).toBe(value)
      },
    ),
  )
  expect(toRegisters(65_536, 'u16')).toBeUndefined()
  expect(toRegisters(-1, 'u32')).toBeUndefined()
  expect(toRegisters(Number.NaN, 'f32')).toBeUndefined()
})
