import { expect, test } from 'vitest'
import { registryNode } from './registry-file.ts'

test.each([
  ['project', [1]],
  ['group', [2, 3, 4, 5]],
  ['sub-user', [6]],
  ['address', [7, 8]],
])('§3 a %s of a registry file is only allowed at the levels of its kind: %j', (kind, levels) => {
  const known = [1, 2, 3, 4, 5, 6, 7, 8].filter(
    (level) => registryNode.safeParse({ key: 'k', parent: null, kind, level, name: '甲' }).success,
  )
  expect(known).toEqual(levels)
})
