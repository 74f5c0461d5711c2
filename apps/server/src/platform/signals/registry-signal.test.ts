import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRegistryPayload, toRegistryPayloads } from './registry-signal.ts'

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 1, maxLength: 3_000 })
const path = fc
  .array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 1, maxLength: 8 })
  .map((steps) => `/${steps.join('/')}/`)

test('the payloads of a change contain every device once and fit into signals', () => {
  fc.assert(
    fc.property(ids, (given) => {
      const payloads = toRegistryPayloads({ kind: 'devices', ids: given })
      for (const payload of payloads) expect(payload.length).toBeLessThan(8_000)
      const received = payloads.flatMap((payload) => {
        const change = parseRegistryPayload(payload)
        return change.kind === 'devices' ? change.ids : []
      })
      expect(received).toEqual(given)
    }),
    { numRuns: 30 },
  )
})

test('a moved subtree is reported with its new path', () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), (paths) => {
      const [payload, ...others] = toRegistryPayloads({ kind: 'below', paths })
      expect(others).toEqual([])
      expect(parseRegistryPayload(payload)).toEqual({ kind: 'below', paths })
    }),
  )
})

test('too many devices or subtrees are reported as everything', () => {
  const many = Array.from({ length: 20_001 }, (_, index) => index + 1)
  expect(toRegistryPayloads({ kind: 'devices', ids: many })).toEqual([''])
  expect(toRegistryPayloads({ kind: 'below', paths: many.map((id) => `/${id}/`) })).toEqual([''])
})

test('an empty change sends no payload', () => {
  expect(toRegistryPayloads({ kind: 'devices', ids: [] })).toEqual([])
  expect(toRegistryPayloads({ kind: 'below', paths: [] })).toEqual([])
})

test.each([undefined, '', '17', 'ids:', 'ids:1,', 'below:1', 'below:/a/'])(
  '%j means everything',
  (payload) => {
    expect(parseRegistryPayload(payload)).toEqual({ kind: 'everything' })
  },
)
