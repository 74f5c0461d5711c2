import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestDirectory } from '../messages/sample-directory.testkit.ts'
import { parseFrames } from './raw-frame.ts'

const directory = createTestDirectory()
const context = {
  gatewayId: 1,
  received: 1_000_000,
  findDevice: (name: string) => directory.find('demo', name),
  nextPart: () => 7,
}
const parse = (message: unknown) => parseFrames(Buffer.from(JSON.stringify(message)), context)
const head = { v: 1, boot: 3, seq: 9, ts: 5_000 }

test('frames of an envelope belong to the device they name, to no device if it is unknown, and to the gateway without a name', () => {
  const f = [
    { hex: 'FE68' },
    { id: 'c1v1', ts: 4_000, dir: 'tx', hex: '10' },
    { id: '11110012345678', dir: 'rx', hex: 'e5' },
  ]
  const own = { gatewayId: 1, boot: 3, seq: 9, received: 1_000_000 }
  expect(parse({ ...head, f })).toEqual({
    kind: 'parsed',
    number: { boot: 3, seq: 9 },
    frames: [
      { ...own, part: 0, ts: 5_000, device: 1, named: '', isSent: false, bytes: Buffer.from([0xfe, 0x68]) },
      { ...own, part: 1, ts: 4_000, device: 2, named: 'c1v1', isSent: true, bytes: Buffer.from([0x10]) },
      {
        ...own,
        part: 2,
        ts: 5_000,
        device: 0,
        named: '11110012345678',
        isSent: false,
        bytes: Buffer.from([0xe5]),
      },
    ],
    rejects: [],
  })
})

test('a bad frame is rejected, and the others of its message are accepted', () => {
  const parsed = parse({ ...head, f: [{ hex: '6' }, { hex: '68' }, { hex: '' }, 4] })
  expect(parsed).toMatchObject({ kind: 'parsed', frames: [{ part: 1 }] })
  const reason = 'wrong-schema'
  expect(parsed).toMatchObject({
    rejects: [
      { reason, part: '{"hex":"6"}' },
      { reason, part: '{"hex":""}' },
      { reason, part: '4' },
    ],
  })
})

test('an envelope without frames is rejected', () => {
  expect(parse({ ...head, f: [] })).toEqual({ kind: 'rejected', reason: 'wrong-schema' })
})

test('any bytes of a transparent gateway are one unchanged frame', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), (bytes) => {
      const parsed = parseFrames(bytes, context)
      fc.pre(bytes[0] !== 0x7b)
      expect(parsed).toEqual({
        kind: 'parsed',
        frames: [
          {
            gatewayId: 1,
            ts: 1_000_000,
            boot: 0,
            seq: 0,
            part: 7,
            bytes,
            device: 1,
            named: '',
            isSent: false,
            received: 1_000_000,
          },
        ],
        rejects: [],
      })
    }),
  )
})
