import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findOwner } from './find-owner.ts'

/** Names as the codec of the replicas draws them. */
const name = fc.stringMatching(/^[0-9a-f]{16}$/)
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 6 })
const key = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff })

test('each key has one owner, whatever the order in which the servers are known', () => {
  fc.assert(
    fc.property(names, key, (given, of) => {
      const owner = findOwner(given, of)
      expect(given).toContain(owner)
      expect(findOwner(given.toReversed(), of)).toBe(owner)
    }),
  )
  expect(findOwner([], 1)).toBeUndefined()
})

test('a server that leaves or joins changes the owner of no key but its own', () => {
  fc.assert(
    fc.property(names, name, key, (given, other, of) => {
      fc.pre(!given.includes(other))
      const before = findOwner(given, of)
      const after = findOwner([...given, other], of)
      expect([before, other]).toContain(after)
    }),
  )
})

test('servers own about the same number of gateways, also if ids follow each other', () => {
  const GATEWAYS = 3_000
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (given, first) => {
        const owned = new Map<string | undefined, number>()
        for (let of = first; of < first + GATEWAYS; of += 1) {
          const owner = findOwner(given, of)
          owned.set(owner, (owned.get(owner) ?? 0) + 1)
        }
        const share = GATEWAYS / given.length
        for (const one of given) expect(Math.abs((owned.get(one) ?? 0) - share)).toBeLessThan(0.2 * share)
      },
    ),
    { numRuns: 20 },
  )
})
