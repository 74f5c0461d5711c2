import { expect, test } from 'vitest'
import { judgeSpace, toSpaceText } from './disk-space.ts'

test.each([
  [{ freeBytes: 300e9, totalBytes: 400e9 }, 'ok'],
  // 5 % of a large disk is a lot.
  [{ freeBytes: 200e9, totalBytes: 4_000e9 }, 'ok'],
  [{ freeBytes: 8e9, totalBytes: 100e9 }, 'warning'],
  [{ freeBytes: 0.9e9, totalBytes: 2e9 }, 'warning'],
  [{ freeBytes: 1.9e9, totalBytes: 100e9 }, 'fault'],
  [{ freeBytes: 0.1e9, totalBytes: 0.15e9 }, 'fault'],
  // Space that reaches a limit is enough: a tenth of the disk, 10 GB, 1 GB of a small disk, and 2 GB against a fault.
  [{ freeBytes: 8e9, totalBytes: 80e9 }, 'ok'],
  [{ freeBytes: 10e9, totalBytes: 400e9 }, 'ok'],
  [{ freeBytes: 1e9, totalBytes: 2e9 }, 'ok'],
  [{ freeBytes: 2e9, totalBytes: 100e9 }, 'warning'],
] as const)('%o is %s', (space, state) => {
  expect(judgeSpace(space)).toBe(state)
})

test('a report of the space names free and total gigabytes', () => {
  expect(toSpaceText({ freeBytes: 12_340_000_000, totalBytes: 400e9 })).toBe('12.3 of 400.0 GB free')
})
