import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRegistryPayload, toRegistryPayloads } from './registry-signal.ts'

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 1, maxLength: 3_000 })
const path = fc
  .array(fc.integer({ min: 1, max: 9_999_999 }), { minLength: 1, maxLength: 8 })
  .map((steps) => `/${steps.join('/')}/`)

test('the payloads of a change name every device once and fit into signals', () => {
  fc.assert(
    fc.property(ids, (given) => {
      const payloads = toRegistryPayloads({ kind: 'devices', ids: given })
      for (const payload of payloads) expect(payload.length).toBeLessThan(8_000)
      const heard = payloads.flatMap((payload) => {
        const change = parseRegistryPayload(payload)
        return change.kind === 'devices' ? change.ids : []
      })
      expect(heard).toEqual(given)
    }),
    { numRuns: 30 },
  )
})

test('a moved subtree is told by where it is now', () => {
  fc.assert(
    fc.property(fc.array(path, { minLength: 1, maxLength: 5 }), (paths) => {
      const [payload, ...others] = toRegistryPayloads({ kind: 'below', paths })
      expect(others).toEqual([])
      expect(parseRegistryPayload(payload)).toEqual({ kind: 'below', paths })
    }),
  )
})

test('too many of either are told as everything', () => {
  const many = Array.from({ length: 20_001 }, (_, index) => index + 1)
  expect(toRegistryPayloads({ kind: 'devices', ids: many })).toEqual([''])
  expect(toRegistryPayloads({ kind: 'below', paths: many.map((id) => `/${id}/`) })).toEqual([''])
})

test('nothing changed tells nothing', () => {
  expect(toRegistryPayloads({ kind: 'devices', ids: [] })).toEqual([])
  expect(toRegistryPayloads({ kind: 'below', paths: [] })).toEqual([])
})

test.each([undefined, '', '17', 'ids:', 'ids:1,', 'below:1', 'below:/a/'])(
  '%j means everything',
  (payload) => {
    expect(parseRegistryPayload(payload)).toEqual({ kind: 'everything' })
  },
)
