import { expect, test } from 'vitest'
import { toStateKey } from './command-badge.tsx'

test('a confirmed command has different texts for valve and pump; other states have one', () => {
  expect(toStateKey({ state: 'confirmed', kind: 'valve.set' })).toBe('commandState.confirmed')
  expect(toStateKey({ state: 'confirmed', kind: 'pump.set' })).toBe('headConfirmed')
  expect(toStateKey({ state: 'confirmed', kind: 'supply.set' })).toBe('offsetConfirmed')
  expect(toStateKey({ state: 'queued', kind: 'pump.set' })).toBe('commandState.queued')
})
