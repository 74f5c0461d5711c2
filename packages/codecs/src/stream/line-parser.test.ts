import fc from 'fast-check'
import { expect, it } from 'vitest'
import { EVERY_METER, encodeCjtRead } from '../cjt188/encode.ts'
import { encodeDltRead } from '../dlt645/frame.ts'
import { bytesOf, toLongFrame, withSum } from '../frames.testkit.ts'
import { encodeReqUd2 } from '../mbus/encode.ts'
import { encodeRtu, encodeTcp } from '../modbus/encode.ts'
import { createLineParser, type LineFormat, MAX_BUFFER } from './line-parser.ts'

const serial = ['mbus', 'dlt645', 'cjt188'] as const
const cjt = encodeCjtRead({ address: EVERY_METER, sequence: 1 })
const dlt = encodeDltRead('000000000001', '00010000') ?? new Uint8Array()
const long = toLongFrame('08 05 72 78 56 34 12 2D 2C 01 04 55 00 00 00 01 13 05')

const join = (...parts: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

it('separates the frames of several formats, in whatever pieces they arrive', () => {
  const frames: readonly (readonly [LineFormat, Uint8Array])[] = [
    ['cjt188', cjt],
    ['dlt645', dlt],
    ['mbus', long],
    ['mbus', encodeReqUd2(5, true)],
  ]
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...frames), { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 0, max: 6 }),
      (sent, cuts, wakeUp) => {
        const parser = createLineParser({ formats: serial })
        const bytes = join(...sent.flatMap(([, frame]) => [new Uint8Array(wakeUp).fill(0xfe), frame]))
        const found = []
        for (let at = 0, cut = 0; at < bytes.length; cut++) {
          const size = cuts[cut % cuts.length] ?? 1
          found.push(...parser.push(bytes.subarray(at, at + size), cut))
          at += size
        }
        expect(found.map(({ format }) => format)).toEqual(sent.map(([format]) => format))
        expect(found.map(({ bytes: each }) => each)).toEqual(sent.map(([, frame]) => frame))
        expect(parser.skipped).toBe(0)
      },
    ),
  )
})

it('finds the frames of a line of one format that arrives byte by byte', () => {
  const reply = { kind: 'registers', fc: 3, registers: [50, 100] } as const
  const frames: readonly (readonly [LineFormat, Uint8Array])[] = [
    ['cjt188', cjt],
    ['dlt645', dlt],
    ['mbus', long],
    ['modbus-rtu', encodeRtu(1, reply)],
    ['modbus-tcp', encodeTcp(7, 1, reply)],
  ]
  for (const [format, frame] of frames) {
    const parser = createLineParser({ formats: [format] })
    const found = [...join(frame, frame)].flatMap((byte) => parser.push(Uint8Array.of(byte), 0))
    expect(
      found.map(({ bytes }) => bytes),
      format,
    ).toEqual([frame, frame])
  }
})

it('moves on by one byte after a false start', () => {
  const parser = createLineParser({ formats: ['cjt188'] })
  // The false start announces no data, so its end would be within the true frame.
  const true188 = withSum('68 20 01000000000000 01 03 1F9007')
  const found = parser.push(join(bytesOf('68 20 68 20'), true188, withSum('68 10 01000000000000 81 00')), 0)
  expect(found.map(({ bytes }) => bytes.length)).toEqual([16, 13])
})

it('gives up the rest of a frame after silence, but not a whole frame within it', () => {
  const parser = createLineParser({ formats: ['cjt188'], silenceMs: 500 })
  // The false start announces 255 bytes of data.
  expect(parser.push(join(bytesOf('68 20 00000000000000 81 FF'), cjt), 0)).toEqual([])
  expect(parser.tick(499)).toEqual([])
  expect(parser.tick(500).map(({ bytes }) => bytes)).toEqual([cjt])
  expect(parser.pending).toBe(0)
  expect(parser.push(cjt.subarray(0, 8), 1000)).toEqual([])
  expect(parser.push(cjt, 2000)).toHaveLength(1)
})

it('takes E5 as an acknowledgement only where a frame may start', () => {
  const parser = createLineParser({ formats: ['mbus'] })
  expect(parser.push(bytesOf('E5'), 0)).toMatchObject([{ isAck: true }])
  expect(parser.push(join(long, bytesOf('E5')), 1)).toMatchObject([{ isAck: false }, { isAck: true }])
  expect(parser.push(bytesOf('00 E5'), 2)).toEqual([])
  expect(parser.push(bytesOf('E5'), 600)).toMatchObject([{ isAck: true }])
})

it('finds Modbus frames of a serial line and of TCP', () => {
  const reply = { kind: 'registers', fc: 3, registers: [50, 100] } as const
  const rtu = createLineParser({ formats: ['modbus-rtu'] })
  expect(rtu.push(join(bytesOf('00 FF'), encodeRtu(1, reply), encodeRtu(2, reply)), 0)).toMatchObject([
    { bytes: encodeRtu(1, reply) },
    { bytes: encodeRtu(2, reply) },
  ])
  const request = { kind: 'write-registers-request', fc: 16, start: 1, registers: [1, 2, 3] } as const
  const tcp = createLineParser({ formats: ['modbus-tcp'], direction: 'request' })
  const bytes = encodeTcp(7, 1, request)
  expect(tcp.push(bytes.subarray(0, 5), 0)).toEqual([])
  expect(tcp.push(join(bytes.subarray(5), bytes), 0)).toHaveLength(2)
})

it('stores at most its buffer, whatever arrives', () => {
  const parser = createLineParser({ formats: [...serial, 'modbus-rtu', 'modbus-tcp'] })
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (noise) => {
      parser.push(noise, 0)
      expect(parser.pending).toBeLessThan(MAX_BUFFER)
    }),
  )
})
