import { expect, test } from 'vitest'
import { toWaveTimes, withoutWaves } from './wave-times.ts'

const step = (state: 'waiting' | 'given' | 'done', kind: 'open' | 'back' = 'open') => ({
  ...{ round: 1, kind, valves: 1, state, unanswered: 0 },
})
const history = [
  { at: 1, event: 'approve', by: 'dispatcher' },
  { at: 2, event: 'wave-given' },
  { at: 3, event: 'wave-ended' },
  { at: 4, event: 'rollback', by: 'dispatcher' },
  { at: 5, event: 'wave-given' },
]

test('a wave was given when the history says, past those that never were', () => {
  const steps = [step('done'), step('waiting'), step('given', 'back')]
  expect(toWaveTimes({ steps, history })).toEqual([2, undefined, 5])
})

test('what people did and how it went on stays without the waves', () => {
  expect(withoutWaves(history).map(({ event }) => event)).toEqual(['approve', 'rollback'])
})
