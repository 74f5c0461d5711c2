import { expect, test } from 'vitest'
import { judgeSpace } from './disk-space.ts'

test.each([
  [{ freeBytes: 300e9, totalBytes: 400e9 }, 'ok'],
  // 5 % of a large disk is a lot.
  [{ freeBytes: 200e9, totalBytes: 4_000e9 }, 'ok'],
  [{ freeBytes: 8e9, totalBytes: 100e9 }, 'warning'],
  [{ freeBytes: 0.9e9, totalBytes: 2e9 }, 'warning'],
  [{ freeBytes: 1.9e9, totalBytes: 100e9 }, 'fault'],
  [{ freeBytes: 0.1e9, totalBytes: 0.15e9 }, 'fault'],
] as const)('%o is %s', (space, state) => {
  expect(judgeSpace(space)).toBe(state)
})
