import { deviceKind } from '@isotherm/contract/devices'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CountedDevice, createSubtreeCounts } from './subtree-counts.ts'

/** Paths of a tree. Each id encodes its whole path, so no id has two parents. */
const nodePath = fc
  .array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 })
  .map((steps) => `/${steps.map((_, depth) => steps.slice(0, depth + 1).join('')).join('/')}/`)
const device: fc.Arbitrary<CountedDevice> = fc.record({
  path: fc.tuple(nodePath, fc.integer({ min: 1, max: 9_999 })).map(([path, id]) => `${path}d${id}/`),
  kind: fc.constantFrom(...deviceKind.options),
})
const devices = fc.array(device, { maxLength: 60 })
const kinds = fc.uniqueArray(fc.constantFrom(...deviceKind.options))

test('counts equal a count of every device after any sequence of changes', () => {
  fc.assert(
    fc.property(devices, devices, nodePath, kinds, (staying, leaving, requested, wanted) => {
      const counts = createSubtreeCounts()
      for (const each of [...leaving, ...staying]) counts.add(each)
      for (const each of leaving) counts.remove(each)
      const expected = staying.filter(({ path, kind }) => path.startsWith(requested) && wanted.includes(kind))
      const isCounted = requested.split('/').length - 2 <= 6
      expect(counts.count(requested, wanted)).toBe(isCounted ? expected.length : undefined)
    }),
  )
})

test('the root counts all devices, and the path of a single device is not counted here', () => {
  const counts = createSubtreeCounts()
  counts.add({ path: '/1/2/3/4/5/6/7/8/d1/', kind: 'valve' })
  counts.add({ path: '/9/d2/', kind: 'station' })
  expect(counts.count('/', deviceKind.options)).toBe(2)
  expect(counts.count('/1/', ['valve'])).toBe(1)
  expect(counts.count('/1/2/3/4/5/6/', ['valve'])).toBe(1)
  expect(counts.count('/9/', ['valve'])).toBe(0)
  expect(counts.count('/9/d2/', ['station'])).toBeUndefined()
})
