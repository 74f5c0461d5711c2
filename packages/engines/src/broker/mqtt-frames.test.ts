import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFrameGuard } from './mqtt-frames.ts'

const guardWith = (maxPacketBytes: number) => {
  const ids: number[] = []
  return { ids, check: createFrameGuard({ maxPacketBytes, onPuback: (id) => ids.push(id) }) }
}

interface Sent {
  readonly bytes: Buffer
  readonly acknowledges: readonly number[]
}

const packetOf = (firstByte: number, body: Uint8Array): Buffer => {
  const { length } = body
  const size = length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7]
  return Buffer.concat([Buffer.from([firstByte, ...size]), body])
}

const packets = fc.array(
  fc.oneof(
    fc
      .integer({ min: 1, max: 65_535 })
      .map((id): Sent => ({ bytes: packetOf(0x40, Buffer.from([id >> 8, id & 0xff])), acknowledges: [id] })),
    fc.constant<Sent>({ bytes: packetOf(0xc0, Buffer.alloc(0)), acknowledges: [] }),
    fc
      .uint8Array({ maxLength: 400 })
      .map((body): Sent => ({ bytes: packetOf(0x30, body), acknowledges: [] })),
  ),
)

test('the ids of all acknowledgements are read for any division of the bytes', () => {
  fc.assert(
    fc.property(packets, fc.integer({ min: 1, max: 50 }), (sent, size) => {
      const bytes = Buffer.concat(sent.map((packet) => packet.bytes))
      const { ids, check } = guardWith(1_000)
      for (let at = 0; at < bytes.length; at += size) expect(check(bytes.subarray(at, at + size))).toBe('ok')
      expect(ids).toEqual(sent.flatMap((packet) => packet.acknowledges))
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

test('any bytes give a result instead of an exception', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(['ok', 'too-large', 'malformed']).toContain(guardWith(300).check(bytes))
    }),
  )
})
