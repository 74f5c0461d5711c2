import { childReading, telemetryMessage } from '@isotherm/contract/mqtt'
import { DAY_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DirectoryEntry } from '../../devices/index.ts'
import { MAX_AGE_MS, MAX_FUTURE_MS, parseReadings } from './parse-message.ts'

const device: DirectoryEntry = {
  id: 7,
  tenant: 'demo',
  serial: 'v1',
  kind: 'valve',
  path: '/1/',
  concentratorId: undefined,
  periodS: 5,
}
const received = 1_800_000_000_000
const retainedSince = received - DAY_MS
const context = {
  received,
  retainedSince,
  setBackMs: 0,
  findDevice: (id: string) => (id === 'v1' ? device : undefined),
  offsetOf: () => 0,
}
const parse = (value: unknown) => parseReadings(Buffer.from(JSON.stringify(value)), context)
const message = (...d: unknown[]) => ({ v: 1, boot: 1, seq: 2, ts: received, d })

test('for any bytes, parsing returns a result and never throws', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.json().map((json) => Buffer.from(json)),
  )
  fc.assert(fc.property(bytes, (given) => void parseReadings(given, context)))
})

test('an envelope is accepted exactly if the contract allows it, whatever its children are', () => {
  const field = fc.oneof(
    fc.integer({ min: -2, max: 3 }),
    fc.string(),
    fc.constant(undefined),
    fc.constant(received),
  )
  const envelope = fc.record({
    v: field,
    boot: field,
    seq: field,
    ts: field,
    d: fc.array(fc.anything(), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(envelope, (given) => {
      const json: unknown = JSON.parse(JSON.stringify(given) ?? 'null')
      const sound = { id: 'v1', m: {} }
      const isSound = typeof json === 'object' && json !== null && 'd' in json && Array.isArray(json.d)
      const expected = isSound
        ? telemetryMessage.safeParse({ ...json, d: Array.from(given.d, () => sound) }).success
        : false
      expect(parse(given).kind).toBe(expected ? 'parsed' : 'rejected')
    }),
  )
})

test('a child is accepted exactly if the contract and the registry know it', () => {
  const value = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string(), fc.constant(null))
  const child = fc.record(
    {
      id: fc.constantFrom('v1', 'v2', ''),
      q: fc.oneof(fc.integer({ min: -1, max: 130 }), fc.string()),
      m: fc.dictionary(fc.constantFrom('temp.room', 'valve.opening', 'made.up', ''), value),
    },
    { requiredKeys: ['id', 'm'] },
  )
  fc.assert(
    fc.property(child, (given) => {
      const parsed = parse(message(given))
      const isKnown = given.id === 'v1' && ('temp.room' in given.m || 'valve.opening' in given.m)
      const expected = childReading.safeParse(JSON.parse(JSON.stringify(given))).success && isKnown
      expect(parsed.kind === 'parsed' && parsed.samples.length === 1).toBe(expected)
      if (!expected) expect(parsed.kind === 'parsed' && parsed.rejects).toHaveLength(1)
    }),
  )
})

test('a child without an instant gets the instant of arrival', () => {
  expect(parse(message({ id: 'v1', m: { rssi: -90 } }))).toMatchObject({ samples: [{ ts: received }] })
})

test.each([
  [received + MAX_FUTURE_MS, 1],
  [received + MAX_FUTURE_MS + 1, 0],
  [retainedSince, 1],
  [retainedSince - 1, 0],
])('of a message with instant %i, %i samples are accepted', (ts, samples) => {
  expect(parse(message({ id: 'v1', ts, m: { rssi: -90 } }))).toMatchObject({
    samples: Array.from({ length: samples }, () => ({ ts })),
  })
})

test.each([
  [received - MAX_AGE_MS, 1],
  [received - MAX_AGE_MS - 1, 0],
  [Date.UTC(2000, 0, 1), 0],
  [1, 0],
])(
  'with unlimited retention readings may be ten years old: with instant %i, %i samples are accepted',
  (ts, samples) => {
    const given = Buffer.from(JSON.stringify(message({ id: 'v1', ts, m: { rssi: -90 } })))
    const parsed = parseReadings(given, { ...context, retainedSince: Number.NEGATIVE_INFINITY })
    expect(parsed).toMatchObject({
      samples: Array.from({ length: samples }, () => ({ ts })),
      rejects: Array.from({ length: 1 - samples }, () => ({ reason: 'ancient-instant' })),
    })
  },
)

test('of two values for one device and instant the later one counts, and rows counts it once', () => {
  const child = fc.record({
    id: fc.constant('v1'),
    ts: fc.constantFrom(received, received + 1),
    m: fc.dictionary(fc.constantFrom('temp.supply', 'temp.return'), fc.integer({ min: 0, max: 90 }), {
      minKeys: 1,
    }),
  })
  fc.assert(
    fc.property(fc.array(child, { minLength: 1, maxLength: 8 }), (children) => {
      const expected = new Map<string, number>()
      for (const { ts, m } of children)
        for (const [metric, value] of Object.entries(m)) expected.set(`${ts}:${metric}`, value)
      const parsed = parse(message(...children))
      const samples = parsed.kind === 'parsed' ? parsed.samples : []
      const pairs = samples.flatMap(({ ts, values }) =>
        values.map(({ metric, value }): [string, number] => [`${ts}:${metric}`, value]),
      )
      expect(new Map(pairs)).toEqual(expected)
      expect(pairs).toHaveLength(expected.size)
      expect(parsed).toMatchObject({ rows: expected.size })
    }),
  )
})

test("the meter's own clock is passed on for diagnosis and does not date readings", () => {
  const parsed = parse(message({ id: 'v1', ts: received - 5, dt: 1_000, m: { rssi: -60 } }))
  expect(parsed).toMatchObject({ samples: [{ ts: received - 5, meterTime: 1_000 }] })
})

test('a machine whose clock was set back takes readings of the time before', () => {
  const hourMs = 3_600_000
  const given = message({ id: 'v1', ts: received + hourMs, m: { rssi: -90 } })
  expect(parse(given)).toMatchObject({ samples: [], rejects: [{ reason: 'future-instant' }] })
  const parsed = parseReadings(Buffer.from(JSON.stringify(given)), { ...context, setBackMs: hourMs })
  expect(parsed).toMatchObject({ samples: [{ ts: received + hourMs }], rejects: [] })
})

test('a child without an instant is dated by the clock that its gateway agrees with', () => {
  const given = Buffer.from(JSON.stringify(message({ id: 'v1', m: { rssi: -90 } })))
  const arrivalOf = ({ ts }: { readonly ts: number }) => ts - 7
  expect(parseReadings(given, { ...context, arrivalOf })).toMatchObject({ samples: [{ ts: received - 7 }] })
})
