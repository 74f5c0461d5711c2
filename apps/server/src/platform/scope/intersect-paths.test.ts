import fc from 'fast-check'
import { expect, test } from 'vitest'
import { covers, intersectPaths } from './scope.ts'

const path = fc
  .array(fc.integer({ min: 1, max: 3 }), { minLength: 0, maxLength: 4 })
  .map((steps) => ['', ...steps, ''].join('/'))
const paths = fc.array(path, { maxLength: 4 })

test('a path lies below both lists exactly if it lies below their intersection', () => {
  fc.assert(
    fc.property(paths, paths, path, (left, right, probe) => {
      const isBelow = (list: readonly string[]) => covers({ kind: 'paths', paths: list }, probe)
      expect(isBelow(intersectPaths(left, right))).toBe(isBelow(left) && isBelow(right))
    }),
  )
})
