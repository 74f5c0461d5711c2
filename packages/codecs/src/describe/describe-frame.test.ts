import { expect, it } from 'vitest'
import { toCrc16 } from '../bytes/checksums.ts'
import { EVERY_METER, encodeCjtRead, encodeCjtValve } from '../cjt188/encode.ts'
import { encodeDltRead } from '../dlt645/frame.ts'
import { bytesOf, toLongFrame, withSum } from '../frames.testkit.ts'
import { encodeReqUd2 } from '../mbus/encode.ts'
import { encodeRtu, encodeTcp } from '../modbus/encode.ts'
import { describeFrame } from './describe-frame.ts'
import { isRight } from './frame-report.ts'

const target = { address: EVERY_METER, sequence: 1 }

it('recognises each protocol by its bytes', () => {
  const protocolOf = (bytes: Uint8Array) => describeFrame(bytes)?.protocol
  expect(protocolOf(Uint8Array.of(0xfe, 0xfe, ...encodeCjtRead(target)))).toBe('cjt188')
  expect(protocolOf(encodeDltRead('000000000001', '00010000') ?? new Uint8Array())).toBe('dlt645')
  expect(protocolOf(toLongFrame('08 05 72 78 56 34 12 2D 2C 01 04 55 00 00 00 01 13 05'))).toBe('mbus')
  expect(protocolOf(encodeReqUd2(5, true))).toBe('mbus')
  expect(protocolOf(bytesOf('E5'))).toBe('mbus')
  expect(protocolOf(encodeRtu(1, { kind: 'registers', fc: 3, registers: [0x6810, 100] }))).toBe('modbus-rtu')
  expect(protocolOf(encodeTcp(1, 1, { kind: 'read-request', fc: 3, start: 0, count: 10 }))).toBe('modbus-tcp')
  expect(['00', '0103', '656667'].map((hex) => protocolOf(bytesOf(hex)))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

it('describes direction, action, address, fields and the bytes around the frame', () => {
  const valve = encodeCjtValve(target, 'close')
  expect(describeFrame(Uint8Array.of(0, ...valve, 1, 2))).toMatchObject({
    direction: 'request',
    action: 'writeData',
    address: 'AAAAAAAAAAAAAA',
    before: 1,
    after: 2,
    fields: [
      { name: 'meter-type' },
      { name: 'identifier', value: { text: 'A017' } },
      { name: 'sequence' },
      { name: 'valve-order', value: { code: 'close' } },
    ],
  })
  const write = encodeRtu(1, { kind: 'write-register', fc: 6, address: 100, value: 50 })
  expect(describeFrame(write)).toMatchObject({ direction: undefined, action: 'write-register' })
  expect(describeFrame(write, { direction: 'reply' })).toMatchObject({ direction: 'reply' })
  const stored = describeFrame(toLongFrame('08 05 72 78 56 34 12 2D 2C 01 04 55 00 00 00 52 13 05 00'))
  expect(stored?.fields.at(-1)).toMatchObject({ name: 'volume', function: 'maximum', storage: 1 })
})

it('names refusals and damage', () => {
  expect(describeFrame(bytesOf('018302C0F1'))).toMatchObject({
    refusal: 'illegal-address',
    direction: 'reply',
  })
  expect(describeFrame(bytesOf('68040468080170088116'))).toMatchObject({ refusal: 'application-busy' })
  expect(describeFrame(withSum('68 20 78563412110000 C1 03 05 01 02'))).toMatchObject({ refusal: '0102' })
  const damaged = describeFrame(encodeCjtRead(target).with(-2, 0))
  expect(damaged).toMatchObject({ protocol: 'cjt188', problem: 'bad-sum' })
  expect(damaged && isRight(damaged.checksum)).toBe(false)
  expect(describeFrame(toLongFrame('08 05 72 78 56 34 12 2D 2C 01 04 55 00 00 00 04 13 05'))).toMatchObject({
    problem: 'truncated',
  })
  expect(describeFrame(encodeCjtRead(target).subarray(0, -3))).toMatchObject({ problem: 'incomplete' })
})

it('recognises a Modbus frame with a wrong sum by its length', () => {
  const reply = encodeRtu(3, { kind: 'registers', fc: 4, registers: [0xff9c, 3600] })
  expect(describeFrame(reply.with(-1, 0xd3))).toMatchObject({
    protocol: 'modbus-rtu',
    problem: 'bad-sum',
    checksum: { kind: 'crc', expected: 0xd22d, found: 0xd32d },
  })
})

it('looks into the upload of a concentrator', () => {
  const inner = encodeCjtRead(target)
  const head = [...'CTRL:'].map((letter) => letter.charCodeAt(0))
  const id = [...'201810000001696'].map((letter) => letter.charCodeAt(0))
  expect(describeFrame(Uint8Array.of(...head, 21 + inner.length, ...id, ...inner))).toMatchObject({
    protocol: 'concentrator',
    address: '201810000001696',
    inner: { protocol: 'cjt188' },
  })
})

it('says at which byte a damaged frame is wrong, and what the format requires there', () => {
  const cjt = Uint8Array.of(0xfe, ...encodeCjtRead(target))
  expect(describeFrame(cjt.with(-1, 0x17))).toMatchObject({
    problem: 'bad-end',
    place: { at: 16, found: 0x17, expected: 0x16 },
  })
  expect(describeFrame(cjt.with(-2, 0))).toMatchObject({
    problem: 'bad-sum',
    place: { at: 15, found: 0, expected: cjt.at(-2) },
  })
  expect(describeFrame(cjt.subarray(0, -3))).toMatchObject({
    problem: 'incomplete',
    place: { at: 14, missing: 3 },
  })
  const dlt = encodeDltRead('000000000001', '00010000') ?? new Uint8Array()
  expect(describeFrame(dlt.with(-1, 0))).toMatchObject({
    protocol: 'dlt645',
    problem: 'bad-end',
    checksum: { kind: 'none' },
    place: { at: 15, found: 0, expected: 0x16 },
  })
  const mbus = toLongFrame('08 05 72 78 56 34 12 2D 2C 01 04 55 00 00 00 01 13 05')
  expect(describeFrame(mbus.with(2, 0x11))).toMatchObject({
    problem: 'bad-length',
    place: { at: 2, found: 0x11, expected: 0x12 },
  })
  expect(describeFrame(mbus.with(1, 0x20))).toMatchObject({
    protocol: 'mbus',
    place: { at: 1, found: 0x20, expected: 0x12 },
  })
  expect(describeFrame(bytesOf('68 02 02 68 08 05 0D 16'))).toMatchObject({
    problem: 'bad-length',
    place: { at: 1, found: 2 },
  })
})

it('says at which byte the data of a whole frame is wrong', () => {
  const record = describeFrame(toLongFrame('08 05 72 78 56 34 12 2D 2C 01 04 55 00 00 00 01 13 05 04 13 05'))
  expect(record).toMatchObject({ problem: 'truncated', place: { at: 22, found: 0x04 } })
  const header = describeFrame(toLongFrame('08 05 72 78 56'))
  expect(header).toMatchObject({ problem: 'truncated', place: { at: 7, found: 0x78 } })
  // 77 is no unit; the identifier, the sequence and the bytes stay readable.
  const units = describeFrame(
    withSum('68 10 78563412110000 81 16 1F 90 07 00341200 2C 00001000 77 00301408012620 0000'),
  )
  expect(units).toMatchObject({
    problem: 'units',
    place: { at: 23, found: 0x77 },
    fields: [
      { name: 'meter-type' },
      { name: 'identifier', value: { text: '901F' } },
      { name: 'sequence', value: { number: 7 } },
      { name: 'data', value: { hex: '003412002C0000100077003014080126200000' } },
    ],
  })
  const body = bytesOf('03 2B 0E 01 00')
  const crc = toCrc16(body)
  expect(describeFrame(Uint8Array.of(...body, crc & 0xff, crc >> 8))).toMatchObject({
    problem: 'unknown-function',
    place: { at: 1, found: 0x2b },
  })
})

it('counts no wake-up bytes directly before a frame as bytes of no frame', () => {
  const dlt = encodeDltRead('000000000001', '00010000') ?? new Uint8Array()
  expect(describeFrame(Uint8Array.of(0xfe, 0xfe, ...dlt))).toMatchObject({ protocol: 'dlt645', before: 0 })
  expect(describeFrame(Uint8Array.of(0xaa, 0xfe, 0xfe, ...dlt))).toMatchObject({ before: 1 })
  const damaged = Uint8Array.of(0xfe, 0xfe, ...encodeCjtRead(target).with(-2, 0))
  expect(describeFrame(damaged)).toMatchObject({ problem: 'bad-sum', before: 0 })
})
