import { readFileSync } from 'node:fs'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { findReference, WITHOUT_REFERENCE } from '@isotherm/kernel/verification.testkit'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { CURRENT_DATA, toHex, toReadReply, toReadRequest } from './cjt188-frame.ts'
import { findRequest } from './cjt188-request.ts'

const head = { address: '22220000000001', identifier: CURRENT_DATA, sequence: 18 }
const display = {
  settlementKwh: 12_000,
  energyKwh: 1_012_345.67,
  powerKw: 34.7,
  flowM3h: 4.3215,
  volumeM3: 876.54,
  supplyTempC: 45.25,
  returnTempC: 37.5,
  hours: 61,
  // 20 November 2025, 16:00 in London, midnight in Beijing.
  clockMs: 1_763_654_400_000,
  status: 0,
}

it('writes each value at its place in the standard, low digits first, and rolls over at a million', () => {
  const parts = [
    '6820',
    '01000000002222',
    '812E1F9012',
    '0000200105',
    '6745230105',
    '7034000017',
    '1532040035',
  ]
  const rest = ['547608002C', '254500', '503700', '610000', '00000021112520', '0000', '3A16']
  expect(toHex(toReadReply(head, display))).toBe([...parts, ...rest].join(''))
})

it('ends with the sum of all bytes before it', () => {
  for (const bytes of [toReadReply(head, display), toReadRequest(head.address, 1)]) {
    const sum = bytes.slice(0, -2).reduce((total, byte) => (total + byte) % 256, 0)
    expect([bytes.at(-2), bytes.at(-1)]).toEqual([sum, 0x16])
    expect(bytes[10]).toBe(bytes.length - 13)
  }
})

it('refuses an invalid address', () => {
  expect(() => toReadRequest('123', 0)).toThrow(RangeError)
})

const path = findReference('protocols', 'cjt188-frames.json')
const decoded = z.object({
  ser: z.number(),
  settlement_or_cold_energy: z.string(),
  settlement_or_cold_energy_unit: z.string(),
  current_energy: z.string(),
  power: z.string(),
  power_unit: z.string(),
  flow: z.string(),
  volume: z.string(),
  supply_temp: z.string(),
  return_temp: z.string(),
  hours: z.string(),
  time: z.string(),
  st: z.string(),
})
const vectors = z.object({
  positive: z.array(
    z.object({
      id: z.string(),
      hex: z.string(),
      kind: z.string(),
      layout: z.string().optional(),
      frame: z.object({ addressDigits: z.string() }).optional(),
      decoded: z.unknown().optional(),
    }),
  ),
})

describe.skipIf(path === undefined)(`frames recorded in the field ${WITHOUT_REFERENCE}`, () => {
  it('equal our frames for the same values, except for the meter type and the checksum', () => {
    const { positive } = vectors.parse(JSON.parse(readFileSync(path ?? '', 'utf8')))
    const written = positive.flatMap(({ kind, layout, hex, frame, decoded: values }) => {
      const parsed = decoded.safeParse(values)
      if (kind !== 'heat-read-response' || !layout?.includes('unit-last') || !parsed.success || !frame)
        return []
      const { data } = parsed
      if (data.settlement_or_cold_energy_unit !== 'kWh' || data.power_unit !== 'kW') return []
      const [year, month, day, hour, minute, second] = [0, 4, 6, 8, 10, 12].map((at, index) =>
        Number(data.time.slice(at, at + (index === 0 ? 4 : 2))),
      )
      const clock = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
      const requested = { address: frame.addressDigits, identifier: CURRENT_DATA, sequence: data.ser }
      const bytes = toReadReply(requested, {
        settlementKwh: Number(data.settlement_or_cold_energy),
        energyKwh: Number(data.current_energy),
        powerKw: Number(data.power),
        flowM3h: Number(data.flow),
        volumeM3: Number(data.volume),
        supplyTempC: Number(data.supply_temp),
        returnTempC: Number(data.return_temp),
        hours: Number(data.hours),
        clockMs: clock - 8 * HOUR_MS,
        status: Number.parseInt(data.st, 16),
      })
      const recordedBytes = hex.replace(/^(FE)+/, '')
      return [[toHex(bytes).slice(4, -4), recordedBytes.slice(4, -4)]]
    })
    expect(written.length).toBeGreaterThan(0)
    for (const [ours, theirs] of written) expect(ours).toBe(theirs)
  })
  it('parse as requests only if they are requests', () => {
    const { positive } = vectors.parse(JSON.parse(readFileSync(path ?? '', 'utf8')))
    const found = positive.map(({ hex }) => findRequest(Uint8Array.from(Buffer.from(hex, 'hex'))))
    const isReply = (kind: string) => kind.endsWith('response')
    expect(found.some((request) => request !== undefined)).toBe(true)
    positive.forEach(({ kind, frame }, index) => {
      expect(found[index]?.address).toBe(isReply(kind) ? undefined : frame?.addressDigits.toUpperCase())
    })
  })
})
