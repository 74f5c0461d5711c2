import fc from 'fast-check'
import { generate } from 'mqtt-packet'
import { expect, test } from 'vitest'
import { createFrameGuard } from './mqtt-frames.ts'

const guardWith = (maxPacketBytes: number) => {
  const ids: number[] = []
  return { ids, check: createFrameGuard({ maxPacketBytes, onPuback: (id) => ids.push(id) }) }
}

const packets = fc.array(
  fc.oneof(
    fc.record({ cmd: fc.constant('puback' as const), messageId: fc.integer({ min: 1, max: 65_535 }) }),
    fc.constant({ cmd: 'pingreq' as const }),
    fc.uint8Array({ maxLength: 400 }).map((payload) => ({
      cmd: 'publish' as const,
      topic: 'a/b',
      payload: Buffer.from(payload),
      qos: 0 as const,
      dup: false,
      retain: false,
    })),
  ),
)

test('the ids of all acknowledgements are read, however the bytes are cut', () => {
  fc.assert(
    fc.property(packets, fc.integer({ min: 1, max: 50 }), (sent, size) => {
      const bytes = Buffer.concat(sent.map((packet) => generate(packet)))
      const { ids, check } = guardWith(1_000)
      for (let at = 0; at < bytes.length; at += size) expect(check(bytes.subarray(at, at + size))).toBe('ok')
      expect(ids).toEqual(sent.flatMap((packet) => (packet.cmd === 'puback' ? [packet.messageId] : [])))
    }),
  )
})

test('a packet is refused by its announced length, before its body arrives', () => {
  expect(guardWith(100).check(Buffer.from([0x30, 98]))).toBe('ok')
  expect(guardWith(100).check(Buffer.from([0x30, 99]))).toBe('too-large')
  expect(guardWith(256 * 1024).check(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f]))).toBe('too-large')
})

test('a length of more than four bytes is malformed', () => {
  expect(guardWith(100).check(Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff]))).toBe('malformed')
})

test('no bytes make it throw or lose count of a body', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(['ok', 'too-large', 'malformed']).toContain(guardWith(300).check(bytes))
    }),
  )
})
