import { expect, test } from 'vitest'
import { createReplicaCodec } from './replica-codec.ts'

const secret = 'a secret of the tests only'
let now = 1_000
const createCodec = (of = secret) => createReplicaCodec(of, { now: () => now, elapsed: () => now })
const body = (text: string) => Buffer.from(text)

test('a replica with the same secret can read a packet', () => {
  const [one, other] = [createCodec(), createCodec()]
  expect(other.read(one.write(body('readings')))).toEqual({ body: body('readings'), missedSince: undefined })
  expect(other.read(one.write(body('')))).toEqual({ body: body(''), missedSince: undefined })
})

test('a lost packet is detected for each sender', () => {
  const [one, two, reader] = [createCodec(), createCodec(), createCodec()]
  const receive = (from: typeof one, text: string) => {
    now += 1_000
    return reader.read(from.write(body(text)))?.missedSince
  }
  now = 0
  expect(receive(one, '1')).toBeUndefined()
  one.write(body('2'))
  expect(receive(two, '1')).toBeUndefined()
  expect(receive(one, '3')).toBe(1_000)
  expect(receive(one, '4')).toBeUndefined()
})

test('replicas are listed that sent a packet within a time, by their names', () => {
  const [one, two, reader] = [createCodec(), createCodec(), createCodec()]
  now = 100_000
  expect(reader.listSenders(60_000)).toEqual([])
  for (const from of [one, one, two]) reader.read(from.write(body('x')))
  expect(reader.listSenders(60_000)).toEqual([one.name, two.name])
  now += 59_000
  reader.read(two.write(body('y')))
  now += 2_000
  expect(reader.listSenders(60_000)).toEqual([two.name])
})

test('a repeated packet is ignored', () => {
  const [one, reader] = [createCodec(), createCodec()]
  const packets = ['1', '2', '3'].map((text) => one.write(body(text)))
  expect(packets.map((packet) => reader.read(packet)?.body.length)).toEqual([1, 1, 1])
  expect(packets.map((packet) => reader.read(packet))).toEqual([undefined, undefined, undefined])
  expect(reader.read(one.write(body('4')))).toBeDefined()
})

test('a packet of a stranger or with changed bytes is ignored', () => {
  const reader = createCodec()
  const packet = createCodec().write(body('readings'))
  expect(reader.read(createCodec('another secret altogether').write(body('readings')))).toBeUndefined()
  expect(reader.read(packet.subarray(0, 20))).toBeUndefined()
  for (let at = 0; at < packet.length; at += 1) {
    const changed = Buffer.from(packet)
    changed.writeUInt8(packet.readUInt8(at) ^ 1, at)
    expect(reader.read(changed)).toBeUndefined()
  }
  expect(reader.read(packet)).toBeDefined()
})
