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

test('a wave was given when the history says, past those that wait and those that nobody could be told of', () => {
  const steps = [step('done', 'a'), step('waiting'), step('done'), step('given', 'b')]
  expect(toWaveTimes({ steps, history })).toEqual([2, undefined, undefined, 5])
})

test('what people did and how it went on stays without the waves', () => {
  expect(withoutWaves(history).map(({ event }) => event)).toEqual(['approve', 'rollback'])
})
