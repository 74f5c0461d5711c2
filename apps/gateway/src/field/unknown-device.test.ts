import type { LineFrame } from '@isotherm/codecs/stream/line-parser'
import { expect, test } from 'vitest'
import { createUnknownDeviceCheck, isUnknownOf } from './unknown-device.ts'

/** A reply of a meter with the fixed structure (CI 73), with its sum. */
function toFixedReply(primary: number, id: string): LineFrame {
  const digits = id.match(/../g)?.reverse() ?? []
  const data = [
    0x08,
    primary,
    0x73,
    ...digits.map((pair) => Number.parseInt(pair, 16)),
    1,
    0,
    5,
    5,
    1,
    0,
    0,
    0,
    2,
    0,
    0,
    0,
  ]
  const sum = data.reduce((total, byte) => total + byte, 0) & 0xff
  const bytes = Uint8Array.from([0x68, data.length, data.length, 0x68, ...data, sum, 0x16])
  return { format: 'mbus', bytes, isAck: false } as LineFrame
}

test('a meter of the fixed structure has the name of its number, as its line may know it', () => {
  const reply = toFixedReply(0, '12345678')
  expect(createUnknownDeviceCheck([])(reply)).toMatchObject({ address: '12345678' })
  expect(createUnknownDeviceCheck([{ address: '12345678' }])(reply)).toBeUndefined()
  expect(createUnknownDeviceCheck([{ address: '0' }])(reply)).toBeUndefined()
})

test('after a new configuration a device is unknown if its line stays and does not have it', () => {
  const device = { serial: 'M1', address: '00001112345678', profile: 'heat-meter-cjt188' }
  const lines = [
    { id: 'L1', devices: [device] },
    { id: 'L2', devices: [] },
  ]
  const isUnknown = (line: string | undefined, address: string) =>
    isUnknownOf(lines, { address, ...(line !== undefined && { line }) })
  expect(isUnknown('L1', '1112345678')).toBe(false)
  expect(isUnknown('L1', '1112345679')).toBe(true)
  expect(isUnknown('L2', '1112345678')).toBe(true)
  expect(isUnknown('L3', '1112345678')).toBe(false)
  expect(isUnknown(undefined, '1112345678')).toBe(false)
})
