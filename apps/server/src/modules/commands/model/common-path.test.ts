import { expect, test } from 'vitest'
import { toCommonPath } from './common-path.ts'

test.each([
  ['/1/4/12/', '/1/4/13/', '/1/4/'],
  ['/1/4/12/', '/1/4/12/', '/1/4/12/'],
  ['/1/4/', '/1/4/12/', '/1/4/'],
  ['/1/41/', '/1/42/', '/1/'],
  ['/1/4/', '/1/41/', '/1/'],
  ['/1/4/', '/2/4/', '/'],
])('the lowest common ancestor of %s and %s is %s', (first, last, common) => {
  expect(toCommonPath(first, last)).toBe(common)
})
