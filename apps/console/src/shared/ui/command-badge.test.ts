import { expect, test } from 'vitest'
import { toStateKey } from './command-badge.tsx'

test('what is measured confirms the position of a valve and the head of a pump; else states have one name', () => {
  expect(toStateKey({ state: 'confirmed', kind: 'valve.set' })).toBe('commandState.confirmed')
  expect(toStateKey({ state: 'confirmed', kind: 'pump.set' })).toBe('headConfirmed')
  expect(toStateKey({ state: 'queued', kind: 'pump.set' })).toBe('commandState.queued')
})
