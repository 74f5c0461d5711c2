import { childReading, telemetryMessage } from '@isotherm/contract/mqtt'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isChildReading, isEnvelope } from './message-check.ts'

const good = { id: '11110012345678', ts: 1_763_683_195_000, q: 0, m: { 'temp.supply': 45.2 } }
const envelope = { v: 1, boot: 3, seq: 9, ts: 1_763_683_195_000, d: [good] }

/** Something right with one or more fields replaced by anything JSON can hold. */
const damaged = (right: object) =>
  fc
    .dictionary(
      fc.constantFrom(...Object.keys(right), 'dt', 'extra'),
      fc.oneof(fc.jsonValue(), fc.integer()),
      {
        maxKeys: 3,
      },
    )
    .map((wrong): unknown => ({ ...right, ...wrong }))

test('a child is judged as the contract judges it', () => {
  const candidates = fc.oneof(
    fc.jsonValue(),
    damaged(good),
    fc
      .dictionary(fc.string({ maxLength: 40 }), fc.oneof(fc.double(), fc.jsonValue()))
      .map((m) => ({ ...good, m })),
  )
  fc.assert(
    fc.property(candidates, (value) => {
      expect(isChildReading(value)).toBe(childReading.safeParse(value).success)
    }),
    { numRuns: 3_000 },
  )
})

test('an envelope is judged as the contract judges it', () => {
  const candidates = fc.oneof(
    fc.jsonValue(),
    damaged(envelope),
    fc.integer({ min: 0, max: 103 }).map((children) => ({ ...envelope, d: Array(children).fill(good) })),
  )
  fc.assert(
    fc.property(candidates, (value) => {
      const right = isEnvelope(value) && value.d.every(isChildReading)
      expect(right).toBe(telemetryMessage.safeParse(value).success)
    }),
    { numRuns: 3_000 },
  )
})
