import { metricNames, metrics } from '@isotherm/contract/metrics'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countMonths, decodeRows, encodeRows } from './row-binary.ts'
import { type ReadingMessage, toSampleValue } from './sample.ts'
import { createTestDirectory } from './sample-directory.testkit.ts'

const { all } = createTestDirectory()
const [device] = all

const ofInstants = (...instants: readonly string[]) => ({
  samples: device
    ? instants.map((instant) => ({ device, ts: Date.parse(instant), quality: 0, values: [] }))
    : [],
})

test.each([
  [1, ['2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z']],
  [2, ['2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00Z']],
  [2, ['2025-11-15T00:00:00Z', '2026-11-15T00:00:00Z', '2026-11-16T00:00:00Z']],
])('these instants are in %i UTC months: %o', (months, instants) => {
  expect(countMonths(ofInstants(...instants))).toBe(months)
})

const findDevice = (id: number) => all.find((entry) => entry.id === id)

const sample = fc.record({
  device: fc.constantFrom(...all),
  ts: fc.integer({ min: 1, max: Date.parse('2100-01-01') }),
  quality: fc.constantFrom(0, 1, 64),
  metrics: fc.uniqueArray(fc.constantFrom(...metricNames), { minLength: 1 }),
  value: fc.double({ noNaN: true }),
})

const readingMessage = fc
  .record({
    gatewayId: fc.nat(0xffff_ffff),
    boot: fc.nat(0xffff_ffff),
    seq: fc.nat(0xffff_ffff),
    received: fc.integer({ min: 1, max: Date.parse('2100-01-01') }),
    live: fc.boolean(),
    samples: fc.uniqueArray(sample, {
      minLength: 1,
      maxLength: 6,
      selector: ({ device: { id }, ts }) => `${id} ${ts}`,
    }),
  })
  .map(({ samples, ...message }): ReadingMessage => {
    const read = samples.map(({ metrics: names, value, ...rest }) => ({
      ...rest,
      values: names.map((metric) => toSampleValue(metric, value, rest.quality)),
    }))
    return { ...message, samples: read, rows: read.reduce((sum, { values }) => sum + values.length, 0) }
  })

/** If all values of a sample are out of range, the bits that the device set cannot be recovered. */
const withoutOwnBits = (messages: readonly ReadingMessage[] | undefined) =>
  messages?.map(({ samples, ...message }) => ({
    ...message,
    samples: samples.map(({ quality: _, ...rest }) => rest),
  }))

test('any messages are decoded from their rows', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(readingMessage, {
        selector: ({ gatewayId, boot, seq }) => `${gatewayId} ${boot} ${seq}`,
      }),
      (messages) => {
        const decoded = decodeRows(encodeRows(messages), findDevice)
        expect(withoutOwnBits(decoded)).toEqual(withoutOwnBits(messages))
        const bits = (of: readonly ReadingMessage[] = []) =>
          of.flatMap(({ samples }) => samples.map(({ quality }) => quality & (1 | 64)))
        expect(bits(decoded)).toEqual(bits(messages))
      },
    ),
  )
})

test('rows of unknown devices and metrics are left out, but not their message', () => {
  if (!device) throw new Error('the test directory is empty')
  const values = [toSampleValue('temp.room', 21, 0), toSampleValue('bat.v', 3.6, 0)]
  const message = { gatewayId: 1, boot: 2, seq: 3, received: 4, live: true, rows: 4 } as const
  const foreign = { ...device, id: 4_000_000 }
  const samples = [device, foreign].map((of) => ({ device: of, ts: 5, quality: 0, values }))
  const body = encodeRows([{ ...message, samples }])
  expect(decodeRows(body, findDevice)).toEqual([{ ...message, samples: samples.slice(0, 1) }])
  body.writeUInt16LE(65_000, 4)
  expect(Object.values(metrics).map(({ id }) => id)).not.toContain(65_000)
  const [read] = decodeRows(body, findDevice) ?? []
  expect(read?.samples.map((each) => each.values)).toEqual([values.slice(1)])
})

test('a malformed body decodes to nothing', () => {
  expect(decodeRows(Buffer.alloc(44), findDevice)).toBeUndefined()
})
