import { expect, test } from 'vitest'
import { toActKey } from './act-key.ts'

const byReturn = { kind: 'temperature', target: 'return' } as const

test('what goes on with a proportional loop is its next round; else it is a trim', () => {
  expect(toActKey({ mode: { ...byReturn, method: 'proportional' } }, 'trim')).toBe('nextRound')
  expect(toActKey({ mode: byReturn }, 'trim')).toBe('trim')
  expect(toActKey({ mode: { ...byReturn, method: 'proportional' } }, 'accept')).toBe('accept')
})
