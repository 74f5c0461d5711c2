import { expect, it } from 'vitest'
import { EVERY_METER, encodeCjtHeatReply } from './cjt188/encode.ts'
import { findCjt } from './cjt188/frame.ts'
import { findDlt } from './dlt645/frame.ts'
import { bytesOf, toLongFrame, withSum } from './frames.testkit.ts'
import { decodeEverything, decodeInner, listNoise } from './fuzz.testkit.ts'
import { findMbus } from './mbus/frame.ts'
import { encodeRtu } from './modbus/encode.ts'
import { decodeRtu } from './modbus/frame.ts'
import { createLineParser } from './stream/line-parser.ts'

const INPUTS = 20_000

const samples = [
  encodeCjtHeatReply(
    { address: EVERY_METER, sequence: 1 },
    {
      settlementKwh: 1000,
      energyKwh: 1234.56,
      powerKw: 12.5,
      flowM3h: 0.8123,
      volumeM3: 99.5,
      supplyTempC: 48.25,
      returnTempC: 38.1,
      hours: 4321,
      clockMs: 1_763_654_400_000,
      zoneMs: 0,
      status: 0,
    },
  ),
  toLongFrame(
    '08 05 72 78 56 34 12 2D 2C 01 04 55 00 00 00 0C 06 78 56 34 12 04 6D 0B 0B CD 13 02 FD 48 2D 09',
  ),
  withSum('68 01 00 00 00 00 00 68 91 08 33 33 34 33 89 67 45 33'),
  encodeRtu(1, { kind: 'registers', fc: 3, registers: [50, 100, 0x6810, 0x1616] }),
]

it('never throws on any bytes', () => {
  for (const bytes of listNoise(1, INPUTS)) {
    decodeEverything(bytes)
    decodeInner(bytes)
  }
})

it('never throws on a good frame of which bytes are lost or changed', () => {
  for (const sample of samples) {
    for (let at = 0; at < sample.length; at++) {
      decodeEverything(sample.subarray(0, at))
      decodeEverything(Uint8Array.of(...sample.subarray(0, at), ...sample.subarray(at + 1)))
      decodeInner(sample.subarray(at))
    }
  }
})

/**
 * A sum of eight bits detects every change of one byte, and a CRC every change of up to three bits. A change could
 * still make a shorter valid frame start within the damaged one, but that frame needs a right sum too: these samples
 * have none. Two changed bytes can cancel each other in a sum (1 of 256 pairs); the plausibility rules of the server
 * find those.
 */
it('accepts no reading from a frame of which one byte is changed', () => {
  const isAccepted = [
    (bytes: Uint8Array) => findCjt(bytes).kind === 'frame',
    (bytes: Uint8Array) => 'ci' in findMbus(bytes),
    (bytes: Uint8Array) => findDlt(bytes).kind === 'frame',
    (bytes: Uint8Array) => decodeRtu(bytes, 'reply').kind === 'rtu',
  ]
  for (const [index, sample] of samples.entries()) {
    expect(isAccepted[index]?.(sample)).toBe(true)
    for (let at = 0; at < sample.length; at++) {
      for (let by = 1; by < 256; by++) {
        const changed = sample.with(at, ((sample[at] ?? 0) + by) & 0xff)
        if (isAccepted[index]?.(changed)) throw new Error(`sample ${index}: byte ${at} + ${by}`)
      }
    }
  }
})

it('finds the good frame after any noise on the line', () => {
  const [good = new Uint8Array()] = samples
  for (const noise of listNoise(2, 2000)) {
    const parser = createLineParser({ formats: ['mbus', 'dlt645', 'cjt188'] })
    const found = [...parser.push(noise, 0), ...parser.push(good, 1), ...parser.tick(1000)]
    expect(found.some(({ bytes }) => bytes.length === good.length)).toBe(true)
  }
})

it('reads frames that contain the start bytes of others as what they are', () => {
  const parser = createLineParser({ formats: ['mbus', 'dlt645', 'cjt188'] })
  const tricky = withSum('68 20 68686868686868 01 03 1F 90 16')
  expect(parser.push(Uint8Array.of(...bytesOf('FEFE'), ...tricky), 0)).toMatchObject([
    { format: 'cjt188', bytes: tricky },
  ])
})
