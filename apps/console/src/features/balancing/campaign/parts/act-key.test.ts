import { expect, test } from 'vitest'
import { toActKey } from './act-key.ts'

const byReturn = { kind: 'temperature', target: 'return' } as const

test('under proportional control the trim is the next round', () => {
  expect(toActKey({ mode: { ...byReturn, method: 'proportional' } }, 'trim')).toBe('nextRound')
  expect(toActKey({ mode: byReturn }, 'trim')).toBe('trim')
  expect(toActKey({ mode: { ...byReturn, method: 'proportional' } }, 'accept')).toBe('accept')
})
