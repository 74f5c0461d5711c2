import { parseHex } from '@isotherm/codecs/bytes/hex'
import {
  EVERY_METER,
  encodeCjtRead,
  encodeCjtRefusal,
  encodeCjtValve,
  encodeCjtValveReply,
  toCjtAddress,
} from '@isotherm/codecs/cjt188/encode'
import { encodeReqUd2, encodeRspUd, encodeSndNke, mbusAck } from '@isotherm/codecs/mbus/encode'
import { encodeRtu, encodeTcp } from '@isotherm/codecs/modbus/encode'
import type { LineFormat, LineFrame } from '@isotherm/codecs/stream/line-parser'
import { expect, test } from 'vitest'
import { isCjtReply, isMbusReply, isModbusReply } from './is-reply.ts'
import { simulateCjtMeter } from './simulated-devices.testkit.ts'

const address = toCjtAddress('00001112345678') ?? EVERY_METER
const toFrame = (format: LineFormat, bytes: Uint8Array | undefined): LineFrame => ({
  format,
  bytes: bytes ?? new Uint8Array(),
  isAck: false,
})
const ack: LineFrame = { format: 'mbus', bytes: mbusAck(), isAck: true }

test('CJ/T 188: a reply repeats address, function and sequence of its request', () => {
  const request = encodeCjtRead({ address, sequence: 7 })
  const isReply = isCjtReply(request)
  const replyTo = (sequence: number, to = address) =>
    toFrame('cjt188', simulateCjtMeter(to).answer(encodeCjtRead({ address: to, sequence })))
  expect(isReply(replyTo(7))).toBe(true)
  // A late answer to the request before, another meter, an echo, and an order's reply.
  expect(isReply(replyTo(6))).toBe(false)
  expect(isReply(replyTo(7, toCjtAddress('00001112345679')))).toBe(false)
  expect(isReply(toFrame('cjt188', request))).toBe(false)
  expect(isReply(toFrame('cjt188', encodeCjtValveReply({ address, sequence: 7 }, 0)))).toBe(false)
  expect(isReply(toFrame('cjt188', encodeCjtRefusal({ address, sequence: 9 }, 0x01, 0)))).toBe(true)
  expect(isReply(ack)).toBe(false)
  expect(isCjtReply(encodeCjtValve({ address, sequence: 7 }, 'open'))(ack)).toBe(true)
})

test('CJ/T 188: the reply to another identifier of the same poll is none, the other byte order is', () => {
  const current = encodeCjtRead({ address, sequence: 7 })
  const month = encodeCjtRead({ address, sequence: 7 }, 0xd120)
  const reply = toFrame('cjt188', simulateCjtMeter(address).answer(current))
  expect(isCjtReply(current)(reply)).toBe(true)
  expect(isCjtReply(month)(reply)).toBe(false)
  const little = encodeCjtRead({ address, sequence: 7, order: 'little' })
  expect(isCjtReply(little)(reply)).toBe(true)
})

test('M-Bus: E5 answers a reset, a telegram of the selected meter a request for data', () => {
  const telegramOf = (id: string) =>
    toFrame('mbus', encodeRspUd(1, { id, manufacturer: 'KAM', version: 1, medium: 4 }, 1, []))
  expect(isMbusReply(encodeSndNke(253), '12345678')(ack)).toBe(true)
  const isReply = isMbusReply(encodeReqUd2(253, true), '12345678')
  expect([isReply(ack), isReply(telegramOf('12345678')), isReply(telegramOf('12345679'))]).toEqual([
    false,
    true,
    false,
  ])
  expect(isMbusReply(encodeReqUd2(1, true), undefined)(telegramOf('12345679'))).toBe(true)
  // An old meter with the fixed structure has its number too.
  const old = toFrame(
    'mbus',
    parseHex('68 13 13 68 08 05 73 78 56 34 12 0A 00 05 3E 34 12 00 00 35 01 00 00 5D 16'),
  )
  expect(isReply(old)).toBe(true)
  expect(isMbusReply(encodeReqUd2(253, true), '12345679')(old)).toBe(false)
  expect(isMbusReply(encodeReqUd2(2, true), undefined)(telegramOf('12345679'))).toBe(false)
})

test('Modbus: unit, function and extent are those of the request, with TCP also the transaction', () => {
  const read = { kind: 'read-request', fc: 3, start: 0, count: 2 } as const
  const registers = (count: number) =>
    ({ kind: 'registers', fc: 3, registers: Array.from({ length: count }, () => 1) }) as const
  const isRtu = isModbusReply(encodeRtu(5, read), 'rtu')
  expect(isRtu(toFrame('modbus-rtu', encodeRtu(5, registers(2))))).toBe(true)
  expect(isRtu(toFrame('modbus-rtu', encodeRtu(6, registers(2))))).toBe(false)
  expect(isRtu(toFrame('modbus-rtu', encodeRtu(5, registers(3))))).toBe(false)
  const refusal = { kind: 'exception', fc: 3, code: 2, name: '' } as const
  expect(isRtu(toFrame('modbus-rtu', encodeRtu(5, refusal)))).toBe(true)
  const isTcp = isModbusReply(encodeTcp(9, 5, read), 'tcp')
  expect(isTcp(toFrame('modbus-tcp', encodeTcp(9, 5, registers(2))))).toBe(true)
  expect(isTcp(toFrame('modbus-tcp', encodeTcp(8, 5, registers(2))))).toBe(false)
  const write = { kind: 'write-register', fc: 6, address: 100, value: 50 } as const
  const isWritten = isModbusReply(encodeRtu(5, write), 'rtu')
  expect(isWritten(toFrame('modbus-rtu', encodeRtu(5, write)))).toBe(true)
  expect(isWritten(toFrame('modbus-rtu', encodeRtu(5, { ...write, value: 40 })))).toBe(false)
})
