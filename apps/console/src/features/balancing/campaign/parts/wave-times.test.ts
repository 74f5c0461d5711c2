import type { CampaignDetail } from '@isotherm/contract/balancing/campaign'
import { expect, test } from 'vitest'
import { toWaveTimes, withoutWaves } from './wave-times.ts'

const step = (state: 'waiting' | 'given' | 'done', batchId?: string) => ({
  round: 1,
  kind: 'back' as const,
  valves: 1,
  state,
  unanswered: 0,
  ...(batchId !== undefined && { batchId }),
})
const history: CampaignDetail['history'] = [
  { at: 1, event: 'approve', by: 'dispatcher' },
  { at: 2, event: 'wave-given' },
  { at: 3, event: 'wave-ended' },
  { at: 4, event: 'rollback', by: 'dispatcher' },
  { at: 5, event: 'wave-given' },
]

test('the sending time of a wave comes from the history, without waiting and unsent waves', () => {
  const steps = [step('done', 'a'), step('waiting'), step('done'), step('given', 'b')]
  expect(toWaveTimes({ steps, history })).toEqual([2, undefined, undefined, 5])
})

test('the history keeps user actions and states, without the waves', () => {
  expect(withoutWaves(history).map(({ event }) => event)).toEqual(['approve', 'rollback'])
})
