import { expect, test } from 'vitest'
import { toActWord } from './act-word.ts'

const byReturn = { kind: 'temperature', target: 'return' } as const

test('what goes on with a proportional loop is its next round; else it is a trim', () => {
  expect(toActWord({ mode: { ...byReturn, method: 'proportional' } }, 'trim')).toBe('nextRound')
  expect(toActWord({ mode: byReturn }, 'trim')).toBe('trim')
  expect(toActWord({ mode: { ...byReturn, method: 'proportional' } }, 'accept')).toBe('accept')
})
